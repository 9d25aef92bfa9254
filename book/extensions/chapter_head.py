"""The head of a chapter: under its title one line, what it asks of a reader, and one row of actions.

The row holds what a reader can do, in one style: run the chapter, choose a path, show the code, and in a menu
what few need (``_static/look.css``). Other extensions put their parts in, in whatever order they run.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

_ROW = ("run", "path", "code", "more")


class chapter_head(nodes.General, nodes.Element):  # noqa: N801 (docutils names nodes in lower case)
    """The place of the head; its attributes are the HTML of its parts."""


def put(doctree: nodes.document, part: str, html: str) -> None:
    """Put a part into the head of a chapter: its ``line``, or something of the row."""
    head = doctree.next_node(chapter_head)
    if head is None:
        head, title = chapter_head(), doctree.next_node(nodes.title)
        title.parent.insert(title.parent.index(title) + 1, head)
    head[part] = html


def _shown(visitor: Any, node: chapter_head) -> None:
    row = "".join(node.get(part, "") for part in _ROW)
    visitor.body.append(f'{node.get("line", "")}<div class="chapter-bar">{row}</div>')
    raise nodes.SkipNode


def silent(visitor: Any, node: nodes.Element) -> None:
    """Write nothing: what only pages have."""
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_node(
        chapter_head, html=(_shown, None), latex=(silent, None), text=(silent, None)
    )
