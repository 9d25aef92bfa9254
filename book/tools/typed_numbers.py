"""Decimal numbers in captions and text alternatives, which cannot hold computed numbers.

A decimal in a caption or in the text alternative of a figure must be a number of the figure's code or of its
published table, rounded as it is typed. Numbers of sections and statements ("Theorem 3.2"), versions, code,
links and citations are left alone.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

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
    re.compile(
        r"\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)|<[a-z]+:[^>\s]*>|\b[a-z]+://\S+"
    ),  # addresses
    re.compile(r"\b(?:doi|arxiv|isbn):\s?\S+", re.IGNORECASE),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(
        r"^(?:\([^\s()]+\)=|%.*|\+\+\+.*)$", re.MULTILINE
    ),  # targets, comments, breaks
)


def _decimals(text: str) -> Iterator[re.Match]:
    """Decimal numbers of a text that do not count something in a document."""
    for pattern in _ALONE:
        text = pattern.sub(
            lambda match: re.sub(r"[^\n]", " ", match[0]), text
        )  # so that places stay
    for found in _NUMBER.finditer(text):
        if not _NUMBERED.search(text[: found.start()]):
            yield found


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def in_description(description: str, code: str, entries: Iterable[float]) -> list[str]:
    """Decimal numbers of a caption or text alternative that stand neither in the code nor in the table.

    Entries of the table count as rounded to the decimals that are typed.
    """
    entries, named = (
        list(entries),
        {_value(match[0]) for match in _NUMBER.finditer(code)},
    )
    found = []
    for number in [match[0] for match in _decimals(description)]:
        half = int(Decimal(number.replace(",", "")).as_tuple().exponent)
        close = any(
            abs(entry - _value(number)) <= 0.5000001 * 10.0**half for entry in entries
        )
        if _value(number) not in named and not close:
            found.append(number)
    return found
