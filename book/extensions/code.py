"""Pages that show the package, the marked tests and the proofs, with an anchor at each definition.

They lie under ``_source/`` and are not part of the reading order; the map of results, the errata and the
reference link to them, so that a reader sees the check itself without leaving the book.
"""

import ast
import shutil
from html import escape
from pathlib import Path

from jinja2 import Environment, Template
from markupsafe import Markup
from sphinx.application import Sphinx

from book.extensions import claim_index, locations
from book.tools import coq
from book.tools.chapter_code import parsed

TEMPLATE = Path(__file__).resolve().parent.parent / "_templates" / "source.html"


def anchors(text: str) -> dict[int, str]:
    """Dotted names of the classes, functions and constants of a file, by the line on which they begin."""
    tree = parsed(text)
    constants = [
        node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)
    ]
    targets = {
        node.lineno: getattr(node, "target", None) or node.targets[0]
        for node in constants
    }
    found = {
        first: target.id
        for first, target in targets.items()
        if isinstance(target, ast.Name)
    }

    def walk(node: ast.AST, prefix: str) -> None:
        for child in getattr(node, "body", []):
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                first = min(
                    [
                        child.lineno,
                        *[decorator.lineno for decorator in child.decorator_list],
                    ]
                )
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
    module, name = locations.split(symbol, app.privml_code)
    return app.privml_code[module], name.removeprefix(".")


def body(app: Sphinx, path: str, text: str) -> str:
    """HTML of a file, with its anchors; long lines scroll, with the keyboard too."""
    language, names_of = (
        ("coq", coq.anchors) if path.endswith(".v") else ("python", anchors)
    )
    lines = app.builder.highlighter.highlight_block(text, language).split("\n")
    opening, _, lines[0] = lines[0].partition("<pre>")
    for number, name in names_of(text).items():
        lines[number - 1] = f'<span id="{escape(name)}"></span>{lines[number - 1]}'
    return "\n".join([f'{opening}<pre tabindex="0">{lines[0]}', *lines[1:]])


def files(app: Sphinx) -> list[str]:
    """Files that pages link to: the package if there is a reference, marked tests, proofs if they are listed."""
    kept, known = locations.store(app.env), claim_index.of(app.env)
    package = app.privml_code.values() if kept["modules"] else []
    marks = (known.tests, known.shown) if kept["pages"] else ()
    tests = [
        test.partition("::")[0]
        for claim in marks
        for tests in claim.values()
        for test in tests
    ]
    proofs = (
        [f"{coq.FOLDER}/{module}.v" for module in coq.modules(Path(app.srcdir))]
        if "checked" in kept["pages"]
        else []
    )
    return sorted({*package, *tests, *proofs})


def back(app: Sphinx, path: str) -> locations.Place | None:
    """Page of the book that a file's page leads back to: its reference, or the map of results."""
    module = next(
        (name for name, file in app.privml_code.items() if file == path), path
    )
    if place := locations.of_symbol(app.env, module):
        return place._replace(words=module)
    pages = locations.store(app.env)["pages"]
    if path.endswith(".v"):
        return locations.Place(pages["checked"][0], "", "Checked proofs")
    results = pages.get("results")
    return (
        locations.Place(results[0], "", "Where each result lives") if results else None
    )


def html(app: Sphinx, template: Template, path: str) -> str:
    name = locations.of_code(path).docname
    place = back(app, path) or locations.Place(app.config.root_doc, "", "The book")
    text = (Path(app.srcdir) / path).read_text(encoding="utf-8")
    return template.render(
        title=path,
        body=Markup(body(app, path, text)),
        back=app.builder.get_relative_uri(name, place.docname)
        + (place.anchor and f"#{place.anchor}"),
        back_words=place.words,
        root="../" * name.count("/"),
    )


def write(app: Sphinx) -> list:
    """Write the pages of all files that are shown, past the slow navigation of the theme."""
    shutil.rmtree(Path(app.outdir) / locations.CODE_FOLDER, ignore_errors=True)
    template = Environment(autoescape=True).from_string(
        TEMPLATE.read_text(encoding="utf-8")
    )
    for path in files(app):
        file = Path(app.outdir) / f"{locations.of_code(path).docname}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html(app, template, path), encoding="utf-8")
    return []


def find(app: Sphinx) -> None:
    """Note the files of the package by the names of their modules; studies lie outside of its folder."""
    root = Path(app.srcdir)
    found = [path.relative_to(root) for path in sorted((root / "privml").rglob("*.py"))]
    dotted = {
        ".".join(path.with_suffix("").parts).removesuffix(".__init__"): path
        for path in found
    }
    studies = sorted((root / "results").glob("*.py"))
    dotted |= {
        f"privml.results.{path.stem}": path.relative_to(root) for path in studies
    }
    app.privml_names = {}
    app.privml_code = {name: path.as_posix() for name, path in dotted.items()}


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.claim_index")
    app.connect("builder-inited", find)
    app.connect("html-collect-pages", write)
