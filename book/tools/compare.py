"""Whether two runs of a chapter agree: texts exactly, tables of figures as `book.tools.tables` compares them.

Across processors a picture and the last digits of its table may differ; so pictures are compared through
their tables, and text outputs, which hold rounded numbers, exactly. `differences` compares cell by cell,
`missing_outputs` what two notebooks show in whatever cells; `fingerprint` is a name for what is compared of the outputs.
"""

import difflib
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Tag

from book.tools import named_numbers
from book.tools.tables import compare, compare_rows
from privml.notebook import FIGURE_MIME, GLUE_PREFIX

_SHORT = 12
_LONGEST = 200
_RELATIVE = 1.01e-8  # numbers that differ by less than 1e-9 may be rounded to neighbours of nine digits


class Shown(NamedTuple):
    """What a notebook shows: numbers of the prose by name, printed tables, whose first row is the head, and
    lines in order, the records of figures by name."""

    values: dict[str, str]
    tables: list[list[list[str]]]
    lines: list[str]
    figures: dict[str, dict[str, Any]]


class Agreement(NamedTuple):
    """Result of comparing two notebooks: a sentence, and whether what a reader relies on is the same."""

    same: bool
    sentence: str


def _without_figures(cell: dict) -> tuple[dict, list[dict[str, Any]]]:
    """A cell with every picture and table replaced by its kind, and its tables."""
    cell, tables = json.loads(json.dumps(cell)), []
    for output in cell.get("outputs", []):
        for mime in output.get("data", {}):
            if mime == FIGURE_MIME:
                tables.append(output["data"][mime])
            if mime == FIGURE_MIME or mime.startswith("image/"):
                output["data"][mime] = "figure"
    return cell, tables


def counted_outputs(cell: dict) -> tuple[int, int, int]:
    """Numbers of texts, tables and pictures among the outputs of a cell."""
    outputs = cell.get("outputs", [])
    kinds = [kind for output in outputs for kind in output.get("data", ["text/plain"])]
    pictures = sum(kind.startswith("image/") for kind in kinds)
    tables = kinds.count(FIGURE_MIME)
    return len(kinds) - tables - pictures, tables, pictures


def _first_change(one: Any, other: Any) -> str:
    """The first line in which two outputs differ."""
    lines = [
        json.dumps(text, indent=1, ensure_ascii=False).splitlines()
        for text in (one, other)
    ]
    pairs = zip_longest(*lines, fillvalue="nothing")
    was, now = next((a.strip(), b.strip()) for a, b in pairs if a != b)
    return f"committed {was[:_LONGEST]}, now {now[:_LONGEST]}"


def differences(one: dict | None, other: dict | None) -> list[str]:
    """What differs between two cells, in source, metadata, text outputs or, beyond rounding, tables."""
    if one is None or other is None:
        return ["the cell is " + ("new" if one is None else "gone")]
    (first, tables), (second, others) = _without_figures(one), _without_figures(other)
    keys = sorted(key for key in {*first, *second} if first.get(key) != second.get(key))
    found = [f"{key}: {_first_change(first.get(key), second.get(key))}" for key in keys]
    if len(tables) != len(others):
        return found
    return found + [
        line
        for a, b in zip(tables, others, strict=True)
        for line in compare(a, b).differences
    ]


def with_published_digits(published: list[dict], made: list[dict]) -> list[dict]:
    """The cells of a fresh run, those that agree with the published ones with the last digits of these."""
    pairs = zip_longest(published, made)
    return [a if a and not differences(a, b) else b for a, b in pairs if b is not None]


def fingerprint(cells: list[dict]) -> str:
    """A short hash of the outputs of cells: texts and tables, not pictures."""
    outputs = [
        [*_without_figures(cell)[0].get("outputs", []), _without_figures(cell)[1]]
        for cell in cells
    ]
    text = json.dumps([told for told in outputs if told != [[]]], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_SHORT]


def agreement(committed: Path, made: str) -> Agreement:
    """How a fresh run, in normal form, compares with the notebook on disk, which may be missing."""
    if not committed.exists():
        return Agreement(False, "is new, nothing was committed")
    old = committed.read_text(encoding="utf-8")
    if old == made:
        return Agreement(True, "matches the committed outputs byte for byte")
    pairs = zip_longest(*(json.loads(text)["cells"] for text in (old, made)))
    cells = [number for number, pair in enumerate(pairs, 1) if differences(*pair)]
    if not cells:
        return Agreement(
            True,
            "matches the committed texts and tables (pictures or last digits differ)",
        )
    return Agreement(
        False,
        f"differs from the committed notebook in cells {', '.join(map(str, cells))}",
    )


def table_rows(table: Tag) -> list[list[str]]:
    """The texts of an HTML table, row by row."""
    return [
        [cell.get_text().strip() for cell in row.find_all(["th", "td"])]
        for row in table.find_all("tr")
    ]


def shown(notebook: dict) -> Shown:
    """What an executed notebook shows, from its JSON."""
    found = Shown(named_numbers.glued_numbers(notebook["cells"]), [], [], {})
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {"text/plain": output.get("text", "")})
            plain, page = (
                "".join(data.get(kind, "")) for kind in ("text/plain", "text/html")
            )
            if FIGURE_MIME in data:
                found.figures[cell["metadata"]["mystnb"]["figure"]["name"]] = data[
                    FIGURE_MIME
                ]
            elif "<table" in page:
                found.tables.extend(
                    map(
                        table_rows, BeautifulSoup(page, "html.parser").find_all("table")
                    )
                )
            elif not {GLUE_PREFIX + "text/plain", "text/markdown"} & data.keys():
                found.lines.extend(
                    line.rstrip() for line in plain.splitlines() if line.strip()
                )
    return found


def read_shown(notebook: Path) -> Shown:
    return shown(json.loads(notebook.read_text(encoding="utf-8")))


def missing_outputs(old: Shown, new: Shown) -> Iterator[str]:
    """What one run shows and another does not: lines, rows of printed tables, figures. More may be shown."""
    was, now = (
        Counter([*one.lines, *(" | ".join(r) for t in one.tables for r in t)])
        for one in (old, new)
    )
    more = list((now - was).elements())
    for line in (was - now).elements():
        near = difflib.get_close_matches(line, more, 1, 0.5)
        yield f"{line!r}: {f'now {near[0]!r}' if near else 'missing'}"
    for name, record in old.figures.items():
        made = new.figures.get(name)
        if (
            found := compare_rows(record, made, _RELATIVE).differences
            if made
            else ["missing"]
        ):
            yield f"{name}: {'; '.join(found)}"
