"""What has no star leans on nothing that has one: references to statements that a first reading skips.

In a chapter with units (`book.tools.units`) no text without a star refers to a statement under one, of
whatever chapter: no unit, no bullet of the recap, no exercise. An exercise for the exact half has the class
`EXACT`, and the table of symbols says only where something stands; these two may refer to anything.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from book.tools import short_path
from book.tools.chapters import Chapter, topics
from book.tools.myst import TARGET, Block, Directive, Text, within
from book.tools.teaching import RECAP, SYMBOLS
from book.tools.units import has_units, is_directive

EXACT = "exact"


class Reference(NamedTuple):
    """A reference to a statement under a star, and the chapter of the statement."""

    topic: str
    line: int
    label: str
    home: str

    def __str__(self) -> str:
        place = f"book/{self.topic}.md:{self.line}"
        return f"{place}: what has no star refers to {self.label}, which stands under a star in {self.home}"


def starred(text: str) -> set[str]:
    """Labels of the statements of a chapter that stand under a star."""
    found: set[str] = set()
    above: list[str] = []  # targets that wait for their statement
    for block in [block for further, block in short_path.read_through(text) if further]:
        if isinstance(block, Text):
            for line in filter(str.strip, block.lines):
                target = TARGET.match(line)
                above = [*above, target["label"]] if target else []
        else:
            boxes = [
                one
                for one in filter(is_directive, within(block))
                if one.name.startswith("prf:")
            ]
            found |= {box.label for box in boxes} | set(above if boxes else [])
            above = []
    return {label.lower() for label in found if label}


def _in_exercises(read: list[Block]) -> Iterator[Block]:
    """Blocks of the exercises that are not for the exact half, with their solutions."""
    exact, skipped = set(), False
    for block in read:
        name = block.name if isinstance(block, Directive) else ""
        if name == "exercise-start":
            skipped = EXACT in block.classes
            exact |= {block.label} if skipped else set()
        elif name == "solution-start":
            skipped = block.argument in exact
        elif name in ("exercise-end", "solution-end"):
            skipped = False
        if not skipped:
            yield block


def _firm(text: str) -> Iterator[Block]:
    """Blocks of a chapter that must not lean on a star."""
    kept: dict[str, list[Block]] = {}
    for path, block in short_path.sections(text):
        if not any(map(short_path.is_further, path)):
            kept.setdefault(path[1] if len(path) > 1 else "", []).append(block)
    for title, read in kept.items():
        if title == "Exercises":
            yield from _in_exercises(read)
        elif title == RECAP:
            yield from _before_symbols(read)
        elif not title.startswith(short_path.END):
            yield from read


def _before_symbols(read: list[Block]) -> Iterator[Block]:
    for block in read:
        if isinstance(block, Text) and SYMBOLS in block.lines:
            yield Text(block.lines[: block.lines.index(SYMBOLS)], block.line)
            return
        yield block


def references(text: str) -> Iterator[tuple[int, str]]:
    """What a chapter refers to where it must not lean on a star: lines and labels."""
    for one in [one for block in _firm(text) for one in short_path.read(block)]:
        is_text = isinstance(one, Text)
        first, said = (
            (one.line, "\n".join(one.lines)) if is_text else (one.opened, one.argument)
        )
        for found in short_path.REFERENCE.finditer(said):
            yield first + said.count("\n", 0, found.start()), found[1].strip().lower()


def found(root: Path, only: Collection[str] = ()) -> list[Reference]:
    """References of chapters with units, or of some of them, to statements under a star."""
    texts = {
        topic: Chapter(root, topic).source.read_text(encoding="utf-8")
        for topic in topics(root)
    }
    home = {label: topic for topic, text in texts.items() for label in starred(text)}
    return [
        Reference(topic, line, label, home[label])
        for topic, text in texts.items()
        if (not only or topic in only) and has_units(text)
        for line, label in references(text)
        if label in home
    ]
