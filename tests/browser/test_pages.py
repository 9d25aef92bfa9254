"""Every page of the contents, the search, and some pages that show source files, seen through a browser."""

import pytest

from book.tools.chapters import pages
from tests.browser.conftest import ROOT
from tests.browser.test_sliders import FOUND, check_figure
from tests.browser.visit import Visit

HTML = ROOT / "_build" / "html"


def shown_files():
    """Pages that show files, all from one template: the shortest and longest, of tests and packages too."""
    found = sorted(
        (HTML / "_source").rglob("*.html"), key=lambda page: (page.stat().st_size, page)
    )
    tests = [page for page in found if page.is_relative_to(HTML / "_source" / "tests")]
    packages = [page for page in found if page.stem == "__init__"]
    some = {
        page for kind in (found, tests, packages) for page in (*kind[:1], *kind[-1:])
    }
    return sorted(page.relative_to(HTML).with_suffix("").as_posix() for page in some)


NAMES = [*pages(ROOT), "search", *shown_files()]


@pytest.fixture(scope="module", params=NAMES)
def visit(request, tab, book):
    """The one visit of a page, for all tests of what it shows."""
    return request.param, Visit(tab, book, f"{request.param}.html")


def test_a_page_shows_no_fault(visit):
    name, seen = visit
    assert not seen.faults, "\n".join(
        [f"{name}: {len(seen.faults)} faults", *seen.faults]
    )


def test_each_stop_of_a_moving_figure_draws_its_rows_of_the_table(visit):
    name, seen = visit
    for figure in FOUND:
        if figure.page == name or figure.name in seen.moved:
            check_figure(figure, seen.moved[figure.name])
    assert set(seen.moved) <= {figure.name for figure in FOUND}
