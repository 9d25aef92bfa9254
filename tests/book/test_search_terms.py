"""What readers type into the search: `book.extensions.search_terms`."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils.core import publish_doctree
from sphinx import addnodes

from book.extensions import search_terms

ROOT = Path(__file__).resolve().parent.parent.parent
TERMS = search_terms.read(ROOT)
PAGE = """\
A page
======

Unit 1: What is asked?
----------------------

Text.
"""


def entries(terms):
    """Index entries of the page with these terms."""
    doctree = publish_doctree(PAGE, settings_overrides={"doctitle_xform": False})
    app = SimpleNamespace(config=SimpleNamespace(search_terms={"page": terms}))
    search_terms.add_entries(app, doctree, "page")
    return [
        entry[1:4]
        for node in doctree.findall(addnodes.index)
        for entry in node["entries"]
    ]


def test_words_lead_to_the_section_of_their_heading():
    found = entries({"": ["a", "b"], "What is asked?": ["c"]})
    assert sorted(found) == [
        ("a", "", "main"),
        ("b", "", "main"),
        ("c", "unit-1-what-is-asked", "main"),
    ]


def test_a_heading_that_is_not_there_is_a_warning(caplog):
    assert entries({"What was asked?": ["c"]}) == []
    assert "no heading 'What was asked?'" in caplog.text


@pytest.mark.parametrize("page", TERMS)
def test_each_heading_stands_in_its_page(page):
    source = (ROOT / "book" / f"{Path(page).name}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", source, re.MULTILINE)
    headings = {search_terms.heading_of(heading) for heading in headings} | {""}
    assert set(TERMS[page]) <= headings


def test_no_words_lead_to_two_places():
    words = [
        word.lower()
        for page in TERMS.values()
        for some in page.values()
        for word in some
    ]
    assert len(words) == len(set(words))
