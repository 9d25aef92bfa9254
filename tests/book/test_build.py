"""The whole build on a small book, with real kernels and the real Jupyter Book: `book.build`."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from book.tools import site
from book.tools.chapters import Chapter
from book.tools.execute import run
from privml.notebook import FIGURE_MIME

ROOT = Path(__file__).resolve().parent.parent.parent


def build(root, *options, **environment):
    """Run the command; its exit status and everything it printed."""
    command = [sys.executable, "-m", "book.build", "--root", str(root), *options]
    settings = {
        "cwd": ROOT,
        "env": os.environ | environment,
        "capture_output": True,
        "text": True,
    }
    outcome = subprocess.run(command, check=False, **settings)
    return outcome.returncode, outcome.stdout + outcome.stderr


def edit(root, name, old, new):
    """Replace a piece of a file that must be there."""
    text = (root / name).read_text()
    assert old in text
    (root / name).write_text(text.replace(old, new))


def texts(notebook):
    """All text outputs of a notebook, joined."""
    cells = json.loads(notebook.read_text())["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return "".join("".join(output.get("text", [])) for output in outputs)


def test_a_book_is_built_once_and_then_only_where_it_changed(small_book):
    notebook = small_book / "notebooks" / "a-chapter.ipynb"
    status, said = build(small_book, PRIVML_DATA="/somewhere")
    assert status == 0, said
    assert "is new, nothing was committed" in said
    assert "2 pages with 1 statements and 1 figures, no outside request" in said
    assert "threads 1 data None" in texts(notebook)
    page = (small_book / "_build" / "html" / "notebooks" / "a-chapter.html").read_text()
    assert 'The sum is <span class="pasted-text glued-total">' in page
    assert "Theorem" in page
    first = notebook.read_bytes()

    status, said = build(small_book)
    assert (status, "0 chapters to execute, 1 up to date" in said) == (0, True), said
    assert "pages up to date" in said
    assert site.is_fresh(small_book)
    edit(small_book, "book/start.md", "Read", "Please read")
    assert not site.is_fresh(small_book)
    status, said = build(small_book)
    assert (status, "pages up to date" in said) == (0, False), said
    assert site.is_fresh(small_book)

    shutil.rmtree(small_book / "_build")
    status, said = build(small_book, "--no-html")
    assert status == 0, said
    assert "matches the committed outputs byte for byte" in said
    assert notebook.read_bytes() == first
    assert not (small_book / "_build" / "html").exists()

    edit(small_book, "book/a-chapter.md", "seed = 0", "seed = 1")
    status, said = build(small_book, "--no-html")
    assert status == 0, said
    assert "differs from the committed notebook in cells 2, 5" in said
    assert notebook.read_bytes() != first


def test_a_notebook_whose_pictures_alone_differ_is_left_as_it_is_committed(
    small_book, committed
):
    notebook = committed.notebook
    mine = notebook.read_text()
    changed = json.loads(mine)
    data = [
        o.get("data", {}) for cell in changed["cells"] for o in cell.get("outputs", [])
    ]
    [drawn] = [found for found in data if FIGURE_MIME in found]
    drawn["image/png"] = "b3RoZXI="
    drawn[FIGURE_MIME]["rows"][1][-1] *= 1 + 1e-8
    notebook.write_text(
        json.dumps(changed, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    )
    other = notebook.read_bytes()
    status, said = build(small_book, "--no-html")
    assert (status, "pictures or last digits differ" in said) == (0, True), said
    assert notebook.read_bytes() == other
    assert "0 chapters to execute" in build(small_book, "--no-html")[1]
    assert build(small_book, "--no-html", "--all", "--redraw")[0] == 0
    assert notebook.read_text() == mine


def test_a_failing_cell_stops_with_chapter_cell_and_traceback_and_leaves_the_notebook(
    small_book,
):
    notebook = small_book / "notebooks" / "a-chapter.ipynb"
    notebook.parent.mkdir()
    notebook.write_text("committed\n")
    edit(small_book, "book/a-chapter.md", 'print("threads"', 'print(1 / 0, "threads"')
    status, said = build(small_book)
    assert status == 1
    assert (
        "book/a-chapter.md:39: a-chapter: cell 5 (code cell 3) failed with ZeroDivisionError: "
        in said
    )
    assert 'print(1 / 0, "threads"' in said
    assert "Traceback" in said
    assert notebook.read_text() == "committed\n"
    assert not (small_book / "_build" / "html").exists()


def test_of_two_equal_cells_the_one_that_fails_is_named(small_book):
    code = ["once = iter([1])", "shown = next(once)", "shown = next(once)"]
    cells = "".join(f"```{{code-cell}} ipython3\n{line}\n```\n\n" for line in code)
    edit(small_book, "book/a-chapter.md", "## A result", f"{cells}## A result")
    failure = run(Chapter(small_book, "a-chapter")).failure
    where = "book/a-chapter.md:40: a-chapter: cell 6 (code cell 5)"
    assert failure.startswith(f"{where} failed with StopIteration")


def test_a_warning_of_a_cell_is_a_failure(small_book):
    edit(
        small_book,
        "book/a-chapter.md",
        'print("threads"',
        'np.log(0.0 * np.ones(1))\nprint("threads"',
    )
    status, said = build(small_book, "--no-html")
    assert status == 1
    assert "a-chapter: cell 5 writes to the error stream" in said
    assert "divide by zero" in said


DANGLING = {
    "{prf:ref}`l4-thm-one`": "{prf:ref}`l4-thm-two`",
    "{glue:text}`total`": "{glue:text}`totals`",
}
LOST = {"(../notebooks/a-chapter)": "(../notebooks/b-chapter)"}
UNDESCRIBED = {"Read [on]": '<img src="line.png"> Read [on]'}


def replace_everywhere(root, pieces):
    """Edit pages, chapter and executed notebook alike, so that nothing has to run again."""
    for name in ("book/start.md", "book/a-chapter.md", "notebooks/a-chapter.ipynb"):
        text = (root / name).read_text()
        for old, new in pieces.items():
            text = text.replace(old, new)
        (root / name).write_text(text)


def test_faults_of_the_pages_fail_and_go_on_failing_until_they_are_mended(
    small_book, committed
):
    replace_everywhere(small_book, DANGLING)
    status, said = build(small_book, "--html-only")
    assert status == 1
    assert all(word in said for word in ("l4-thm-two", "totals"))
    replace_everywhere(small_book, {new: old for old, new in DANGLING.items()} | LOST)
    for _ in range(2):
        status, said = build(small_book, "--html-only")
        assert status == 1
        assert "b-chapter" in said
    replace_everywhere(
        small_book, {new: old for old, new in LOST.items()} | UNDESCRIBED
    )
    status, said = build(small_book, "--html-only")
    assert status == 1
    assert not site.is_fresh(small_book)
    assert "FAULT book/start: picture line.png has no text alternative" in said


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--only", "nonsense"], "--only must be one of a-chapter, got 'nonsense'"),
        (["--no-html", "--html-only"], "not allowed with"),
        (["--root", "/nonexistent"], "No such file or directory"),
    ],
)
def test_a_request_that_makes_no_sense_is_explained(small_book, options, sentence):
    status, said = build(small_book, *options)
    assert status == 2
    assert sentence in said
    assert "Traceback" not in said
