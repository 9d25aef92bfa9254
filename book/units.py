"""What the units of the chapters hold: ``python -m book.units``."""

import sys

from book.tools import command, units
from book.tools.chapters import Chapter, topics

_HEAD = ("words", "boxes", "lines", "inline", "displays", "figures", "minutes")


def main(arguments: list[str] | None = None) -> int:
    """Print a line for each unit; the exit status."""
    root = command.parser("units", __doc__).parse_args(arguments).root
    print(f"{'unit':40}" + "".join(f"{word:>9}" for word in _HEAD))
    for topic in topics(root):
        found = units.measures(Chapter(root, topic).source.read_text(encoding="utf-8"))
        for number, unit in enumerate(found, 1):
            print(f"{topic + ' ' + str(number):40}" + "".join(f"{n:9,}" for n in (*unit, unit.minutes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
