"""The switch of the short path: what it hides, what it never hides, and what opens a section again."""

import re
from collections import Counter

import pytest
from bs4 import BeautifulSoup

from tests.browser.visit import PROBES, WIDE, assert_accessible

MARK = '<section class="further"'
SHORT, ALL = "button[data-path=short]", "button[data-path=all]"
HIDDEN = """() => [...document.querySelectorAll("section.further")].map((section) =>
    [...section.children].filter((part) => part.checkVisibility()).map((part) => part.localName))"""
INSIDE = "section.further > p, section.further > div.cell"


@pytest.fixture(scope="module")
def marked(html):
    """Names of the chapters that have further sections, in order."""
    files = sorted((html / "notebooks").glob("*.html"))
    found = [file for file in files if MARK in file.read_text(encoding="utf-8")]
    assert found, "no chapter has a further section"
    return [f"notebooks/{file.name}" for file in found]


def test_errata_are_counted_under_statements_of_the_exact_half_only(html, marked):
    lines = Counter()
    for name in marked:
        soup = BeautifulSoup((html / name).read_text(encoding="utf-8"), "html.parser")
        for line in soup.select(".box-links"):
            inside = line.find_parent(class_="further") is not None
            lines[inside, bool(re.search("errat|slip", line.get_text()))] += 1
    assert lines[False, True] == 0
    assert min(lines[False, False], lines[True, True]) > 0


@pytest.fixture
def page(browser, book, marked):
    """The first chapter with further sections, in a profile without a past."""
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(book + marked[0])
    yield page
    assert page.faults == []
    context.close()


def folded(page):
    """Whether every further section shows its heading and its button only."""
    shown = page.evaluate(HIDDEN)
    return all(set(names) <= {"h2", "h3", "h4", "button", "span"} for names in shown)


def test_everything_is_shown_until_the_reader_chooses_and_the_choice_is_kept(
    page, book, marked
):
    assert page.locator(".further-toggle:visible").count() == 0
    assert page.get_attribute(ALL, "aria-pressed") == "true"
    assert not folded(page)
    page.click(SHORT)
    assert (
        page.get_attribute(SHORT, "aria-pressed"),
        page.get_attribute(ALL, "aria-pressed"),
    ) == (
        "true",
        "false",
    )
    assert folded(page)
    page.goto(book + marked[-1])
    assert folded(page)
    page.click(ALL)
    page.reload()
    assert not folded(page)


def test_a_section_opens_by_its_button_from_the_keyboard_and_folds_again(page):
    page.click(SHORT)
    button = page.locator(".further-toggle:visible").first
    assert button.get_attribute("aria-expanded") == "false"
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    assert page.locator("section.further-open").locator("p").first.is_visible()
    page.keyboard.press("Enter")
    assert folded(page)


def test_a_link_into_a_folded_section_opens_it(page, book, marked):
    page.click(SHORT)
    inside = "document.querySelector('section.further :is(div.proof, figure)[id]').id"
    anchor = page.evaluate(inside)
    around = f"document.getElementById({anchor!r}).closest('section.further')"
    visible = f"{around}.classList.contains('further-open')"
    page.evaluate(f"location.hash = {anchor!r}")
    page.wait_for_function(visible)
    page.goto(book + "search.html")
    page.goto(f"{book}{marked[0]}#{anchor}")
    page.wait_for_function(visible)
    page.click(ALL)
    page.click(SHORT)
    assert folded(page)
    entry = page.locator(".page-toc li.further > a:visible").first
    entry.click()
    assert page.locator("section.further-open").count() >= 1


def test_print_and_a_page_without_scripts_show_everything(page, browser, book, marked):
    page.click(SHORT)
    page.emulate_media(media="print")
    assert page.locator(INSIDE).first.is_visible()
    assert page.locator(".further-toggle:visible").count() == 0
    context = browser.new_context(java_script_enabled=False)
    silent = context.new_page()
    silent.goto(book + marked[0])
    assert silent.locator(INSIDE).first.is_visible()
    assert silent.locator(".path-switch:visible").count() == 0
    context.close()


def test_the_short_path_is_accessible(page):
    page.click(SHORT)
    page.evaluate(PROBES)
    page.evaluate("probes.thin()")
    parts = (
        ".short-path",
        ".chapter-bar",
        ".further-toggle",
        "section.further > :is(h2, h3)",
        ".page-toc",
    )
    assert_accessible(page, *parts)
