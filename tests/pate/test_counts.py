"""Noisy counts of votes: what one record moves, what the noise pays for, and readable teachers."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy.stats import norm

from privml.adjacency import Adjacency
from privml.divergences import gaussian_delta
from privml.pate import (
    affordable_labels,
    noisy_counts,
    readable_teachers,
    vote_counts,
    vote_sigma,
)
from tests.refusals import refused


@pytest.mark.parametrize("sigma", [0.3, 4.0, 72.3, 884.4])
@pytest.mark.parametrize("misread", [0.4, 0.05, 1e-4])
def test_the_readable_ensemble_is_the_smallest_one(sigma, misread):
    n_teachers = readable_teachers(sigma, misread)
    assert norm.cdf(-n_teachers / (2 * sigma)) <= misread + 1e-9
    assert n_teachers == 1 or norm.cdf(-(n_teachers - 1) / (2 * sigma)) > misread


def test_one_teacher_moves_the_counts_of_all_points_by_at_most_the_root_of_their_number():
    tables = [np.array(votes).reshape(2, 2) for votes in product([0, 1], repeat=4)]
    pairs = [(a, b) for a in tables for b in tables if (a != b).any(axis=1).sum() == 1]
    farthest = max(
        np.linalg.norm(vote_counts(a)[:, 1] - vote_counts(b)[:, 1]) for a, b in pairs
    )
    assert farthest == pytest.approx(sqrt(2))


@pytest.mark.source("LZCW21-alg-1")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
def test_the_noise_of_the_counts_is_that_of_the_labels_and_spends_delta_exactly(
    epsilon,
):
    released = noisy_counts(
        [0, 30, 50], 50, epsilon=epsilon, delta=1e-4, adjacency=Adjacency.REPLACE_ONE
    )
    assert released.sigma == vote_sigma(3, epsilon, 1e-4)
    assert gaussian_delta(epsilon, mu=sqrt(3) / released.sigma) == pytest.approx(
        1e-4, rel=1e-6
    )
    assert str(released.guarantee).endswith("(replace-one)")


def test_without_privacy_the_counts_are_exact_and_nothing_is_promised():
    released = noisy_counts([3, 7], 10, epsilon=None, delta=0.1)
    assert (released.counts.tolist(), released.sigma, released.guarantee) == (
        [3, 7],
        0.0,
        None,
    )


test_bad_parameters_are_refused = refused(
    ([11], 10, 1.0, 1e-3, "counts must be whole numbers from 0 to n_teachers=10"),
    ([-1], 10, 1.0, 1e-3, "counts must be whole numbers from 0 to n_teachers=10"),
    ([], 10, 1.0, 1e-3, "counts must be"),
    ([3], 0, 1.0, 1e-3, "n_teachers must be a positive integer"),
    ([3], 10, 0.0, 1e-3, "epsilon must be positive"),
    ([3], 10, 1.0, 1.0, "delta must be"),
    call=lambda counts, n, epsilon, delta: noisy_counts(
        counts, n, epsilon=epsilon, delta=delta
    ),
)
test_a_count_that_is_misread_half_of_the_time_is_refused = refused(
    (lambda: readable_teachers(1.0, 0.6), "misread must be below 1/2, but got 0.6")
)


@pytest.mark.parametrize("misread", [1e-6, 0.05, 0.4])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 20.0])
@pytest.mark.parametrize("n_teachers", [1, 50, 777])
def test_one_label_more_than_affordable_is_not_readable(n_teachers, epsilon, misread):
    most = affordable_labels(n_teachers, epsilon, 1e-6, misread=misread)
    needed = [
        readable_teachers(vote_sigma(n, epsilon, 1e-6), misread)
        for n in (max(most, 1), most + 1)
    ]
    assert needed[1] > n_teachers
    assert most == 0 or needed[0] <= n_teachers
