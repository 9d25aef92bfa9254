"""Units of a chapter: the lectures of its teaching half, which `## Exactly *` follows.

A chapter of this form has one or two sections ``## Unit N: <question>``, each with ``### Questions to unit
N`` at its end: two or three questions, ``*First.* ...``, each with a folded answer. Between the units and
the recap all sections have a star. A chapter without such a section is of the old form, and is left alone
here.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from book.tools.myst import Block, Directive, Text
from book.tools.short_path import END, is_further, sections

QUESTIONS = (2, 3)
_UNIT = re.compile(r"^Unit (\d+): \S")
_QUESTION = re.compile(r"^\*\w+\.\*\s", re.MULTILINE)


class Section(NamedTuple):
    """A section of the second level: its title, its line, and its stretches with the headings above each."""

    title: str
    line: int
    stretches: list[tuple[list[str], list[Block]]]


def is_unit(section: Section) -> bool:
    """Whether a section is a unit."""
    return bool(_UNIT.match(section.title))


def chapter_sections(text: str) -> list[Section]:
    """Sections of the second level of a chapter in order."""
    found: list[Section] = []
    for path, stretch in sections(text):
        first = stretch[0]
        if isinstance(first, Text) and first.lines and first.lines[0].startswith("## "):
            found.append(Section(path[1], first.line, []))
        if found:
            found[-1].stretches.append((path, stretch))
    return found


def has_units(text: str) -> bool:
    """Whether a chapter is of the form with units."""
    return any(map(is_unit, chapter_sections(text)))


def _question_faults(unit: Section, number: int) -> Iterator[str]:
    """What is wrong with the questions at the end of a unit."""
    title = f"Questions to unit {number}"
    last = [path for path, _ in unit.stretches if len(path) > 2]
    if not last or last[-1][2] != title:
        yield f"must end with the section '### {title}'"
        return
    asked = [block for path, stretch in unit.stretches if path[2:3] == [title] for block in stretch]
    order = ""
    for block in asked:
        if isinstance(block, Text):
            order += "q" * len(_QUESTION.findall("\n".join(block.lines)))
        elif isinstance(block, Directive) and block.name == "dropdown":
            order += "a"
    if order not in {"qa" * count for count in QUESTIONS}:
        yield "must have two or three questions, '*First.* ...', each with a dropdown 'Answer' after it"


def form_faults(text: str) -> Iterator[tuple[int, str]]:
    """What is wrong with the form of a chapter with units: lines and sentences."""
    found = chapter_sections(text)
    units = [section for section in found if is_unit(section)]
    for number, unit in enumerate(units, 1):
        if not unit.title.startswith(f"Unit {number}:"):
            yield unit.line, f"this is unit {number}, so its title must begin with 'Unit {number}:'"
        for fault in _question_faults(unit, number):
            yield unit.line, f"unit {number} {fault}"
    for section in found if units else ():
        if not is_unit(section) and not is_further(section.title) and section.title not in END:
            yield section.line, f"the section {section.title!r} must be part of a unit, or have a star"
