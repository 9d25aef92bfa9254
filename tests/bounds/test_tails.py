"""Tail bounds against exact binomial tails."""

import math

import pytest
from scipy.stats import binom

from privml.bounds import tails as tails

CASES = [(m, p, a) for m in (1, 5, 20, 100) for p in (0.05, 0.3, 0.5) for a in (0.05, 0.1, 0.25, 0.5)]


@pytest.mark.source("L4-lem-hoeffding")
@pytest.mark.parametrize(("m", "p", "a"), CASES)
def test_exact_binomial_tails_lie_below_both_bounds(m, p, a):
    counts = range(m + 1)
    upper = sum(binom.pmf(k, m, p) for k in counts if k / m - p > a + 1e-12)
    lower = sum(binom.pmf(k, m, p) for k in counts if p - k / m > a + 1e-12)
    assert upper + lower <= tails.hoeffding_tail(m, a) + 1e-12
    assert max(upper, lower) <= tails.hoeffding_tail(m, a, two_sided=False) + 1e-12
    assert tails.hoeffding_tail(m, a) <= tails.hoeffding_tail(m, a, constant="lecture")


def test_no_larger_exponent_than_two_is_true():
    """The constant 2 cannot be raised to 2.5: an exact tail at p = 1/2 is larger than that bound."""
    m, a = 2000, 0.1
    exact = float(2 * binom.sf(int((0.5 + a) * m), m, 0.5))
    assert 2 * math.exp(-2.5 * m * a**2) < exact < tails.hoeffding_tail(m, a)


def test_the_lecture_asks_for_six_times_as_many_samples():
    assert tails.EXPONENTS["hoeffding"] / tails.EXPONENTS["lecture"] == pytest.approx(6.0)


@pytest.mark.parametrize("bad", [0.0])
def test_bad_deviations_are_refused(bad):
    with pytest.raises(ValueError, match="alpha must be positive and finite"):
        tails.hoeffding_tail(10, bad)


def walk(n_steps, step):
    """Exact law of a martingale whose steps are fair coins of a size that the position decides."""
    law = {0: 1.0}
    for _ in range(n_steps):
        moved = {}
        for position, probability in law.items():
            for end in (position - step(position), position + step(position)):
                moved[end] = moved.get(end, 0.0) + probability / 2
        law = moved
    return law


@pytest.mark.parametrize("step", [lambda p: 1, lambda p: 1 if p < 3 else 0, lambda p: 1 if p % 2 else 2])
def test_azuma_bounds_exact_tails_of_walks_whose_steps_depend_on_the_past(step):
    n, widest = 60, 2 * max(step(p) for p in range(-9, 9))
    law = walk(n, step)
    for beta in (0.9, 0.5, 0.1, 1e-3, 1e-9):
        one, two = (n * tails.azuma_deviation(n, beta, step_range=widest, two_sided=b) for b in (False, True))
        assert sum(chance for position, chance in law.items() if position > one) <= beta
        assert sum(chance for position, chance in law.items() if abs(position) > two) <= beta
    assert 0 < max(law.values()) < 1


def test_half_the_range_would_be_false_for_azuma():
    law = walk(400, lambda p: 1)
    beyond = {}
    for width in (1.0, 2.0):
        deviation = tails.azuma_deviation(400, 0.01, step_range=width, two_sided=False)
        beyond[width] = sum(chance for position, chance in law.items() if position > 400 * deviation)
    assert beyond[2.0] <= 0.01 < beyond[1.0]


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("step_range", [0.5, 1.0, 4.0])
def test_the_deviation_of_azuma_is_that_of_hoeffding_times_the_range(step_range, two_sided):
    options = {"step_range": step_range, "two_sided": two_sided}
    for n, beta in ((1, 0.5), (77, 0.05), (10**6, 1e-9)):
        deviation = tails.azuma_deviation(n, beta, **options)
        found = tails.hoeffding_tail(n, deviation / step_range, two_sided=two_sided)
        assert found == pytest.approx(beta, rel=1e-9)


def test_azuma_refuses_bad_numbers():
    with pytest.raises(ValueError, match="n_steps must be a positive integer, got 0"):
        tails.azuma_deviation(0, 0.1)
    with pytest.raises(ValueError, match="step_range must be positive and finite, got nan"):
        tails.azuma_deviation(10, 0.1, step_range=math.nan)
    with pytest.raises(ValueError, match=r"beta must be in the open interval \(0, 1\), got 1"):
        tails.azuma_deviation(10, 1)
