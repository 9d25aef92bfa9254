"""Binomial log-probabilities against 40-digit arithmetic."""

import math

import mpmath
import numpy as np
import pytest

from privml.distributions.binomial import binomial_logpmf


def exact(n, probability, i):
    with mpmath.workdps(40):
        p = mpmath.mpf(probability)
        choices = mpmath.loggamma(n + 1) - mpmath.loggamma(i + 1) - mpmath.loggamma(n - i + 1)
        return choices + i * mpmath.log(p) + (n - i) * mpmath.log(1 - p)


@pytest.mark.parametrize("n", [1, 2, 5, 17, 1000, 10**6])
@pytest.mark.parametrize("probability", [1e-12, 0.01, 0.3, 0.5, 0.4999, 0.999])
def test_every_part_of_the_range_has_its_digits(n, probability):
    found = binomial_logpmf(n, probability)
    mean, width = n * probability, math.sqrt(n * probability * (1 - probability))
    places = {0, n, n // 3, n // 2, *(min(n, max(0, round(mean + k * width))) for k in (-6, -1, 0, 1, 6))}
    for i in sorted(places):
        wanted = exact(n, probability, i)
        assert abs(found[i] - wanted) <= 2e-14 * (1 + abs(wanted))
    assert np.exp(found).sum() == pytest.approx(1.0, abs=1e-12)


def test_sure_things():
    assert binomial_logpmf(2, 0.0).tolist() == [0.0, -math.inf, -math.inf]
    assert binomial_logpmf(2, 1.0).tolist() == [-math.inf, -math.inf, 0.0]


def test_bad_input_is_refused():
    for bad in (0, -1, 1.5, True):
        with pytest.raises(ValueError, match="n_trials must be a positive integer"):
            binomial_logpmf(bad, 0.5)
    with pytest.raises(ValueError, match="n_trials must be at most 10000000"):
        binomial_logpmf(10**8, 0.5)
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="probability must be"):
            binomial_logpmf(2, bad)
