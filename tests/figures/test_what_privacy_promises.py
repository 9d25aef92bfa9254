"""Each figure of the chapter on what differential privacy promises draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import what_privacy_promises as experiments
from privml.figures import what_privacy_promises as figures

CASES = {
    "beliefs_after_study": (lambda: experiments.smoking_study(1.0, [1, 5, 20]), {}),
    "exact_privacy_curves": (lambda: experiments.privacy_curves(1.0, 3, 0.01, [0.0, 0.5, 1.1]), {}),
    "group_deltas": (lambda: experiments.group_delta(0.5, 0.001, 4), {}),
    "laws_of_neighbours": (lambda: experiments.neighbouring_counts(1.0, [1, 0, 1]), {}),
    "trade_off_region": (
        lambda: experiments.trade_offs(1.0, 3, [0.0, 0.3, 1.0]),
        {"epsilon": 1.0, "delta": 0.1},
    ),
}


def drawn(name):
    table, options = CASES[name]
    axes = Figure().subplots()
    getattr(figures, name)(table(), axes, **options)
    return axes


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_curves_named(name):
    axes = drawn(name)
    assert axes.get_ylabel()
    assert axes.get_xlabel()
    assert axes.get_legend() is not None


def test_bars_have_the_heights_of_the_table():
    table = experiments.neighbouring_counts(1.0, [1, 0, 1])
    heights = sorted(bar.get_height() for bar in drawn("laws_of_neighbours").patches)
    np.testing.assert_allclose(heights, sorted([*table["here"], *table["neighbour"]]))


@pytest.mark.parametrize(("name", "column"), [("group_deltas", "exact"), ("beliefs_after_study", "without")])
def test_a_column_is_a_curve(name, column):
    wanted = CASES[name][0]()[column]
    assert any(np.array_equal(curve.get_ydata(), wanted) for curve in drawn(name).lines)


def test_values_below_the_lowest_are_left_out_of_the_curves():
    for curve in drawn("exact_privacy_curves").lines:
        assert (curve.get_ydata() >= 1e-6).all()
