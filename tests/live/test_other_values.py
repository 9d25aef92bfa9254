"""Every chapter at five other values of each of its parameters: no cell stops, and captions follow figures.

`make live` runs them, some minutes a chapter; the values that once stopped one stand in `tests/book`.
"""

import pytest

from book.tools.chapters import Chapter, topics
from book.tools.execute import kernel_environment
from book.tools.variations import faults
from tests.live.test_chapters import ROOT


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_chapter_runs_at_other_values_of_its_parameters(topic, monkeypatch):
    for name, text in kernel_environment(ROOT).items():
        monkeypatch.setenv(name, text)
    monkeypatch.delenv("PRIVML_DATA", raising=False)
    monkeypatch.chdir(ROOT / "notebooks")
    assert list(faults(Chapter(ROOT, topic))) == []
