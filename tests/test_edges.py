"""Promises at the edges of floats: what adds up, what underflows, and what is refused with a reason."""

import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from sklearn.model_selection import KFold

from privml import DiscreteLaplaceMechanism, GaussianMechanism, Guarantee
from privml.coins import logistic_coin
from privml.composition import basic_composition, optimal_composition
from privml.divergences import discrete_laplace_delta
from privml.guarantee import concentrated_delta
from privml.learners import NoisyGradientDescent, search_guarantee
from privml.pate import readable_teachers
from tests.refusals import refused


def test_many_small_promises_are_not_lost_beside_a_large_one():
    small = [Guarantee(1e-16, 1e-25)] * 100_000
    whole = basic_composition(Guarantee(1.0, 1e-9), *small)
    assert whole.epsilon == pytest.approx(1 + 1e-11, rel=1e-15)
    assert whole.delta == pytest.approx(1e-9 + 1e-20, rel=1e-15, abs=0)
    assert str(whole).startswith("(1.00001,")
    found = search_guarantee(
        Guarantee(1.0), *small[:1000], cv=KFold(101), selection=Guarantee(0.0)
    )
    assert found.epsilon == pytest.approx(101 + 1e-11, rel=1e-15)


def test_a_tiny_budget_promises_something_and_not_nothing():
    learner = NoisyGradientDescent(1e-50, 1e-170, bounds="unit")
    assert learner.fit([[0.5, 0.1], [-0.5, 0.2]], [0, 1], rng=0).concentrated_.rho > 0


test_what_floats_cannot_carry_is_refused_with_a_reason = refused(
    (
        lambda: GaussianMechanism(epsilon=1.0, sensitivity=5e-324, delta=0.999),
        "sensitivity must leave",
    ),
    (
        lambda: concentrated_delta(rho=5e-324, epsilon=1e-300),
        "rho must be 0, or large enough",
    ),
    (
        lambda: optimal_composition(Guarantee(700.0, 0.999), 1000, 1 - 2**-53),
        "delta must be above",
    ),
    (lambda: readable_teachers(1.7e308, 1e-6), "sigma must leave at most"),
    (lambda: logistic_coin(Fraction(1, 3)).digit(9999), "index must be below 1000"),
)


@pytest.mark.parametrize(
    ("rho", "epsilon"), [(1e-300, 1e-300), (1e-300, 0.0), (1e-150, 1e-100)]
)
def test_the_conversion_ends_for_every_order_that_is_finite(rho, epsilon):
    assert (
        0 <= concentrated_delta(rho=rho, epsilon=epsilon) <= math.sqrt(2 * rho)
    )  # a total variation


def test_a_curve_of_a_large_sensitivity_takes_little_memory_and_agrees_with_the_sum():
    epsilons = np.linspace(0, 1, 300)
    tracemalloc.start()
    curve = DiscreteLaplaceMechanism(epsilon=1.0, sensitivity=10**6).privacy_curve(
        epsilons
    )
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()
    near = DiscreteLaplaceMechanism(epsilon=1.0, sensitivity=10**4).privacy_curve(
        epsilons
    )
    assert np.asarray(curve) == pytest.approx(np.asarray(near), abs=2e-4)
    by_tails, by_sum = (
        discrete_laplace_delta(0.3, shift=shift, scale=shift)
        for shift in (2**14 + 1, 2**14 - 1)
    )
    assert by_tails == pytest.approx(by_sum, rel=1e-3)
