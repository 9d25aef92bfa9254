"""Report the size of the code in nodes of the syntax tree: ``make size``.

Laying code out (one assignment a line, an ``if`` in place of a conditional expression) changes this number by
a few per cent, while it changes the number of lines by two thirds. Nothing is gained by squeezing code, and
only deleting makes the number smaller. It is read in review; no test holds it.
"""

import ast
import sys
from collections import Counter
from pathlib import Path

from book.tools import command

FOLDERS = ("privml", "book", "tests")
_CONTEXTS = (ast.Load, ast.Store, ast.Del)


def nodes(code: str) -> int:
    """Number of nodes of the syntax tree, without docstrings and the contexts of names."""
    tree = ast.parse(code)
    documented = (
        isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and ast.get_docstring(node, clean=False) is not None
        for node in ast.walk(tree)
    )
    kept = sum(not isinstance(node, _CONTEXTS) for node in ast.walk(tree))
    return kept - 2 * sum(documented)  # a docstring is an expression and a constant


def report(root: Path, folder: str) -> Counter[str]:
    """Number of nodes of each part of a folder."""
    sizes: Counter[str] = Counter()
    for file in sorted((root / folder).rglob("*.py")):
        part = file.relative_to(root / folder).parts[0].removesuffix(".py")
        sizes[part] += nodes(file.read_text(encoding="utf-8"))
    return sizes


@command.exits_on_errors("size")
def main(arguments: list[str] | None = None) -> int:
    """Print the sizes, the largest part of each folder first."""
    root = command.parser("size", __doc__).parse_args(arguments).root
    for folder in FOLDERS:
        sizes = report(root, folder)
        for part, size in sizes.most_common():
            print(f"{size:9,}  {folder}/{part}")
        print(f"{sizes.total():9,}  {folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
