"""Markup of the theme and of docutils that readers or assistive technology would stumble over, mended.

In the contents only the part is unfolded in which the page is, the page lists its units, and the buttons
that fold get a name. Citations lose roles that are out of date or that their children do not fit, and the
word that begins a proof is told apart.
"""

import re
from collections.abc import Callable
from html import escape
from typing import Any

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx

from book.tools import units

_ROLES = (' role="doc-biblioentry"', ' role="list"')
_PROOF = re.compile(r'(<div class="proof admonition"[^>]*>\s*<p>)Proof\. ')


def name_buttons(tree: BeautifulSoup) -> None:
    """Name each button of the contents after the entry that it opens."""
    for button in tree.find_all("summary"):
        entry = button.find_parent("li")
        button["aria-label"] = f"Pages below {entry.a.get_text(strip=True)}"


def fold_parts(tree: BeautifulSoup) -> None:
    """Fold the parts of the contents but for that of the page."""
    for caption in tree.find_all("p", class_="caption"):
        chapters = caption.find_next_sibling("ul")
        part = tree.new_tag("details", attrs={"class": "nav-part"})
        if "current" in chapters.get("class", []):
            part["open"] = ""
        caption.insert_before(part)
        summary = tree.new_tag("summary")
        summary.append(caption.extract().get_text())
        part.extend([summary, chapters.extract()])


def list_units(tree: BeautifulSoup, contents: nodes.Node) -> None:
    """List the units of the page below it; `contents` are those of the page."""
    links = [link for link in contents.findall(nodes.reference) if units.UNIT.match(link.astext())]
    current = tree.select_one("li.current > a.current")
    if current is None or not links:
        return
    rows = "".join(f'<li><a href="{link["anchorname"]}">{escape(link.astext())}</a></li>' for link in links)
    current.insert_after(BeautifulSoup(f'<ul class="nav-units">{rows}</ul>', "html.parser"))


def _named(make: Callable[..., Any], contents: nodes.Node) -> Callable[..., Any]:
    """The theme's maker of contents, with names for the buttons, folded parts and the units of the page."""

    def generate(*args: Any, **kwargs: Any) -> Any:
        made = make(*args, **kwargs)
        tree = made if isinstance(made, BeautifulSoup) else BeautifulSoup(made, "html.parser")
        name_buttons(tree)
        fold_parts(tree)
        list_units(tree, contents)
        return tree if isinstance(made, BeautifulSoup) else str(tree)

    return generate


def mend(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Mend the contents and the body of a page."""
    for maker in ("generate_toctree_html", "generate_header_nav_html"):
        if maker in context:
            context[maker] = _named(context[maker], app.env.tocs.get(pagename, nodes.inline()))
    if "body" in context:
        context["body"] = _PROOF.sub(r"\1<em>Proof.</em> ", context["body"])
    if "citation-list" in context.get("body", ""):
        for role in _ROLES:
            context["body"] = context["body"].replace(role, "")


def setup(app: Sphinx) -> None:
    """Switch the extension on, after the theme has laid out its makers."""
    app.connect("html-page-context", mend, priority=900)
    app.add_js_file("back-to-top.js", loading_method="defer")
