"""Markup of the theme and of docutils that readers or assistive technology would stumble over, mended.

In the contents only the part is unfolded in which the page is, the page lists its units, and the buttons
that fold get a name. Citations lose roles that do not fit. Proofs fold (``_static/reading.js``).
"""

from collections.abc import Callable
from html import escape
from typing import Any

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx
from sphinx_proof.nodes import proof_node

from book.tools import units


def name_buttons(tree: BeautifulSoup) -> None:
    """Name each button of the contents after the entry that it opens."""
    for button in tree.find_all("summary"):
        button["aria-label"] = (
            f"Pages below {button.find_parent('li').a.get_text(strip=True)}"
        )


def fold_parts(tree: BeautifulSoup) -> None:
    """Fold the parts of the contents but for that of the page."""
    for caption in tree.find_all("p", class_="caption"):
        chapters = caption.find_next_sibling("ul")
        part = tree.new_tag("details", attrs={"class": "nav-part"})
        if "current" in chapters.get("class", []):
            part["open"] = ""
        caption.replace_with(part)
        part.extend(
            [tree.new_tag("summary", string=caption.get_text()), chapters.extract()]
        )


def list_units(tree: BeautifulSoup, contents: nodes.Node) -> None:
    """List the units of the page below it; `contents` are those of the page."""
    links = [
        link
        for link in contents.findall(nodes.reference)
        if units.UNIT.match(link.astext())
    ]
    current = tree.select_one("li.current > a.current")
    if current is None or not links:
        return
    rows = "".join(
        f'<li><a href="{link["anchorname"]}">{escape(link.astext())}</a></li>'
        for link in links
    )
    current.insert_after(
        BeautifulSoup(f'<ul class="nav-units">{rows}</ul>', "html.parser")
    )


def _named(make: Callable[..., Any], contents: nodes.Node) -> Callable[..., Any]:
    """The theme's maker of contents, with names for the buttons, folded parts and the units of the page."""

    def generate(*args: Any, **kwargs: Any) -> Any:
        made = make(*args, **kwargs)
        tree = (
            made
            if isinstance(made, BeautifulSoup)
            else BeautifulSoup(made, "html.parser")
        )
        name_buttons(tree)
        fold_parts(tree)
        list_units(tree, contents)
        return tree if isinstance(made, BeautifulSoup) else str(tree)

    return generate


def mend(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Mend the contents and the body of a page."""
    for maker in ("generate_toctree_html", "generate_header_nav_html"):
        if maker in context:
            context[maker] = _named(
                context[maker], app.env.tocs.get(pagename, nodes.inline())
            )
    cited = "citation-list" in context.get("body", "")
    for role in (' role="doc-biblioentry"', ' role="list"') if cited else ():
        context["body"] = context["body"].replace(role, "")


def open_proof(visitor: Any, node: proof_node) -> None:
    """Begin a proof: its word, which sphinx-proof puts before its first sentence, is what it folds under."""
    first = node.next_node(nodes.Text)
    first.parent.replace(first, nodes.Text(first.removeprefix("Proof. ")))
    visitor.body.append('<details class="proof-fold" open><summary>Proof.</summary>\n')
    for part in node[0].children:
        part.walkabout(visitor)
    visitor.body.append("</details>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Switch the extension on, after the theme has laid out its makers."""
    app.connect("html-page-context", mend, priority=900)
    app.add_node(proof_node, override=True, html=(open_proof, None))
    app.add_js_file("back-to-top.js", loading_method="defer")
