"""Regret by enumeration of all action sequences, and below its bound."""

from itertools import product

import numpy as np
import pytest

from privml.learners.experts import (
    action_probabilities,
    base,
    expected_regret,
    private_actions,
    regret,
)
from tests.refusals import refused


@pytest.mark.source("DR11-def-regret")
@pytest.mark.parametrize(("k", "rounds"), [(2, 6), (3, 4), (1, 3)])
@pytest.mark.parametrize("eta", [0.3, 2.0, 40.0])
def test_the_expected_regret_is_the_mean_over_all_action_sequences(k, rounds, eta):
    losses = np.random.default_rng(1).random((rounds, k))
    law = action_probabilities(losses, eta)
    everything = np.array(list(product(range(k), repeat=rounds)))
    weights = law[np.arange(rounds), everything].prod(axis=1)
    assert weights.sum() == pytest.approx(1)
    assert expected_regret(losses, eta) == pytest.approx(
        float(weights @ regret(losses, everything))
    )


@pytest.mark.source("DR11-def-average-loss", "DR11-def-regret")
def test_regret_is_in_the_units_of_the_losses_and_clips_to_the_interval_of_the_run_only_if_told():
    assert regret([[0, 1], [1, 0]], [0, 1]) == -0.5
    raw = np.random.default_rng(2).exponential(3, (50, 4))
    run, cut = (
        private_actions(raw, epsilon=1.0, delta=1e-6, upper=5, rng=3),
        np.minimum(raw, 5),
    )
    for ends, losses in (
        ({}, raw),
        ({"upper": 5}, cut),
        ({"lower": 2, "upper": 5}, np.maximum(cut, 2)),
    ):
        learner = losses[np.arange(50), run.actions].mean()
        assert regret(raw, run.actions, **ends) == pytest.approx(
            learner - losses.mean(axis=0).min()
        )
    assert regret([[np.nan, 1.0]], [1], lower=0.0) == 1.0


@pytest.mark.parametrize("block", [7, 64, 1 << 17])
def test_the_expected_regret_does_not_depend_on_blocks(monkeypatch, block):
    losses, rates = np.random.default_rng(4).uniform(-1, 1, (90, 5)), (0.1, 3.0, 500.0)
    expected = [expected_regret(losses, eta, lower=-1.0) for eta in rates]
    monkeypatch.setattr(base, "ROUNDS_BLOCK", block)
    assert [expected_regret(losses, eta, lower=-1.0) for eta in rates] == pytest.approx(
        expected, abs=1e-11
    )


def test_a_column_of_rates_gives_the_regret_of_a_run_at_each():
    losses, rates = (
        np.random.default_rng(5).uniform(-1, 1, (300, 4)),
        np.array([1e-3, 0.5, 700.0]),
    )
    expected = [expected_regret(losses, eta, lower=-1.0) for eta in rates]
    assert expected_regret(losses, rates[:, None], lower=-1.0) == pytest.approx(
        expected, abs=1e-12
    )
    for bad, message in (
        ([[0.1], [-1.0]], "eta must be positive"),
        ([[0.1, 0.2]], "eta must be"),
    ):
        with pytest.raises(ValueError, match=message):
            expected_regret(losses, bad, lower=-1.0)


test_bad_actions_are_refused = refused(
    ([0, 2], "actions must be below n_experts = 2, but got 2"),
    ([0, -1], "actions must be below n_experts"),
    ([0], r"actions must be indices of experts, one per round \(2\)"),
    ([0.0, 1.0], "actions must be indices of experts"),
    call=lambda chosen: regret([[0, 1], [1, 0]], chosen),
)
