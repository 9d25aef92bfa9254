"""Each figure of the chapter on experts draws what its table holds."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from privml.experiments import experts as experiments
from privml.figures import experts as figures

CASES = {
    "cost_of_a_run": (experiments.committed_cost, {"task": "choices"}),
    "delta_of_a_run": (
        lambda: experiments.run_delta_curves(0.05, 40, 1e-9, [0.1, 0.5, 1.0]),
        {"epsilon": 1.0, "delta": 1e-5},
    ),
    "rate_multiple_curves": (lambda: experiments.multiples_by_epsilon([0.1, 1.0], 1e-5, 20), {}),
    "regret_against_rounds": (lambda: experiments.regret_by_rounds([5, 20]), {}),
    "regret_tail_curves": (lambda: experiments.regret_quantiles(30, 3, 0.1, [0.1, 0.01], seed=0), {}),
    "stream_mistakes": (
        lambda: pd.DataFrame(
            [(5, "a", 1.0, 0.3), (5, "a", 2.0, 0.2), (9, "a", 1.0, 0.25), (9, "b", 1.0, 0.1)],
            columns=["T", "curve", "epsilon", "mistakes"],
        ),
        {},
    ),
}
GROUPS = {
    "delta_of_a_run": (["curve"], "delta"),
    "rate_multiple_curves": (["method"], "multiple"),
    "regret_against_rounds": (["curve"], "regret"),
    "regret_tail_curves": (["curve"], "deviation"),
    "stream_mistakes": (["T", "curve"], "mistakes"),
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
    assert axes.get_xlabel()
    assert axes.get_ylabel()
    assert axes.get_legend() is not None


@pytest.mark.parametrize("name", sorted(GROUPS))
def test_each_group_of_the_table_is_a_curve(name):
    group, column = GROUPS[name]
    curves = [list(curve.get_ydata()) for curve in drawn(name).lines]
    for _, rows in CASES[name][0]().groupby(group):
        assert list(rows[column]) in curves


def test_times_of_one_task_are_drawn_with_lines_in_proportion():
    table, axes = experiments.committed_cost(), drawn("cost_of_a_run")
    chosen = table[table["task"] == "choices"]
    curves = [np.asarray(curve.get_ydata()) for curve in axes.lines]
    for _, rows in chosen.groupby("k"):
        assert any(np.array_equal(curve, rows["seconds"]) for curve in curves)
        slope = rows["seconds"].iloc[-1] / rows["T"].iloc[-1]
        assert any(np.allclose(curve, slope * rows["T"]) for curve in curves)
