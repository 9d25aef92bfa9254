"""Units of a chapter: the lectures of its teaching half, which `## Exactly *` follows, and what they hold.

A chapter of this form has one or two sections ``## Unit N: <question>``, each with ``### Questions to unit
N`` at its end: two or three questions, ``*First.* ...``, each with a folded answer. Between the units and
the recap all sections have a star. What has no such section, as the chapters on practice, is left alone here.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from book.tools import short_path
from book.tools.myst import Block, Directive, Text, within
from book.tools.short_path import END, Length, is_further, sections

QUESTIONS, UNITS = (2, 3), 2
MOST_WORDS = 3300  # a unit is one lecture
# Seconds that reading takes; to understand takes about twice as long.
WORD, FORMULA, DISPLAY, LINE, FIGURE = 60 / 200, 3, 25, 5, 60
UNIT = re.compile(r"^Unit (\d+): \S")
QUESTION = re.compile(r"^\*\w+\.\*\s+", re.MULTILINE)
_DISPLAYED, _INLINE = re.compile(r"\$\$.*?\$\$", re.DOTALL), re.compile(r"\$[^$]+\$")
_UNCOUNTED = {"prf:algorithm", "prf:example", "prf:proof", "prf:remark"}


class Section(NamedTuple):
    """A section of the second level: its title, its line, and its blocks with the headings above each."""

    title: str
    line: int
    blocks: list[tuple[list[str], Block]]


class Measure(NamedTuple):
    """What a unit holds; a formula is one of the words, and algorithms and remarks are no statements."""

    words: int = 0
    statements: int = 0
    lines: int = 0
    formulas: int = 0
    displays: int = 0
    figures: int = 0

    @property
    def minutes(self) -> int:
        words = self.words - self.formulas - self.displays
        seconds = WORD * words + FORMULA * self.formulas + DISPLAY * self.displays
        return round((seconds + LINE * self.lines + FIGURE * self.figures) / 60)


def is_unit(section: Section) -> bool:
    return bool(UNIT.match(section.title))


def chapter_sections(text: str) -> list[Section]:
    """Sections of the second level of a chapter in order."""
    found: list[Section] = []
    for path, block in sections(text):
        if isinstance(block, Text) and block.lines and block.lines[0].startswith("## "):
            found.append(Section(path[-1], block.line, []))
        if found:
            found[-1].blocks.append((path, block))
    return found


def has_units(text: str) -> bool:
    """Whether a chapter is of the form with units."""
    return any(map(is_unit, chapter_sections(text)))


def _code(block: Directive) -> Measure:
    """Lines that a cell shows, and its figure."""
    tags = str(block.options.get("tags", ""))
    lines = (
        0
        if "hide-input" in tags or "remove" in tags
        else sum(map(bool, map(str.strip, block.lines)))
    )
    return Measure(lines=lines, figures="figure" in (block.options.get("mystnb") or {}))


def _of_block(block: Block) -> Iterator[Measure]:
    """What a block holds, in parts."""
    for said in short_path.sentences(block):
        rest, displays = _DISPLAYED.subn(" ", said)
        yield Measure(
            short_path.words(said),
            displays=displays,
            formulas=len(_INLINE.findall(rest)),
        )
    for inner in filter(is_directive, within(block)):
        if inner.name == "code-cell":
            yield _code(inner)
        elif is_statement(inner):
            yield Measure(statements=1)
        elif inner.name == "math":
            yield Measure(words=1, displays=1)
        elif inner.name in ("figure", "image"):
            yield Measure(figures=1)


def is_directive(block: Block) -> TypeGuard[Directive]:
    return isinstance(block, Directive)


def is_statement(block: Block) -> bool:
    """Whether a block states something: a definition, a theorem and the like."""
    name = block.name if isinstance(block, Directive) else ""
    return name.startswith("prf:") and name not in _UNCOUNTED


def measure(unit: Section) -> Measure:
    """What a unit holds outside of its sections with a star."""
    kept = [block for path, block in unit.blocks if not any(map(is_further, path))]
    parts = [part for block in kept for part in _of_block(block)]
    return Measure(*map(sum, zip(Measure(), *parts, strict=True)))


def measures(text: str) -> list[Measure]:
    """What the units of a chapter hold, in order."""
    return [measure(section) for section in chapter_sections(text) if is_unit(section)]


def length(text: str) -> Length:
    """Words of a chapter, with the minutes of its units where it has some."""
    return short_path.length(text)._replace(
        units=tuple(one.minutes for one in measures(text))
    )


def _question_faults(unit: Section, number: int) -> Iterator[str]:
    """What is wrong with the questions at the end of a unit."""
    title = f"Questions to unit {number}"
    last = [path for path, _ in unit.blocks if len(path) > 2]
    if not last or last[-1][2] != title:
        yield f"must end with the section '### {title}'"
        return
    order = ""
    for block in [block for path, block in unit.blocks if path[2:3] == [title]]:
        if isinstance(block, Text):
            order += "q" * len(QUESTION.findall("\n".join(block.lines)))
        elif isinstance(block, Directive) and block.name == "dropdown":
            order += "a"
    if order not in {"qa" * count for count in QUESTIONS}:
        yield "must have two or three questions, '*First.* ...', each with a dropdown 'Answer' after it"


def _measure_faults(unit: Section) -> Iterator[str]:
    """Whether a unit is longer than a lecture."""
    words = measure(unit).words
    if words > MOST_WORDS:
        yield f"has {words:,} words, more than {MOST_WORDS:,}"


def form_faults(text: str) -> Iterator[tuple[int, str]]:
    """What is wrong with the form of a chapter with units: lines and sentences."""
    found = chapter_sections(text)
    units = [section for section in found if is_unit(section)]
    for number, unit in enumerate(units, 1):
        if not unit.title.startswith(f"Unit {number}:"):
            yield (
                unit.line,
                f"this is unit {number}, so its title must begin with 'Unit {number}:'",
            )
        for fault in [*_question_faults(unit, number), *_measure_faults(unit)]:
            yield unit.line, f"unit {number} {fault}"
    if len(units) > UNITS:
        yield units[UNITS].line, f"a chapter of more than {UNITS} units is two chapters"
    for section in found if units else ():
        if (
            not is_unit(section)
            and not is_further(section.title)
            and section.title not in END
        ):
            yield (
                section.line,
                f"the section {section.title!r} must be part of a unit, or have a star",
            )
