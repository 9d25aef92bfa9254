"""Numerical composition is never below the exact values, and close to them."""

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from privml.adjacency import Adjacency
from privml.composition import (
    finite_loss,
    gaussian_loss,
    laplace_loss,
    numerical_composition,
)
from privml.divergences import PrivacyCurve, gaussian_epsilon
from tests.refusals import refused

ADD = Adjacency.ADD_OR_REMOVE_ONE


@pytest.mark.parametrize(("mu", "k"), [(0.02, 1000), (1.0, 1), (0.3, 10)])
@pytest.mark.parametrize("delta", [1e-2, 1e-6])
def test_gaussian_noise_is_as_exact(mu, k, delta):
    found = numerical_composition(gaussian_loss(mu, k), delta=delta).epsilon
    exact = gaussian_epsilon(delta=delta, mu=mu * math.sqrt(k))
    assert exact <= found + 1e-9
    assert found == pytest.approx(exact, abs=2e-4)


def test_outcomes_of_infinite_loss_are_kept():
    with np.errstate(divide="ignore"):
        p, q = np.log([0.2, 0.8, 0.0]), np.log([0.3, 0.6, 0.1])
    for pair in ((p, q), (q, p)):
        assert finite_loss(*pair, 2, logs=True).delta(50.0) == pytest.approx(1 - 0.9**2)
    with pytest.raises(
        ValueError, match="delta must exceed the probability of an infinite loss"
    ):
        numerical_composition(finite_loss(p, q, 2, logs=True), delta=0.1)


def test_poisson_subsampled_gaussian_noise():
    found = numerical_composition(
        gaussian_loss(1.0, 1000, sampling_rate=0.01), delta=1e-5
    )
    assert found.epsilon == pytest.approx(1.8282, abs=5e-4)
    assert found.adjacency is Adjacency.ADD_OR_REMOVE_ONE


@pytest.mark.parametrize("order", [1, -1])
def test_one_direction_is_enough_only_where_all_steps_are_symmetric(order):
    """Laplace noise that does next to nothing keeps the worse direction of a pair that has two."""
    p, q = np.array([0.1, 0.9])[::order], np.array([0.01, 0.99])[::order]
    directions = [
        PrivacyCurve.between(*pair).epsilon(0.03) for pair in ((p, q), (q, p))
    ]
    assert max(directions) > 10 * min(directions)
    for pair in ((p, q), (q, p)):
        found = (finite_loss(*pair) + laplace_loss(1e-3)).epsilon_bounds(0.03)
        assert found.upper >= max(directions) * (1 - 1e-12)
        assert found.upper <= max(directions) * 1.002


def replace_one_delta(mu, rate, epsilon):
    """Exact delta of Gaussian noise on a Poisson subsample when a record turns from mu to -mu."""
    x = np.linspace(-12, 12, 400_001)
    base, up, down = (
        np.exp(-((x - shift) ** 2) / 2) / np.sqrt(2 * np.pi) for shift in (0.0, mu, -mu)
    )
    p, q = (1 - rate) * base + rate * up, (1 - rate) * base + rate * down
    return float(np.maximum(0.0, p - math.exp(epsilon) * q).sum() * (x[1] - x[0]))


def test_a_subsampled_loss_prints_the_relation_it_was_computed_for():
    """Replacing a record of a sample with rate .9 is far worse than adding one: delta .0767 for 1e-3."""
    found = numerical_composition(gaussian_loss(1.0, sampling_rate=0.9), delta=1e-3)
    assert replace_one_delta(1.0, 0.9, found.epsilon) == pytest.approx(0.0767, abs=5e-4)
    assert found.adjacency is ADD
    with pytest.raises(
        ValueError, match="adjacency must be add-or-remove-one for Poisson subsampling"
    ):
        gaussian_loss(1.0, sampling_rate=0.9, adjacency=Adjacency.REPLACE_ONE)


def test_losses_of_two_relations_do_not_compose():
    sampled = gaussian_loss(0.5, sampling_rate=0.5)
    with pytest.raises(
        ValueError,
        match="the same neighbours, but got add-or-remove-one and replace-one",
    ):
        numerical_composition(sampled, laplace_loss(0.5), delta=1e-3)
    assert (
        numerical_composition(
            sampled, laplace_loss(0.5, adjacency=ADD), delta=1e-3
        ).adjacency
        is ADD
    )
    p = np.log([0.6, 0.4])
    assert (
        numerical_composition(
            finite_loss(p, p[::-1], adjacency=ADD, logs=True), delta=0.1
        ).adjacency
        is ADD
    )
    with pytest.raises(ValueError, match="an instance of NumericalLoss"):
        numerical_composition(sampled.parts, delta=1e-3)


test_what_is_out_of_range_is_refused = refused(
    lambda: gaussian_loss(1e300),
    lambda: gaussian_loss(30.0, sampling_rate=0.1),
    lambda: gaussian_loss(1.0, 10**13),
    lambda: laplace_loss(1e300),
    lambda: laplace_loss(1.0, 10**400),
    lambda: finite_loss([0.9, 0.1], [0.1, 0.9], 10**13),
    lambda: gaussian_loss(1.0, interval=-1.0),
    words="must be",
)


test_bad_input_is_refused = refused(
    (lambda: numerical_composition(delta=0.1), "losses must contain at least one loss"),
    (
        lambda: numerical_composition(gaussian_loss(1.0), delta=0.0),
        "delta must be in the open interval",
    ),
    (
        lambda: gaussian_loss(1.0, sampling_rate=2.0),
        "sampling_rate must be in the interval",
    ),
    (lambda: laplace_loss(1.0, 0), "k must be a positive integer"),
    (
        lambda: finite_loss(np.zeros(1), np.zeros(1), interval=0.0, logs=True),
        "interval must be positive",
    ),
)


def test_the_mu_of_clipped_records_is_that_of_the_relation():
    """Gradients 1 and -1, noise of 2: exact deltas of two of four and of all, for a replaced one."""
    sigma, x = 2.0, np.linspace(-40, 40, 200_001)

    def law(records, size):
        sums = [sum(batch) for batch in combinations(records, size)]
        return np.mean([stats.norm.pdf(x, loc=s, scale=sigma) for s in sums], axis=0)

    for size in (2, 4):
        p, q = law([1, 1, 1, 1], size), law([1, 1, 1, -1], size)
        exact = np.sum(np.maximum(p - np.exp(0.1) * q, 0)) * (x[1] - x[0])
        told = [
            gaussian_loss(c / sigma, sampling_rate=size / 4, scheme="subset").delta(0.1)
            for c in (1, 2)
        ]
        assert told[0] < 0.9 * exact
        assert exact <= told[1] * (1 + 1e-6)
    assert told[1] == pytest.approx(exact, rel=1e-5)
    assert "2 / sigma where one is replaced" in gaussian_loss.__doc__


def test_the_calculator_keeps_its_relation_without_sampling():
    """Its mu is 1 / multiplier, that of add-or-remove-one; the default for all records is replace-one."""
    page = Path("book/calculators.md").read_text()
    code = page[page.index("def descent") : page.index("def spent")]
    given = {
        "gaussian_loss": gaussian_loss,
        "Adjacency": Adjacency,
        "n_steps": 10,
        "sampling_rate": 1.0,
    }
    exec(code, given)
    assert given["descent"](2.0).adjacency is Adjacency.ADD_OR_REMOVE_ONE
