"""Slides and sheets in Chromium: nothing is cut off, every formula is set, a sheet is one page."""

import re

import pytest

from book import in_class
from book.tools import lecture_files, lectures
from tests.book.test_lectures import COURSES, TOPICS, handout
from tests.browser.conftest import ROOT

MADE = """async () => { await window.fitted; return [...document.querySelectorAll(".page")]
    .map((page) => [page.dataset.fits, parseFloat(page.style.fontSize)]); }"""
LEAST = 22  # pixels of 720: a thirtieth of the height


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with what lectures load."""
    return in_class.shared(tmp_path_factory.mktemp("lectures"))


@pytest.fixture
def page(browser):
    """A page that must not complain."""
    page, faults = browser.new_page(viewport={"width": 1280, "height": 720}), []
    page.on(
        "console",
        lambda message: message.type == "error" and faults.append(message.text),
    )
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", lambda request: faults.append(request.url))
    yield page
    page.close()
    assert faults == []


def opened(page, file):
    """What became of the pages of a file: whether each fits, and its size of type."""
    page.goto(file.as_uri())
    made = page.evaluate(MADE)
    assert page.locator("mjx-merror").count() == 0
    # The gaps of a sheet may have taken every formula.
    if "$" in file.read_text(encoding="utf-8") or file.parent.name == "slides":
        assert page.locator("mjx-container").count() > 0
    return made


def printed(page):
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize("topic", TOPICS)
def test_slides_and_sheets_fit(page, folder, topic):
    of = handout(topic)
    for one in lectures.of_chapter(ROOT, of):
        lecture_files.of_lecture(folder, one, of, topic, [], answers=False)
        slides = opened(page, folder / "slides" / f"{one.name}.html")
        assert [
            at
            for at, (fits, size) in enumerate(slides, 1)
            if fits != "true" or size < LEAST
        ] == []
        assert len(one.slides) <= len(slides) == printed(page)
        assert page.evaluate(
            "[...document.images].every((one) => one.naturalWidth > 0)"
        )
        assert opened(page, folder / "sheets" / f"{one.name}.html")[0][0] == "true"
        assert printed(page) == 1


def test_what_does_not_fit_is_seen(page, folder):
    """A table that is too wide for a slide, and an instance that is too long for a sheet."""
    of = handout(TOPICS[0])
    one = lectures.of_chapter(ROOT, of)[0]
    wide = "|" + " $x + y$ |" * 40 + "\n|" + "---|" * 40
    [(at, _)] = [
        (at, slide) for at, slide in enumerate(one.slides) if slide.kind == "instance"
    ]
    planted = one.slides[at]._replace(
        pieces=[*one.slides[at].pieces * 4, f"\n\n{wide}"]
    )
    one = one._replace(
        slides=[*one.slides[:at], planted, *one.slides[at + 1 :]],
        name="planted",
    )
    lecture_files.of_lecture(folder, one, of, "", [], answers=False)
    assert "false" in [
        fits for fits, _ in opened(page, folder / "slides" / "planted.html")
    ]
    assert opened(page, folder / "sheets" / "planted.html")[0][0] == "false"


def test_keys_turn_slides(page, folder):
    of = handout(COURSES[0].weeks[0][0])
    one = lectures.of_chapter(ROOT, of)[0]
    lecture_files.of_lecture(folder, one, of, "", [], answers=False)
    opened(page, folder / "slides" / f"{one.name}.html")
    seen = "pages().findIndex((one) => one.getBoundingClientRect().bottom > 10)"
    for key, place in (
        ("ArrowRight", 1),
        ("PageDown", 2),
        ("ArrowLeft", 1),
        ("ArrowUp", 0),
        ("ArrowUp", 0),
    ):
        page.keyboard.press(key)
        assert page.evaluate(seen) == place
