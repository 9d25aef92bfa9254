"""Exams: a file of questions with answers and rubrics, and in its header which of them make an exam.

The exams are in ``book/teacher/exams.md``, which is not public, and specimens in ``book/specimen-exams.md``,
since students must know the form. A question is a section: the chapters that it stands on, its text, and a
``{dropdown}`` with the answer, code that checks the numbers, and the rubric.
"""

import re
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import yaml

from book.tools import teaching
from book.tools.plain_markdown import References, markdown

FILES = ("book/teacher/exams.md", "book/specimen-exams.md")
_CHAPTERS, _CODE = (
    re.compile(said, re.MULTILINE)
    for said in (r"^\*Chapters:\*.*$", r"^\n((?: {4}.*\n)+)")
)


class Question(NamedTuple):
    """A question: title, topics of its chapters, text, answer with rubric, code, points of its parts."""

    title: str
    topics: list[str]
    text: str
    answer: str
    code: str
    points: tuple[int, ...]


def _question(of: teaching.Answer) -> Question:
    text, _, answer = f"{of.text}\n".partition("```{dropdown} Answer and rubric\n")
    told = "\n\n".join([_CODE.sub("", answer), "**Rubric**", of.rubric.rstrip("`")])
    topics = re.findall(r"notebooks/([\w-]+)`", "".join(_CHAPTERS.findall(text)))
    code = "".join(map(dedent, _CODE.findall(answer)))
    text, told = (
        markdown(part, References()) for part in (_CHAPTERS.sub("", text), told)
    )
    return Question(of.title, topics, text, told, code, of.points)


def read(root: Path) -> list[tuple[dict, list[Question]]]:
    """Exams as the headers have them (course, name, weeks before, minutes), with their questions."""
    found = []
    for file in [root / name for name in FILES if (root / name).exists()]:
        known = {one.title: _question(one) for one in teaching.model_answers(file)}
        header = yaml.safe_load(file.read_text(encoding="utf-8").split("---\n", 2)[1])
        found += [
            (one, [known[title] for title in one["questions"]])
            for one in header["exams"]
        ]
    return found
