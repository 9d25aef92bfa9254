"""What helps one who reads: proofs that fold, looks at what links lead to, the place, a unit alone."""

import pytest
from bs4 import BeautifulSoup

from tests.browser.visit import NARROW, WIDE, assert_accessible

PAGE = "notebooks/how-small-delta.html"
PROOF = "details.proof-fold"
OTHER = "article a[href*='subsampling.html#wlf16-lem-29']"
NAME, TERM = "article a.library-name[href*='#']", "article a[href*='#term-']"
STATEMENT = "#wlf16-lem-29"
SHUT = "[...document.querySelectorAll('details.proof-fold')].filter((one) => !one.open).length"
DESCRIBED = "document.activeElement.getAttribute('aria-describedby')"


def opened(browser, book, name=PAGE, **options):
    """A page in a profile without a past."""
    page = browser.new_context(
        **({"viewport": WIDE, "reduced_motion": "reduce"} | options)
    ).new_page()
    page.set_default_timeout(60_000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(book + name)
    page.wait_for_function("MathJax?.startup?.promise")
    return page


@pytest.fixture
def page(browser, book):
    page = opened(browser, book)
    yield page
    assert page.faults == []
    page.context.close()


def statement(html, name, selector):
    """The words of a statement as its own page has them, without formulas."""
    box = BeautifulSoup(
        (html / "notebooks" / name).read_text(), "html.parser"
    ).select_one(selector)
    for formula in box.select(".math, .box-links"):
        formula.decompose()
    return box.get_text().split()


def test_a_proof_folds_from_the_keyboard_stays_folded_and_is_open_on_paper(
    page, browser, book
):
    assert page.evaluate(SHUT) == 0
    first = page.locator(PROOF).first
    first.locator("summary").focus()
    page.keyboard.press("Enter")
    assert not first.locator("p").first.is_visible()
    page.reload()
    assert page.evaluate(SHUT) == 1
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(SHUT) == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(SHUT) == 1
    page.click(".chapter-more > summary")
    page.click("text=Fold all proofs")
    page.reload()
    assert page.evaluate(SHUT) == page.locator(PROOF).count() > 1
    silent = opened_without_scripts(browser, book)
    assert silent.locator(f"{PROOF} p").first.is_visible()
    silent.context.close()


def opened_without_scripts(browser, book):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(book + PAGE)
    return page


def shown(page):
    """The words of the preview, once it is there, without formulas."""
    page.wait_for_selector(".preview:visible")
    said = page.locator(".preview").evaluate(
        "box => { const copy = box.cloneNode(true);"
        " copy.querySelectorAll('.math').forEach((one) => one.remove()); return copy.textContent; }"
    )
    return said.split()


def test_a_pointer_that_rests_on_a_reference_shows_the_statement_of_another_page(
    page, html
):
    page.locator(OTHER).first.hover()
    assert shown(page) == statement(html, "subsampling.html", STATEMENT)
    assert page.locator(".preview mjx-container").count() > 0
    box = page.locator(".preview").bounding_box()
    assert 0 <= box["x"] <= WIDE["width"] - box["width"]
    page.locator(".preview").hover()
    page.wait_for_timeout(400)
    assert page.locator(".preview").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator(".preview").is_visible()


def test_the_keyboard_shows_it_too_and_the_link_is_described_by_it(page, html):
    page.locator(OTHER).first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert shown(page) == statement(html, "subsampling.html", STATEMENT)
    assert page.evaluate(DESCRIBED) == page.locator(".preview").get_attribute("id")
    page.keyboard.press("Tab")
    assert not page.locator(".preview").is_visible()


def test_a_finger_shows_it_first_and_then_goes_there(browser, book, html):
    page = opened(browser, book, viewport=NARROW, has_touch=True, is_mobile=True)
    link = page.locator(OTHER).first
    link.tap()
    assert shown(page)[:-4] == statement(html, "subsampling.html", STATEMENT)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".preview a").tap()
    page.wait_for_url("**/subsampling.html#wlf16-lem-29")
    page.context.close()


@pytest.mark.parametrize(("link", "said"), [(NAME, ".sig"), (TERM, "dt")])
def test_names_of_the_library_and_terms_are_shown_with_what_they_mean(
    page, book, link, said
):
    page.goto(f"{book}notebooks/private-erm-by-sampling.html")
    page.locator(link).locator("visible=true").first.hover()
    assert len(shown(page)) > 5
    assert page.locator(f".preview > {said}").count() == 1


def test_the_symbols_of_a_chapter_are_those_of_its_formulas(page):
    page.click(".chapter-more > summary")
    page.click("text=Symbols of this chapter")
    page.wait_for_selector(".preview mjx-container")
    rows = page.locator(".preview tbody tr > :first-child").all_text_contents()
    assert {"privacy", "number of records"} <= set(rows)
    assert not {"VC dimension", "regret"} & set(rows)
    assert page.evaluate("document.activeElement.className") == "preview"


def test_the_place_where_one_stopped_is_kept_and_forgotten(page, book):
    goal = "#a-fraction-of-the-records-is-enough-for-every-learnable-problem"
    page.evaluate("goal => document.querySelector(goal).scrollIntoView()", goal)
    page.wait_for_function("localStorage.getItem('privml-reading')")
    page.goto(f"{book}notebooks/subsampling.html")
    page.goto(book + PAGE)
    assert page.locator("a.reading-place").get_attribute("href").endswith(goal)
    assert page.locator(".nav-part a.reading-begun").count() == 1
    page.goto(f"{book}book/cover.html")
    assert (
        page.locator(".cover-actions a.reading-place")
        .get_attribute("href")
        .endswith(PAGE + goal)
    )
    page.goto(book + PAGE)
    page.click(".chapter-more > summary")
    page.click("text=Forget which chapters")
    page.reload()
    assert page.locator("a.reading-place, .reading-begun").count() == 0
    page.evaluate("document.querySelector('#what-next').scrollIntoView()")
    page.wait_for_function("/done.:true/.test(localStorage.getItem('privml-reading'))")


def test_a_unit_stands_alone_on_the_screen_and_on_paper(page, book):
    page.click(".chapter-more > summary")
    page.locator(".chapter-menu a:text-is('unit 2')").click()
    page.wait_for_selector(".unit-alone")
    [title] = page.locator("article h2").locator("visible=true").all_text_contents()
    assert "Unit 2" in title
    page.emulate_media(media="print")
    assert page.locator("h1").locator("visible=true").count() == 1
    assert page.locator("article h2").locator("visible=true").count() == 1
    assert not page.locator(".unit-alone").is_visible()


def test_the_menu_and_a_preview_are_accessible(page):
    page.click(".chapter-more > summary")
    page.locator(OTHER).first.hover()
    shown(page)
    assert_accessible(page, ".chapter-menu", ".preview", f"{PROOF} > summary")
