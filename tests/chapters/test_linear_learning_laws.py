"""Laws of averages of actions, which the chapter on linear learning computes, against draws and audits."""

import math
from itertools import product

import numpy as np
import pytest

from book.tools.programme import tangled
from privml import audit
from privml.composition import advanced_epsilon
from privml.learners.experts import run_guarantee
from privml.learners.linear import MarginLosses, linear_eta, mean_draw
from tests.learners.test_linear import sequence_law

chapter = tangled("linear-learning")
average_law, exact_curve = chapter.average_law, chapter.average_curve
CORNERS = np.array(list(product([-1.0, 1.0], repeat=2)))
LATTICE = np.array(list(product([-1.0, 0.0, 1.0], repeat=2)))


@pytest.mark.source("DR11-alg-17")
def test_the_average_law_is_that_of_the_sequence_counted():
    X = np.random.default_rng(3).uniform(-1, 1, size=(4, 3))
    counted = np.zeros((5, 5))
    draws = product(range(3), repeat=4)
    for sequence, probability in zip(draws, sequence_law(X, 0.7).pmf(), strict=True):
        weights = 1.0
        for t, choice in enumerate(sequence):
            behind = np.exp(-0.7 * X[:t].sum(axis=0))
            weights *= behind[choice] / behind.sum()
        assert probability == pytest.approx(weights, rel=1e-9)
        counted[sequence.count(0), sequence.count(1)] += probability
    np.testing.assert_allclose(average_law(X, 0.7).pmf(), counted[counted > 0], atol=1e-12)


@pytest.mark.source("DR11-alg-17")
def test_draws_follow_the_average_law():
    X, repeats = np.random.default_rng(4).uniform(-1, 1, size=(6, 2)), 4000
    rng = np.random.default_rng(5)
    found = [round(6 * mean_draw(X, 1.5, rng=rng)[0]) for _ in range(repeats)]
    law = average_law(X, 1.5).pmf()
    seen = np.bincount(found, minlength=7) / repeats
    assert (np.abs(seen - law) <= 5 * np.sqrt(law * (1 - law) / repeats) + 1e-12).all()


@pytest.mark.source("DR11-alg-17", "DR11-thm-11.5")
@pytest.mark.erratum("DR11-alg-17/1")
@pytest.mark.parametrize("law", [sequence_law, average_law])
@pytest.mark.parametrize(("universe", "n_samples"), [(CORNERS, 4), (LATTICE, 3)])
def test_every_pair_of_neighbours_keeps_four_eta_a_round_and_not_two(law, universe, n_samples):
    eta = 0.3
    found = audit.exact(lambda X: law(X, eta), universe, n_samples, ordered=True)
    assert found.epsilon <= 4 * eta * (n_samples - 1)
    assert found.epsilon > 2 * eta * (n_samples - 1)


@pytest.mark.source("DR11-thm-11.5")
@pytest.mark.parametrize("method", ["corrected", "source", "concentrated", "nonadaptive"])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-2), (1.0, 1e-5), (3.0, 0.3)])
def test_all_neighbours_of_a_small_universe_keep_epsilon_and_delta(method, epsilon, delta):
    n_samples = 5
    eta = linear_eta(epsilon, delta, n_samples, method=method)
    for law in (sequence_law, average_law):
        found = audit.exact(lambda X, law=law: law(X, eta), CORNERS, n_samples, ordered=True)
        assert found.delta(epsilon) <= delta


@pytest.mark.source("DR11-thm-11.5")
def test_the_optimal_rate_is_nearly_spent_by_two_coordinates_and_a_larger_one_is_not_private():
    """Even the average of the draws; so no accountant can do better but for a round or two."""
    epsilon, delta, n_samples = 1.0, 1e-3, 2000
    eta = linear_eta(epsilon, delta, n_samples, method="nonadaptive")
    assert 0.95 * delta < exact_curve(eta, n_samples).delta(epsilon) <= delta
    assert exact_curve(1.02 * eta, n_samples).delta(epsilon) > delta


@pytest.mark.source("DR11-thm-11.5")
@pytest.mark.erratum("DR11-thm-11.5/1")
def test_the_printed_rate_is_private_but_not_by_the_printed_argument():
    epsilon, delta, n_samples = 1.0, 1e-5, 1000
    printed = linear_eta(epsilon, delta, n_samples, method="source")
    per_round = epsilon / math.sqrt(8 * n_samples * math.log(1 / delta))
    assert 4 * printed == pytest.approx(2 * per_round)  # what Theorem 3.20 is given for (epsilon, delta)
    assert advanced_epsilon(4 * printed, n_samples - 1, delta) > epsilon
    assert advanced_epsilon(2 * printed, n_samples - 1, delta) <= epsilon
    assert run_guarantee(printed, n_samples, delta, loss_range=2, adaptive=True).epsilon < epsilon / 2
    assert exact_curve(printed, n_samples).delta(epsilon) == pytest.approx(3.2e-24, rel=0.05)


def test_the_order_of_the_records_matters():
    X, y = np.array([[1.0], [-1.0], [0.2], [0.4]]), np.array([1, 1, 0, 1])
    laws = [
        average_law(MarginLosses(X[order], 1.0 - 2.0 * y[order], intercept=False, signed=True)[:], 1.0)
        for order in ([0, 1, 2, 3], [3, 2, 1, 0])
    ]
    assert np.abs(laws[0].pmf() - laws[1].pmf()).max() > 0.01
