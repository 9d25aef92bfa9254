"""Each figure of the chapter on high confidence draws what its table holds."""

import pytest
from matplotlib.figure import Figure

from privml.experiments import high_confidence as experiments
from privml.figures import high_confidence as figures

CASES = {
    "choice_gap_curves": lambda: experiments.choice_gaps(50, 0.1, [0.1, 1.0]),
    "claim_constant_curves": lambda: experiments.claim_constants([0.1, 1e-5]),
    "excess_tails": lambda: experiments.survival(30, 0.3, 1.0, 0.05, 2),
    "markov_boost_curves": lambda: experiments.markov_or_boost(1.0, 10**4, 1.0, [0.1, 1e-3]),
}


def drawn(name):
    axes = Figure().subplots()
    getattr(figures, name)(CASES[name](), axes)
    return axes


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_curves_named(name):
    axes = drawn(name)
    assert axes.get_xlabel()
    assert axes.get_ylabel()
    assert axes.get_legend() is not None


def test_the_tails_show_both_learners_alone_and_boosted_and_one_bound():
    table, axes = CASES["excess_tails"](), drawn("excess_tails")
    assert len(axes.lines) == 5
    bound = table[(table["learner"] == "drowsy") & ~table["boosted"]]["markov"]
    assert axes.lines[-1].get_ydata().tolist() == bound.tolist()


def test_the_free_epsilon_is_marked():
    table, axes = CASES["choice_gap_curves"](), drawn("choice_gap_curves")
    assert axes.lines[-1].get_xdata()[0] == table["free"].iloc[0]
