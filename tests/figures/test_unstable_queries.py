"""Each figure of the chapter on unstable queries draws what its table holds."""

import pytest
from matplotlib.figure import Figure

from privml.experiments import unstable_queries as experiments
from privml.figures import unstable_queries as figures

CASES = {
    "answer_curves": (lambda: experiments.answer_by_margin([0, 2000], 3, 50, 1.0, 1e-4), {}),
    "needed_margin_curves": (lambda: experiments.margins_needed([10, 99], [3, 5], 1.0, 1e-4, 0.1), {}),
    "passive_bound_curves": (lambda: experiments.bound_by_public([10**9, 10**10], [10**3], 0.0, 1e-4), {}),
    "success_curves": (lambda: experiments.all_answered([9, 5000], 50, 3, 1.0, 1e-4), {"lemma": 9000}),
}


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_curves_named(name):
    table, options = CASES[name]
    axes = Figure().subplots()
    getattr(figures, name)(table(), axes, **options)
    assert axes.get_xlabel()
    assert axes.get_ylabel()
    assert len(axes.get_legend().get_texts()) >= 2
