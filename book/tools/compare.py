"""Whether two runs of a chapter agree: texts and plotted tables exactly, pictures only on one machine.

Across processors a picture may differ in its last bits while the table it draws is the same; so pictures are
compared through their tables, and text outputs, which hold rounded numbers, exactly.
"""

import json
from pathlib import Path
from typing import NamedTuple


class Agreement(NamedTuple):
    """Result of comparing two notebooks: a sentence, and whether what a reader relies on is the same."""

    same: bool
    sentence: str


def _cells(text: str) -> list[dict]:
    return json.loads(text)["cells"]


def _without_pictures(cell: dict) -> dict:
    """A cell with every picture replaced by its kind."""
    cell = json.loads(json.dumps(cell))
    for output in cell.get("outputs", []):
        for mime in output.get("data", {}):
            if mime.startswith("image/"):
                output["data"][mime] = "picture"
    return cell


def differing_cells(one: str, other: str) -> list[int]:
    """Numbers of the cells that differ in source, metadata, text outputs or plotted tables."""
    first, second = _cells(one), _cells(other)
    pairs = zip(first, second, strict=False)
    found = [n for n, (a, b) in enumerate(pairs, 1) if _without_pictures(a) != _without_pictures(b)]
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
        return Agreement(True, "matches the committed texts and tables (pictures differ in their bytes)")
    return Agreement(False, f"differs from the committed notebook in cells {', '.join(map(str, cells))}")
