"""The sources of the chapters keep to the form that papermill, nbval and the reader rely on."""

import pytest

from book.tools import forms
from book.tools.chapters import ROOT, Chapter, topics
from book.tools.execute import unexecuted


def faults(chapter):
    """What is wrong with the form of a chapter: line and sentence of each fault, a line for each."""
    cells, text = unexecuted(chapter).cells, chapter.source.read_text()
    found = [
        *forms.cell_faults(text, cells),
        *forms.glue_faults(text, cells),
        *forms.text_faults(text),
    ]
    return "\n".join(f"{line}: {fault}" for line, fault in found)


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_chapter_has_the_form_of_a_chapter(topic):
    assert faults(Chapter(ROOT, topic)) == ""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "[parameters]",
            "[setup]",
            "exactly the first code cell must be tagged parameters",
        ),
        (
            "[imports, hide-input]",
            "[imports]",
            "the second code cell must be tagged imports and hide-input",
        ),
        (
            "import os\n",
            "import os\nx = 1\n",
            "the second code cell must hold nothing but imports",
        ),
        (
            "[values, hide-input]",
            "[hide-input]",
            "hides its input, so it must have one tag of",
        ),
        ("[values, hide-input]", "[values]", "has a tag of collapsed cells"),
        (
            "[values, hide-input]",
            "[]",
            "must be tagged values and hide-input if it names",
        ),
        ("[values, hide-input]", "[checker, hide-input]", "must only define"),
        (
            "## A result",
            "## A result\n\n{glue:text}`totel`",
            "no cell names a number 'totel'",
        ),
        (
            "## A result",
            "## A result\n\n<<<<<<< ours",
            "a mark of a merge is left: <<<<<<< ours",
        ),
        (
            "## A result",
            "## A result\n\n### More*",
            "a heading that may be skipped ends with a blank and",
        ),
        (
            "## A result",
            "## A result\n\n## Exactly",
            "a heading that may be skipped ends with a blank and",
        ),
    ],
)
def test_a_fault_of_form_is_seen(small_book, old, new, fault):
    chapter = Chapter(small_book, "a-chapter")
    assert faults(chapter) == ""
    text = chapter.source.read_text()
    assert old in text
    chapter.source.write_text(text.replace(old, new))
    assert f": {fault}" in faults(chapter)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ('notebook.glue(f"spent-{k}", 1)', "spent-4"),
        ('notebook.glue("a-" + name.replace(" ", "-"), 1)', "a-b"),
        ('for name in ("one", "two"):\n    notebook.glue(name, 1)', "two"),
        ('name = f"five-{rule}"\nnotebook.glue(name, 1)', "five-tight"),
    ],
)
def test_a_number_whose_name_is_made_is_known(code, name):
    cells = [{"cell_type": "code", "metadata": {}, "source": code}]
    assert list(forms.glue_faults(f"It is {{glue:text}}`{name}`.", cells)) == []
    assert [
        line for line, _ in forms.glue_faults("\nIt is {glue:text}`six`.", cells)
    ] == [2]
