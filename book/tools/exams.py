"""Exams: a file of questions with answers and rubrics, and in its header which of them make an exam.

The exams are in ``book/teacher/exams.md``, which is not public, and specimens in ``book/specimen-exams.md``,
since students must know the form. A question is a section: a line with the chapters that it stands on, its
text, and a ``{dropdown}`` with the answer, code that checks the numbers, and the rubric.
"""

import re
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import yaml

from book.tools import teaching
from book.tools.myst import Directive, blocks

FILES = ("book/teacher/exams.md", "book/specimen-exams.md")
_CHAPTERS = re.compile(r"^\*Chapters:\*.*$", re.MULTILINE)
_CODE = re.compile(r"^\n((?: {4}.*\n)+)", re.MULTILINE)


class Question(NamedTuple):
    """A question: topics of its chapters, text, answer with the rubric, code, points of its parts."""

    topics: list[str]
    text: str
    answer: str
    code: str
    points: list[int]


def question(section: str) -> Question:
    """The question of a section."""
    [answer] = [part for part in blocks(section.splitlines()) if isinstance(part, Directive)]
    asked, said = section.partition("```{dropdown}")[0], "\n".join(answer.lines) + "\n"
    points = list(map(int, teaching.ITEM.findall(said.partition("**Rubric**")[2])))
    code = "".join(dedent(found) for found in _CODE.findall(said))
    topics = re.findall(r"notebooks/([\w-]+)`", _CHAPTERS.findall(asked)[0])
    return Question(topics, _CHAPTERS.sub("", asked).strip(), _CODE.sub("", said).strip(), code, points)


def read(root: Path) -> list[tuple[dict, list[tuple[str, Question]]]]:
    """Exams as the headers have them (course, name, weeks before, minutes), with titles and questions."""
    found = []
    for file in [root / name for name in FILES if (root / name).exists()]:
        _, header, text = file.read_text(encoding="utf-8").split("---\n", 2)
        known = {title: question(said) for title, said in teaching.sections(text)}
        found += [(one, [(t, known[t]) for t in one["questions"]]) for one in yaml.safe_load(header)["exams"]]
    return found
