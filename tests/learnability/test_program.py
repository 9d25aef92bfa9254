"""The certificate: a bound that holds whatever the multipliers, and the move into the constraints."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from privml.hypotheses import Thresholds
from privml.learnability import (
    LearningProblem,
    count_vectors,
    largest_ratio,
    neighbour_cliques,
    neighbours,
    optimal_learner,
)
from privml.learnability.optimal import exactly_private
from privml.learnability.program import certificate, privacy_program, solution

GRID = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0]), [0.0, 1.0])


def least_lagrangian(matrix, right, normalisation, weights, n_objective):
    """The least of t - w (A x - r) in fractions: laws on the simplices, other unknowns in [0, 1], t free."""
    weights = [Fraction(min(float(w), 0.0)) for w in weights]
    total = -sum(weights[-n_objective:])
    weights = [w / total for w in weights]
    slopes = [Fraction(0)] * matrix.shape[1]
    for row, column, value in zip(
        *(p.tolist() for p in matrix.tocoo().coords), matrix.data, strict=True
    ):
        slopes[column] -= weights[row] * Fraction(float(value))
    assert slopes[-1] == -1  # of t, whose cost is 1
    laws = [set(row.nonzero()[0].tolist()) for row in normalisation.toarray()]
    free = set(range(len(slopes) - 1)).difference(*laws)
    assert (normalisation.data == 1).all()
    return (
        sum(min(slopes[column] for column in law) for law in laws)
        + sum(min(Fraction(0), slopes[c]) for c in free)
        + sum(w * Fraction(float(r)) for w, r in zip(weights, right, strict=True))
    )


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_a_certificate_is_below_what_its_multipliers_prove_in_fractions(epsilon):
    """Bounds that rounding lifts above the exact one would show in half of the cases."""
    program = privacy_program(GRID, 3)
    matrix, n_objective = (
        program.inequalities(epsilon).tocoo().tocsr(),
        program.objective.shape[0],
    )
    found = program.solve(epsilon, "highs-ipm").multipliers
    rng = np.random.default_rng(0)
    for right in (
        np.zeros(matrix.shape[0]),
        np.where(np.arange(matrix.shape[0]) % 7, 0.0, 0.01),
    ):
        for _ in range(6):
            weights = found * rng.uniform(0.9, 1.1, size=found.size)
            exact = least_lagrangian(
                matrix, right, program.normalisation, weights, n_objective
            )
            bound = certificate(
                matrix, right, program.normalisation, weights, n_objective
            )
            assert exact - Fraction(1, 10**12) < Fraction(bound) <= exact


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 2.0, 5.0])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_moved_into_the_constraints_keeps_them_in_many_digits(epsilon, seed):
    noise = np.random.default_rng(seed).uniform(
        -1e-7, 1e-7, size=(20, GRID.n_hypotheses)
    )
    law = exactly_private(
        optimal_learner(GRID, 3, epsilon).probabilities + noise,
        neighbour_cliques(4, 3),
        epsilon,
    )
    first, second = law[neighbours(4, 3).T]
    with mpmath.workdps(40):
        growth = mpmath.exp(mpmath.mpf(epsilon))
        for p, q in zip(first.ravel().tolist(), second.ravel().tolist(), strict=True):
            assert max(p, q) <= growth * mpmath.mpf(min(p, q))


def test_the_multipliers_found_at_one_epsilon_bound_the_optimum_at_all_others():
    program = privacy_program(GRID, 3)
    multipliers = program.solve(1.0, "highs-ipm").multipliers
    for epsilon in (0.2, 0.8, 0.99, 1.0, 1.01, 1.3, 2.5):
        value = optimal_learner(GRID, 3, epsilon).value
        bound = program.lower_bound(multipliers, 1.0, epsilon)
        assert bound <= value + 1e-12
        if abs(epsilon - 1.0) < 0.05:
            assert bound == pytest.approx(value, abs=2e-3)


def test_cliques_say_the_same_as_all_pairs_of_neighbours():
    law = np.random.default_rng(1).dirichlet(np.ones(3), size=len(count_vectors(4, 3)))
    first, second = law[neighbours(4, 3).T]
    assert largest_ratio(law, neighbour_cliques(4, 3)) == pytest.approx(
        np.abs(np.log(first / second)).max(), rel=1e-14
    )


@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 2.0])
@pytest.mark.parametrize("error", [1e-9, 1e-4])
def test_a_law_that_is_almost_private_becomes_private_at_a_small_price(epsilon, error):
    learner, completed = optimal_learner(GRID, 3, epsilon), neighbour_cliques(4, 3)
    noise = error * np.random.default_rng(2).uniform(
        -1, 1, size=learner.probabilities.shape
    )
    moved = exactly_private(learner.probabilities + noise, completed, epsilon)
    assert largest_ratio(moved, completed) <= epsilon
    np.testing.assert_allclose(moved.sum(axis=1), 1, rtol=1e-12)
    assert np.abs(moved - learner.probabilities).max() <= 20 * error * np.exp(
        epsilon
    ) / np.expm1(epsilon)


def test_an_infeasible_program_says_so():
    program = privacy_program(GRID, 2)
    matrix = program.inequalities(1.0)
    with pytest.raises(ValueError, match="infeasible"):
        solution(
            matrix, np.full(matrix.shape[0], -2.0), program.normalisation, "highs-ds"
        )


@pytest.mark.parametrize("factor", [0.5, 1.5, 4.0])
@pytest.mark.parametrize("part", ["all", "upper", "lower", "objective"])
def test_good_multipliers_that_are_spoilt_still_prove_no_more_than_the_truth(
    factor, part
):
    program = privacy_program(GRID, 3)
    found = program.solve(1.0, "highs-ipm").multipliers
    count = len(program.privacy)
    rows = {
        "all": slice(None),
        "upper": slice(count),
        "lower": slice(count, 2 * count),
        "objective": slice(2 * count, None),
    }
    spoilt = found.copy()
    spoilt[rows[part]] *= factor
    value = optimal_learner(GRID, 3, 1.0).value
    assert program.lower_bound(found, 1.0, 1.0) == pytest.approx(value, abs=1e-9)
    assert program.lower_bound(spoilt, 1.0, 1.0) <= value + 1e-12
