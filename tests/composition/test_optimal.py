"""The optimum for k equal steps against exact fractions, brute-force products and dp_accounting."""

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.composition import (
    advanced_composition,
    advanced_epsilon,
    concentrated_step_epsilon,
    optimal_composition,
    optimal_delta,
    optimal_epsilon,
    optimal_step_epsilon,
)
from privml.composition.optimal import _log_delta
from privml.divergences import hockey_stick
from privml.guarantee import ConcentratedGuarantee, Guarantee


def exact_delta(odds, k, target):
    """Delta of k randomised responses with odds : 1, at e^epsilon = target, as a fraction."""
    total = Fraction(0)
    for lies in range(k + 1):
        p = math.comb(k, lies) * odds ** (k - lies) / (1 + odds) ** k
        q = math.comb(k, lies) * odds**lies / (1 + odds) ** k
        total += max(Fraction(0), p - target * q)
    return total


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.parametrize("odds", [Fraction(11, 10), Fraction(3, 2), Fraction(7)])
@pytest.mark.parametrize("k", [1, 2, 7, 60])
def test_delta_is_that_of_randomised_response_in_fractions(odds, k):
    for target in (
        Fraction(1),
        Fraction(5, 4),
        odds,
        odds**k / Fraction(101, 100),
        3 * odds ** (k // 2),
    ):
        exact = exact_delta(odds, k, target)
        found = optimal_delta(math.log(odds), k, math.log(target))
        assert found == pytest.approx(float(exact), rel=1e-9, abs=1e-14)


@given(st.floats(0.01, 3.0), st.integers(1, 40), st.floats(1e-12, 0.9))
def test_epsilon_is_the_smallest_with_that_delta(step, k, delta):
    epsilon = optimal_epsilon(step, k, delta)
    assert optimal_delta(step, k, epsilon) <= delta * (1 + 1e-14)
    assert epsilon <= k * step * (1 + 1e-15)
    if epsilon > 0:
        assert optimal_delta(step, k, epsilon * (1 - 1e-9)) > delta


@pytest.mark.parametrize("step_delta", [0.01, 0.2])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_approximate_steps_by_brute_force(step_delta, k):
    """The worst pair: tell the bit with probability delta, else randomised response."""
    epsilon = 0.7
    keep = 1 / (1 + math.exp(-epsilon))
    p = np.array(
        [step_delta, 0.0, (1 - step_delta) * keep, (1 - step_delta) * (1 - keep)]
    )
    q = p[[1, 0, 3, 2]]
    with np.errstate(divide="ignore"):
        log_p, log_q = np.log(p), np.log(q)
    joint_p, joint_q = (
        np.array([sum(f) for f in product(law, repeat=k)]) for law in (log_p, log_q)
    )
    for total in (0.0, 0.3, 1.0, 2.5):
        found = optimal_delta(epsilon, k, total, step_delta=step_delta)
        assert found == pytest.approx(
            float(hockey_stick(joint_p, joint_q, total, logs=True)), rel=1e-12
        )
    delta = optimal_delta(epsilon, k, 0.31, step_delta=step_delta)
    assert optimal_epsilon(epsilon, k, delta, step_delta=step_delta) == pytest.approx(
        0.31, rel=1e-9
    )


def test_delta_zero_is_basic_composition_and_unreachable_deltas_raise():
    assert optimal_epsilon(0.5, 8, 0.0) == 4.0
    with pytest.raises(ValueError, match="delta must be above 0.0956"):
        optimal_epsilon(0.5, 10, 0.05, step_delta=0.01)
    with pytest.raises(ValueError, match="half-open interval"):
        optimal_epsilon(0.5, 10, 1.0)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 20.0])
@pytest.mark.parametrize("k", [1, 5, 2000])
def test_the_step_is_the_largest_within_the_target(epsilon, k):
    step = optimal_step_epsilon(epsilon, k, 1e-6)
    assert step >= epsilon / k * (1 - 1e-9)
    assert optimal_delta(step, k, epsilon) <= 1e-6
    assert optimal_delta(step * (1 + 1e-8), k, epsilon) > 1e-6


def test_guarantees():
    total = optimal_composition(Guarantee(0.05, 1e-9), 1000, 1e-5)
    assert total.delta == 1e-5
    assert total.epsilon == optimal_epsilon(0.05, 1000, 1e-5, step_delta=1e-9)
    with pytest.raises(ValueError, match="step must be an instance of Guarantee"):
        optimal_composition(0.05, 1000, 1e-5)


@pytest.mark.parametrize("k", [1, 4, 25])
@pytest.mark.parametrize("step", [1e-12, 1e-3, 1.0, 50.0, 2000.0])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.95])
def test_it_is_right_at_every_epsilon(k, step, share):
    epsilon = share * k * step
    with mpmath.workdps(60 + int(min(k * step, 4000) / 2)):
        rest = 1 / (1 + mpmath.exp(mpmath.mpf(step)))
        excess = (
            1 - mpmath.exp(mpmath.mpf(epsilon) - (k - 2 * i) * mpmath.mpf(step))
            for i in range(k + 1)
        )

        def chance(i):
            return mpmath.binomial(k, i) * rest**i * (1 - rest) ** (k - i)

        total = mpmath.fsum(chance(i) * max(0, loss) for i, loss in enumerate(excess))
        assert abs(_log_delta(step, k, epsilon) - mpmath.log(total)) < 1e-12 * (
            1 - mpmath.log(total)
        )


def test_a_million_steps_take_a_moment():
    step = optimal_step_epsilon(1.0, 10**6, 1e-300)
    assert (
        optimal_delta(step, 10**6, 1.0)
        <= 1e-300
        < optimal_delta(step * 1.001, 10**6, 1.0)
    )
    assert optimal_epsilon(step, 10**6, 1e-300) == pytest.approx(1.0, rel=1e-9)
    with pytest.raises(ValueError, match="k must be at most"):
        optimal_delta(0.1, 10**13, 1.0)


def test_a_total_that_is_one_of_the_losses_but_for_rounding_counts_the_larger_ones_only():
    step, k, total = (
        0.7,
        5,
        3 * 0.7,
    )  # 5 - 2 I = 3 rounds to just above the total or to it
    p = 1 / (1 + math.exp(-step))
    expected = p**5 * -math.expm1(total - 5 * step)
    assert optimal_delta(step, k, total) == pytest.approx(expected, rel=1e-12)


@pytest.mark.source("DR11-thm-3.20")
def test_the_formula_and_that_it_may_exceed_the_sum():
    wanted = math.sqrt(2 * 1000 * math.log(1e5)) * 0.05 + 1000 * 0.05 * math.expm1(0.05)
    assert (
        advanced_epsilon(0.05, 1000, 1e-5)
        == pytest.approx(wanted)
        == pytest.approx(10.1507, abs=5e-5)
    )
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
    as_rho = Guarantee(step).as_concentrated(conversion="simple").rho * k
    converted = (
        ConcentratedGuarantee(as_rho).as_approximate(delta, conversion="simple").epsilon
    )
    assert converted <= epsilon * (1 + 1e-12)


def test_rules_for_a_step_by_their_strength():
    rules = (
        1 / math.sqrt(8 * 1000 * math.log(1e5)),
        concentrated_step_epsilon(1.0, 1000, 1e-5),
        optimal_step_epsilon(1.0, 1000, 1e-5),
    )
    assert list(rules) == sorted(rules)
    by_range = concentrated_step_epsilon(1.0, 1000, 1e-5, step="bounded range")
    assert by_range == pytest.approx(2 * rules[1], rel=1e-3)


def test_guarantees_keep_relation_and_add_the_deltas():
    total = advanced_composition(Guarantee(0.05, 1e-9), 1000, 1e-5)
    assert total == Guarantee(advanced_epsilon(0.05, 1000, 1e-5), 1000 * 1e-9 + 1e-5)
    assert advanced_composition(Guarantee(0.1, 0.5), 10, 0.1).delta == 1.0
    with pytest.raises(ValueError, match="epsilon must be non-negative and finite"):
        advanced_composition(Guarantee(800.0), 2, 0.1)


@pytest.mark.parametrize("bad", [0.0, 1.0])
def test_a_bad_delta_is_refused(bad):
    for call in (advanced_epsilon, optimal_step_epsilon):
        with pytest.raises(
            ValueError, match=r"delta must be in the open interval \(0, 1\)"
        ):
            call(0.5, 10, bad)
