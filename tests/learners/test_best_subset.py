"""Private best subset selection: exact laws, exact audits, and the estimator."""

from itertools import combinations, product

import numpy as np
import pytest

from privml import audit
from privml.distributions import Categorical
from privml.learners import PrivateBestSubset
from privml.learners.best_subset import (
    coefficient_lattice,
    subset_risks,
    two_stage_distribution,
)
from privml.learners.penalised_erm import SquaredLoss, penalised_distribution

# records in the square with labels -1 and 1, and one useless record
X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
Y = np.array([1.0, -1.0, 1.0, -1.0, 0.0])
LATTICE = coefficient_lattice(1, 1.0, 1)
SUPPORTS = [[0], [1]]
OSCILLATION = SquaredLoss().oscillation(1.0)


def joint(epsilon_support, epsilon_fit=None, oscillation=OSCILLATION):
    """Law of support and coefficient as a function of the data."""

    def law(data):
        risks = subset_risks(*data, SUPPORTS, LATTICE)
        if epsilon_fit is None:
            return penalised_distribution(
                risks.ravel(), len(data[1]), epsilon_support, loss_range=oscillation
            )
        return two_stage_distribution(
            risks, len(data[1]), epsilon_support, epsilon_fit, oscillation=oscillation
        )

    return law


@pytest.mark.source("WLF16-ex-22")
def test_the_risks_are_means_of_squared_losses():
    rng = np.random.default_rng(0)
    records, targets = rng.uniform(-0.5, 0.5, size=(17, 5)), rng.uniform(-1, 1, size=17)
    supports, lattice = list(combinations(range(5), 3)), coefficient_lattice(3, 1.0, 2)
    found = subset_risks(records, targets, supports, lattice)
    for (i, S), (j, h) in product(enumerate(supports[::3]), enumerate(lattice[::7])):
        assert found[3 * i, 7 * j] == pytest.approx(
            ((records[:, S] @ h - targets) ** 2).mean(), abs=1e-12
        )


@pytest.mark.source("WLF16-ex-22")
@pytest.mark.parametrize("n_samples", [1, 2, 4])
@pytest.mark.parametrize("epsilon", [1.8, 18.0])
def test_the_two_stages_together_keep_the_sum_of_their_promises_on_all_neighbours(
    n_samples, epsilon
):
    found = audit.exact(joint(epsilon / 3, 2 * epsilon / 3), (X, Y), n_samples)
    assert 0.3 * epsilon < found.epsilon <= epsilon + 1e-12


@pytest.mark.source("WLF16-ex-22")
@pytest.mark.parametrize("n_samples", [1, 3])
def test_one_stage_keeps_epsilon_and_nearly_uses_it(n_samples):
    assert (
        0.45 * 1.8 < audit.exact(joint(1.8), (X, Y), n_samples).epsilon <= 1.8 + 1e-12
    )


def test_a_quarter_of_the_sensitivity_breaks_the_promise():
    assert audit.exact(joint(0.6, 1.2, OSCILLATION / 4), (X, Y), 2).epsilon > 1.8
    assert audit.exact(joint(1.8, oscillation=OSCILLATION / 4), (X, Y), 2).epsilon > 1.8


@pytest.mark.source("WLF16-ex-22")
def test_the_least_risk_of_a_support_moves_by_no_more_than_one_loss():
    """Over all neighbours: the minimum of functions of sensitivity w/n has sensitivity w/n."""
    rng = np.random.default_rng(1)
    moves = []
    for _ in range(300):
        records, targets = (
            rng.uniform(-0.7, 0.7, size=(3, 2)),
            rng.choice([-1.0, 1.0], size=3),
        )
        other, label = records.copy(), targets.copy()
        other[0], label[0] = rng.uniform(-0.7, 0.7, size=2), -targets[0]
        both = (records, targets), (other, label)
        least = [subset_risks(*data, SUPPORTS, LATTICE).min(axis=1) for data in both]
        moves.append(abs(least[0] - least[1]).max())
    assert max(moves) <= OSCILLATION / 3
    assert max(moves) > 0.1 * OSCILLATION / 3


def test_the_laws_by_hand():
    risks, c = np.array([[0.0, 0.2, 0.4], [0.1, 0.1, 0.9]]), 10 / (2 * 4.0)
    first = np.exp(-0.5 * c * np.array([0.0, 0.1]))
    second = np.exp(-1.5 * c * risks)
    expected = (
        (first / first.sum())[:, None] * second / second.sum(axis=1, keepdims=True)
    )
    np.testing.assert_allclose(
        two_stage_distribution(risks, 10, 0.5, 1.5, oscillation=4.0).pmf(),
        expected.ravel(),
    )
    whole = np.exp(-2.0 * c * risks)
    one = penalised_distribution(np.ravel(risks), 10, 2.0, loss_range=4.0)
    np.testing.assert_allclose(one.pmf(), (whole / whole.sum()).ravel())


@pytest.mark.source("WLF16-ex-22")
def test_one_stage_is_two_stages_with_the_free_energy_in_place_of_the_minimum():
    rng, c = np.random.default_rng(2), 12 * 1.5 / 2
    risks = rng.uniform(size=(4, 9))
    free = -np.log(np.exp(-c * risks).sum(axis=1)) / c
    first = Categorical(-c * free).pmf()
    second = [Categorical(-c * row).pmf() for row in risks]
    expected = np.concatenate([p * law for p, law in zip(first, second, strict=True)])
    np.testing.assert_allclose(
        penalised_distribution(np.ravel(risks), 12, 1.5).pmf(), expected
    )


def test_it_finds_the_support_when_there_is_enough_to_see():
    records = np.random.default_rng(3).uniform(-0.4, 0.4, size=(4000, 12))
    targets = records[:, 3] - 0.5 * records[:, 8]
    for method in ("one-stage", "two-stage"):
        law = PrivateBestSubset(8.0, 2, method=method).output_distribution(
            records, targets
        )
        share = law.pmf().reshape(66, -1).sum(axis=1)
        assert list(combinations(range(12), 2))[int(np.argmax(share))] == (3, 8)
        assert share.max() > 0.5


@pytest.mark.source("WLF16-ex-22")
@pytest.mark.parametrize(("size", "radius"), [(1, 0.4), (2, 1.0), (3, 2.0)])
def test_the_oscillation_is_that_of_the_worst_record_of_the_cube(size, radius):
    """Corners of the cube with the outermost targets, over the lattice; and the law uses that number."""
    scores = (
        np.array(list(product([-1.0, 1.0], repeat=size)))
        @ coefficient_lattice(size, radius, 6).T
    )
    losses = np.stack([(scores - y) ** 2 for y in np.linspace(-1, 1, 21)])
    exact = (losses.max(axis=2) - losses.min(axis=2)).max()
    claimed = SquaredLoss().oscillation(radius * np.sqrt(size))
    assert 0.85 * claimed < exact <= claimed + 1e-12
    learner = PrivateBestSubset(1.5, size, radius=radius, cells=2)
    found = learner.output_distribution(np.ones((4, size)), np.ones(4)).logpmf()
    risks = subset_risks(
        np.ones((4, size)),
        np.ones(4),
        [range(size)],
        coefficient_lattice(size, radius, 2),
    )
    np.testing.assert_allclose(
        found,
        penalised_distribution(np.ravel(risks), 4, 1.5, loss_range=claimed).logpmf(),
    )


@pytest.mark.parametrize(
    "parameters",
    [
        {"epsilon": 0.0},
        {"n_selected": 0},
        {"share": 1.0},
        {"n_selected": 2, "cells": 10**4},
    ],
)
def test_bad_parameters_raise_in_fit(parameters):
    with pytest.raises(ValueError, match="must"):
        PrivateBestSubset(**parameters).fit(X, Y)
