"""The sources of the chapters keep to the form that papermill, nbval and the reader rely on."""

import ast
from pathlib import Path

import pytest

from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted
from book.tools.figures import tags

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST_CELL = 10


def head_faults(cells):
    """The first code cell holds the parameters, the second nothing but imports."""
    if "parameters" not in tags(cells[0]) or sum("parameters" in tags(cell) for cell in cells) != 1:
        yield "exactly the first code cell must be tagged parameters"
    if not {"imports", "hide-input"} <= set(tags(cells[1])):
        yield "the second code cell must be tagged imports and hide-input"
    if not all(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.parse(cells[1].source).body):
        yield "the second code cell must hold nothing but imports"


def faults(chapter):
    """What is wrong with the form of a chapter, as sentences."""
    cells = [cell for cell in unexecuted(chapter).cells if cell.cell_type == "code"]
    found = list(head_faults(cells))
    for number, cell in enumerate(cells, 1):
        if "hide-input" in tags(cell) and number != 2:
            found.append(f"code cell {number} hides its input")
        if len(cell.source.splitlines()) > LONGEST_CELL and number != 2:
            found.append(f"code cell {number} has more than {LONGEST_CELL} lines")
    return found


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_chapter_has_the_form_of_a_chapter(topic):
    assert faults(Chapter(ROOT, topic)) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[parameters]", "[setup]", "exactly the first code cell must be tagged parameters"),
        ("[imports, hide-input]", "[imports]", "the second code cell must be tagged imports and hide-input"),
        ("import os\n", "import os\nx = 1\n", "the second code cell must hold nothing but imports"),
        ('print("threads"', "x = 1\n" * 10 + 'print("threads"', "code cell 3 has more than 10 lines"),
    ],
)
def test_a_fault_of_form_is_seen(small_book, old, new, fault):
    chapter = Chapter(small_book, "a-chapter")
    assert faults(chapter) == []
    text = chapter.source.read_text()
    assert old in text
    chapter.source.write_text(text.replace(old, new))
    assert any(found.startswith(fault) for found in faults(chapter)), faults(chapter)
