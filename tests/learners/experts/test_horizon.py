"""Unknown horizons: epochs, decreasing rates, and what both promise, by enumeration."""

import math
from itertools import product

import numpy as np
import pytest

from privml import audit
from privml.bounds.experts import best_eta, best_regret_bound, regret_bound
from privml.distributions import Categorical
from privml.guarantee import concentrated_rho
from privml.learners.experts import (
    action_probabilities,
    action_sequence_law,
    decreasing_regret_bound,
    doubling_epochs,
    doubling_probabilities,
    doubling_regret_bound,
    lasting_eta,
    private_eta,
    random_losses,
    rotating_losses,
    run_curves,
    schedule_guarantee,
    worst_losses,
    worst_losses_of_two,
)


@pytest.mark.parametrize("rounds", [1, 2, 3, 4, 7, 8, 1000])
def test_epochs_double_and_cover_every_round_once(rounds):
    epochs = doubling_epochs(rounds)
    assert [t for epoch in epochs for t in range(epoch.start, epoch.stop)] == list(range(rounds))
    lengths = [epoch.stop - epoch.start for epoch in epochs]
    assert lengths[:-1] == [2**m for m in range(len(lengths) - 1)]
    assert 1 <= lengths[-1] <= 2 ** (len(lengths) - 1)


def test_every_epoch_starts_afresh_with_the_rate_of_its_full_length():
    losses = np.random.default_rng(0).random((11, 3))
    asked = []

    def rate(length):
        asked.append(length)
        return 1 / length

    found = doubling_probabilities(losses, rate)
    assert asked == [1, 2, 4, 8]
    assert found[3:7] == pytest.approx(action_probabilities(losses[3:7], 1 / 4))
    assert found[7:] == pytest.approx(action_probabilities(losses[7:], 1 / 8))


@pytest.mark.parametrize("rounds", [1, 6, 100, 1000, 1025])
@pytest.mark.parametrize("k", [2, 30])
def test_the_regret_of_epochs_is_below_its_bound(rounds, k):
    def rate(length):
        return best_eta(k, length)

    bound = doubling_regret_bound(rounds, k, rate)
    for losses in (random_losses(rounds, k, rng=2), rotating_losses(rounds, k)):
        law = doubling_probabilities(losses, rate)
        assert (law * losses).sum() / rounds - losses.mean(axis=0).min() <= bound
    doubled = math.sqrt(2) / (math.sqrt(2) - 1) * best_regret_bound(k, rounds)
    assert bound <= doubled * (1 + 1e-12)


@pytest.mark.parametrize("rounds", [3, 4])
def test_an_unlimited_run_in_epochs_is_as_private_as_its_epochs(rounds):
    """All neighbours; the epochs are exactly private at (0.2, 0.2), and so is the whole."""

    def rate(length):
        return private_eta(0.2, 0.2, length, method="oblivious")

    def law(losses):
        rows, total = np.log(doubling_probabilities(losses, rate)), np.zeros(1)
        for row in rows:
            total = np.add.outer(total, row).ravel()
        return Categorical(total)

    vectors = np.array(list(product((0, 1), repeat=2)))
    found = audit.exact(law, vectors, rounds, ordered=True)
    assert 0.15 < found.delta(0.2) <= 0.2
    carried = audit.exact(lambda losses: action_sequence_law(losses, rate(2)), vectors, rounds, ordered=True)
    assert carried.delta(0.2) > 0.2


@pytest.mark.source("DR11-thm-11.1")
@pytest.mark.parametrize("rounds", [1, 4, 6])
@pytest.mark.parametrize("scale", [0.5, 2.0, 6.0])
def test_decreasing_rates_keep_their_bound_on_the_worst_losses(rounds, scale):
    eta = scale / np.sqrt(np.arange(1, rounds + 1))
    bound = decreasing_regret_bound(eta, 2)
    assert worst_losses(rounds, 2, eta).regret <= bound
    many = scale / np.sqrt(np.arange(1, 401))
    assert worst_losses_of_two(400, many).regret <= decreasing_regret_bound(many, 2)


@pytest.mark.source("DR11-thm-11.1")
def test_equal_rates_give_the_known_bound():
    for constant in ("dr11", "hoeffding"):
        found = decreasing_regret_bound(np.full(50, 0.3), 7, constant=constant)
        assert found == pytest.approx(regret_bound(0.3, 7, 50, constant=constant))


@pytest.mark.source("DR11-lem-rwm-exp-mech")
def test_a_schedule_costs_the_sum_of_its_rounds_and_grows_without_limit_at_root_t():
    eta = 0.1 / np.sqrt(np.arange(1, 10_001))
    found = [schedule_guarantee(eta[:n]).rho for n in (100, 1000, 10_000)]
    assert found[1] - found[0] == pytest.approx(0.005 * math.log(10), rel=0.01)
    assert found[2] - found[1] == pytest.approx(0.005 * math.log(10), rel=0.01)
    first, second = np.zeros((1000, 2)), np.zeros((1000, 2))
    first[0], second[0] = (0, 1), (1, 0)
    exact = run_curves(first, second, eta[:1000], resolution=150)
    assert exact.epsilon(1e-5) <= schedule_guarantee(eta[:1000]).approximate(1e-5).epsilon


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-5), (0.1, 0.01), (5.0, 1e-9)])
def test_lasting_rates_never_spend_the_budget(epsilon, delta):
    eta = lasting_eta(epsilon, delta, 30_000)
    assert (np.diff(eta) < 0).all()
    spent = schedule_guarantee(eta).rho
    assert 0.8 * concentrated_rho(epsilon, delta) < spent <= concentrated_rho(epsilon, delta)
    assert (lasting_eta(epsilon, delta, 10) == eta[:10]).all()


def test_bad_parameters_are_refused():
    for function in (doubling_epochs, lambda n: lasting_eta(1.0, 0.1, n)):
        with pytest.raises(ValueError, match="n_rounds must be a positive integer, got 0"):
            function(0)
    with pytest.raises(ValueError, match="eta must not increase"):
        decreasing_regret_bound([0.1, 0.2], 2)
    with pytest.raises(ValueError, match="eta must be positive in every round"):
        schedule_guarantee([0.1, -0.2])
    with pytest.raises(ValueError, match="eta must be positive"):
        doubling_probabilities([[0, 1]], lambda n: 0.0)
    with pytest.raises(ValueError, match="eta must be positive"):
        doubling_regret_bound(5, 2, lambda n: math.nan)


@pytest.mark.parametrize("method", ["simple", "concentrated", "oblivious"])
def test_a_rate_that_no_float_holds_is_refused(method):
    with pytest.raises(ValueError, match="must"):
        private_eta(1e-300, 1e-6, 1000, method=method)
