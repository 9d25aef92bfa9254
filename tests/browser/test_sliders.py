"""Moving figures: what the page draws and says at every stop of the slider is the rows of the table.

The stops are looked at in the one visit of each page (`test_pages`).
"""

import json
from math import isfinite, log10

import pytest

from book.tools import figures
from tests.browser.conftest import ROOT

FOUND = [
    figure for figure in figures.published(ROOT) if figure.record["draw"] == "slider"
]
TENTH = 0.11  # of a pixel: coordinates have one digit


def rounded(entry):
    """An entry as the page holds it: places and values to five digits."""
    return float(f"{entry:.5g}") if isinstance(entry, float) else entry


def place(value, measure):
    """Where a value stands on an axis: its two ends, their pixels, and whether it is logarithmic."""
    low, high, first, last, log = measure
    scaled = [log10(number) if log else number for number in (low, high, value)]
    return first + (scaled[2] - scaled[0]) / (scaled[1] - scaled[0]) * (last - first)


def seen(value, measure):
    """Whether a value has a place on an axis."""
    return (
        isinstance(value, int | float)
        and isfinite(value)
        and not (measure[4] and value <= 0)
    )


def points(curve):
    """Coordinates of an SVG path."""
    return [
        tuple(map(float, pair.split()))
        for pair in curve.replace("M", "L").split("L")[1:]
    ]


def check_curves(rows, curves, measures):
    """Each column's curve goes through its rows, those that have a place, and through nothing else."""
    across, up = measures["x"], measures["y"]
    assert len(curves) == len(rows[0]) - 2
    for column, curve in enumerate(curves, 2):
        held = [row for row in rows if seen(row[1], across) and seen(row[column], up)]
        expected = [(place(row[1], across), place(row[column], up)) for row in held]
        drawn = points(curve)
        assert len(drawn) == len(expected)
        for here, there in zip(drawn, expected, strict=True):
            assert here == pytest.approx(there, abs=TENTH)


def check_bars(rows, bars, up):
    """Each number is a bar from the ground of the axis to its place; those of a word stand side by side."""
    ground, ceiling = up[2], up[3]
    columns = len(rows[0]) - 2
    assert len(bars) == columns * len(rows)
    for column in range(columns):
        for (left, width, top, height), row in zip(
            bars[column * len(rows) : (column + 1) * len(rows)], rows, strict=True
        ):
            expected = min(max(place(row[column + 2], up), ceiling), ground)
            assert (top, height) == pytest.approx(
                (expected, ground - expected), abs=TENTH
            )
            assert width > 0
            assert left > 0


def check_ends(figure, rows, up):
    """The axis has the ends that were asked for, else those of the table."""
    asked = figure.record["options"].get("ylim") or (None, None)
    values = [v for row in rows for v in row[2:] if seen(v, up)]
    bars = isinstance(rows[0][1], str)
    assert up[0] == (asked[0] if asked[0] is not None else 0 if bars else min(values))
    assert up[1] == (asked[1] if asked[1] is not None else max(values))


def check_figure(figure, found):
    """What is drawn at every stop of a slider is the table; at first it stands as in the static picture."""
    rows = [[row[0], *map(rounded, row[1:])] for row in figure.record["rows"]]
    stops = list(dict.fromkeys(row[0] for row in rows))
    assert found["at"] == stops.index(figure.record["options"]["at"])
    measures = found["measures"]
    check_ends(figure, rows, measures["y"])
    assert len(found["stops"]) == len(stops)
    for stop, drawn in zip(stops, found["stops"], strict=True):
        mine = [row for row in rows if row[0] == stop]
        assert drawn["shown"] == mine
        if isinstance(mine[0][1], str):
            check_bars(mine, drawn["bars"], measures["y"])
        else:
            check_curves(mine, drawn["curves"], measures)
    assert len({drawn["said"] for drawn in found["stops"]}) == len(stops)
    assert sorted(drawn["took"] for drawn in found["stops"])[len(stops) // 2] < 50, (
        "milliseconds"
    )


def test_the_slider_moves_by_keys(context, book):
    figure = FOUND[0]
    stops = list(dict.fromkeys(row[0] for row in figure.record["rows"]))
    page = context.new_page()
    page.goto(f"{book}{figure.page}.html")
    here = page.locator(f".slider-figure[data-name={figure.name}]")
    here.locator("input").focus()
    page.keyboard.press("Home")
    for stop in stops:
        assert json.loads(here.get_attribute("data-shown"))[0][0] == stop
        page.keyboard.press("ArrowRight")
    page.close()


def test_without_scripts_the_picture_of_one_stop_stays(browser, book):
    figure = FOUND[0]
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{book}{figure.page}.html")
    assert page.locator(
        f"figure:has(+ .slider-figure[data-name={figure.name}]) img"
    ).is_visible()
    context.close()
