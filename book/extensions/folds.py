"""How code stands on the page: what the buttons say that unfold it, and library code within the column.

Cells that hide their input carry one tag (`tests/book/test_sources.py`): imports, drawing, checker or values.
"""

import re
import subprocess
import sys
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from book.tools.forms import WIDEST

WORDS = {
    "imports": "imports",
    "drawing": "code of the drawing",
    "checker": "check of your answer",
    "values": "numbers in the text",
}


_DEFINED = re.compile(r"^def (\w+)", re.MULTILINE)


def _words(cell: nodes.container, tag: str) -> str:
    """What a folded cell holds; a cell that draws nothing yet defines the function that draws."""
    names = _DEFINED.findall(cell.next_node(nodes.literal_block).astext())
    if tag == "drawing" and names and cell.next_node(nodes.figure) is None:
        return f"drawing function{'s' * (len(names) > 1)} {' and '.join(names)}"
    return WORDS[tag]


def name(app: Sphinx, doctree: nodes.document) -> None:
    """Say on the button of each folded cell what it holds."""
    for cell in doctree.findall(nodes.container):
        tag = next((tag for tag in WORDS if f"tag_{tag}" in cell["classes"]), "")
        if tag and cell.get("hide_mode"):
            words = _words(cell, tag)
            cell["prompt_show"], cell["prompt_hide"] = f"Show {words}", f"Hide {words}"


def folded(code: str) -> str:
    """Code of the library as ruff writes it for the column; messages and remarks may be longer."""
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", str(WIDEST), "-"]
    done = subprocess.run(command, input=code, capture_output=True, text=True, check=True)
    return done.stdout.rstrip("\n")


def fold(app: Sphinx, doctree: nodes.document) -> None:
    """Break the lines of shown library code that are longer than the column."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        if text.startswith("# privml.") and any(len(line) > WIDEST for line in text.splitlines()):
            code = folded(text)  # the head is what `notebook.source` gives it
            block.rawsource, block.children = code, []
            block += nodes.Text(code)


def setup(app: Sphinx) -> dict[str, Any]:
    """Switch the extension on."""
    app.connect("doctree-read", name)
    app.connect("doctree-read", fold)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
