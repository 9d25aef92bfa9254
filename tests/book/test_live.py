"""What a page is given to run its own code."""

import json

import pytest

from book.tools import figures, live
from book.tools.chapters import Chapter, topics
from tests.book.test_programme import chapter as cells_of
from tests.browser.conftest import ROOT

TEXT = """\
epsilon = 1.0  # in nats
sizes = [1, 2]
name = "a # b"  # text
"""


def test_parameters_come_as_they_are_written():
    assert live.parameters(TEXT) == [
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


@pytest.mark.parametrize("topic", topics(ROOT))
def test_every_chapter_can_be_told_to_its_page(topic):
    told = live.contents(figures.cells_of(Chapter(ROOT, topic).notebook), {})
    assert all(place < number for number, cell in enumerate(told["cells"]) for place in cell["needs"])
    assert {name for cell in told["cells"] for name in cell["parameters"]} <= {
        parameter["name"] for parameter in told["parameters"]
    }
    assert any(cell["parameters"] for cell in told["cells"])
    assert json.loads(json.dumps(told)) == told
