"""Notebooks to download, two for each chapter, and the links to them in the menu of the chapter.

They are made when all pages are read and every number is known. Something in a chapter that has no plain form
stops a strict build and names the cell. Files lie in ``downloads/`` of the finished book.
"""

from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.osutil import relative_uri

import privml
from book.extensions import chapter_head, locations
from book.tools import citations, figures, handouts, named_numbers
from book.tools.chapters import Chapter, topics, write_whole
from book.tools.plain_markdown import References

logger = logging.getLogger(__name__)
FOLDER = "downloads"
_FILES = {
    "for students": "{topic}-for-students.ipynb",
    "with solutions": "{topic}-with-solutions.ipynb",
}
_FILES["source"] = "{topic}.md"


def _numbered(env: BuildEnvironment, label: str) -> str:
    """Words and number of a figure or exercise; empty for any other label."""
    for docname in env.toc_fignumbers:
        for kind in ("figure", "exercise"):
            if number := locations.number_of(env, docname, kind, label):
                return env.config.numfig_format[kind].replace("%s", number)
    return ""


def words(env: BuildEnvironment, label: str) -> str:
    """What a reference to a label says in the finished book; ValueError without such a label."""
    if found := _numbered(env, label):
        return found
    place = locations.of_label(env, label)
    if place is None:
        raise ValueError(f"there is no label {label!r}")
    return place.words


def _title(env: BuildEnvironment, docname: str, target: str) -> str:
    """Title of a page that another page names."""
    found, _ = env.relfn2path(f"{target}.md", docname)
    page = found.removesuffix(".md")
    if page not in env.titles:
        raise ValueError(f"there is no page {target!r}")
    return env.titles[page].astext()


class Pages(NamedTuple):
    """What notebooks ask of Sphinx, from what it remembers of its last run (`book.in_class`)."""

    env: Any
    config: Any
    srcdir: Path


def origin(app: Sphinx | Pages, topic: str) -> str:
    """Where a notebook comes from, as its second paragraph."""
    number = locations.number(app.env, f"notebooks/{topic}")
    chapter = f"Chapter {number} of" if number else "From"
    book = f"{chapter} “{app.config.html_title}”, version {privml.__version__}"
    needs = "To run it: `pip install '.[notebook]' jupyterlab` in a copy of privml, then `jupyter lab`"
    return f"*{book}. {needs}. Text and figures: CC BY 4.0; code: BSD-3-Clause.*"


def handout(
    app: Sphinx | Pages, chapter: Chapter, cells: list[dict] | None = None
) -> handouts.Handout:
    """What the notebooks of a chapter are made from: `cells`, or those of the committed notebook."""
    cells = cells or figures.cells_of(chapter.notebook)
    bibliography = Path(app.srcdir) / "book" / "references.bib"
    docname = f"notebooks/{chapter.topic}"
    references = References(
        values=named_numbers.glued_numbers(cells),
        works=citations.works(bibliography),
        words=lambda label: words(app.env, label),
        title=lambda target: _title(app.env, docname, target),
    )
    cited = [key for key in handouts.cited(cells) if key in references.works]
    listed = tuple(citations.reference_list(bibliography, cited))
    return handouts.Handout(
        chapter.topic, cells, references, origin(app, chapter.topic), listed
    )


def make(app: Sphinx, env: BuildEnvironment) -> None:
    """Write the notebooks of all chapters; a fault is a warning, which stops a strict build."""
    root = Path(app.srcdir)
    if app.builder.format != "html":
        return
    for chapter in [Chapter(root, topic) for topic in topics(root)]:
        if not chapter.notebook.exists():
            continue
        try:
            of = handout(app, chapter)
            made = [
                handouts.notebook(of, solutions=solutions)
                for solutions in (False, True)
            ]
        except ValueError as error:
            logger.warning(str(error), location=f"notebooks/{chapter.topic}")
            continue
        made.append(chapter.source.read_text(encoding="utf-8"))
        for name, text in zip(_FILES.values(), made, strict=True):
            write_whole(
                Path(app.outdir) / FOLDER / name.format(topic=chapter.topic), text
            )


def add_links(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the links into the menu at the head of a chapter."""
    if not (topic := locations.topic_of(docname)):
        return
    here, links = app.builder.get_target_uri(docname), []
    for said, name in _FILES.items():
        address = relative_uri(here, f"{FOLDER}/{name.format(topic=topic)}")
        links.append(f'<a href="{escape(address)}" download>{said}</a>')
    said = f'Download this chapter: {", ".join(links)}. <a href="#cite">Cite it</a>'
    menu = f'<summary>More</summary><div class="chapter-menu"><p class="chapter-downloads">{said}</p></div>'
    chapter_head.put(doctree, "more", f'<details class="chapter-more">{menu}</details>')


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.claim_index")
    app.setup_extension("book.extensions.chapter_head")
    app.connect("env-check-consistency", make)
    app.connect("doctree-resolved", add_links)
