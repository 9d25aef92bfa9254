"""Each figure of the chapter on what cannot be learned draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import what_cannot_be_learned as experiments
from privml.figures import what_cannot_be_learned as figures

CASES = {
    "between_curves": (lambda: experiments.between([2, 3], 2, 1.0), {}),
    "crossing_curves": (lambda: experiments.crossing_sizes([4, 8], 1.0, 0.1), {}),
    "digits_curves": (lambda: experiments.digits([2, 60], 0.1, 568), {"erm": 0.08}),
    "missing_mass_curves": (lambda: experiments.missing_masses(5, [2, 50]), {}),
    "private_support_curves": (lambda: experiments.private_supports([10, 1000], 5, 1.0), {}),
    "risk_by_size_curves": (lambda: experiments.risk_by_size([0, 8, 16], [4, 8], 1.0), {}),
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


def test_the_quarter_lies_on_its_curve():
    lines = drawn("risk_by_size_curves").lines
    for curve, point in zip(lines[::2], lines[1::2], strict=True):
        x, y = curve.get_data()
        assert np.interp(point.get_xdata()[0], x, y) == pytest.approx(0.25, abs=0.1)
