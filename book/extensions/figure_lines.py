"""Every figure can be cited, redrawn and read as a table: ``{all-figures}``, and a line under each figure.

The line links to the published files, which lie in ``figures/`` of the finished book, and opens to show the
BibTeX entry and the permalink. Files are made from notebooks' records by `book.tools.editions`. Pages show
the SVG among them, but for the first figure of each, since previews elsewhere know no SVG.
"""

import hashlib
import re
import shutil
import struct
from collections.abc import Iterator
from html import escape
from importlib import metadata
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

import privml
from book.extensions import folds, locations, typeset
from book.tools import editions, figures
from book.tools.chapter_code import uses
from book.tools.chapters import Chapter, write_whole
from book.tools.myst import headings
from privml.notebook import digest

FOLDER = "figures"
_LINKS = (
    ("data", ("csv",)),
    ("vector", ("svg", "pdf")),
    ("more", ("py", "json", "bib")),
)
# Words of a picture that does not turn in the dark.
_OF_LIGHT = re.compile(r"\b(dark|light|pale|black|white)(er|ly)?\b")
_SAID = {
    "csv": ("CSV", "plotted table"),
    "svg": ("SVG", "picture"),
    "pdf": ("PDF", "picture"),
    "py": ("call", "program that makes it"),
    "json": ("parameters", "parameters, seed and version"),
    "bib": ("BibTeX", "citation"),
}


class figure_line(nodes.General, nodes.Element):  # noqa: N801 (docutils names nodes in lower case)
    """The place of the line under a figure `name`; `brief` leaves out what its files hold."""


def read(app: Sphinx) -> None:
    root = Path(app.srcdir)
    app.privml_figures = {figure.name: figure for figure in figures.published(root)}
    app.privml_book = (
        editions.book(root, app.config.html_baseurl) if app.privml_figures else None
    )


def number(app: Sphinx, figure: figures.Figure) -> str:
    """Number of a figure in the finished book."""
    return locations.number_of(app.env, figure.page, "figure", figure.name)


def _links(app: Sphinx, docname: str, figure: figures.Figure) -> Iterator[str]:
    """HTML of the links to the published files of a figure."""
    here, said = app.builder.get_target_uri(docname), f"Figure {number(app, figure)}"
    for title, kinds in _LINKS:
        found = []
        for kind in kinds:
            words, what = _SAID[kind]
            address = escape(relative_uri(here, f"{FOLDER}/{figure.name}.{kind}"))
            label = escape(f"{words}: {what} of {said}")
            found.append(f'<a href="{address}" aria-label="{label}">{words}</a>')
        yield f"<span>{title}: {', '.join(found)}</span>"


def _given(figure: figures.Figure) -> str:
    """Sentence about the parameters and the seed of the call."""
    given = "; ".join(
        f"{name} = {text}" for name, text in figure.given.items() if name != "seed"
    )
    seed = f"seed {figure.seed}" if figure.seed else "no seed in the call"
    return f"Parameters used: {given or 'none'}; {seed}."


def _opens(
    app: Sphinx, figure: figures.Figure, word: str, *inside: nodes.Node
) -> list[nodes.Node]:
    """Something in the line of a figure that opens below it."""
    said = f'<summary>{word}<span class="visually-hidden"> of Figure {number(app, figure)}</span></summary>'
    opening = f'<details class="figure-{word.partition(",")[0]}">{said}'
    return [
        nodes.raw("", opening, format="html"),
        *inside,
        nodes.raw("", "</details>", format="html"),
    ]


def _code(
    app: Sphinx, figure: figures.Figure, drawing: list[nodes.Node]
) -> list[nodes.Node]:
    """The code that draws a figure, and where the function is that it calls."""
    if not drawing:
        return []
    called, told = figure.record["draw"], []
    if called in figure.drawings - uses(figure.call)[1]:  # of a cell before it
        name = nodes.literal(called, called)
        link = nodes.reference(
            "", "", name, refuri=f"#{folds.anchor(called)}", internal=True
        )
        told = [typeset.paragraph(link, " stands at the end of the chapter.")]
    return _opens(app, figure, "code", *drawing, *told)


def brief(app: Sphinx, docname: str, figure: figures.Figure) -> list[nodes.Node]:
    """The line of a figure in a list: its files alone."""
    files = f'<div class="figure-line">{" ".join(_links(app, docname, figure))}</div>'
    return [nodes.raw("", files, format="html")]


def line(
    app: Sphinx, docname: str, figure: figures.Figure, drawing: list[nodes.Node]
) -> list[nodes.Node]:
    """The line under a figure: the code that draws it, its files, and how to cite it."""
    of = app.privml_book
    place = editions.permalink(figure, of)
    target = {"refuri": place} if of.address else {"refid": figure.name}
    link = nodes.reference("", place, internal=not of.address, **target)
    entry = editions.bibtex(figure, number(app, figure), of)
    again = f"make figure ID={figure.name}"
    cited = [
        nodes.raw(
            "", f" <p>{' '.join(_links(app, docname, figure))}</p> ", format="html"
        ),
        nodes.literal_block(entry, entry, language="bibtex"),
        typeset.paragraph("Permalink: ", link),
        typeset.paragraph(
            _given(figure),
            " Made again and compared by ",
            nodes.literal(again, again),
            ".",
        ),
    ]
    return [
        nodes.raw("", '<div class="figure-line">', format="html"),
        *_code(app, figure, drawing),
        *_opens(app, figure, "files, cite", *cited),
        nodes.raw("", "</div>", format="html"),
    ]


def vector(app: Sphinx, docname: str, figure: figures.Figure) -> nodes.raw:
    """The published picture of a figure, as large as the chapter's own, loaded when a reader comes near."""
    address = relative_uri(
        app.builder.get_target_uri(docname), f"{FOLDER}/{figure.name}.svg"
    )
    width, height = struct.unpack(">II", figure.picture[16:24])  # the header of a PNG
    said = (
        f'alt="{escape(figure.alt)}" width="{width}" height="{height}" loading="lazy"'
    )
    return nodes.raw("", f'<img src="{escape(address)}" {said}>', format="html")


def complete(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the line under each figure of a chapter, and where the list of figures asks for it."""
    html, first = app.builder.format == "html", True
    for node in list(doctree.findall(nodes.figure)):
        for name in [name for name in node["ids"] if name in app.privml_figures]:
            node.parent.insert(node.parent.index(node) + 1, figure_line("", name=name))
            if _OF_LIGHT.search(
                f"{app.privml_figures[name].caption} {app.privml_figures[name].alt}"
            ):
                node["classes"].append("keeps-ground")
            if html and not first:
                node.next_node(nodes.image).replace_self(
                    vector(app, docname, app.privml_figures[name])
                )
            first = False
    for node in list(doctree.findall(figure_line)):
        figure = app.privml_figures[node["name"]]
        if node.get("brief"):
            node.replace_self(brief(app, docname, figure))
        else:
            node.replace_self(
                line(app, docname, figure, _cell_code(node) if html else [])
            )


def _cell_code(node: nodes.Element) -> list[nodes.Node]:
    """The folded code of the cell in which a node stands."""
    while node is not None and node.get("nb_element") != "cell_code":
        node = node.parent
    return folds.unfolded(node) if node is not None else []


class AllFigures(SphinxDirective):
    """Directive ``{all-figures}``: each figure with thumbnail, number, caption and downloads, by chapter."""

    def run(self) -> list[nodes.Node]:
        by_chapter: dict[str, list[figures.Figure]] = {}
        for figure in self.env.app.privml_figures.values():
            by_chapter.setdefault(figure.topic, []).append(figure)
        made = []
        for topic, found in by_chapter.items():
            self.env.note_dependency(f"notebooks/{topic}.ipynb")
            entries = [node for figure in found for node in self.entry(figure)]
            made.append(chapter_section(self, topic, f"figures-of-{topic}", entries))
        return made

    def entry(self, figure: figures.Figure) -> list[nodes.Node]:
        """Thumbnail, number and caption of a figure, and the place of its line."""
        here = self.env.app.builder.get_target_uri(self.env.docname)
        picture = escape(relative_uri(here, f"{FOLDER}/{figure.name}.svg"))
        thumbnail = f'<img class="thumbnail" loading="lazy" src="{picture}" alt="{escape(figure.alt)}">'
        caption, _ = self.state.inline_text(figure.caption, self.lineno)
        text = typeset.paragraph(
            numbered(figure.name, self.env.docname), ". ", *caption
        )
        return [
            nodes.raw("", f'<div class="figure-entry">{thumbnail}<div>', format="html"),
            text,
            figure_line("", name=figure.name, brief=True),
            nodes.raw("", "</div></div>", format="html"),
        ]


def numbered(label: str, docname: str) -> addnodes.pending_xref:
    """A link to something numbered, in the words of the finished book."""
    text = nodes.literal(label, label, classes=["xref", "std", "std-numref"])
    told = {
        "refdomain": "std",
        "reftype": "numref",
        "reftarget": label,
        "refdoc": docname,
    }
    return addnodes.pending_xref("", text, refexplicit=False, refwarn=True, **told)


def chapter_section(
    directive: SphinxDirective, topic: str, anchor: str, content: list[nodes.Node]
) -> nodes.section:
    """A section under the title of a chapter."""
    title = headings(
        Chapter(Path(directive.env.srcdir), topic).source.read_text(encoding="utf-8")
    )[0]
    words, _ = directive.state.inline_text(title, directive.lineno)
    return nodes.section(
        "", nodes.title(title, "", *words), *content, ids=[anchor], names=[anchor]
    )


def _drawing() -> str:
    """What decides how tables are drawn: the draw functions and the library beneath them."""
    files = [
        *sorted(Path(privml.figures.__file__).parent.glob("*.py")),
        Path(editions.__file__),
    ]
    return metadata.version("matplotlib") + "".join(
        file.read_text(encoding="utf-8") for file in files
    )


def _kept(app: Sphinx, figure: figures.Figure, drawing: str) -> Path:
    """Where the pictures of a figure are kept from build to build, without their suffix."""
    own = figure.before if figure.record["draw"] in figure.drawings else ()
    key = hashlib.sha256(
        f"{digest(figure.record)} {own} {drawing}".encode()
    ).hexdigest()[:16]
    return Path(app.srcdir) / "_build" / "editions" / f"{figure.name}-{key}"


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the published files of all figures of pages, drawn where table or drawing code changed."""
    if error or app.builder.format != "html":
        return
    drawing, folder = _drawing(), Path(app.outdir) / FOLDER
    there = [
        figure
        for figure in app.privml_figures.values()
        if figure.page in app.env.found_docs
    ]
    kept = [(figure, _kept(app, figure, drawing)) for figure in there]
    wanted = {
        path.with_suffix(f".{kind}"): figure
        for figure, path in kept
        for kind in ("svg", "pdf")
    }
    missing = {file: figure for file, figure in wanted.items() if not file.exists()}
    editions.draw(missing, Path(app.srcdir))
    for figure, _ in kept:
        for kind, text in editions.texts(
            figure, number(app, figure), app.privml_book
        ).items():
            write_whole(folder / f"{figure.name}.{kind}", text)
    for file, figure in wanted.items():
        shutil.copyfile(file, folder / f"{figure.name}{file.suffix}")


def setup(app: Sphinx) -> None:
    app.add_config_value("privml_version", privml.__version__, "env")
    app.add_node(figure_line)
    app.add_directive("all-figures", AllFigures)
    app.connect("builder-inited", read)
    app.connect("doctree-resolved", complete, priority=450)
    app.connect("build-finished", write)
