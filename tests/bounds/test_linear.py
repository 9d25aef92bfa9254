"""LinearLearner's bounds: against exact regret, exact risk, and each other."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.special import expit

from privml.bounds import linear, online_to_batch


def laws(X, eta):
    """Probabilities of every round, on losses of shape (..., T, d)."""
    behind = -eta * (np.cumsum(X, axis=-2) - X)
    weights = np.exp(behind - behind.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def regret(X, eta):
    """Exact expected regret per round."""
    return ((laws(X, eta) * X).sum(axis=(-2, -1)) - X.sum(axis=-2).min(axis=-1)) / X.shape[-2]


def coin_excess(eta, n_rounds, bias):
    """Exact expected excess risk on x = (s, -s), Pr[s = -1] = (1 + bias) / 2, over all examples and draws."""
    from scipy.stats import binom

    rounds = np.arange(n_rounds)[:, None]
    ones = np.arange(n_rounds)[None, :]
    weights = binom.pmf(ones, rounds, (1 - bias) / 2)
    wrong = expit(2 * eta * (2 * ones - rounds))
    return 2 * bias * float((weights * wrong).sum()) / n_rounds


@pytest.mark.source("DR11-red-erm-to-experts")
@pytest.mark.parametrize("eta", [0.05, 0.5, 2.0])
@pytest.mark.parametrize(("d", "n_rounds"), [(2, 8), (3, 4)])
def test_the_regret_bound_holds_on_every_sequence_of_extreme_losses(eta, d, n_rounds):
    rows = np.array(list(product([-1.0, 1.0], repeat=d * n_rounds))).reshape(-1, n_rounds, d)
    assert regret(rows, eta).max() <= online_to_batch.linear_regret(eta, n_rounds, d)


def test_the_regret_bound_is_nearly_reached_and_the_one_for_unit_losses_is_not_enough():
    n_rounds, eta = 40_000, 0.05
    alternating = np.tile([[1.0, -1.0], [-1.0, 1.0]], (n_rounds // 2, 1))
    exact = regret(alternating, eta)
    assert exact <= online_to_batch.linear_regret(eta, n_rounds, 2)
    assert exact == pytest.approx(math.tanh(eta) / 2)
    assert exact > math.log(2) / (eta * n_rounds) + eta / 8


@pytest.mark.source("DR11-thm-11.6", "DR11-red-erm-to-experts")
@pytest.mark.parametrize("eta", [0.01, 0.1, 1.0])
def test_the_mean_excess_risk_is_below_the_regret_bound(eta):
    worst = max(coin_excess(eta, 400, bias) for bias in np.geomspace(0.01, 1, 9))
    assert worst <= online_to_batch.linear_regret(eta, 400, 2)
    assert worst > 0.2 * online_to_batch.linear_regret(eta, 400, 2) or eta == 1.0


@pytest.mark.source("DR11-thm-11.6")
def test_quantiles_of_the_excess_risk_are_below_the_bound_and_the_three_events_above_it():
    rng, beta, n_rounds, eta, repeats = np.random.default_rng(1), 0.05, 300, 0.1, 4000
    for bias in (0.02, 0.1, 0.4):
        X = rng.choice([-1.0, 1.0], p=[(1 + bias) / 2, (1 - bias) / 2], size=(repeats, n_rounds))
        first = laws(np.stack([X, -X], axis=2), eta)[:, :, 0]
        wrong = (rng.random(first.shape) > first).mean(axis=1)
        bound = linear.linear_excess_risk(eta, n_rounds, 2, beta)
        share = (2 * bias * wrong > bound).mean()
        assert share <= beta + 5 * math.sqrt(beta * (1 - beta) / repeats)
    assert bound < linear.linear_excess_risk_dr11(eta, n_rounds, 2, beta)


@pytest.mark.source("DR11-thm-11.6")
@pytest.mark.erratum("DR11-thm-11.6/1")
def test_the_deviation_of_losses_of_range_two_is_twice_that_of_losses_of_range_one():
    """The printed deviation sqrt(ln(1/beta)/(2T)) fails for fair signs; twice as much holds."""
    from scipy.stats import binom

    n_rounds, beta = 2000, 1e-3
    printed = math.sqrt(math.log(1 / beta) / (2 * n_rounds))
    above = binom.sf(math.floor(n_rounds * (1 + printed) / 2), n_rounds, 0.5)
    below = binom.sf(math.floor(n_rounds * (1 + 2 * printed) / 2), n_rounds, 0.5)
    assert above > 10 * beta
    assert below < beta


@pytest.mark.source("DR11-thm-11.6")
@pytest.mark.erratum("DR11-thm-11.6/2")
@pytest.mark.parametrize(("epsilon", "ratio"), [(1000.0, 42), (10_000.0, 423)])
def test_without_a_limit_on_epsilon_the_claimed_order_is_too_small_by_any_factor(epsilon, ratio):
    n_rounds, delta, beta = 400, 1e-5, 0.05
    eta = epsilon / math.sqrt(32 * n_rounds * math.log(1 / delta))
    worst = max(coin_excess(eta, n_rounds, bias) for bias in np.geomspace(0.03, 0.1, 9))
    order = math.sqrt(math.log(1 / delta) / n_rounds) * math.log(2 / beta) / epsilon
    assert worst == pytest.approx(0.0265, rel=0.01)
    assert worst / order == pytest.approx(ratio, rel=0.02)
    assert worst <= linear.linear_excess_risk(eta, n_rounds, 2, beta)
    with pytest.raises(ValueError, match=r"epsilon must be at most sqrt\(ln\(1/delta\) ln\(d\)\)"):
        linear.linear_excess_risk_closed(epsilon, delta, n_rounds, 2, beta)


@pytest.mark.source("DR11-thm-11.6")
@pytest.mark.parametrize("n_features", [2, 10, 10**6])
@pytest.mark.parametrize("delta", [0.5, 1e-2, 1e-12])
def test_the_closed_form_covers_the_bound_up_to_its_largest_epsilon(n_features, delta):
    largest = math.sqrt(math.log(1 / delta) * math.log(n_features)) * (1 - 1e-12)
    for share, beta, n_samples in product((1.0, 0.5, 0.01), (0.5, 0.05, 1e-9), (1, 100, 10**6)):
        epsilon = min(share * largest, 48 * math.log(1 / delta) * (1 - 1e-12))
        eta = linear.linear_learning_rate(epsilon, delta, n_samples)
        closed = linear.linear_excess_risk_closed(epsilon, delta, n_samples, n_features, beta)
        assert linear.linear_excess_risk(eta, n_samples, n_features, beta) <= closed


def test_the_closed_form_is_tight_up_to_a_tenth_where_epsilon_is_small_and_d_large():
    eta = linear.linear_learning_rate(1e-3, 1e-5, 10**9)
    bound = linear.linear_excess_risk(eta, 10**9, 10**30, 0.9)
    closed = linear.linear_excess_risk_closed(1e-3, 1e-5, 10**9, 10**30, 0.9)
    assert 1.1 < closed / bound < 1.2


@pytest.mark.source("DR11-thm-11.6")
@pytest.mark.parametrize("rule", ["corrected", "printed"])
@pytest.mark.parametrize(("epsilon", "alpha"), [(0.3, 0.5), (1.0, 0.1), (4.0, 0.02)])
def test_the_sample_size_is_the_exact_inverse(rule, epsilon, alpha):
    def bound(n):
        eta = linear.linear_learning_rate(epsilon, 1e-5, n, rule=rule)
        return linear.linear_excess_risk(eta, n, 20, 0.05)

    size = linear.linear_sample_size(epsilon, 1e-5, 20, alpha, 0.05, rule=rule)
    assert bound(size) <= alpha < bound(size - 1)


def test_the_rounds_of_the_reduction_are_the_exact_inverse():
    for regret_, alpha in ((0.0, 0.1), (0.09, 0.1), (-0.2, 0.01)):
        size = online_to_batch.online_sample_size(regret_, alpha, 0.01)
        assert online_to_batch.online_excess_risk(regret_, size, 0.01) <= alpha
        assert size == 1 or online_to_batch.online_excess_risk(regret_, size - 1, 0.01) > alpha
    with pytest.raises(ValueError, match="regret must be below alpha = 0.1, got 0.1"):
        online_to_batch.online_sample_size(0.1, 0.1, 0.01)


@pytest.mark.source("DR11-red-erm-to-experts")
def test_a_round_of_the_martingale_has_a_draw_of_range_two_and_an_example_of_range_four():
    corners = np.array(list(product([-1.0, 1.0], repeat=3)))
    draws = corners.max(axis=1) - corners.min(axis=1)  # of <a, mean> over a, for extreme means
    law = np.array([1e-9, 0.5, 0.5])
    examples = corners @ (law - np.eye(3)[0])
    assert (draws.max(), np.ptp(examples)) == (2.0, pytest.approx(4.0))
    deviation = online_to_batch.online_excess_risk(0.25, 700, 0.01) - 0.25
    squares = draws.max() ** 2 + np.ptp(examples) ** 2
    assert deviation == pytest.approx(math.sqrt(squares * math.log(100) / (2 * 700)))


@pytest.mark.source("DR11-thm-11.6")
def test_the_three_events_add_up_as_written():
    eta, n, d, beta = 0.02, 900, 7, 0.1
    expected = math.log(d) / (eta * n) + eta
    expected += 2 * math.sqrt(2 * math.log(4 / beta) / n) + math.sqrt(2 * math.log(4 * d / beta) / n)
    assert linear.linear_excess_risk_dr11(eta, n, d, beta) == pytest.approx(expected)


@pytest.mark.source("DR11-alg-17")
def test_the_two_rates_differ_by_a_factor_of_two():
    printed = linear.linear_learning_rate(0.7, 1e-6, 123, rule="printed")
    assert printed == pytest.approx(0.7 / math.sqrt(32 * 123 * math.log(1e6)))
    assert printed / linear.linear_learning_rate(0.7, 1e-6, 123) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, 1e-5, 10), "epsilon must be positive"),
        ((1.0, 1.0, 10), "delta must be in the open interval"),
        ((1.0, 1e-5, 0), "n_samples must be a positive integer"),
        ((1.0, math.nan, 10), "delta must be in the open interval"),
        ((600.0, 1e-5, 10), r"epsilon must be at most 48 ln\(1 / delta\)"),
    ],
)
def test_bad_rates_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        linear.linear_learning_rate(*arguments)
    with pytest.raises(ValueError, match="rule must be one of 'corrected', 'printed', got 'best'"):
        linear.linear_learning_rate(1.0, 1e-5, 10, rule="best")
    with pytest.raises(ValueError, match=r"at most 8 ln\(1 / delta\)"):
        linear.linear_learning_rate(100.0, 1e-5, 10, rule="printed")


@pytest.mark.parametrize(("epsilon", "n_samples"), [(0.5, 200), (2.0, 60), (20.0, 40)])
def test_one_private_draw_fails_no_more_often_than_promised(epsilon, n_samples):
    """Exact over all samples of x = (s, -s): the draw is a logistic function of one binomial."""
    from scipy.stats import binom

    beta, n_ones = 0.2, np.arange(n_samples + 1)
    wrong = expit(epsilon / 2 * (2 * n_ones - n_samples))
    failed = []
    for bias in np.linspace(0.01, 1, 40):
        law = binom.pmf(n_ones, n_samples, (1 - bias) / 2)
        bound = linear.one_draw_excess_risk(epsilon, n_samples, 2, beta)
        failed.append(float(law @ wrong) if 2 * bias > bound else 0.0)
    assert max(failed) <= beta
    gap = 4 * math.log(4 / beta) / (epsilon * n_samples)
    assert bound == pytest.approx(gap + 2 * math.sqrt(2 * math.log(6 / beta) / n_samples))
