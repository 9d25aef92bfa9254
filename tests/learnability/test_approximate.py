"""The best (epsilon, delta) learner: audited exactly, against the pure program and against closed forms."""

import numpy as np
import pytest

from privml.audit import exact
from privml.hypotheses import Thresholds
from privml.learnability import (
    LearningProblem,
    neighbours,
    optimal_approximate_learner,
    optimal_learner,
)
from privml.learnability.approximate import exactly_approximate
from tests.learnability.problems import COIN
from tests.refusals import refused

GRID = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0]), [0.0, 1.0])


@pytest.mark.source("WLF16-def-27")
@pytest.mark.parametrize("delta", [1e-4, 0.05, 0.4])
def test_the_learner_keeps_delta_on_every_pair_of_neighbours_and_spends_it(delta):
    learner = optimal_approximate_learner(GRID, 3, 0.7, delta)
    found = exact(learner.output_distribution, np.arange(4), 3).delta(0.7)
    assert found <= delta + 1e-12
    assert found == pytest.approx(delta, abs=1e-8)
    assert learner.slack < 1e-7
    assert learner.guarantee.delta == delta


test_bad_parameters_are_refused = refused(
    ((COIN, 2, 1.0, 1.0), "delta must be in the half-open"),
    (
        (LearningProblem(1 - np.eye(8)), 5, 1.0, 0.1),
        "at most 60000 slack variables in the linear program, but got",
    ),
    call=lambda arguments: optimal_approximate_learner(*arguments),
)


def divergences(law, pairs, epsilon):
    """Hockey-stick divergences of both orders, as they are defined."""
    first, second = law[pairs[:, 0]], law[pairs[:, 1]]
    both = (first, second), (second, first)
    return np.concatenate(
        [np.maximum(p - np.exp(epsilon) * q, 0).sum(axis=1) for p, q in both]
    )


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 3.0])
@pytest.mark.parametrize("delta", [1e-300, 1e-12, 1e-3, 0.2])
def test_a_law_beyond_delta_is_moved_to_delta(epsilon, delta):
    pairs = neighbours(3, 3)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    laws = np.random.default_rng(0).dirichlet([0.3, 0.3, 0.3], size=10)
    for law in (laws, np.roll(laws, 3, axis=0)):
        assert divergences(law, pairs, epsilon).max() > 0.3
        moved = exactly_approximate(law, both, epsilon, delta)
        assert divergences(moved, pairs, epsilon).max() <= delta * (1 + 1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("error", [1e-12, 1e-9])
def test_a_law_that_is_almost_private_is_moved_by_little(epsilon, error):
    pairs = neighbours(3, 3)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    law = optimal_approximate_learner(
        LearningProblem(1 - np.eye(3)), 3, epsilon, 0.05
    ).probabilities
    spoilt = law + error * np.random.default_rng(1).normal(size=law.shape) * law
    moved = exactly_approximate(spoilt, both, epsilon, 0.05)
    assert divergences(moved, pairs, epsilon).max() <= 0.05 * (1 + 1e-9)
    assert np.abs(moved - law).max() < 200 * error


@pytest.mark.parametrize("epsilon", [1e-7, 0.1, 1.0, 6.0])
@pytest.mark.parametrize("delta", [1e-300, 1e-14, 1e-9])
def test_a_delta_below_the_precision_of_the_solver_is_kept(epsilon, delta):
    learner = optimal_approximate_learner(GRID, 2, epsilon, delta)
    assert divergences(
        learner.probabilities, neighbours(4, 2), epsilon
    ).max() <= delta * (1 + 1e-9)
    assert learner.value == pytest.approx(
        optimal_learner(GRID, 2, epsilon).value, rel=1e-5
    )


def test_an_optimum_of_zero_is_found_where_delta_allows_it():
    """With two records a tie may be split: (1, 0), (1/2, 1/2), (0, 1) is (epsilon, 1/2)-DP, never wrong."""
    learner = optimal_approximate_learner(COIN, 2, 1.0, 0.6)
    assert learner.value < 1e-9
    assert learner.lower_bound == pytest.approx(0, abs=1e-9)
    one = optimal_approximate_learner(LearningProblem([[0.3, 0.1]]), 2, 800.0, 0.1)
    assert (one.value, one.lower_bound, one.guarantee.delta) == (0.0, 0.0, 0.1)


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(40.0, 1e-300), (800.0, 1e-9), (30.0, 1e-12)]
)
def test_what_the_solver_cannot_carry_is_refused(epsilon, delta):
    with pytest.raises(
        ValueError, match="within the reach of floats and the solver, but got"
    ):
        optimal_approximate_learner(COIN, 2, epsilon, delta)


@pytest.mark.parametrize("epsilon", [0.3, 1.2])
def test_the_optimum_is_that_of_the_program_over_all_pairs(epsilon):
    """By a program with one row for each pair and set of outputs: P(S) <= e^epsilon Q(S) + delta."""
    from itertools import product

    from scipy.optimize import linprog

    n_samples, delta = 2, 0.07
    problem = LearningProblem(np.random.default_rng(2).random((3, 2)))
    gaps = problem.excess_empirical_risk([[2, 0], [1, 1], [0, 2]])
    rows, right = [], []
    for first, second in ((0, 1), (1, 0), (1, 2), (2, 1)):
        for chosen in product((0, 1), repeat=3):
            row = np.zeros((3, 3))
            row[first] += chosen
            row[second] -= np.exp(epsilon) * np.array(chosen)
            rows.append(np.append(row.ravel(), 0.0))
            right.append(delta)
    for i in range(3):
        row = np.zeros((3, 3))
        row[i] = gaps[i]
        rows.append(np.append(row.ravel(), -1.0))
        right.append(0.0)
    sums = np.hstack([np.kron(np.eye(3), np.ones(3)), np.zeros((3, 1))])
    found = linprog(np.append(np.zeros(9), 1.0), rows, right, sums, np.ones(3)).fun
    learner = optimal_approximate_learner(problem, n_samples, epsilon, delta)
    assert learner.value == pytest.approx(found, rel=1e-6)
    assert learner.lower_bound <= found * (1 + 1e-12)
