"""Every committed chapter comes out again: twice the same bytes, and the committed texts and tables."""

from pathlib import Path

import pytest

from book.tools.chapters import Chapter, topics
from book.tools.compare import agreement
from book.tools.execute import run

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_chapter_executed_twice_is_the_same_file_and_agrees_with_the_committed_one(topic, monkeypatch):
    chapter = Chapter(ROOT, topic)
    monkeypatch.delenv("PRIVML_DATA", raising=False)
    first = run(chapter)
    assert first.failure is None, first.failure
    if first.text != chapter.notebook.read_text(encoding="utf-8"):  # another processor
        assert first.text == run(chapter).text
    verdict = agreement(chapter.notebook, first.text)
    assert verdict.same, verdict.sentence
