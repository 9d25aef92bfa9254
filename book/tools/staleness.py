"""Whether a chapter's outputs are those of its code and of the rooms of the package behind it.

A room is a module or folder directly below ``privml``. Behind a chapter are the rooms that its code imports,
and those that these import, wherever the import stands. What is not clearly in one room counts for every
chapter: private modules, data of the package, the constraints, the tools that execute. Who imports the
package as a whole, or a name that no room has, has all behind it. Comments count for who shows source.

Content decides, never dates. What this machine remembers of a chapter's last run stands below ``_build/``.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from book.tools.chapter_code import parsed, source, tags
from book.tools.chapters import Chapter, digest, files, hash_of, write_whole
from book.tools.execute import unexecuted
from book.tools.figures import cells_of
from book.tools.normalise import normalised

_SHARED = ("constraints.txt", "book/tools/execute.py", "book/tools/normalise.py")
_ALL = "_"  # the room of what counts for every chapter
_PYTHON = (".py", ".pyi")


def named(text: str) -> Iterator[str]:
    """The names below ``privml`` that code imports, or that it has as texts; empty for the package itself."""
    for node in ast.walk(ast.parse(text)):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = (
                ["privml"]
                if node.level
                else [f"{node.module}.{alias.name}" for alias in node.names]
            )
        elif isinstance(node, ast.Constant) and re.fullmatch(
            r"privml(\.\w+)+\.?", str(node.value)
        ):
            modules = [str(node.value)]  # for `import_module`
        for package, _, name in (module.partition(".") for module in modules):
            if package == "privml":
                yield _ALL if name.startswith("_") else name.partition(".")[0]


def displayed(text: str) -> Iterator[str]:
    """The names below ``privml`` of which code shows text: all that it imports, if it is not clear."""
    nodes, unclear = [*ast.walk(parsed(text))], re.search(r"__doc__|\bhelp\(", text)
    calls = [
        n
        for n in nodes
        if isinstance(n, ast.Call) and ast.unparse(n.func).endswith("show_source")
    ]
    asked = {
        ast.unparse(argument).partition(".")[0]
        for call in calls
        for argument in call.args
    }
    homes = {n.name: "" for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    homes |= {
        n.asname or n.name: f"from {of.module} import {n.name}"
        for of in imports
        for n in of.names
    }
    for code in [homes.get(name, text) for name in asked] + [text] * bool(unclear):
        yield from named(code)


def meaning(text: str) -> str:
    """Code without comments and docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef
        ) and ast.get_docstring(node):
            del node.body[0]
    return ast.dump(tree)


@dataclass(frozen=True)
class Inputs:
    """By room its files, with hashes of code and of text, and its imports; rooms of the package's names."""

    files: dict[str, list[list[str]]]
    imports: dict[str, set[str]]
    homes: dict[str, str]

    def rooms(self, code: list[str]) -> set[str]:
        """The rooms behind pieces of code."""
        found, todo = set(), [_ALL, *(name for text in code for name in named(text))]
        while todo:
            name = todo.pop()
            room = self.homes.get(name, name)
            if room not in self.files:
                return set(self.files)
            if room not in found:
                found.add(room)
                todo += self.imports[room]
        return found

    def of(self, chapter: Chapter) -> str:
        """Hash of everything that decides the outputs of a chapter."""
        code = _code(unexecuted(chapter).cells)
        texts = [text for text, _ in code]
        told = {
            _ALL,
            *(self.homes.get(name, name) for name in displayed("\n".join(texts))),
        }
        rooms = self.rooms(texts)
        behind = {
            room: [both[bool({room, ""} & told)] for both in self.files[room]]
            for room in rooms
        }
        return digest(json.dumps([code, behind], sort_keys=True).encode())

    def is_stale(self, chapter: Chapter) -> bool:
        """Whether the outputs on disk are not those that this machine has seen come of the present inputs."""
        with suppress(
            FileNotFoundError, SyntaxError, ValueError
        ):  # as of a notebook with marks of a merge
            return json.loads(chapter.record.read_text()) != _made(
                chapter, self.of(chapter)
            )
        return True


def _room(path: PurePath) -> str:
    """The room of a file; the studies in ``results`` are modules of ``privml.results``."""
    first = path.parts[1] if path.suffix in _PYTHON else "_"
    return (
        "results"
        if path.parts[0] == "results"
        else _ALL
        if first[0] == "_"
        else first.split(".")[0]
    )


def inputs(root: Path) -> Inputs:
    """The inputs as they are now below a root."""
    found, imports = (
        defaultdict(list, {_ALL: [[hash_of(root, _SHARED)] * 2]}),
        defaultdict(set),
    )
    for file in [*files(root / "privml"), *files(root / "results")]:
        path, text = file.relative_to(root), file.read_bytes()
        code = meaning(text.decode()).encode() if path.suffix in _PYTHON else text
        found[_room(path)].append(
            [f"{path.as_posix()} {digest(each)}" for each in (code, text)]
        )
        if (
            path.suffix in _PYTHON and path.as_posix() != "privml/__init__.pyi"
        ):  # which names all rooms
            imports[_room(path)] |= {*named(text.decode())}
    stub = root / "privml" / "__init__.pyi"
    offered = re.findall(
        r"from privml\.(\w+)[.\w]* import (\w+)",
        stub.read_text() if stub.exists() else "",
    )
    return Inputs(found, imports, {name: room for room, name in offered})


def _executed(cells: list[dict]) -> list[dict]:
    return [cell for cell in cells if cell["cell_type"] == "code"]


def _code(cells: list[dict]) -> list[tuple[str, list[str]]]:
    return [(source(cell), tags(cell)) for cell in _executed(cells)]


def _made(chapter: Chapter, made_from: str) -> dict[str, str]:
    """What is remembered of a run: what it was made from, and the code and outputs of its notebook."""
    cells = cells_of(chapter.notebook)
    made = [_code(cells), [cell["outputs"] for cell in _executed(cells)]]
    return {"inputs": made_from, "outputs": digest(json.dumps(made).encode())}


def remember(chapter: Chapter, made_from: str) -> None:
    """Record that the outputs of the notebook on disk were made from these inputs."""
    write_whole(chapter.record, json.dumps(_made(chapter, made_from)))


def reworded(chapter: Chapter) -> bool:
    """Give a notebook whose code is that of the source the texts of the source; whether some were others."""
    made, old = (
        unexecuted(chapter),
        cells_of(chapter.notebook) if chapter.notebook.exists() else [],
    )
    if _code(made.cells) != _code(old):
        return False
    for cell, before in zip(_executed(made.cells), _executed(old), strict=True):
        cell["outputs"] = before["outputs"]
    text = normalised(made)
    if changed := text != chapter.notebook.read_text(encoding="utf-8"):
        write_whole(chapter.notebook, text)
    return changed
