"""Files of the lectures: slides, and on paper a sheet for class, an assignment, a quiz and exams.

Templates in ``book/lectures`` make HTML that needs no network, with the formulas and figures of the pages;
Chromium prints it, where there is one. Without answers a sheet has gaps.
"""

import shutil
from html import escape
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from book.extensions import formulas
from book.tools import exercises, figures
from book.tools.chapters import write_whole
from book.tools.handouts import Handout
from book.tools.lectures import Lecture, with_gaps
from book.tools.plain import markdown

TEMPLATES = Path(__file__).resolve().parents[1] / "lectures"
HOURS = {"easy": 0.5, "medium": 1, "hard": 1.5}
_SHARED = ("lectures.css", "lectures.js")
_PRINT = """async () => { await document.fonts.ready; while (!document.documentElement.dataset.fitted)
    await new Promise((go) => setTimeout(go, 20)); }"""


class Paper(NamedTuple):
    """A paper: the line above its title, its title, parts (heading, Markdown, lines to write on), its class."""

    above: str
    title: str
    parts: list[tuple[str, str, int]]
    kind: str = ""


def _formula(content: str, options: dict[str, Any]) -> str:
    return rf"\[{escape(content)}\]" if options["display_mode"] else rf"\({escape(content)}\)"


def html(text: str) -> str:
    """Plain Markdown as HTML, its formulas for MathJax."""
    made = MarkdownIt("commonmark", {"html": True}).enable("table")
    return made.use(dollarmath_plugin, renderer=_formula).render(text)


def line(text: str) -> str:
    """One line of plain Markdown as HTML."""
    return html(text).strip().removeprefix("<p>").removesuffix("</p>")


def write(file: Path, template: str, **values: Any) -> None:
    """Write a file by a template."""
    made = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=False)
    made.filters |= {"html": html, "line": line}
    write_whole(file, made.get_template(template).render(values))


# ---------------------------------------------------------------- papers


def sheet(lecture: Lecture, chapter: str, *, answers: bool) -> Paper:
    """One page for class: the instance to complete, and two questions."""
    parts = [("An instance to complete", with_gaps(lecture.instance, lecture.open, filled=answers), 0)]
    for number, (asked, answer) in enumerate(lecture.asked[:2], 1):
        parts.append((f"Question {number}", asked, 0 if answers else 4))
        parts += [("", f"> {answer.strip()}".replace("\n", "\n> "), 0)] if answers else []
    return Paper(chapter, lecture.question, parts, "sheet")


def quiz(lecture: Lecture, chapter: str, *, answers: bool) -> Paper:
    """Ten minutes at the begin of the next lecture: two statements from memory, and the last question."""
    asked = [(f"State from memory: **{title}**", text, 3) for title, text in (lecture.boxes[0], lecture.boxes[-1])]
    asked = asked[: len(lecture.boxes)] + [(*lecture.asked[-1], 4)]
    parts = []
    for number, (question, answer, points) in enumerate(asked, 1):
        parts.append((f"{number} ({points} points)", question, 0 if answers else 5))
        parts += [("", f"> {answer.strip()}".replace("\n", "\n> "), 0)] if answers else []
    return Paper(chapter, f"Quiz: {lecture.question}", parts)


def hours(tasks: list[exercises.Exercise]) -> float:
    """Hours that problems take, by their difficulty."""
    return sum(HOURS[task.difficulties[0]] for task in tasks)


def assignment(lecture: Lecture, chapter: str, of: Handout, tasks: list[exercises.Exercise]) -> Paper:
    """The problems of a lecture, with the hours to plan."""
    parts = [("", markdown(exercises.statement(task, of.cells), of.references), 0) for task in tasks]
    return Paper(chapter, f"Assignment, {hours(tasks):g} h: {lecture.question}", parts)


# ---------------------------------------------------------------- files


def of_lecture(folder: Path, lecture: Lecture, of: Handout, chapter: str, tasks: list, *, answers: bool) -> None:
    """Write the files of a lecture; with answers those of a teacher, who has the slides already."""
    papers = {"sheets": sheet, "quizzes": quiz}
    made = {kind: make(lecture, chapter, answers=answers) for kind, make in papers.items()}
    if not answers:
        made["assignments"] = assignment(lecture, chapter, of, tasks)
        drawn = {figure.name: figure for figure in figures.of_notebook(of.topic, of.cells)}
        used = {slide.figure: drawn[slide.figure] for slide in lecture.slides if slide.figure}
        for name, figure in used.items():
            picture = folder / "pictures" / f"{name}.png"
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(figure.picture)
        captions = {name: markdown(figure.caption, of.references) for name, figure in used.items()}
        told = {"lecture": lecture, "chapter": chapter, "captions": captions, "figures": used}
        write(folder / "slides" / f"{lecture.name}.html", "slides.html", **told)
    for kind, paper in made.items():
        write(folder / kind / f"{lecture.name}.html", "paper.html", paper=paper)


def share(folder: Path) -> None:
    """Put into a folder what its files load."""
    formulas.copy(SimpleNamespace(builder=SimpleNamespace(format="html"), outdir=folder), None)
    for name in _SHARED:
        shutil.copyfile(TEMPLATES / name, folder / name)


def print_all(folder: Path) -> int:
    """Print all files below a folder as PDF beside them; their number, 0 without a browser."""
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    files = sorted(folder.glob("*/*.html")) if browser else []
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page() if files else None
        for file in files:
            page.goto(file.resolve().as_uri())
            page.evaluate(_PRINT)
            page.pdf(path=file.with_suffix(".pdf"), prefer_css_page_size=True, print_background=True)
    return len(files)
