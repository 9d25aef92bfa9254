"""Composition, conversion and subsampling at the ends of the range of floats, against exact arithmetic."""

import math
import time

import mpmath
import numpy as np
import pytest

from privml import guarantee
from privml.adjacency import Adjacency
from privml.composition import (
    advanced_epsilon,
    amplified_epsilon,
    concentrated_step_epsilon,
    no_repeat_probability,
    optimal_epsilon,
    optimal_step_epsilon,
    subsampled_poisson,
    subsampled_with_replacement,
)
from privml.distributions.binomial import binomial_logpmf, log_excess

ADD = Adjacency.ADD_OR_REMOVE_ONE
EPSILONS = [1e-300, 1e-50, 1e-6, 1.0, 300.0, 650.0, 700.0, 700.5, 715.0, 745.2, 1e4]
RATES = [5e-324, 1e-300, 1e-9, 0.3, 1.0]


def mixed(epsilon, rate):
    return mpmath.log1p(mpmath.mpf(rate) * mpmath.expm1(mpmath.mpf(epsilon)))


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_amplification(epsilon, rate):
    with mpmath.workdps(700):
        exact = mixed(epsilon, rate)
        assert exact <= amplified_epsilon(epsilon, rate)
        assert amplified_epsilon(epsilon, rate) <= exact * (
            1 + mpmath.mpf(1e-14)
        ) + mpmath.mpf(1.5e-323)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", [1e-300, 1e-9])
def test_a_delta_grows_as_it_must_when_exponentials_overflow(epsilon, delta):
    with mpmath.workdps(700):
        growth = (
            mpmath.mpf(delta)
            * mpmath.expm1(2 * mpmath.mpf(epsilon))
            / mpmath.expm1(mpmath.mpf(epsilon))
        )
        added = guarantee.Guarantee(epsilon, delta, ADD)
        for pair in (added.for_group(2), added.under(Adjacency.REPLACE_ONE)):
            assert pair.epsilon == 2 * epsilon
            assert abs(pair.delta / min(1, growth) - 1) < 1e-11
        drawn = subsampled_with_replacement(
            guarantee.Guarantee(epsilon, delta), 10**9, 3
        )
        total = 3 * mixed(epsilon, 1e-9)
        grown = (
            mpmath.mpf(delta) * mpmath.expm1(total) / mpmath.expm1(mpmath.mpf(epsilon))
        )
        assert abs(drawn.epsilon / total - 1) < 1e-14
        assert abs(drawn.delta / min(1, grown) - 1) < 1e-11
    assert (
        subsampled_poisson(guarantee.Guarantee(epsilon, delta, ADD), 1.0).delta == delta
    )


@pytest.mark.parametrize(
    "rho",
    [
        guarantee.pure_rho,
        guarantee.bounded_range_rho,
        guarantee.gaussian_rho,
        guarantee.laplace_rho,
    ],
)
def test_a_positive_promise_never_becomes_perfect(rho):
    assert rho(0.0) == 0.0
    assert all(rho(size) > 0 for size in (1e-300, 1e-170, 1e-150, 1e-6))


@pytest.mark.parametrize("epsilon", [1e-50, 1e-6, 1.0, 720.0, 1e4])
@pytest.mark.parametrize("delta", [1e-300, 1e-6, 0.999])
def test_a_budget_is_found_at_once_and_kept(epsilon, delta):
    rho = guarantee.concentrated_rho(epsilon, delta)
    assert guarantee.concentrated_delta(rho=rho, epsilon=epsilon) <= delta * (1 + 1e-9)
    assert (
        guarantee.concentrated_epsilon(rho=rho, delta=delta)
        <= epsilon * (1 + 1e-9) + 1e-11
    )
    for step in ("pure", "bounded range"):
        assert concentrated_step_epsilon(epsilon, 10**6, delta, step=step) > 0


@pytest.mark.parametrize("epsilon", [1e-300, 1e300])
def test_a_budget_that_floats_cannot_hold_is_refused(epsilon):
    with pytest.raises(ValueError, match="epsilon must leave a rho between"):
        guarantee.concentrated_rho(epsilon, 1e-6)


@pytest.mark.parametrize(
    ("call", "most"),
    [
        (advanced_epsilon, 10**12),
        (optimal_epsilon, 10**8),
        (optimal_step_epsilon, 10**8),
    ],
)
def test_too_many_steps_are_refused(call, most):
    for k in (most + 1, 10**400):
        with pytest.raises(ValueError, match=f"k must be at most {most}, but got"):
            call(0.1, k, 0.1)


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 1e4])
@pytest.mark.parametrize("delta", [1e-300, 1e-5, 0.9])
def test_the_largest_number_of_steps_is_composed_within_a_second(epsilon, delta):
    for call in (optimal_epsilon, optimal_step_epsilon):
        start = time.process_time()
        assert call(epsilon, 10**8, delta) >= 0
        assert time.process_time() - start < 1


@pytest.mark.parametrize("n", [50, 3000, 200_000])
@pytest.mark.parametrize("p", [1e-4, 0.1, 0.5, 0.9, 1 - 1e-4])
@pytest.mark.parametrize("z", [-20.0, -1.0, 0.0, 4.0, 30.0])
@pytest.mark.parametrize(("gap", "drop"), [(1e-9, 1e-9), (1e-3, 0.3), (5.0, 10.0)])
def test_the_terms_that_are_left_out_of_an_excess_do_not_matter(n, p, z, gap, drop):
    most = min(n, max(0, round(n * p - z * math.sqrt(n * p * (1 - p)))))
    log_terms = np.log(-np.expm1(-gap - drop * np.arange(most, -1, -1)))
    whole = np.logaddexp.reduce(binomial_logpmf(n, p)[: most + 1] + log_terms)
    found = log_excess(n, math.log(p), math.log1p(-p), most, gap, drop)
    assert found == pytest.approx(whole, rel=1e-12, abs=1e-11)


def test_groups_of_groups_and_their_sizes():
    promises = guarantee.Guarantee(0.5, 1e-6), guarantee.ConcentratedGuarantee(0.1)
    for promise in (*promises, guarantee.BoundedRangeGuarantee(0.5)):
        assert promise.for_group(2).for_group(3).group_size == 6
    with pytest.raises(ValueError, match="k must be at most"):
        guarantee.Guarantee(0.5, 1e-6).for_group(10**400)


def test_draws_without_repeats():
    assert no_repeat_probability(10**20, 10**12) == 0.0
    assert no_repeat_probability(10**14, 10**7) == pytest.approx(
        math.exp(-0.5), rel=1e-6
    )
    with pytest.raises(ValueError, match="subsample_size must be at most"):
        no_repeat_probability(10**30, 10**9)


@pytest.mark.parametrize(("n", "m"), [(10**4, 500), (100, 80), (7, 7), (10**6, 10**4)])
def test_draws_without_repeats_have_the_product_as_their_chance(n, m):
    expected = math.fsum(math.log1p(-i / n) for i in range(m))
    assert math.log(no_repeat_probability(n, m)) == pytest.approx(expected, rel=1e-12)
