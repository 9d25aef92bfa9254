"""Two runs of the chapters compared: numbers of the prose, printed tables and lines, tables of figures.

    python -m book.golden OLD NEW [TOPIC ...]

OLD and NEW are folders of executed notebooks. What the old ones show must be in the new ones, in whatever
cell; more may be there. Numbers of the prose are compared by name, printed lines and rows as texts, tables of
figures by the figure's name, to one unit of the ninth digit, which is what is recorded (`book.tools.tables`).
"""

import sys
from pathlib import Path

from book.tools import command
from book.tools.compare import lost, lost_values, read


def faults(old: Path, new: Path) -> list[str]:
    """What a notebook shows and another does not."""
    if missing := [f"no {file}" for file in (old, new) if not file.exists()]:
        return missing
    one, other = read(old), read(new)
    return [*lost_values(one, other), *lost(one, other)]


def main(arguments: list[str] | None = None) -> int:
    parser = command.parser("golden", __doc__)
    parser.add_argument("old", type=Path, help="folder of the notebooks that are right")
    parser.add_argument("new", type=Path, help="folder of those to compare")
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help="chapters (default: all of OLD)")
    options = parser.parse_args(arguments)
    for folder in (options.old, options.new):
        if not any(folder.glob("*.ipynb")):
            print(f"golden: {folder} must be a folder of notebooks", file=sys.stderr)
            return 2
    topics = options.topics or sorted(file.stem for file in options.old.glob("*.ipynb"))
    pairs = {topic: [folder / f"{topic}.ipynb" for folder in (options.old, options.new)] for topic in topics}
    found = {topic: faults(*files) for topic, files in pairs.items()}
    for topic, lines in found.items():
        print(*[f"{topic}: {line}\n" for line in lines], sep="", end="")
    bad = [topic for topic, lines in found.items() if lines]
    print(f"{len(found) - len(bad)} chapters agree, {len(bad)} differ", *bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
