"""The Sauer-Shelah number is attained and never exceeded by small classes."""

import math
from fractions import Fraction
from itertools import combinations

import mpmath
import numpy as np
import pytest

from privml.bounds import fast_rates as vc
from privml.bounds import statistical_queries as bounds
from privml.bounds.fast_rates import sauer_shelah
from privml.hypotheses import vc_dimension_by_brute_force
from tests.refusals import refused


@pytest.mark.source("DR11-cor-pac-iff-private-pac")
def test_no_class_on_three_points_is_larger_than_its_dimension_allows():
    labellings = (np.arange(8)[:, None] >> np.arange(3)) % 2 == 1
    for size in range(1, 9):
        for chosen in combinations(range(8), size):
            assert size <= sauer_shelah(
                vc_dimension_by_brute_force(labellings[list(chosen)]), 3
            )


@pytest.mark.parametrize(("dimension", "n_points"), [(0, 4), (1, 5), (2, 5), (5, 5)])
def test_all_small_sets_attain_it(dimension, n_points):
    everything = (np.arange(2**n_points)[:, None] >> np.arange(n_points)) % 2 == 1
    small = everything[everything.sum(axis=1) <= dimension]
    assert vc_dimension_by_brute_force(small) == dimension
    assert len(small) == sauer_shelah(dimension, n_points)


@pytest.mark.parametrize(
    ("d", "n"), [(1001, 3000), (1500, 10**6), (5000, 9000), (1200, 2600)]
)
def test_the_logarithm_of_the_growth_is_that_of_the_exact_count_and_never_below(d, n):
    exact = math.log(vc.sauer_shelah(d, n)) if 2 * d < n else n * math.log(2)
    assert exact * (1 - 1e-15) <= vc.log_sauer_shelah(d, n) <= exact * (1 + 1e-8)


@pytest.mark.parametrize(
    ("n", "k"), [(10**9, 5000), (10**20, 10**5), (4000, 2000), (10**18, 10**17)]
)
def test_binomial_coefficients_in_log_space_agree_with_mpmath(n, k):
    mpmath.mp.dps = 60
    exact = mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)
    assert vc._log_binomial_coefficient(n, k) == pytest.approx(float(exact), rel=1e-10)


def test_a_count_that_is_too_long_is_refused():
    with pytest.raises(
        ValueError,
        match="vc_dimension must be at most 10000 for an exact count, but got 20000",
    ):
        vc.sauer_shelah(20_000, 10**6)


@pytest.mark.source("DR11-rem-parity")
@pytest.mark.parametrize("variant", ["sharp", "source"])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.5])
def test_the_plan_keeps_the_two_inequalities_of_the_proof(variant, epsilon):
    rate, abort = bounds.parity_plan(epsilon, variant=variant)
    assert math.log((1 + rate) / (1 - rate)) <= epsilon * (1 + 1e-12)
    assert 1 + rate * (1 - abort) / abort <= (1 + rate) / (1 - rate) * (1 + 1e-12)
    if variant == "sharp":
        assert math.log((1 + rate) / (1 - rate)) == pytest.approx(epsilon, rel=1e-12)
        assert 1 + rate * (1 - abort) / abort == pytest.approx(
            math.exp(epsilon), rel=1e-12
        )
        assert abort < 1 / 3


@pytest.mark.parametrize(
    "epsilon", [1e-300, 1e-20, 1e-6, 0.3, 1.0, 3.8, 20.0, 36.0, 39.0, 40.0, 800.0, 1e4]
)
def test_the_rates_that_uniform_floats_follow_keep_the_promise_exactly(epsilon):
    for variant in ("sharp", "source")[: 2 if epsilon < 3.83 else 1]:
        plan = bounds.parity_plan(epsilon, variant=variant)
        rate, abort = Fraction(plan.sampling_rate), Fraction(plan.abort)
        assert (
            (rate / Fraction(bounds.GRID)).denominator
            == (abort / Fraction(bounds.GRID)).denominator
            == 1
        )
        mpmath.mp.dps = 40
        limit = mpmath.exp(mpmath.mpf(epsilon))
        for ratio in ((1 + rate) / (1 - rate), 1 + rate * (1 - abort) / abort):
            assert mpmath.mpf(ratio.numerator) / ratio.denominator <= limit


test_bad_parameters_are_refused = refused(
    (lambda: bounds.parity_plan(3.9, variant="source"), "epsilon must be at most 3.83")
)
