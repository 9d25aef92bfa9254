"""Randomised weighted majority: two forms and one law, blocks, draws, and what is refused."""

import math

import numpy as np
import pytest

from privml.learners.experts import (
    action_probabilities,
    actions,
    base,
    log_action_probabilities,
)
from privml.learners.experts.base import drawn
from privml.learners.linear import mean_draw
from tests.refusals import refused

ETAS = [0.01, 0.5, 3.0, 50.0, 1e4]


def by_weights(losses, eta):
    """Algorithm 15, a plain loop: multiply, then normalise."""
    weights, rows = np.ones(losses.shape[1]), []
    for loss, rate in zip(losses, np.broadcast_to(eta, len(losses)), strict=True):
        rows.append(weights / weights.sum())
        weights = weights * np.exp(-rate * loss)
    return np.array(rows)


def by_sums(losses, eta):
    """Algorithm 16, a plain loop in log space: exponentiate the sum."""
    rows = []
    for t in range(len(losses)):
        exponent = -eta * np.array([math.fsum(column[:t]) for column in losses.T])
        exponent -= exponent.max()
        rows.append(np.exp(exponent) / np.exp(exponent).sum())
    return np.array(rows)


@pytest.mark.source("DR11-alg-15", "DR11-alg-16")
@pytest.mark.parametrize("eta", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (40, 70)])
def test_both_forms_are_one_law(eta, shape):
    losses = np.random.default_rng(1).random(shape)
    found = action_probabilities(losses, eta)
    assert found == pytest.approx(by_weights(losses, eta), rel=1e-12)
    assert found == pytest.approx(by_sums(losses, eta), rel=1e-12)


@pytest.mark.source("DR11-alg-16")
@pytest.mark.parametrize("eta", ETAS)
@pytest.mark.parametrize("block", [1, 50, 1 << 17])
@pytest.mark.parametrize(("lower", "upper"), [(0, 1), (-1, 1), (-3, -2)])
def test_blocks_do_not_change_the_law(monkeypatch, eta, block, lower, upper):
    monkeypatch.setattr(base, "ROUNDS_BLOCK", block)
    losses = np.random.default_rng(2).uniform(lower, upper, (120, 5))
    found = action_probabilities(losses, eta, lower=lower, upper=upper)
    assert np.abs(found - by_sums(losses, eta)).max() < 1e-9 * max(1.0, eta * 1e-2)


@pytest.mark.source("DR11-alg-15", "DR11-alg-16")
@pytest.mark.parametrize("n_experts", [2, 32, 33, 100])
@pytest.mark.parametrize("n_runs", [1, 7])
def test_actions_invert_the_law_of_their_round(n_experts, n_runs):
    losses, uniforms = (
        np.random.default_rng(4).uniform(-1, 1, (90, n_experts)),
        np.random.default_rng(5),
    )
    below = np.cumsum(by_sums(losses, 0.2), axis=1)[..., None] <= uniforms.random(
        (90, 1, n_runs)
    )
    expected = below.sum(axis=1).T
    assert (actions(losses, 0.2, n_runs, lower=-1, rng=5) == expected).all()
    if n_runs == 1:
        assert (actions(losses, 0.2, lower=-1, rng=5) == expected[0]).all()
        seen = np.bincount(expected[0], minlength=n_experts)
        assert mean_draw(losses, 0.2, rng=5) == pytest.approx(seen / 90)


def test_many_rounds_of_equal_losses_overflow_nothing():
    assert (action_probabilities(np.ones((4000, 2), dtype=bool), 700.0) == 0.5).all()


@pytest.mark.source("DR11-alg-16")
def test_a_rate_for_each_round_multiplies_the_sum_of_the_past():
    losses = np.random.default_rng(3).random((6, 3))
    rates = np.array([1.0, 0.7, 0.5, 0.4, 0.3, 0.2])
    expected = [by_sums(losses, rate)[t] for t, rate in enumerate(rates)]
    assert action_probabilities(losses, rates) == pytest.approx(
        np.array(expected), rel=1e-12
    )
    assert (
        np.abs(action_probabilities(losses, rates) - by_weights(losses, rates)).max()
        > 0.01
    )


@pytest.mark.source("DR11-alg-15")
@pytest.mark.parametrize("eta", [0.1, 0.5, 0.9])
def test_the_multiplicative_update_is_the_exponential_one_of_other_losses(eta):
    losses = np.random.default_rng(4).random((12, 4))
    weights, rows = np.ones(4), []
    for loss in losses:
        rows.append(weights / weights.sum())
        weights = weights * (1 - eta * loss)
    upper = -math.log1p(-eta) / eta
    found = action_probabilities(-np.log1p(-eta * losses) / eta, eta, upper=upper)
    assert found == pytest.approx(np.array(rows), rel=1e-12)


@pytest.mark.parametrize("n_experts", [1, 5, 32, 64, 70])
def test_inversion_hits_the_edges_of_every_expert(n_experts):
    weights = np.random.default_rng(7).random((3, n_experts))
    edges = np.cumsum(weights, axis=1) / weights.sum(axis=1, keepdims=True)
    middle = edges - weights / weights.sum(axis=1, keepdims=True) / 2
    assert (drawn(weights, middle) == np.arange(n_experts)).all()
    assert (
        drawn(weights, np.full((3, 1), np.nextafter(1.0, 0))) == n_experts - 1
    ).all()
    assert (drawn(weights, np.zeros((3, 1))) == 0).all()


@pytest.mark.parametrize("first", [1, 31, 32, 33, 70])
def test_an_expert_whose_weight_has_underflowed_is_never_drawn(first):
    """Not even by a uniform number of 0, at which the sum of weights before the first one is 0 too."""
    weights = np.where(np.arange(100) >= first, 1.0, 0.0)[None]
    assert drawn(weights, np.zeros((1, 1))).tolist() == [[first]]


def test_a_seed_gives_the_same_run_whatever_the_block(monkeypatch):
    losses = np.random.default_rng(9).random((500, 40))
    once, many = actions(losses, 0.3, rng=1), actions(losses, 0.3, 3, rng=1)
    monkeypatch.setattr(base, "ROUNDS_BLOCK", 64)
    assert (actions(losses, 0.3, rng=1) == once).all()
    assert (actions(losses, 0.3, 3, rng=1) == many).all()
    assert once.shape == (500,)


@pytest.mark.parametrize("kind", [bool, np.uint8, np.float32, np.float64, int])
def test_any_type_of_number_will_do_and_nothing_is_written(kind):
    losses = np.random.default_rng(10).integers(0, 2, (30, 6)).astype(kind)
    kept = losses.copy()
    assert action_probabilities(losses, 0.4) == pytest.approx(
        by_sums(losses.astype(float), 0.4)
    )
    assert (losses == kept).all()


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        (
            np.empty((0, 3)),
            r"losses must be of shape \(n_rounds, n_experts\) with at least one of each",
        ),
        (np.empty((3, 0)), "losses must be of shape"),
        ([0.1, 0.2], "losses must be of shape"),
        (np.array([["a", "b"]]), "losses must be of a numeric dtype"),
    ],
)
def test_bad_losses_are_refused(losses, message):
    for function in (action_probabilities, actions, log_action_probabilities):
        with pytest.raises(ValueError, match=message):
            function(losses, 0.5)


@pytest.mark.parametrize(("lower", "upper"), [(0.0, 1.0), (-1.0, 1.0), (2.0, 2.5)])
def test_a_loss_outside_of_the_public_interval_counts_as_its_end_and_never_raises(
    lower, upper
):
    inside = lower + (upper - lower) * np.random.default_rng(4).random((60, 3))
    inside[5], inside[9] = (lower, upper, lower), (upper, lower, lower)
    outside = inside.copy()
    outside[5], outside[9] = (-1e9, 1e9, -math.inf), (math.inf, lower - 1, math.nan)
    ends = {"lower": lower, "upper": upper}
    for function in (action_probabilities, lambda *a, **k: actions(*a, rng=3, **k)):
        assert (function(outside, 2.0, **ends) == function(inside, 2.0, **ends)).all()


test_a_bad_rate_is_refused = refused(
    0.0, call=lambda eta: actions([[0.0, 1.0]], eta), words="eta must be"
)


test_other_bad_parameters_are_refused = refused(
    (
        lambda: actions([[0.0, 1.0]], [0.1, 0.2]),
        r"eta must be one number or one per round \(1\), but got 2",
    ),
    (
        lambda: actions([[0.0, 1.0], [0.0, 1.0]], [0.1, 0.0]),
        "eta must be positive in every round",
    ),
    (
        lambda: actions([[0.0, 1.0]], 0.1, 0),
        "n_runs must be a positive integer, but got 0",
    ),
    (
        lambda: actions([[0.0, 1.0]], 0.1, lower=1.0, upper=0.0),
        "upper must be above lower",
    ),
)
