"""Tables of the chapters in README: ``python -m book.readme`` writes them from the executed notebooks.

A table is known by its columns, and stands in README between two marks. `tests/book/test_readme.py` holds
README to the notebooks.
"""

import sys
from pathlib import Path

from benchmarks.table import shown
from book.tools import command
from book.tools.chapters import Chapter, write_whole
from book.tools.compare import read_shown

TABLES = {
    "how-much-is-wasted": [
        "algorithm",
        "printed",
        "proved",
        "attained",
        "least",
        "most",
    ],
    "thresholds-and-littlestone": ["beta", "delta", *(f"K = {K}" for K in range(2, 9))],
}


def markdown(table: list[list[str]]) -> str:
    """A printed table as Markdown."""
    rows = [table[0], ["---"] * len(table[0]), *table[1:]]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def written(root: Path) -> str:
    """README with the tables that the committed notebooks show."""
    text = (root / "README.md").read_text(encoding="utf-8")
    for topic, columns in TABLES.items():
        [table] = [
            t
            for t in read_shown(Chapter(root, topic).notebook).tables
            if t[0] == columns
        ]
        text = shown(text, markdown(table), f"book.readme: {topic}")
    return text


def main(arguments: list[str] | None = None) -> int:
    root = command.parser("readme", __doc__).parse_args(arguments).root
    write_whole(root / "README.md", written(root))
    return 0


if __name__ == "__main__":
    sys.exit(main())
