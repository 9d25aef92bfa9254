"""Pages that show the files of the package and of the marked tests, with an anchor at each definition.

They lie under ``_source/`` and are not part of the reading order; the map of results, the errata and the
reference link to them, so that a reader sees the check itself without leaving the book.
"""

import ast
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from book.extensions import claims, places


def anchors(text: str) -> dict[int, str]:
    """Dotted names of the classes, functions and constants of a file, by the line on which they begin."""
    tree = ast.parse(text)
    constants = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    targets = {node.lineno: getattr(node, "target", None) or node.targets[0] for node in constants}
    found = {first: target.id for first, target in targets.items() if isinstance(target, ast.Name)}

    def walk(node: ast.AST, prefix: str) -> None:
        for child in getattr(node, "body", []):
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([child.lineno, *[decorator.lineno for decorator in child.decorator_list]])
                found[first] = f"{prefix}{child.name}"
                walk(child, f"{prefix}{child.name}.")

    walk(tree, "")
    return found


def names(app: Sphinx, path: str) -> set[str]:
    """Dotted names of all that a file defines."""
    if path not in app.privml_names:
        text = (Path(app.srcdir) / path).read_text(encoding="utf-8")
        app.privml_names[path] = set(anchors(text).values())
    return app.privml_names[path]


def of_symbol(app: Sphinx, symbol: str) -> tuple[str, str]:
    """File that defines a symbol, and its name in that file."""
    module = max((name for name in app.privml_code if f"{symbol}.".startswith(f"{name}.")), key=len)
    return app.privml_code[module], symbol.removeprefix(module).lstrip(".")


def body(app: Sphinx, path: str, text: str) -> str:
    """HTML of a page that shows a file."""
    lines = app.builder.highlighter.highlight_block(text, "python").split("\n")
    opening, _, first = lines[0].partition("<pre>")
    lines[0] = first
    for number, name in anchors(text).items():
        lines[number - 1] = f'<span id="{escape(name)}"></span>{lines[number - 1]}'
    return f"<h1>{escape(path)}</h1>\n{opening}<pre>" + "\n".join(lines)


def files(app: Sphinx) -> list[str]:
    """Files that are shown: those of the package that the reference covers, and those of the marked tests."""
    if not places.store(app.env)["modules"]:
        return []
    known = claims.of(app.env)
    marked = [test for claim in (known.tests, known.shown) for tests in claim.values() for test in tests]
    return sorted({*app.privml_code.values(), *[test.partition("::")[0] for test in marked]})


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Pages for all files that are shown."""
    for path in files(app):
        text = (Path(app.srcdir) / path).read_text(encoding="utf-8")
        yield places.of_code(path).docname, {"title": path, "body": body(app, path, text)}, "page.html"


def find(app: Sphinx) -> None:
    """Note the files of the package by the names of their modules."""
    root = Path(app.srcdir)
    found = [path.relative_to(root) for path in sorted((root / "privml").rglob("*.py"))]
    dotted = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in found}
    app.privml_names = {}
    app.privml_code = {name: path.as_posix() for name, path in dotted.items()}


def setup(app: Sphinx) -> dict[str, Any]:
    """Switch the extension on."""
    app.setup_extension("book.extensions.claims")
    app.connect("builder-inited", find)
    app.connect("html-collect-pages", pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
