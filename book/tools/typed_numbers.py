"""Numbers typed in sentences: a decimal number in the prose of a chapter comes from a cell or is marked.

A chapter shows a number as ``{glue:text}`name```; a number of a source is marked, ``[0.201]{.quoted}``, and
so is one of an instance that is worked by hand, ``[0.53]{.worked}``. Any other decimal number in a sentence
could stop being true without anybody noticing, so it is a fault. Formulas are sentences: a decimal in one
is a number like any other, and constants such as one half are written as fractions. Whole numbers, numbers
of sections and statements ("Theorem 3.2"), versions, code, links, citations and options of directives are
left alone. Captions and text alternatives cannot hold computed numbers: a decimal in one must be a number
of the figure's code or of its published table, rounded as it is typed.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from book.tools.myst import VERBATIM, Directive, Text, walk, without_header

_NUMBER = re.compile(
    r"""(?x)(?<![\w.\\])             # not inside a word, a version or a label
        (?:\d[\d,]*\.\d+|\.\d+|\d+(?=[eE][-+]?\d))
        (?:[eE][-+]?\d+)?
        (?![\w]|\.\d)"""
)
_NUMBERED = re.compile(
    r"(?i)(?:§|\b(?:algorithm|appendix|chapter|claim|corollary|definition|equation|example|exercise|fact|figure|"
    r"lemma|part|proposition|python|remark|section|table|theorem|version|CC[ ]BY)s?)"
    r"(?:[ \n~]\(?[\d.]+(?:,| and| or| to|–))*[ \n~]\(?$"
)
_ALONE = (
    re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL),  # code, roles
    re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\{[^{}]*\.(?:quoted|worked)\b[^{}]*\}"),
    re.compile(r"\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)|<[a-z]+:[^>\s]*>|\b[a-z]+://\S+"),  # addresses
    re.compile(r"\b(?:doi|arxiv|isbn):\s?\S+", re.IGNORECASE),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"^(?:\([^\s()]+\)=|%.*|\+\+\+.*)$", re.MULTILINE),  # targets, comments, breaks
)
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z$*\[{(])|\n\s*\n|\n(?=\s*(?:[-*#|>]|\d+\.)\s)")
_SILENT = VERBATIM - {"math"} | {"bibliography", "image", "figure", "toctree", "tableofcontents"}


class Typed(NamedTuple):
    """A decimal number that was typed: its line, itself, and the sentence around it."""

    line: int
    number: str
    sentence: str


def _decimals(text: str) -> Iterator[re.Match]:
    """Decimal numbers of a text that do not count something in a document."""
    for pattern in _ALONE:
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)  # so that places stay
    for found in _NUMBER.finditer(text):
        if not _NUMBERED.search(text[: found.start()]):
            yield found


def _sentence(text: str, place: int) -> str:
    """The sentence of a text that holds a place."""
    ends = [match.span() for match in _SENTENCE_END.finditer(text)]
    begin = max((end for _, end in ends if end <= place), default=0)
    stop = min((start for start, _ in ends if start > place), default=len(text))
    return " ".join(text[begin:stop].split())


def in_text(text: str, first: int = 1) -> Iterator[Typed]:
    """Decimal numbers typed in running text whose first line has the number `first`."""
    for found in _decimals(text):
        line = first + text.count("\n", 0, found.start())
        yield Typed(line, found[0], _sentence(text, found.start()))


def in_source(text: str) -> list[Typed]:
    """Decimal numbers typed in the sentences of a page or chapter."""
    found: list[Typed] = []
    for block in walk(*without_header(text)):
        if isinstance(block, Text):
            found += in_text("\n".join(block.lines), block.line)
        elif isinstance(block, Directive):
            if block.name not in _SILENT:
                found += in_text(block.argument, block.opened)
            if block.name == "math":
                found += in_text("\n".join(block.lines), block.line)
    return sorted(found)


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def in_description(description: str, code: str, entries: Iterable[float]) -> list[str]:
    """Decimal numbers of a caption or text alternative that stand neither in the code nor in the table.

    Entries of the table count as rounded to the decimals that are typed.
    """
    entries, named = list(entries), {_value(match[0]) for match in _NUMBER.finditer(code)}
    found = []
    for number in [match[0] for match in _decimals(description)]:
        half = int(Decimal(number.replace(",", "")).as_tuple().exponent)
        close = any(abs(entry - _value(number)) <= 0.5000001 * 10.0**half for entry in entries)
        if _value(number) not in named and not close:
            found.append(number)
    return found


def faults(text: str, name: str) -> list[str]:
    """Typed numbers of a page as sentences that begin with its name and line."""
    advice = "take it from a cell ({glue:text}) or mark it ([...]{.quoted}, or [...]{.worked} by hand)"
    return [
        f"{name}:{line}: the decimal number {number} is typed in a sentence; {advice}: {sentence}"
        for line, number, sentence in in_source(text)
    ]
