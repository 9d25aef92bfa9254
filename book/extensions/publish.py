"""What a published book has beside its pages: the address of each, a list of all for search engines.

The address comes from the variable ``BOOK_URL`` (``make book URL=https://...``); without it the book is a
folder, and neither canonical links nor a sitemap nor a page for lost readers are made.
"""

import os
import re
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from sphinx.application import Sphinx
from sphinx.config import Config

from book.tools.chapters import write_whole

_GREEK = re.compile(
    r"\\(?:var)?(alpha|beta|gamma|delta|epsilon|eta|theta|lambda|mu|nu|xi|rho|sigma|tau)\b"
)


def address() -> str:
    """Where the book will be, with a slash at its end; empty for a folder."""
    given = os.environ.get("BOOK_URL", "")
    return given.rstrip("/") + "/" if given else ""


def set_address(app: Sphinx, config: Config) -> None:
    """Take the address from the environment; descriptions and previews of pages name it too."""
    if address():
        config.html_baseurl = config.ogp_site_url = address()
        config.notfound_urls_prefix = urlsplit(address()).path


def in_words(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: Any
) -> None:
    """Write the Greek letters of a description as letters, and the points of a list as one sentence."""

    def letter(match: re.Match) -> str:
        name = match[1].upper().replace("LAMBDA", "LAMDA")
        return f" {unicodedata.lookup(f'GREEK SMALL LETTER {name}')}"

    context["metatags"] = _GREEK.sub(letter, context.get("metatags", "")).replace(
        ";,", ";"
    )


def for_search(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: Any
) -> None:
    """Our part of the search; without excerpts where pages are files, which no browser lets another read."""
    if pagename == "search":
        app.add_js_file(
            None,
            body='DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY &&= location.protocol !== "file:";',
        )
        app.add_js_file("search.js", loading_method="defer")


def write(app: Sphinx, error: Exception | None) -> None:
    base = app.config.html_baseurl
    if error or app.builder.format != "html" or not base:
        return
    places = [
        f"{base}{app.builder.get_target_uri(name)}"
        for name in sorted(app.env.found_docs)
    ]
    lines = [f"<url><loc>{escape(place)}</loc></url>" for place in places]
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    write_whole(
        Path(app.outdir) / "sitemap.xml", "\n".join([head, *lines, "</urlset>\n"])
    )


def setup(app: Sphinx) -> None:
    app.setup_extension("sphinxext.opengraph")
    if address():
        app.setup_extension("notfound.extension")
    app.connect("config-inited", set_address, priority=100)
    app.connect("html-page-context", in_words, priority=900)
    app.connect("html-page-context", for_search)
    app.connect("build-finished", write)
