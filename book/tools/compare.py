"""Whether two runs of a chapter agree: texts exactly, tables of figures as `book.tools.tables` compares them.

Across processors a picture and the last digits of its table may differ; so pictures are compared through
their tables, and text outputs, which hold rounded numbers, exactly.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from book.tools.tables import compare
from privml.notebook import FIGURE_MIME


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


def _agree(one: dict, other: dict) -> bool:
    (first, tables), (second, others) = _without_figures(one), _without_figures(other)
    return first == second and not any(compare(a, b).differences for a, b in zip(tables, others, strict=True))


def differing_cells(one: str, other: str) -> list[int]:
    """Numbers of the cells that differ in source, metadata, text outputs or, beyond rounding, tables."""
    first, second = _cells(one), _cells(other)
    pairs = zip(first, second, strict=False)
    found = [n for n, (a, b) in enumerate(pairs, 1) if not _agree(a, b)]
    return found + list(range(min(len(first), len(second)) + 1, max(len(first), len(second)) + 1))


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
