"""Conversions of concentrated privacy: safe, as tight as they claim, and below the simple ones."""

import math

import mpmath
import numpy as np
import pytest

from privml.divergences import gaussian_epsilon
from privml.guarantee import concentrated_delta, concentrated_epsilon, concentrated_rho

RHOS = (1e-12, 1e-6, 1e-3, 0.2, 1.0, 30.0, 1e4)
DELTAS = (0.99, 0.5, 0.01, 1e-5, 1e-15, 1e-30, 1e-300)


def best_log_delta(rho, epsilon):
    """The infimum over orders, by bisection of the stationarity condition with 60 digits."""
    with mpmath.workdps(60):
        rho, epsilon = mpmath.mpf(rho), mpmath.mpf(epsilon)
        low, high = mpmath.mpf("1e-25"), (epsilon + 1) / rho + 1
        for _ in range(300):
            u = mpmath.sqrt(low * high)
            low, high = (
                (low, u)
                if epsilon - rho * (2 * u + 1) + mpmath.log(1 + 1 / u) < 0
                else (u, high)
            )
        order = 1 + low
        bound = (
            low * (order * rho - epsilon)
            + order * mpmath.log(1 - 1 / order)
            - mpmath.log(low)
        )
        return min(mpmath.mpf(0), bound)


@pytest.mark.parametrize("rho", RHOS)
@pytest.mark.parametrize("delta", DELTAS)
def test_the_tight_epsilon_is_the_smallest_that_the_bound_allows(rho, delta):
    epsilon = concentrated_epsilon(rho=rho, delta=delta)
    target = mpmath.log(mpmath.mpf(delta))
    assert best_log_delta(rho, epsilon) <= target
    assert epsilon <= concentrated_epsilon(rho=rho, delta=delta, conversion="simple")
    if epsilon > 0:
        assert best_log_delta(rho, epsilon * (1 - 1e-9)) > target
        assert concentrated_rho(epsilon, delta) == pytest.approx(rho, rel=1e-8)
        assert concentrated_delta(rho=rho, epsilon=epsilon) <= delta * (1 + 1e-12)


def test_every_order_gives_a_bound_and_none_a_better_one():
    rho, epsilon = 0.2, 2.0
    orders = 1 + np.geomspace(1e-3, 1e3, 4001)
    logs = (
        (orders - 1) * (orders * rho - epsilon)
        + orders * np.log1p(-1 / orders)
        - np.log(orders - 1)
    )
    assert concentrated_delta(rho=rho, epsilon=epsilon) == pytest.approx(
        math.exp(logs.min()), rel=1e-5
    )
    assert concentrated_delta(rho=rho, epsilon=epsilon) <= math.exp(logs.min()) * (
        1 + 1e-12
    )


@pytest.mark.source("LZCW21-lem-51")
@pytest.mark.parametrize("rho", [0.002, 0.2, 2.0])
@pytest.mark.parametrize("delta", [1e-2, 1e-5, 1e-12])
def test_the_gaussian_mechanism_is_within_both_conversions(rho, delta):
    exact = gaussian_epsilon(delta=delta, mu=math.sqrt(2 * rho))
    assert (
        exact
        <= concentrated_epsilon(rho=rho, delta=delta)
        <= concentrated_epsilon(rho=rho, delta=delta, conversion="simple")
    )


@pytest.mark.source("LZCW21-lem-51")
@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 8.0, 500.0])
@pytest.mark.parametrize("delta", [0.5, 1e-6, 1e-200])
def test_the_simple_conversion_and_its_inverse_close_the_loop(epsilon, delta):
    rho = concentrated_rho(epsilon, delta, conversion="simple")
    assert concentrated_epsilon(
        rho=rho, delta=delta, conversion="simple"
    ) == pytest.approx(epsilon, rel=1e-12)
    assert rho <= concentrated_rho(epsilon, delta)


def test_published_numbers():
    assert concentrated_epsilon(rho=0.2, delta=1e-5) == pytest.approx(2.8136, abs=5e-5)
    assert concentrated_epsilon(
        rho=0.2, delta=1e-5, conversion="simple"
    ) == pytest.approx(3.2349, abs=5e-5)
    assert concentrated_epsilon(rho=1.25, delta=1e-5) == pytest.approx(8.0784, abs=5e-5)


def test_nothing_to_hide_costs_nothing():
    assert concentrated_epsilon(rho=0.0, delta=1e-9) == 0.0
    assert concentrated_delta(rho=0.0, epsilon=0.0) == 0.0
    assert concentrated_epsilon(rho=0.0, delta=0.5, conversion="simple") == 0.0
    assert concentrated_delta(rho=5.0, epsilon=0.0) <= 1.0


@pytest.mark.parametrize("bad", [0.0, 1.0])
def test_a_bad_delta_is_refused(bad):
    first = lambda rho, delta, **how: concentrated_epsilon(rho=rho, delta=delta, **how)  # noqa: E731
    for call in (first, concentrated_rho):
        for conversion in ("tight", "simple"):
            with pytest.raises(
                ValueError, match=r"delta must be in the open interval \(0, 1\)"
            ):
                call(1.0, bad, conversion=conversion)
