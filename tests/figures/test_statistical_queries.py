"""Each figure of the chapter on statistical queries draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import statistical_queries as experiments
from privml.figures import statistical_queries as figures

CASES = {
    "errors_of_last_answers": lambda: experiments.last_answers(22, [100, 1000], 1.0, 0.05),
    "errors_of_worst_answers": lambda: experiments.noise_of_answers(100, 1.0, 0.5, [1, 10], 0.05),
    "failures_of_parity_learners": lambda: experiments.parity_failures(2, 1.0, [2, 8], 4),
    "parities_by_queries": lambda: experiments.parities_left(6, 0.1, [0, 2, 4]),
    "sq_accuracy_on_tumours": lambda: experiments.tumours([1.0], n_cuts=2, n_splits=2, n_draws=5, seed=0),
    "sq_prices": lambda: experiments.prices([0.1, 10.0], [10, 100], 1.0, 0.05),
    "sq_sample_sizes": lambda: experiments.sample_sizes([10, 100], 0.1, 1.0, 0.5, 0.05),
    "worst_errors_by_tolerance": lambda: experiments.worst_errors([0.01, 0.02], 5, 0),
}


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_every_curve_is_there(name):
    table, axes = CASES[name](), Figure().subplots()
    getattr(figures, name)(table, axes)
    assert axes.get_ylabel()
    assert axes.get_xlabel()
    shown = [text.get_text() for text in axes.get_legend().get_texts()]
    assert shown == list(dict.fromkeys(table["curve"]))
    x, y = table.columns[0], table.columns[2]
    for curve, drawn in zip(shown, axes.lines, strict=False):
        rows = table[table["curve"] == curve]
        np.testing.assert_allclose(np.asarray(drawn.get_xdata(), dtype=float), rows[x])
        np.testing.assert_allclose(np.asarray(drawn.get_ydata(), dtype=float), rows[y])
