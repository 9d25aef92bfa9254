"""Promises of a run and rates for a promise: closed forms, the optimum, and the inventory's numbers."""

import math

import numpy as np
import pytest

from privml.composition import nonadaptive_range_delta
from privml.guarantee import concentrated_delta
from privml.learners import LinearLearner
from privml.learners.experts import (
    actions,
    concentrated_run,
    private_actions,
    private_eta,
    round_guarantee,
    run_guarantee,
)

GRID = [(e, d, T) for e in (0.1, 1.0, 4.0) for d in (0.1, 1e-6) for T in (2, 50, 3000)]
TIGHT = ("concentrated", "nonadaptive")


@pytest.mark.source("DR11-lem-rwm-exp-mech")
def test_a_round_has_the_range_of_an_exponential_mechanism():
    found = round_guarantee(0.3, loss_range=2.0)
    assert found.epsilon == pytest.approx(1.2)
    assert found.as_concentrated(conversion="simple").rho == pytest.approx(
        (0.3 * 2) ** 2 / 2
    )


@pytest.mark.parametrize(("epsilon", "delta", "n_rounds"), GRID)
def test_every_rate_keeps_its_promise_and_they_are_ordered(epsilon, delta, n_rounds):
    rates = [
        private_eta(epsilon, delta, n_rounds, method=method)
        for method in ("dr11", *TIGHT)
    ]
    assert rates == sorted(rates)
    for rate in rates:
        assert nonadaptive_range_delta(2 * rate, n_rounds - 1, epsilon) <= delta * (
            1 + 1e-9
        )
    for rate in rates[:2]:
        assert concentrated_delta(
            rho=concentrated_run(rate, n_rounds).rho, epsilon=epsilon
        ) <= delta * (1 + 1e-9)


@pytest.mark.parametrize(("epsilon", "delta", "n_rounds"), GRID)
def test_the_tight_rates_are_the_largest_of_their_kind(epsilon, delta, n_rounds):
    concentrated = private_eta(epsilon, delta, n_rounds, method="concentrated")
    nonadaptive = private_eta(epsilon, delta, n_rounds, method="nonadaptive")
    assert (
        concentrated_delta(
            rho=concentrated_run(1.001 * concentrated, n_rounds).rho, epsilon=epsilon
        )
        > delta
    )
    assert run_guarantee(1.001 * nonadaptive, n_rounds, delta).epsilon > epsilon
    assert run_guarantee(nonadaptive, n_rounds, delta).epsilon == pytest.approx(
        epsilon, rel=1e-6
    )


def test_one_round_is_free():
    assert run_guarantee(5.0, 1, 1e-5).epsilon == 0
    assert concentrated_run(5.0, 1).rho == 0
    assert private_eta(1.0, 1e-5, 1) == private_eta(1.0, 1e-5, 2)


def test_adaptive_losses_cost_more_and_the_interval_scales_the_rate():
    assert (
        run_guarantee(0.01, 100, 1e-5, adaptive=True).epsilon
        > run_guarantee(0.01, 100, 1e-5).epsilon
    )
    for method in ("dr11", *TIGHT):
        whole, half = (
            private_eta(1.0, 1e-5, 50, method=method, loss_range=b) for b in (1.0, 2.0)
        )
        assert half == pytest.approx(whole / 2)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_bad_parameters_are_refused(bad):
    for name in ("epsilon", "delta", "loss_range"):
        arguments = {"epsilon": 1.0, "delta": 0.1, "n_rounds": 9, name: bad}
        for method in ("dr11", *TIGHT):
            with pytest.raises(ValueError, match=name):
                private_eta(**arguments, method=method)
    with pytest.raises(ValueError, match="eta must be positive"):
        run_guarantee(bad, 10, 0.1)
    with pytest.raises(
        ValueError, match="n_rounds must be a positive integer, but got 0"
    ):
        private_eta(1.0, 0.1, 0)
    with pytest.raises(
        ValueError, match="n_rounds must be a positive integer, but got 0"
    ):
        concentrated_run(1.0, 0)
    with pytest.raises(ValueError, match="method must be one of"):
        private_eta(1.0, 0.1, 5, method="best")
    with pytest.raises(ValueError, match="delta must be in the open interval"):
        run_guarantee(1.0, 1, 0.0)


@pytest.mark.parametrize(("eta", "least"), [(2.5, 1200.0), (5.0, 5000.0)])
def test_a_loss_above_the_range_of_exp_is_not_printed_as_709(eta, least):
    """A thousand draws that each reveal nearly all: e^epsilon overflows where the truth lies."""
    assert run_guarantee(eta, 1001, 1e-5).epsilon > least


@pytest.mark.parametrize("epsilon", [1e-6, 720.0, 1e4])
def test_a_rate_is_found_for_any_epsilon(epsilon):
    eta = private_eta(epsilon, 1e-5, 20, method="nonadaptive")
    assert run_guarantee(eta, 20, 1e-5).epsilon <= epsilon * (1 + 1e-12)


def test_an_epsilon_beyond_the_range_of_exp_is_spent_and_printed():
    X = np.random.default_rng(0).uniform(-1, 1, size=(60, 2))
    assert (
        LinearLearner(720.0, method="nonadaptive")
        .fit(X, X[:, 0] > 0, rng=0)
        .privacy_.epsilon
        == 720.0
    )


@pytest.mark.parametrize("method", TIGHT)
def test_a_rate_that_no_float_holds_is_refused(method):
    with pytest.raises(ValueError, match="must"):
        private_eta(1e-300, 1e-6, 1000, method=method)


@pytest.mark.source("DR11-alg-16", "DR11-thm-11.2")
@pytest.mark.parametrize("method", ["dr11", *TIGHT])
@pytest.mark.parametrize(("lower", "upper"), [(0.0, 1.0), (-1.0, 3.0)])
def test_one_call_draws_the_run_at_the_private_rate_of_its_interval(
    method, lower, upper
):
    losses = np.random.default_rng(1).uniform(lower, upper, (300, 4))
    ends = {"lower": lower, "upper": upper}
    run = private_actions(losses, epsilon=2.0, delta=1e-4, method=method, rng=5, **ends)
    assert (run.actions == actions(losses, run.eta, rng=5, **ends)).all()
    promise = run_guarantee(
        run.eta, 300, 1e-4, loss_range=upper - lower, adaptive=method == "concentrated"
    )
    assert promise.epsilon <= run.guarantee.epsilon * (1 + 1e-9)
    assert run.guarantee.delta == 1e-4
    with pytest.raises(ValueError, match="losses must be of shape"):
        private_actions([], epsilon=1.0, delta=0.1)
