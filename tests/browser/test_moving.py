"""Moving figures: at every stop of the slider the page shows the rows of the table, and says them."""

import json

import pytest

from book.tools import figures
from tests.browser.conftest import ROOT

FOUND = [figure for figure in figures.published(ROOT) if figure.record["draw"] == "moving"]


def rounded(entry):
    """An entry as the page holds it: places and values to five digits."""
    return float(f"{entry:.5g}") if isinstance(entry, float) else entry


@pytest.mark.parametrize("figure", FOUND, ids=lambda figure: figure.name)
def test_each_stop_shows_its_rows_of_the_table(context, book, figure):
    rows = [[row[0], *map(rounded, row[1:])] for row in figure.record["rows"]]
    stops = list(dict.fromkeys(row[0] for row in rows))
    page = context.new_page()
    page.goto(f"{book}{figure.page}.html")
    place = page.locator(f".moving[data-name={figure.name}]")
    slider = place.locator("input")
    assert int(slider.input_value()) == stops.index(figure.record["options"]["at"])
    slider.focus()
    page.keyboard.press("Home")
    said = []
    for stop in stops:
        assert json.loads(place.get_attribute("data-shown")) == [row for row in rows if row[0] == stop]
        said.append(slider.get_attribute("aria-valuetext"))
        page.keyboard.press("ArrowRight")
    assert len(set(said)) == len(stops)
    page.close()


def test_a_bar_is_as_high_as_its_number(context, book):
    figure = next(figure for figure in FOUND if isinstance(figure.record["rows"][0][1], str))
    page = context.new_page()
    page.goto(f"{book}{figure.page}.html")
    place = page.locator(f".moving[data-name={figure.name}]")
    heights = page.locator(f"figure:has(+ .moving[data-name={figure.name}]) rect").evaluate_all(
        "bars => bars.map((bar) => Number(bar.getAttribute('height')))"
    )
    values = [row[2] for row in json.loads(place.get_attribute("data-shown"))]
    tall = max(heights) / max(values)
    assert heights == pytest.approx([value * tall for value in values], abs=0.2)
    page.close()
