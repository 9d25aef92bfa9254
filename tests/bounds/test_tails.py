"""Tail bounds against exact binomial tails, uniform convergence, and the largest of many noises."""

import math

import pytest
from scipy.integrate import quad
from scipy.stats import binom

from privml.bounds import required_sample_size, tails
from privml.distributions import Gaussian, Laplace
from tests.refusals import refused

CASES = [
    (m, p, a)
    for m in (1, 5, 20, 100)
    for p in (0.05, 0.3, 0.5)
    for a in (0.05, 0.1, 0.25, 0.5)
]


@pytest.mark.source("L4-lem-hoeffding")
@pytest.mark.parametrize(("m", "p", "a"), CASES)
def test_exact_binomial_tails_lie_below_both_bounds(m, p, a):
    counts = range(m + 1)
    upper = sum(binom.pmf(k, m, p) for k in counts if k / m - p > a + 1e-12)
    lower = sum(binom.pmf(k, m, p) for k in counts if p - k / m > a + 1e-12)
    assert upper + lower <= tails.hoeffding_tail(m, a) + 1e-12
    assert max(upper, lower) <= tails.hoeffding_tail(m, a, two_sided=False) + 1e-12
    assert tails.hoeffding_tail(m, a) <= tails.hoeffding_tail(m, a, constant="lecture")


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("step_range", [0.5, 1.0, 4.0])
def test_the_deviation_of_azuma_is_that_of_hoeffding_times_the_range(
    step_range, two_sided
):
    options = {"step_range": step_range, "two_sided": two_sided}
    for n, beta in ((1, 0.5), (77, 0.05), (10**6, 1e-9)):
        deviation = tails.azuma_deviation(n, beta, **options)
        found = tails.hoeffding_tail(n, deviation / step_range, two_sided=two_sided)
        assert found == pytest.approx(beta, rel=1e-9)


GRID = [
    (h, a, b)
    for h in (1, 16, 10**6)
    for a in (0.5, 0.1, 0.007)
    for b in (0.3, 0.05, 1e-9)
]
CONSTANTS = pytest.mark.parametrize("constant", ["hoeffding", "lecture"])


def sample_size(n_hypotheses, alpha, beta, **kinds):
    return required_sample_size(
        lambda m: tails.uniform_convergence_radius(n_hypotheses, m, beta, **kinds),
        alpha,
    )


@pytest.mark.source("L4-thm-uniform-convergence", "DR11-lem-sampling-bound")
@CONSTANTS
@pytest.mark.parametrize(("n_hypotheses", "alpha", "beta"), GRID)
def test_radius_failure_and_sample_size_are_one_equation(
    n_hypotheses, alpha, beta, constant
):
    size = sample_size(n_hypotheses, alpha, beta, constant=constant)
    failure = tails.uniform_convergence_failure(
        n_hypotheses, size, alpha, constant=constant
    )
    assert failure <= beta * (1 + 1e-9)
    radius = tails.uniform_convergence_radius(
        n_hypotheses, size, beta, constant=constant
    )
    at_radius = tails.uniform_convergence_failure(
        n_hypotheses, size, radius, constant=constant
    )
    assert at_radius == pytest.approx(beta, rel=1e-9)


@pytest.mark.source("L4-thm-uc-implies-agnostic", "DR11-lem-sampling-bound")
@pytest.mark.parametrize(("n_hypotheses", "alpha", "beta"), GRID)
def test_erm_needs_uniform_convergence_to_half_of_alpha(n_hypotheses, alpha, beta):
    size = required_sample_size(
        lambda m: tails.agnostic_erm_excess_error(n_hypotheses, m, beta), alpha
    )
    assert size == sample_size(n_hypotheses, alpha / 2, beta)


test_bad_numbers_and_constants_are_refused = refused(
    (lambda: tails.hoeffding_tail(10, 0.0), "alpha must be positive and finite"),
    (
        lambda: tails.azuma_deviation(0, 0.1),
        "n_steps must be a positive integer, but got 0",
    ),
    (
        lambda: tails.azuma_deviation(10, 0.1, step_range=math.nan),
        "step_range must be positive and finite, but got nan",
    ),
    (
        lambda: tails.azuma_deviation(10, 1),
        r"beta must be in the open interval \(0, 1\), but got 1",
    ),
    (lambda: tails.uniform_convergence_failure(3, 10, 0.0), "alpha must be positive"),
    (
        lambda: tails.uniform_convergence_radius(3, 10, 0.1, constant="chernoff"),
        "constant must be one of 'hoeffding', 'lecture'",
    ),
)


def tail(m, scale, threshold):
    """Probability that the largest of m exceeds a threshold, by independence."""
    return 1 - (1 - 2 * Laplace(scale=scale).sf(threshold)) ** m


@pytest.mark.source("DR11-lem-laplace-worst-case")
@pytest.mark.parametrize("m", [1, 2, 7, 50])
def test_the_mean_maximum_is_the_integral_of_its_tail(m):
    integral = quad(lambda t: tail(m, 0.7, t), 0, 60, epsabs=1e-12, limit=500)[0]
    assert tails.laplace_max_error(m, 0.7) == pytest.approx(integral, rel=1e-9)


def test_the_series_of_a_harmonic_number_continues_the_sum():
    series, terms = (
        tails.laplace_max_error(1001, 1.0),
        tails.laplace_max_error(1000, 1.0),
    )
    assert series == pytest.approx(terms + 1 / 1001, abs=1e-13)


@pytest.mark.source("DR11-lem-laplace-worst-case")
@pytest.mark.parametrize("m", [1, 3, 200])
@pytest.mark.parametrize("beta", [0.5, 0.05, 1e-9])
def test_the_quantiles_are_exact_and_the_union_bound_is_just_above(m, beta):
    exact = tails.laplace_max_quantile(m, 0.3, beta=beta)
    assert -math.expm1(
        m * math.log1p(-2 * Laplace(scale=0.3).sf(exact))
    ) == pytest.approx(beta, rel=1e-6)
    union = tails.laplace_max_quantile(m, 0.3, beta=beta, form="union")
    assert union == pytest.approx(0.3 * math.log(m / beta), rel=1e-12)
    assert exact <= union * (1 + 1e-12)


@pytest.mark.parametrize("m", [1, 3, 200])
@pytest.mark.parametrize("beta", [0.5, 0.05, 1e-9])
def test_the_gaussian_quantile_is_exact_and_below_its_bound(m, beta):
    exact = tails.gaussian_max_quantile(m, 0.3, beta=beta)
    assert -math.expm1(
        m * math.log1p(-2 * Gaussian(sigma=0.3).sf(exact))
    ) == pytest.approx(beta, rel=1e-6)
    assert exact < tails.gaussian_max_quantile(m, 0.3, beta=beta, form="union")
