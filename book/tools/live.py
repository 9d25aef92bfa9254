"""What a page needs to run its own code: its cells, what each stands on, and the parameters."""

import ast
import io
import re
import tokenize
from typing import Any

from book.tools import figures, named_numbers
from book.tools.chapter_code import HEAD, source, stands_on, tags, uses
from privml.notebook import FIGURE_MIME

PACKAGES = ["numpy", "scipy", "scikit-learn", "pandas", "matplotlib"]
_LIMITS = {
    r"at least ([\d,.]*\d)": ">=",
    r"at most ([\d,.]*\d)": "<=",
    r"more than ([\d,]+)": ">",
}
_LIMITS |= {
    r"from (\d+) to \d+": ">=",
    r"from \d+ to (\d+)": "<=",
    r"below 1/(\d+)": "<1/",
}


def limits(comment: str) -> list[list[Any]]:
    """What the remark on a parameter allows: pairs of a sign and a number.

    >>> limits("records, at least 5, at most 1,057")
    [['>=', 5.0], ['<=', 1057.0]]
    >>> limits("of the survey, from 3 to 8"), limits("where one is needed, below 1/2")
    ([['>=', 3.0], ['<=', 8.0]], [['<', 0.5]])
    """
    signs = [(sign, re.search(words, comment)) for words, sign in _LIMITS.items()]
    found = [(sign, float(match[1].replace(",", ""))) for sign, match in signs if match]
    return [
        ["<", 1 / number] if sign == "<1/" else [sign, number] for sign, number in found
    ]


def parameter_fields(text: str) -> list[dict[str, Any]]:
    """Name, value, comment and limits of each assignment in the cell of parameters, as they are written."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = [token for token in tokens if token.type == tokenize.COMMENT]
    comments: dict[int | None, str] = {
        token.start[0]: token.string.lstrip("# ") for token in found
    }
    return [
        {
            "name": ast.unparse(node.targets[0]),
            "value": ast.get_source_segment(text, node.value),
            "comment": comments.get(node.end_lineno, ""),
            "limits": limits(comments.get(node.end_lineno, "")),
        }
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
    ]


def _overwritten_pairs(
    code: list[dict], place: int, needed: list[int]
) -> list[list[int]]:
    """Pairs of cells: where the second has run after the first, the first has to run again before this one.

    The first is a cell on which this one stands. The second binds the same names anew, and is this cell or
    comes after it; or the first changes in place what the second bound.
    """
    wanted = set().union(*(uses(source(code[k]))[0] for k in [*needed, place]))
    found = []
    for k in needed:
        _, binds, changes = uses(source(code[k]))
        later = range(place, len(code)) if binds & wanted else ()
        found += [
            [k, i] for i in needed if i < k and changes & uses(source(code[i]))[1]
        ]
        found += [[k, i] for i in later if binds & wanted & uses(source(code[i]))[1]]
    return found


def _rows(cell: dict) -> list[list[Any]]:
    """The table of a cell's figure to six digits, by which a page says whether a run drew another."""
    records = [
        output.get("data", {}).get(FIGURE_MIME) for output in cell.get("outputs", [])
    ]
    rows = next((record["rows"] for record in records if record), [])
    return [
        [float(f"{x:.5e}") if isinstance(x, float) else x for x in row] for row in rows
    ]


def contents(cells: list[dict], runtime: dict[str, Any]) -> dict[str, Any]:
    """What the page of a chapter fetches before it runs its first cell.

    Each cell comes with the places of the earlier ones that it stands on, the head of the chapter among them,
    with the parameters that it or they read, with the names of its numbers in the text, and with what its
    figure showed and says.
    """
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    head = [place for place, cell in enumerate(code) if HEAD & set(tags(cell))]
    held = next(
        (parameter_fields(source(cell)) for cell in code if "parameters" in tags(cell)),
        [],
    )
    names, told = {parameter["name"] for parameter in held}, []
    for place, cell in enumerate(code):
        needed, _ = stands_on(source(cell), code[:place])
        read = set().union(*(uses(source(code[k]))[0] for k in [*needed, place]))
        told.append(
            {
                "code": source(cell),
                "tags": tags(cell),
                "needs": [*(k for k in head if k < place), *needed],
                "parameters": sorted(read & names),
                "spoiled": _overwritten_pairs(code, place, needed),
                "values": list(named_numbers.shown_values([cell])),
                "table": _rows(cell),
                "alt": figures.described(cell)["image"].get("alt", ""),
            }
        )
    return {"cells": told, "parameters": held, "packages": PACKAGES, "runtime": runtime}
