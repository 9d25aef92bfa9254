"""Utility and excess risk of penalised private ERM, against exact expectations on finite problems."""

from math import tanh

import numpy as np
import pytest

from privml.bounds import sublevel as bound
from privml.bounds.sublevel import SublevelCondition, finite_class_condition
from privml.learnability import LearningProblem, count_vectors, sample_probabilities

LAW = np.array([0.5, 0.3, 0.2])


def penalised_distribution(problem, counts, epsilon, regulariser, factor=1.0):
    """Law of the learner and its objective, written out anew."""
    objective = problem.empirical_risk(counts) + regulariser
    size = counts.sum(axis=1, keepdims=True)
    weights = np.exp(
        -epsilon
        * size
        * (objective - objective.min(axis=1, keepdims=True))
        / (2 * factor)
    )
    return weights / weights.sum(axis=1, keepdims=True), objective


def gaps(problem, n_samples, epsilon, regulariser=0.0, factor=1.0):
    """Exact expected utility gap, empirical gap and excess risk."""
    counts = count_vectors(problem.n_records, n_samples)
    law, objective = penalised_distribution(
        problem, counts, epsilon, regulariser, factor
    )
    weights = sample_probabilities(counts, LAW)
    utility = ((law * objective).sum(axis=1) - objective.min(axis=1)) @ weights
    empirical = (law * problem.excess_empirical_risk(counts)).sum(axis=1) @ weights
    return utility, empirical, weights @ law @ problem.excess_risk(LAW)


CASES = [
    (n, epsilon, seed)
    for n in (2, 6, 14)
    for epsilon in (0.1, 0.8, 3.0)
    for seed in range(4)
]


@pytest.mark.source("WLF16-lem-36", "WLF16-lem-37", "WLF16-thm-19", "WLF16-ex-20")
@pytest.mark.parametrize(("n_samples", "epsilon", "seed"), CASES)
def test_the_bounds_hold_exactly_on_random_finite_problems(n_samples, epsilon, seed):
    rng = np.random.default_rng(seed)
    problem = LearningProblem(rng.random((5, 3)) ** (seed + 1))
    regulariser = rng.normal(0, 0.1, 5) * (seed > 1)
    width = float(np.ptp(regulariser))
    condition = finite_class_condition(5)
    utility, empirical, excess = gaps(problem, n_samples, epsilon, regulariser)
    assert utility <= bound.penalised_erm_utility_gap(
        n_samples, epsilon, condition, regulariser_width=width
    )
    total = bound.penalised_erm_excess_risk(
        n_samples, epsilon, condition, regulariser_width=width
    )
    assert empirical <= total - tanh(epsilon / 4)
    assert excess <= total


def test_the_utility_bound_is_the_best_over_all_heights():
    condition = SublevelCondition(log_constant=1.5, rho=3.0, t_max=0.04)
    for n_samples in (50, 500, 5000):
        u = np.linspace(1e-5, condition.t_max, 40_000)
        heights = u + (1.5 - 3.0 * np.log(u)) / (n_samples / 2)
        limit = bound.penalised_erm_utility_gap(n_samples, 1.0, condition)
        assert limit == pytest.approx(min(1, heights.min()), rel=1e-6)


def test_no_bound_exceeds_the_trivial_one_by_more_than_stability():
    condition = finite_class_condition(10**9)
    assert (
        bound.penalised_erm_utility_gap(1, 1e-3, condition, regulariser_width=0.5)
        == 1.5
    )
    assert bound.penalised_erm_utility_gap(1, 1e-3, finite_class_condition(1)) == 0
    assert bound.penalised_erm_excess_risk(1, 1e-3, condition) == 1 + tanh(2.5e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"condition": 16}, "condition must be"),
        ({"sensitivity_factor": 0.0}, "sensitivity_factor must be"),
    ],
)
def test_bad_input_is_refused_with_a_reason(change, message):
    call = {
        "n_samples": 10,
        "epsilon": 1.0,
        "condition": finite_class_condition(4),
    } | change
    with pytest.raises(ValueError, match=message):
        bound.penalised_erm_excess_risk(**call)
