"""What the units of the chapters hold, and which chapters have none yet: ``python -m book.units``.

References of chapters with units to statements under a star are faults only where the chapter of the
statement has units too (`book.check` refuses them); the others are listed here.
"""

import sys

from book.tools import command, leaning, units
from book.tools.chapters import Chapter, topics

_HEAD = ("words", "boxes", "lines", "inline", "displays", "figures", "minutes")


def main(arguments: list[str] | None = None) -> int:
    """Print a line for each unit; the exit status."""
    root = command.parser("units", __doc__).parse_args(arguments).root
    print(f"{'unit':40}" + "".join(f"{word:>9}" for word in _HEAD))
    without = []
    for topic in topics(root):
        text = Chapter(root, topic).source.read_text(encoding="utf-8")
        found = units.measures(text)
        without += [topic] if "\n## Recap\n" in text and not found else []
        for number, unit in enumerate(found, 1):
            print(f"{topic + ' ' + str(number):40}" + "".join(f"{n:9,}" for n in (*unit, unit.minutes)))
    print(f"{len(without)} chapters have no units: {', '.join(without)}")
    for reference in leaning.found(root)[1]:
        print(f"WAITS {reference}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
