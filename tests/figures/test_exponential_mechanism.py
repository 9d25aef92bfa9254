"""Each figure of the chapter on the exponential mechanism draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import exponential_mechanism as experiments
from privml.figures import exponential_mechanism as figures

CASES = {
    "exact_epsilon_by_size": (lambda: experiments.audit_by_size(1.0, 4), {"epsilon": 1.0}),
    "gallery_of_failures": (lambda: experiments.gallery(1.0, [2, 3]), {}),
    "permute_and_flip_ratio": (
        lambda: experiments.selection_comparison([[0, 3], [0, 1, 1]], [0.1, 1.0]),
        {"profiles": ["first", "second"]},
    ),
    "proof_factors": (lambda: experiments.loss_factors(2, 3, 1.0), {"epsilon": 1.0}),
    "rejection_survival": (
        lambda: experiments.rejection_rounds(3, 5, 1.0, n_draws=50, largest=3, seed=0),
        {},
    ),
    "selection_probabilities": (lambda: experiments.selection_law([1, 3], [0.5, 1.0]), {}),
    "utility_tail_bounds": (lambda: experiments.utility_tail(6, 2, 1.0, largest=4), {}),
    "utility_tightness_ratio": (lambda: experiments.utility_tightness([2, 4], [0.5, 1.0]), {}),
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
    assert axes.get_xlabel() or name == "selection_probabilities"
    assert axes.get_legend() is not None


def test_bars_have_the_heights_of_the_table():
    heights = sorted(bar.get_height() for bar in drawn("selection_probabilities").patches)
    np.testing.assert_allclose(heights, sorted(experiments.selection_law([1, 3], [0.5, 1.0])["probability"]))


def test_the_audit_figure_shows_exact_values_as_points():
    table = experiments.audit_by_size(1.0, 4)
    wanted = table[table["variant"] == "replace-one"]["exact_epsilon"].tolist()
    points = [curve.get_ydata() for curve in drawn("exact_epsilon_by_size").lines]
    assert any(len(y) == 4 and np.allclose(y, wanted, atol=0) for y in points)
