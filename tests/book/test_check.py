"""Each kind of bad input stops the build, and the message names the chapter and the cell: `book.check`."""

import json
import shutil
from pathlib import Path

import pytest

from book import check
from book.tools import inventory, results
from book.tools.chapters import Chapter
from book.tools.execute import run

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_sources_of_the_book_have_no_fault():
    assert "\n".join(check.source_faults(ROOT)) == ""


def test_the_notebooks_of_the_book_are_those_of_the_sources():
    assert "\n".join(check.notebook_faults(ROOT)) == ""


def edit(root, name, old, new):
    """Replace a piece of a file that must be there."""
    text = (root / name).read_text()
    assert old in text
    (root / name).write_text(text.replace(old, new))


FIGURE = """
```{code-cell} ipython3
---
mystnb:
  figure: {name: fig-a-chapter-line, caption: "Again."}
  image: {alt: "Again."}
---
notebook.figure(curves, pd.DataFrame(), ylabel="p")
```
"""
EXERCISE = """
```{exercise-start} Title
:label: ex-a-chapter-x
:class: pencil easy
```
Show.
```{exercise-end}
```
"""
CALL = 'notebook.figure(curves, table, ylabel="probability", y_at=[0.1])'
MARGINAL = "```{margin}\n**Erratum** (L4): no.\n```\n\n## A result"
OPEN_CODE = "````{note}\nAs\n```python\nx = 1\n\n````\n\n## A result"
LOST = "a reference to 'lem-no', which no page has"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "## A result",
            FIGURE + "\n## A result",
            "book/a-chapter.md:56: the label fig-a-chapter-line is also that of book/a-chapter.md:33",
        ),
        (
            "## A result",
            "(l4-thm-one)=\n## A result",
            "book/a-chapter.md:35: the label l4-thm-one is also that of book/a-chapter.md:32",
        ),
        (
            "name: fig-a-chapter-line, ",
            "",
            "book/a-chapter.md:46: must have a name fig-a-chapter-...",
        ),
        (
            "name: fig-a-chapter-line",
            "name: Line",
            "book/a-chapter.md:46: must have a name fig-a-chapter-...",
        ),
        (
            'caption: "A line."',
            'caption: " "',
            "book/a-chapter.md:46: must have a caption",
        ),
        (', caption: "A line."', "", "book/a-chapter.md:46: must have a caption"),
        (
            "A straight line that rises from left to right.",
            "",
            "book/a-chapter.md:46: must have an al",
        ),
        ("  image:", "  picture:", "book/a-chapter.md:46: must have an alt text"),
        (CALL, f"{CALL}\n{CALL}", "book/a-chapter.md:46: must have exactly one call"),
        (CALL, "table", "book/a-chapter.md:46: must have exactly one call"),
        (
            "1 / 3",
            "total",
            "book/a-chapter.md:46: must use only names that earlier cells bind, also",
        ),
        (
            "seed = 0",
            "seed = (",
            "book/a-chapter.md:16: is not valid Python: '(' was never closed",
        ),
        (
            "It holds.",
            "It holds by {prf:ref}`lem-no`.",
            f"book/a-chapter.md:36: {LOST}",
        ),
        (
            "## A result",
            EXERCISE,
            "book/a-chapter.md:33: exercise 'ex-a-chapter-x' has no solution",
        ),
        (
            "## A result",
            "See {ref}`no-such`.\n\n## A result",
            "book/a-chapter.md:32: a reference to 'no-such'",
        ),
        (
            "It holds.",
            "See {doc}`b-chapter`.",
            "book/a-chapter.md:36: a reference to 'b-chapter', no page",
        ),
        (
            "It holds.",
            "See {doc}`on <../book/star>`.",
            "book/a-chapter.md:36: a reference to '../book/star'",
        ),
        (
            "It holds.",
            "By {cite:p}`Nobody`.",
            "book/a-chapter.md:36: a reference to 'Nobody', which ref",
        ),
        (
            "It holds.",
            "By {cite}`l4-thm-one`.",
            "book/a-chapter.md:36: a reference to 'l4-thm-one', which ref",
        ),
        (
            "It holds.",
            "See {ref}`book/start`.",
            "book/a-chapter.md:36: a reference to 'book/start', which no",
        ),
        (
            "`l4-thm-one`",
            "`L4-thm-onne`",
            "book/a-chapter.md:14: a reference to 'L4-thm-onne', which no page has; did you mean l4-thm-one?",
        ),
        (
            "It holds.",
            "See {doc}`../book/strat`.",
            "book/a-chapter.md:36: a reference to '../book/strat', no page; did you mean book/start?",
        ),
        (
            'notebook.glue("total"',
            'notebook.glu("total"',
            "book/a-chapter.md:42: notebook.glu is not there; did you mean glue?",
        ),
        (
            "It holds.\n```\n",
            "It holds.\n",
            "book/a-chapter.md:34: this fence is not closed before line 38",
        ),
        (
            "## A result",
            OPEN_CODE,
            "book/a-chapter.md:34: this fence is not closed before line 37",
        ),
        (
            "y_at=[0.1])\n```",
            "y_at=[0.1])",
            "book/a-chapter.md:46: this fence is not closed",
        ),
        (
            "It holds.",
            "<<<<<<< HEAD\nIt holds.",
            "book/a-chapter.md:36: a mark of a merge is left",
        ),
        (
            "`total`",
            "`totel`",
            "book/a-chapter.md:14: no cell names a number 'totel' by notebook.glue",
        ),
        (
            'glue("total", ',
            'glue("total", number=1)\nnotebook.glue("total",\n digit=2, number=',
            "book/a-chapter.md:44: notebook.glue takes no keyword digit",
        ),
        (
            "## A result",
            MARGINAL,
            "book/a-chapter.md:32: an erratum belongs into the directive erratum",
        ),
    ],
)
def test_a_planted_fault_of_a_chapter_is_named_with_its_place(
    small_book, old, new, sentence
):
    assert check.source_faults(small_book) == []
    edit(small_book, "book/a-chapter.md", old, new)
    found = check.source_faults(small_book)
    assert any(fault.startswith(sentence) for fault in found), found


def test_a_label_of_two_pages_and_a_lost_reference_of_a_page_are_named(small_book):
    edit(
        small_book,
        "book/start.md",
        "Read",
        "(L4-thm-one)=\n## More\n\nBy {prf:ref}`lem-no`.\n\nRead",
    )
    found = check.source_faults(small_book)
    assert (
        "book/a-chapter.md:34: the label l4-thm-one is also that of book/start.md:3"
        in found
    )
    assert found[0].startswith(f"book/start.md:6: {LOST}")
    assert check.source_faults(small_book, ["a-chapter"]) == [found[-1]]


@pytest.fixture
def executed(small_book):
    """The small book with its notebook."""
    outcome = run(Chapter(small_book, "a-chapter"))
    assert outcome.failure is None
    Chapter(small_book, "a-chapter").notebook.write_text(outcome.text)
    assert check.notebook_faults(small_book) == []
    return small_book


def test_a_table_that_changed_without_its_figure_is_named(executed):
    edit(executed, "notebooks/a-chapter.ipynb", "0.333333333", "0.433333333")
    [fault] = check.notebook_faults(executed)
    assert fault.startswith(
        "a-chapter: cell 6: fig-a-chapter-line has a picture that was not drawn from the"
    )


def test_a_figure_that_changed_without_its_table_is_named(executed):
    notebook = executed / "notebooks" / "a-chapter.ipynb"
    edit(executed, "book/a-chapter.md", "[0.5, 1 / 3]", "[0.5, 1 / 4]")
    other = run(Chapter(executed, "a-chapter"))
    pictures = [
        output["data"]["image/png"]
        for text in (notebook.read_text(), other.text)
        for cell in json.loads(text)["cells"]
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    edit(executed, "book/a-chapter.md", "[0.5, 1 / 4]", "[0.5, 1 / 3]")
    edit(
        executed,
        "notebooks/a-chapter.ipynb",
        *(json.dumps(picture)[1:-1] for picture in pictures),
    )
    [fault] = check.notebook_faults(executed)
    assert fault.startswith(
        "a-chapter: cell 6: fig-a-chapter-line has a picture that was not drawn from the"
    )


@pytest.mark.parametrize(
    ("old", "new", "cell"),
    [
        ("1 / 3", "2 / 3", 6),
        ('caption: "A line."', 'caption: "A curve."', 6),
        ("It holds.", "It may hold.", 4),
    ],
)
def test_a_source_that_changed_without_its_notebook_is_named(executed, old, new, cell):
    edit(executed, "book/a-chapter.md", old, new)
    reason = "of the notebook is not the cell of book/a-chapter.md: execute the chapter"
    assert check.notebook_faults(executed) == [f"a-chapter: cell {cell} {reason}"]


def test_cells_too_many_or_too_few_and_a_missing_notebook_are_named(executed):
    with (executed / "book" / "a-chapter.md").open("a") as file:
        file.write("\n```{code-cell} ipython3\n1\n```\n")
    faults = [
        fault.partition(" of the")[0] for fault in check.notebook_faults(executed)
    ]
    assert faults == ["a-chapter: cell 7"]
    Chapter(executed, "a-chapter").notebook.unlink()
    assert check.notebook_faults(executed) == [
        "a-chapter: has no notebook: execute the chapter"
    ]


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        (
            "privml/new.py",
            '"""**Source.** L4-no-such-item."""\n',
            "no L4-no-such-item, which a docstring names",
        ),
        (
            "tests/test_new.py",
            'import pytest\n\n\n@pytest.mark.source("L4-no-such-item")\ndef test_it():\n    pass\n',
            "no L4-no-such-item, which a marker source names: tests/test_new.py::test_it",
        ),
        (
            "tests/test_new.py",
            'import pytest\n\n\n@pytest.mark.erratum("L4-def-pac/99")\ndef test_it():\n    pass\n',
            "no L4-def-pac/99, which a marker erratum names",
        ),
    ],
)
def test_an_inventory_id_that_does_not_exist_is_named(small_book, file, text, sentence):
    shutil.copy(ROOT / "book" / "inventory.yml", small_book / "book" / "inventory.yml")
    (small_book / "tests").mkdir()
    items = {item["id"]: item for item in inventory.items(small_book)}

    def found():
        tests = inventory.marked(small_book, "source"), inventory.errata(small_book)
        return list(results.unknown_ids(items, inventory.symbols(small_book), *tests))

    assert found() == []
    (small_book / file).write_text(text)
    assert [sentence in fault for fault in found()] == [True]


def test_the_command_prints_faults_and_says_so_in_its_exit_status(executed, capsys):
    assert check.main(["--root", str(executed)]) == 0
    edit(executed, "book/a-chapter.md", "It holds.", "It holds by {prf:ref}`lem-no`.")
    assert check.main(["--root", str(executed)]) == 1
    assert f"FAULT book/a-chapter.md:36: {LOST}" in capsys.readouterr().err
    assert check.main(["--root", str(executed), "a-chapter"]) == 1


def test_a_mistyped_topic_is_answered_with_those_that_are_near(capsys):
    assert check.main(["expert"]) == 2
    assert "did you mean experts" in capsys.readouterr().err


def test_pages_and_works_that_are_there_are_no_fault(small_book):
    (small_book / "book/references.bib").write_text(
        "@misc{One, title = {A}}\n\n@misc{Two, title = {B}}\n"
    )
    said = "By {cite:t}`One,Two`, {doc}`on <../book/start>` and {doc}`a-chapter`."
    edit(small_book, "book/a-chapter.md", "It holds.", said)
    assert check.source_faults(small_book) == []
