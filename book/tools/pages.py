"""Checks on the finished pages: all there, whole, linked, described, and asking nothing of the outside.

Each check yields the faults it found, one sentence for each. The checks read the HTML and what it loads; what
only a running browser shows is not theirs to see.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

from book.tools import chapters, other_hosts
from book.tools.chapters import source_of
from book.tools.myst import headings, labels_in

_PICTURE_NAME = re.compile(
    r"^\S+\.(png|svg|jpe?g|gif|webp)$|^[0-9a-f]{16,}$", re.IGNORECASE
)
_OF_THE_MACHINE = re.compile(r"(?:Posix|Windows)Path\([^)]*\)|<[^<>]* at 0x[0-9a-f]+>")
_RAW_ROLE = re.compile(r"\{(?:cite|doc|eq|glue|numref|prf|ref|term)(?::[a-z]+)?\}")


class Page:
    """One finished page."""

    def __init__(self, html: Path, name: str):
        self.html, self.name = html, name
        self.file = html / f"{name}.html"

    @cached_property
    def tree(self) -> BeautifulSoup:
        return BeautifulSoup(self.file.read_text(encoding="utf-8"), "html.parser")

    @cached_property
    def ids(self) -> set[str]:
        """All anchors of the page."""
        return {str(tag["id"]) for tag in self.tree.find_all(id=True)}

    @cached_property
    def article(self) -> Tag:
        """What the author wrote, without the theme's surroundings."""
        return self.tree.find("article") or self.tree


def missing_pages(root: Path, html: Path) -> Iterator[str]:
    """Pages of the contents that were not made, and pages made that are not in the contents."""
    listed = set(chapters.pages(root))
    made = {
        p.relative_to(html).with_suffix("").as_posix() for p in html.glob("*/**/*.html")
    }
    made = {name for name in made if not name.startswith("_")}
    yield from (
        f"{name}: is in the contents, but no page was made"
        for name in sorted(listed - made)
    )
    yield from (
        f"{name}: a page was made, but it is not in the contents"
        for name in sorted(made - listed)
    )


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text))


def _anchor(label: str) -> str:
    """A label as an anchor, however Sphinx and its extensions spell it."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower())


def lost_text(page: Page, source: Path) -> Iterator[str]:
    """Headings and labels of the source that the page does not have."""
    shown = [_words(tag.get_text()) for tag in page.article.find_all(["h1", "h2"])]
    anchors = {_anchor(name) for name in page.ids}
    text = source.read_text(encoding="utf-8")
    for heading in headings(text):
        if not any(_words(heading) in text for text in shown):
            yield f"{page.name}: the heading {heading!r} is not on the page"
    for label, _ in labels_in(text):
        if not {_anchor(label), f"equation-{_anchor(label)}"} & anchors:
            yield f"{page.name}: the label {label} is not on the page"


def unresolved(page: Page) -> Iterator[str]:
    """References that lead nowhere and markup that was not understood."""
    for tag in page.article.select(".problematic, .system-message"):
        yield f"{page.name}: error in the text: {tag.get_text(' ', strip=True)[:100]}"
    for tag in page.article.select("span.xref"):
        if tag.find_parent("a") is None:
            yield f"{page.name}: unresolved reference {tag.get_text(strip=True)!r}"
    for text in page.article.find_all(string=_RAW_ROLE):
        if text.find_parent(["code", "pre", "script", "style"]) is None:
            yield f"{page.name}: raw markup in the text: {text.strip()[:100]!r}"
    for found in _OF_THE_MACHINE.findall(page.article.get_text()):
        yield f"{page.name}: a path or an address of the machine in the text: {found!r}"


def broken_links(page: Page, others: dict[Path, Page]) -> Iterator[str]:
    """Links to files or anchors of the book that do not exist."""
    for link in page.tree.find_all("a", href=True):
        parts = urlsplit(str(link["href"]))
        if parts.scheme or parts.netloc:
            continue
        target = (
            (page.file.parent / unquote(parts.path)).resolve()
            if parts.path
            else page.file
        )
        if not target.exists():
            yield f"{page.name}: link to a missing file {link['href']!r}"
        elif (
            parts.fragment
            and target in others
            and unquote(parts.fragment) not in others[target].ids
        ):
            yield f"{page.name}: link to a missing anchor {link['href']!r}"


def undescribed(page: Page) -> Iterator[str]:
    """Pictures without a text alternative, and figures without caption or anchor."""
    for picture in page.tree.find_all("img"):
        alternative = picture.get("alt", "").strip()
        if not alternative or _PICTURE_NAME.match(alternative):
            yield f"{page.name}: picture {picture.get('src', '?')[-60:]} has no text alternative"
        if picture.find_parent(class_="cell_output") and not picture.find_parent(
            "figure"
        ):
            yield f"{page.name}: a picture made by a cell is no figure (its metadata lack name and caption)"
    for figure in page.article.find_all("figure"):
        if not figure.get("id") or figure.find("figcaption") is None:
            yield f"{page.name}: a figure has no anchor or no caption"


def faults(root: Path) -> list[str]:
    """All faults of the pages below ``_build/html``; empty when the book may be published."""
    html = (root / "_build" / "html").resolve()
    found = list(missing_pages(root, html))
    names = [
        file.relative_to(html).with_suffix("").as_posix()
        for file in sorted(html.rglob("*.html"))
    ]
    made = {
        page.file: page
        for page in (Page(html, name) for name in names if not name.startswith("_"))
    }
    listed = set(chapters.pages(root))
    for page in made.values():
        found += [
            *other_hosts.of_page(page.tree, page.name),
            *undescribed(page),
            *broken_links(page, made),
        ]
        if page.name in listed:
            found += [*lost_text(page, source_of(root, page.name)), *unresolved(page)]
    return found + list(other_hosts.of_files(html))


def summary(root: Path) -> str:
    """One line about the pages that were checked."""
    made = [Page(root / "_build" / "html", name) for name in chapters.pages(root)]
    n_figures = sum(len(page.article.find_all("figure")) for page in made)
    n_boxes = sum(len(page.article.select("div.proof[id]")) for page in made)
    return f"{len(made)} pages with {n_boxes} statements and {n_figures} figures, no outside request"
