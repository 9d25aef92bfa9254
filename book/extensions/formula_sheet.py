"""Formula sheets: statements of the chapters, whole and without their proofs, to be printed.

``{formula-sheet}`` lists labels of statements, one a line. Each is copied from the source of its chapter,
so that a sheet says what the chapter says, and its heading leads there.
"""

import re
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from book.extensions import claim_index
from book.tools import chapters, myst

logger = logging.getLogger(__name__)
_NOT_COPIED = ("code-cell", "erratum")
_LABEL = re.compile(r"^\$\$ \([\w-]+\)$")  # of an equation, behind it


def statements(root: Path) -> dict[str, tuple[Path, myst.Directive]]:
    """All statements of the chapters by their labels, with the file that each stands in."""
    found = {}
    for chapter in chapters.chapters(root):
        for block in myst.walk(
            *myst.without_header(chapter.source.read_text(encoding="utf-8"))
        ):
            if isinstance(block, myst.Directive) and block.name.startswith("prf:"):
                found[block.label] = (chapter.source, block)
    return found


def body(statement: myst.Directive) -> list[str]:
    """The lines of a statement, without targets, which have to be unique, and notes."""
    lines: list[str] = []
    for block in myst.blocks(statement.lines):
        if isinstance(block, myst.Text):
            copied = [_LABEL.sub("$$", line) for line in block.lines]
            lines += [line for line in copied if not myst.TARGET.match(line)]
        elif isinstance(block, myst.Directive) and block.name not in _NOT_COPIED:
            opening = f"```{{{block.name}}} {block.argument}".rstrip()
            lines += [opening, *block.lines, "```"]
    return lines


class FormulaSheet(SphinxDirective):
    """Directive ``{formula-sheet}``: the statements with the given labels."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        known = statements(root)
        sheet = nodes.container("", classes=["formula-sheet"])
        for label in filter(None, map(str.strip, self.content)):
            if label not in known:
                logger.warning(
                    f"no chapter has a statement with the label {label}",
                    location=self.get_location(),
                )
                continue
            source, statement = known[label]
            self.env.note_dependency(str(source))
            entry = nodes.container("", classes=["formula-entry"])
            title, _ = self.state.inline_text(statement.argument, self.lineno)
            link = nodes.strong("", "", claim_index.deferred_node("checked", label))
            entry += nodes.paragraph("", "", link, nodes.Text(" "), *title)
            lines = StringList(body(statement), source=str(source))
            self.state.nested_parse(lines, 0, entry)
            sheet += entry
        return [sheet]


def setup(app) -> None:
    app.setup_extension("book.extensions.checked")
    app.add_directive("formula-sheet", FormulaSheet)
