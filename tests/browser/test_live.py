"""A chapter runs in the page: nothing is loaded before the click; then its numbers are the printed ones."""

import json
import os
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from bs4 import BeautifulSoup

from book.tools.chapters import Chapter, topics
from book.tools.compare import shown
from book.tools.execute import executed
from tests.browser.conftest import ROOT

TOPIC, CHANGED = "how-small-delta", {"epsilon": 0.7, "rate": 0.04}
REBOUND = "subsampling"  # some of its cells bind a name that an earlier one has bound
KINDS = {
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".wasm": "application/wasm",
}
STATUS = "document.querySelector('.live-status').textContent"
FAULT = "epsilon must be a number, such as 1.0"
SECONDS = 300


@pytest.fixture(scope="module")
def runtime():
    """Folder that stands in for the public address of the runtime."""
    folder = os.environ.get("PYODIDE", "")
    if not folder or not (Path(folder) / "pyodide.mjs").exists():
        pytest.skip("PYODIDE names no folder with a Pyodide runtime")
    return Path(folder)


@pytest.fixture(scope="module")
def visit(browser, book, runtime):
    """The page of one chapter, and what it asks for Python: of the site, or of the public address, for which
    the folder answers."""
    context = browser.new_context()
    asked = []

    def answer(route):
        file = runtime / route.request.url.rpartition("/")[2]
        if not file.exists():
            return route.abort()
        head = {"Access-Control-Allow-Origin": "*"}
        kind = KINDS.get(file.suffix, "application/octet-stream")
        return route.fulfill(body=file.read_bytes(), content_type=kind, headers=head)

    context.route("**/pyodide/v*/full/*", answer)
    context.on(
        "request",
        lambda request: "/pyodide/" in request.url and asked.append(request.url),
    )
    page = context.new_page()
    page.set_default_timeout(SECONDS * 1000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page, asked
    context.close()


@pytest.fixture
def page(visit, book):
    """The page of the chapter with Python at work, whatever a test before has left."""
    page, address = visit[0], f"{book}notebooks/{TOPIC}.html"
    if page.url != address:
        page.goto(address)
    if page.query_selector(".live-start"):
        start(page)
    return page


def start(page):
    page.click(".live-start")
    page.wait_for_selector(".live-parameters")
    assert page.evaluate(STATUS).startswith("ready")


def reset(page):
    """The printed values and code; the line of the status may float over the button."""
    page.locator("button:text-is('Reset')").evaluate("one => one.click()")


@pytest.mark.parametrize("topic", topics(ROOT))
def test_the_cells_of_a_page_are_those_that_run(html, topic):
    page = BeautifulSoup(
        (html / "notebooks" / f"{topic}.html").read_text(), "html.parser"
    )
    shown = [
        cell.select_one(".cell_input pre").get_text().strip()
        for cell in page.select("main div.cell")
    ]
    told = json.loads((html / "_static" / "live" / f"{topic}.json").read_text())[
        "cells"
    ]
    assert shown == [cell["code"].strip() for cell in told]


def test_nothing_is_loaded_before_the_reader_asks(visit, book):
    page, asked = visit
    page.goto(f"{book}notebooks/{TOPIC}.html")
    page.evaluate("sessionStorage.clear()")  # whatever a test before has asked for
    page.reload()
    asked.clear()
    page.wait_for_timeout(2500)
    page.wait_for_selector(".live-start")
    page.wait_for_load_state("networkidle")
    assert asked == []
    start(page)
    assert any(address.endswith("/pyodide.mjs") for address in asked)


def test_who_has_asked_finds_python_ready_on_the_next_chapter_of_the_visit(page, book):
    held = []  # a file that comes neither before the click nor after it
    page.route("**/live/noise.json", lambda route: held.append(route), times=1)
    page.goto(f"{book}notebooks/noise.html")
    page.wait_for_function(f"{STATUS} === 'Python is being loaded'")
    page.click(".live-start")
    held[0].abort()
    page.wait_for_function(f"{STATUS}.startsWith('Python could not be loaded')")
    page.goto(f"{book}notebooks/noise.html")
    page.wait_for_function(f"{STATUS} === 'Python is ready'")
    start(page)
    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.wait_for_timeout(2500)
    assert page.evaluate(STATUS).startswith("loads Python")


def test_the_open_page_is_accessible_on_a_phone(page):
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate(AXE_SCRIPT)
    rules = {
        "runOnly": [
            "color-contrast",
            "label",
            "button-name",
            "target-size",
            "aria-allowed-attr",
        ]
    }
    found = page.evaluate("rules => axe.run('.live-bar, .live-cell', rules)", rules)
    assert [
        (fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]
    ] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def run_all(page, selector):
    page.evaluate("document.querySelector('.live-status').textContent = ''")
    page.click(selector)
    page.wait_for_function(f"/have run;|error/.test({STATUS})")
    return page.evaluate(STATUS)


def test_all_cells_show_what_is_printed(page):
    reset(page)
    assert run_all(page, "text=Run all").endswith(
        "cells have run; they show what is printed here"
    )
    assert page.faults == []


def run_changed(page):
    for name, number in CHANGED.items():
        page.fill(f".live-parameters [name={name}]", str(number))
    return run_all(page, "text=Run with these values")


def test_another_parameter_changes_the_numbers_of_the_text_as_python_does(page):
    expected = shown(executed(Chapter(ROOT, TOPIC), parameters=CHANGED)).values
    assert "differ" in run_changed(page)
    names = {
        name: f"document.querySelector('.glued-{name}')?.textContent"
        for name in expected
    }
    found = {name: page.evaluate(code) for name, code in names.items()}
    told = {name: text for name, text in found.items() if text is not None}
    assert told == {name: expected[name] for name in told} != {}
    assert (
        page.evaluate("document.querySelectorAll('.pasted-text.live-changed').length")
        > 0
    )


def test_figures_and_captions_follow_the_parameter(page, html):
    told = run_changed(page)
    redrawn = page.evaluate("document.querySelectorAll('div.cell.live-redrawn').length")
    assert redrawn > 0
    assert f"figures: {redrawn};" in told
    captions = page.evaluate(
        "[...document.querySelectorAll('figcaption')].map((one) => one.textContent)"
    )
    assert any(f"ε = {CHANGED['epsilon']}" in caption for caption in captions)
    printed = json.loads((html / "_static" / "live" / f"{TOPIC}.json").read_text())[
        "cells"
    ]
    assert redrawn == sum(
        bool(cell["table"]) and "epsilon" in cell["parameters"] for cell in printed
    )
    said = "(one) => [one.alt.startsWith('Drawn with'), Boolean(one.closest('.live-redrawn'))]"
    pairs = page.evaluate(
        f"[...document.querySelectorAll('div.cell figure img')].map({said})"
    )
    assert all(other == anew for other, anew in pairs)


def test_a_cell_whose_names_were_bound_anew_runs_as_in_its_place(page, book, html):
    page.goto(f"{book}notebooks/{REBOUND}.html")
    if page.query_selector(".live-start"):
        start(page)
    assert run_all(page, "text=Run all").endswith("they show what is printed here")
    told = json.loads((html / "_static" / "live" / f"{REBOUND}.json").read_text())[
        "cells"
    ]
    shared = [
        k for k, cell in enumerate(told, 1) if any(i >= k for _, i in cell["spoiled"])
    ]
    assert shared
    for k in shared[:4]:
        page.evaluate("document.querySelector('.live-status').textContent = ''")
        page.evaluate(
            f"document.querySelector('[aria-label=\"Run cell {k}\"]').click()"
        )
        page.wait_for_function(f"/has run;|error/.test({STATUS})")
        assert (
            page.evaluate(STATUS) == f"cell {k} has run; they show what is printed here"
        )
    page.goto(f"{book}notebooks/{TOPIC}.html")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        *[
            (text, FAULT)
            for text in ("1; import os", "__import__('os')", "[1]", "1/0", "")
        ],
        *[("0,3", f"{FAULT} (with a point, not a comma)"), ("1 / 2", ""), ("3e-1", "")],
    ],
)
def test_a_field_takes_a_number_only_and_nothing_runs_before(page, text, fault):
    page.fill(".live-parameters [name=epsilon]", text)
    assert page.text_content("#live-epsilon-fault") == fault
    if fault:
        page.click("text=Run with these values")
        assert page.evaluate(STATUS) == fault
        assert page.evaluate("document.activeElement.id") == "live-epsilon"
        assert page.query_selector(".live-running") is None
    page.fill(".live-parameters [name=epsilon]", "1.0")


def test_values_and_edits_are_kept_until_they_are_put_back(page):
    reset(page)
    page.fill(".live-parameters [name=epsilon]", "0.7")
    page.click("[aria-label='Edit cell 3']")
    page.fill("[aria-label='Code of cell 3']", "1 / 0")
    page.reload()
    start(page)
    page.wait_for_function(f"{STATUS}.startsWith('ready, with 1 values and 1 edits')")
    assert page.input_value(".live-parameters [name=epsilon]") == "0.7"
    assert page.input_value("[aria-label='Code of cell 3']") == "1 / 0"
    page.click("[aria-label='Original code of cell 3']")
    assert page.query_selector("[aria-label='Code of cell 3']") is None
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_selector(".live-status:not(.live-afloat)")
    page.click("button:text-is('Reset')")
    assert page.input_value(".live-parameters [name=epsilon]") == "1.0"
    assert (
        page.evaluate(
            "Object.keys(localStorage).filter((name) => name.startsWith('privml '))"
        )
        == []
    )


def test_what_does_not_stand_on_a_stopped_cell_goes_on_and_the_rest_is_grey(page, html):
    reset(page)
    told = json.loads((html / "_static" / "live" / f"{TOPIC}.json").read_text())[
        "cells"
    ]
    above = {
        k: [i for i, cell in enumerate(told) if k in cell["needs"]]
        for k in range(2, len(told))
    }
    broken = next(
        k for k, some in above.items() if some and "hide-input" not in told[k]["tags"]
    )
    page.click(f"[aria-label='Edit cell {broken + 1}']")
    page.fill(f"[aria-label='Code of cell {broken + 1}']", "1 / 0")
    assert f"cell {broken + 1} stopped with an error: ZeroDivisionError: " in run_all(
        page, "text=Run all"
    )
    cells = page.query_selector_all("main div.cell")
    grey = [
        k for k, cell in enumerate(cells) if "live-stale" in cell.get_attribute("class")
    ]
    shows = [k for k, cell in enumerate(cells) if cell.query_selector(".cell_output")]
    assert [k for k in grey if k != broken] == [k for k in above[broken] if k in shows]
    numbers = {name for k in above[broken] for name in told[k]["values"]}
    for name in {name for cell in told for name in cell["values"]}:
        places = page.query_selector_all(f".glued-{name}")
        assert all(
            ("live-stale" in place.get_attribute("class")) == (name in numbers)
            for place in places
        )
    page.click(f"[aria-label='Original code of cell {broken + 1}']")
    assert run_all(page, "text=Run all").endswith("they show what is printed here")
    assert page.query_selector(".live-stale, .live-note") is None


def test_the_line_of_the_status_is_in_sight_wherever_one_reads(page):
    for place in ("scrollTo(0, 0)", "scrollTo(0, 0.5 * document.body.scrollHeight)"):
        page.evaluate(place)
        page.wait_for_timeout(300)
        box = page.query_selector(".live-status").bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= page.evaluate("innerHeight") + 1


def test_an_error_is_shown_and_the_page_can_be_stopped_and_started_again(page):
    page.click("[aria-label='Edit cell 3']")
    page.fill("[aria-label='Code of cell 3']", "1 / 0")
    page.press("[aria-label='Code of cell 3']", "Control+Enter")
    page.wait_for_selector(".live-error")
    assert "ZeroDivisionError" in page.text_content(".live-error")
    assert "cell 3 stopped with an error: ZeroDivisionError: " in page.evaluate(STATUS)
    page.click("text=Show the cell")
    page.click("text=Stop")
    assert page.evaluate(STATUS).startswith("stopped")
    page.click(
        "[aria-label^='Run cell']:visible"
    )  # that of the folded imports is not to be seen
    assert "press Restart" in page.evaluate(STATUS)
    page.click("text=Restart")
    page.wait_for_function(f"{STATUS} === 'ready'")
    page.evaluate("localStorage.clear()")


def test_a_file_of_the_reader_is_read_in_the_page(visit, book, tmp_path):
    page, _ = visit
    sent = []
    page.on(
        "request", lambda request: request.method != "GET" and sent.append(request.url)
    )
    file = tmp_path / "mine.csv"
    file.write_text("height,ill\n" + "1,no\n" * 30 + "9,sure\n" * 30)
    page.goto(f"{book}notebooks/your-data.html")
    start(page)
    page.set_input_files(".live-parameters [type=file]", file)
    for name, text in {
        "label": "'ill'",
        "positive": "'sure'",
        "ranges": "{'height': (0, 10)}",
    }.items():
        page.fill(f".live-parameters [name={name}]", text)
    assert "differ" in run_all(page, "text=Run with these values")
    outputs = page.text_content("main")
    for told in ("60 records", "40 rules", "height >= "):
        assert told in outputs
    assert (sent, page.faults) == ([], [])
