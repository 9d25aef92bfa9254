"""The short path through a chapter: which sections are core, and how long they are.

A section whose heading ends with a star is *further*: it can be skipped at a first reading, with all below
it. All else is *core*, but for what stands at the end of each chapter (`_END`), which nobody reads through.
Counted are words of sentences; a formula, a computed number and a reference are a word each, code is none.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from book.tools.myst import TARGET, VERBATIM, Block, Directive, Text, blocks, without_header

STAR = " *"
# An assumption, not a measurement: prose is read at 200 to 250 words a minute, proofs at half of it at best.
WORDS_A_MINUTE = 100
_END = ("Recap", "Exercises", "Errata", "Sources")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$")
_SYMBOLS = re.compile(r"\$\$.*?\$\$|\$[^$]+\$|(?:\{[\w:.+-]+\})?(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_UNREAD = VERBATIM | {"bibliography", "erratum", "figure", "image", "margin"}


class Length(NamedTuple):
    """Words of the core and of the further sections of a chapter."""

    core: int
    further: int

    @property
    def minutes(self) -> int:
        """Minutes that the core takes, to the nearest five; at least five."""
        return max(5, 5 * round(self.core / WORDS_A_MINUTE / 5))


def is_further(title: str) -> bool:
    """Whether a heading marks its section as further."""
    return title.endswith(STAR)


def words(text: str) -> int:
    """Words of a text, a formula, code and a reference each as one."""
    return len(_WORD.findall(_SYMBOLS.sub(" x ", text)))


def _sentences(block: Block) -> Iterator[str]:
    """Texts of a block that are read: of a directive its title, where it has one in words, and its body."""
    if isinstance(block, Text):
        yield "\n".join(line for line in block.lines if not TARGET.match(line))
    elif isinstance(block, Directive) and block.name not in _UNREAD:
        yield block.argument if block.name.startswith("prf:") else ""
        for inner in blocks(block.lines):
            yield from _sentences(inner)


def _sections(text: str) -> Iterator[tuple[list[str], list[Block]]]:
    """Headings above each stretch of a chapter, from the title down, and what stands in the stretch."""
    path: list[str] = []
    for block in blocks(*without_header(text)):
        if not isinstance(block, Text):
            yield path, [block]
            continue
        begin = 0
        for number, line in enumerate(block.lines):
            if heading := _HEADING.match(line):
                yield path, [Text(block.lines[begin:number], 0)]
                path, begin = [*path[: len(heading[1]) - 1], heading[2]], number
        yield path, [Text(block.lines[begin:], 0)]


def length(text: str) -> Length:
    """Words of a chapter, given its source."""
    core = further = 0
    for path, stretch in _sections(text):
        if len(path) > 1 and path[1].startswith(_END):
            continue
        n_words = sum(words(said) for block in stretch for said in _sentences(block))
        if any(map(is_further, path)):
            further += n_words
        else:
            core += n_words
    return Length(core, further)
