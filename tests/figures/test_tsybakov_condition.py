"""Each figure of the chapter on the Tsybakov condition draws what its table holds."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from privml.experiments import tsybakov_condition as experiments
from privml.figures import tsybakov_condition as figures

STUDENTS = pd.DataFrame(
    [(0.5, "Gaussian", 10, 0.1, 0.01), (0.5, "Gaussian", 100, 0.02, 0.01), (1.0, "Gaussian", 10, 0.05, 0.0)],
    columns=["tau", "aggregation", "n_samples", "mean", "error"],
)
CASES = {
    "bound_curves": lambda: experiments.bounds_by_records([1.0], [10, 12], 64, 1.0, 1e-9, 0.1),
    "far_teacher_curves": lambda: experiments.far_teachers([0.5, 1.0], 10_000, [10, 100], 64, 0.1),
    "pair_rate_curves": lambda: experiments.pair_rates([0.0, 1.0], [100, 1000], 1.0),
    "student_points": lambda: STUDENTS,
    "tail_steps": lambda: experiments.margin_tails([0.5, 0.75], 16, [0.1, 0.2, 0.4]),
    "threshold_rate_curves": lambda: experiments.threshold_rates([0.5], [32, 64], 64, 0.1),
}
DRAWN = {
    "bound_curves": (["tau", "aggregation"], "excess"),
    "far_teacher_curves": (["tau"], "farthest"),
    "pair_rate_curves": (["tau"], "mean"),
    "student_points": (["tau", "aggregation"], "mean"),
    "tail_steps": (["tau"], "bound"),
    "threshold_rate_curves": (["tau"], "bound"),
}


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_each_group_of_the_table_is_a_curve(name):
    table, axes = CASES[name](), Figure().subplots()
    getattr(figures, name)(table, axes)
    assert axes.get_xlabel()
    assert axes.get_ylabel()
    assert axes.get_legend() is not None
    curves = [list(curve.get_ydata()) for curve in axes.lines]
    group, column = DRAWN[name]
    for _, rows in table.groupby(group):
        assert any(len(c) == len(rows) and np.allclose(c, rows[column]) for c in curves)
