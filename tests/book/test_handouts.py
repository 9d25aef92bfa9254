"""Notebooks to download: `book.tools.handouts`."""

import json
import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from book.tools import citations, figures, handouts, named_numbers
from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted
from book.tools.plain_markdown import References

ROOT = Path(__file__).resolve().parent.parent.parent
RECIPES = {
    "first-hour",
    "how-to",
    "calculators",
    "audit-yours",
    "your-data",
    "definitions-map",
}
RAW = re.compile(
    r"^\s*(?:`{3,}|:{3,})\s*\{|\{[a-z:-]+\}`|\]\{\.|^\(.*\)=$", re.MULTILINE
)


def handout(root, topic, cells=None):
    """A handout whose references say the labels themselves."""
    cells = cells or figures.cells_of(Chapter(root, topic).notebook)
    works = citations.works(root / "book" / "references.bib")
    return handouts.Handout(
        topic, cells, References(named_numbers.glued_numbers(cells), works), "*Origin.*"
    )


def texts(notebook, kind):
    """Sources of the cells of one kind."""
    return [
        figures.source(cell)
        for cell in json.loads(notebook)["cells"]
        if cell["cell_type"] == kind
    ]


@pytest.mark.parametrize("solutions", [False, True])
@pytest.mark.parametrize("topic", topics(ROOT))
def test_the_notebooks_of_a_chapter_hold_nothing_raw(topic, solutions):
    made = handouts.notebook(handout(ROOT, topic), solutions=solutions)
    nbformat.validate(nbformat.reads(made, as_version=4))
    prose = "\n".join(texts(made, "markdown"))
    assert RAW.search(re.sub(r"`[^`\n]+`", "", prose)) is None
    assert ("**Solution to" in prose) == (solutions and topic not in RECIPES)
    assert "*Origin.*" in prose.split("\n## ")[0]


SETTINGS = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
"""
BOOK_TOOLS = {
    "book",
    "jupyter_book",
    "jupytext",
    "myst_nb",
    "nbformat",
    "papermill",
    "sphinx",
}


@pytest.fixture(scope="module")
def plain_kernel(wheel, tmp_path_factory):
    """Environment of a kernel that has the wheel and none of the book's tools."""
    settings = tmp_path_factory.mktemp("settings")
    (settings / "sitecustomize.py").write_text(SETTINGS.format(blocked=BOOK_TOOLS))
    return os.environ | {"PYTHONPATH": f"{settings}{os.pathsep}{wheel.parent / 'site'}"}


def run(text, folder, environment):
    notebook = nbformat.reads(text, as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources=resources
    ).execute(env=environment)
    return notebook


def shortest():
    """The chapter with the least code."""
    taught = [topic for topic in topics(ROOT) if topic not in RECIPES]
    cells = {topic: unexecuted(Chapter(ROOT, topic)).cells for topic in taught}
    return min(
        cells, key=lambda topic: sum(cell.cell_type == "code" for cell in cells[topic])
    )


@pytest.mark.parametrize("solutions", [False, True])
def test_the_shortest_download_runs_from_the_wheel_alone(
    plain_kernel, wheel, tmp_path, solutions
):
    made = nbformat.reads(
        handouts.notebook(handout(ROOT, shortest()), solutions=solutions), as_version=4
    )
    made.cells.append(
        nbformat.v4.new_code_cell("import privml\nprint(privml.__file__)")
    )
    *cells, last = run(nbformat.writes(made), tmp_path, plain_kernel).cells
    assert Path(last.outputs[0].text.strip()).is_relative_to(wheel.parent / "site")
    assert list(tmp_path.iterdir()) == []
    codes = [cell for cell in cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in codes)
    assert any(
        "image/png" in output.get("data", {})
        for cell in codes
        for output in cell.outputs
    )


@pytest.fixture(scope="module")
def told(plain_kernel, tmp_path_factory):
    """What the plain kernel says when a tool of the book is imported, by tool."""
    code = "try:\n    import {}\n    print('there')\nexcept ModuleNotFoundError:\n    print('none')"
    cells = [
        nbformat.v4.new_code_cell(code.format(name)) for name in sorted(BOOK_TOOLS)
    ]
    text = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
    found = run(text, tmp_path_factory.mktemp("plain"), plain_kernel).cells
    return dict(
        zip(sorted(BOOK_TOOLS), (cell.outputs[0].text for cell in found), strict=True)
    )


@pytest.mark.parametrize("name", sorted(BOOK_TOOLS))
def test_the_plain_kernel_lacks_the_tools_of_the_book(told, name):
    assert told[name] == "none\n"


def cells_of(root):
    """Cells of the small chapter, with the number that its sentence shows."""
    cells = [dict(cell) for cell in unexecuted(Chapter(root, "a-chapter")).cells]
    output = {
        "metadata": {"scrapbook": {"name": "total"}},
        "data": {"text/plain": ["4.", "5"]},
    }
    return [
        *cells,
        {"cell_type": "code", "source": "", "metadata": {}, "outputs": [output]},
    ]


def test_students_get_statements_and_a_cell_for_the_answer_instead_of_solutions(
    exercise_book,
):
    of = handout(exercise_book, "a-chapter", cells_of(exercise_book))
    student, teacher = (
        handouts.notebook(of, solutions=solutions) for solutions in (False, True)
    )
    assert any(
        "The sum is 4.5; see l4-thm-one." in text for text in texts(student, "markdown")
    )
    for made in (student, teacher):
        prose = "\n".join(texts(made, "markdown"))
        assert (
            "**ex-a-chapter-sum** (A sum; code, easy).\n\nAdd the numbers of fig-a-chapter-line"
            in prose
        )
        assert "Prove l4-thm-one again." in prose
        assert "**fig-a-chapter-line.** A line." in prose
    assert "As above." not in student
    assert "It is the sum." not in student
    assert "As above." in teacher
    assert "# Your answer. To check it:\n# check_sum(answer)" in texts(student, "code")
    assert not any("answer = 5 / 6" in code for code in texts(student, "code"))
    assert any("answer = 5 / 6" in code for code in texts(teacher, "code"))
    assert student == handouts.notebook(of, solutions=False)


def test_what_has_no_plain_form_is_named_with_its_cell(exercise_book):
    source = exercise_book / "book" / "a-chapter.md"
    source.write_text(
        source.read_text().replace("## A result", "## A result {strange}`role`")
    )
    of = handout(exercise_book, "a-chapter", cells_of(exercise_book))
    with pytest.raises(
        ValueError, match="a-chapter: cell 4: the role 'strange' has no plain form"
    ):
        handouts.notebook(of, solutions=False)
