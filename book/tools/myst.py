"""Structure of a MyST text: directives with their options and bodies, verbatim code, and everything else.

A text is read line by line into blocks; the body of a directive is a text again. Line numbers are those of
the file, so that whoever finds a fault can say where it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast
OPENING = re.compile(r"^(?P<indent>\s*)(?P<fence>`{3,}|~{3,}|:{3,})(?P<info>[^`]*)$")
_DIRECTIVE = re.compile(r"^\s*\{(?P<name>[^}\s]+)\}\s*(?P<argument>.*?)\s*$")
_OPTION = re.compile(r"^\s*:(?P<key>[\w-]+):\s*(?P<value>.*?)\s*$")
TARGET = re.compile(r"^\s*\((?P<label>[^\s()]+)\)=\s*$")
_EQUATION = re.compile(r"\$\$\s*\((?P<label>[^\s()]+)\)\s*$")
_HEADING = re.compile(r"^#{1,2} +(.+?)\s*$")

VERBATIM = frozenset(
    {
        "code",
        "code-block",
        "code-cell",
        "eval-rst",
        "literalinclude",
        "math",
        "raw",
        "sourcecode",
    }
)


@dataclass(frozen=True)
class Text:
    """Lines that are no directive and no code; `line` is the number of the first."""

    lines: list[str]
    line: int


@dataclass(frozen=True)
class Code:
    """Fenced lines that are shown as they are."""

    lines: list[str]
    line: int
    language: str


@dataclass(frozen=True)
class Directive:
    """A directive; `line` is the number of its first body line, `opened` that of its opening."""

    name: str
    argument: str
    options: dict[str, Any]
    lines: list[str]
    line: int
    opened: int = 0
    indent: str = ""

    @property
    def label(self) -> str:
        """Its label, empty when it has none."""
        return str(self.options.get("label") or self.options.get("name") or "")

    @property
    def classes(self) -> list[str]:
        return str(self.options.get("class") or "").split()


Block = Text | Code | Directive


def _fenced(
    lines: list[str], begin: int, fence: str, indent: str
) -> tuple[list[str], int]:
    """Lines up to the fence that closes one, less their indentation, and where it goes on after it."""
    close = re.compile(rf"^\s*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
    end = begin
    while end < len(lines) and not close.match(lines[end]):
        end += 1
    return [line.removeprefix(indent) for line in lines[begin:end]], end + 1


def _options(lines: list[str]) -> tuple[dict[str, Any], int]:
    """Options at the beginning of a directive, and the number of lines that they take."""
    if lines and lines[0].strip() == "---":
        end = next(
            (n for n, line in enumerate(lines[1:], 1) if line.strip() == "---"),
            len(lines),
        )
        return yaml.load("\n".join(lines[1:end]), Loader=_LOADER) or {}, end + 1
    found: dict[str, Any] = {}
    for number, line in enumerate(lines):
        if not (option := _OPTION.match(line)):
            return found, number
        found[option["key"]] = option["value"]
    return found, len(lines)


def _directive(match: re.Match, body: list[str], opened: int, indent: str) -> Directive:
    options, taken = _options(body)
    return Directive(
        match["name"],
        match["argument"],
        options,
        body[taken:],
        opened + 1 + taken,
        opened,
        indent,
    )


def blocks(lines: list[str], first: int = 1) -> Iterator[Block]:
    """Blocks of a text, whose first line has this number, in order; only fences and options are lost."""
    begin = at = 0
    while at < len(lines):
        opening = OPENING.match(lines[at])
        if not opening:
            at += 1
            continue
        if begin < at:
            yield Text(lines[begin:at], first + begin)
        opened = first + at
        body, begin = _fenced(lines, at + 1, opening["fence"], opening["indent"])
        at = begin
        if directive := _DIRECTIVE.match(opening["info"]):
            yield _directive(directive, body, opened, opening["indent"])
        else:
            yield Code(body, opened + 1, opening["info"].strip())
    if begin < len(lines):
        yield Text(lines[begin:], first + begin)


def without_header(text: str) -> tuple[list[str], int]:
    """Lines of a file after its YAML header, and the number of the first of them."""
    lines = text.splitlines()
    if lines and lines[0] == "---" and "---" in lines[1:]:
        end = lines.index("---", 1)
        return lines[end + 1 :], end + 2
    return lines, 1


def within(block: Block) -> Iterator[Block]:
    """A block, and all blocks of its body if it is a directive, outer ones first."""
    yield block
    if isinstance(block, Directive) and block.name not in VERBATIM:
        yield from walk(block.lines, block.line)


def walk(lines: list[str], first: int = 1) -> Iterator[Block]:
    """All blocks of a text and of the bodies of its directives, outer ones first."""
    for block in blocks(lines, first):
        yield from within(block)


def labels_in(text: str) -> Iterator[tuple[str, int]]:
    """Whatever may be referred to in a source, with its line: labels, targets, figures, equations."""
    for block in walk(*without_header(text)):
        if isinstance(block, Directive):
            said = block.options.get("mystnb") or {}
            if label := block.label or (said.get("figure") or {}).get("name"):
                yield label, block.opened
        elif isinstance(block, Text):
            for number, line in enumerate(block.lines, block.line):
                if found := TARGET.match(line) or _EQUATION.search(line):
                    yield found["label"], number


def headings(text: str) -> list[str]:
    """Headings of the first two levels."""
    texts = [
        block for block in blocks(*without_header(text)) if isinstance(block, Text)
    ]
    return [
        found[1]
        for block in texts
        for line in block.lines
        if (found := _HEADING.match(line))
    ]
