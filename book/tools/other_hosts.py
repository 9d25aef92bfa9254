"""Outside requests: what a finished page would fetch from another host. A book that is read offline has none.

A link that the reader follows is not a request. Everything a browser loads by itself is one: scripts, styles,
fonts, pictures, frames, and whatever a script names to load later.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup

_LOADING = (
    "data",
    "poster",
    "src",
    "srcset",
    "xlink:href",
)  # and what is no link has in href
_IDLE_LINKS = {
    "alternate",
    "author",
    "canonical",
    "help",
    "index",
    "license",
    "next",
    "prev",
    "search",
}
_OUTSIDE = re.compile(r"^\s*(?:(?:https?|wss?|ftp):)?//", re.IGNORECASE)
_STYLE_URL = re.compile(
    r"""(?:url\(\s*|@import\s+(?:url\(\s*)?)["']?([^"')\s;]+)""", re.IGNORECASE
)
_SCRIPT_URL = re.compile(
    r"""(?:https?|wss?)://[\w.-]+[^\s"'`<>\\)]*|(?<=["'`])//[\w-]+\.[\w.-]+/[^\s"'`<>\\)]*"""
)
_NAMESPACE = re.compile(r"^https?://(www\.w3\.org|www\.apache\.org/licenses)/")
_LOADED_LATER = re.compile(
    r"(?i)\.(m?js|css|json|wasm|woff2?|ttf|otf|eot|png|jpe?g|gif|webp|svg)(\?|$)"
    r"|^(?:\w+:)?//[\w.-]*(jsdelivr|unpkg|cdn|esm\.sh|googleapis|gstatic|googletagmanager|google-analytics|skypack|jspm)"
)


def _style_requests(text: str) -> list[str]:
    return [url for url in _STYLE_URL.findall(text) if _OUTSIDE.match(url)]


def _attribute_urls(tag) -> Iterator[str]:
    """Addresses that a browser loads for one element."""
    idle = tag.name in ("a", "area") or (
        tag.name == "link" and set(tag.get("rel") or []) <= _IDLE_LINKS
    )
    for attribute in (*_LOADING, *(() if idle else ("href",))):
        value = tag.get(attribute, "")
        parts = value.split(",") if attribute == "srcset" else [value]
        yield from (part.split()[0] for part in parts if part.strip())
    if tag.name == "meta" and tag.get("http-equiv", "").lower() == "refresh":
        yield tag.get("content", "").partition("=")[2]


def of_page(tree: BeautifulSoup, name: str) -> Iterator[str]:
    """Outside requests written in one page: elements, styles and scripts in it."""
    for tag in tree.find_all(True):
        urls = [url for url in _attribute_urls(tag) if _OUTSIDE.match(url)]
        urls += _style_requests(str(tag.get("style", "")))
        if tag.name == "style":
            urls += _style_requests(tag.get_text())
        if tag.name == "script" and not tag.get("src"):
            urls += [
                url
                for url in _SCRIPT_URL.findall(tag.get_text())
                if not _NAMESPACE.match(url)
            ]
        yield from (f"{name}: outside request to {url} by <{tag.name}>" for url in urls)


def of_files(html: Path) -> Iterator[str]:
    """Outside requests made by styles and scripts."""
    found = [
        (file, _style_requests(file.read_text(encoding="utf-8")))
        for file in html.rglob("*.css")
    ]
    for file in html.rglob("*.js"):
        urls = _SCRIPT_URL.findall(file.read_text(encoding="utf-8", errors="replace"))
        found.append(
            (
                file,
                [
                    u
                    for u in urls
                    if _LOADED_LATER.search(u) and not _NAMESPACE.match(u)
                ],
            )
        )
    for file, urls in sorted(found):
        yield from (
            f"{file.relative_to(html)}: outside request to {url}" for url in urls
        )
