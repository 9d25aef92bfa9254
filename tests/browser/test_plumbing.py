"""Code that is no part of the argument leaves the flow: folded bars a screen, and how all code is seen."""

import json
from statistics import median

import pytest

from book.tools.chapters import topics
from tests.browser.conftest import ROOT
from tests.browser.visit import NARROW, PROBES, WIDE, assert_accessible

MOST, BYTES = (
    1,
    1_550_000,
)  # folded bars a screen in the median; what a chapter loads before its reader moves
# What is loaded but for pictures, each of which comes when one scrolls to it.
LOADED = """[...new Set(performance.getEntries().map((one) => one.name.split("?")[0]))]
    .filter((name) => !name.includes("/_images/"))"""
# What is folded and takes a line of its own, not the links in the line of a figure or the menu of the head.
FOLDED = "article details:not([open]) > summary, article .toggle-button-hidden"
BARS = """folded => [...document.querySelectorAll(folded)]
    .filter((bar) => bar.checkVisibility() && !bar.closest(".figure-line, .chapter-bar"))
    .map((bar) => bar.getBoundingClientRect().top + scrollY)"""
PLUMBING = {"tag_imports", "tag_drawing", "tag_values"}
# The kind of each cell, whether it takes room, and whether its code is to be seen.
CELLS = """() => [...document.querySelectorAll("main div.cell")].map((cell) =>
    [cell.querySelector("figure") ? "figure" : cell.className.match(/tag_\\w+/)?.[0] ?? "",
     cell.checkVisibility(), cell.querySelector(".cell_input pre").checkVisibility()])"""
BELOW = """code => code.getBoundingClientRect().top >
    code.closest(".cell").querySelector("figure").getBoundingClientRect().bottom"""
DRAWING = ".figure-code a[href^='#drawing-']"


@pytest.fixture
def page(browser, book):
    """A chapter with figures, in a profile without a past."""
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(f"{book}notebooks/noise.html")
    yield page
    assert page.faults == []
    context.close()


def seen(page):
    """The kinds of cells whose code is to be seen."""
    return {kind for kind, _, visible in page.evaluate(CELLS) if visible}


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_chapter_is_light_and_a_screen_has_at_most_one_folded_bar_in_the_median(
    tab, book, html, topic
):
    tab.set_viewport_size(WIDE)
    tab.goto(f"{book}notebooks/{topic}.html")
    files = [
        html / name.removeprefix(book)
        for name in tab.evaluate(LOADED)
        if name.startswith(book)
    ]
    assert 400_000 < sum(file.stat().st_size for file in files) <= BYTES
    places = tab.evaluate(BARS, FOLDED)
    tops = range(
        0, tab.evaluate("document.documentElement.scrollHeight"), WIDE["height"]
    )
    screens = [
        sum(top <= place < top + WIDE["height"] for place in places) for top in tops
    ]
    assert median(screens) <= MOST
    assert not PLUMBING & {kind for kind, there, _ in tab.evaluate(CELLS) if there}


def test_all_code_is_shown_in_place_when_the_reader_wants_it_and_the_choice_is_kept(
    page, book, html
):
    assert page.get_attribute(".code-switch", "aria-pressed") == "false"
    page.click(".code-switch")
    assert seen(page) >= {"", "figure"} | PLUMBING
    page.goto(f"{book}notebooks/experts.html")
    assert seen(page) >= {"", "figure"} | PLUMBING
    told = json.loads((html / "_static" / "live" / "experts.json").read_text())["cells"]
    shown = page.locator("main div.cell .cell_input pre").all_text_contents()
    assert [text.strip() for text in shown] == [cell["code"].strip() for cell in told]
    page.click(".code-switch")
    page.reload()
    assert "tag_values" not in seen(page)


def test_the_code_of_a_figure_opens_below_it_and_leads_to_its_function_in_the_drawer(
    page,
):
    line = page.locator(f".figure-line:has({DRAWING})").first
    line.locator(".figure-code > summary").click()
    code = line.locator(".figure-code pre")
    assert "notebook.figure(" in code.text_content()
    assert code.evaluate(BELOW)
    order = page.evaluate(CELLS)
    line.locator(DRAWING).click()
    goal = page.locator(line.locator(DRAWING).get_attribute("href"))
    assert "def " in goal.locator("pre").text_content()
    assert goal.is_visible()
    assert (
        page.evaluate("document.querySelectorAll('.code-drawer .tag_values').length")
        == 0
    )
    page.locator(".code-drawer > summary").click()
    page.wait_for_function("!document.querySelector('.code-drawer .cell')")
    assert [kind for kind, *_ in page.evaluate(CELLS)] == [kind for kind, *_ in order]


def test_on_a_phone_search_and_contents_are_in_reach_and_show_the_keyboard(page):
    page.set_viewport_size(NARROW)
    assert (
        page.locator(
            "button.search-button:visible, button.search-button__button:visible"
        ).count()
        == 1
    )
    page.keyboard.press("Tab")
    page.locator("button.primary-toggle").focus()
    assert page.evaluate("getComputedStyle(document.activeElement).outline").endswith(
        "solid 3px"
    )


def test_the_head_and_the_drawer_are_accessible(page):
    page.evaluate(
        "document.querySelectorAll('.code-drawer, .chapter-more').forEach((one) => { one.open = true; })"
    )
    page.evaluate(PROBES)
    assert_accessible(page, ".chapter-bar", ".code-drawer")
