"""Files of the lectures: slides, and on paper sheets, assignments, quizzes and exams.

Templates in ``book/lectures`` make HTML that needs no network, with the formulas and figures of the pages;
Chromium prints it as PDF, where there is one.
"""

import os
import re
import shutil
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from book.tools import exercises, figures
from book.tools.chapters import write_whole
from book.tools.handouts import Handout
from book.tools.lectures import Lecture, with_gaps
from book.tools.plain_markdown import markdown

TEMPLATES = Path(__file__).resolve().parents[1] / "lectures"
HOURS = {"easy": 0.5, "medium": 1, "hard": 1.5}
FITTED = "() => window.fitted"  # a promise of the pages
_TITLE = re.compile(r"[.:](?:\s|$)")  # with which a caption begins


def _formula(content: str, options: dict[str, Any]) -> str:
    return (r"\[{}\]" if options["display_mode"] else r"\({}\)").format(escape(content))


def html(text: str) -> str:
    """Plain Markdown as HTML, its formulas for MathJax."""
    made = MarkdownIt("commonmark", {"html": True}).enable("table")
    return made.use(dollarmath_plugin, double_inline=True, renderer=_formula).render(
        text.strip()
    )


def write(file: Path, template: str, **values: Any) -> None:
    """Write a file by a template."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=False
    )
    made.filters |= {
        "html": html,
        "line": lambda text: re.sub(r"^<p>|</p>$", "", html(text).strip()),
    }
    write_whole(file, made.get_template(template).render(values))


def hours(tasks: list[exercises.Exercise]) -> float:
    """Hours that problems take, by their difficulty."""
    return sum(HOURS[task.difficulties[0]] for task in tasks)


def papers(
    lecture: Lecture, of: Handout, tasks: list, *, answers: bool
) -> dict[str, dict[str, Any]]:
    """What goes on the papers of a lecture, by their folders: parts are heading, question and answer.

    A sheet has the instance to complete and two questions; a quiz of ten minutes, with which the next lecture
    begins, one or two statements from memory and the last question.
    """
    [(_, instance)], boxes = lecture.texts("instance"), lecture.texts("statement")
    asked = [
        (*one, a)
        for one, (_, a) in zip(
            lecture.texts("ask"), lecture.texts("answer"), strict=True
        )
    ]
    told = with_gaps(instance, filled=answers)
    points = [3, 3] if len(boxes) > 1 else [6]
    stated = zip(points, dict.fromkeys([boxes[0], boxes[-1]]), strict=True)
    quiz = [
        (f"{worth} points", f"State: **{title}**", text)
        for worth, (title, text) in stated
    ]
    made = {"sheets": {"title": lecture.question, "instance": told, "parts": asked[:2]}}
    made["quizzes"] = {
        "title": f"Quiz: {lecture.question}",
        "parts": [*quiz, ("4 points", *asked[-1][1:])],
    }
    if not answers:
        parts = [
            ("", markdown(exercises.statement(task, of.cells), of.references), "")
            for task in tasks
        ]
        made["assignments"] = {
            "title": f"Assignment, {hours(tasks):g} h: {lecture.question}",
            "parts": parts,
        }
    return made


def of_lecture(
    folder: Path,
    lecture: Lecture,
    of: Handout,
    chapter: str,
    tasks: list,
    *,
    answers: bool,
) -> None:
    """Write the files of a lecture; with answers those for a teacher, who has the others already."""
    for kind, paper in papers(lecture, of, tasks, answers=answers).items():
        file = folder / kind / f"{lecture.name}.html"
        write(file, "paper.html", above=chapter, kind=kind, answers=answers, **paper)
    if not answers:
        shown, goal = {slide.figure for slide in lecture.slides}, folder / "pictures"
        drawn = [
            one for one in figures.of_notebook(of.topic, of.cells) if one.name in shown
        ]
        for one in drawn:
            write_whole(goal / f"{one.name}.png", one.picture)
        told = {
            one.name: (_TITLE.split(markdown(one.caption, of.references))[0], one.alt)
            for one in drawn
        }
        file = folder / "slides" / f"{lecture.name}.html"
        write(file, "slides.html", lecture=lecture, chapter=chapter, figures=told)


def chromium() -> str | None:
    """Path of Chromium; ``PRIVML_CHROMIUM`` names one that is not on the path."""
    names = (
        os.environ.get("PRIVML_CHROMIUM", ""),
        "chromium",
        "chromium-browser",
        "google-chrome",
    )
    return next(filter(None, map(shutil.which, filter(None, names))), None)


def print_all(folder: Path) -> int:
    """Print the files of a folder as PDF beside them; how many, 0 without a browser."""
    from playwright.sync_api import sync_playwright

    browser = chromium()
    files = sorted(file for file in folder.glob("*/*.html") if browser)
    with sync_playwright() as playwright:
        page = (
            files
            and playwright.chromium.launch(
                executable_path=browser, args=["--no-sandbox"]
            ).new_page()
        )
        for file in files:
            page.goto(file.resolve().as_uri())
            page.evaluate(FITTED)
            page.pdf(
                path=file.with_suffix(".pdf"),
                prefer_css_page_size=True,
                print_background=True,
            )
    return len(files)
