"""A chapter runs in the Lab: its numbers are the printed ones, and nothing is asked of the outside."""

import json
import os
from pathlib import Path

import pytest

from book.lab import page_of
from book.tools import named_numbers
from book.tools.chapters import Chapter, topics
from book.tools.figures import cells_of
from tests.browser.conftest import ROOT

TOPIC, SECONDS = "without-privacy", 240
RUN = "app => app.commands.execute('notebook:run-all-cells')"
CELLS = "app => app.shell.currentWidget.content.model.toJSON().cells"


@pytest.fixture(scope="module")
def lab(html):
    """Folder of the Lab that stands on the runtime of a folder."""
    if not (Path(os.environ.get("PYODIDE", "")) / "pyodide.mjs").exists():
        pytest.skip("PYODIDE names no folder with a Pyodide runtime")
    if not (html / "live").exists():
        pytest.skip("the site has no Lab (make lab)")
    return html / "live"


def opened(page):
    """The application, by which commands are given as the menus give them."""
    ready = "window.jupyterapp?.shell.currentWidget?.content?.model"
    return page.wait_for_function(f"{ready} && window.jupyterapp")


def test_a_chapter_runs_in_the_lab_and_shows_the_printed_numbers(browser, book, lab):
    context = browser.new_context()
    asked, page = [], context.new_page()
    page.set_default_timeout(SECONDS * 1000)
    context.on("request", lambda request: asked.append(request.url))

    def open_to_commands(route):
        settings = json.loads((lab / "jupyter-lite.json").read_text())
        settings["jupyter-config-data"]["exposeAppInBrowser"] = True
        route.fulfill(json=settings)

    context.route("**/live/jupyter-lite.json", open_to_commands)
    page.goto(f"{book}notebooks/{TOPIC}.html")
    assert not [
        address
        for address in asked
        if "/live/" in address.replace("/_static/live/", "")
    ]
    page.click(".chapter-more > summary")
    page.click("a.lab-link")
    app = opened(page)
    app.evaluate("app => app.shell.currentWidget.sessionContext.ready")
    app.evaluate(RUN)
    cells = app.evaluate(CELLS)
    context.close()
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert [
        o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"
    ] == []
    pictures = [
        output["data"]["image/png"]
        for output in outputs
        if "image/png" in output.get("data", {})
    ]
    assert all(isinstance(picture, str) for picture in pictures)
    assert pictures != []
    assert all(
        cell["execution_count"]
        for cell in cells
        if cell["cell_type"] == "code" and cell["source"]
    )
    printed, found = (
        named_numbers.glued_numbers(cells_of(Chapter(ROOT, TOPIC).notebook)),
        named_numbers.glued_numbers(cells),
    )
    assert found == {name: printed[name] for name in found} != {}
    assert [
        address for address in asked if not address.startswith((book, "blob:", "data:"))
    ] == []


@pytest.mark.parametrize("topic", topics(ROOT))
def test_each_chapter_leads_to_its_notebook(html, lab, topic):
    address = f'href="../live/lab/index.html?path={topic}.ipynb"'
    assert address in page_of(html, topic).read_text()
    listed = json.loads((lab / "api" / "contents" / "all.json").read_text())["content"]
    assert f"{topic}.ipynb" in [file["path"] for file in listed]
