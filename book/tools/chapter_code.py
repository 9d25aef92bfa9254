"""The code that a cell stands on, and the definitions of a chapter as a module.

A chapter is the one home of what only it uses: functions, classes, constants in capitals. `chapter_module` makes a
module of its parameters, imports and definitions, where tests reach them, and runs nothing else. `standalone_code`
finds the code before a cell that the cell needs, so that a figure can be made without the rest of its
chapter: which cells bind or change the names that it uses, and so on backwards.
"""

import ast
import builtins
import symtable
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType

from book.tools.chapters import ROOT, Chapter

HEAD = {"parameters", "imports"}
_SHOWS = {"figure", "glue", "show_source", "show_table"}
_DEFINES = ast.FunctionDef | ast.ClassDef


@cache
def parsed(text: str) -> ast.Module:
    """Syntax tree of a text, the same each time: nobody changes it."""
    return ast.parse(text)


@cache
def called(text: str) -> Counter[str]:
    """The functions that code calls, by the path that it writes, with their numbers."""
    return Counter(
        ast.unparse(node.func)
        for node in ast.walk(parsed(text))
        if isinstance(node, ast.Call)
    )


def tags(cell: dict) -> list[str]:
    return cell["metadata"].get("tags", [])


def source(cell: dict) -> str:
    """Source of a cell, which files hold in lines."""
    return "".join(cell["source"])


def _is_constant(node: ast.stmt) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return bool(targets) and all(
        isinstance(t, ast.Name) and t.id.isupper() for t in targets
    )


def only_defines(text: str) -> bool:
    """Whether code defines functions, classes and constants in capitals, and does nothing else."""
    body = parsed(text).body
    good = all(isinstance(node, _DEFINES) or _is_constant(node) for node in body)
    return good and any(isinstance(node, _DEFINES) for node in body)


@cache
def _kept(text: str) -> str:
    """The functions, classes and constants in capitals that a cell defines, without what else it does."""
    lines, found = text.splitlines(), []
    for node in parsed(text).body:
        if isinstance(node, _DEFINES) or _is_constant(node):
            first = min(
                [node.lineno, *[d.lineno for d in getattr(node, "decorator_list", [])]]
            )
            found.append("\n".join(lines[first - 1 : node.end_lineno]))
    return "\n\n".join(found)


def definitions(cells: list[dict]) -> dict[int, str]:
    """What the cells of a chapter define, by their numbers; what solutions define is the reader's."""
    code = [
        (n, c)
        for n, c in enumerate(cells, 1)
        if c["cell_type"] == "code" and "solution" not in tags(c)
    ]
    kept = {
        number: _kept(source(cell))
        for number, cell in code
        if not HEAD & set(tags(cell))
    }
    return {number: text for number, text in kept.items() if text}


def defined(cells: list[dict]) -> set[str]:
    """Names of the functions and classes of a chapter."""
    nodes = [node for text in definitions(cells).values() for node in parsed(text).body]
    return {node.name for node in nodes if isinstance(node, _DEFINES)}


def _globals_read(table: symtable.SymbolTable, top: bool = True) -> set[str]:
    """Names that a piece of code reads and does not keep to itself, inner functions included."""
    outer = {
        s.get_name()
        for s in table.get_symbols()
        if s.is_referenced() and (top or s.is_global())
    }
    return outer.union(*(_globals_read(child, False) for child in table.get_children()))


_INNER = (
    _DEFINES | ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
)


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and all below it that runs when it runs and binds where it stands."""
    yield node
    if not isinstance(node, _INNER):
        for child in ast.iter_child_nodes(node):
            yield from _outside_functions(child)


def _steps(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements in the order in which they bind names; those of loops and branches one by one."""
    for node in body:
        if isinstance(node, ast.For):
            yield ast.Assign([node.target], node.iter, lineno=node.lineno)
        elif isinstance(node, ast.If | ast.While):
            yield ast.Expr(node.test)
        elif isinstance(node, ast.With):
            for item in node.items:
                target = item.optional_vars or ast.Name("_", ast.Store())
                yield ast.Assign([target], item.context_expr, lineno=node.lineno)
        else:
            yield node
            continue
        yield from _steps([*node.body, *getattr(node, "orelse", [])])


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def statement(node: ast.stmt) -> tuple[set[str], set[str], set[str]]:
    """Names that a statement reads, binds, and perhaps changes in place."""
    reads = _globals_read(symtable.symtable(ast.unparse(node), "<cell>", "exec"))
    binds, changes = set(), set()
    for part in _outside_functions(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            binds.add(part.id)
        elif isinstance(part, ast.Attribute | ast.Subscript) and isinstance(
            part.ctx, ast.Store
        ):
            changes.add(_root(part))
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
            if isinstance(
                part.value.func, ast.Attribute
            ):  # of a method: a function stays as it is
                changes.add(_root(part.value.func))
        elif isinstance(part, _DEFINES):
            binds.add(part.name)
        elif isinstance(part, ast.alias):
            binds.add((part.asname or part.name).split(".")[0])
        if isinstance(part, ast.AugAssign):
            reads.add(_root(part.target))
    return reads, binds, changes - {""}


@cache
def uses(text: str) -> tuple[set[str], set[str], set[str]]:
    """Names that a cell reads before it binds them, those that it binds, and those that it may change."""
    reads, bound, changed = set(), set(), set()
    for node in _steps(parsed(text).body):
        r, b, c = statement(node)
        reads |= r - bound - set(dir(builtins))
        bound |= b
        changed |= c
    return reads, bound, changed - bound


def _is_show(node: ast.stmt) -> bool:
    """Whether a statement only displays: `notebook.show_table(...)` and its like, or `print(...)`."""
    call = node.value if isinstance(node, ast.Expr) else None
    function = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
    return (
        function == "print"
        or function.partition(".")[0] == "notebook"
        and function[9:] in _SHOWS
    )


@cache
def silent(text: str) -> str:
    """A cell without the statements at its top level that only display."""
    shows = [node for node in parsed(text).body if _is_show(node)]
    dropped = {
        number
        for node in shows
        for number in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    return "\n".join(
        line for n, line in enumerate(text.splitlines(), 1) if n not in dropped
    ).strip("\n")


def _slice(
    code: list[str], wanted: set[str], given: set[str], later: set[str]
) -> tuple[list[int], set[str]]:
    """Places of the pieces that bind or change wanted names, and so on backwards; the names left over.

    A function may call one that is defined after it, whose name `later` has.
    """
    kept, left = [], wanted
    for place in reversed(range(len(code))):
        reads, binds, changes = uses(code[place])
        if left & (binds | changes):
            kept.append(place)
            left = (left - binds | reads) - given
    more = left & later - wanted
    return _slice(code, wanted | more, given, later) if more else (kept[::-1], left)


def read_by(code: list[str]) -> set[str]:
    """Names that the call of ``notebook.figure`` depends on, statement by statement."""
    pieces = [ast.unparse(node) for text in code for node in parsed(text).body]
    last = max(
        (n for n, piece in enumerate(pieces) if called(piece)["notebook.figure"]),
        default=-1,
    )
    bound = set().union(*(uses(piece)[1] for piece in pieces))
    kept, _ = _slice(pieces[:last], uses(pieces[last])[0], set(), bound)
    return set().union(*(uses(pieces[place])[0] for place in [*kept, last]))


def stands_on(text: str, before: list[dict]) -> tuple[list[int], set[str]]:
    """Places of those code cells before a cell that it needs beside the head of its chapter, and the names
    that no cell before binds."""
    head = [source(cell) for cell in before if HEAD & set(tags(cell))]
    places = [
        place
        for place, cell in enumerate(before)
        if not {*HEAD, "solution"} & set(tags(cell))
    ]
    code = [silent(source(before[place])) for place in places]
    given = set().union(*(uses(text)[1] for text in head)) | {"display", "get_ipython"}
    later = defined(before)
    kept, missing = _slice(code, uses(text)[0] - given, given, later)
    return [places[k] for k in kept], missing - later


def standalone_code(cells: list[dict], number: int) -> tuple[list[str], set[str]]:
    """What the cell `number` needs between the head of its chapter and itself.

    Returns the code of earlier cells in order, without what they only display, and the names that no cell
    before binds.
    """
    before = [cell for cell in cells[: number - 1] if cell["cell_type"] == "code"]
    kept, missing = stands_on(source(cells[number - 1]), before)
    return [silent(source(before[place])) for place in kept], missing


@lru_cache(maxsize=64)
def _tangled(topic: str, root: Path, changed: int) -> ModuleType:
    from book.tools.execute import unexecuted

    cells = unexecuted(Chapter(root, topic)).cells
    head = [
        source(c) for c in cells if c["cell_type"] == "code" and HEAD & set(tags(c))
    ]
    module = ModuleType(topic.replace("-", "_"))
    text = "\n\n".join([*head, *definitions(cells).values()])
    exec(compile(text, f"book/{topic}.md", "exec"), vars(module))
    return module


def chapter_module(topic: str, root: Path = ROOT) -> ModuleType:
    """Parameters, imports, functions and classes of a chapter, by their names; nothing is computed."""
    return _tangled(topic, root, Chapter(root, topic).source.stat().st_mtime_ns)
