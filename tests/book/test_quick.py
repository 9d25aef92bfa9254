"""The quick loop: the tests of a changed file, and the warnings that a page made alone leaves out."""

from pathlib import Path

import pytest

from book import page, quick
from book.tools.chapters import ROOT


@pytest.mark.parametrize(
    ("name", "own"),
    [("mechanisms/discrete", "mechanisms/**/test_discrete*"), ("pate/noisy_votes", "pate/**/test_*")],
)
def test_a_file_of_the_package_asks_for_its_own_tests_or_its_rooms_and_for_the_guards(name, own):
    found = quick.patterns(ROOT, Path(f"privml/{name}.py"), [])
    assert found[:2] == [f"privml/{name}.py", f"tests/{own}.py"]
    guards = {"budgets", "layers", "names", "parameters", "public_names"}
    assert {f"tests/test_{guard}.py" for guard in guards} <= set(found)
    assert all(
        any(ROOT.glob(pattern))
        for pattern in found[2:]
        if "mechanisms" not in pattern and "pate" not in pattern
    )


@pytest.mark.parametrize(
    "message",
    ["unknown document: 'noise'", 'could not find bibtex key "dr11"', "py:class reference target not found"],
)
def test_a_page_made_alone_tells_no_warning_about_what_it_lacks(message):
    assert not page._TELLING.search(f"notebooks/a.ipynb:1: WARNING: {message}")
    assert page._TELLING.search("notebooks/a.ipynb:1: WARNING: Unknown directive type: 'figur'")
