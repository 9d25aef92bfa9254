"""From texts of the inventory to nodes of a page: formulas, links for ids, and text, which is escaped."""

import re
from collections.abc import Callable
from html import escape

from docutils import nodes

from book.tools.inventory import ID

_SHIFTED = {"_": nodes.subscript, "^": nodes.superscript}
# LaTeX between dollars, the id of an item, or what is lowered or raised: in braces, which may hold braces.
_PARTS = re.compile(
    rf"\$(?P<math>[^$]+)\$|(?P<id>{ID.pattern})|(?P<where>[_^])\{{(?P<moved>(?:[^{{}}]|\{{[^{{}}]*\}})*)\}}"
)
Refer = Callable[[str], nodes.Node]


def inline(text: str, refer: Refer) -> list[nodes.Node]:
    """Nodes of a text of the inventory; `refer` makes the node for the id of an item."""
    found: list[nodes.Node] = []
    done = 0
    for part in _PARTS.finditer(text):
        found += [nodes.Text(text[done : part.start()])] if part.start() > done else []
        done = part.end()
        if part["where"]:
            found.append(_SHIFTED[part["where"]]("", "", *inline(part["moved"], refer)))
        else:
            found.append(
                nodes.math(part["math"], part["math"])
                if part["math"]
                else refer(part["id"])
            )
    return found + ([nodes.Text(text[done:])] if text[done:] else [])


def paragraph(
    *parts: str | nodes.Node, classes: tuple[str, ...] = ()
) -> nodes.paragraph:
    """A paragraph of texts, taken as they are, and nodes."""
    made = [nodes.Text(part) if isinstance(part, str) else part for part in parts]
    return nodes.paragraph("", "", *made, classes=list(classes))


def joined(groups: list[list[nodes.Node]], separator: str = ", ") -> list[nodes.Node]:
    """Groups of nodes in a row, with a separator between them."""
    found: list[nodes.Node] = []
    for number, group in enumerate(groups):
        found += [nodes.Text(separator)] if number else []
        found += group
    return found


def details(summary: str, *content: nodes.Node) -> list[nodes.Node]:
    """Content that opens when its summary is chosen; it needs no script."""
    opening = f'<details class="privml-details"><summary>{escape(summary)}</summary>'
    return [
        nodes.raw("", opening, format="html"),
        *content,
        nodes.raw("", "</details>", format="html"),
    ]


def table(
    head: list[str], rows: list[nodes.row], classes: tuple[str, ...]
) -> nodes.table:
    """A table with a head of one row; columns are as wide as they need to be."""
    columns = [nodes.colspec(colwidth=1) for _ in head]
    group = nodes.tgroup("", *columns, cols=len(head))
    group += nodes.thead("", row(head))
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=["colwidths-auto", *classes])


Cell = str | nodes.Node | list[nodes.Node | str]


def row(cells: list[Cell], **attributes: list[str]) -> nodes.row:
    """A row of a table from the contents of its cells; texts and what stands in lines become paragraphs."""
    made = nodes.row("", **attributes)
    for content in [cell if isinstance(cell, list) else [cell] for cell in cells]:
        inline = all(isinstance(part, str | nodes.Inline) for part in content)
        made += nodes.entry("", *([paragraph(*content)] if inline else content))
    return made


def section(title: str, anchor: str, *content: nodes.Node) -> nodes.section:
    return nodes.section(
        "", nodes.title(title, title), *content, ids=[anchor], names=[anchor]
    )
