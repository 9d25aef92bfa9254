"""What is published of a figure besides its place in a chapter: pictures, table, call, parameters, citation.

Pictures are drawn from the published table by the function that its record names, so a reader who has the
table has all that the picture shows. The same table gives the same bytes.
"""

import json
import re
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from joblib import Parallel, delayed

import privml
from book.tools.chapter_code import chapter_module
from book.tools.chapters import write_whole
from book.tools.figures import Figure
from book.tools.latex import latex
from book.tools.tables import csv_text, table

_UNDATED = {"svg": dict.fromkeys(("Date", "Creator"))}
_UNDATED["pdf"] = dict.fromkeys(("CreationDate", "Creator", "Producer"))
_FEW = 4
_SAVES = """# A notebook shows the picture; a plain script writes it to {file}.
if "get_ipython" not in globals():
    def save(draw, table, *, size=(6.4, 4), **options):
        from privml.figures.style import picture
        open("{file}", "wb").write(picture(draw, table, size, options))

    notebook.figure = save
"""


class Book(NamedTuple):
    """What a citation says about the book."""

    title: str
    author: str
    version: str
    year: str
    address: str


def book(root: Path, address: str = "") -> Book:
    """Title and authors from ``CITATION.cff``, year from the copyright line; `address` is the book's own."""
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    settings = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    year = re.search(r"\d{4}", str(settings["copyright"]))[0]
    authors = " and ".join(f"{{{author['name']}}}" for author in citation["authors"])
    return Book(
        citation["title"], authors, privml.__version__, year, address.rstrip("/")
    )


def picture(figure: Figure, kind: str, root: Path) -> bytes:
    """The figure drawn from its published table, as ``svg`` or ``pdf``, the same bytes every time."""
    from privml import figures
    from privml.figures.style import picture as drawn

    record, name = figure.record, figure.record["draw"]
    draw = getattr(
        chapter_module(figure.topic, root) if name in figure.drawings else figures, name
    )
    size = tuple(record["size"])
    return drawn(
        draw,
        table(record),
        size,
        record["options"],
        format=kind,
        metadata=_UNDATED[kind],
    )


def _draw(file: Path, figure: Figure, root: Path) -> None:
    write_whole(file, picture(figure, file.suffix[1:], root))


def draw(wanted: dict[Path, Figure], root: Path) -> None:
    """Draw figures into files, whose suffixes say how; many of them in several processes."""
    drawn = Parallel(n_jobs=1 if len(wanted) <= _FEW else -1)
    drawn(delayed(_draw)(file, figure, root) for file, figure in wanted.items())


def permalink(figure: Figure, of: Book) -> str:
    """Address of the figure in its chapter; without a published address, the part below the book's own."""
    return "/".join(filter(None, [of.address, f"{figure.page}.html#{figure.name}"]))


def _entry(key: str, title: str, place: str, of: Book) -> str:
    """BibTeX entry of a part of the book, in plain ASCII."""
    where = (
        f"  url          = {{{place}}},"
        if of.address
        else f"  note         = {{{latex(place)}}},"
    )
    fields = [
        f"author       = {{{of.author}}}",
        f"title        = {{{{{latex(title)}}}}}",
    ]
    fields += [
        f"howpublished = {{{latex(of.title)}, version {of.version}}}",
        f"year         = {{{of.year}}}",
    ]
    return "\n".join(
        [f"@misc{{privml:{key},", *[f"  {field}," for field in fields], where, "}"]
    )


def bibtex(figure: Figure, number: str, of: Book) -> str:
    """BibTeX entry of a figure; the finished book decides its number."""
    first = re.split(r"(?<=[.?!])\s+(?=[A-Z$])", figure.caption, maxsplit=1)[0]
    title = f"Figure {number}: {first.rstrip('.')}"
    return _entry(figure.name, title, permalink(figure, of), of)


def bibtex_of_chapter(topic: str, number: str, title: str, of: Book) -> str:
    """BibTeX entry of a chapter; the finished book decides its number, and a page without one has none."""
    place = "/".join(filter(None, [of.address, f"notebooks/{topic}.html"]))
    return _entry(topic, f"Chapter {number}: {title}" if number else title, place, of)


def script(figure: Figure, of: Book) -> str:
    """The programme of a figure: imports, parameters, the earlier code that it uses, and the cell itself."""
    caption = textwrap.wrap(
        figure.caption, 100, initial_indent="# ", subsequent_indent="# "
    )
    head = [
        f"# {figure.name}, {permalink(figure, of)}",
        *caption,
        f"# Needs privml {of.version}.",
    ]
    saves = _SAVES.format(file=f"{figure.name}.png")
    parts = [
        "\n".join(head),
        figure.imports,
        figure.parameters,
        *figure.before,
        saves,
        figure.call,
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def details(figure: Figure, number: str, of: Book) -> dict[str, Any]:
    """Everything else about a figure, for programs; the seed is null when the call has none."""
    return {
        "id": figure.name,
        "number": number,
        "caption": figure.caption,
        "alt": figure.alt,
        "permalink": permalink(figure, of),
        "parameters": {
            name: text for name, text in figure.given.items() if name != "seed"
        },
        "seed": figure.seed or None,
        "call": figure.call,
        **{name: figure.record[name] for name in ("draw", "options", "columns")},
        "size_in_inches": figure.record["size"],
        "package": f"privml {of.version}",
        "license": "CC BY 4.0",
    }


def texts(figure: Figure, number: str, of: Book) -> dict[str, str]:
    """Published files of a figure that are text, by suffix."""
    return {
        "csv": csv_text(figure.record),
        "py": script(figure, of),
        "bib": bibtex(figure, number, of) + "\n",
        "json": json.dumps(details(figure, number, of), indent=1, ensure_ascii=False)
        + "\n",
    }
