"""The quick loop: the tests of a changed file, and the warnings that a page made alone leaves out."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from book import page, quick
from book.tools import site
from book.tools.chapters import ROOT, write_whole


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("mechanisms/discrete", "mechanisms/**/test_discrete*"),
        ("pate/noisy_votes", "pate/**/test_*"),
    ],
)
def test_a_file_of_the_package_asks_for_its_own_tests_or_its_rooms_and_for_the_guards(
    name, own
):
    found = quick.patterns(ROOT, Path(f"privml/{name}.py"), [])
    assert found[:2] == [f"privml/{name}.py", f"tests/{own}.py"]
    guards = {"composed", "layers", "names", "parameters", "public_names"}
    assert {f"tests/test_{guard}.py" for guard in guards} <= set(found)
    left = [
        pattern
        for pattern in found[2:]
        if "mechanisms" not in pattern and "pate" not in pattern
    ]
    assert all(any(ROOT.glob(pattern)) for pattern in left)


def test_examples_stand_after_all_tests_and_the_claims_are_those_of_the_changed_names():
    files = [Path("privml/mechanisms/selection.py"), Path("privml/coins.py")]
    [*_, tests, claims, types] = quick.commands(ROOT, files, [], "1")
    mine = [
        Path(word).is_relative_to(ROOT / "privml")
        for word in tests
        if word.endswith(".py")
    ]
    assert sum(mine) == len(files)
    assert mine == sorted(mine)
    assert {"every_public_name", "ExponentialMechanism"} <= set(
        claims[-1].split(" or ")
    )
    assert types == ["book.typed"]
    again = quick.commands(ROOT, [*files, Path("tests/claims/mechanisms.py")], [], "1")
    assert [step for step in again if "test_claims.py" in " ".join(step)] == [claims]


def test_the_claims_run_when_they_change():
    [*_, tests] = quick.commands(ROOT, [Path("tests/claims/mechanisms.py")], [], "1")
    assert str(ROOT / "tests/claims/test_claims.py") in tests


@pytest.mark.slow
def test_a_comment_in_a_file_of_the_package_fails_nothing():
    """Examples and guards in one run: a copy of a module would lose the help of its inherited methods."""
    [*_, tests, _, _] = quick.commands(
        ROOT, [Path("privml/mechanisms/additive.py")], [], "0"
    )
    told = [
        word
        for word in tests
        if not word.endswith(".py") or "parameters" in word or "privml/" in word
    ]
    named = [
        "-k",
        "test_help_names_each_parameter or additive",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [sys.executable, "-m", *told, *named], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "message",
    [
        "unknown document: 'noise'",
        'could not find bibtex key "dr11"',
        "py:class reference target not found",
    ],
)
def test_a_page_made_alone_tells_no_warning_about_what_it_lacks(message):
    assert not page._PROBLEM_LINE.search(f"notebooks/a.ipynb:1: WARNING: {message}")
    assert page._PROBLEM_LINE.search(
        "notebooks/a.ipynb:1: WARNING: Unknown directive type: 'figur'"
    )


def test_a_fault_of_the_page_is_one_of_the_status_with_its_line_of_the_source(
    small_book, committed, monkeypatch, capsys
):
    told = f"{committed.notebook}:%s: WARNING: Unknown interpreted text role 'prf:reff'. [myst.role_unknown]"
    said = [
        told % 10004,
        "book/start.md:3: WARNING: Unknown directive type: 'noti'",
        "reading sources",
    ]

    def made(root, conf, out, **options):
        write_whole(out / "notebooks" / "a-chapter.html", "<p>A page</p>")
        return 0, "\n".join(said)

    monkeypatch.setattr(site, "sphinx", made)
    assert page.main(["--root", str(small_book), "a-chapter"]) == 1
    [first, second] = capsys.readouterr().err.splitlines()
    assert first.startswith(
        "FAULT book/a-chapter.md:14: WARNING: Unknown interpreted text role"
    )
    assert "{prf:ref}" in committed.source.read_text().splitlines()[13]
    assert second.startswith("FAULT book/start.md:3: ")
    said[:2] = []
    assert page.main(["--root", str(small_book), "a-chapter"]) == 0
    code = site.in_sources(small_book, f"{committed.notebook}:50002: WARNING: no")
    assert code == "book/a-chapter.md:39: WARNING: no"


ODD = {
    "\nThe sum": "\n{nowhere}`one`.\n\nThe sum",
    "## A result\n": "## A result\n\n{nowhere}`two`\ngoes on.\n\n```{nothing}\n```\n",
    "It holds.": "It {nowhere}`three` holds.\n\n- of {nowhere}`four`",
}


def test_a_page_names_a_warning_by_the_line_of_the_source_each_time_and_then_fails(
    committed, capsys
):
    asked = ["--root", str(committed.root), committed.topic]
    assert page.main(asked) == 0
    assert capsys.readouterr().err == ""
    text = committed.source.read_text()
    for old, new in ODD.items():
        text = text.replace(old, new)
    write_whole(committed.source, text)
    lines = [n for n, line in enumerate(text.splitlines(), 1) if "{no" in line]
    for _ in range(2):
        assert page.main(asked) == 1
        fault = r"(?m)^FAULT book/a-chapter.md:(\d+): WARNING: Unknown "
        told = re.findall(fault, capsys.readouterr().err)
        assert sorted(map(int, told)) == lines
