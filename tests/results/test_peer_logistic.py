"""The audit of diffprivlib's logistic regression: its rule drawn by other means, and what its fits show."""

import numpy as np
import pytest

from privml import audit, results
from privml.results.peer_logistic import EPSILON, RADII, exact_loss


def drawn_weights(row, radius, n_draws, rng):
    """The rule by its own words: tilt the loss by Laplace noise and find the minimiser by bisection."""
    slack = 0.25 * radius / np.expm1(EPSILON / 4) - 1
    tilt = rng.laplace(scale=4 * radius / EPSILON, size=n_draws)
    low, high = np.full(n_draws, -1e3), np.full(n_draws, 1e3)
    for _ in range(80):
        w = (low + high) / 2
        slope = (
            -row / (1 + np.exp(np.clip(row * w, -700, 700))) + tilt + (1 + slack) * w
        )
        low, high = np.where(slope < 0, w, low), np.where(slope < 0, high, w)
    return w


@pytest.mark.parametrize("radius", RADII)
def test_the_exact_loss_of_the_rule_is_that_of_its_draws(radius):
    def sample(row, size, rng):
        return drawn_weights(row, radius, size, rng)

    found = audit.monte_carlo(sample, (0.0, radius), 200_000, rng=0)
    assert 0.8 * exact_loss(radius) < found.epsilon <= exact_loss(radius)


def test_fits_of_the_peer_lose_more_than_they_claim_and_no_more_than_the_rule_does():
    table = results.read("peer-logistic")
    np.testing.assert_allclose(
        table["exact"], [exact_loss(radius) for radius in table["radius"]], rtol=1e-8
    )
    for column in ("raw", "absolute"):
        assert (table[column] > EPSILON).all()
        assert (table[column] <= table["exact"]).all()
    assert (
        table["raw"] > 0.95 * table["absolute"]
    ).all()  # nobody has to tell the auditor to fold
