"""Regret bounds: formulas, inverse pairs, and the conditions that the source leaves out, with numbers."""

import math

import pytest

from privml.bounds import experts, required_sample_size
from tests.refusals import refused

SIZES = [(k, a) for k in (1, 2, 10, 10**6) for a in (0.3, 0.05, 0.002)]
GRID = [(e, d, k) for e in (0.1, 1.0) for d in (0.1, 1e-9) for k in (2, 50)]


@pytest.mark.source("DR11-thm-11.1")
@pytest.mark.parametrize("eta", [0.01, 0.5, 2.0])
@pytest.mark.parametrize("loss_range", [1.0, 2.0])
def test_the_bound_is_two_terms_and_smallest_at_the_best_rate(eta, loss_range):
    k, rounds = 7, 400
    for constant, c in (("dr11", 1.0), ("hoeffding", 0.125)):
        kinds = {"constant": constant, "loss_range": loss_range}
        formula = {**kinds, "capped": False}
        expected = c * eta * loss_range**2 + math.log(k) / (eta * rounds)
        assert experts.regret_bound(
            eta, n_experts=k, n_rounds=rounds, **formula
        ) == pytest.approx(expected)
        best = experts.best_eta(k, rounds, **kinds)
        least = experts.regret_bound(best, n_experts=k, n_rounds=rounds, **kinds)
        assert least == pytest.approx(experts.best_regret_bound(k, rounds, **kinds))
        assert least <= expected
        assert least < experts.regret_bound(
            1.1 * best, n_experts=k, n_rounds=rounds, **kinds
        )
        assert least < experts.regret_bound(
            best / 1.1, n_experts=k, n_rounds=rounds, **kinds
        )


@pytest.mark.source("DR11-rem-rounds")
@pytest.mark.parametrize(("k", "alpha"), SIZES)
@pytest.mark.parametrize("constant", ["dr11", "hoeffding"])
def test_the_rounds_are_those_of_the_remark(k, alpha, constant):
    rounds = required_sample_size(
        lambda T: experts.best_regret_bound(k, T, constant=constant), alpha
    )
    factor = {"dr11": 4.0, "hoeffding": 0.5}[constant]
    assert rounds == max(1, math.ceil(factor * math.log(k) / alpha**2 - 1e-9))


@pytest.mark.source("DR11-thm-11.2")
def test_the_printed_private_rate_and_its_limit():
    found = experts.private_eta_dr11(0.7, 1e-6, 250, loss_range=2.0)
    assert found == pytest.approx(0.7 / math.sqrt(32 * 250 * math.log(1e6)) / 2)
    limit = 48 * math.log(1e6)
    experts.private_eta_dr11(limit * 0.999, 1e-6, 10)
    with pytest.raises(
        ValueError, match=r"epsilon must be at most 48 ln\(1 / delta\) = 663.1"
    ):
        experts.private_eta_dr11(limit * 1.001, 1e-6, 10)


@pytest.mark.source("DR11-thm-11.3")
@pytest.mark.parametrize(("epsilon", "delta", "k"), GRID)
def test_theorem_11_3_in_both_forms(epsilon, delta, k):
    rounds = 700
    root = math.sqrt(32 * math.log(1 / delta))
    both = (
        epsilon / root / math.sqrt(rounds),
        root * math.log(k) / epsilon / math.sqrt(rounds),
    )
    found = experts.private_regret_bound(epsilon, delta, rounds, k)
    assert found == pytest.approx(sum(both))
    closed = experts.private_regret_bound(epsilon, delta, rounds, k, form="closed")
    assert closed == pytest.approx(2 * both[1])
    assert found <= closed * (1 + 1e-12)


@pytest.mark.source("DR11-thm-11.3")
@pytest.mark.erratum("DR11-thm-11.3")
def test_the_second_inequality_of_theorem_11_3_needs_a_condition_on_epsilon():
    k, delta = 2, 0.5
    for epsilon, holds in ((3.9, True), (4.0, False), (5.0, False)):
        assert (epsilon <= experts.most_epsilon_closed(delta, k)) is holds
        total = experts.private_regret_bound(epsilon, delta, 100, k)
        printed = math.sqrt(128 * math.log(1 / delta)) * math.log(k) / (epsilon * 10)
        assert (total <= printed) is holds
        if not holds:
            with pytest.raises(ValueError, match="for the closed form"):
                experts.private_regret_bound(epsilon, delta, 100, k, form="closed")
    assert total == pytest.approx(0.1715, abs=5e-5)
    assert printed == pytest.approx(0.1306, abs=5e-5)


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.parametrize(("epsilon", "delta", "k"), GRID)
def test_theorem_11_4_is_a_sum(epsilon, delta, k):
    beta, rounds = 0.05, 700
    mean = experts.private_regret_bound(epsilon, delta, rounds, k, form="closed")
    found = experts.private_regret_bound(
        epsilon, delta, rounds, k, beta=beta, form="closed"
    )
    assert found == pytest.approx(mean + math.sqrt(math.log(k / beta) / rounds))
    how = {"form": "closed", "deviation": "azuma"}
    sharp = experts.private_regret_bound(epsilon, delta, rounds, k, beta=beta, **how)
    assert sharp == pytest.approx(mean + math.sqrt(math.log(1 / beta) / (2 * rounds)))


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.erratum("DR11-thm-11.4")
def test_the_deviation_needs_no_union_over_experts():
    for k in (1, 2, 1000):
        pair = [
            experts.regret_deviation(500, 0.01, k, deviation=d)
            for d in ("azuma", "dr11")
        ]
        assert pair[0] == experts.regret_deviation(500, 0.01, 1)
        assert pair[0] <= pair[1] / math.sqrt(2) * (1 + 1e-12)


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.erratum("DR11-thm-11.4/3")
def test_the_order_of_theorem_11_4_inherits_the_condition():
    """The printed deviation over the printed order, whose constants stay behind the O."""
    quotients = []
    for epsilon in (1.0, 10.0, 100.0, 1000.0):
        k, beta, delta = 2, 0.05, 1e-5
        deviation = experts.regret_deviation(1, beta, k, deviation="dr11")
        quotients.append(
            deviation * epsilon / (math.sqrt(math.log(1 / delta)) * math.log(k / beta))
        )
    assert quotients == pytest.approx([0.1534, 1.534, 15.34, 153.4], rel=1e-3)


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.parametrize("delta", [0.9, 0.1, 1e-9])
@pytest.mark.parametrize("k", [2, 10, 10**6])
@pytest.mark.parametrize("beta", [0.5, 1e-6])
def test_the_constant_of_the_order_is_enough_up_to_the_condition(delta, k, beta):
    """12 sqrt(2) before the source's O(.)."""
    most = min(experts.most_epsilon_closed(delta, k), -48 * math.log(delta))
    for epsilon in (1e-3 * most, 0.3 * most, most):
        order = (
            12
            * math.sqrt(-2 * math.log(delta))
            * math.log(k / beta)
            / (epsilon * math.sqrt(50))
        )
        printed = experts.private_regret_bound(
            epsilon, delta, 50, k, beta=beta, form="closed"
        )
        assert order >= printed * (1 - 1e-12)
    with pytest.raises(ValueError, match="epsilon must be at most"):
        experts.private_regret_bound(
            1.01 * most, delta, 50, k, beta=beta, form="closed"
        )


@pytest.mark.source("DR11-rem-price-of-privacy")
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_the_price_is_the_quotient_of_the_two_bounds_at_any_number_of_rounds(epsilon):
    k, delta = 10, 1e-5
    price = math.sqrt(32 * math.log(k) * math.log(1 / delta)) / epsilon
    for rounds in (10, 10**6):
        closed = experts.private_regret_bound(epsilon, delta, rounds, k, form="closed")
        assert closed / experts.best_regret_bound(
            k, rounds, constant="dr11"
        ) == pytest.approx(price)


def test_experts_and_rounds_cannot_be_swapped_and_no_bound_exceeds_the_range():
    with pytest.raises(TypeError, match="positional"):
        experts.regret_bound(0.01, 10, 1000)
    assert experts.regret_bound(0.01, n_experts=1000, n_rounds=2) == 1.0
    assert experts.regret_bound(0.01, n_experts=1000, n_rounds=2, loss_range=2.0) == 2.0


def bound(eta, **constant):
    return experts.regret_bound(eta, n_experts=2, n_rounds=5, **constant)


test_other_bad_parameters_are_refused = refused(
    *(
        (lambda eta=eta: bound(eta), "eta must be positive and finite")
        for eta in (0.0, math.nan, math.inf)
    ),
    (lambda: bound(0.1, constant="sharp"), "constant must be one of"),
    (lambda: experts.best_eta(1, 5), "n_experts must be at least 2"),
    (
        lambda: experts.private_regret_bound(1.0, 0.1, 5, 2, form="open"),
        "form must be one of",
    ),
    (
        lambda: experts.regret_deviation(5, 0.1, 2, deviation="chernoff"),
        "deviation must be one of",
    ),
    (lambda: experts.regret_deviation(5, 1.0, 2), "beta must be in the open interval"),
)
