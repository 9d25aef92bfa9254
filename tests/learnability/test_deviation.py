"""Uniform deviation and optimism against sums over ordered samples, and what they say of learning."""

import numpy as np
import pytest

from privml.adjacency import sequences
from privml.composition import subsampled_with_replacement
from privml.guarantee import Guarantee
from privml.learnability import (
    LearningProblem,
    count_vectors,
    erm_law,
    expected_risks,
    exponential_law,
    sample_probabilities,
    uniform_deviation,
)
from privml.learnability.problems import all_labellings_problem, thresholds_problem, with_minorant

LAW = np.array([0.2, 0.5, 0.3])


def optimism(problem, probabilities, n_samples):
    """How far the expected least empirical risk lies below the least risk."""
    found = expected_risks(erm_law(problem), problem, probabilities, n_samples)
    return found.best_risk - found.best_empirical_risk


@pytest.fixture
def problem():
    return LearningProblem(np.random.default_rng(3).random((4, 3)))


@pytest.mark.source("WLF16-rem-uniform-convergence")
def test_both_are_sums_over_ordered_samples(problem):
    samples = sequences(3, 4)
    weights = LAW[samples].prod(axis=1)
    empirical = problem.losses[:, samples].mean(axis=2)
    deviation = np.abs(empirical - problem.risk(LAW)[:, None]).max(axis=0)
    assert uniform_deviation(problem, LAW, 4) == pytest.approx(weights @ deviation)
    least = problem.best_risk(LAW) - weights @ empirical.min(axis=0)
    assert optimism(problem, LAW, 4) == pytest.approx(least)


@pytest.mark.source("WLF16-def-setting")
def test_optimism_lies_between_zero_and_the_uniform_deviation(problem):
    for p in np.random.default_rng(0).dirichlet(np.ones(3), size=20):
        for n in (1, 3, 6):
            assert -1e-12 <= optimism(problem, p, n) <= uniform_deviation(problem, p, n) + 1e-12


@pytest.mark.source("WLF16-rem-uniform-convergence")
def test_thresholds_converge_uniformly_whatever_the_grid():
    n = 3
    deviations = [uniform_deviation(thresholds_problem(k), np.full(2 * k, 0.5 / k), n) for k in (2, 4, 8)]
    assert deviations[2] < 0.5
    assert deviations[2] - deviations[1] < deviations[1] - deviations[0]


@pytest.mark.source("WLF16-rem-uniform-convergence")
def test_with_a_minorant_uniform_convergence_may_fail_while_optimism_is_zero():
    problem = with_minorant(all_labellings_problem(4))
    uniform = np.full(8, 1 / 8)
    assert optimism(problem, uniform, 3) == pytest.approx(0, abs=1e-15)
    assert uniform_deviation(problem, uniform, 3) > 0.19


@pytest.mark.source("WLF16-lem-10", "WLF16-rem-uniform-convergence")
def test_optimism_is_at_most_the_rate_of_a_private_learner_plus_its_stability(problem):
    """R* - E min <= xi(k) + tanh(eps' / 2) with the resampled exponential mechanism, for every law."""
    epsilon, n, k = 1.0, 9, 3
    shrunk = subsampled_with_replacement(Guarantee(epsilon), n, k).epsilon
    counts = count_vectors(3, k)
    laws = np.random.default_rng(1).dirichlet(np.ones(3), size=200)
    expected = np.einsum(
        "pd,dh->ph", sample_probabilities(counts, laws), exponential_law(problem, epsilon)(counts)
    )
    rate = (expected * problem.excess_risk(laws)).sum(axis=1).max()
    for p in laws[:50]:
        assert optimism(problem, p, n) <= rate + np.tanh(shrunk / 2)


def test_bad_parameters_are_refused(problem):
    with pytest.raises(ValueError, match="n_samples must be a positive integer"):
        uniform_deviation(problem, LAW, 0)
    with pytest.raises(ValueError, match="probabilities must be non-negative with sum 1"):
        uniform_deviation(problem, [0.5, 0.6, 0.1], 2)
    with pytest.raises(ValueError, match="at most 500000"):
        uniform_deviation(thresholds_problem(20), np.full(40, 1 / 40), 10)
