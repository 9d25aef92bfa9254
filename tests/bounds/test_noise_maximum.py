"""The largest of m noises: closed forms against sums, integrals and draws."""

import math

import pytest
from scipy.integrate import quad

from privml.bounds import tails as bounds
from privml.distributions import Gaussian, Laplace


def tail(m, scale, threshold):
    """Probability that the largest of m exceeds a threshold, by independence."""
    return 1 - (1 - 2 * Laplace(scale=scale).sf(threshold)) ** m


@pytest.mark.source("DR11-lem-laplace-worst-case")
@pytest.mark.parametrize("m", [1, 2, 7, 50])
def test_the_mean_maximum_is_the_integral_of_its_tail(m):
    integral = quad(lambda t: tail(m, 0.7, t), 0, 60, epsabs=1e-12, limit=500)[0]
    assert bounds.laplace_max_error(m, 0.7) == pytest.approx(integral, rel=1e-9)


def test_the_series_of_a_harmonic_number_continues_the_sum():
    series, terms = bounds.laplace_max_error(1001, 1.0), bounds.laplace_max_error(1000, 1.0)
    assert series == pytest.approx(terms + 1 / 1001, abs=1e-13)


@pytest.mark.source("DR11-lem-laplace-worst-case")
@pytest.mark.parametrize("m", [1, 3, 200])
@pytest.mark.parametrize("beta", [0.5, 0.05, 1e-9])
def test_the_quantiles_are_exact_and_the_union_bound_is_just_above(m, beta):
    exact = bounds.laplace_max_quantile(m, 0.3, beta=beta)
    assert -math.expm1(m * math.log1p(-2 * Laplace(scale=0.3).sf(exact))) == pytest.approx(beta, rel=1e-6)
    union = bounds.laplace_max_quantile(m, 0.3, beta=beta, form="union")
    assert union == pytest.approx(0.3 * math.log(m / beta), rel=1e-12)
    assert exact <= union * (1 + 1e-12)


@pytest.mark.parametrize("m", [1, 3, 200])
@pytest.mark.parametrize("beta", [0.5, 0.05, 1e-9])
def test_the_gaussian_quantile_is_exact_and_below_its_bound(m, beta):
    exact = bounds.gaussian_max_quantile(m, 0.3, beta=beta)
    assert -math.expm1(m * math.log1p(-2 * Gaussian(sigma=0.3).sf(exact))) == pytest.approx(beta, rel=1e-6)
    assert exact < bounds.gaussian_max_quantile(m, 0.3, beta=beta, form="union")
