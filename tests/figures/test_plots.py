"""`curves` draws each column of a table, and nothing else."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from privml.figures import curves

TABLE = pd.DataFrame({"epsilon": [1.0, 2.0, 4.0], "bound": [4.0, 2.0, 1.0], "exact": [3.0, np.nan, 0.5]})


def drawn(**options):
    axes = Figure().subplots()
    curves(TABLE, axes, **options)
    return axes


def test_every_column_after_the_first_is_a_curve_without_the_values_it_lacks():
    bound, exact = drawn().lines
    np.testing.assert_array_equal(bound.get_xydata(), TABLE[["epsilon", "bound"]])
    np.testing.assert_array_equal(exact.get_xydata(), [[1.0, 3.0], [4.0, 0.5]])
    assert (bound.get_label(), exact.get_label()) == ("bound", "exact")
    assert (bound.get_linestyle(), bound.get_color()) != (exact.get_linestyle(), exact.get_color())


def test_axes_lines_bands_and_words_are_those_asked_for():
    words = {"xlabel": "ε", "ylabel": "records"}
    axes = drawn(log="xy", xlim=(0.5, 8), ylim=(0.1, None), y_at=[1.5], x_at=[3], **words)
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert (axes.get_xlim(), axes.get_ylim()[0]) == ((0.5, 8), 0.1)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("ε", "records")
    assert [line.get_xdata()[0] for line in axes.lines[2:]] == [3, 0]
    said = [text.get_text() for text in drawn(labels=["a", "b"], x_band=[1, 2, "proved"]).get_legend().texts]
    assert said == ["a", "b", "proved"]
    assert drawn(legend="").get_legend() is None
    assert drawn().get_xlabel() == "epsilon"


def test_every_column_needs_its_label():
    with pytest.raises(ValueError, match="zip"):
        drawn(labels=["one"])


def named(far, log="", **words):
    """What names two curves that end at 1 and at `far`: words beside them, the axes' legend, the figure's."""
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0], "low": [1.0, 1.0, 1.0], "high": [far, far, far]})
    sheet = Figure(layout="constrained")
    axes = sheet.subplots()
    curves(table, axes, log=log, **words)
    own, outside = axes.get_legend(), [text.get_text() for one in sheet.legends for text in one.texts]
    return [text.get_text() for text in axes.texts], own and [text.get_text() for text in own.texts], outside


def test_curves_are_named_at_their_ends_where_there_is_room_and_else_in_a_legend():
    assert named(3.0) == (["low", "high"], None, [])
    assert named(1.01, ylim=(0, 4)) == ([], ["low", "high"], [])
    assert named(3.0, labels=["low", "a name that is longer than its margin"])[0] == []
    assert named(3.0, x_band=[1, 2, "band"])[1] == ["low", "high", "band"]


def test_a_legend_that_would_lie_on_a_curve_stands_above_the_figure():
    assert named(1.01, ylim=(0.9, 1.1), legend="center") == ([], None, ["low", "high"])
    assert named(1.01, ylim=(0, 4), legend="upper right") == ([], ["low", "high"], [])
