"""Each figure of the chapter on sparse vectors draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import sparse_vectors as experiments
from privml.figures import sparse_vectors as figures

CASES = {
    "answer_against_radius": (lambda: experiments.answer_by_radius([0.5, 1.0], 1e-2, 5), {}),
    "busy_days": (
        lambda: experiments.answers_of_a_year(320, 1.0, 250.0, 6, 1),
        {"threshold": 250.0, "largest": 700.0},
    ),
    "comparison_noise_by_cutoff": (lambda: experiments.comparison_noise([1, 4], 1.0, 1e-3), {}),
    "loss_over_claim": (lambda: experiments.loss_by_length(1.0, 2, [2, 4]), {"epsilon": 1.0}),
    "restarting_profiles": (
        lambda: experiments.restarting_profile(1.0, 1e-4, [1, 2], 2, [0.0, 0.02]),
        {"epsilon": 1.0, "delta": 1e-4},
    ),
    "split_of_the_budget": (lambda: experiments.split_table([1, 3], 1.0, [0.2, 0.5]), {}),
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


def test_only_finite_losses_are_drawn_in_units_of_the_claim():
    table = experiments.loss_by_length(1.0, 2, [2, 4])
    axes = drawn("loss_over_claim")
    curves = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_marker() != "None"]
    assert len(curves) == 4
    wanted = table[table["mechanism"] == "right"]["loss"]
    np.testing.assert_allclose(curves[0].get_ydata(), wanted)


def test_busy_days_are_marked_at_their_counts():
    table = experiments.answers_of_a_year(320, 1.0, 250.0, 6, 1)
    marks = next(line for line in drawn("busy_days").lines if line.get_label() == "reported as busy")
    np.testing.assert_array_equal(marks.get_ydata(), table[table["answer"] == "busy"]["callers"])
