"""Trade-off functions against brute force over tests, and against the privacy curve."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from privml.divergences import (
    PrivacyCurve,
    after_channel,
    gaussian_epsilon,
    hockey_stick,
    privacy_trade_off,
    renyi_divergence,
    trade_off,
)


def random_pair(seed, n=4):
    rng = np.random.default_rng(seed)
    return (np.log(rng.dirichlet(np.ones(n))) for _ in range(2))


@pytest.mark.parametrize("seed", range(5))
def test_no_test_beats_the_trade_off_and_some_test_attains_it(seed):
    p, q = random_pair(seed)
    events = np.array(list(product([0, 1], repeat=4)))
    levels, misses = events @ np.exp(p), 1 - events @ np.exp(q)
    bound = trade_off(p, q, np.clip(levels, 0, 1))
    assert (misses >= bound - 1e-12).all()
    best = np.argsort(p - q)
    corners = np.cumsum(np.exp(p[best]))[:-1]
    attained = 1 - np.cumsum(np.exp(q[best]))[:-1]
    assert trade_off(p, q, corners) == pytest.approx(attained, abs=1e-12)


@pytest.mark.source("WLF16-def-27")
@pytest.mark.parametrize("seed", range(5))
def test_the_trade_off_and_the_curve_hold_the_same_promise(seed):
    """Above the two lines of (epsilon, delta) exactly when delta is on the curve, both ways."""
    p, q = random_pair(seed)
    levels = np.linspace(0.0, 1.0, 2001)
    for epsilon in (0.0, 0.3, 1.0):
        delta = max(PrivacyCurve.between(p, q).delta(epsilon), PrivacyCurve.between(q, p).delta(epsilon))
        gap = trade_off(p, q, levels) - privacy_trade_off(epsilon, delta, levels)
        assert gap.min() >= -1e-12
        if delta > 0.02:
            less = trade_off(p, q, levels) - privacy_trade_off(epsilon, delta - 0.01, levels)
            assert less.min() < 0


def test_outcomes_that_one_side_cannot_produce():
    p, q = np.log([0.5, 0.5, 1e-300]), np.log([1e-300, 0.5, 0.5])
    p[2] = q[0] = -np.inf
    assert trade_off(p, q, [0.0, 0.25, 0.5, 1.0]).round(12).tolist() == [0.5, 0.25, 0.0, 0.0]


@pytest.mark.parametrize("mu", [0.3, 1.0])
def test_the_gaussian_trade_off_touches_the_lines_of_its_curve(mu):
    levels = np.linspace(1e-6, 1 - 1e-6, 20_001)
    for delta in (1e-3, 1e-2):
        lines = privacy_trade_off(gaussian_epsilon(delta, mu), delta, levels)
        gap = ndtr(-ndtri(levels) - mu) - lines
        assert gap.min() >= -1e-12
        assert gap.min() < 1e-6


def test_no_privacy_loss_is_blind_guessing():
    assert privacy_trade_off(0.0, 0.0, 0.3) == pytest.approx(0.7)
    assert privacy_trade_off(1000.0, 0.1, [0.0, 0.5]).tolist() == [0.9, 0.0]


@pytest.mark.source("LZCW21-lem-40")
@pytest.mark.parametrize("seed", range(20))
def test_post_processing_never_helps_the_attacker(seed):
    p, q = random_pair(seed, 5)
    channel = np.random.default_rng(seed).dirichlet(0.3 * np.ones(3), size=5)
    after_p, after_q = after_channel(p, channel), after_channel(q, channel)
    for epsilon in (0.0, 0.4, 1.0, 2.0):
        assert hockey_stick(after_p, after_q, epsilon) <= hockey_stick(p, q, epsilon) + 1e-14
    for order in (1, 2, np.inf):
        assert renyi_divergence(after_p, after_q, order) <= renyi_divergence(p, q, order) + 1e-12
    assert trade_off(after_p, after_q, 0.1) >= trade_off(p, q, 0.1) - 1e-12


@pytest.mark.source("LZCW21-lem-40")
def test_looking_at_the_data_again_is_not_post_processing():
    p, q = np.log([0.5, 0.5]), np.log([0.4, 0.6])
    honest, peeking = np.eye(2), np.eye(2)[::-1]
    assert hockey_stick(after_channel(p, honest), after_channel(q, peeking), 0.0) > 0
    assert (
        hockey_stick(after_channel(p, honest), after_channel(q, peeking), math.log(1.25))
        > hockey_stick(p, q, math.log(1.25)) - 1e-15
    )


def test_bad_input_is_refused():
    for call in (
        lambda: trade_off(np.zeros(1), np.zeros(1), 1.5),
        lambda: privacy_trade_off(1.0, 0.0, math.nan),
    ):
        with pytest.raises(ValueError, match="level must be in the closed interval"):
            call()
    with pytest.raises(ValueError, match="one row per outcome"):
        after_channel(np.zeros(1), np.eye(2))
    with pytest.raises(ValueError, match="probability vectors"):
        after_channel(np.log([0.5, 0.5]), [[1.0, 0.0], [0.5, 0.6]])
