"""Hard loss sequences: what they are, and that the worst ones are the worst."""

import math
from itertools import product

import numpy as np
import pytest

from privml.bounds.experts import best_eta, best_regret_bound
from privml.learners.experts import (
    expected_regret,
    random_losses,
    rotating_losses,
    worst_losses,
    worst_losses_of_two,
)


def test_random_losses_are_fair_but_for_the_first():
    losses = random_losses(20_000, 3, gap=0.2, rng=0)
    error = 5 * 0.5 / math.sqrt(20_000)
    assert losses.dtype == bool
    assert np.abs(losses.mean(axis=0) - [0.3, 0.5, 0.5]).max() < error


@pytest.mark.source("DR11-thm-11.1", "DR11-rem-rounds")
def test_no_learner_beats_fair_coins_and_the_bound_is_of_the_right_order():
    """For many experts the regret on fair coins is most of the sharp bound: no better rate is possible."""
    k, rounds = 300, 2000
    found = [expected_regret(random_losses(rounds, k, rng=seed), best_eta(k, rounds)) for seed in range(4)]
    bound = best_regret_bound(k, rounds)
    assert 0.6 * bound < np.mean(found) < bound


def test_who_follows_the_leader_suffers_in_every_round():
    losses, k = rotating_losses(60, 5), 5
    past = np.cumsum(losses, axis=0) - losses
    assert losses[np.arange(60), past.argmin(axis=1)].all()
    assert losses.mean(axis=0) == pytest.approx(np.full(k, 1 / k))
    assert expected_regret(losses, best_eta(k, 60)) < best_regret_bound(k, 60)


@pytest.mark.source("DR11-thm-11.1")
@pytest.mark.parametrize("eta", [0.2, 1.0])
def test_going_through_all_sequences_finds_the_worst(eta):
    found = worst_losses(3, 2, eta)
    every = [expected_regret(np.reshape(flat, (3, 2)), eta) for flat in product((0.0, 1.0), repeat=6)]
    assert found.regret == pytest.approx(max(every))
    assert expected_regret(found.losses, eta) == pytest.approx(found.regret)


@pytest.mark.source("DR11-thm-11.1")
@pytest.mark.parametrize("rounds", [1, 2, 5, 8])
@pytest.mark.parametrize("eta", [0.1, 0.7, 3.0])
def test_dynamic_programming_finds_the_worst_for_two_experts(rounds, eta):
    found = worst_losses_of_two(rounds, eta)
    assert found.regret == pytest.approx(worst_losses(rounds, 2, eta).regret)
    assert expected_regret(found.losses, eta) == pytest.approx(found.regret)


@pytest.mark.source("DR11-thm-11.1")
def test_the_worst_for_many_rounds_is_attained_and_worse_than_others():
    rates = np.linspace(0.5, 0.1, 300)
    found = worst_losses_of_two(300, rates)
    assert expected_regret(found.losses, rates) == pytest.approx(found.regret)
    for seed in range(5):
        assert expected_regret(random_losses(300, 2, rng=seed), rates) <= found.regret
    assert expected_regret(rotating_losses(300, 2), rates) <= found.regret


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="gap must be at most 1 / 2"):
        random_losses(2, 2, gap=0.6)
    for function in (random_losses, rotating_losses, lambda n, k: worst_losses(n, k, 0.1)):
        with pytest.raises(ValueError, match="n_rounds must be a positive integer"):
            function(0, 2)
        with pytest.raises(ValueError, match="n_experts must be a positive integer"):
            function(2, 0)
    with pytest.raises(ValueError, match="at most 500000 loss sequences"):
        worst_losses(20, 2, 0.1)
    with pytest.raises(ValueError, match="n_rounds must be at most 5000"):
        worst_losses_of_two(5001, 0.1)
    with pytest.raises(ValueError, match="eta must be positive"):
        worst_losses_of_two(5, 0.0)
