"""A chapter runs in the page: nothing is loaded before the click; then its numbers are the printed ones."""

import json
import os
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from bs4 import BeautifulSoup

from book.golden import shown
from book.tools.chapters import Chapter, topics
from book.tools.execute import executed, kernel_environment
from tests.browser.conftest import ROOT

TOPIC, CHANGED = "how-small-delta", {"epsilon": 0.7, "rate": 0.04}
KINDS = {".mjs": "text/javascript", ".json": "application/json", ".wasm": "application/wasm"}
STATUS = "document.querySelector('.live-status').textContent"
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
    context.on("request", lambda request: "/pyodide/" in request.url and asked.append(request.url))
    page = context.new_page()
    page.set_default_timeout(SECONDS * 1000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(f"{book}notebooks/{TOPIC}.html")
    yield page, asked
    context.close()


@pytest.mark.parametrize("topic", topics(ROOT))
def test_the_cells_of_a_page_are_those_that_run(html, topic):
    page = BeautifulSoup((html / "notebooks" / f"{topic}.html").read_text(), "html.parser")
    shown = [cell.select_one(".cell_input pre").get_text().strip() for cell in page.select("main div.cell")]
    told = json.loads((html / "_static" / "live" / f"{topic}.json").read_text())["cells"]
    assert shown == [cell["code"].strip() for cell in told]


def test_nothing_is_loaded_before_the_reader_asks(visit):
    page, asked = visit
    page.wait_for_selector(".live-start")
    assert asked == []
    page.click(".live-start")
    page.wait_for_selector(".live-parameters")
    assert any(address.endswith("/pyodide.mjs") for address in asked)
    assert page.evaluate(STATUS).startswith("ready")


def test_the_open_page_is_accessible_on_a_phone(visit):
    page, _ = visit
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate(AXE_SCRIPT)
    rules = {"runOnly": ["color-contrast", "label", "button-name", "target-size", "aria-allowed-attr"]}
    found = page.evaluate("rules => axe.run('.live-bar, .live-cell', rules)", rules)
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def run_all(page, selector):
    page.click(selector)
    page.wait_for_function(f"/have run;|error/.test({STATUS})")
    return page.evaluate(STATUS)


def test_all_cells_show_what_is_printed(visit):
    page, _ = visit
    assert run_all(page, "text=Run all").endswith("cells have run; they show what is printed here")
    assert page.faults == []


def test_another_parameter_changes_the_numbers_of_the_text_as_python_does(visit, monkeypatch):
    page, _ = visit
    for name, text in kernel_environment(ROOT).items():
        monkeypatch.setenv(name, text)
    expected = shown(executed(Chapter(ROOT, TOPIC), parameters=CHANGED)).values
    for name, number in CHANGED.items():
        page.fill(f".live-parameters [name={name}]", str(number))
    page.evaluate("document.querySelector('.live-status').textContent = ''")
    assert "differ" in run_all(page, "text=Run with these values")
    names = {name: f"document.querySelector('.glued-{name}')?.textContent" for name in expected}
    found = {name: page.evaluate(code) for name, code in names.items()}
    told = {name: text for name, text in found.items() if text is not None}
    assert told == {name: expected[name] for name in told} != {}
    assert page.evaluate("document.querySelectorAll('.pasted-text.live-changed').length") > 0


def test_an_error_is_shown_and_the_page_can_be_stopped_and_started_again(visit):
    page, _ = visit
    page.click("[aria-label='Edit cell 1']")
    page.fill("[aria-label='Code of cell 1']", "1 / 0")
    page.press("[aria-label='Code of cell 1']", "Control+Enter")
    page.wait_for_selector(".live-error")
    assert "ZeroDivisionError" in page.text_content(".live-error")
    assert "cell 1 stopped with an error: ZeroDivisionError: " in page.evaluate(STATUS)
    page.click("text=Show the cell")
    page.click("text=Stop")
    assert page.evaluate(STATUS).startswith("stopped")
    page.click("[aria-label^='Run cell']:visible")  # that of the folded imports is not to be seen
    assert "press Restart" in page.evaluate(STATUS)
    page.click("text=Restart")
    page.wait_for_function(f"{STATUS} === 'ready'")


def test_a_file_of_the_reader_is_read_in_the_page(visit, book, tmp_path):
    page, _ = visit
    sent = []
    page.on("request", lambda request: request.method != "GET" and sent.append(request.url))
    file = tmp_path / "mine.csv"
    file.write_text("height,ill\n" + "1,no\n" * 30 + "9,sure\n" * 30)
    page.goto(f"{book}notebooks/your-data.html")
    page.click(".live-start")
    page.set_input_files(".live-parameters [type=file]", file)
    for name, text in {"label": "'ill'", "positive": "'sure'", "ranges": "{'height': (0, 10)}"}.items():
        page.fill(f".live-parameters [name={name}]", text)
    assert "differ" in run_all(page, "text=Run with these values")
    outputs = page.text_content("main")
    for told in ("60 records", "40 rules", "height >= "):
        assert told in outputs
    assert (sent, page.faults) == ([], [])
