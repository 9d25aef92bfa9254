"""Each figure of the chapter on active students draws what its table holds."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from privml.experiments import asking_fewer_questions as experiments
from privml.figures import asking_fewer_questions as figures

STUDENTS = pd.DataFrame(
    {"n": [10, 100] * 2, "student": ["active"] * 2 + ["passive"] * 2, "error": [0.1, 0.01, 0.2, 0.05]}
)
ROUNDS = pd.DataFrame({"curve": ["a"] * 3, "round": [1, 2, 3], "share": [0.1, 0.5, 0.9], "base": [0.15] * 3})

CASES = {
    "active_audit_curves": lambda: experiments.audited(2.0, [0.0, 1.0]),
    "active_label_curves": lambda: experiments.label_counts([8, 32], [0.0, 0.1], 15, n_runs=2, seed=0),
    "active_overlap_curves": lambda: ROUNDS,
    "active_student_errors": lambda: STUDENTS,
    "disagreement_lines": lambda: experiments.coefficient_curves(20, [4], [0.01, 0.1]),
    "noisy_vote_curves": lambda: experiments.vote_errors(10, 1000, 1.0, 1e-6, [0.0, 0.5, 1.0]),
    "version_space_run": lambda: experiments.shrinking_interval(64, 15, 0.5, seed=0),
}


def drawn(name):
    table = CASES[name]()
    axes = Figure().subplots()
    getattr(figures, name)(table, axes)
    return table, axes


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_curves_named(name):
    _, axes = drawn(name)
    assert axes.get_ylabel()
    assert axes.get_xlabel()
    assert axes.get_legend() is not None


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        ("active_student_errors", "n", "error"),
        ("active_overlap_curves", "round", "share"),
        ("active_audit_curves", "epsilon", "delta"),
        ("disagreement_lines", "radius", "theta"),
    ],
)
def test_the_curves_are_the_columns(name, x, y):
    table, axes = drawn(name)
    groups = table.columns[table.columns.isin(["student", "curve"])][0]
    lines = {line.get_label(): line for line in axes.lines}
    for label, curve in table.groupby(groups, sort=False):
        assert np.array_equal(lines[label].get_xdata(), curve[x])
        assert np.array_equal(lines[label].get_ydata(), curve[y])


def test_the_points_of_the_run_are_drawn_by_label():
    table, axes = drawn("version_space_run")
    points = {line.get_label(): line.get_ydata().tolist() for line in axes.lines}
    assert points["asked: True"] == table[table["label"]]["x"].tolist()
    assert points["asked: False"] == table[~table["label"]]["x"].tolist()


def test_measured_labels_and_bounds_are_told_apart():
    table, axes = drawn("active_label_curves")
    lines = {line.get_label(): line for line in axes.lines}
    clean = table[table["noise"] == 0]
    assert lines["noise 0, measured"].get_ydata().tolist() == clean["labels"].tolist()
    assert lines["noise 0, bound"].get_ydata().tolist() == clean["labels_bound"].tolist()
    assert lines["noise 0, bound"].get_linestyle() == "--"
