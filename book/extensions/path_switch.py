"""The short path through a chapter: marks on further sections, a line that says how long it is, its switch.

A heading of the source that ends with a star makes its section *further* (`book.tools.short_path`). The star
goes from the title before contents, references and search read it; the page gets a mark in its place. The
switch and what it hides are ``_static/short-path.js``: without it, and in print, everything is shown. Under
the heading of each unit (`book.tools.units`) stands what it holds and how long it takes to read.
"""

from html import escape
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from book.extensions import chapter_head, locations
from book.tools import course, short_path, units
from book.tools.chapters import Chapter

SAID = "further section: may be skipped at a first reading"


class FurtherMark(nodes.General, nodes.Element):
    """The mark behind the title of a further section; contents, references and search do not see it."""


def mark() -> str:
    """The mark as the page shows it, and as it is read aloud."""
    hidden = f'<span class="visually-hidden"> ({SAID})</span>'
    return f'<span class="further-mark" title="{SAID}"><span aria-hidden="true">★</span>{hidden}</span>'


class Further(SphinxTransform):
    """Take the star off the titles of further sections."""

    default_priority = 690  # before the domains and the contents read the titles

    def apply(self, **options: Any) -> None:
        """Change the page that is being read, which is read again when what chapters need is changed."""
        self.env.note_dependency(str(course.file_of(Path(self.app.srcdir))))
        for section in self.document.findall(nodes.section):
            title = section.next_node(nodes.title)
            last = title[-1] if title is not None and len(title) else None
            if isinstance(last, nodes.Text) and short_path.is_further(last.astext()):
                title.replace(
                    last, nodes.Text(last.astext().removesuffix(short_path.STAR))
                )
                section["classes"].append("further")


def _further(doctree: nodes.document) -> list[nodes.section]:
    return [
        section
        for section in doctree.findall(nodes.section)
        if "further" in section["classes"]
    ]


def before(app: Sphinx, docname: str) -> str:
    """The chapters that this one stands on, as links."""
    root = Path(app.srcdir)
    needs = course.read(root).needs if course.file_of(root).exists() else {}
    found = needs.get(locations.topic_of(docname), [])
    names = [
        name
        for name in (f"notebooks/{topic}" for topic in found)
        if name in app.env.titles
    ]
    links = []
    for name in names:
        number, title = locations.number(app.env, name), app.env.titles[name].astext()
        address = app.builder.get_relative_uri(docname, name)
        words = escape(f"{number}. {title}" if number else title)
        links.append(f'<a class="reference internal" href="{address}">{words}</a>')
    return f" · needs {', '.join(links)}" if links else ""


def line(length: short_path.Length, needed: str = "") -> str:
    """How long a chapter takes on the short path, and what it needs."""
    words = f"{length.core:,} words, about {length.minutes} minutes"
    if length.units:
        words = f"{'Two units' if len(length.units) > 1 else 'One unit'}, {minutes(length)} minutes"
    rest = (
        f" · sections with a star {mark()} can wait ({length.further:,} words)"
        if length.further
        else ""
    )
    return f'<p class="short-path">{words}{rest}{needed}</p>'


def switch() -> str:
    """The switch of the short path, which the script shows."""
    buttons = "".join(
        f'<button type="button" class="live-button" data-path="{path}" aria-pressed="false">{words}</button>'
        for path, words in (("short", "Short path"), ("all", "Everything"))
    )
    return f'<div class="path-switch" role="group" aria-label="Sections to show" hidden>{buttons}</div>'


def minutes(length: short_path.Length) -> str:
    """Minutes of a chapter: those of its units, or of the whole."""
    return " and ".join(map(str, length.units)) or str(length.minutes)


def held(unit: units.Measure) -> str:
    """What a unit holds, and how long it takes to read."""
    counts = [
        (unit.statements, "definition or statement", "definitions and statements"),
        (unit.formulas + unit.displays, "formula", "formulas"),
        (unit.lines, "line of code", "lines of code"),
        (unit.figures, "figure", "figures"),
    ]
    said = [f"{n} {one if n == 1 else more}" for n, one, more in counts if n]
    text = ", ".join(
        [f"About {unit.minutes} minutes to read: {unit.words:,} words", *said]
    )
    return f'<p class="unit-length">{text}.</p>'


def complete(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the line under the title of a chapter, and the marks behind titles of further sections."""
    for section in _further(doctree):
        section.next_node(nodes.title).append(FurtherMark())
    if topic := locations.topic_of(docname):
        for said in [
            p
            for p in doctree.findall(nodes.paragraph)
            if p.astext() == short_path.STARRED
        ]:
            said.parent.remove(said)  # the line says it
        text = Chapter(Path(app.srcdir), topic).source.read_text(encoding="utf-8")
        length = units.length(text)
        chapter_head.put(doctree, "line", line(length, before(app, docname)))
        if length.further:
            chapter_head.put(doctree, "path", switch())
        titles = [
            title
            for title in doctree.findall(nodes.title)
            if units.UNIT.match(title.astext())
        ]
        for title, unit in zip(titles, units.measures(text), strict=False):
            title.parent.insert(
                title.parent.index(title) + 1, nodes.raw("", held(unit), format="html")
            )


def finish(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: Any
) -> None:
    """Mark the further sections in the contents of the page."""
    anchors = (
        {f"#{name}" for section in _further(doctree) for name in section["ids"]}
        if doctree
        else set()
    )
    if not anchors:
        return
    tree = BeautifulSoup(context.get("toc", ""), "html.parser")
    for link in tree.find_all("a", href=anchors.__contains__):
        link.find_parent("li")["class"] = ["further"]
        link.append(BeautifulSoup(mark(), "html.parser"))
    context["toc"] = str(tree)


def _shown(visitor: Any, node: FurtherMark) -> None:
    visitor.body.append(mark())
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.chapter_head")
    silent = (chapter_head.silent, None)
    app.add_node(FurtherMark, html=(_shown, None), latex=silent, text=silent)
    app.add_transform(Further)
    app.connect("doctree-resolved", complete, priority=900)
    app.connect("html-page-context", finish)
    locations.script(app, "short-path.js", 'class="further-mark"', priority=100)
