"""What the chapter helpers display: `privml.notebook`."""

import base64
import json
import math
from functools import cached_property

import numpy as np
import pandas as pd
import pytest

from privml import notebook


@pytest.fixture
def shown(monkeypatch):
    """Bundles displayed by the helpers, in order, as (data, metadata)."""
    bundles = []
    monkeypatch.setattr(
        notebook,
        "_display",
        lambda data, metadata=None: bundles.append((data, metadata)),
    )
    return bundles


def dots(table, axes, *, logarithmic=False):
    """Draw for the tests."""
    axes.plot(table["x"], table["y"])
    axes.set_xscale("log" if logarithmic else "linear")


class Documented:
    """A class docstring."""

    # a comment that must stay
    field: int = 0

    def method(self):
        """A docstring."""

        return "kept # and this"

    @property
    def doubled(self):
        """Another."""
        return 2 * self.field

    @cached_property
    def tripled(self):
        """Third."""
        return 3 * self.field

    def undocumented_body(self):
        """All there is."""


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (0.25, 3, "0.250"),
        (np.float64(0.0001), 2, "0.00010"),
        (0.00009999, 4, "9.999 × 10⁻⁵"),
        (123456.7, 3, "123000"),
        (1e6, 3, "1.00 × 10⁶"),
        (12345678.9, 9, "12345678.9"),
        (999.96, 4, "1000"),
        (-0.5, 2, "-0.50"),
        (np.int64(10**15), 3, "1000000000000000"),
        (0.0, 3, "0"),
        (math.inf, 3, "∞"),
        (-math.inf, 3, "-∞"),
        (math.nan, 3, "–"),
        (None, 3, "–"),
        (np.True_, 3, "True"),
        ("text", 3, "text"),
    ],
)
def test_numbers_are_shown_with_significant_digits_and_plainly_where_that_is_short(
    number, digits, text
):
    assert notebook.formatted(number, digits) == text


def test_a_value_is_a_glue_record_of_the_number_without_quotes(shown):
    notebook.glue("gap", 0.12345, digits=2)
    [(data, metadata)] = shown
    assert data == {"application/papermill.record/text/plain": "0.12"}
    assert metadata == {
        "scrapbook": {"name": "gap", "mime_prefix": "application/papermill.record/"}
    }


def test_a_value_that_is_not_a_number_raises():
    with pytest.raises(
        ValueError, match="gap must be a number to stand in a sentence, but got nan"
    ):
        notebook.glue("gap", math.nan)


def test_source_drops_docstrings_and_keeps_comments_strings_and_the_place(shown):
    notebook.show_source(Documented, dots)
    [(data, _)] = shown
    code = data["text/plain"]
    assert data["text/markdown"] == f"```python\n{code}\n```"
    assert "A docstring" not in code
    assert "A class docstring" not in code
    assert "Draw for the tests" not in code
    assert "# a comment that must stay" in code
    assert "kept # and this" in code
    assert '"""All there is."""' in code
    assert code.startswith(f"# {__name__}\nclass Documented:\n    # a comment")
    compile(code, "shown", "exec")


@pytest.mark.parametrize("name", ["method", "doubled", "tripled"])
def test_source_shows_members_under_their_full_name(shown, name):
    notebook.show_source(Documented.__dict__[name])
    assert shown[0][0]["text/plain"].startswith(f"# {__name__}, Documented.{name}\n")
    assert '"""' not in shown[0][0]["text/plain"]


def test_a_figure_is_one_bundle_of_picture_text_and_the_table_it_draws(shown):
    table = pd.DataFrame(
        {"x": [1, 2, 3], "y": [1 / 3, math.nan, math.inf], "who": ["a", "b", None]}
    )
    table["flag"] = [True, False, True]
    assert notebook.figure(dots, table, logarithmic=True) is None
    [(data, _)] = shown
    assert base64.b64decode(data["image/png"], validate=True).startswith(b"\x89PNG")
    assert data["text/plain"] == "<figure dots: 3 rows of x, y, who, flag>"
    assert data[notebook.FIGURE_MIME] == {
        "draw": "dots",
        "options": {"logarithmic": True},
        "size": [6.4, 4],
        "columns": ["x", "y", "who", "flag"],
        "rows": [
            [1, 0.333333333, "a", True],
            [2, None, "b", False],
            [3, "inf", None, True],
        ],
    }
    json.dumps(data[notebook.FIGURE_MIME], allow_nan=False)


def test_a_figure_drawn_twice_is_the_same_file_without_date_or_version(shown):
    table = pd.DataFrame({"x": [1, 2], "y": [3.0, 4.0]})
    notebook.figure(dots, table)
    notebook.figure(dots, table)
    first, second = (base64.b64decode(data["image/png"]) for data, _ in shown)
    assert first == second
    for word in (b"atplotlib", b"Software", b"tEXtDate", b"tIME"):
        assert word not in first


def test_a_picture_carries_the_fingerprint_of_the_table_that_it_draws(shown):
    for last in (4.0, 4.1):
        notebook.figure(dots, pd.DataFrame({"x": [1, 2], "y": [3.0, last]}))
    marks = [notebook.digest(data[notebook.FIGURE_MIME]).encode() for data, _ in shown]
    assert marks[0] != marks[1]
    for number, (data, _) in enumerate(shown):
        assert [mark in base64.b64decode(data["image/png"]) for mark in marks] == [
            number == 0,
            number == 1,
        ]


def test_a_figure_opens_nothing_in_pyplot_and_needs_no_backend(shown):
    from matplotlib import pyplot

    notebook.figure(dots, pd.DataFrame({"x": [1, 2], "y": [3.0, 4.0]}))
    assert pyplot.get_fignums() == []


@pytest.mark.parametrize(
    ("table", "options"),
    [
        (pd.DataFrame({"x": [1], "y": [1.0], "bad": [object()]}), {}),
        (pd.DataFrame({"x": [1], "y": [1.0]}), {"logarithmic": object()}),
    ],
)
def test_a_figure_that_cannot_be_recorded_raises(shown, table, options):
    with pytest.raises(TypeError):
        notebook.figure(dots, table, **options)
    assert shown == []


def test_a_table_is_shown_rounded_and_without_its_index(shown):
    notebook.show_table(
        pd.DataFrame({"name": ["a<b"], "gap": [1 / 3], "n": [12]}, index=[77]), digits=2
    )
    [(data, _)] = shown
    assert "0.33<" in data["text/html"].replace(" ", "")
    assert "a&lt;b" in data["text/html"]
    assert "77" not in data["text/html"] + data["text/plain"]


def test_the_real_display_reaches_ipython(capsys):
    notebook.show_table(pd.DataFrame({"gap": [0.5]}))
    assert "0.500" in capsys.readouterr().out


def test_a_number_of_a_promise_is_rounded_up():
    for number in (0.12301, 4.5001e-9, 99.91, 0.99999, 123.4):
        text = notebook.formatted(number, 3, up=True).replace(" × 10⁻⁹", "e-9")
        assert number <= float(text) <= number * 1.01
        below = notebook.formatted(number, 3, down=True).replace(" × 10⁻⁹", "e-9")
        assert number * 0.99 <= float(below) <= number
    assert (
        notebook.formatted(0.25, up=True)
        == notebook.formatted(0.25, down=True)
        == "0.250"
    )
