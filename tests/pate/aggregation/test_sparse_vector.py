"""Sparse vectors of votes: the printed constants, the exact ones, and where the run halts."""

from math import log, sqrt

import numpy as np
import pytest

from privml import pate
from privml.mechanisms import Noise

PROMISE = {"epsilon": 1.0, "delta": 1e-2}


@pytest.mark.source("LZCW21-alg-2")
@pytest.mark.erratum("LZCW21-alg-2/1")
@pytest.mark.parametrize(
    ("cutoff", "epsilon", "delta"), [(1, 0.5, 1e-6), (20, 1.0, 1e-5), (5, 30.0, 1e-3)]
)
def test_the_printed_scale_solves_the_quadratic_of_its_proof(cutoff, epsilon, delta):
    noise = pate.vote_noise(
        cutoff, epsilon, delta, calibration="source", split="source"
    )
    rho = 2 * cutoff / noise.threshold_scale**2
    assert noise.query_scale == 2 * noise.threshold_scale
    assert rho + 2 * sqrt(rho * log(2 / delta)) == pytest.approx(epsilon, rel=1e-12)
    printed = sqrt(2 * cutoff * (epsilon + log(2 / delta))) + sqrt(
        2 * cutoff * log(2 / delta)
    )
    assert noise.threshold_scale == pytest.approx(printed / epsilon, rel=1e-12)


@pytest.mark.source("LZCW21-alg-2")
@pytest.mark.parametrize("split", ["source", "optimal"])
def test_both_splits_give_a_run_the_same_epsilon(split):
    printed, other = (pate.vote_noise(9, 1.0, 1e-6, split=s) for s in ("source", split))
    cost = [
        1 / noise.threshold_scale + 2 / noise.query_scale for noise in (printed, other)
    ]
    assert cost[1] == pytest.approx(cost[0], rel=1e-12)
    spread = [
        np.hypot(noise.threshold_scale, noise.query_scale) for noise in (printed, other)
    ]
    assert spread[1] <= spread[0]


@pytest.mark.source("LZCW21-alg-2", "LZCW21-thm-26")
@pytest.mark.parametrize("noise", [Noise(3.0, 6.0), Noise(2.6, 3.3)])
def test_the_exact_threshold_is_passed_at_distance_zero_with_half_of_delta(noise):
    """The tail of the difference of two Laplace variables, by numerical integration."""
    from scipy.integrate import quad

    w = pate.vote_threshold(7, noise, 1e-4)
    a, b = noise.threshold_scale, noise.query_scale

    def integrand(r):
        tail = np.exp(-(w + r) / b) / 2 if w + r > 0 else 1 - np.exp((w + r) / b) / 2
        return np.exp(-abs(r) / a) / (2 * a) * tail

    limits = [-60 * a, -w, 0, 60 * a]
    ends = zip(limits, limits[1:], strict=False)
    passed = sum(quad(integrand, u, v, epsabs=0, epsrel=1e-11)[0] for u, v in ends)
    assert 7 * passed == pytest.approx(1e-4 / 2, rel=1e-8)


@pytest.mark.source("LZCW21-alg-2")
def test_the_printed_threshold_is_the_formula_and_larger():
    noise = Noise(3.0, 6.0)
    printed = pate.vote_threshold(7, noise, 1e-4, calibration="source", n_queries=50)
    assert printed == pytest.approx(9 * log(2 * 57 / 1e-4))
    assert pate.vote_threshold(7, noise, 1e-4) < printed


@pytest.mark.source("LZCW21-alg-2", "LZCW21-thm-26")
@pytest.mark.erratum("LZCW21-thm-26/1")
def test_points_of_distance_zero_are_answered_with_half_of_delta_however_many_there_are():
    """Exactly, for one run over up to eight of them: the chance does not grow with their number."""
    aggregator = pate.SparseVectorAggregator(cutoff=1, epsilon=1.0, delta=0.1)
    for n_points in (1, 3, 8):
        law = aggregator.output_distribution(
            np.repeat([[0], [1]], n_points, axis=1)
        ).pmf()
        answered = (aggregator.label_sequences(n_points) != pate.NO_ANSWER).any(axis=1)
        assert law[answered].sum() == pytest.approx(0.05, rel=1e-9)


@pytest.mark.source("LZCW21-alg-2")
def test_the_distance_is_that_of_the_votes_and_the_answers_are_the_majority():
    votes = np.random.default_rng(3).integers(2, size=(9, 40))
    aggregator = pate.SparseVectorAggregator(cutoff=40, epsilon=1.0, delta=1e-6)
    assert (
        aggregator.distance(pate.vote_counts(votes)) == pate.vote_distance(votes)
    ).all()
    tie = pate.SparseVectorAggregator(
        cutoff=1, epsilon=200.0, delta=0.1
    ).label_distribution([[500, 500], [501, 499]])
    assert tie[0, 1] > 0
    assert tie[1, 1] == 0


@pytest.mark.source("LZCW21-alg-2")
def test_with_more_classes_the_winner_survives_a_change_where_the_distance_is_positive():
    aggregator = pate.SparseVectorAggregator(cutoff=1, n_classes=3, **PROMISE)
    counts = np.array([[a, b, 9 - a - b] for a in range(10) for b in range(10 - a)])
    distance, winner = (
        aggregator.distance(counts),
        aggregator.label_distribution(counts)[:, :3].argmax(axis=1),
    )
    pairs = np.argwhere(np.abs(counts[:, None] - counts).sum(axis=2) == 2)
    assert np.abs(distance[pairs[:, 0]] - distance[pairs[:, 1]]).max() == 1
    assert (distance[pairs[winner[pairs[:, 0]] != winner[pairs[:, 1]]]] == 0).all()


@pytest.mark.erratum("LZCW21-alg-2/2", "LZCW21-lem-3/1", "LZCW21-prop-18/2")
def test_with_as_many_unstable_queries_as_the_cutoff_the_stable_ones_are_not_asked():
    options = {"calibration": "source", "epsilon": 1.0, "delta": 1e-6}
    aggregator = pate.SparseVectorAggregator(cutoff=5, n_queries=100, **options)
    teachers = 20_000
    counts = np.tile([[0, teachers]], (100, 1))
    counts[:5] = teachers // 2
    run = aggregator.answer_counts(counts, rng=0)
    assert run.halted
    assert run.n_asked == 5
    counts[4] = counts[5]
    run = aggregator.answer_counts(counts, rng=0)
    assert not run.halted
    assert (run.labels[4:] == 1).all()


@pytest.mark.source("LZCW21-thm-2")
@pytest.mark.parametrize("split", ["source", "optimal"])
def test_a_run_of_the_exact_calibration_spends_an_optimal_step_at_half_of_delta(split):
    from privml.composition.optimal import optimal_step_epsilon

    noise = pate.vote_noise(9, 1.0, 1e-4, split=split)
    step = 1 / noise.threshold_scale + 2 / noise.query_scale
    assert step == pytest.approx(optimal_step_epsilon(1.0, 9, 1e-4 / 2), rel=1e-12)
