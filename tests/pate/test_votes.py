"""Votes: counts, margins and distances, over all vote vectors of a few teachers."""

from itertools import product

import numpy as np
import pytest

from privml.pate import often_misclassified, realised_margin, vote_counts, vote_distance


def all_votes(n_teachers):
    """Every vote vector of some teachers, one a column."""
    return np.array(list(product([0, 1], repeat=n_teachers))).T


def neighbours(n_teachers):
    """Pairs of columns of `all_votes` that differ in one teacher."""
    votes = all_votes(n_teachers)
    return np.argwhere((votes[:, :, None] != votes[:, None, :]).sum(axis=0) == 1)


@pytest.mark.source("LZCW21-eq-1")
@pytest.mark.parametrize("n_teachers", range(1, 9))
def test_the_margin_has_the_parity_of_the_teachers_and_moves_by_at_most_two(n_teachers):
    margin = realised_margin(all_votes(n_teachers))
    assert ((margin - n_teachers) % 2 == 0).all()
    assert np.abs(np.diff(margin[neighbours(n_teachers)], axis=1)).max() == (
        2 if n_teachers > 1 else 0
    )


@pytest.mark.source("LZCW21-alg-2")
@pytest.mark.parametrize("n_teachers", range(1, 9))
def test_the_distance_has_sensitivity_one_and_is_zero_where_the_majority_can_change(
    n_teachers,
):
    votes = all_votes(n_teachers)
    distance, majority = vote_distance(votes), 2 * votes.sum(axis=0) >= n_teachers
    pairs = neighbours(n_teachers)
    assert np.abs(np.diff(distance[pairs], axis=1)).max() <= 1
    turned = majority[pairs[:, 0]] != majority[pairs[:, 1]]
    assert turned.any()
    assert (distance[pairs[turned]] == 0).all()


@pytest.mark.source("LZCW21-alg-2")
def test_the_distance_counts_the_teachers_whose_change_keeps_the_majority():
    """Ties go to 1, so the distance is exact on one side and one too small at most on the other."""
    votes = all_votes(7)
    majority = 2 * votes.sum(axis=0) >= 7
    apart = (votes[:, :, None] != votes[:, None, :]).sum(axis=0)
    nearest = np.where(majority[:, None] != majority[None], apart, 99).min(axis=1)
    assert (vote_distance(votes) == nearest - 1).all()


@pytest.mark.source("LZCW21-alg-pate-framework")
def test_counts_sum_to_the_teachers_for_any_number_of_classes():
    votes = np.random.default_rng(0).integers(4, size=(9, 30))
    counts = vote_counts(votes, 4)
    assert (counts.sum(axis=1) == 9).all()
    assert counts[5].tolist() == np.bincount(votes[:, 5], minlength=4).tolist()


@pytest.mark.parametrize(
    "bad", [[0, 1], [[0.5, 1.0]], [[0, 2]], [[-1, 0]], np.empty((0, 3), dtype=int)]
)
def test_votes_of_another_shape_or_range_are_refused(bad):
    with pytest.raises(ValueError, match="votes must be"):
        vote_counts(bad)


@pytest.mark.source("LZCW21-lem-4")
@pytest.mark.parametrize(
    ("n_teachers", "n_points"), [(1, 5), (2, 5), (3, 4), (4, 3), (6, 2)]
)
def test_few_points_are_weakly_supported_whatever_the_mistakes(n_teachers, n_points):
    """Every matrix of mistakes: at most three times the mean number of mistakes of a teacher."""
    right = np.zeros(n_points, dtype=int)
    worst = 0.0
    for cells in product([0, 1], repeat=n_teachers * n_points):
        votes = np.reshape(cells, (n_teachers, n_points))
        weak = often_misclassified(votes, right)
        mistakes = votes.sum(axis=1)
        assert weak.sum() <= 3 * mistakes.mean() <= 3 * mistakes.max()
        worst = (
            max(worst, weak.sum() / (3 * mistakes.mean())) if mistakes.any() else worst
        )
        assert (realised_margin(votes)[~weak] > n_teachers / 3).all()
        assert (2 * votes.sum(axis=0)[~weak] < n_teachers).all()
    assert worst == pytest.approx(1) if n_teachers % 3 == 0 else worst < 1


@pytest.mark.parametrize("labels", [[0, 1, 0], [0, 2]])
def test_labels_that_do_not_fit_the_votes_are_refused(labels):
    with pytest.raises(ValueError, match="labels must be zeros and ones"):
        often_misclassified([[0, 1]], labels)
