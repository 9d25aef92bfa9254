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


@pytest.mark.parametrize("bad", [0.0])
def test_bad_deviations_are_refused(bad):
    with pytest.raises(ValueError, match="alpha must be positive and finite"):
        tails.hoeffding_tail(10, bad)


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
