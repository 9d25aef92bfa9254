"""The sources of the chapters keep to the form that papermill, nbval and the reader rely on.

What a page shows, its cells compute. Collapsed are the imports, the words of drawings, the checkers of
exercises and the cells that only give numbers their names for the text; nothing else.
"""

import ast
from pathlib import Path

import pytest

from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted
from book.tools.figures import tags
from book.tools.programme import only_defines

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST_CELL, USUAL_CELL, UNUSUAL, WIDEST = 20, 12, 1 / 4, 84  # a longer line wraps on a wide screen
COLLAPSED = {"imports", "drawing", "checker", "values"}


def lines_of(cell):
    """Lines of code of a cell; its comments and blank lines are no burden."""
    return [line for line in cell.source.splitlines() if line.strip()]


def calls(cell):
    """Names of the functions that a cell calls."""
    return {ast.unparse(node.func) for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)}


def head_faults(cells):
    """The first code cell holds the parameters, the second nothing but imports."""
    if "parameters" not in tags(cells[0]) or sum("parameters" in tags(cell) for cell in cells) != 1:
        yield "exactly the first code cell must be tagged parameters"
    if not {"imports", "hide-input"} <= set(tags(cells[1])):
        yield "the second code cell must be tagged imports and hide-input"
    if not all(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.parse(cells[1].source).body):
        yield "the second code cell must hold nothing but imports"


def cell_faults(cell):
    """What is wrong with the form of one cell after the head."""
    given = set(tags(cell))
    if "hide-input" in given and len(given & COLLAPSED) != 1:
        yield f"hides its input, so it must have one tag of {', '.join(sorted(COLLAPSED))}"
    if given & COLLAPSED and "hide-input" not in given:
        yield "has a tag of collapsed cells and must hide its input"
    drawn = "drawing" in given and "notebook.figure" in calls(cell)
    if given & {"drawing", "checker"} and not (drawn or only_defines(cell.source)):
        yield "must only define, or draw a table that is there"
    if ("values" in given) != ("notebook.value" in calls(cell)):
        yield "must be tagged values and hide-input if it names numbers for the text, and only then"
    if "hide-input" not in given and len(lines_of(cell)) > LONGEST_CELL:
        yield f"has more than {LONGEST_CELL} lines"
    if "hide-input" not in given and any(len(line) > WIDEST for line in lines_of(cell)):
        yield f"has a line of more than {WIDEST} characters"


def hidden_faults(cells):
    """Functions of the library or of the chapter that compute for the text in collapsed cells alone."""
    imports = [node for node in ast.parse(cells[1].source).body if isinstance(node, ast.ImportFrom)]
    known = {a.asname or a.name for node in imports if node.module.startswith("privml") for a in node.names}
    parsed = [node for cell in cells for node in ast.parse(cell.source).body]
    known |= {node.name for node in parsed if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    in_sight = set().union(*(calls(cell) for cell in cells if "hide-input" not in tags(cell)))
    for cell in cells:
        called = calls(cell) - in_sight if "values" in tags(cell) else set()
        unseen = sorted(name for name in called if name.split(".")[0] in known - {"notebook"})
        yield from (f"{name} is computed for the text by a collapsed cell alone" for name in unseen)


def faults(chapter):
    """What is wrong with the form of a chapter, as sentences."""
    cells = [cell for cell in unexecuted(chapter).cells if cell.cell_type == "code"]
    found = [*head_faults(cells), *hidden_faults(cells)]
    for number, cell in enumerate(cells[2:], 3):
        found += [f"code cell {number} {fault}" for fault in cell_faults(cell)]
    shown = [len(lines_of(cell)) for cell in cells if "hide-input" not in tags(cell)]
    if sum(n > USUAL_CELL for n in shown) > UNUSUAL * len(shown):
        found.append(f"more than a quarter of the visible cells have more than {USUAL_CELL} lines")
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
        ("table = pd", "x = 1\n" * 20 + "table = pd", "code cell 4 has more than 20 lines"),
        ("[values, hide-input]", "[hide-input]", "code cell 3 hides its input, so it must have one tag of"),
        ("[values, hide-input]", "[values]", "code cell 3 has a tag of collapsed cells"),
        ("[values, hide-input]", "[]", "code cell 3 must be tagged values and hide-input if it names"),
        ("[values, hide-input]", "[checker, hide-input]", "code cell 3 must only define"),
        ("table = pd", f"x = {'1' * 81}\ntable = pd", "code cell 4 has a line of more than 84 characters"),
        ("table = pd", "x = 1\n" * 12 + "table = pd", "more than a quarter of the visible cells"),
        ('"total", ', '"total", curves() + ', "curves is computed for the text by a collapsed cell alone"),
    ],
)
def test_a_fault_of_form_is_seen(small_book, old, new, fault):
    chapter = Chapter(small_book, "a-chapter")
    assert faults(chapter) == []
    text = chapter.source.read_text()
    assert old in text
    chapter.source.write_text(text.replace(old, new))
    assert any(found.startswith(fault) for found in faults(chapter)), faults(chapter)
