"""What the chapter on composition says of bounded range: exact losses beside its theorem."""

import math
from itertools import product

import numpy as np
import pytest

from privml import composition
from privml.composition import nonadaptive_range_delta
from privml.distributions import Categorical
from privml.divergences import after_channel, hockey_stick
from privml.guarantee import BoundedRangeGuarantee
from tests.chapters.composition_functions import product_delta, skewed_response
from tests.composition.test_bounded_range import joint

CASES = [(0.5, 1), (0.5, 3), (2.0, 2), (0.1, 12), (5.0, 4)]


def delta_of(step, ts, epsilon):
    pairs = [skewed_response(step, t) for t in ts]
    return float(
        hockey_stick(
            joint([p for p, _ in pairs]),
            joint([q for _, q in pairs]),
            epsilon,
            logs=True,
        )
    )


@pytest.mark.parametrize(("step", "k"), CASES)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.4, 0.8])
def test_it_is_the_largest_over_a_common_t(step, k, share):
    epsilon = share * k * step
    grid = np.linspace(0, step, 4001)[1:-1]
    shares = np.array([float(np.exp(skewed_response(step, t)[0][1])) for t in grid])
    best = 0.0
    for small in range(k + 1):
        logs = math.comb(k, small) * (1 - shares) ** (k - small) * shares**small
        best = best + logs * np.maximum(
            0.0, -np.expm1(np.minimum(0, epsilon - k * grid + small * step))
        )
    found = composition.nonadaptive_range_delta(step, k, epsilon)
    assert best.max() <= found * (1 + 1e-12)
    assert found == pytest.approx(best.max(), rel=2e-3)


@pytest.mark.parametrize("seed", range(10))
def test_skewed_response_dominates_every_pair_of_that_range(seed):
    """An explicit channel turns its two outcomes into those of any pair with losses in [t - step, t]."""
    rng, step = np.random.default_rng(seed), 1.2
    p = Categorical(rng.normal(size=5)).logpmf()
    q = Categorical(p + rng.uniform(-step / 2, step / 2, size=5)).logpmf()
    t = float((p - q).max())
    high_p, high_q = (float(np.exp(law[0])) for law in skewed_response(step, t))
    high = (np.exp(p) - np.exp(q) * math.exp(t - step)) / (
        high_p - high_q * math.exp(t - step)
    )
    low = (np.exp(q) * math.exp(t) - np.exp(p)) / (
        (1 - high_q) * math.exp(t) - (1 - high_p)
    )
    channel = np.clip(np.array([high, low]), 0, None)
    for law, skewed in zip((p, q), skewed_response(step, t), strict=True):
        assert after_channel(skewed, channel, logs=True).pmf() == pytest.approx(
            np.exp(law), abs=1e-12
        )


@pytest.mark.source("S16-thm-0.1")
def test_exponential_mechanisms_attain_it_with_enough_outcomes():
    """One outcome gains, all others lose: the losses are t and t - step exactly."""
    step, k, epsilon = 0.5, 4, 0.6
    grid = np.linspace(0.01, 0.99, 99) * step
    p, _ = skewed_response(
        step, max(grid, key=lambda t: delta_of(step, [t] * k, epsilon))
    )
    others = 1000
    # Log-weights of the neighbour differ by step / 2 up on outcome 0 and down on all others.
    weights = np.concatenate([[p[0] + math.log(others) - p[1]], np.zeros(others)])
    change = np.concatenate([[-step / 2], np.full(others, step / 2)])
    first, second = (
        Categorical(weights).logpmf(),
        Categorical(weights + change).logpmf(),
    )
    assert np.ptp(first - second) == pytest.approx(step)
    lumps = np.zeros((others + 1, 2))
    lumps[0, 0] = lumps[1:, 1] = 1.0
    laws = [after_channel(law, lumps, logs=True).logpmf() for law in (first, second)]
    found = float(
        hockey_stick(joint([laws[0]] * k), joint([laws[1]] * k), epsilon, logs=True)
    )
    assert found == pytest.approx(
        composition.nonadaptive_range_delta(step, k, epsilon), rel=1e-3
    )


def test_guarantees_and_the_pair():
    total = composition.nonadaptive_range_composition(
        BoundedRangeGuarantee(0.05), 1000, 1e-5
    )
    assert total.epsilon == composition.nonadaptive_range_epsilon(0.05, 1000, 1e-5)
    assert (
        composition.nonadaptive_range_composition(
            BoundedRangeGuarantee(0.0), 10, 1e-5
        ).epsilon
        == 0.0
    )
    p, q = skewed_response(1.0, 0.5)
    assert p == pytest.approx(q[::-1])


@pytest.mark.parametrize("k", [2, 3])
def test_no_other_fixed_steps_beat_the_theorem_on_bounded_range(k):
    totals = np.array([0.4, 0.8, 1.2]) if k == 3 else np.array([0.2, 0.5, 1.1])
    grid = np.arange(1, 20) / 20 if k == 3 else np.arange(1, 30) / 30
    for total in totals:
        theorem = nonadaptive_range_delta(1.0, k, total)
        found = {ts: product_delta(1.0, ts, total) for ts in product(grid, repeat=k)}
        assert max(found.values()) <= theorem + 1e-12
        assert max(found[(t,) * k] for t in grid) == pytest.approx(theorem, rel=1e-9)


def test_a_tie_that_one_voter_breaks():
    """The instance: losses ln(5/8) and ln(5/2), a range of ln 4 where randomised response has 2 ln 4."""
    before, after = np.array([0.5, 0.5]), np.array([0.8, 0.2])
    losses = np.log(before / after)
    assert losses == pytest.approx([math.log(5 / 8), math.log(5 / 2)])
    assert np.ptp(losses) == pytest.approx(math.log(4))
