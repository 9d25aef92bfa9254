"""Each figure of the chapter on learnability in general draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from privml.experiments import learnability_in_general as experiments
from privml.figures import learnability_in_general as figures

CASES = {
    "coin_rate_curves": lambda: experiments.coin_rates([1, 4], 1.0),
    "domain_growth_curves": lambda: experiments.grids_and_labellings([2, 3], 2, 1.0),
    "forgetful_gap_curves": lambda: experiments.forgetful_curves([8, 40], 1.0),
    "learning_landscape": lambda: experiments.landscape(9, 1.0),
    "loss_growth_curves": lambda: experiments.loss_growth([1.0, 10.0]),
    "memory_gap_curves": lambda: experiments.memory_gaps([16, 100]),
    "root_transformation_curves": lambda: experiments.circle([1, 2], 1.0),
    "tumour_answer_curves": lambda: experiments.tumour_curves([0.5, 1.0]),
}


def drawn(name):
    axes = Figure().subplots()
    table = CASES[name]()
    getattr(figures, name)(table, axes)
    return table, axes


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", sorted(set(figures.__all__) - {"learning_landscape"}))
def test_axes_are_labelled_and_every_curve_is_drawn_and_named(name):
    table, axes = drawn(name)
    assert axes.get_xlabel()
    assert axes.get_ylabel()
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == table["curve"].unique().tolist()
    x, y = (column for column in table.columns if column != "curve")
    for line in axes.lines:
        curve = table[table["curve"] == line.get_label()]
        np.testing.assert_allclose(line.get_xydata(), curve[[x, y]])


def test_the_landscape_draws_every_set_and_every_problem_with_its_fact():
    table, axes = drawn("learning_landscape")
    assert sum(isinstance(patch, FancyBboxPatch) for patch in axes.patches) == 4
    texts = {text.get_text() for text in axes.texts}
    for row in table.itertuples():
        assert (row.name if row.kind == "set" else f"{row.name}\n{row.fact}") in texts
