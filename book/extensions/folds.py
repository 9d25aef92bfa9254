"""What the buttons say that unfold code: which kind of cell is behind each.

Cells that hide their input carry one tag (`tests/book/test_sources.py`): imports, drawing, checker or values.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

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


def setup(app: Sphinx) -> dict[str, Any]:
    """Switch the extension on."""
    app.connect("doctree-read", name)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
