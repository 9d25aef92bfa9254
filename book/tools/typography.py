"""Setting the inventory's mixed notation: LaTeX between dollars, and formulas typed as plain text.

The inventory writes ``$\\varepsilon$`` in some places and ``e^{-eps n}`` in others. LaTeX goes to MathJax as
it is; plain text stays text, with Greek letters, relations, roots, indices and exponents set as such. Nothing
here knows HTML or Sphinx: a text becomes pieces, and whoever makes the page escapes them.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import normalize

from book.tools.inventory import ID

_NAMES = (
    "alpha beta gamma Gamma delta Delta epsilon eps zeta eta theta Theta lambda Lambda mu nu xi pi rho sigma "
    "tau phi Phi omega Omega"
)
_GREEK = dict(zip(_NAMES.split(), "αβγΓδΔεεζηθΘλΛμνξπρστφΦωΩ", strict=True))
_SIGNS = {
    "<=": "≤",
    ">=": "≥",
    "!=": "≠",
    "=>": "⇒",
    "->": "→",
    "<-": "←",
    ">>": "≫",
    "+/-": "±",
    "=infinity": "=∞",
}
_ACCENTS = {"hat": "\u0302", "tilde": "\u0303"}
_OPERATORS = "min|max|sup|inf|log|lim|sum|argmin|argmax|Vote|VC"

_WORD = re.compile(rf"(?<![A-Za-z])({'|'.join(_GREEK)})(?![a-z])")
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
_ROOT = re.compile(r"\bsqrt(?:\s+|(?=\())")
_ACCENT = re.compile(r"(?<![^\W_])([A-Za-zΑ-Ωα-ω])-(hat|tilde)\b")
_TIMES = re.compile(r"(?<=[\dA-Z})]) x (?=[\dA-Z{])")
_MINUS = re.compile(r"(?<![^\W_])(?<!\))-(?=\.?\d)")
_PRIME = re.compile(r"(?<![^\W\d_])([^\W\d_])'(?![^\W_])")
_MATHS = re.compile(r"\$([^$]+)\$")
_MARK = re.compile(
    r"(?P<sup>\^)(?=\{|[-−]?\w|\*)"
    rf"|(?:(?<![^\W_])[A-Za-zα-ωΑ-Ω]′?|\b(?:{_OPERATORS})|[)|∑])(?P<sub>_)(?=\{{|\w|\+)"
)
_ARGUMENTS = {
    "sup": re.compile(r"[-−]?[^\W_]+(?:\.\d+)?|[*+]"),
    "sub": re.compile(r"[^\W_]+(?:_[^\W_]+)*|\+"),
}


class Piece(NamedTuple):
    """A stretch of one kind: ``text``, ``math`` (LaTeX), ``id`` (of an item), ``sub`` or ``sup``."""

    kind: str
    text: str
    parts: tuple["Piece", ...] = ()


def _letters(text: str) -> str:
    """Greek letters, relations, roots and accents of plain text."""
    text = _SIGN.sub(lambda sign: _SIGNS[sign[0]], text)
    text = _WORD.sub(lambda word: _GREEK[word[1]], text)
    text = _TIMES.sub(" × ", _ROOT.sub("√", text))
    text = _MINUS.sub("\N{MINUS SIGN}", _PRIME.sub("\\1\N{PRIME}", text))
    text = re.sub(r"\bsum(?=_)", "∑", text)
    return _ACCENT.sub(lambda accent: normalize("NFC", accent[1] + _ACCENTS[accent[2]]), text)


def _group(text: str, start: int) -> tuple[str, int]:
    """Content of the braces that open at `start`, and where they end."""
    depth = 0
    for end in range(start, len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if depth == 0:
            return text[start + 1 : end], end + 1
    raise ValueError(f"braces must be balanced, got {text!r}")


def _argument(kind: str, text: str, start: int) -> tuple[str, int]:
    """The index or exponent that begins at `start`, and where it ends."""
    if text[start] == "{":
        return _group(text, start)
    found = _ARGUMENTS[kind].match(text, start)
    words = "∞" if found[0] == "inf" else found[0].replace("_", " ")
    return words, found.end()


def _plain(text: str) -> Iterator[Piece]:
    """Pieces of text without LaTeX and without ids, its letters already set."""
    done = 0
    while mark := _MARK.search(text, done):
        kind, where = mark.lastgroup, mark.end(mark.lastgroup)
        yield Piece("text", text[done : where - 1])
        moved, done = _argument(kind, text, where)
        moved = moved.replace("-", "\N{MINUS SIGN}")
        yield Piece(kind, moved, tuple(_plain(moved)))
    if text[done:]:
        yield Piece("text", text[done:])


def _with_ids(text: str) -> Iterator[Piece]:
    done = 0
    for found in ID.finditer(text):
        yield from _plain(_letters(text[done : found.start()]))
        yield Piece("id", found[0])
        done = found.end()
    yield from _plain(_letters(text[done:]))


def pieces(text: str) -> list[Piece]:
    """Pieces of a text of the inventory, in order.

    Parameters
    ----------
    text : str
        Title, statement or part of an erratum.

    Returns
    -------
    list of Piece
        Without empty pieces; neighbouring pieces of one kind may follow each other.

    Raises
    ------
    ValueError
        When dollars or braces are not balanced.
    """
    if text.count("$") % 2:
        raise ValueError(f"dollars must be balanced, got {text!r}")
    found: list[Piece] = []
    for number, part in enumerate(_MATHS.split(text)):
        found += [Piece("math", part)] if number % 2 else _with_ids(part)
    return [piece for piece in found if piece.text]
