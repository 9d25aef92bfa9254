"""The figures of the book: what each chapter's source says about them, and what its notebook publishes.

A figure is one code cell with a name, a caption and a text alternative in its metadata and one call of
``notebook.figure``. Its programme is the parameters, the imports, the earlier cells whose names it uses, and
the cell itself; these make the figure on their own. The output holds the picture and the record: draw
function, options, size and the drawn table. Everything else that is published is made from the record.
"""

import ast
import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from book.tools import named_numbers
from book.tools.chapter_code import (
    called,
    defined,
    parsed,
    read_by,
    source,
    standalone_code,
    tags,
)
from book.tools.chapters import chapters
from book.tools.typed_numbers import in_description
from privml.notebook import FIGURE_MIME, digest


@dataclass(frozen=True)
class Figure:
    """One figure: `cell` is the number of its cell, `before` the earlier code that it needs, `drawings` the
    names that its chapter defines, `record` what its output publishes."""

    topic: str
    cell: int
    name: str
    caption: str
    alt: str
    parameters: str
    imports: str
    call: str
    before: tuple[str, ...] = ()
    drawings: frozenset[str] = frozenset()
    record: Any = None
    picture: bytes = b""

    @property
    def place(self) -> str:
        """Chapter and cell, as messages name them."""
        return f"{self.topic}: cell {self.cell}"

    @property
    def page(self) -> str:
        """Page that shows the figure."""
        return f"notebooks/{self.topic}"

    @property
    def given(self) -> dict[str, str]:
        """Parameters of the chapter that it depends on, with their values as typed; the seed is one."""
        used, found = read_by([*self.before, self.call]), {}
        for node in parsed(self.parameters).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = ast.unparse(node.value)
        return {name: text for name, text in found.items() if name in used}

    @property
    def seed(self) -> str:
        """The seed as the call gives it, a parameter or typed there; empty when the call has none."""
        code = "\n".join([*self.before, self.call])
        keywords = [
            node for node in ast.walk(parsed(code)) if isinstance(node, ast.keyword)
        ]
        typed = [
            ast.unparse(keyword.value)
            for keyword in keywords
            if keyword.arg in ("seed", "rng")
        ]
        return self.given.get("seed") or next(iter(typed), "")


def described(cell: dict) -> dict[str, dict]:
    """What a cell's metadata say about its figure: ``figure`` and ``image``, each possibly empty."""
    said = cell["metadata"].get("mystnb") or {}
    return {part: said.get(part) or {} for part in ("figure", "image")}


def _words(cell: dict) -> list[str]:
    """Name, caption and text alternative in a cell's metadata, empty where they lack."""
    said = described(cell)
    texts = (
        said["figure"].get("name"),
        said["figure"].get("caption"),
        said["image"].get("alt"),
    )
    return [" ".join(str(text or "").split()) for text in texts]


def calls_of_figure(cell: dict) -> int:
    """Number of calls of ``notebook.figure`` in a code cell."""
    return called(source(cell))["notebook.figure"]


def is_figure(cell: dict) -> bool:
    """Whether a cell makes a figure or says that it does."""
    return cell["cell_type"] == "code" and bool(
        calls_of_figure(cell) or described(cell)["figure"]
    )


def _head(cells: list[dict], tag: str) -> str:
    return next(
        (
            source(cell)
            for cell in cells
            if cell["cell_type"] == "code" and tag in tags(cell)
        ),
        "",
    )


def of_notebook(topic: str, cells: list[dict]) -> list[Figure]:
    """Figures of a chapter from the cells of its notebook, executed or not."""
    parameters, imports = _head(cells, "parameters"), _head(cells, "imports")
    found, known, numbers = (
        [],
        frozenset(defined(cells)),
        named_numbers.glued_numbers(cells),
    )
    for number, cell in enumerate(cells, 1):
        if not is_figure(cell):
            continue
        outputs = [output.get("data", {}) for output in cell.get("outputs", [])]
        data = next((bundle for bundle in outputs if FIGURE_MIME in bundle), {})
        name, caption, alt = (
            named_numbers.filled(text, numbers) for text in _words(cell)
        )
        before, record = tuple(standalone_code(cells, number)[0]), data.get(FIGURE_MIME)
        made = Figure(
            topic,
            number,
            name,
            caption,
            alt,
            parameters,
            imports,
            source(cell),
            before,
            known,
        )
        picture = base64.b64decode("".join(data.get("image/png", "")))
        found.append(replace(made, record=record, picture=picture))
    return found


def cells_of(notebook: Path) -> list[dict]:
    return json.loads(notebook.read_text(encoding="utf-8"))["cells"]


def published(root: Path) -> list[Figure]:
    """Figures of all chapters that have a notebook, in reading order."""
    made = [chapter for chapter in chapters(root) if chapter.notebook.exists()]
    return [
        figure
        for chapter in made
        for figure in of_notebook(chapter.topic, cells_of(chapter.notebook))
    ]


def faults(cells: list[dict], number: int, family: list[str]) -> Iterator[str]:
    """What is wrong with a figure cell, given its chapter, whose `family` may name its figures."""
    cell = cells[number - 1]
    name, caption, alt = _words(cell)
    if calls_of_figure(cell) != 1:
        yield "must have exactly one call of notebook.figure"
    if not re.fullmatch(rf"fig-(?:{'|'.join(family)})-[a-z0-9-]+", name):
        yield f"must have a name fig-{family[-1]}-... in its metadata, got {name!r}"
    for kind, text in (("a caption", caption), ("an alt text", alt)):
        if not text:
            yield f"must have {kind} in its metadata (figure {name})"
    if unknown := standalone_code(cells, number)[1]:
        yield f"must use only names that earlier cells bind, also uses {', '.join(sorted(unknown))}"


def _typed(figure: Figure) -> Iterator[str]:
    """Numbers of caption and alternative text that neither the figure's code nor its table has."""
    entries = [
        entry
        for row in figure.record["rows"]
        for entry in row
        if isinstance(entry, int | float)
    ]
    code = "\n".join([figure.parameters, *figure.before, figure.call])
    for kind, text in (("caption", figure.caption), ("alt text", figure.alt)):
        for number in in_description(text, code, entries):
            yield f"has the number {number} in its {kind}, but neither in its code nor in its table"


def published_faults(figure: Figure, known: set[str]) -> Iterator[str]:
    """What is wrong with what a notebook publishes of a figure; `known` are the names of draw functions."""
    if figure.record is None:
        yield "has no table in its output: execute the chapter"
        return
    if digest(figure.record).encode() not in figure.picture:
        yield "has a picture that was not drawn from the table beside it: execute the chapter"
    if figure.record["draw"] not in known | figure.drawings:
        yield f"is drawn by {figure.record['draw']!r}, no function of privml.figures or of its chapter"
    yield from _typed(figure)
