"""Every page of the contents, the search, and some pages that show source files, seen through a browser."""

import pytest

from book.tools.chapters import pages
from tests.browser.conftest import ROOT
from tests.browser.test_moving import FOUND, check_figure
from tests.browser.visit import Visit

# All pages that show files are made from one template; these are short, long, a package, and a test.
SHOWN_FILES = [
    "privml/coins",
    "privml/composition/__init__",
    "privml/learners/exponential",
    "tests/composition/test_optimal",
    "tests/test_queries",
]
NAMES = [*pages(ROOT), "search", *(f"_source/{file}" for file in SHOWN_FILES)]


@pytest.fixture(scope="module", params=NAMES)
def visit(request, tab, book):
    """The one visit of a page, for all tests of what it shows."""
    return request.param, Visit(tab, book, f"{request.param}.html")


def test_a_page_shows_no_fault(visit):
    name, seen = visit
    assert not seen.faults, "\n".join([f"{name}: {len(seen.faults)} faults", *seen.faults])


def test_each_stop_of_a_moving_figure_draws_its_rows_of_the_table(visit):
    name, seen = visit
    for figure in FOUND:
        if figure.page == name or figure.name in seen.moved:
            check_figure(figure, seen.moved[figure.name])
    assert set(seen.moved) <= {figure.name for figure in FOUND}
