"""Advanced composition above the exact optimum, its inverse, and the rule of thumb within its condition."""

import math

import pytest

from privml.composition import (
    advanced_composition,
    advanced_epsilon,
    concentrated_step_epsilon,
    optimal_delta,
    optimal_epsilon,
    optimal_step_epsilon,
)
from privml.guarantee import ConcentratedGuarantee, Guarantee


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.parametrize("step", [0.001, 0.05, 0.5, 2.0])
@pytest.mark.parametrize("k", [1, 10, 1000, 30_000])
@pytest.mark.parametrize("delta", [0.3, 1e-5, 1e-12])
def test_the_theorem_is_true_of_randomised_response(step, k, delta):
    total = advanced_epsilon(step, k, delta)
    assert optimal_delta(step, k, min(total, 1e6)) <= delta
    assert optimal_epsilon(step, k, delta) <= total


@pytest.mark.source("DR11-thm-3.20")
def test_the_formula_and_that_it_may_exceed_the_sum():
    wanted = math.sqrt(2 * 1000 * math.log(1e5)) * 0.05 + 1000 * 0.05 * math.expm1(0.05)
    assert advanced_epsilon(0.05, 1000, 1e-5) == pytest.approx(wanted) == pytest.approx(10.1507, abs=5e-5)
    assert advanced_epsilon(1.0, 10, 1e-5) > 10.0
    assert advanced_epsilon(1000.0, 10, 1e-5) == math.inf
    assert advanced_epsilon(0.0, 10, 1e-5) == 0.0


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.parametrize("k", [1, 100, 100_000])
@pytest.mark.parametrize("delta", [0.4, 1e-2, 1e-5])
@pytest.mark.parametrize("share", [0.05, 0.5, 1.0])
def test_the_rule_of_thumb_is_true_within_its_condition(k, delta, share):
    epsilon = share * 8 * math.log(1 / delta) * (1 - 1e-15)
    step = epsilon / math.sqrt(8 * k * math.log(1 / delta))
    assert optimal_delta(step, k, epsilon) <= delta
    as_rho = ConcentratedGuarantee.from_pure(Guarantee(step), conversion="simple").rho * k
    assert ConcentratedGuarantee(as_rho).approximate(delta, conversion="simple").epsilon <= epsilon * (
        1 + 1e-12
    )


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.parametrize(("delta", "found"), [(0.4, 0.700), (0.1, 0.835), (1e-5, 0.991)])
def test_the_rule_of_thumb_is_false_far_outside(delta, found):
    """An erratum of DR11: no limit on epsilon is stated, but there is one."""
    epsilon, k = 20 * math.log(1 / delta), 100_000
    step = epsilon / math.sqrt(8 * k * math.log(1 / delta))
    assert optimal_delta(step, k, epsilon) == pytest.approx(found, abs=6e-4)
    assert optimal_delta(step, k, epsilon) > delta


def test_beyond_one_the_rule_of_thumb_still_holds_where_basic_composition_carries_it():
    """Only the accounting by Theorem 3.20 breaks: ten steps for epsilon 40."""
    step = 40 / math.sqrt(8 * 10 * math.log(1e5))
    assert advanced_epsilon(step, 10, 1e-5) == pytest.approx(56.06, abs=5e-3)
    assert 10 * step == pytest.approx(13.18, abs=5e-3)


def test_rules_for_a_step_by_their_strength():
    rules = (
        1 / math.sqrt(8 * 1000 * math.log(1e5)),
        concentrated_step_epsilon(1.0, 1000, 1e-5),
        optimal_step_epsilon(1.0, 1000, 1e-5),
    )
    assert list(rules) == sorted(rules)
    assert concentrated_step_epsilon(1.0, 1000, 1e-5, step="bounded range") == pytest.approx(
        2 * rules[1], rel=1e-3
    )


def test_guarantees_keep_relation_and_add_the_deltas():
    total = advanced_composition(Guarantee(0.05, 1e-9), 1000, 1e-5)
    assert total == Guarantee(advanced_epsilon(0.05, 1000, 1e-5), 1000 * 1e-9 + 1e-5)
    assert advanced_composition(Guarantee(0.1, 0.5), 10, 0.1).delta == 1.0
    with pytest.raises(ValueError, match="epsilon must be non-negative and finite"):
        advanced_composition(Guarantee(800.0), 2, 0.1)


@pytest.mark.parametrize("bad", [0.0, 1.0])
def test_a_bad_delta_is_refused(bad):
    for call in (advanced_epsilon, optimal_step_epsilon):
        with pytest.raises(ValueError, match=r"delta must be in the open interval \(0, 1\)"):
            call(0.5, 10, bad)
