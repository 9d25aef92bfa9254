"""What the chapter on composition says of ranges and of rho: exact losses beside its functions."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest

from book.tools.chapter_code import chapter_module
from privml import composition
from privml.composition import nonadaptive_range_delta
from privml.distributions import Categorical
from privml.divergences import after_channel, hockey_stick, renyi_divergence
from privml.guarantee import (
    BoundedRangeGuarantee,
    bounded_range_rho,
    laplace_rho,
    pure_rho,
)
from tests.composition.test_bounded_range import joint
from tests.guarantee.test_rho import EPSILONS, ORDERS, quotient_of_laws

chapter = chapter_module("composition")


CASES = [(0.5, 1), (0.5, 3), (2.0, 2), (0.1, 12), (5.0, 4)]


def delta_of(step, ts, epsilon):
    pairs = [chapter.skewed_response(step, t) for t in ts]
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
    shares = np.array(
        [float(np.exp(chapter.skewed_response(step, t)[0][1])) for t in grid]
    )
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
    high_p, high_q = (float(np.exp(law[0])) for law in chapter.skewed_response(step, t))
    high = (np.exp(p) - np.exp(q) * math.exp(t - step)) / (
        high_p - high_q * math.exp(t - step)
    )
    low = (np.exp(q) * math.exp(t) - np.exp(p)) / (
        (1 - high_q) * math.exp(t) - (1 - high_p)
    )
    channel = np.clip(np.array([high, low]), 0, None)
    for law, skewed in zip((p, q), chapter.skewed_response(step, t), strict=True):
        assert after_channel(skewed, channel, logs=True).pmf() == pytest.approx(
            np.exp(law), abs=1e-12
        )


@pytest.mark.source("S16-thm-0.1")
def test_exponential_mechanisms_attain_it_with_enough_outcomes():
    """One outcome gains, all others lose: the losses are t and t - step exactly."""
    step, k, epsilon = 0.5, 4, 0.6
    grid = np.linspace(0.01, 0.99, 99) * step
    p, _ = chapter.skewed_response(
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
    p, q = chapter.skewed_response(1.0, 0.5)
    assert p == pytest.approx(q[::-1])


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_bounded_range_by_skewed_response(epsilon):
    largest_losses = np.linspace(0.02 * epsilon, 0.98 * epsilon, 97)
    found = max(
        quotient_of_laws(*chapter.skewed_response(epsilon, t)) for t in largest_losses
    )
    assert found <= bounded_range_rho(epsilon) * (1 + 1e-9)
    assert found == pytest.approx(bounded_range_rho(epsilon), rel=1e-3)
    assert bounded_range_rho(epsilon) <= bounded_range_rho(epsilon, conversion="simple")


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_laplace_noise(epsilon):
    orders = [
        1.0,
        *ORDERS[ORDERS > 1.01],
    ]  # close to 1 the formula of the page loses digits
    found = max(chapter.laplace_divergence(order, epsilon) / order for order in orders)
    assert found <= laplace_rho(epsilon) * (1 + 1e-9)
    assert found == pytest.approx(laplace_rho(epsilon), rel=1e-4)
    assert laplace_rho(epsilon) <= pure_rho(epsilon)


@pytest.mark.source("LZCW21-def-50")
@pytest.mark.parametrize("order", [1.5, 2.0, 5.0])
def test_the_divergences_of_noise_by_quadrature(order):
    """The moment is an integral of p (p / q)^(order - 1), computed on a fine grid."""
    grid, step = np.linspace(-60.0, 60.0, 1_200_001, retstep=True)
    shift = 0.8
    for log_density, closed in (
        (lambda x: -np.abs(x) - math.log(2), chapter.laplace_divergence(order, shift)),
        (lambda x: -(x * x) / 2 - math.log(2 * math.pi) / 2, order * shift**2 / 2),
    ):
        p, q = log_density(grid - shift), log_density(grid)
        moment = np.exp(order * p + (1 - order) * q).sum() * step
        assert closed == pytest.approx(math.log(moment) / (order - 1), rel=1e-8)


@pytest.mark.source("LZCW21-def-50", "LZCW21-lem-52")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_divergence_over_order_is_largest_at_order_one_where_it_is_the_tight_rho(
    epsilon,
):
    orders = np.array([1.0, 1.01, 1.3, 2.0, 5.0, 40.0])
    quotients = pd.DataFrame(
        [chapter.divergences(epsilon, order) for order in orders]
    ).div(orders, axis=0)
    tight = {
        "randomised response": pure_rho(epsilon),
        "Laplace noise": laplace_rho(epsilon),
        "bounded range": bounded_range_rho(epsilon),
        "Gaussian noise": epsilon**2 / 2,
    }
    for pair, rho in tight.items():
        assert quotients[pair].iloc[0] == pytest.approx(rho, rel=1e-4)
        assert (np.diff(quotients[pair]) <= 1e-12).all()
    assert tight["randomised response"] <= epsilon**2 / 2
    assert tight["bounded range"] <= epsilon**2 / 8


@pytest.mark.source("LZCW21-def-50")
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_random_pairs_of_bounded_range_are_made_from_skewed_response_and_stay_below_the_tight_rho(
    epsilon,
):
    rng, shares = np.random.default_rng(3), []
    for _ in range(300):
        p, q = chapter.range_pair(rng, epsilon, 4)
        assert np.ptp(p - q) == pytest.approx(epsilon)
        np.testing.assert_allclose(
            chapter.made_from_skewed(p, q, epsilon), np.exp([p, q]), atol=1e-9
        )
        quotients = [
            renyi_divergence(p, q, order, logs=True) / order
            for order in (1.0, 1.2, 2.0, 6.0)
        ]
        shares.append(max(quotients) / bounded_range_rho(epsilon))
    assert 0.9 < max(shares) <= 1


@pytest.mark.parametrize("k", [2, 3])
def test_no_other_fixed_steps_beat_the_theorem_on_bounded_range(k):
    totals = np.array([0.4, 0.8, 1.2]) if k == 3 else np.array([0.2, 0.5, 1.1])
    grid = np.arange(1, 20) / 20 if k == 3 else np.arange(1, 30) / 30
    for total in totals:
        theorem = nonadaptive_range_delta(1.0, k, total)
        found = {
            ts: chapter.product_delta(1.0, ts, total) for ts in product(grid, repeat=k)
        }
        assert max(found.values()) <= theorem + 1e-12
        assert max(found[(t,) * k] for t in grid) == pytest.approx(theorem, rel=1e-9)
