"""LinearLearner's bounds: against exact regret, exact risk, and each other."""

import math
from itertools import product

import numpy as np
import pytest

from privml.bounds import experts as linear
from tests.refusals import refused


def laws(X, eta):
    """Probabilities of every round, on losses of shape (..., T, d)."""
    behind = -eta * (np.cumsum(X, axis=-2) - X)
    weights = np.exp(behind - behind.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def regret(X, eta):
    """Exact expected regret per round."""
    return (
        (laws(X, eta) * X).sum(axis=(-2, -1)) - X.sum(axis=-2).min(axis=-1)
    ) / X.shape[-2]


@pytest.mark.source("DR11-red-erm-to-experts")
@pytest.mark.parametrize("eta", [0.05, 0.5, 2.0])
@pytest.mark.parametrize(("d", "n_rounds"), [(2, 8), (3, 4)])
def test_the_regret_bound_holds_on_every_sequence_of_extreme_losses(eta, d, n_rounds):
    rows = np.array(list(product([-1.0, 1.0], repeat=d * n_rounds))).reshape(
        -1, n_rounds, d
    )
    assert regret(rows, eta).max() <= linear.regret_bound(
        eta, n_experts=d, n_rounds=n_rounds, loss_range=2.0
    )


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


@pytest.mark.source("DR11-red-erm-to-experts")
def test_a_round_of_the_martingale_has_a_draw_of_range_two_and_an_example_of_range_four():
    corners = np.array(list(product([-1.0, 1.0], repeat=3)))
    draws = corners.max(axis=1) - corners.min(
        axis=1
    )  # of <a, mean> over a, for extreme means
    examples = corners @ (np.array([1e-9, 0.5, 0.5]) - np.eye(3)[0])
    assert (draws.max(), np.ptp(examples)) == (2.0, pytest.approx(4.0))
    deviation = linear.online_excess_risk(0.25, 700, beta=0.01) - 0.25
    squares = draws.max() ** 2 + np.ptp(examples) ** 2
    assert deviation == pytest.approx(math.sqrt(squares * math.log(100) / (2 * 700)))


@pytest.mark.source("DR11-alg-17")
def test_the_two_rates_differ_by_a_factor_of_two():
    printed = linear.linear_learning_rate(0.7, 1e-6, 123, rule="source")
    assert printed == pytest.approx(0.7 / math.sqrt(32 * 123 * math.log(1e6)))
    assert printed / linear.linear_learning_rate(0.7, 1e-6, 123) == pytest.approx(2.0)


test_bad_rates_are_refused = refused(
    (0.0, 1e-5, 10, "corrected", "epsilon must be positive"),
    (1.0, 1.0, 10, "corrected", "delta must be in the open interval"),
    (1.0, 1e-5, 0, "corrected", "n_samples must be a positive integer"),
    (1.0, math.nan, 10, "corrected", "delta must be in the open interval"),
    (600.0, 1e-5, 10, "corrected", r"epsilon must be at most 48 ln\(1 / delta\)"),
    (100.0, 1e-5, 10, "source", r"at most 8 ln\(1 / delta\)"),
    (
        1.0,
        1e-5,
        10,
        "best",
        "rule must be one of 'corrected', 'source', but got 'best'",
    ),
    call=lambda epsilon, delta, n, rule: linear.linear_learning_rate(
        epsilon, delta, n, rule=rule
    ),
)
