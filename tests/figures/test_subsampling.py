"""Each figure of the chapter on subsampling draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import subsampling as experiments
from privml.figures import subsampling as figures

CASES = {
    "bounds_by_rate": (lambda: experiments.sampling_bounds(1.0, 3), {"epsilon": 1.0, "largest": 3.0}),
    "looseness_by_epsilon": (lambda: experiments.looseness([0.5, 1.0], 0.01), {}),
    "loss_in_index_order": (lambda: experiments.index_order_losses(4.0, [10, 20]), {}),
    "share_by_subsample": (lambda: experiments.share_deviation(0.1, 100, 0.3, [1, 10, 100]), {}),
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


def test_exact_points_are_drawn_as_points():
    table = experiments.sampling_bounds(1.0, 3)
    points = next(line for line in drawn("bounds_by_rate").lines if line.get_label().startswith("exact"))
    assert points.get_linestyle() == "None"
    np.testing.assert_allclose(points.get_ydata(), table["exact"])


def test_an_error_of_zero_is_left_out_on_a_logarithmic_axis():
    sampling = next(line for line in drawn("share_by_subsample").lines if "sampling" in line.get_label())
    assert sampling.get_xdata().tolist() == [1, 10]
