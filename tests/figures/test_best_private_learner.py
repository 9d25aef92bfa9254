"""Each figure of the chapter on the best private learner draws what its table holds."""

import pytest
from matplotlib.figure import Figure

from privml.experiments import best_private_learner as experiments
from privml.figures import best_private_learner as figures

CASES = {
    "chain_curves": (lambda: experiments.tradeoff_chain([2, 3], 10), {}),
    "excess_curves": (lambda: experiments.excess_by_epsilon(2, 2, [0.5, 1.0]), {"x": "epsilon"}),
    "grid_curves": (lambda: experiments.grid_sizes([1, 2], [(2.0, 0.2)], 3), {}),
    "margin_curves": (lambda: experiments.coin_laws(5, 1.0), {}),
    "share_curves": (lambda: experiments.shares(experiments.excess_by_epsilon(2, 2, [0.5, 1.0])), {}),
    "time_points": (lambda: experiments.program_times([(2, 1), (2, 2)], 1.0), {}),
    "valley_curves": (lambda: experiments.objective_curves(2, [1, 2], [0.0, 0.1]), {}),
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


def test_the_number_of_records_is_an_axis_too():
    axes = Figure().subplots()
    figures.excess_curves(experiments.excess_by_samples(2, [1, 2], 1.0), axes, x="n_samples")
    assert axes.get_xlabel() == "number of records m"
    assert len(axes.lines) == 6
