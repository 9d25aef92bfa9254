"""Draws with replacement: the law, its privacy, and the rate that it turns consistency into."""

from itertools import product
from math import isqrt

import numpy as np
import pytest

from privml import learnability
from privml.composition import root_subsample_epsilon_wlf16, subsampled_with_replacement
from privml.guarantee import Guarantee


def resampled_epsilon(epsilon, n, k):
    return subsampled_with_replacement(Guarantee(epsilon), n, k).epsilon


@pytest.fixture
def problem():
    return learnability.LearningProblem(np.random.default_rng(5).random((4, 3)))


@pytest.mark.source("WLF16-lem-10")
def test_the_law_is_the_mean_over_all_sequences_of_draws(problem):
    learner = learnability.exponential_law(problem, 2.0)
    data = np.array([0, 0, 1, 2, 2])
    draws = np.array(list(product(data, repeat=3)))
    counts = (draws[:, :, None] == np.arange(3)).sum(axis=1)
    expected = learner(counts).mean(axis=0)
    found = learnability.resampled_law(learner, 3)(np.bincount(data)[None])
    np.testing.assert_allclose(found[0], expected, rtol=1e-12)


@pytest.mark.source("WLF16-lem-10")
@pytest.mark.erratum("WLF16-lem-10/1")
def test_with_replacement_the_gap_is_the_risk_under_the_frequencies_so_the_printed_rate_holds(problem):
    n, k = 9, 3
    learner = learnability.exponential_law(problem, 1.0)
    counts = learnability.count_vectors(3, n)
    gap = (learnability.resampled_law(learner, k)(counts) * problem.excess_empirical_risk(counts)).sum(axis=1)
    small = learnability.count_vectors(3, k)
    for row, data in enumerate(counts):
        frequencies = data / n
        expected = learnability.sample_probabilities(small, frequencies) @ learner(small)
        assert gap[row] == pytest.approx(expected @ problem.excess_risk(frequencies), abs=1e-13)


@pytest.mark.source("WLF16-lem-10")
@pytest.mark.erratum("WLF16-lem-10/2")
def test_the_printed_privacy_holds_without_any_condition_on_the_order():
    for epsilon in (0.1, 1.0, 4.0):
        for n in (1, 2, 10, 10_000):
            printed = root_subsample_epsilon_wlf16(epsilon, n)
            assert resampled_epsilon(epsilon, n, isqrt(n)) <= printed


def test_by_default_the_integer_part_of_the_root_is_drawn(problem):
    law, counts = learnability.exponential_law(problem, 1.0), learnability.count_vectors(3, 10)
    np.testing.assert_array_equal(
        learnability.resampled_law(law)(counts), learnability.resampled_law(law, 3)(counts)
    )
