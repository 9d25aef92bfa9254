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
