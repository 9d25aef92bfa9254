"""Whether a chapter still says what is committed: ``make verify CHAPTER=experts``.

    python -m book.verify TOPIC

The chapter is executed from its source, and each cell is compared with the committed notebook, which stays:
texts exactly, tables of figures to the tolerance of `book.tools.tables`; pictures may differ, since another
processor draws them in other bytes. The hash at the end is the one at the foot of the chapter's page when all
outputs agree.
"""

import json
import sys
from itertools import zip_longest
from pathlib import Path

from book.tools import command
from book.tools.chapters import Chapter
from book.tools.compare import (
    counted_outputs,
    differences,
    fingerprint,
    with_published_digits,
)
from book.tools.execute import executed
from book.tools.figures import cells_of
from book.tools.normalise import normalised

_KINDS = ("texts", "tables", "pictures")


def committed(root: Path, topic: str) -> Chapter:
    """The chapter with a name; ValueError when there is none or nothing of it is committed."""
    chapter = command.chapter("CHAPTER", root, topic)
    if not chapter.notebook.exists():
        raise ValueError(
            f"CHAPTER must have a notebook, {topic} has none: make book makes it"
        )
    return chapter


def report(old: list[dict], made: list[dict]) -> int:
    """Print cell by cell how a fresh run compares with the committed one; the number of cells that differ."""
    shown = failed = 0
    for number, (before, now) in enumerate(zip_longest(old, made), 1):
        found = differences(before, now)
        failed += bool(found)
        if found:
            print(f"cell {number}: DIFFERS", *found, sep="\n    ")
        elif any(told := counted_outputs(before)):
            shown += 1
            counted = ", ".join(
                f"{kind} {n}" for kind, n in zip(_KINDS, told, strict=True) if n
            )
            redrawn = "; last digits or pictures differ" if before != now else ""
            print(f"cell {number}: agrees ({counted}{redrawn})")
    print(f"{shown} cells with outputs agree, {failed} cells differ")
    return failed


def verify(chapter: Chapter) -> bool:
    """Execute a chapter and print what agrees and both hashes; whether all does."""
    old, made = (
        cells_of(chapter.notebook),
        json.loads(normalised(executed(chapter)))["cells"],
    )
    failed = report(old, made)
    published, found = fingerprint(old), fingerprint(with_published_digits(old, made))
    print(
        f"outputs {found}, "
        + ("as" if published == found else f"not {published} as")
        + " committed"
    )
    return not failed


@command.exits_on_errors("verify")
def main(arguments: list[str] | None = None) -> int:
    parser = command.parser("verify", __doc__)
    parser.add_argument("topic", metavar="TOPIC", help="the chapter")
    options = parser.parse_args(arguments)
    chapter = committed(options.root, options.topic)
    return command.status_of(
        "verify", chapter.topic, lambda: 0 if verify(chapter) else 1
    )


if __name__ == "__main__":
    sys.exit(main())
