"""What a page is given to run its own code."""

import json
import runpy
import sys
from types import ModuleType

import pytest

from book.tools import figures, live
from book.tools.chapters import Chapter, topics
from tests.book.test_chapter_code import chapter as cells_of
from tests.browser.conftest import ROOT

TEXT = """\
epsilon = 1.0  # in nats
sizes = [1, 2]
name = "a # b"  # text
"""


def test_parameters_come_as_they_are_written():
    assert live.parameter_fields(TEXT) == [
        {"name": "epsilon", "value": "1.0", "comment": "in nats", "limits": []},
        {"name": "sizes", "value": "[1, 2]", "comment": "", "limits": []},
        {"name": "name", "value": '"a # b"', "comment": "text", "limits": []},
    ]


def test_a_cell_comes_with_what_it_stands_on_and_the_parameters_below_it():
    told = live.contents(cells_of("a = n", "b = 2", "c = a + b", "c"), {})["cells"]
    needed = [[told[place]["code"] for place in cell["needs"]] for cell in told]
    assert needed[-1] == ["n = 3", "import numpy as np", "a = n", "b = 2", "c = a + b"]
    assert needed[-3] == ["n = 3", "import numpy as np"]
    assert [cell["parameters"] for cell in told[2:]] == [["n"], [], ["n"], ["n"]]


@pytest.fixture
def run_cell(monkeypatch):
    """The page's own side of Python, with the evaluation that Pyodide brings."""

    def eval_code(code, globals, filename):  # as Pyodide calls it
        exec(compile(code, filename, "exec"), globals)

    pyodide, module = ModuleType("pyodide"), ModuleType("pyodide.code")
    module.eval_code = eval_code
    for name, one in {"pyodide": pyodide, "pyodide.code": module}.items():
        monkeypatch.setitem(sys.modules, name, one)
    for name in ("IPython", "IPython.display", "scipy.stats"):  # for which it stands in
        monkeypatch.setitem(sys.modules, name, sys.modules.get(name))
    space = runpy.run_path(str(ROOT / "book" / "_static" / "live" / "cells.py"))
    return lambda *told: json.loads(space["run_cell"](*told))


def test_a_checker_that_is_given_none_says_a_sentence(run_cell):
    code = "def check_sum(total, part=0):\n    assert abs(total - 1) < 1, 'add all'\n"
    [told] = run_cell(code + "check_sum(None)", 0)
    assert told == {"error": "check_sum has no answer to check yet: it was given None"}
    [told] = run_cell("check_sum(3)", 1)
    assert told["error"].endswith("AssertionError: add all\n")
    assert run_cell("check_sum(1)", 2) == []


def test_the_cell_of_parameters_names_their_numbers(run_cell):
    told = run_cell("epsilon = 1e-5\nsizes = [1]", 0, ["epsilon", "sizes"])
    assert [one["metadata"]["scrapbook"]["name"] for one in told] == ["given-epsilon"]
    assert "10⁻⁵" in told[0]["data"].values()


def test_a_cell_says_which_later_ones_write_over_what_it_stands_on():
    told = live.contents(
        cells_of("a = n", "b = a", "a = 2", "c = []", "c.append(a)", "c"), {}
    )["cells"]
    assert told[3]["spoiled"] == [
        [2, 4]
    ]  # b needs the first a, which the second writes over
    assert told[7]["spoiled"] == [
        [6, 5]
    ]  # what c holds is lost when the fifth runs again


@pytest.mark.parametrize("topic", topics(ROOT))
def test_every_chapter_can_be_told_to_its_page(topic):
    told = live.contents(figures.cells_of(Chapter(ROOT, topic).notebook), {})
    assert all(
        place < number
        for number, cell in enumerate(told["cells"])
        for place in cell["needs"]
    )
    named = {name for cell in told["cells"] for name in cell["parameters"]}
    assert named <= {parameter["name"] for parameter in told["parameters"]}
    assert any(cell["parameters"] for cell in told["cells"])
    assert json.loads(json.dumps(told)) == told
