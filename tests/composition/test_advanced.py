"""Advanced composition above the exact optimum, its inverse, and the rule of thumb within its condition."""

import math

import pytest

from privml.composition import (
    advanced_composition,
    advanced_epsilon,
    concentrated_step_epsilon,
    optimal_delta,
    optimal_step_epsilon,
)
from privml.guarantee import ConcentratedGuarantee, Guarantee


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
