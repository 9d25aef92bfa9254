"""The teacher's edition and problem sets: `book.in_class`."""

import ast
import json
import pydoc
import re
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
import yaml

from book import build, in_class
from book.tools import citations, exercises, figures, handouts, named_numbers, teaching
from book.tools.chapters import Chapter, pages, topics, write_whole
from book.tools.execute import executed, unexecuted
from book.tools.normalise import normalised
from book.tools.plain_markdown import References
from tests.book.test_teaching import END, PROBLEM, RECAP, TEACHER

ROOT = Path(__file__).resolve().parent.parent.parent
NEEDS = (
    "chapters: {a-chapter: {}}\ncourses: [{title: One week, weeks: [[a-chapter]]}]\n"
)
TOC = "format: jb-book\nroot: book/start\nparts:\n- caption: Chapters\n  numbered: true\n  chapters:\n"
TOC += "  - file: notebooks/a-chapter\n"
SECRETS = ("It holds better.", "says that it holds")  # the model answer, the rubric
ALL = {
    "for-students.ipynb",
    "with-solutions.ipynb",
    "proof-problems.ipynb",
    "tests/sum.py",
}


@pytest.fixture
def printed(exercise_book):
    """The small book with a proof problem and its answer, executed, and its pages."""
    (exercise_book / "_toc.yml").write_text(TOC)
    (exercise_book / "book" / "prerequisites.yml").write_text(NEEDS)
    chapter = Chapter(exercise_book, "a-chapter")
    text = chapter.source.read_text().replace(
        "\n## Exercises", f"\n{RECAP}## Exercises"
    )
    chapter.source.write_text(text + PROBLEM + END)
    text = TEACHER.replace("It holds.", "By {prf:ref}`l4-thm-one`.")
    write_whole(teaching.file_of(exercise_book, "a-chapter"), text)
    write_whole(chapter.notebook, normalised(executed(chapter)))
    assert build.main(["--root", str(exercise_book), "--html-only"]) == 0
    return exercise_book


def prose(file):
    """All of a notebook's text."""
    return "\n".join(
        "".join(cell["source"]) for cell in json.loads(file.read_text())["cells"]
    )


def assert_has_proofs(file):
    """Statement, answer and rubric are together, in plain Markdown with the numbers of the pages."""
    said = prose(file)
    parts = ["## A long proof", "(A long proof; proof, hard)", "(a) Prove it."]
    parts += ["By Theorem 1.1.", "(b) 6 points"]
    assert sorted(parts, key=said.index) == parts
    assert all(secret in said for secret in SECRETS)
    assert "{" not in said


def holders(folder):
    """Files below a folder in which a secret of the teacher can be read."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    found = [
        file for file in files if any(s.encode() in file.read_bytes() for s in SECRETS)
    ]
    return {file.relative_to(folder).as_posix() for file in found}


def test_the_teacher_gets_everything_and_nobody_else_does(printed, capsys):
    assert in_class.main(["teacher", "--root", str(printed)]) == 0
    folder = printed / "_build" / "teacher"
    made = {
        file.relative_to(folder / "a-chapter").as_posix()
        for file in (folder / "a-chapter").rglob("*.*")
    }
    assert made == ALL | {
        f"figures/fig-a-chapter-line.{kind}" for kind in ("pdf", "svg")
    }
    assert (
        "| 1 | [1 A chapter](a-chapter/with-solutions.ipynb) |"
        in (folder / "courses.md").read_text()
    )
    assert_has_proofs(folder / "a-chapter" / "proof-problems.ipynb")
    assert holders(folder) == {"a-chapter/proof-problems.ipynb"}
    assert holders(printed / "_build" / "html") == set()
    goal = printed / "dist" / "privml-teacher.zip"
    before = goal.read_bytes()
    assert (
        f"{in_class.NAME}/a-chapter/proof-problems.ipynb"
        in zipfile.ZipFile(goal).namelist()
    )
    in_class.pack(folder, goal)
    assert goal.read_bytes() == before

    assert (
        in_class.main(["problems", "a-chapter", "seed=1", "--root", str(printed)]) == 0
    )
    folder = printed / "_build" / "problems"
    student, teacher = (
        folder / f"a-chapter-{name}.ipynb" for name in in_class._EDITIONS
    )
    old, new = (
        f"The sum is {np.random.default_rng(seed).random(10).sum():.2f}"
        for seed in (0, 1)
    )
    for file in (student, teacher):
        assert new in prose(file)
        assert old not in prose(file)
        assert "*Problem set with seed=1.*" in prose(file)
        assert "seed = 1" in prose(file)
        assert "def check_sum" in prose(file)
    assert ("answer = 5 / 6" in prose(student), "answer = 5 / 6" in prose(teacher)) == (
        False,
        True,
    )
    assert holders(printed / "_build" / "problems") == {
        "a-chapter-proof-problems.ipynb"
    }
    assert (
        "check_sum"
        in (printed / "_build" / "problems" / "a-chapter-tests" / "sum.py").read_text()
    )
    assert (
        in_class.main(["problems", "a-chapter", "sed=1", "--root", str(printed)]) == 2
    )


def test_without_pages_nothing_is_made(exercise_book, capsys):
    assert in_class.main(["teacher", "--root", str(exercise_book)]) == 2
    assert "make book" in capsys.readouterr().err


def test_a_test_for_otter_calls_the_checker_on_the_answer(exercise_book):
    cells = unexecuted(Chapter(exercise_book, "a-chapter")).cells
    [coded] = [e for e in exercises.of_chapter("a-chapter", cells) if e.coded]
    named = "from otter.test_files import test_case"
    text = handouts.otter_test(coded).replace(named, "test_case = lambda: lambda f: f")
    made = {}
    exec(text, made)
    assert (made["OK_FORMAT"], made["name"]) == (False, "sum")
    notebook = {}
    exec(
        figures.source(next(c for c in cells if "def check_sum" in figures.source(c))),
        notebook,
    )
    made["test_sum"](notebook | {"answer": 5 / 6})
    with pytest.raises(AssertionError, match="add all of them"):
        made["test_sum"](notebook | {"answer": 1})
    with pytest.raises(NameError):
        made["test_sum"](notebook)


@pytest.mark.parametrize("topic", topics(ROOT))
def test_every_proof_problem_has_a_plain_form_with_its_answer(topic):
    cells = figures.cells_of(Chapter(ROOT, topic).notebook)
    works = citations.works(ROOT / "book" / "references.bib")
    of = handouts.Handout(
        topic, cells, References(named_numbers.glued_numbers(cells), works)
    )
    answers = teaching.model_answers(teaching.file_of(ROOT, topic))
    made = json.loads(handouts.proof_problems(of, topic, answers))["cells"]
    assert sum("**Rubric**" in "".join(cell["source"]) for cell in made) == len(answers)
    for coded in [e for e in exercises.of_chapter(topic, cells) if e.coded]:
        ast.parse(handouts.otter_test(coded))


def test_neither_the_contents_nor_the_wheel_name_a_file_of_the_teacher():
    assert (
        yaml.safe_load((ROOT / "_config.yml").read_text())["only_build_toc_files"]
        is True
    )
    assert not any("teacher/" in page for page in pages(ROOT))
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"][
        "build"
    ]["targets"]["wheel"]
    names = [*wheel["packages"], *wheel["force-include"]]
    files = [file for name in names for file in (ROOT / name).rglob("*")]
    texts = "\n".join(
        file.read_text() for file in files if file.suffix in (".py", ".md", ".json")
    )
    named = [
        one.label
        for topic in topics(ROOT)
        for one in teaching.model_answers(teaching.file_of(ROOT, topic))
    ]
    assert named
    assert not [label for label in named if f"({label})" in texts]


def test_the_projects_name_what_the_package_has():
    text = (ROOT / "book" / "projects.md").read_text(encoding="utf-8")
    named = re.findall(r"\{py:\w+\}`([\w.]+)`", text)
    assert "privml.datasets.load_a9a" in named
    assert [name for name in named if pydoc.locate(name) is None] == []
    projects = text.split("\n### ")[1:]
    assert 8 <= len(projects) <= 10
    for project in projects:
        words = "*Question.*", "*Data.*", "*Compute exactly.*", "*A surprise would be*"
        said = [project.find(word) for word in words]
        assert -1 not in said, project.partition("\n")[0]
        assert said == sorted(said)
