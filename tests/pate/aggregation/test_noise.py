"""Gaussian and Laplace noise on votes: calibration, its inverse, and the exact law of a label."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from privml.divergences import gaussian_delta, hockey_stick
from privml.pate import GaussianAggregator, NoisyMaxAggregator, vote_sigma
from privml.pate.noisy_votes import maximum_law

PROMISE = {"epsilon": 1.0, "delta": 1e-2}


@pytest.mark.source("LZCW21-alg-1")
@pytest.mark.parametrize(
    ("n_queries", "epsilon", "delta"), [(1, 0.5, 1e-6), (100, 1.0, 1e-5), (5000, 3.0, 1e-3)]
)
def test_the_printed_sigma_solves_the_equation_of_the_source(n_queries, epsilon, delta):
    sigma = vote_sigma(n_queries, epsilon, delta, calibration="source")
    solved = sqrt(2 * n_queries * log(1 / delta) / sigma**2) + n_queries / (2 * sigma**2)
    assert solved == pytest.approx(epsilon, rel=1e-12)


@pytest.mark.source("LZCW21-alg-1", "LZCW21-thm-2")
@pytest.mark.parametrize("n_queries", [1, 100, 5000])
def test_the_exact_sigma_is_the_least_that_the_gaussian_curve_allows(n_queries):
    sigma = vote_sigma(n_queries, 1.0, 1e-5)
    assert gaussian_delta(1.0, sqrt(n_queries) / sigma) <= 1e-5
    assert gaussian_delta(1.0, sqrt(n_queries) / (sigma * (1 - 1e-9))) > 1e-5


@pytest.mark.erratum("LZCW21-alg-1/1")
@pytest.mark.parametrize("n_queries", [1, 49, 1000])
def test_the_printed_sigma_is_a_quarter_too_large(n_queries):
    exact, printed = (vote_sigma(n_queries, 1.0, 1e-6, calibration=c) for c in ("exact", "source"))
    assert exact / printed == pytest.approx(0.790, abs=5e-4)


def constant_curve(n_queries, sigma, k_votes, epsilon):
    """The delta of n labels at one count of votes against one vote less: two binomial laws."""
    from scipy.stats import binom

    p, q = norm.cdf([k_votes / sigma, (k_votes - 1) / sigma])
    ones = np.arange(n_queries + 1)
    return hockey_stick(binom.logpmf(ones, n_queries, p), binom.logpmf(ones, n_queries, q), epsilon)


@pytest.mark.erratum("LZCW21-alg-1/2")
def test_labels_leak_less_than_noisy_counts():
    """At the same constant votes, by a factor of about sqrt(2 / pi) in mu."""
    sigma = vote_sigma(100, 1.0, 1e-6)
    worst = max(constant_curve(100, sigma, half, 1.0) for half in np.arange(-60.0, 60.0, 0.5))
    assert worst == pytest.approx(3.9e-9, rel=0.02)


@pytest.mark.source("LZCW21-alg-1")
def test_the_law_of_a_label_is_that_of_the_noisy_share():
    aggregator = GaussianAggregator(n_queries=1, **PROMISE)
    votes = np.arange(11)
    law = aggregator.label_law(np.stack([10 - votes, votes], axis=1))
    assert law[:, 1] == pytest.approx(norm.cdf((votes - 5) / aggregator.sigma), rel=1e-12)


def test_gaussian_noise_on_both_counts_is_noise_on_one():
    one, both = GaussianAggregator(n_queries=50, **PROMISE), NoisyMaxAggregator(n_queries=50, **PROMISE)
    counts = np.array([[30, 70], [50, 50], [95, 5]])
    assert both.label_law(counts) == pytest.approx(one.label_law(counts), abs=1e-13)


def test_laplace_noise_on_two_counts_has_the_law_of_the_difference():
    aggregator = NoisyMaxAggregator(n_queries=9, noise="laplace", **PROMISE)
    lead = 7 / aggregator.scale
    law = aggregator.label_law([[3, 10]])
    assert law[0, 0] == pytest.approx(np.exp(-lead) * (1 / 2 + lead / 4), rel=1e-12)


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_the_law_of_the_largest_of_three_agrees_with_draws(noise):
    aggregator = NoisyMaxAggregator(n_queries=40_000, n_classes=3, noise=noise, epsilon=400.0, delta=0.1)
    counts = np.tile([[3, 6, 5]], (40_000, 1))
    law = aggregator.label_law(counts[:1])[0, :3]
    share = np.bincount(aggregator.answer_counts(counts, rng=2).labels, minlength=3) / 40_000
    assert law.sum() == pytest.approx(1, abs=1e-12)
    assert (np.abs(share - law) < 4.5 * np.sqrt(law * (1 - law) / 40_000)).all()


def test_far_losers_do_not_disturb_the_quadrature():
    law = maximum_law([10_000, 9_990, 0], norm, 1.0)
    assert law[1] == pytest.approx(norm.cdf(-10 / sqrt(2)), rel=1e-10)


def test_drawn_gaussian_labels_follow_their_law():
    aggregator = GaussianAggregator(n_queries=20_000, epsilon=200.0, delta=0.1)
    counts = np.tile([[4, 7]], (20_000, 1))
    chance = aggregator.label_law(counts[:1])[0, 1]
    share = aggregator.answer_counts(counts, rng=4).labels.mean()
    assert 0.55 < chance < 0.95
    assert abs(share - chance) < 4.5 * sqrt(chance * (1 - chance) / 20_000)


def test_a_laplace_maximum_spends_its_epsilon_on_clear_votes_and_no_more():
    """Thirty teachers, one label: the loss of the unlikely label tends to epsilon, from below."""
    aggregator = NoisyMaxAggregator(n_queries=1, noise="laplace", epsilon=1.5, delta=1e-12)
    ones = np.arange(31)
    law = aggregator.label_law(np.stack([30 - ones, ones], axis=1))[:, :2]
    loss = np.abs(np.diff(np.log(law), axis=0)).max()
    assert 0.9 * 1.5 < loss <= 1.5
