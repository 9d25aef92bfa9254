"""Where each result of the sources lives: the symbol that implements it, the test that checks it, its label.

``book/inventory.yml`` lists every statement of the five sources. A symbol claims an item by naming its id in
its docstring, a test by the marker ``@pytest.mark.source(id)``, a page by a label that is the id in lower
case. All three are read from the syntax tree or the markup: a comment or a string elsewhere claims nothing.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import yaml

from book.tools.chapter_code import parsed

ID = re.compile(r"(?:DR11|L4|LZCW21|S16|WLF16)(?:-[\w.]*\w)+")
Claims = dict[str, list[str]]


def items(root: Path) -> list[dict]:
    """All entries of the inventory, in source order."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(
        (root / "book" / "inventory.yml").read_text(encoding="utf-8"), Loader=loader
    )


def _trees(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    for file in sorted(folder.rglob("*.py")):
        yield file, parsed(file.read_text(encoding="utf-8"))


def _documented(tree: ast.AST, prefix: str) -> Iterator[tuple[str, str]]:
    """Dotted name and docstring of everything below `tree` that has one."""
    documentable = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    if isinstance(tree, documentable) and (text := ast.get_docstring(tree)):
        yield prefix, text
    for child in getattr(tree, "body", []):
        if isinstance(child, documentable):
            yield from _documented(child, f"{prefix}.{child.name}")


def symbols(root: Path) -> Claims:
    """Ids named in docstrings of the package, each with the symbols that name it."""
    found: Claims = defaultdict(list)
    for file, tree in [*_trees(root / "privml"), *_trees(root / "results")]:
        module = ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(
            ".__init__"
        )
        module = module if module.startswith("privml") else f"privml.{module}"
        for name, text in _documented(tree, module):
            for item in sorted(set(ID.findall(text))):
                found[item].append(name)
    return dict(found)


def _marked(node: ast.AST, mark: str) -> list[str]:
    """Ids in the calls of one of ``pytest``'s marks within one expression."""
    calls = [call for call in ast.walk(node) if isinstance(call, ast.Call)]
    marks = [call for call in calls if ast.unparse(call.func) == f"pytest.mark.{mark}"]
    return [
        str(one.value)
        for call in marks
        for one in call.args
        if isinstance(one, ast.Constant)
    ]


def marked(root: Path, mark: str) -> Claims:
    """Ids that a mark gives to tests, each with the tests: functions, classes, or whole files."""
    found: Claims = defaultdict(list)
    for file, tree in _trees(root / "tests"):
        place = file.relative_to(root).as_posix()
        for node in ast.walk(tree):
            if isinstance(
                node, ast.FunctionDef | ast.ClassDef
            ) and node.name.startswith(("test_", "Test")):
                for item in [
                    i
                    for decorator in node.decorator_list
                    for i in _marked(decorator, mark)
                ]:
                    found[item].append(f"{place}::{node.name}")
            elif (
                isinstance(node, ast.Assign)
                and ast.unparse(node.targets[0]) == "pytestmark"
            ):
                for item in _marked(node.value, mark):
                    found[item].append(place)
    return dict(found)


def errata(root: Path) -> Claims:
    """Errata that tests show, by ``pytest.mark.erratum``: ``ID`` or ``ID/1``, ``ID/2`` for the second one."""
    found: Claims = defaultdict(list)
    for name, places in marked(root, "erratum").items():
        found[name.removesuffix("/1")] += places
    return dict(found)
