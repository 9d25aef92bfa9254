"""Code of the library within the page's column: long lines are broken, and mean what they meant.

The package has lines of 110 characters and the column of a chapter holds 84; the rest would have to be
scrolled. A line is broken at its outermost commas or operators, within brackets that stand open anyway or
that are put around; a remark that is too long goes above its line. Where the syntax tree would change, the
code stays as it is.
"""

import ast
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator
from itertools import pairwise

COLUMNS = 84
_JOINED = ("+", "-", "==", "!=", "<=", "<", ">=", ">", "*", "/", "@")
_OPERATORS = (("or", "and"), ("if", "else", "for"), _JOINED)
_STATEMENT = re.compile(r"(return |if |elif |while |[^=(]*? = )(.*?)(:?)")
_STRING = re.compile(r'(f?)"((?:[^"\\]|\\.)*)"(,?)')
_SHORTEST = 12  # characters that an opened bracket must hold to be worth two more lines


def _tokens(text: str) -> Iterator[tuple[int, str, int]]:
    """Place, text and depth of the tokens of a line, which may be a part of a statement."""
    depth = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            depth -= token.type == tokenize.OP and token.string in ")]}"
            if token.string.strip():
                yield token.start[1], token.string, depth
            depth += token.type == tokenize.OP and token.string in "([{"
    except tokenize.TokenError:  # a bracket that another line closes
        return


def _breaks(text: str) -> list[int]:
    """Where to break a text in brackets: after its outermost commas, else before its outermost operators."""
    found = [(place, name) for place, name, depth in _tokens(text) if depth == 0]
    places = [place + 1 for place, name in found if name == "," and place + 1 < len(text)]
    for names in _OPERATORS:
        places = places or [place for place, name in found if name in names and place]
    return places


def _within(text: str, indent: str) -> list[str]:
    """The lines of a text that stands in brackets."""
    places, string = _breaks(text), _STRING.fullmatch(text)
    if string and (space := text.rfind(" ", 0, COLUMNS - len(indent) - 2)) > 0:
        return [f'{indent}{text[: space + 1]}"', *_fitting(f'{indent}{string[1]}"{text[space + 1 :]}', True)]
    if not places:
        return _opened(text, indent)
    lines = [""]
    for first, last in pairwise([0, *places, len(text)]):
        part = text[first:last].strip()
        longer = f"{lines[-1]} {part}" if lines[-1] else indent + part
        if len(longer) <= COLUMNS or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(indent + part)
    return [short for line in lines for short in _fitting(line, True, broken=len(lines) == 1)]


def _opened(text: str, indent: str) -> list[str]:
    """The lines of a text whose longest bracket stands open at the end of the first of them."""
    opened, pairs = [], []
    for place, name, depth in _tokens(text):
        if depth == 0 and name in ("(", "[", "{"):
            opened.append(place)
        elif depth == 0 and name in (")", "]", "}") and opened:
            pairs.append((place - opened[-1], opened.pop(), place))
    width, first, last = max(pairs, default=(0, 0, 0))
    if width < _SHORTEST:
        return [indent + text]
    inner = f"{indent}    {text[first + 1 : last].strip()}"
    return [indent + text[: first + 1], *_fitting(inner, True), *_fitting(indent + text[last:], False)]


def _fitting(line: str, inside: bool, *, broken: bool = False) -> list[str]:
    """A line as lines that fit; with `inside` a bracket stands open, with `broken` no break was found."""
    text = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    if len(line) <= COLUMNS or broken:
        return [line]
    remark = next((place for place, name, _ in _tokens(text) if name.startswith("#")), None)
    if remark is not None:
        hashes = {"initial_indent": f"{indent}# ", "subsequent_indent": f"{indent}# "}
        above = textwrap.wrap(text[remark + 1 :].strip(), COLUMNS, **hashes)
        return above + (_fitting(indent + text[:remark].rstrip(), inside) if remark else [])
    if inside:
        return _within(text, indent)
    statement = _STATEMENT.fullmatch(text)
    if statement and (_breaks(statement[2]) or _STRING.fullmatch(statement[2])):
        head, body, colon = statement.groups()
        return [f"{indent}{head}(", *_within(body, f"{indent}    "), f"{indent}){colon}"]
    return _opened(text, indent)


def folded(code: str) -> str:
    """Code whose lines fit the column where its brackets allow it.

    >>> print(folded(f"total = sum({', '.join(['summand'] * 12)})"))
    total = sum(
        summand, summand, summand, summand, summand, summand, summand, summand, summand,
        summand, summand, summand
    )
    """
    inside: dict[int, bool] = {}
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        inside.setdefault(token.start[0], depth > 0)
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
    rows = enumerate(code.splitlines(), 1)
    new = "\n".join(short for row, line in rows for short in _fitting(line, inside.get(row, False)))
    return new if ast.dump(ast.parse(new)) == ast.dump(ast.parse(code)) else code
