"""What a chapter offers to students at its end, and to teachers apart from it.

A chapter that has a section *Recap* ends with `END`: the recap with a table of symbols, the exercises, the
sources (before which the page gathers its errata) and a way on. Errata have one form: which source and where,
then for each erratum a paragraph that begins with its name in the ledger. The model answers of its *proof*
problems stand in ``book/teacher/<topic>.md``, which no page, no download and no wheel holds: a heading with
the title, the label of the problem in brackets on a line of its own, the answer, and under ``**Rubric**`` a
list whose items give points that add up to `POINTS`. Exams stand beside them (`book.tools.exams`).
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from book.tools import exercises, results
from book.tools.chapter_code import source
from book.tools.chapters import topics
from book.tools.myst import Directive, walk
from book.tools.short_path import END

POINTS = 10
RECAP, SYMBOLS = END[0], "**Symbols of this chapter**"
_HEADING = re.compile(r"^##\s+(.+?)\s*$", re.MULTILINE)
_LABEL = re.compile(r"\(([^\s()]+)\)\s*$", re.MULTILINE)
_RUBRIC = re.compile(r"^\*\*Rubric\b.*$", re.MULTILINE)
_ITEM = re.compile(r"^(?:[-*]|\d+\.)\s.*?\b(\d+) points?\b", re.MULTILINE)
_TABLE = re.compile(r"^\|.*\|\s*\n\|[-:| ]+\|\s*$", re.MULTILINE)
_SLIP = re.compile(r"\{erratum\}`(?P<source>[^`<>-]+)-[^`<>]+`: \S")


class Answer(NamedTuple):
    """The model answer of a problem: its label, its title, its text, and its rubric with the points in it."""

    label: str
    title: str
    text: str
    points: tuple[int, ...]
    rubric: str


def file_of(root: Path, topic: str) -> Path:
    """The teacher's edition of a chapter."""
    return root / "book" / "teacher" / f"{topic}.md"


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Titles of the second level, each with the text below it."""
    found = list(_HEADING.finditer(text))
    for heading, after in zip(found, [*found[1:], None], strict=False):
        yield heading[1], text[heading.end() : after.start() if after else len(text)]


def model_answers(file: Path) -> list[Answer]:
    """Model answers of a chapter in order; an entry without label has the empty one."""
    found = []
    for title, text in (
        _sections(file.read_text(encoding="utf-8")) if file.exists() else ()
    ):
        label = _LABEL.match(text.lstrip())
        answer, *rubric = _RUBRIC.split(text)
        points = tuple(int(number) for part in rubric for number in _ITEM.findall(part))
        answer = answer.strip().removeprefix(label[0].strip() if label else "")
        told = "\n".join(rubric).strip()
        found.append(
            Answer(label[1] if label else "", title, answer.strip(), points, told)
        )
    return found


def answer_faults(root: Path, topic: str, cells: list[dict]) -> Iterator[str]:
    """What is wrong between the proof problems of a chapter and their model answers, which may be absent."""
    if not file_of(root, topic).parent.is_dir():
        return
    found = model_answers(file_of(root, topic))
    asked = {one.label: one for one in exercises.of_chapter(topic, cells) if one.proof}
    labels = [answer.label for answer in found]
    for label in [label for label in asked if labels.count(label) != 1]:
        yield f"book/teacher/{topic}.md: {label} must have one answer here"
    for answer in found:
        place = f"book/teacher/{topic}.md: {answer.title!r}"
        if answer.label not in asked:
            yield f"{place} must have the label of a proof problem in brackets below it, not {answer.label!r}"
        elif answer.title != asked[answer.label].title:
            yield f"{place} must have the title of its problem, {asked[answer.label].title!r}"
        if not answer.text:
            yield f"{place} must have a model answer"
        if (points := sum(answer.points)) != POINTS:
            yield f"{place} must have a **Rubric**, items with '3 points', in all {POINTS} and not {points}"


def recap_faults(cells: list[dict]) -> Iterator[str]:
    """What a chapter with a recap lacks."""
    text = "\n\n".join(
        source(cell) for cell in cells if cell["cell_type"] == "markdown"
    )
    sections = dict(_sections(text))
    if RECAP not in sections:
        return
    titles, recap = list(sections), sections[RECAP]
    if tuple(titles[-len(END) :]) != END:
        yield f"must end with the sections {', '.join(END)}"
    if not _TABLE.search(recap.partition(SYMBOLS)[2]):
        yield f"{RECAP} must have {SYMBOLS} with a table below it"
    yield from erratum_faults(text)


def erratum_faults(text: str) -> Iterator[str]:
    """Errata that have not the form of errata."""
    for note in walk(text.splitlines()):
        if isinstance(note, Directive) and note.name == "erratum":
            title = f"the erratum {note.argument!r}"
            name, _, place = note.argument.partition(", ")
            if name not in results.SOURCES or not place:
                yield f"{title} must name a source and a place, as in 'DR11, Theorem 11.2'"
            for paragraph in "\n".join(note.lines).strip().split("\n\n"):
                if not (begin := _SLIP.match(paragraph)) or begin["source"] != name:
                    yield f"{title} must begin each paragraph with {{erratum}}`{name}-...`:"


def stray_files(root: Path) -> Iterator[str]:
    """Files of the teacher's edition that belong to no chapter."""
    known = topics(root)
    for file in sorted((root / "book" / "teacher").glob("*")):
        if file.name not in ("README.md", "exams.md", "proofs") and (
            file.suffix != ".md" or file.stem not in known
        ):
            yield f"book/teacher/{file.name}: is the teacher's edition of no chapter"
