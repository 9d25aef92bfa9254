"""Each figure of the chapter that compares private learners draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import private_learners_side_by_side as experiments
from privml.figures import private_learners_side_by_side as figures

CASES = {
    "competing_norm_curves": (experiments.committed_norms, {}),
    "forgotten_square_curves": (lambda: experiments.unsquared_losses(1.0, [1.0, 10.0]), {}),
    "learner_accuracy_curves": (lambda: experiments.curves("digits"), {}),
    "proved_excess_curves": (
        lambda: experiments.proved_and_measured([0.5, 2.0], 8.0, 2, n_samples=100, dimension=2, seed=0),
        {},
    ),
    "tilt_loss_curves": (lambda: experiments.line_losses(1.0, [1.0, 5.0], n_rows=3), {"epsilon": 1.0}),
}


def drawn(name):
    make, options = CASES[name]
    axes, table = Figure().subplots(), make()
    getattr(figures, name)(table, axes, **options)
    return axes, table


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_curves_named(name):
    axes, _ = drawn(name)
    assert axes.get_ylabel()
    assert axes.get_xlabel()
    assert axes.get_legend() is not None


def test_every_accuracy_is_drawn():
    axes, table = drawn("learner_accuracy_curves")
    drawn_values = np.concatenate([line.get_ydata() for line in axes.lines])
    assert set(table["accuracy"]) <= set(np.asarray(drawn_values))
