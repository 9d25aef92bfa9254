"""Published tables and their comparison: `book.tools.tables`."""

import math
from copy import deepcopy

import pytest

from book.tools.tables import RELATIVE, compare, compare_rows, csv_text, table

RECORD = {
    "draw": "line",
    "options": {"level": 0.5},
    "size": [6.4, 4],
    "columns": ["n", "value", "who"],
    "rows": [
        [1, 0.25, "a"],
        [2, None, "inf"],
        [3, "inf", "b,c"],
        [4, 1e-30, "d"],
        [5, 0.0, "e"],
    ],
}


def changed(row, column, entry):
    """The record with one other entry."""
    record = deepcopy(RECORD)
    record["rows"][row][column] = entry
    return record


def test_a_table_comes_back_as_it_was_recorded():
    made = table(RECORD)
    assert list(made.columns) == RECORD["columns"]
    assert made["n"].tolist() == [1, 2, 3, 4, 5]
    assert made["value"].dtype == float
    assert math.isnan(made["value"][1])
    assert made["value"][2] == math.inf
    assert made["who"].tolist() == ["a", "inf", "b,c", "d", "e"]


def test_a_table_without_rows_comes_back():
    assert table({"columns": ["a"], "rows": []}).empty


def test_the_csv_file_holds_the_recorded_digits():
    rows = ["n,value,who", "1,0.25,a", "2,,inf", '3,inf,"b,c"', "4,1e-30,d", "5,0.0,e"]
    assert csv_text(RECORD).splitlines() == rows


def test_a_record_agrees_with_itself():
    assert compare(RECORD, deepcopy(RECORD)) == ([], 0.0)


@pytest.mark.parametrize(
    "other",
    [
        changed(0, 1, 0.25 * (1 + RELATIVE / 2)),
        changed(3, 1, 1e-30 * (1 - RELATIVE / 2)),
        changed(4, 1, 4e-16),
        changed(4, 1, 0),
    ],
)
def test_rounding_is_no_difference(other):
    differences, largest = compare(RECORD, other)
    assert differences == []
    assert largest <= RELATIVE


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (
            changed(0, 1, 0.25 * (1 + 2 * RELATIVE)),
            "row 1, value: published 0.25, now 0.2500005",
        ),
        (changed(4, 1, 1e-12), "row 5, value"),
        (changed(3, 1, 2e-30), "row 4, value: published 1e-30, now 2e-30"),
        (changed(1, 1, 0.3), "row 2, value: published nan, now 0.3"),
        (changed(2, 1, "-inf"), "row 3, value: published inf, now -inf"),
        (changed(0, 0, 2), "row 1, n: published 1, now 2"),
        (changed(0, 0, True), "row 1, n"),
        (changed(0, 2, "A"), "row 1, who: published 'a', now 'A'"),
        (RECORD | {"rows": RECORD["rows"][:4]}, "rows: published 5, now 4"),
        (RECORD | {"draw": "bars"}, "draw: published 'line', now 'bars'"),
        (RECORD | {"options": {}}, "options"),
        (RECORD | {"size": [5, 5]}, "size"),
        (RECORD | {"columns": ["n", "value", "whom"]}, "columns"),
    ],
)
def test_a_difference_is_named(other, sentence):
    differences, _ = compare(RECORD, other)
    assert len(differences) == 1
    assert differences[0].startswith(sentence)


def test_columns_of_one_name_are_all_compared():
    old = RECORD | {"columns": ["n", "n"], "rows": [[1, 2], [3, 4]]}
    new = old | {"rows": [[1, 2], [3, 5]]}
    assert compare(old, new).differences == ["row 2, n: published 4, now 5"]
    assert compare(new | {"rows": [[0, 2], [3, 4]]}, old).differences == [
        "row 1, n: published 0, now 1"
    ]
    assert compare_rows(old, old | {"columns": ["n", "m"]}).differences == [
        "column n missing"
    ]
    wider = old | {"columns": ["m", "n", "n"], "rows": [[7, 1, 2], [8, 3, 4]]}
    assert compare_rows(old, wider) == ([], 0.0)
