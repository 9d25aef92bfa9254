"""Conversions of guarantees: each kind states the others, exactly where that can be checked."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from privml.adjacency import Adjacency
from privml.composition import optimal_epsilon
from privml.divergences import gaussian_delta
from privml.guarantee import (
    BoundedRangeGuarantee,
    ConcentratedGuarantee,
    GaussianGuarantee,
    Guarantee,
    pure_mu,
)
from privml.mechanisms import GaussianMechanism

NEIGHBOURS = {"adjacency": Adjacency.ADD_OR_REMOVE_ONE, "group_size": 3}
EPSILONS = (1e-10, 1e-3, 0.5, 0.999999, 1.0, 4.0, 30.0, 600.0)
PROMISES = (
    Guarantee(0.7, **NEIGHBOURS),
    Guarantee(0.7, 1e-6, **NEIGHBOURS),
    ConcentratedGuarantee(0.2, **NEIGHBOURS),
    GaussianGuarantee(0.4, **NEIGHBOURS),
    BoundedRangeGuarantee(0.6, **NEIGHBOURS),
)
WAYS = {
    "as_pure": "10001",
    "as_gaussian": "10011",
    "as_concentrated": "10111",
    "as_approximate": "11111",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", range(5))
def test_every_kind_states_the_kinds_that_follow_from_it_and_refuses_the_others(
    way, place
):
    promise, arguments = PROMISES[place], (1e-5,) * (way == "as_approximate")
    if WAYS[way][place] == "0":
        with pytest.raises(ValueError, match="guarantee must be pure"):
            getattr(promise, way)(*arguments)
        return
    found = getattr(promise, way)(*arguments)
    assert (found.adjacency, found.group_size) == tuple(NEIGHBOURS.values())


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_mu_of_pure_privacy_is_the_smallest(epsilon):
    """The Gaussian trade-off function lies below the one of randomised response, and touches its corner."""
    mu = pure_mu(epsilon)
    log_corner = -epsilon - math.log1p(math.exp(-epsilon))
    assert norm.logcdf(-mu / 2) == pytest.approx(log_corner, rel=1e-11)
    assert norm.logcdf(-mu / 2) <= log_corner + 1e-15 * abs(log_corner)
    if epsilon < 30:
        errors = np.linspace(0, 1, 2001)
        response = np.maximum(
            1 - math.exp(epsilon) * errors, math.exp(-epsilon) * (1 - errors)
        )
        assert (norm.cdf(norm.isf(errors) - mu) <= response + 1e-12).all()


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_a_gaussian_guarantee_of_a_pure_one_covers_its_curve(epsilon):
    mu = Guarantee(epsilon).as_gaussian().mu
    for smaller in np.linspace(0, epsilon, 9):
        delta = (math.exp(epsilon) - math.exp(smaller)) / (1 + math.exp(epsilon))
        assert delta <= gaussian_delta(smaller, mu=mu) * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [1e-4, 0.3, 1.0, 10.0])
@pytest.mark.parametrize("own", [0.0, 1e-6, 0.01])
@pytest.mark.parametrize("delta", [0.01, 0.2, 0.9])
def test_a_larger_delta_gives_the_smallest_epsilon(epsilon, own, delta):
    found = Guarantee(epsilon, own).as_approximate(delta)
    share = (delta - own) / (1 - own)
    least = math.exp(epsilon) - (1 + math.exp(epsilon)) * share
    exact = math.log(least) if least > 1 else 0.0
    assert found.epsilon == pytest.approx(exact, rel=1e-9, abs=1e-14)
    if delta > own:
        other = optimal_epsilon(epsilon, 1, delta, step_delta=own)
        assert found.epsilon == pytest.approx(other, rel=1e-9, abs=1e-12)
    assert Guarantee(epsilon, own).as_approximate(own) == Guarantee(epsilon, own)


def test_a_smaller_delta_is_refused():
    with pytest.raises(ValueError, match="delta must be at least 1e-06"):
        Guarantee(1.0, 1e-6).as_approximate(1e-7)
    with pytest.raises(ValueError, match="delta must be in"):
        GaussianGuarantee(1.0).as_approximate(0.0)


def test_gaussian_guarantees_are_those_of_gaussian_noise():
    mechanism = GaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=2.0)
    promise = mechanism.gaussian
    assert promise == GaussianGuarantee(mechanism.mu)
    assert promise.as_approximate(1e-5).epsilon == pytest.approx(1.0, rel=1e-9)
    assert promise.as_concentrated() == mechanism.concentrated
    assert promise.for_group(3).mu == pytest.approx(3 * mechanism.mu)
    assert GaussianGuarantee(0.0).as_approximate(1e-5) == Guarantee(0.0, 1e-5)
    assert promise.implies(GaussianGuarantee(1.0))
    added = GaussianGuarantee(0.5, Adjacency.ADD_OR_REMOVE_ONE)
    assert added.under(Adjacency.REPLACE_ONE) == GaussianGuarantee(1.0)


def test_a_bounded_range_is_stated_the_better_way():
    small, large = BoundedRangeGuarantee(0.5), BoundedRangeGuarantee(30.0)
    for promise in (small, large):
        for delta in (1e-9, 1e-3, 0.3):
            ways = (
                promise.as_pure().as_approximate(delta),
                promise.as_concentrated().as_approximate(delta),
            )
            assert promise.as_approximate(delta).epsilon == min(
                way.epsilon for way in ways
            )
    assert small.as_approximate(0.0) == Guarantee(0.5)
