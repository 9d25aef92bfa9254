"""Each tight rho is the largest quotient of a Renyi divergence and its order, over orders and worst laws."""

import math

import mpmath
import numpy as np
import pytest

from privml.divergences import renyi_divergence
from privml.guarantee import bounded_range_rho, gaussian_rho, laplace_rho, pure_rho
from privml.mechanisms import ExponentialMechanism, PermuteAndFlip

ORDERS = 1 + np.geomspace(1e-6, 100.0, 60)
EPSILONS = (0.05, 0.5, 1.0, 2.0, 5.0)


def largest_quotient(divergence):
    return max(divergence(float(order)) / order for order in ORDERS)


def quotient_of_laws(p, q):
    return largest_quotient(lambda order: renyi_divergence(p, q, order, logs=True))


@pytest.mark.source("LZCW21-lem-52", "LZCW21-def-50")
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_pure_privacy_by_randomised_response(epsilon):
    keep = 1 / (1 + math.exp(-epsilon))
    p, q = np.log([keep, 1 - keep]), np.log([1 - keep, keep])
    found = quotient_of_laws(p, q)
    assert found <= pure_rho(epsilon) * (1 + 1e-12)
    assert found == pytest.approx(pure_rho(epsilon), rel=1e-5)
    assert pure_rho(epsilon) <= pure_rho(epsilon, conversion="simple")


@pytest.mark.parametrize("seed", range(10))
def test_no_exponential_mechanism_exceeds_its_rho(seed):
    """Random scores and random neighbours of them: a loss of bounded range costs a quarter of a pure one."""
    rng, epsilon = np.random.default_rng(seed), 1.5
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    scores = rng.uniform(0, 3, size=6)
    p = mechanism.output_distribution(scores)
    q = mechanism.output_distribution(scores + rng.uniform(-1, 1, size=6))
    assert max(quotient_of_laws(p, q), quotient_of_laws(q, p)) <= bounded_range_rho(
        epsilon
    )


def test_permute_and_flip_is_charged_as_pure_since_it_exceeds_the_rho_of_a_bounded_range():
    mechanism = PermuteAndFlip(epsilon=1.5, sensitivity=1.0)
    found = quotient_of_laws(
        *(mechanism.output_distribution(scores) for scores in ([1.0, 0.0], [0.0, 1.0]))
    )
    assert 2 * bounded_range_rho(1.5, conversion="simple") < found <= pure_rho(1.5)


@pytest.mark.parametrize(
    "epsilon", [1e-9, 1e-4, 0.009, 0.011, 0.0999, 0.1001, 1.0, 10.0, 600.0]
)
def test_small_and_large_arguments_keep_their_digits(epsilon):
    with mpmath.workdps(60):
        e = mpmath.mpf(epsilon)
        bounded = mpmath.log(mpmath.expm1(e) / e) + e / mpmath.expm1(e) - 1
        laplace = e + mpmath.exp(-e) - 1
    assert bounded_range_rho(epsilon) == pytest.approx(float(bounded), rel=1e-12)
    assert laplace_rho(epsilon) == pytest.approx(float(laplace), rel=1e-12)


def test_zero_is_zero_and_simple_values():
    for rho in (pure_rho, bounded_range_rho, laplace_rho, gaussian_rho):
        assert rho(0.0) == 0.0
    assert (
        pure_rho(0.0, conversion="simple")
        == bounded_range_rho(0.0, conversion="simple")
        == 0.0
    )
    assert gaussian_rho(0.02) == pytest.approx(2e-4)
    assert pure_rho(1.0) == pytest.approx(math.tanh(0.5))
