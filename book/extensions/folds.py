"""How code stands on the page: what steps out of the flow, what folds, and library code within the column.

Cells that hide their input carry one tag (`tests/book/test_sources.py`): imports, drawing, checker or values.
Checkers fold inside the solutions that use them. The code that draws a figure opens in the figure's own line. Imports, drawing
functions and values are *plumbing*: all cells stay in the page, in their order, and ``_static/code.js`` shows
the first two in a drawer at the end of the chapter, or everything in place for a reader who wants that.
"""

import re
import subprocess
import sys

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx
from sphinx_exercise.nodes import solution_node

from book.extensions import chapter_head, locations
from book.tools.forms import WIDEST

PLUMBING = ("imports", "drawing", "values")
_SWITCH = '<button type="button" class="live-button code-switch" aria-pressed="false" hidden>All code</button>'
_SAID = "Imports and drawing functions"
_DRAWER = f'<details class="code-drawer" hidden><summary>{_SAID}</summary></details>'

_DEFINED = re.compile(r"^def (\w+)", re.MULTILINE)


def name(app: Sphinx, doctree: nodes.document) -> None:
    """Say on the button of each folded cell what it holds."""
    for cell in doctree.findall(nodes.container):
        if "tag_checker" in cell["classes"] and cell.get("hide_mode"):
            cell["prompt_show"], cell["prompt_hide"] = (
                "Show the check",
                "Hide the check",
            )


def _is_cell(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and "cell" in node["classes"]


def move_checkers(app: Sphinx, doctree: nodes.document) -> None:
    """Put each checker into the solution after it, before its first cell: a checker often contains the answer."""
    cells = [cell for cell in doctree.findall(nodes.container) if _is_cell(cell)]
    for cell in cells:
        if "tag_checker" not in cell["classes"]:
            continue
        after = cell.next_node(solution_node, descend=False, siblings=True)
        if after is None:
            continue
        cell.parent.remove(cell)
        first = next(
            (node for node in after.findall(nodes.container) if _is_cell(node)), None
        )
        content = after[-1] if first is None else first.parent
        content.insert(len(content) if first is None else content.index(first), cell)


def anchor(function: str) -> str:
    """The anchor of a drawing function in its chapter."""
    return f"drawing-{function.replace('_', '-')}"


def unfolded(cell: nodes.Element) -> list[nodes.Node]:
    """The input of a cell, taken out of its fold and out of the cell; empty where nothing is folded."""
    fold = cell.next_node(HideCodeCellNode)
    if fold is None:
        return []
    cell.remove(fold)
    return fold.children


def fold_code(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Take what is plumbing out of the flow, after the lines of the figures have taken their code."""
    if app.builder.format != "html" or not locations.topic_of(docname):
        return
    for cell in list(doctree.findall(nodes.container)):
        if not any(f"tag_{tag}" in cell["classes"] for tag in PLUMBING) or not (
            code := unfolded(cell)
        ):
            continue
        cell["classes"].append("plumbing")
        cell[:0] = code
        if "tag_drawing" in cell["classes"]:
            cell["ids"] += [anchor(name) for name in _DEFINED.findall(code[0].astext())]
    chapter_head.put(doctree, "code", _SWITCH)
    doctree.next_node(nodes.section).append(nodes.raw("", _DRAWER, format="html"))


def folded(code: str) -> str:
    """Code of the library as ruff writes it for the column; messages and remarks may be longer."""
    command = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--isolated",
        "--line-length",
        str(WIDEST),
        "-",
    ]
    done = subprocess.run(
        command, input=code, capture_output=True, text=True, check=True
    )
    return done.stdout.rstrip("\n")


def fold(app: Sphinx, doctree: nodes.document) -> None:
    """Break the lines of shown library code that are longer than the column."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        if text.startswith("# privml.") and any(
            len(line) > WIDEST for line in text.splitlines()
        ):
            code = folded(text)  # the head is what `notebook.show_source` gives it
            block.rawsource, block.children = code, []
            block += nodes.Text(code)


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.chapter_head")
    app.connect("doctree-read", name)
    app.connect("doctree-read", move_checkers)
    app.connect("doctree-resolved", fold_code, priority=700)
    locations.script(
        app, "code.js", 'class="code-drawer"', priority=100
    )  # before the page is drawn
    app.connect("doctree-read", fold)
