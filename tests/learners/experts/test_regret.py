"""Regret by enumeration of all action sequences, as a law, and at many rates."""

import math
from itertools import product

import numpy as np
import pytest

from privml.bounds.experts import regret_bound, regret_deviation
from privml.learners.experts import (
    action_probabilities,
    actions,
    average_losses,
    base,
    expected_regret,
    expected_regrets,
    regret,
    total_loss_law,
)


@pytest.mark.source("DR11-def-average-loss", "DR11-def-regret")
def test_average_losses_and_regret_are_means():
    losses = np.random.default_rng(0).random((5, 3))
    chosen = np.array([0, 2, 1, 1, 0])
    found = average_losses(losses, chosen)
    assert found.experts == pytest.approx(losses.sum(axis=0) / 5)
    assert found.learner == pytest.approx(sum(losses[t, a] for t, a in enumerate(chosen)) / 5)
    assert regret(losses, chosen) == pytest.approx(found.learner - min(found.experts))


@pytest.mark.source("DR11-def-regret")
@pytest.mark.parametrize(("k", "rounds"), [(2, 6), (3, 4), (1, 3)])
@pytest.mark.parametrize("eta", [0.3, 2.0, 40.0])
def test_the_expected_regret_is_the_mean_over_all_action_sequences(k, rounds, eta):
    losses = np.random.default_rng(1).random((rounds, k))
    law = action_probabilities(losses, eta)
    everything = np.array(list(product(range(k), repeat=rounds)))
    weights = law[np.arange(rounds), everything].prod(axis=1)
    assert weights.sum() == pytest.approx(1)
    assert expected_regret(losses, eta) == pytest.approx(float(weights @ regret(losses, everything)))


@pytest.mark.source("DR11-def-regret")
def test_the_mean_of_drawn_runs_is_the_expected_regret():
    losses, runs = np.random.default_rng(2).random((30, 6)), 4000
    drawn = regret(losses, actions(losses, 0.8, runs, rng=3))
    error = drawn.std() / math.sqrt(runs)
    assert abs(drawn.mean() - expected_regret(losses, 0.8)) < 4.5 * error


def test_regret_may_be_negative():
    assert regret([[0, 1], [1, 0]], [0, 1]) == -0.5


@pytest.mark.source("DR11-thm-11.1")
@pytest.mark.parametrize("seed", range(5))
def test_the_bound_holds_on_random_losses_at_many_rates(seed):
    rng = np.random.default_rng(seed)
    losses = rng.beta(0.2, 0.2, (200, 8)) * rng.random(8)
    etas = np.geomspace(0.01, 20, 15)
    for eta, found in zip(etas, expected_regrets(losses, etas), strict=True):
        assert found <= regret_bound(float(eta), 8, 200)
        assert found == pytest.approx(expected_regret(losses, eta), abs=1e-12)


@pytest.mark.parametrize("block", [7, 64, 1 << 17])
def test_many_rates_do_not_depend_on_blocks(monkeypatch, block):
    losses = np.random.default_rng(4).uniform(-1, 1, (90, 5))
    etas = [0.1, 3.0, 500.0]
    expected = [expected_regret(losses, eta, lower=-1.0) for eta in etas]
    monkeypatch.setattr(base, "BLOCK", block)
    assert expected_regrets(losses, etas, lower=-1.0) == pytest.approx(expected, abs=1e-11)


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.parametrize(("k", "rounds"), [(2, 7), (3, 5)])
def test_the_law_of_the_total_is_that_of_all_action_sequences(k, rounds):
    losses = np.random.default_rng(5).integers(0, 2, (rounds, k))
    law = action_probabilities(losses, 0.7)
    expected = np.zeros(rounds + 1)
    for sequence in product(range(k), repeat=rounds):
        steps = np.arange(rounds), np.array(sequence)
        expected[losses[steps].sum()] += law[steps].prod()
    assert total_loss_law(losses, 0.7) == pytest.approx(expected, abs=1e-14)


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.parametrize("beta", [0.2, 1e-3, 1e-6])
def test_the_exact_quantile_is_below_the_deviation_of_the_theorem(beta):
    rounds = 400
    losses = np.random.default_rng(6).integers(0, 2, (rounds, 4))
    law = total_loss_law(losses, 0.05)
    mean = float(law @ np.arange(rounds + 1))
    tail = law[::-1].cumsum()[::-1]
    allowed = mean + rounds * regret_deviation(rounds, beta, 4)
    assert tail[math.floor(allowed) + 1] <= beta
    assert law.sum() == pytest.approx(1)


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.erratum("DR11-thm-11.4/2")
@pytest.mark.parametrize(
    ("beta", "found"), [pytest.param(1e-3, 2.97e-3, id="1e-3"), pytest.param(1e-6, 6.5e-5, id="1e-6")]
)
def test_the_printed_deviation_fails_for_losses_between_minus_one_and_one(beta, found):
    """Two experts with opposite signs: the learner's loss is a sum of fair signs, whatever the rate."""
    rounds = 2000
    fair = total_loss_law(np.tile([[0, 1], [1, 0]], (rounds // 2, 1)), 1e-12)
    signs = (2 * np.arange(rounds + 1) - rounds) / rounds  # total of signs, from that of zeros and ones
    printed = math.sqrt(math.log(2 / beta) / rounds)
    worst = float(fair[signs > printed].sum())
    assert worst == pytest.approx(found, rel=0.02)
    assert worst > beta
    correct = 2 * regret_deviation(rounds, beta, 2)
    assert float(fair[signs > correct].sum()) <= beta


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ([0, 2], "actions must be below n_experts = 2, got 2"),
        ([0, -1], "actions must be below n_experts"),
        ([0], r"actions must be indices of experts, one per round \(2\)"),
        ([0.0, 1.0], "actions must be indices of experts"),
    ],
)
def test_bad_actions_are_refused(chosen, message):
    with pytest.raises(ValueError, match=message):
        regret([[0, 1], [1, 0]], chosen)


def test_other_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="etas must be positive"):
        expected_regrets([[0, 1]], [0.1, -1.0])
    with pytest.raises(ValueError, match="etas must be finite everywhere"):
        expected_regrets([[0, 1]], [0.1, math.nan])
    with pytest.raises(ValueError, match="losses must be 0 or 1"):
        total_loss_law([[0.5, 1]], 0.1)
