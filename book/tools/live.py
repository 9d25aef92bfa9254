"""What a page needs to run its own code: its cells, what each stands on, and the parameters."""

import ast
import io
import tokenize
from typing import Any

from book.tools.programme import HEAD, source, stands_on, tags, uses

PACKAGES = ["numpy", "scipy", "scikit-learn", "pandas", "matplotlib"]


def parameters(text: str) -> list[dict[str, str]]:
    """Name, value and comment of each assignment in the cell of parameters, as they are written."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {
        token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT
    }
    return [
        {
            "name": ast.unparse(node.targets[0]),
            "value": ast.get_source_segment(text, node.value),
            "comment": comments.get(node.end_lineno, ""),
        }
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
    ]


def contents(cells: list[dict], runtime: dict[str, Any]) -> dict[str, Any]:
    """What the page of a chapter fetches before it runs its first cell.

    Each cell comes with the places of the earlier ones that it stands on, the head of the chapter among them,
    and with the parameters that it or they read.
    """
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    head = [place for place, cell in enumerate(code) if HEAD & set(tags(cell))]
    given = next((parameters(source(cell)) for cell in code if "parameters" in tags(cell)), [])
    names, told = {parameter["name"] for parameter in given}, []
    for place, cell in enumerate(code):
        needed, _ = stands_on(source(cell), code[:place])
        read = set().union(*(uses(source(code[k]))[0] for k in [*needed, place]))
        told.append(
            {
                "code": source(cell),
                "tags": tags(cell),
                "needs": [*(k for k in head if k < place), *needed],
                "parameters": sorted(read & names),
            }
        )
    return {"cells": told, "parameters": given, "packages": PACKAGES, "runtime": runtime}
