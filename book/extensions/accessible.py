"""Markup of the theme and of docutils that assistive technology would stumble over, mended page by page.

The buttons that fold the contents get a name, and citations lose roles that are out of date or that their
children do not fit.
"""

from collections.abc import Callable
from typing import Any

from bs4 import BeautifulSoup
from sphinx.application import Sphinx

_ROLES = (' role="doc-biblioentry"', ' role="list"')


def name_buttons(tree: BeautifulSoup) -> None:
    """Name each button of the contents after the entry that it opens."""
    for button in tree.find_all("summary"):
        entry = button.find_parent("li")
        button["aria-label"] = f"Pages below {entry.a.get_text(strip=True)}"


def _named(make: Callable[..., Any]) -> Callable[..., Any]:
    """The theme's maker of contents, with names for the buttons."""

    def generate(*args: Any, **kwargs: Any) -> Any:
        made = make(*args, **kwargs)
        if isinstance(made, BeautifulSoup):
            name_buttons(made)
            return made
        tree = BeautifulSoup(made, "html.parser")
        name_buttons(tree)
        return str(tree)

    return generate


def mend(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Mend the contents and the body of a page."""
    for maker in ("generate_toctree_html", "generate_header_nav_html"):
        if maker in context:
            context[maker] = _named(context[maker])
    if "citation-list" in context.get("body", ""):
        for role in _ROLES:
            context["body"] = context["body"].replace(role, "")


def setup(app: Sphinx) -> dict[str, Any]:
    """Switch the extension on, after the theme has laid out its makers."""
    app.connect("html-page-context", mend, priority=900)
    app.add_js_file("back-to-top.js", loading_method="defer")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
