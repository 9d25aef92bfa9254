"""The book from the file system: formulas, figures, moving figures, search and downloads, and no error."""

import zipfile

import pytest

from book import offline
from book.tools import figures
from tests.browser.conftest import ROOT

TERM = ("hockey-stick", "what-privacy-promises")
MOVING = next(
    figure for figure in figures.published(ROOT) if figure.record["draw"] == "slider"
)


@pytest.fixture(scope="module")
def folder(html, tmp_path_factory):
    """The offline book, packed and unpacked."""
    place = tmp_path_factory.mktemp("offline")
    offline.pack(html, place / "book.zip")
    zipfile.ZipFile(place / "book.zip").extractall(place)
    return place / offline.NAME


def broken(request):
    """Whether a request failed; that of a page that becomes a download is aborted."""
    return request.failure != "net::ERR_ABORTED"


@pytest.fixture
def page(browser, folder):
    """A page of a browser without a network, which must neither complain nor ask for anything elsewhere."""
    context, faults = browser.new_context(accept_downloads=True), []
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.on(
        "console",
        lambda message: message.type == "error" and faults.append(message.text),
    )
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "requestfailed",
        lambda request: broken(request) and faults.append(f"failed: {request.url}"),
    )
    near = (
        folder.as_uri(),
        "data:",
        "blob:",
        "chrome-extension:",
        "chrome:",
    )  # the last two show PDF
    page.on(
        "request",
        lambda request: (
            request.url.startswith(near) or faults.append(f"outside: {request.url}")
        ),
    )
    yield page
    context.close()
    assert faults == []


def test_a_chapter_is_whole_and_says_that_its_code_needs_a_server(page, folder):
    page.goto(f"{(folder / 'index.html').as_uri()}")  # leads to the first page
    page.wait_for_url("**/book/*.html")
    page.goto((folder / f"{MOVING.page}.html").as_uri())
    page.wait_for_function(
        "document.querySelectorAll('.math:not(:has(mjx-container))').length === 0"
    )
    assert page.evaluate(
        "document.fonts.ready.then(() => [...document.fonts].some((font) => font.status === 'loaded'))"
    )
    for picture in page.locator("figure img:visible").all():
        picture.scroll_into_view_if_needed()
        page.wait_for_function(
            "image => image.complete && image.naturalWidth > 0",
            arg=picture.element_handle(),
        )
    slider = page.locator(f".slider-figure[data-name={MOVING.name}] input")
    before = slider.get_attribute("aria-valuetext")
    slider.press("End")
    assert slider.get_attribute("aria-valuetext") != before
    assert page.locator(".live-start").count() == 0
    assert "from a file" in page.locator(".live-status").text_content()


def test_the_search_finds_a_term(page, folder):
    page.goto((folder / "search.html").as_uri() + f"?q={TERM[0]}")
    page.wait_for_selector(f"#search-results li a[href*={TERM[1]}]")
    assert page.locator("#search-results p.context").count() == 0


def test_a_download_is_shown_or_saved(page, folder):
    saved, place = [], folder / f"{MOVING.page}.html"
    page.on("download", lambda download: saved.append(download))
    for kind in ("csv", "svg", "pdf", "py", "json", "bib", "ipynb", "md"):
        if page.url != place.as_uri():
            page.goto(place.as_uri(), wait_until="domcontentloaded")
        link = page.locator(
            f".figure-line a[href$='.{kind}'], .chapter-downloads a[href$='.{kind}']"
        ).first
        page.locator(".chapter-more, .figure-files").evaluate_all(
            "all => all.forEach((e) => { e.open = 1 })"
        )
        goal = (place.parent / link.get_attribute("href")).resolve()
        link.click()
        for _ in range(50):
            if page.url == goal.as_uri() or saved:
                break
            page.wait_for_timeout(100)
        assert (
            page.url == goal.as_uri()
            or saved.pop().path().read_bytes() == goal.read_bytes()
        ), kind
