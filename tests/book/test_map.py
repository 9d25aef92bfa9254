"""The build stays small and findable: each module in its map, each folder within its lines."""

import re

import pytest

from book.tools.chapters import ROOT

# Lines of Python: where the folders stand. The plan's number for all of them is 7,000: who makes one smaller
# lowers its number, and raises another by less.
LINES = {"book": 1_475, "book/extensions": 3_375, "book/tools": 4_635, "book/_static/live": 95}
MOST_SCRIPT = 2_000  # lines of JavaScript and CSS
FOLDERS = {"Commands": "book", "Tools": "book/tools", "Extensions": "book/extensions"}


def modules(folder):
    """Python files of a folder, those below it left out."""
    return [file for file in sorted((ROOT / folder).glob("*.py")) if file.name != "__init__.py"]


def lines(file):
    return len(file.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(("section", "folder"), FOLDERS.items())
def test_each_module_is_in_the_map_and_no_other(section, folder):
    text = (ROOT / "book" / "README.md").read_text(encoding="utf-8")
    [table] = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    listed = re.findall(r"^\| `(\w+)` \| \S", table, re.MULTILINE)
    assert sorted(listed) == [file.stem for file in modules(folder)]


def test_files_that_the_map_names_are_there():
    text = (ROOT / "book" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:tools|extensions|_static)/[\w./-]+)`", text)
    assert len(named) > 15
    assert [name for name in named if not (ROOT / "book" / name).exists()] == []


def test_no_name_stands_for_two_modules():
    names = [file.stem for folder in ("book/tools", "book/extensions") for file in modules(folder)]
    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize("folder", LINES)
def test_a_folder_keeps_its_number_of_lines(folder):
    assert sum(map(lines, (ROOT / folder).glob("*.py"))) <= LINES[folder]


def test_scripts_and_styles_keep_to_theirs():
    files = [file for kind in ("js", "mjs", "css") for file in (ROOT / "book" / "_static").rglob(f"*.{kind}")]
    assert sum(map(lines, files)) <= MOST_SCRIPT


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "PUBLISHING.md", "book/WRITING.md"])
def test_files_that_a_guide_names_are_there(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`((?:book|privml|tests)/[\w./-]+)`", text)
    built = ("book/pyodide-lock-", "tests/browser/", "tests/claims/", "tests/datasets/")
    assert len(named) > 4
    assert "book.build --only" not in text  # which goes on to make all pages
    missing = [path for path in named if not path.startswith(built) and not (ROOT / path).exists()]
    assert "\n".join(missing) == ""
