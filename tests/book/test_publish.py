"""What publishes the book and the package: workflows that call Make, and addresses of pages."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from book.extensions import publish

ROOT = Path(__file__).resolve().parent.parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


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
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text())["jobs"]
    assert jobs["whole"]["strategy"]["matrix"]["python"][0] in (ROOT / "pyproject.toml").read_text()
    paths = [word for step in steps(WORKFLOWS[-1]) for word in step.split() if word.startswith("tests/")]
    assert paths
    assert all((ROOT / path).exists() for path in paths)


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_actions_are_pinned_by_hash_and_shells_get_no_text_from_elsewhere(file):
    """A tag can be moved to other code; and what GitHub puts into a command, the shell would read as code."""
    used = re.findall(r"uses:(.*)", file.read_text())
    assert used
    assert [use for use in used if not re.fullmatch(r" [\w/-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", use)] == []
    assert [step for step in steps(file) if "${{" in step] == []


def test_an_address_ends_with_one_slash_and_may_be_missing(monkeypatch):
    monkeypatch.setenv("BOOK_URL", "https://example.org/book//")
    assert publish.address() == "https://example.org/book/"
    monkeypatch.setenv("BOOK_URL", "")
    assert publish.address() == ""


def test_a_description_says_greek_letters():
    context = {"metatags": r'content="with\varepsilon = 0, a\delta and\lambda"'}
    publish.in_words(SimpleNamespace(), "page", "page.html", context, None)
    assert context["metatags"] == 'content="with ε = 0, a δ and λ"'
