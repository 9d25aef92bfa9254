"""Tables of the chapter: orders between the curves, counterexamples with certificates, committed results."""

import numpy as np
import pytest

from privml import results
from privml.experiments import best_private_learner as experiments
from privml.learnability import LearningProblem
from privml.learnability.optimal import optimal_learner


@pytest.mark.source("WLF16-eq-6")
def test_bounds_optimum_and_mechanisms_stand_in_order():
    table = experiments.excess_by_epsilon(3, 3, [0.1, 1.0, 3.0])
    wide = table.pivot(index="epsilon", columns="curve", values="excess")
    order = ["packing", "optimum", "permute-and-flip", "exponential", "theorem"]
    assert (np.diff(wide[order], axis=1) >= -1e-12).all()
    assert (wide["best prior"] <= wide["exponential"] + 1e-3).all()
    assert (wide["best prior"] >= wide["optimum"]).all()
    shares = experiments.shares(table)
    assert shares["share"].between(0, 1).all()


def test_a_flat_prior_is_what_a_small_epsilon_pays_for():
    table = experiments.excess_by_epsilon(3, 2, [1e-3]).set_index("curve")["excess"]
    assert table["exponential"] == pytest.approx(3 / 4, abs=2e-3)
    assert table["optimum"] == pytest.approx(1 / 2, abs=2e-3)
    assert table["best prior"] == pytest.approx(1 / 2, abs=2e-3)


@pytest.mark.erratum("WLF16-eq-6")
def test_there_is_always_a_better_learner_where_the_infimum_is_not_attained():
    table = experiments.without_minimiser([4, 8, 16])
    np.testing.assert_allclose(table["objective"], 1 / 4 + 1 / table["k"], atol=1e-9)
    assert (table["epsilon"] == 0).all()


@pytest.mark.source("WLF16-eq-7")
@pytest.mark.erratum("WLF16-thm-18")
def test_point_masses_without_a_common_rate_make_equation_7_ignore_the_data():
    table = experiments.point_masses([3, 6], 2)
    np.testing.assert_allclose(table["objective"], table["constant"], atol=1e-9)
    assert (table["epsilon"] == 0).all()
    for k in (3, 6):
        problem = LearningProblem(1 - np.eye(k))
        found = optimal_learner(problem, 2, 0.5, distributions=np.eye(k))
        assert found.value >= (k - 1) / (np.exp(2 * 0.5) + k - 1) - 1e-9


@pytest.mark.source("WLF16-thm-18")
def test_excess_risk_is_at_most_gap_plus_tanh_which_is_at_most_the_objective():
    table = experiments.tradeoff_chain([12], 100).set_index("curve")["value"]
    assert table["exact excess risk"] <= table["gap + tanh(ε/2)"] <= table["objective"]
    assert table["objective"] <= table["2 / √(e m)"] + 2e-3


@pytest.mark.source("WLF16-eq-6")
def test_one_record_more_can_make_the_best_learner_worse():
    table = experiments.more_records(3, [1, 2], 2.0)
    assert table["lower_bound"][1] > table["optimum"][0] + 0.01


@pytest.mark.source("WLF16-eq-7")
def test_smaller_classes_of_distributions_are_easier():
    table = experiments.classes_of_distributions(2, 2, [0.5, 2.0])
    assert (table["all data sets"] >= table["grid of distributions"] - 1e-9).all()
    assert (table["grid of distributions"] >= table["realizable"] - 1e-9).all()


def test_the_committed_times_keep_the_promise_on_speed():
    table = results.read("best-private-learner-times").set_index(["n_points", "n_samples", "curve"])[
        "seconds"
    ]
    assert table[4, 3].max() < 5
    assert table[6, 4].max() < 60
