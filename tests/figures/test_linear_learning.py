"""Each figure of the chapter on linear learning draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import linear_learning as experiments
from privml.figures import linear_learning as figures

CASES = {
    "excess_by_rate": (lambda: experiments.by_learning_rate([0.1, 0.5], 20, 0.1, [0.5, 1.0]), {}, "excess"),
    "price_of_many_draws": (
        lambda: experiments.price([100, 1000], 1.0, 1e-5, 5, ["corrected", "concentrated"]),
        {},
        "excess",
    ),
    "real_accuracy": (lambda: experiments.breast_cancer([0.5, 1.0], 1), {"column": "accuracy"}, "accuracy"),
    "spent_by_rate": (
        lambda: experiments.spent_curves(1.0, 1e-3, 50, np.linspace(0, 1, 9), ["corrected", "oblivious"]),
        {"epsilon": 1.0, "delta": 1e-3},
        "delta",
    ),
}


def drawn(name):
    table, options, column = CASES[name]
    axes, made = Figure().subplots(), table()
    getattr(figures, name)(made, axes, **options)
    return axes, made, column


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_every_curve_of_the_table_is_drawn(name):
    axes, table, column = drawn(name)
    assert axes.get_ylabel()
    assert axes.get_xlabel()
    assert axes.get_legend() is not None
    curves = [list(curve.get_ydata()) for curve in axes.lines]
    group = next(c for c in ("curve", "learner", "method") if c in table)
    exact = table[table["kind"] == "average, exact"] if "kind" in table else table
    for _, rows in exact.groupby(group):
        values = list(rows[column])
        assert values in curves or values * 2 in curves
