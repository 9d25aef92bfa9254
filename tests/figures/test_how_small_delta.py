"""Each figure of the chapter on how small delta must be draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import how_small_delta as experiments
from privml.figures import how_small_delta as figures

CASES = {
    "bound_by_delta_curves": (lambda: experiments.bound_by_delta([4, 10], 1.0, [-9, -3, -1]), {}),
    "lasting_risk_curves": (lambda: experiments.lasting_risk([0.3, 2.0], [10, 20], 1.0), {}),
    "optimum_by_delta_curves": (
        lambda: experiments.optimum_by_delta(2, 2, 1.0, [0.1, 0.5]),
        {"n_samples": 2},
    ),
    "phase_regions": (lambda: experiments.exponents([300, 1000], 1.0, 0.05), {}),
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


def test_the_regions_do_not_meet():
    axes = drawn("phase_regions")
    easy, proved, quoted = (patch.get_paths()[0].vertices[:, 1] for patch in axes.collections)
    assert easy.max() < quoted.min() <= quoted.max() <= np.unique(proved)[1] * 10
    table = experiments.exponents([300, 1000], 1.0, 0.05)
    assert easy.max() == pytest.approx(table.loc[1, "exponent"])
