"""What the chapter on concentrated privacy says of rho: worst pairs beside its constants."""

import math

import numpy as np
import pandas as pd
import pytest

from privml.divergences import renyi_divergence
from privml.guarantee import bounded_range_rho, laplace_rho, pure_rho
from tests.chapters import concentrated_privacy_functions as more
from tests.chapters.composition_functions import skewed_response
from tests.guarantee.test_rho import EPSILONS, ORDERS, quotient_of_laws


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_bounded_range_by_skewed_response(epsilon):
    largest_losses = np.linspace(0.02 * epsilon, 0.98 * epsilon, 97)
    found = max(quotient_of_laws(*skewed_response(epsilon, t)) for t in largest_losses)
    assert found <= bounded_range_rho(epsilon) * (1 + 1e-9)
    assert found == pytest.approx(bounded_range_rho(epsilon), rel=1e-3)
    assert bounded_range_rho(epsilon) <= bounded_range_rho(epsilon, conversion="simple")


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_laplace_noise(epsilon):
    orders = [
        1.0,
        *ORDERS[ORDERS > 1.01],
    ]  # close to 1 the formula of the page loses digits
    found = max(more.laplace_divergence(order, epsilon) / order for order in orders)
    assert found <= laplace_rho(epsilon) * (1 + 1e-9)
    assert found == pytest.approx(laplace_rho(epsilon), rel=1e-4)
    assert laplace_rho(epsilon) <= pure_rho(epsilon)


@pytest.mark.source("LZCW21-def-50")
@pytest.mark.parametrize("order", [1.5, 2.0, 5.0])
def test_the_divergences_of_noise_by_quadrature(order):
    """The moment is an integral of p (p / q)^(order - 1), computed on a fine grid."""
    grid, step = np.linspace(-60.0, 60.0, 1_200_001, retstep=True)
    shift = 0.8
    for log_density, closed in (
        (lambda x: -np.abs(x) - math.log(2), more.laplace_divergence(order, shift)),
        (lambda x: -(x * x) / 2 - math.log(2 * math.pi) / 2, order * shift**2 / 2),
    ):
        p, q = log_density(grid - shift), log_density(grid)
        moment = np.exp(order * p + (1 - order) * q).sum() * step
        assert closed == pytest.approx(math.log(moment) / (order - 1), rel=1e-8)


@pytest.mark.source("LZCW21-def-50", "LZCW21-lem-52")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_divergence_over_order_is_largest_at_order_one_where_it_is_the_tight_rho(
    epsilon,
):
    orders = np.array([1.0, 1.01, 1.3, 2.0, 5.0, 40.0])
    quotients = pd.DataFrame(
        [more.divergences(epsilon, order) for order in orders]
    ).div(orders, axis=0)
    tight = {
        "randomised response": pure_rho(epsilon),
        "Laplace noise": laplace_rho(epsilon),
        "bounded range": bounded_range_rho(epsilon),
        "Gaussian noise": epsilon**2 / 2,
    }
    for pair, rho in tight.items():
        assert quotients[pair].iloc[0] == pytest.approx(rho, rel=1e-4)
        assert (np.diff(quotients[pair]) <= 1e-12).all()
    assert tight["randomised response"] <= epsilon**2 / 2
    assert tight["bounded range"] <= epsilon**2 / 8


@pytest.mark.source("LZCW21-def-50")
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_random_pairs_of_bounded_range_are_made_from_skewed_response_and_stay_below_the_tight_rho(
    epsilon,
):
    rng, shares = np.random.default_rng(3), []
    for _ in range(300):
        p, q = more.range_pair(rng, epsilon, 4)
        assert np.ptp(p - q) == pytest.approx(epsilon)
        np.testing.assert_allclose(
            more.made_from_skewed(p, q, epsilon), np.exp([p, q]), atol=1e-9
        )
        quotients = [
            renyi_divergence(p, q, order, logs=True) / order
            for order in (1.0, 1.2, 2.0, 6.0)
        ]
        shares.append(max(quotients) / bounded_range_rho(epsilon))
    assert 0.9 < max(shares) <= 1
