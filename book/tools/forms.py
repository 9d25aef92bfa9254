"""The form of a chapter's source, on which papermill, nbval and the reader rely: its cells, names and marks.

What a page shows, its cells compute. Collapsed are the imports, the words of drawings, the checkers of
exercises and the cells that only give numbers their names for the text; nothing else. A fault is the number
of a cell, or of a line, and a sentence.
"""

import ast
import difflib
import inspect
import re
from collections.abc import Collection, Iterator
from functools import reduce
from importlib import import_module
from posixpath import normpath
from typing import Any

from jupytext.myst import myst_to_notebook

from book.tools import named_numbers
from book.tools.chapter_code import called, only_defines, parsed, source, tags
from book.tools.myst import OPENING
from book.tools.short_path import REFERENCE

WIDEST = 84  # characters; a longer line wraps on a wide screen
COLLAPSED = {"imports", "drawing", "checker", "values"}
_GLUED = re.compile(r"\{glue(?::text)?\}`([^`]+)`")
_CITED = re.compile(r"\{cite(?::\w+)?\}`([^`]+)`")
_DOCUMENT = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`<>]+)>?`")
_MERGE = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?: |$)")
_LOST_STAR = re.compile(r"(?:#{2,6} .*(?:\S\*|\\\*)|## Exactly)\s*$")
LOST_STAR = "a heading that may be skipped ends with a blank and a star"
Faults = Iterator[tuple[int, str]]
Known = tuple[
    Collection[str], Collection[str], Collection[str]
]  # labels, pages and keys of the bibliography


def first_lines(text: str) -> list[int]:
    """The line of the source on which each cell of a chapter begins."""
    made, lines = myst_to_notebook(text, add_source_map=True), text.splitlines()
    # Of text jupytext gives the line before which it begins, blank ones included, of code that of the fence.
    starts = zip(made.metadata["source_map"], made.cells, strict=True)
    begun = [start - (cell["cell_type"] == "code") for start, cell in starts]
    return [
        next(n for n, line in enumerate(lines[at:], at + 1) if line.strip())
        for at in begun
    ]


def _calls(cell: dict) -> set[str]:
    """Names of the functions that a cell calls."""
    return set(called(source(cell)))


def _head_faults(code: list[tuple[int, dict]]) -> Faults:
    """The first code cell holds the parameters, the second nothing but imports."""
    if len(code) < 2:
        yield 1, "must have a cell of parameters and one of imports"
        return
    (first, head), (second, imports) = code[:2]
    if (
        "parameters" not in tags(head)
        or sum("parameters" in tags(cell) for _, cell in code) != 1
    ):
        yield first, "exactly the first code cell must be tagged parameters"
    if not {"imports", "hide-input"} <= set(tags(imports)):
        yield second, "the second code cell must be tagged imports and hide-input"
    if not all(
        isinstance(node, ast.Import | ast.ImportFrom)
        for node in parsed(source(imports)).body
    ):
        yield second, "the second code cell must hold nothing but imports"


def _cell_faults(cell: dict) -> Iterator[str]:
    """What is wrong with the form of one cell after the head."""
    marks, hidden = set(tags(cell)), "hide-input" in tags(cell)
    if hidden and len(marks & COLLAPSED) != 1:
        yield f"hides its input, so it must have one tag of {', '.join(sorted(COLLAPSED))}"
    if marks & COLLAPSED and not hidden:
        yield "has a tag of collapsed cells and must hide its input"
    drawn = "drawing" in marks and "notebook.figure" in _calls(cell)
    if marks & {"drawing", "checker"} and not (drawn or only_defines(source(cell))):
        yield "must only define, or draw a table that is there"
    if ("values" in marks) != ("notebook.glue" in _calls(cell)):
        yield "must be tagged values and hide-input if it names numbers for the text, and only then"


def _library(cell: dict) -> dict[str, tuple[str, str]]:
    """Module and name of what a cell imports from the library, by its name in the chapter."""
    imports = [
        node for node in parsed(source(cell)).body if isinstance(node, ast.ImportFrom)
    ]
    ours = [node for node in imports if (node.module or "").startswith("privml")]
    return {
        one.asname or one.name: (node.module or "", one.name)
        for node in ours
        for one in node.names
    }


def similar_names(name: str, known: Collection[str], nearness: float = 0.6) -> str:
    """Which known names may be meant by one that is not, as a question."""
    near = difflib.get_close_matches(name, known, 3, nearness) if name else []
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _library_faults(code: list[tuple[int, dict]]) -> Faults:
    """Names that the library and its modules have not, and keywords that what they have does not take."""
    ours = {
        here: place
        for here, place in _library(code[1][1]).items()
        if place[0] != "privml.results"
    }
    known = {
        here: getattr(import_module(path), name, None)
        for here, (path, name) in ours.items()
    }
    yield from (
        (code[1][0], f"imports {here}, which is not there")
        for here in known
        if known[here] is None
    )
    nodes = [
        (number, node)
        for number, cell in code
        for node in ast.walk(parsed(source(cell)))
    ]
    bound = {
        node.id
        for _, node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    rooms = {
        here: found
        for here, found in known.items()
        if inspect.ismodule(found) and here not in bound
    }
    for number, node in nodes:
        if isinstance(node, ast.Attribute) and (
            room := rooms.get(getattr(node.value, "id", ""))
        ):
            lacks = (
                f"{ast.unparse(node)} is not there{similar_names(node.attr, dir(room))}"
            )
            yield from (
                () if hasattr(room, node.attr) else [(number + node.lineno, lacks)]
            )
        if isinstance(node, ast.Call):
            path = ast.unparse(node.func).split(".")
            found: Any = reduce(
                lambda thing, name: getattr(thing, name, None),
                path[1:],
                known.get(path[0]),
            )
            sure = inspect.isfunction(found) or inspect.isclass(found)
            takes = inspect.signature(found).parameters if sure else {}
            if sure and all(one.kind != one.VAR_KEYWORD for one in takes.values()):
                wrong = [
                    word for word in node.keywords if word.arg and word.arg not in takes
                ]
                said = f"{'.'.join(path)} takes no keyword"
                yield from (
                    (number + word.lineno, f"{said} {word.arg}") for word in wrong
                )


def cell_faults(text: str, cells: list[dict]) -> Faults:
    """What is wrong with the form of the code cells of a chapter; of a whole cell, above its code."""
    lines, every = text.splitlines(), zip(first_lines(text), cells, strict=True)
    begun = [(first, cell) for first, cell in every if cell["cell_type"] == "code"]
    code = [
        (lines.index(source(cell).partition("\n")[0], first), cell)
        for first, cell in begun
    ]
    yield from _head_faults(code)
    if len(code) < 2:
        return
    yield from _library_faults(code)
    for number, cell in code[2:]:
        yield from ((number, fault) for fault in _cell_faults(cell))


def _pattern(node: ast.expr, words: str) -> str:
    """What the first argument of `notebook.glue` may be; `words` is what a variable may hold."""
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    if isinstance(node, ast.JoinedStr):
        return "".join(
            _pattern(part, "") if isinstance(part, ast.Constant) else ".+"
            for part in node.values
        )
    if isinstance(node, ast.BinOp):
        return _pattern(node.left, words) + _pattern(node.right, words)
    return words if isinstance(node, ast.Name) else ".+"


def glue_faults(text: str, cells: list[dict]) -> Faults:
    """Numbers of the text that no cell names: lines and sentences."""
    nodes = [
        node
        for cell in cells
        if cell["cell_type"] == "code"
        for node in ast.walk(parsed(source(cell)))
    ]
    texts: list[ast.expr] = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    texts += [
        node
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    words = (
        "(?:" + "|".join(sorted({_pattern(node, "") for node in texts} - {".+"})) + ")"
    )
    calls = [
        n
        for n in nodes
        if isinstance(n, ast.Call) and ast.unparse(n.func) == "notebook.glue"
    ]
    known = [
        re.compile(pattern)
        for pattern in {_pattern(call.args[0], words) for call in calls}
    ]
    parameters = named_numbers.values(cells)
    for number, line in enumerate(text.splitlines(), 1):
        for name in _GLUED.findall(line):
            if name not in parameters and not any(
                pattern.fullmatch(name) for pattern in known
            ):
                yield number, f"no cell names a number {name!r} by notebook.glue"


def _fence_faults(text: str) -> Faults:
    """Fences that are not closed where another one like it begins, or where what holds it ends."""
    opened: list[tuple[str, int]] = []
    fences = [
        (n, found)
        for n, line in enumerate(text.splitlines(), 1)
        if (found := OPENING.match(line))
    ]
    for number, found in fences:
        like = [
            at
            for at, (fence, _) in enumerate(opened)
            if found["fence"].startswith(fence)
        ]
        first, begins = (
            like[0] if like else len(opened),
            not like or bool(found["info"].strip()),
        )
        lost = opened[first if begins else first + 1 :]
        yield from (
            (line, f"this fence is not closed before line {number}") for _, line in lost
        )
        opened[first:] = [(found["fence"], number)] * begins
    yield from ((line, "this fence is not closed") for _, line in opened)


def text_faults(text: str) -> Faults:
    """Fences left open, marks of a merge, and stars that are not read as such: lines and sentences."""
    yield from _fence_faults(text)
    for number, line in enumerate(text.splitlines(), 1):
        if _MERGE.match(line):
            yield number, f"a mark of a merge is left: {line}"
        if _LOST_STAR.match(line):
            yield number, f"{LOST_STAR}: {line}"


def reference_faults(text: str, known: Known, folder: str) -> Faults:
    """Labels, documents and keys that are not known, in a page of this folder: lines and sentences."""
    labels, pages, works = known
    for number, line in enumerate(text.splitlines(), 1):
        keys = [key.strip() for keys in _CITED.findall(line) for key in keys.split(",")]
        asked = [(key, key, "which references.bib has not", works) for key in keys]
        asked += [
            (one, one.strip().lower(), "which no page has", labels)
            for one in REFERENCE.findall(line)
        ]
        asked += [
            (name, normpath(f"{folder}/{name}"), "no page", pages)
            for name in _DOCUMENT.findall(line)
        ]
        for said, name, fault, there in asked:
            if name not in there:
                yield (
                    number,
                    f"a reference to {said.strip()!r}, {fault}{similar_names(name, there)}",
                )
