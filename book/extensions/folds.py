"""How code stands on the page: what the buttons say that unfold it, and library code within the column.

Cells that hide their input carry one tag (`tests/book/test_sources.py`): imports, drawing, checker or values.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from book.tools.columns import folded

WORDS = {
    "imports": "imports",
    "drawing": "code of the drawing",
    "checker": "check of your answer",
    "values": "numbers in the text",
}


def name(app: Sphinx, doctree: nodes.document) -> None:
    """Say on the button of each folded cell what it holds."""
    for cell in doctree.findall(nodes.container):
        tag = next((tag for tag in WORDS if f"tag_{tag}" in cell["classes"]), "")
        if tag and cell.get("hide_mode"):
            cell["prompt_show"], cell["prompt_hide"] = f"Show {WORDS[tag]}", f"Hide {WORDS[tag]}"


def fold(app: Sphinx, doctree: nodes.document) -> None:
    """Break the lines of shown library code that are longer than the column."""
    for block in doctree.findall(nodes.literal_block):
        if block.astext().startswith("# privml."):  # the head that `notebook.source` gives it
            code = folded(block.astext())
            block.rawsource, block.children = code, []
            block += nodes.Text(code)


def setup(app: Sphinx) -> dict[str, Any]:
    """Switch the extension on."""
    app.connect("doctree-read", name)
    app.connect("doctree-read", fold)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
