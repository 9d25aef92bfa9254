"""The package and its tests stay small: lines and files of each room, and docstrings beside code.

The plan's rule for the package is hard: at most 26,000 lines in 140 files, and docstrings of at most 0.8
times the code. The tests are to come down to 36,000 lines. The other numbers are where the rooms stand;
whoever makes a room smaller lowers its number.
"""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted
from book.tools.programme import source, tags

ROOT = Path(__file__).resolve().parent.parent
LINES = {
    "__init__": 16,
    "_check": 232,
    "_doors": 114,
    "_exports": 46,
    "_optional": 43,
    "_records": 267,
    "_search": 101,
    "_shown": 79,
    "_vocabulary": 79,
    "adjacency": 211,
    "audit": 544,
    "bounds": 2_179,
    "coins": 300,
    "composed": 280,
    "composition": 2_028,
    "counterexamples": 56,
    "datasets": 373,
    "distributions": 834,
    "divergences": 838,
    "figures": 253,
    "guarantee": 538,
    "hypotheses": 758,
    "learnability": 2_948,
    "learners": 6_403,
    "mechanisms": 1_938,
    "notebook": 232,
    "pac": 293,
    "pate": 2_514,
    "populations": 511,
    "queries": 127,
    "results": 279,
    "statistics": 582,
}
TESTS = {
    ".": 4_500,
    "audit": 562,
    "book": 6_091,
    "bounds": 1_886,
    "browser": 1_667,
    "chapters": 13_932,
    "claims": 1_699,
    "composition": 1_165,
    "datasets": 409,
    "distributions": 446,
    "divergences": 549,
    "figures": 137,
    "guarantee": 436,
    "hypotheses": 512,
    "learnability": 1_821,
    "learners": 4_921,
    "live": 164,
    "mechanisms": 1_496,
    "pac": 371,
    "pate": 1_824,
    "populations": 164,
    "results": 638,
    "statistics": 322,
}
MOST_TEST_LINES = 46_500  # then 36,000, as the chapters and the build are written again
MOST_LINES, MOST_FILES, MOST_DOCUMENTATION = 26_000, 140, 0.8
FILES, DOCUMENTATION, PLUMBING = 140, 0.68, 0.1


def room(file):
    """Name of the part of the package that a file belongs to."""
    return file.relative_to(ROOT / "privml").parts[0].removesuffix(".py")


def files():
    """All files of the package."""
    return sorted((ROOT / "privml").rglob("*.py"))


def lines_of_docstrings(tree):
    """Number of lines of all docstrings of a module."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds) and ast.get_docstring(node)]
    return sum(node.body[0].end_lineno - node.body[0].lineno + 1 for node in nodes)


def test_no_room_grows_over_its_number_of_lines():
    found = Counter()
    for file in files():
        found[room(file)] += len(file.read_text().splitlines())
    over = [
        f"{name}: {n} lines, not {LINES.get(name, 0)}" for name, n in found.items() if n > LINES.get(name, 0)
    ]
    assert not over, "\n".join(over)


def test_no_folder_of_tests_grows_over_its_number_of_lines():
    found = Counter()
    for file in sorted((ROOT / "tests").rglob("*.py")):
        folder = next(iter(file.relative_to(ROOT / "tests").parent.parts), ".")
        found[folder] += len(file.read_text().splitlines())
    over = [
        f"{name}: {n} lines, not {TESTS.get(name, 0)}" for name, n in found.items() if n > TESTS.get(name, 0)
    ]
    assert not over, "\n".join(over)


def test_the_numbers_of_the_rooms_stay_within_the_plan():
    """The tests beside it hold the package to these numbers; they are bound by the plan themselves."""
    assert sum(LINES.values()) <= MOST_LINES
    assert sum(TESTS.values()) <= MOST_TEST_LINES
    assert FILES <= MOST_FILES
    assert DOCUMENTATION <= MOST_DOCUMENTATION


def test_the_package_has_no_more_files_than_it_had():
    assert len(files()) <= FILES


def test_docstrings_are_not_longer_than_they_were_beside_the_code():
    texts = [file.read_text() for file in files()]
    words = sum(lines_of_docstrings(ast.parse(text)) for text in texts)
    assert words <= DOCUMENTATION * (sum(len(text.splitlines()) for text in texts) - words)


def shown(topic):
    """Lines of code that a page shows open."""
    cells = unexecuted(Chapter(ROOT, topic)).cells
    opened = [cell for cell in cells if cell.cell_type == "code" and "hide-input" not in tags(cell)]
    return [line for cell in opened for line in source(cell).splitlines() if line.strip()]


@pytest.mark.parametrize("topic", topics(ROOT))
def test_of_what_a_page_shows_at_most_a_tenth_is_plumbing(topic):
    plumbing = re.compile(r"^\s*(notebook\.(value|figure)|words\b|figures\.)")
    lines = shown(topic)
    assert sum(bool(plumbing.match(line)) for line in lines) <= PLUMBING * len(lines)
