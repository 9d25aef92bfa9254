"""Private selection with random stopping: its law against sums over runs, and its promise against exact losses."""

import math

import numpy as np
import pytest

from privml.adjacency import Adjacency
from privml.composition import best_of_geometric, geometric_stopping
from privml.divergences import hockey_stick, max_divergence
from privml.guarantee import ConcentratedGuarantee, GaussianGuarantee, Guarantee

GAMMAS = (1.0, 0.9, 0.5, 0.1, 0.01, 1e-4)
EPSILONS = (1e-6, 0.1, 1.0, 5.0, 30.0)


def by_runs(p, gamma, most=4000):
    """The law of the best of a geometric number of draws, by the sum over the number of draws."""
    below = np.concatenate([[0.0], np.cumsum(p)])
    k = np.arange(1, most + 1)[:, None]
    chance = gamma * (1 - gamma) ** (k - 1)
    return (chance * (below[1:] ** k - below[:-1] ** k)).sum(axis=0)


@pytest.mark.parametrize("gamma", [1.0, 0.5, 0.05])
def test_the_law_is_a_sum_over_the_number_of_runs(gamma):
    for seed in range(5):
        p = np.random.default_rng(seed).dirichlet(np.ones(6))
        found = best_of_geometric(p, gamma).pmf()
        np.testing.assert_allclose(found, by_runs(p, gamma), rtol=1e-9)


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_formula_of_the_exact_loss(epsilon, gamma):
    found = geometric_stopping(Guarantee(epsilon), gamma)
    corner = 1 / (1 + math.exp(epsilon))
    other = 1 / (1 + math.exp(-epsilon))
    exact = epsilon + 2 * math.log(
        (gamma + (1 - gamma) * other) / (gamma + (1 - gamma) * corner)
    )
    assert found.epsilon == pytest.approx(exact, rel=1e-9)
    assert epsilon <= found.epsilon <= 3 * epsilon * (1 + 1e-14)
    assert found.delta == 0


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_no_pair_of_laws_loses_more_and_one_comes_as_near_as_you_like(epsilon, gamma):
    promised = geometric_stopping(Guarantee(epsilon), gamma).epsilon
    rng = np.random.default_rng(0)
    for _ in range(200):
        weights = rng.dirichlet(
            np.ones(rng.integers(2, 8)) * 10.0 ** rng.uniform(-2, 1)
        )
        p, q = worst_of(weights, rng.random(weights.size) < 0.5, epsilon)
        laws = best_of_geometric(p, gamma), best_of_geometric(q, gamma)
        assert max_divergence(*laws) <= promised * (1 + 1e-9)
        assert max_divergence(*laws[::-1]) <= promised * (1 + 1e-9)
    high, low = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    sliver = 1e-7  # of the worse half, next to the better one
    p = np.array([high * (1 - sliver), high * sliver, low])
    q = np.array([low * (1 - sliver), low * sliver, high])
    reached = max_divergence(best_of_geometric(p, gamma), best_of_geometric(q, gamma))
    assert promised * (1 - 1e-5) <= reached <= promised * (1 + 1e-9)


def worst_of(weights, raised, epsilon):
    """Two laws whose losses are all epsilon in size where the weights allow it: a random pair at the limit."""
    ratio = np.where(raised, math.exp(epsilon), 1.0)
    q = (weights + 1e-12) / (weights + 1e-12).sum()
    p = q * ratio
    p = p / p.sum()
    assert np.abs(np.log(p) - np.log(q)).max() <= epsilon * (1 + 1e-9) + 1e-12
    return p, q


@pytest.mark.parametrize("gamma", [0.5, 0.1, 0.01])
@pytest.mark.parametrize("delta", [1e-3, 0.1])
def test_a_delta_counts_the_runs_up_to_the_first_accident(gamma, delta):
    """With chance delta a run tells everything, by a result that is the best; else it is at the limit."""
    epsilon = 1.0
    found = geometric_stopping(Guarantee(epsilon, delta), gamma)
    stop = gamma + (1 - gamma) * delta
    assert found.delta == pytest.approx(delta / stop)
    high, low = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    for sliver in (1e-6, 0.1, 0.5):
        rest = (1 - delta) * np.array([1 - sliver, sliver])
        p = np.array([*high * rest, (1 - delta) * low, delta, 0.0])
        q = np.array([*low * rest, (1 - delta) * high, 0.0, delta])
        laws = best_of_geometric(p, gamma), best_of_geometric(q, gamma)
        lost = hockey_stick(*laws, found.epsilon)
        assert lost <= found.delta * (1 + 1e-9)
        assert lost >= found.delta * 0.999
        assert hockey_stick(*laws[::-1], found.epsilon) <= found.delta * (1 + 1e-9)


@pytest.mark.parametrize("gamma", [0.5, 0.1, 0.01])
@pytest.mark.parametrize("mu", [0.05, 0.3, 1.0])
def test_what_renyi_divergences_promise_holds_for_gaussian_scores(gamma, mu):
    """The released score is Gaussian, in cells of a fine grid, each a result; both directions."""
    grid = np.linspace(-9, 9 + mu, 4001)
    laws = []
    for centre in (0.0, mu):
        density = np.exp(-((grid - centre) ** 2) / 2)
        laws.append(best_of_geometric(density / density.sum(), gamma))
    for delta in (1e-3, 1e-6):
        found = geometric_stopping(GaussianGuarantee(mu), gamma, delta=delta)
        assert found == geometric_stopping(
            ConcentratedGuarantee(mu**2 / 2), gamma, delta=delta
        )
        assert hockey_stick(*laws, found.epsilon) <= delta
        assert hockey_stick(*laws[::-1], found.epsilon) <= delta


def test_relations_stay_and_what_is_missing_is_asked_for():
    added = Guarantee(0.5, 0.0, Adjacency.ADD_OR_REMOVE_ONE, 2)
    found = geometric_stopping(added, 0.1)
    assert (found.adjacency, found.group_size) == (added.adjacency, 2)
    assert geometric_stopping(Guarantee(0.0), 0.1) == Guarantee(0.0)
    assert geometric_stopping(ConcentratedGuarantee(0.0), 0.1, delta=1e-6).epsilon == 0
    with pytest.raises(ValueError, match="delta must be given"):
        geometric_stopping(ConcentratedGuarantee(0.1), 0.1)
    with pytest.raises(ValueError, match="delta must be None"):
        geometric_stopping(Guarantee(0.1), 0.1, delta=0.1)
    for wrong in (0.0, 1.1, -1):
        with pytest.raises(ValueError, match="stopping_probability must be in"):
            geometric_stopping(Guarantee(0.1), wrong)
