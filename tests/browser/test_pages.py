"""Every page of the contents, the search, and some pages that show source files, seen through a browser."""

import pytest

from book.tools.chapters import pages
from tests.browser.conftest import ROOT
from tests.browser.visit import faults

# All pages that show files are made from one template; these are short, long, a package, and a test.
SHOWN_FILES = [
    "privml/coins",
    "privml/composition/__init__",
    "privml/learners/exponential",
    "tests/composition/test_bounded_range",
    "tests/test_queries",
]
NAMES = [*pages(ROOT), "search", *(f"_source/{file}" for file in SHOWN_FILES)]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_no_fault(context, book, name):
    found = faults(context, book, f"{name}.html")
    assert not found, "\n".join([f"{name}: {len(found)} faults", *found])
