"""What publishes the book, the package and the article: workflows that call Make, addresses, references."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from book.extensions import publish

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def named(requirements):
    return {re.match(r"[\w.-]+", one)[0].lower() for one in requirements}


def steps(file):
    """Every shell step of a workflow."""
    jobs = yaml.safe_load(file.read_text())["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_what_a_workflow_makes_is_a_target_of_the_makefile(file):
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    made = [step.split()[1] for step in steps(file) if step.startswith("make ")]
    assert made
    assert set(made) <= targets


def test_the_workflows_test_every_python_that_the_package_names():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text())[
        "jobs"
    ]
    versions = [
        one.split(" :: ")[-1] for one in PROJECT["classifiers"] if ":: 3." in one
    ]
    assert jobs["whole"]["strategy"]["matrix"]["python"] == versions


def test_where_the_library_is_tested_alone_its_tests_can_be_imported():
    lists = dict(
        re.findall(
            r"^(LIBRARY\w*) := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE
        )
    )
    (rooms, needs), asked = lists.values(), "\n".join(steps(WORKFLOWS[-1]))
    assert f'".[notebook,scale]" {needs}\n' in asked
    assert f"tests/chapters {rooms}\n" in asked
    assert all((ROOT / room).is_dir() for room in rooms.split())
    texts = [
        file.read_text()
        for room in rooms.split()
        for file in (ROOT / room).rglob("*.py")
    ]
    modules = re.findall(r"^(?:from|import) (\w+)", "\n".join(texts), re.MULTILINE)
    command = [sys.executable, "-c", "import conftest, sys; print(*sys.modules)"]
    modules += subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    loaded = set(
        sum(
            (
                found
                for name, found in packages_distributions().items()
                if name in modules
            ),
            [],
        )
    )
    extras = PROJECT["optional-dependencies"]
    brought = (
        needs.split()
        + extras["notebook"]
        + extras["scale"]
        + requires("nbval")
        + requires("jupytext")
    )
    assert (
        loaded & named(extras["book"] + extras["test"]) - named(brought) - {"privml"}
        == set()
    )


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_actions_are_pinned_by_hash_and_shells_get_no_text_from_elsewhere(file):
    """A tag can be moved to other code; and what GitHub puts into a command, the shell would read as code."""
    used = re.findall(r"uses:(.*)", file.read_text())
    assert used
    assert [
        use
        for use in used
        if not re.fullmatch(r" [\w/-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", use)
    ] == []
    assert [step for step in steps(file) if "${{" in step] == []


def test_the_article_cites_what_its_own_bibliography_has_with_the_book_s_identifiers():
    """A journal sets it with `paper.bib` alone."""
    known, book = (
        dois(ROOT / "paper" / "paper.bib"),
        dois(ROOT / "book" / "references.bib"),
    )
    assert set(known) == set(
        re.findall(r"@(\w+)", (ROOT / "paper" / "paper.md").read_text())
    )
    assert [key for key in known if known[key] != book.get(key, known[key])] == []


def dois(file):
    """Of each entry of a bibliography its DOI, if it has one."""
    entries = re.findall(
        r"^@\w+\{(\w+),\n(.*?)^\}", file.read_text(), re.DOTALL | re.MULTILINE
    )
    return {key: re.findall(r"doi\s*= \{(.*)\}", fields) for key, fields in entries}


def test_an_address_ends_with_one_slash_and_may_be_missing(monkeypatch):
    monkeypatch.setenv("BOOK_URL", "https://example.org/book//")
    assert publish.address() == "https://example.org/book/"
    monkeypatch.setenv("BOOK_URL", "")
    assert publish.address() == ""


def test_a_description_says_greek_letters():
    context = {"metatags": r'content="with\varepsilon = 0, a\delta and\lambda"'}
    publish.in_words(SimpleNamespace(), "page", "page.html", context, None)
    assert context["metatags"] == 'content="with ε = 0, a δ and λ"'
