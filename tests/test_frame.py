"""The frame of the project: what a reader meets first, and what the set-up relies on."""

import contextlib
import io
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from book.tools.chapters import Chapter, pages, source_of, topics

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINNED = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*==[0-9][A-Za-z0-9.+!]*$")


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def fenced(language, text):
    """Contents of the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_example_of_the_readme_prints_what_it_says():
    text = (ROOT / "README.md").read_text()
    [code], [output] = fenced("python", text), fenced("text", text)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == output


def constraint_faults(text):
    """Lines of a constraints file that are not a comment or one exact version."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    comments = [
        line
        for line in text.splitlines()
        if line.startswith("#") and re.search(r"://|@", line)
    ]
    return [line for line in lines if not PINNED.match(line)] + comments


def test_constraints_are_names_and_exact_versions_without_hosts():
    assert constraint_faults((ROOT / "constraints.txt").read_text()) == []


@pytest.mark.parametrize(
    "line",
    [
        "--index-" + "url https://host.example/simple",
        "--find-links /opt/wheels",
        "numpy>=2",
        "numpy",
        "numpy @ file:///wheels/numpy.whl",
        "-e .",
        "# from https://host.example/simple",
    ],
)
def test_a_host_or_a_loose_version_among_the_constraints_is_seen(line):
    assert constraint_faults(f"# fine\nnumpy==2.0.1\n{line}\n") == [line]


def constrained():
    """Exact versions by name."""
    lines = [
        line
        for line in (ROOT / "constraints.txt").read_text().splitlines()
        if "==" in line
    ]
    return {
        canonical(name): version
        for name, _, version in (line.partition("==") for line in lines)
    }


def test_every_direct_requirement_is_constrained():
    """All but the peers, which are measured in an environment of their own."""
    extras = [
        names
        for extra, names in PROJECT["optional-dependencies"].items()
        if extra != "peers"
    ]
    wanted = {
        canonical(re.split(r"[<>=!~\[ ]", name)[0])
        for name in sum(extras, PROJECT["dependencies"])
    }
    assert wanted - {"privml"} - set(constrained()) == set()


def test_the_environment_is_the_constrained_one():
    installed = {
        canonical(found.name): found.version for found in metadata.distributions()
    }
    assert {name: installed.get(name) for name in constrained()} == constrained()


def test_every_page_of_the_contents_has_a_source_and_each_only_once():
    named = pages(ROOT)
    assert [page for page in named if not source_of(ROOT, page).exists()] == []
    assert len(named) == len(set(named))


def test_every_chapter_of_the_contents_has_a_committed_notebook():
    assert [
        topic for topic in topics(ROOT) if not Chapter(ROOT, topic).notebook.exists()
    ] == []


@pytest.mark.parametrize("target", ["book", "test", "serve", "bench", "clean"])
def test_every_target_of_the_makefile_can_be_planned(target):
    planned = subprocess.run(
        ["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert planned.returncode == 0, planned.stderr


def test_the_set_up_explains_that_python_is_missing(tmp_path):
    command = [
        ROOT / ".ci" / "environment",
        tmp_path / "venv",
        tmp_path / "venv" / "stamp",
    ]
    environment = {"PATH": str(tmp_path), "PYTHON": "/nonexistent/python"}
    done = subprocess.run(
        ["/bin/sh", *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr


def test_no_file_names_a_place_on_one_machine():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    place = re.compile(r"/(?:work|home|root|Users|tmp)/\w+/\w+")
    kinds = (".py", ".md", ".toml", ".yml", ".txt", ".ipynb", ".css", ".cff")
    names = [
        name
        for name in listed.splitlines()
        if name.endswith(kinds) and not name.startswith("tests/")
    ]
    files = [ROOT / name for name in names if (ROOT / name).exists()]
    assert [
        str(file) for file in files if place.search(file.read_text(encoding="utf-8"))
    ] == []


SUITE = '<testsuites><testsuite tests="{}" failures="{}" errors="0" skipped="{}"/></testsuites>'


@pytest.mark.parametrize(
    ("unit", "browser", "statuses", "line"),
    [
        ((5, 0, 1), (3, 0, 0), "0 0 0", "8 passed, 0 failed, 1 skipped"),
        ((5, 1, 0), (3, 0, 0), "1 0 0", "8 passed, 1 failed"),
        ((5, 0, 0), (3, 2, 0), "0 0 1", "7 passed, 2 failed"),
        ((5, 0, 0), None, "0 1 2", "5 passed, 2 failed"),
        ((5, 0, 0), (3, 0, 0), "1 0 0", "9 passed, 1 failed"),
        (None, None, "0 0 0", "1 passed, 2 failed"),
    ],
)
def test_the_closing_line_counts_what_ran_and_what_should_have(
    tmp_path, unit, browser, statuses, line
):
    for name, numbers in {"unit": unit, "browser": browser}.items():
        if numbers:
            (tmp_path / f"{name}.xml").write_text(SUITE.format(*numbers))
    command = [sys.executable, ROOT / ".ci" / "count", tmp_path, *statuses.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == f"{line}\n"
    assert done.returncode == int(" 0 failed" not in line)


def test_the_closing_line_is_made_of_all_three_stages():
    text = (ROOT / ".ci" / "run").read_text()
    for stage in ("tests", "book", "browser"):
        assert f'[ "${stage}" -eq 0 ]' in text.splitlines()[-1]
        assert f"|| {stage}=$?" in text
