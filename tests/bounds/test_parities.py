"""Bounds on parities: Parseval's count against all queries of a small cube, and what the learner needs."""

import math
from fractions import Fraction

import mpmath
import pytest

from privml.bounds import statistical_queries as bounds


@pytest.mark.source("DR11-rem-parity")
@pytest.mark.parametrize("variant", ["sharp", "source"])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.5])
def test_the_plan_keeps_the_two_inequalities_of_the_proof(variant, epsilon):
    rate, abort = bounds.parity_plan(epsilon, variant=variant)
    assert math.log((1 + rate) / (1 - rate)) <= epsilon * (1 + 1e-12)
    assert 1 + rate * (1 - abort) / abort <= (1 + rate) / (1 - rate) * (1 + 1e-12)
    if variant == "sharp":
        assert math.log((1 + rate) / (1 - rate)) == pytest.approx(epsilon, rel=1e-12)
        assert 1 + rate * (1 - abort) / abort == pytest.approx(math.exp(epsilon), rel=1e-12)
        assert abort < 1 / 3


@pytest.mark.parametrize("epsilon", [1e-300, 1e-20, 1e-6, 0.3, 1.0, 3.8, 20.0, 36.0, 39.0, 40.0, 800.0, 1e4])
def test_the_rates_that_uniform_floats_follow_keep_the_promise_exactly(epsilon):
    for variant in ("sharp", "source")[: 2 if epsilon < 3.83 else 1]:
        plan = bounds.parity_plan(epsilon, variant=variant)
        rate, abort = Fraction(plan.sampling_rate), Fraction(plan.abort)
        assert (rate / Fraction(bounds.GRID)).denominator == (abort / Fraction(bounds.GRID)).denominator == 1
        mpmath.mp.dps = 40
        limit = mpmath.exp(mpmath.mpf(epsilon))
        for ratio in ((1 + rate) / (1 - rate), 1 + rate * (1 - abort) / abort):
            assert mpmath.mpf(ratio.numerator) / ratio.denominator <= limit


@pytest.mark.parametrize(
    ("call", "rule"), [(lambda: bounds.parity_plan(3.9, variant="source"), "epsilon must be at most 3.83")]
)
def test_bad_parameters_are_refused(call, rule):
    with pytest.raises(ValueError, match=rule):
        call()
