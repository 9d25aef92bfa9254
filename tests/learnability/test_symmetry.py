"""Symmetries: what they are, that they lose nothing, and the average over the order of the records."""

from itertools import permutations

import numpy as np
import pytest

from privml.adjacency import sequences
from privml.audit import exact
from privml.hypotheses import Thresholds
from privml.learnability import (
    LearningProblem,
    count_vectors,
    optimal_learner,
    symmetry,
)
from privml.learnability.program import privacy_program

GRID = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0, 3.0]), [0.0, 1.0, 2.0])
MODE = LearningProblem(1 - np.eye(4))
REFLECTION = np.arange(6)[::-1]


def test_a_symmetry_maps_losses_to_losses():
    records, hypotheses = symmetry(GRID, REFLECTION)
    np.testing.assert_array_equal(GRID.losses[np.ix_(hypotheses, records)], GRID.losses)
    records, hypotheses = symmetry(MODE, [1, 2, 3, 0])
    np.testing.assert_array_equal(hypotheses, [1, 2, 3, 0])


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize(
    ("problem", "group", "n_samples"),
    [
        (GRID, [REFLECTION], 3),
        (MODE, [[1, 2, 3, 0], [1, 0, 2, 3]], 4),
        (MODE, [[1, 2, 3, 0]], 3),
    ],
    ids=["reflection", "all permutations", "rotations"],
)
def test_learners_with_the_symmetries_of_the_problem_are_as_good_as_any(
    problem, group, n_samples
):
    free = optimal_learner(problem, n_samples, 1.0)
    bound = optimal_learner(problem, n_samples, 1.0, symmetries=group)
    assert bound.value == pytest.approx(free.value, abs=1e-9)
    assert bound.slack < 1e-9
    counts = count_vectors(problem.n_records, n_samples)
    for records, hypotheses in (symmetry(problem, each) for each in group):
        moved = np.empty_like(counts)
        moved[:, records] = counts
        np.testing.assert_allclose(
            bound.output_probabilities(moved)[:, hypotheses],
            bound.output_probabilities(counts),
            atol=1e-12,
        )


def test_the_reflection_leaves_about_half_of_the_unknowns():
    groups = [], [symmetry(GRID, REFLECTION)]
    sizes = [privacy_program(GRID, 3, group).columns.max() + 1 for group in groups]
    assert sizes == [224, 112]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([0, 1, 2], "permutations"),
        ([0, 0, 1, 2, 3, 4], "permutations"),
        ([1, 0, 2, 3, 4, 5], "map the hyp"),
    ],
)
def test_a_permutation_that_is_no_symmetry_is_refused(records, message):
    with pytest.raises(ValueError, match=message):
        optimal_learner(GRID, 2, 1.0, symmetries=[records])


@pytest.mark.source("WLF16-eq-7")
def test_a_class_of_distributions_must_have_the_symmetries_that_are_used():
    law = np.array([0.5, 0.3, 0.2, 0.0, 0.0, 0.0])
    both = np.array([law, law[::-1]])
    free = optimal_learner(GRID, 2, 1.0, distributions=both)
    bound = optimal_learner(GRID, 2, 1.0, distributions=both, symmetries=[REFLECTION])
    assert bound.value == pytest.approx(free.value, abs=1e-9)
    with pytest.raises(ValueError, match="distributions must be mapped"):
        optimal_learner(GRID, 2, 1.0, distributions=law, symmetries=[REFLECTION])


def first_record_counts_twice(indices):
    """An ordered learner of two answers: randomised response on the first record or on a random one."""
    ones = (indices.mean(axis=1) + indices[:, 0]) / 2
    kept = np.exp(0.6) / (1 + np.exp(0.6))
    says_one = (1 - kept) + ones * (2 * kept - 1)
    return np.stack([1 - says_one, says_one], axis=1)


@pytest.mark.source("WLF16-eq-6")
def test_averaging_over_the_order_keeps_privacy_and_the_worst_case():
    coin = LearningProblem([[0.0, 1.0], [1.0, 0.0]])

    def averaged(counts):
        """The mean over all orders of the records."""
        rows = np.array([np.repeat([0, 1], row) for row in counts])
        orders = permutations(range(rows.shape[1]))
        return np.mean(
            [first_record_counts_twice(rows[:, list(order)]) for order in orders],
            axis=0,
        )

    ordered = exact(
        lambda z: first_record_counts_twice(z[None])[0],
        np.array([0, 1]),
        4,
        ordered=True,
    )

    def counted(z):
        return averaged(np.bincount(z, minlength=2)[None])[0]

    assert exact(counted, np.array([0, 1]), 4).epsilon < ordered.epsilon
    counts, rows = count_vectors(2, 4), sequences(2, 4)
    worst = (averaged(counts) * coin.excess_empirical_risk(counts)).sum(axis=1).max()
    row_counts = np.stack([4 - rows.sum(axis=1), rows.sum(axis=1)], axis=1)
    every = (
        first_record_counts_twice(rows) * coin.excess_empirical_risk(row_counts)
    ).sum(axis=1)
    assert worst <= every.max() + 1e-15
    np.testing.assert_allclose(averaged(counts).sum(axis=1), 1)
