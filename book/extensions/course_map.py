"""The course map: chapters with the arcs of what each needs, their lengths, and courses week by week.

``{chapter-map}`` draws the arcs beside a list of links, so that it is read on a phone and without a picture;
``{chapter-grid}`` has a card of links for each part of the book, as ``_toc.yml`` lists them;
``{chapter-lengths}`` says the same in words and numbers; ``{courses}`` lists the weeks. All is computed from
the sources of the chapters and from ``book/prerequisites.yml``.
"""

from html import escape
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.extensions import claim_index, locations, typeset
from book.extensions.path_switch import minutes
from book.tools import course, exercises, figures, short_path, units
from book.tools.chapters import Chapter

_ROW, _WIDTH = 44, 140  # pixels: height of a row (a finger's), width of the arcs
_HEAD = ["Chapter", "Short path", "Words", "All words", "Needs", "Recalls"]


class _CourseDirective(SphinxDirective):
    """What is filled when the numbers of all chapters are known."""

    def run(self) -> list[nodes.Node]:
        """A place to be filled; the page is read again when the prerequisites or a chapter change."""
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(course.file_of(root)))
        for topic in course.read(root).needs:
            self.env.note_dependency(str(Chapter(root, topic).source))
        return [claim_index.deferred_node(self.name, "")]


def length(app: Sphinx, topic: str) -> short_path.Length:
    """Words and minutes of a chapter."""
    return units.length(
        Chapter(Path(app.srcdir), topic).source.read_text(encoding="utf-8")
    )


def chapter(app: Sphinx, topic: str) -> tuple[str, str]:
    docname = f"notebooks/{topic}"
    title = app.env.titles.get(docname)
    return locations.number(
        app.env, docname
    ), title.astext() if title is not None else topic


def _link(
    app: Sphinx, docname: str, topic: str, *, short: bool = False
) -> nodes.reference:
    number, title = chapter(app, topic)
    words = (number or title) if short else f"{number}. {title}" if number else title
    return locations.link(
        app.builder,
        docname,
        locations.Place(f"notebooks/{topic}", "", words),
        title=title,
    )


def arc(start: int, end: int) -> str:
    """Path from one dot down to another; the farther they are apart, the farther it swings out.

    It reaches three quarters of the way to its control points.
    """
    out = _WIDTH - 13 * ((end - start) / _ROW) ** 0.7
    return f"M{_WIDTH} {start}C{out:.0f} {start} {out:.0f} {end} {_WIDTH} {end}"


def _heights(parts: dict[str, list[str]]) -> dict[str, int]:
    """Where the dot of each chapter stands, under the captions of the parts."""
    found, row = {}, 0
    for topics in parts.values():
        row += 1
        for topic in topics:
            found[topic] = row * _ROW + _ROW // 2
            row += 1
    return found


def picture(parts: dict[str, list[str]], known: course.Map) -> str:
    """Arcs as SVG, coloured by the part of the chapter that is needed; rows have the dots."""
    at, part = (
        _heights(parts),
        {t: n for n, topics in enumerate(parts.values(), 1) for t in topics},
    )
    arcs = [
        f'<path class="part-{part[a]}" data-from="{a}" data-to="{b}" d="{arc(at[a], at[b])}"/>'
        for b in at
        for a in known.needs[b]
    ]
    height = _ROW * (len(parts) + len(at))
    size = f'width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" preserveAspectRatio="none"'
    return f'<svg {size} aria-hidden="true" focusable="false">{"".join(arcs)}</svg>'


def _row(app: Sphinx, docname: str, topic: str, known: course.Map) -> str:
    number, title = chapter(app, topic)
    address = escape(app.builder.get_relative_uri(docname, f"notebooks/{topic}"))
    needed = " ".join(sorted(known.all_needed(topic)))
    titles = [chapter(app, other)[1] for other in known.needs[topic]]
    said = f"needs {', '.join(titles)}" if titles else "needs no other chapter"
    return (
        f'<li data-topic="{topic}" data-needs="{needed}"><a href="{address}">'
        f'<span class="map-number">{number}</span><span class="map-title">{escape(title)}</span></a>'
        f'<span class="map-minutes">{length(app, topic).minutes} min</span>'
        f'<span class="visually-hidden">; {escape(said)}</span></li>'
    )


@claim_index.deferred_maker("chapter-map")
def _chapter_map(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    root = Path(app.srcdir)
    known, parts = course.read(root), course.parts(root)
    lists = []
    for number, (caption, topics) in enumerate(parts.items(), 1):
        rows = "".join(_row(app, docname, topic, known) for topic in topics)
        lists.append(
            f'<div class="part-{number}"><p>{escape(caption)}</p><ul>{rows}</ul></div>'
        )
    text = f'<div class="course-map">{picture(parts, known)}<div>{"".join(lists)}</div></div>'
    return [nodes.raw("", text, format="html")]


@claim_index.deferred_maker("chapter-grid")
def _chapter_grid(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """A card for each part of the contents, with links to its pages and their numbers."""
    cards = []
    for part in app.env.get_doctree(app.config.root_doc).findall(addnodes.toctree):
        rows = []
        for name in part["includefiles"]:
            title, number = (
                app.env.titles[name].astext(),
                locations.number(app.env, name),
            )
            words = f"<span>{number}</span>{escape(title)}" if number else escape(title)
            address = escape(app.builder.get_relative_uri(docname, name))
            rows.append(f'<li><a href="{address}">{words}</a></li>')
        cards.append(
            f'<div class="part-card"><p>{escape(part["caption"])}</p><ul>{"".join(rows)}</ul></div>'
        )
    return [
        nodes.raw("", f'<div class="part-grid">{"".join(cards)}</div>', format="html")
    ]


@claim_index.deferred_maker("chapter-lengths")
def _chapter_lengths(
    app: Sphinx, docname: str, node: nodes.Element
) -> list[nodes.Node]:
    known, rows = course.read(Path(app.srcdir)), []
    for topic in known.needs:
        found = length(app, topic)
        needed = (
            [[_link(app, docname, one, short=True)] for one in known[k][topic]]
            for k in range(2)
        )
        linked = [
            typeset.joined(links) or "–" for links in needed
        ]  # what it needs and recalls
        words = [f"{found.core:,}", f"{found.core + found.further:,}"]
        rows.append(
            typeset.row(
                [_link(app, docname, topic), f"{minutes(found)} min", *words, *linked]
            )
        )
    return [typeset.table(_HEAD, rows, ("chapter-lengths",))]


def assigned(root: Path, topic: str) -> list[exercises.Exercise]:
    """The first easy exercise of a chapter's units, and their first proof problem, else a harder one."""
    chapter = Chapter(root, topic)
    cells = figures.cells_of(chapter.notebook) if chapter.notebook.exists() else []
    found = [
        one
        for one in exercises.of_chapter(topic, cells)
        if "exact" not in one.statement.gate.classes
    ]
    gentle = [one for one in found if "easy" in one.difficulties and not one.proof]
    harder = [one for one in found if one.proof] or [
        one for one in found if "easy" not in one.difficulties
    ]
    return [*gentle[:1], *harder[:1]]


def _problems(app: Sphinx, docname: str, topic: str) -> list[nodes.Node]:
    """Links to what a week assigns from a chapter."""
    found = assigned(Path(app.srcdir), topic)
    at = [
        locations.Place(f"notebooks/{topic}", one.label, one.title.replace("$", ""))
        for one in found
    ]
    return typeset.joined(
        [[locations.link(app.builder, docname, place)] for place in at]
    )


@claim_index.deferred_maker("courses")
def _courses(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    found: list[nodes.Node] = []
    for one in course.read(Path(app.srcdir)).courses:
        rows = []
        for number, week in enumerate(one.weeks, 1):
            links = [typeset.paragraph(_link(app, docname, topic)) for topic in week]
            tasks = [
                typeset.paragraph(*_problems(app, docname, topic)) for topic in week
            ]
            time = sum(length(app, topic).minutes for topic in week)
            rows.append(typeset.row([str(number), links, tasks, f"{time} min"]))
        total = sum(length(app, topic).core for week in one.weeks for topic in week)
        said = f"{one.title}: {sum(map(len, one.weeks))} chapters, {total:,} words on the short path."
        found += [
            typeset.paragraph(nodes.strong("", said)),
            typeset.table(["Week", "Read", "Assign", "Reading"], rows, ("course",)),
        ]
    return found


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.claim_index")
    for name in ("chapter-grid", "chapter-map", "chapter-lengths", "courses"):
        app.add_directive(name, _CourseDirective)
    locations.script(app, "course-map.js", 'class="course-map"', loading_method="defer")
