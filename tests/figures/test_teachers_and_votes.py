"""Each figure of the chapter on teachers and votes draws what its table holds."""

import pytest
from matplotlib.figure import Figure

from privml.experiments import teachers_and_votes as experiments
from privml.figures import teachers_and_votes as figures

CASES = {
    "accuracy_by_teachers": (lambda: experiments.labels_by_teachers(400, [5, 20], 5, 1.0, 1e-2, 0), {}),
    "claimed_against_exact": (lambda: experiments.audit_of_labels(3, 1, [0.5, 1.0], 0.05), {}),
    "label_curves": (
        lambda: experiments.curves_of_labels(10, 1.0, 1e-4, [0.0, 1.0]),
        {"epsilon": 1.0, "delta": 1e-4},
    ),
    "spent_curves": (lambda: experiments.spent_by_use(0.5, 1e-4, 5), {}),
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
    assert len(axes.get_legend().get_texts()) >= 3
