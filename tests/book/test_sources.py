"""The sources of the chapters keep to the form that papermill, nbval and the reader rely on."""

import ast
import builtins
from pathlib import Path

import pytest

from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST_CELL = 10


def tags(cell):
    return cell.metadata.get("tags", [])


def calls_of_figure(cell):
    """Number of calls of ``notebook.figure`` in a cell."""
    calls = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)]
    return sum(ast.unparse(call.func) == "notebook.figure" for call in calls)


def names(cells):
    """Names that cells bind at top level, by assignment or import, and those that they use."""
    bound, used = set(), set()
    for node in [node for cell in cells for node in ast.walk(ast.parse(cell.source))]:
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.FunctionDef):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
    return bound, used


def head_faults(cells):
    """The first code cell holds the parameters, the second nothing but imports."""
    if "parameters" not in tags(cells[0]) or sum("parameters" in tags(cell) for cell in cells) != 1:
        yield "exactly the first code cell must be tagged parameters"
    if not {"imports", "hide-input"} <= set(tags(cells[1])):
        yield "the second code cell must be tagged imports and hide-input"
    if not all(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.parse(cells[1].source).body):
        yield "the second code cell must hold nothing but imports"


def figure_faults(cell, head):
    """A figure cell is one call on one table, is described, and runs after the first two cells alone."""
    described = cell.metadata.get("mystnb", {})
    named, image = described.get("figure", {}), described.get("image", {})
    if calls_of_figure(cell) != 1:
        yield "must have exactly one call of notebook.figure"
    if not (str(named.get("name", "")).startswith("fig-") and named.get("caption") and image.get("alt")):
        yield "must have a name fig-..., a caption and an alt text in its metadata"
    bound, used = names([*head, cell])
    if unknown := used - bound - set(dir(builtins)):
        yield f"must use only names of the first two cells, also uses {', '.join(sorted(unknown))}"


def faults(chapter):
    """What is wrong with the form of a chapter, as sentences."""
    cells = [cell for cell in unexecuted(chapter).cells if cell.cell_type == "code"]
    found = list(head_faults(cells))
    for number, cell in enumerate(cells, 1):
        if "hide-input" in tags(cell) and number != 2:
            found.append(f"code cell {number} hides its input")
        if len(cell.source.splitlines()) > LONGEST_CELL and number != 2:
            found.append(f"code cell {number} has more than {LONGEST_CELL} lines")
        if calls_of_figure(cell) or "figure" in cell.metadata.get("mystnb", {}):
            found += [f"code cell {number} {fault}" for fault in figure_faults(cell, cells[:2])]
    return found


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_chapter_has_the_form_of_a_chapter(topic):
    assert faults(Chapter(ROOT, topic)) == []


def test_no_figure_name_is_used_twice():
    cells = [cell for topic in topics(ROOT) for cell in unexecuted(Chapter(ROOT, topic)).cells]
    figures = [cell.metadata.get("mystnb", {}).get("figure") for cell in cells]
    used = [figure["name"] for figure in figures if figure]
    assert len(used) == len(set(used))


FIGURE_CELL = """notebook.figure(line, pd.DataFrame({"x": [0.0, 1 / 3]}))"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[parameters]", "[setup]", "exactly the first code cell must be tagged parameters"),
        ("[imports, hide-input]", "[imports]", "the second code cell must be tagged imports and hide-input"),
        ("import os\n", "import os\nx = 1\n", "the second code cell must hold nothing but imports"),
        (FIGURE_CELL, FIGURE_CELL + "\n" + FIGURE_CELL, "code cell 4 must have exactly one call"),
        (FIGURE_CELL, FIGURE_CELL.replace("1 / 3", "total"), "code cell 4 must use only names of the first"),
        ("name: fig-a-chapter-line, ", "", "code cell 4 must have a name fig-..."),
        ('  image: {alt: "A straight', '  image: {title: "A', "code cell 4 must have a name fig-..."),
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
