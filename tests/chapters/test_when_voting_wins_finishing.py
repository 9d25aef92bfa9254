"""Exact probabilities that a sparse vector of votes gets through."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from privml.bounds.students import high_margin_parameters
from privml.mechanisms import Noise
from privml.pate import NO_ANSWER, SparseVectorAggregator, vote_noise, vote_threshold
from tests.chapters import when_voting_wins_functions as functions


def source_run(cutoff, n_queries, epsilon, delta):
    noise = vote_noise(cutoff, epsilon, delta, calibration="source", split="source")
    return noise, vote_threshold(
        cutoff, noise, delta, calibration="source", n_queries=n_queries
    )


@pytest.mark.source("LZCW21-prop-18")
def test_the_chance_of_an_unstable_point_is_the_mean_of_the_aggregators_law():
    options = {
        "cutoff": 2,
        "epsilon": 3.0,
        "delta": 1e-3,
        "calibration": "source",
        "split": "source",
    }
    aggregator = SparseVectorAggregator(**options, n_queries=20)
    votes = np.arange(301)
    law = aggregator.label_distribution(np.stack([300 - votes, votes], axis=1))[:, -1]
    chances, weights = functions.unstable_chances(
        0.8, 300, aggregator.noise, aggregator.threshold
    )
    assert weights.sum() == pytest.approx(1)
    assert chances @ weights == pytest.approx(
        binom.pmf(votes, 300, 0.8) @ law, rel=1e-6
    )


@pytest.mark.source("LZCW21-prop-18")
@pytest.mark.parametrize("cutoff", [1, 2, 4])
def test_the_chance_to_finish_is_that_of_drawn_runs(cutoff):
    noise, threshold, rng, runs = (
        Noise(10.0, 20.0),
        60.0,
        np.random.default_rng(cutoff),
        600,
    )
    aggregator = SparseVectorAggregator(cutoff=cutoff, epsilon=1.0, delta=1e-3)
    object.__setattr__(aggregator, "noise", noise)
    object.__setattr__(aggregator, "threshold", threshold)
    finished = 0
    for stream in rng.spawn(runs):
        ones = stream.binomial(300, 0.8, size=15)
        answers = aggregator.answer_counts(
            np.stack([300 - ones, ones], axis=1), rng=stream
        )
        unstable = np.flatnonzero(answers.labels == NO_ANSWER)
        finished += len(unstable) < cutoff or unstable[cutoff - 1] == 14
    exact = functions.finishing_probability(0.8, 300, 15, cutoff, noise, threshold)
    assert 0.02 < exact < 0.999
    assert finished / runs == pytest.approx(
        exact, abs=4 * np.sqrt(exact * (1 - exact) / runs)
    )


@pytest.mark.source("LZCW21-prop-18")
@pytest.mark.source("LZCW21-prop-30")
@pytest.mark.erratum("LZCW21-prop-18/1")
@pytest.mark.erratum("LZCW21-prop-30/1")
def test_with_the_printed_number_of_teachers_the_run_mostly_halts_and_with_twice_as_many_it_does_not():
    problem, margin = (1000, 1.0, 1e-10), {"beta": 0.05, "nu": 0.0, "xi": 0.0072}
    chances = {}
    statements = {"printed": functions.printed_parameters}
    for statement, parameters in (
        statements | {"corrected": high_margin_parameters}
    ).items():
        cutoff, teachers = parameters(*problem, **margin)
        noise, threshold = source_run(cutoff, 1000, 1.0, 1e-10)
        chances[statement] = functions.finishing_probability(
            0.5072, teachers, 1000, cutoff, noise, threshold
        )
    assert chances["printed"] == pytest.approx(0.10, abs=0.01)
    assert chances["corrected"] > 0.95


@pytest.mark.source("LZCW21-prop-18")
@pytest.mark.parametrize(
    ("nu", "xi"), [(0.0, 0.05), (0.01, 0.1), (0.1, 0.02), (1.0, 0.3)]
)
def test_the_distance_of_a_high_margin_passes_the_threshold_with_all_noise_against_it(
    nu, xi
):
    m, beta, delta, epsilon = 400, 0.05, 1e-6, 1.0
    cutoff, teachers = high_margin_parameters(
        m, epsilon, delta, beta=beta, nu=nu, xi=xi
    )
    assert 1 <= cutoff <= m
    ell = log(2 / delta)
    scale = (sqrt(2 * cutoff * (epsilon + ell)) + sqrt(2 * cutoff * ell)) / epsilon
    threshold = 3 * scale * log(2 * (m + cutoff) / delta)
    worst_noise = 3 * scale * log(3 * m / beta)
    margin = np.ceil(teachers * xi)
    assert np.ceil(margin / 2) - 1 >= threshold + worst_noise
    _, fewer = functions.printed_parameters(m, epsilon, delta, beta=beta, nu=nu, xi=xi)
    assert 1 <= teachers / fewer <= 2.1
