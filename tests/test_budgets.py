"""The package and its tests stay small: lines and files of each room, and docstrings beside code.

The plan's rule for the package is hard: at most 26,000 lines in 140 files, and docstrings of at most 0.8
times the code. The tests are to come down to 36,000 lines. The number of a room is where it stands, rounded
up to 50 lines: it may rise with a reason, the sums may not, and whoever makes a room smaller lowers it.
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
    "__init__": 50,
    "_check": 250,
    "_doors": 150,
    "_exports": 50,
    "_optional": 50,
    "_records": 300,
    "_search": 150,
    "_shown": 100,
    "_vocabulary": 100,
    "adjacency": 250,
    "audit": 550,
    "bounds": 2_200,
    "coins": 300,
    "composed": 300,
    "composition": 2_000,
    "counterexamples": 100,
    "datasets": 400,
    "distributions": 850,
    "divergences": 850,
    "figures": 300,
    "guarantee": 550,
    "hypotheses": 750,
    "learnability": 2_900,
    "learners": 6_350,
    "mechanisms": 1_950,
    "notebook": 250,
    "pac": 300,
    "pate": 2_550,
    "populations": 500,
    "queries": 150,
    "results": 300,
    "statistics": 600,
}
TESTS = {
    ".": 4_650,
    "audit": 600,
    "book": 6_450,
    "bounds": 1_900,
    "browser": 1_750,
    "chapters": 13_750,
    "claims": 1_700,
    "composition": 1_200,
    "datasets": 450,
    "distributions": 450,
    "divergences": 550,
    "figures": 150,
    "guarantee": 450,
    "hypotheses": 550,
    "learnability": 1_850,
    "learners": 4_900,
    "live": 200,
    "mechanisms": 1_600,
    "pac": 400,
    "pate": 1_900,
    "populations": 200,
    "results": 650,
    "statistics": 400,
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


def counted(folder, part):
    """Lines of the Python files below a folder, by the part of it that each belongs to."""
    found = Counter()
    for file in sorted((ROOT / folder).rglob("*.py")):
        found[part(file)] += len(file.read_text().splitlines())
    return found


def over(found, numbers, most, name):
    """What has too many lines, each with its remedy."""
    left = f"all may have {most:,} lines, {most - sum(found.values()):,} are left"
    for part, n in found.items():
        if n > numbers.get(part, 0):
            told = f"{part}: {n:,} lines, not {numbers.get(part, 0):,}"
            yield f"{told}: raise it in {name} with a reason; {left}"
    if sum(found.values()) > most:
        yield f"{left}: the sum is the plan's, so take lines away first (CONTRIBUTING, Where it must fit)"


def test_no_room_grows_over_its_number_nor_the_package_over_the_plan():
    assert "\n".join(over(counted("privml", room), LINES, MOST_LINES, "LINES")) == ""


def test_no_folder_of_tests_grows_over_its_number_nor_all_over_the_plan():
    found = counted("tests", lambda file: next(iter(file.relative_to(ROOT / "tests").parent.parts), "."))
    assert "\n".join(over(found, TESTS, MOST_TEST_LINES, "TESTS")) == ""


def test_a_room_and_a_sum_that_are_too_large_say_what_to_do():
    told = list(over({"audit": 700, "pac": 40}, {"audit": 650, "pac": 50}, 730, "LINES"))
    assert told[0].startswith("audit: 700 lines, not 650: raise it in LINES with a reason; all may have 730")
    assert ["-10 are left" in one for one in told] == [True, True]


def test_the_package_has_no_more_files_than_it_had():
    assert FILES <= MOST_FILES
    assert len(files()) <= FILES, "two small files of one folder may be one (CONTRIBUTING, Where it must fit)"


def test_docstrings_are_not_longer_than_they_were_beside_the_code():
    assert DOCUMENTATION <= MOST_DOCUMENTATION
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
