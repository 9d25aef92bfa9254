"""What one run of a chapter shows and another does not, in whatever cells: `book.tools.compare.lost`."""

from copy import deepcopy

import pytest

from book.tools.compare import missing_outputs, shown
from privml.notebook import FIGURE_MIME

TABLE = {
    "columns": ["noise", "epsilon", "delta"],
    "rows": [["a", 0.5, 1e-9], ["a", 1, None], ["b", 2.0, "inf"]],
}
FIRST = "<tr><td>1</td><td>0.5</td></tr>"
PRINTED = f"<table><tr><th>n</th><th>error</th></tr>{FIRST}<tr><td>2</td><td>&lt; 1</td></tr></table>"


def cell(data=None, *, text="", name=""):
    output = {"text": [text]} if text else {"data": data}
    said = {"mystnb": {"figure": {"name": name}}} if name else {}
    return {"cell_type": "code", "metadata": said, "outputs": [output]}


def figure(table):
    return cell({FIGURE_MIME: table, "text/plain": "<figure>"}, name="fig-a-b")


def printed(page):
    return cell({"text/html": [page], "text/plain": "n error"})


def whole(*, table=TABLE, page=PRINTED, line="loss 0.5\nsecond\n"):
    return [printed(page), cell(text=line), figure(table)]


def faults(cells):
    old, new = (shown({"cells": c}) for c in (whole(), cells))
    return [*missing_outputs(old, new)]


def changed(row, column, entry):
    table = deepcopy(TABLE)
    table["rows"][row][column] = entry
    return table


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (whole(page=PRINTED.replace("0.5", "0.6")), "'1 | 0.5': now '1 | 0.6'"),
        (whole(page=PRINTED.replace(FIRST, "")), "'1 | 0.5': missing"),
        (whole(line="loss 0.6\nsecond\n"), "'loss 0.5': now 'loss 0.6'"),
        (whole(line="loss 0.5\n"), "'second': missing"),
        (whole()[:2], "fig-a-b: missing"),
        (
            whole(table=changed(0, 2, 1.0001e-9)),
            "row 1, delta: published 1e-09, now 1.0001e-09",
        ),
        (whole(table=changed(1, 2, 0.0)), "row 2, delta: published nan, now 0.0"),
        (whole(table=changed(2, 2, 5.0)), "row 3, delta: published inf, now 5.0"),
        (whole(table=TABLE | {"rows": TABLE["rows"][:2]}), "rows: published 3, now 2"),
        (
            whole(table={"columns": ["x"], "rows": [[0.5], [1], [2.0]]}),
            "column delta missing",
        ),
    ],
)
def test_a_planted_difference_is_named(cells, words):
    [fault] = faults(cells)
    assert words in fault


def test_a_table_that_is_gone_is_named_row_by_row():
    without = whole()[1:]
    assert faults(without) == [
        "'n | error': missing",
        "'1 | 0.5': missing",
        "'2 | < 1': missing",
    ]


def test_nothing_is_said_of_the_same_things_in_other_cells():
    assert faults(whole()[::-1]) == []


def test_more_may_be_shown():
    more = [
        printed("<table><tr><th>z</th></tr></table>"),
        cell(text="third\n"),
        *whole(),
    ]
    assert faults(more) == []


def test_columns_may_be_moved_and_joined_but_not_exchanged():
    moved = {
        "columns": [*TABLE["columns"][::-1], "more"],
        "rows": [[*row[::-1], 1] for row in TABLE["rows"]],
    }
    assert faults(whole(table=moved)) == []
    crossed = [
        [*row[:2], other[2]]
        for row, other in zip(TABLE["rows"], TABLE["rows"][::-1], strict=True)
    ]
    assert faults(whole(table=TABLE | {"rows": crossed}))


def test_one_unit_of_the_ninth_digit_is_no_difference():
    assert not faults(whole(table=changed(0, 1, 0.500000001)))
    assert faults(whole(table=changed(0, 1, 0.50000001)))
    assert faults(whole(table=changed(0, 2, 0.0)))
