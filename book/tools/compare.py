"""Whether two runs of a chapter agree: texts exactly, tables of figures as `book.tools.tables` compares them.

Across processors a picture and the last digits of its table may differ; so pictures are compared through
their tables, and text outputs, which hold rounded numbers, exactly.
`fingerprint` is a name for what is compared of the outputs.
"""

import hashlib
import json
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from book.tools.tables import compare
from privml.notebook import FIGURE_MIME

_SHORT = 12
_LONGEST = 200


class Agreement(NamedTuple):
    """Result of comparing two notebooks: a sentence, and whether what a reader relies on is the same."""

    same: bool
    sentence: str


def _cells(text: str) -> list[dict]:
    return json.loads(text)["cells"]


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


def parts(cell: dict) -> tuple[int, int, int]:
    """Numbers of texts, tables and pictures among the outputs of a cell."""
    outputs = cell.get("outputs", [])
    kinds = [kind for output in outputs for kind in output.get("data", ["text/plain"])]
    pictures = sum(kind.startswith("image/") for kind in kinds)
    tables = kinds.count(FIGURE_MIME)
    return len(kinds) - tables - pictures, tables, pictures


def _first_change(one: Any, other: Any) -> str:
    """The first line in which two outputs differ."""
    lines = [json.dumps(text, indent=1, ensure_ascii=False).splitlines() for text in (one, other)]
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
    return found + [line for a, b in zip(tables, others, strict=True) for line in compare(a, b).differences]


def differing_cells(one: str, other: str) -> list[int]:
    """Numbers of the cells that differ."""
    return [n for n, pair in enumerate(zip_longest(_cells(one), _cells(other)), 1) if differences(*pair)]


def settled(published: list[dict], made: list[dict]) -> list[dict]:
    """The cells of a fresh run, those that agree with the published ones with the last digits of these."""
    pairs = zip_longest(published, made)
    return [a if a and not differences(a, b) else b for a, b in pairs if b is not None]


def fingerprint(cells: list[dict]) -> str:
    """A short hash of the outputs of cells: texts and tables, not pictures."""
    outputs = [[*_without_figures(cell)[0].get("outputs", []), _without_figures(cell)[1]] for cell in cells]
    text = json.dumps([told for told in outputs if told != [[]]], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_SHORT]


def agreement(committed: Path, made: str) -> Agreement:
    """How a fresh run compares with the committed notebook.

    Parameters
    ----------
    committed : Path
        The notebook on disk; it may be missing.
    made : str
        Normal form of the fresh run.
    """
    if not committed.exists():
        return Agreement(False, "is new, nothing was committed")
    old = committed.read_text(encoding="utf-8")
    if old == made:
        return Agreement(True, "matches the committed outputs byte for byte")
    cells = differing_cells(old, made)
    if not cells:
        return Agreement(True, "matches the committed texts and tables (pictures or last digits differ)")
    return Agreement(False, f"differs from the committed notebook in cells {', '.join(map(str, cells))}")
