"""Published tables: from a figure's record to a data frame and to CSV, and comparison of two records.

A record holds floats with 9 significant digits, NaN as null and infinities as text, see `privml.notebook`.
Two records agree when text, whole numbers and truth values are equal and floats differ by at most
`RELATIVE` of the larger one. Where one of two floats is 0, or their signs differ, they may be what rounding
leaves of a zero, `ROUNDING` times the largest number of the column.
"""

import csv
import io
import math
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pandas import DataFrame

RELATIVE = 1e-6
ROUNDING = 1e-15
_INFINITE = {"inf": math.inf, "-inf": -math.inf}


def _is_number(entry: Any) -> bool:
    return isinstance(entry, int | float) and not isinstance(entry, bool)


def column(entries: list[Any]) -> list[Any]:
    """Entries of a column as they were before they were recorded."""
    if not any(_is_number(entry) for entry in entries) and set(entries) - set(
        _INFINITE
    ) - {None}:
        return entries
    return [
        math.nan if entry is None else _INFINITE.get(entry, entry) for entry in entries
    ]


def _columns(record: dict[str, Any]) -> dict[tuple[str, int], list[Any]]:
    """Columns by their names, and by the number of columns of that name before each."""
    names, rows = record["columns"], record["rows"]
    return {
        (name, names[:n].count(name)): column([row[n] for row in rows])
        for n, name in enumerate(names)
    }


def table(record: dict[str, Any]) -> "DataFrame":
    """The table of a record, as the figure's draw function takes it."""
    from pandas import DataFrame

    return DataFrame({name: entries for (name, _), entries in _columns(record).items()})


def csv_text(record: dict[str, Any]) -> str:
    """The table of a record as CSV: numbers as recorded, nothing for NaN, ``inf`` and ``-inf``."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(record["columns"])
    writer.writerows(
        [["" if entry is None else entry for entry in row] for row in record["rows"]]
    )
    return text.getvalue()


class Comparison(NamedTuple):
    """How two records compare: sentences about what differs, and the largest relative difference seen."""

    differences: list[str]
    largest: float


def _gap(one: float, other: float) -> float:
    """Relative difference of two numbers; 0 for equal ones, NaN and infinities included."""
    if one == other or (math.isnan(one) and math.isnan(other)):
        return 0.0
    gap = abs(one - other) / max(abs(one), abs(other))
    return gap if math.isfinite(gap) else math.inf


def _compare_columns(
    name: str, old: list[Any], new: list[Any], relative: float
) -> Comparison:
    """What differs between two columns of one length, and the largest relative difference of floats."""
    numbers = [
        abs(entry) for entry in old if _is_number(entry) and math.isfinite(entry)
    ]
    slack = ROUNDING * max([1.0, *numbers])
    found, largest = [], 0.0
    for row, (a, b) in enumerate(zip(old, new, strict=True), 1):
        if (
            _is_number(a)
            and _is_number(b)
            and isinstance(a, float) + isinstance(b, float)
        ):
            gap = 0.0 if a * b <= 0 and abs(a - b) <= slack else _gap(a, b)
            largest = max(largest, gap)
            same = gap <= relative
        else:
            same = type(a) is type(b) and a == b
        if not same:
            found.append(f"row {row}, {name}: published {a!r}, now {b!r}")
    return Comparison(found, largest)


def compare_rows(
    published: dict[str, Any], made: dict[str, Any], relative: float = RELATIVE
) -> Comparison:
    """Compare the rows of two tables, column by column of the first; the second may have more columns."""
    n_old, n_new = len(published["rows"]), len(made["rows"])
    olds, news = _columns(published), _columns(made)
    found = [f"column {key[0]} missing" for key in olds if key not in news]
    found += [f"rows: published {n_old}, now {n_new}"] * (n_old != n_new)
    if found:
        return Comparison(found, math.inf)
    parts = [
        _compare_columns(key[0], old, news[key], relative) for key, old in olds.items()
    ]
    return Comparison(
        sum([p.differences for p in parts], []),
        max([p.largest for p in parts], default=0.0),
    )


def compare(published: dict[str, Any], made: dict[str, Any]) -> Comparison:
    """Compare a fresh record of `privml.notebook.figure` with the published one.

    Without differences draw function, options, size, columns and rows agree, floats within `RELATIVE`.
    """
    found = [
        f"{key}: published {published[key]!r}, now {made[key]!r}"
        for key in ("draw", "options", "size", "columns")
        if published[key] != made[key]
    ]
    return Comparison(found, math.inf) if found else compare_rows(published, made)
