"""The map of the build names every module and no other."""

import ast
import re

import pytest

from book.tools.chapters import ROOT

FOLDERS = {"Commands": "book", "Tools": "book/tools", "Extensions": "book/extensions"}


def modules(folder):
    """Python files of a folder, those below it left out."""
    return [
        file
        for file in sorted((ROOT / folder).glob("*.py"))
        if file.name != "__init__.py"
    ]


@pytest.mark.parametrize(("section", "folder"), FOLDERS.items())
def test_each_module_is_in_the_map_and_no_other(section, folder):
    text = (ROOT / "book" / "README.md").read_text(encoding="utf-8")
    [table] = re.findall(
        rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    listed = re.findall(r"^\| `(\w+)` \| \S", table, re.MULTILINE)
    assert sorted(listed) == [file.stem for file in modules(folder)]


def test_files_that_the_map_names_are_there():
    text = (ROOT / "book" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:tools|extensions|_static)/[\w./-]+)`", text)
    assert len(named) > 15
    assert [name for name in named if not (ROOT / "book" / name).exists()] == []


def test_no_name_stands_for_two_modules():
    names = [
        file.stem
        for folder in ("book/tools", "book/extensions")
        for file in modules(folder)
    ]
    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize(
    "name", ["CONTRIBUTING.md", "PUBLISHING.md", "book/WRITING.md"]
)
def test_files_that_a_guide_names_are_there(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`((?:book|privml|tests)/[\w./-]+)`", text)
    built = ("book/pyodide-lock-", "tests/browser/", "tests/claims/", "tests/datasets/")
    assert named
    assert "book.build --only" not in text  # which goes on to make all pages
    missing = [
        path
        for path in named
        if not path.startswith(built) and not (ROOT / path).exists()
    ]
    assert "\n".join(missing) == ""


def test_a_name_that_two_modules_of_a_folder_define_is_never_imported_alone():
    """Who reads `faults(...)` must see whose: `figures.faults`, or a name with a noun."""
    for folder in FOLDERS.values():
        homes = {}
        for file in modules(folder):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    homes.setdefault(node.name, set()).add(file.stem)
        package, shared = (
            folder.replace("/", "."),
            {name for name, files in homes.items() if len(files) > 1},
        )
        alone = [
            f"{file.relative_to(ROOT)}: {node.module}.{alias.name}, also of {sorted(homes[alias.name])}"
            for file in (ROOT / "book").rglob("*.py")
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom)
            and (node.module or "").rpartition(".")[0] == package
            for alias in node.names
            if alias.name in shared
        ]
        assert "\n".join(alone) == ""
