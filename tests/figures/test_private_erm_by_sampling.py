"""Each figure of the chapter on private ERM by sampling draws what its table holds."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from privml.experiments import private_erm_by_sampling as experiments
from privml.figures import private_erm_by_sampling as figures


def accuracies():
    rows = [
        ("logistic", 1.0, 0.8, 0.1, 1.0),
        ("logistic", 2.0, 0.9, 0.1, 1.0),
        ("open", np.inf, 0.95, 0.0, 1.0),
    ]
    return pd.DataFrame(rows, columns=["learner", "epsilon", "accuracy", "deviation", "mixed"])


CASES = {
    "accuracy_curves": (accuracies, {}),
    "audit_curves": (lambda: experiments.audit_by_size([1, 2], 1.0, 2.0), {"epsilon": 1.0}),
    "density_curves": (lambda: experiments.densities([4, 40], 1.0, 2.0), {}),
    "difference_curves": (lambda: experiments.disc_differences(20, 2.0, 2.0, 20, seed=0), {}),
    "sharpness_curves": (lambda: experiments.sharpness([1, 4], 1.0, 2.0, nodes=20), {"epsilon": 1.0}),
    "stopped_curves": (lambda: experiments.stopped([0, 40], 4, 1.0, n_points=9).query("start == 'mode'"), {}),
    "tail_curves": (lambda: experiments.tails([40], [0.01, 0.1], 1.0, 2.0), {}),
    "well_curves": (lambda: experiments.well_laws([10], 1.0, 62), {}),
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


def test_the_audit_shows_both_sensitivities_of_each_loss_and_the_claim():
    axes = drawn("audit_curves")
    assert len(axes.get_legend().get_texts()) == 8
    levels = [curve.get_ydata()[0] for curve in axes.lines[-2:]]
    assert levels == [0.5, 1.0]


def test_zeros_are_left_out_of_the_logarithmic_axis():
    axes = drawn("stopped_curves")
    assert all((curve.get_ydata() > 0).all() for curve in axes.lines)
