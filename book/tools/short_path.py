"""The short path through a chapter: which sections are core, and how long they are.

A section whose heading ends with a star is *further*: it can be skipped at a first reading, with all below
it. All else is *core*, but for what stands at the end of each chapter (`END`), which nobody reads through.
Counted are words of sentences; a formula, a computed number and a reference are a word each, code is none.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from book.tools.myst import (
    TARGET,
    VERBATIM,
    Block,
    Directive,
    Text,
    blocks,
    without_header,
)

STAR = " *"
STARRED = "Sections with a star can be skipped at a first reading."
# An assumption, not a measurement: prose is read at 200 to 250 words a minute, proofs at half of it at best.
WORDS_A_MINUTE = 100
END = ("Recap", "Exercises", "Sources", "What next")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$")
_SYMBOLS = re.compile(
    r"\$\$.*?\$\$|\$[^$]+\$|(?:\{[\w:.+-]+\})?(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
REFERENCE = re.compile(r"\{(?:prf:ref|numref|ref|eq)\}`(?:[^`<]*<)?([^`<>]+)>?`")
_UNREAD = VERBATIM | {"bibliography", "erratum", "figure", "image", "margin"}


class Length(NamedTuple):
    """Words of the core and of the further sections of a chapter, and the minutes of its units."""

    core: int
    further: int
    units: tuple[int, ...] = ()

    @property
    def minutes(self) -> int:
        """Minutes that the core takes: those of its units, or to the nearest five, at least five."""
        return sum(self.units) or max(5, 5 * round(self.core / WORDS_A_MINUTE / 5))


def is_further(title: str) -> bool:
    """Whether a heading marks its section as further."""
    return title.endswith(STAR)


def words(text: str) -> int:
    """Words of a text, a formula, code and a reference each as one."""
    return len(_WORD.findall(_SYMBOLS.sub(" x ", text)))


def read(block: Block) -> Iterator[Text | Directive]:
    """The blocks of a block that are read, itself first."""
    if isinstance(block, Text):
        yield block
    elif isinstance(block, Directive) and block.name not in _UNREAD:
        yield block
        for inner in blocks(block.lines, block.line):
            yield from read(inner)


def sentences(block: Block) -> Iterator[str]:
    """Texts of a block that are read: of a directive its title, where it has one in words, and its body."""
    for one in read(block):
        if isinstance(one, Text):
            yield "\n".join(line for line in one.lines if not TARGET.match(line))
        elif one.name.startswith("prf:"):
            yield one.argument


def sections(text: str) -> Iterator[tuple[list[str], Block]]:
    """Blocks of a chapter with the headings above each, from the title down; a heading begins a block."""
    path: list[str] = []
    for block in blocks(*without_header(text)):
        if not isinstance(block, Text):
            yield path, block
            continue
        begin = 0
        for number, line in enumerate(block.lines):
            if heading := _HEADING.match(line):
                yield path, Text(block.lines[begin:number], block.line + begin)
                path, begin = [*path[: len(heading[1]) - 1], heading[2]], number
        yield path, Text(block.lines[begin:], block.line + begin)


def read_through(text: str) -> Iterator[tuple[bool, Block]]:
    """Blocks of a chapter without its end, and whether each is further."""
    for path, block in sections(text):
        if len(path) < 2 or not path[1].startswith(END):
            yield any(map(is_further, path)), block


def length(text: str) -> Length:
    """Words of a chapter, given its source."""
    number = {True: 0, False: 0}
    for further, block in read_through(text):
        number[further] += sum(map(words, sentences(block)))
    return Length(number[False], number[True])


def references(text: str) -> set[str]:
    """Labels of statements, figures and exercises to which the core of a chapter refers."""
    core = [
        one
        for further, block in read_through(text)
        if not further
        for one in [*read(block)][:1]
    ]
    return {label for one in core for label in REFERENCE.findall("\n".join(one.lines))}
