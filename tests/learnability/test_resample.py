"""Draws with replacement: the law, its privacy, and the rate that it turns consistency into."""

from itertools import product
from math import exp, isqrt, prod, sqrt

import numpy as np
import pytest

from privml import learnability
from privml.composition import root_subsample_epsilon_wlf16, subsampled_with_replacement
from privml.guarantee import Guarantee


def resampled_epsilon(epsilon, n, k):
    return subsampled_with_replacement(Guarantee(epsilon), n, k).epsilon


def exact_epsilon(law, n_records, n_samples):
    table = np.log(law(learnability.count_vectors(n_records, n_samples)))
    pairs = learnability.neighbours(n_records, n_samples)
    return np.abs(table[pairs[:, 0]] - table[pairs[:, 1]]).max()


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
@pytest.mark.parametrize(("n", "k"), [(4, 2), (9, 3), (5, 4)])
def test_the_exact_privacy_is_within_k_steps_of_amplification(problem, n, k):
    learner = learnability.exponential_law(problem, 1.5)
    inner = exact_epsilon(learner, 3, k)
    assert (
        exact_epsilon(learnability.resampled_law(learner, k), 3, n) <= resampled_epsilon(inner, n, k) + 1e-12
    )


@pytest.mark.source("WLF16-lem-10")
def test_independent_randomised_responses_attain_it():
    """Each draw is answered by randomised response: zeros but for one record, and the answer all ones."""
    epsilon, n, k = 1.2, 7, 3
    up = exp(epsilon) / (1 + exp(epsilon))
    one, none = (sum(p * q for p, q in zip((up, 1 - up), (c, 1 - c), strict=True)) for c in (1 / n, 0.0))
    assert k * np.log(one / none) == pytest.approx(resampled_epsilon(epsilon, n, k))


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


def switching_law(epsilon):
    """Loss 1 with probability e^eps / (1 + e^eps) on two distinct records, else 1 / (1 + e^eps): eps-DP."""
    high = exp(epsilon) / (1 + exp(epsilon))

    def law(counts):
        bad = np.where(np.asarray(counts).max(axis=1) == 1, high, 1 - high)
        return np.stack([1 - bad, bad], axis=1)

    return law


@pytest.mark.source("WLF16-lem-10")
@pytest.mark.erratum("WLF16-lem-10/1")
def test_without_replacement_the_printed_rate_fails_and_with_replacement_it_holds():
    """Four records, a good and a bad hypothesis: xi(2) = 0.6155, gap at n = 4 without replacement 0.7311."""
    law, n, k = switching_law(1.0), 4, 2
    problem = learnability.LearningProblem([[0.0] * 4, [1.0] * 4])
    grid = learnability.count_vectors(4, 40) / 40
    small = learnability.count_vectors(4, k)
    rate = (learnability.sample_probabilities(small, grid) @ law(small))[:, 1].max()
    assert rate == pytest.approx(0.6155, abs=5e-5)
    without = law(np.array([[1, 1, 0, 0]]))[0, 1]  # every subset of four distinct records is distinct
    assert without == pytest.approx(0.7311, abs=5e-5)
    counts = learnability.count_vectors(4, n)
    gaps = (learnability.resampled_law(law, k)(counts) * problem.excess_empirical_risk(counts)).sum(axis=1)
    assert gaps.max() <= rate + 1e-12
    assert gaps.max() == pytest.approx(rate)  # at four distinct records, the uniform law
    assert without <= sqrt(exp(1)) * rate


@pytest.mark.source("WLF16-lem-10")
def test_a_sample_of_size_root_n_repeats_no_index_with_probability_above_exp_of_minus_one_half():
    chance = {n: prod(1 - i / n for i in range(isqrt(n))) for n in range(1, 3000)}
    assert min(chance.values()) > exp(-0.5)
    quoted = {4: 0.75, 16: 0.667, 100: 0.628}
    assert {n: round(chance[n], 3) for n in quoted} == quoted


@pytest.mark.source("WLF16-lem-10")
@pytest.mark.erratum("WLF16-lem-10/2")
def test_the_printed_privacy_holds_without_any_condition_on_the_order():
    for epsilon in (0.1, 1.0, 4.0):
        for n in (1, 2, 10, 10_000):
            printed = root_subsample_epsilon_wlf16(epsilon, n)
            assert resampled_epsilon(epsilon, n, isqrt(n)) <= printed


def test_resampling_does_nothing_to_one_record():
    problem = learnability.thresholds_problem(2)
    law = learnability.exponential_law(problem, 1.0)
    counts = learnability.count_vectors(4, 1)
    np.testing.assert_allclose(learnability.resampled_law(law, 1)(counts), law(counts))
    assert resampled_epsilon(1.3, 1, 1) == pytest.approx(1.3)


def test_by_default_the_integer_part_of_the_root_is_drawn(problem):
    law, counts = learnability.exponential_law(problem, 1.0), learnability.count_vectors(3, 10)
    np.testing.assert_array_equal(
        learnability.resampled_law(law)(counts), learnability.resampled_law(law, 3)(counts)
    )
