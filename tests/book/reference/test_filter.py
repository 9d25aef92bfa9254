"""The filter of the map of results, in a browser: what it hides, and that nothing is lost without it."""

import pytest

from book.tools.lecture_files import chromium

CHROMIUM = chromium()
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="needs Chromium (apt-get install chromium)"
)


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        yield opened
        opened.close()


@pytest.fixture
def page(browser, small):
    opened = browser.new_page()
    opened.goto((small.root / "out" / "results.html").as_uri())
    yield opened
    opened.close()


def shown(page):
    """Anchors of the rows that a reader sees."""
    return [
        row.get_attribute("id")
        for row in page.locator("tr.item").all()
        if row.is_visible()
    ]


def test_at_first_all_items_are_shown(page):
    assert len(shown(page)) == 4
    assert page.locator("output").inner_text() == "4 of 4 items"


def test_choosing_a_status_and_a_source_hides_the_others_and_their_headings(page):
    page.get_by_role("combobox", name="Status").select_option("covered")
    assert shown(page) == ["item-l4-thm-one", "item-l4-def-two"]
    assert page.locator("output").inner_text() == "2 of 4 items"
    assert not page.locator("#results-s16").is_visible()
    page.get_by_role("combobox", name="Status").select_option("all")
    page.get_by_role("combobox", name="Source").select_option("S16")
    assert shown(page) == ["item-s16-lem-two"]
    assert not page.locator("#results-l4").is_visible()


def test_words_are_searched_without_regard_to_case(page):
    page.get_by_role("searchbox", name="Words").fill("TWO AGAIN")
    assert shown(page) == ["item-s16-lem-two"]
    page.get_by_role("searchbox", name="Words").fill("no such words")
    assert shown(page) == []
    assert page.locator("output").inner_text() == "0 of 4 items"


def test_without_scripts_everything_is_shown_and_there_is_no_dead_control(
    browser, small
):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((small.root / "out" / "results.html").as_uri())
    assert len(shown(page)) == 4
    assert page.locator("form.results-filter").count() == 0
    page.close()
