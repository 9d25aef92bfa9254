"""The Gaussian curve against 400-digit arithmetic, and its inverses on the safe side of it."""

import math

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad

from privml.divergences import (
    discrete_laplace_delta,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_log_delta,
    gaussian_mu,
    laplace_delta,
)
from privml.divergences.noise import _tail_log_delta
from privml.guarantee import concentrated_delta, concentrated_epsilon

EPSILONS = (0.0, 1e-6, 0.1, 1.0, 10.0, 100.0, 800.0, 1e4)
DELTAS = (0.9, 0.1, 1e-5, 1e-15, 1e-30, 1e-200)


def exact_log_delta(epsilon, mu):
    """ln(Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu)) with 400 digits."""
    with mpmath.workdps(400):
        epsilon, mu = mpmath.mpf(epsilon), mpmath.mpf(mu)
        first, second = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
        tail = mpmath.erfc(-first / mpmath.sqrt(2)) / 2
        return mpmath.log(
            tail - mpmath.exp(epsilon) * mpmath.erfc(-second / mpmath.sqrt(2)) / 2
        )


def rounding(epsilon, mu, log_delta):
    a = abs(epsilon / mu - mu / 2)
    return 2.0**-50 * (1 + a * a + a * (epsilon / mu + mu / 2) - log_delta)


@pytest.mark.source("LZCW21-lem-44")
@pytest.mark.parametrize("mu", [1e-8, 1e-3, 0.1, 1.0, 10.0, 300.0])
@pytest.mark.parametrize("a", [-20.0, -3.0, 0.0, 1.0, 7.9, 8.1, 36.0])
def test_the_curve_has_the_digits_that_it_claims(mu, a):
    epsilon = max(0.0, mu * (a + mu / 2))
    found = gaussian_log_delta(epsilon, mu=mu)
    assert abs(found - exact_log_delta(epsilon, mu)) <= rounding(epsilon, mu, found)


def test_many_pairs_are_computed_at_once():
    epsilon, mu = np.array([[0.0], [1.0], [30.0]]), np.array([0.01, 1.0, 5.0, 80.0])
    together = gaussian_log_delta(epsilon, mu=mu)
    alone = [
        [gaussian_log_delta(float(e[0]), mu=float(m)) for m in mu] for e in epsilon
    ]
    np.testing.assert_allclose(
        together, alone, rtol=1e-14
    )  # the last bit depends on the processor's vectors
    np.testing.assert_allclose(
        np.exp(together), gaussian_delta(epsilon, mu=mu), rtol=1e-14
    )


def test_far_out_the_logarithm_goes_on_and_then_is_minus_infinity():
    assert gaussian_log_delta(1e4, mu=1.0) == pytest.approx(
        float(exact_log_delta(1e4, 1.0)), rel=1e-12
    )
    assert gaussian_log_delta(1e300, mu=1e-300) == -math.inf
    assert gaussian_log_delta(0.0, mu=1e4) == pytest.approx(0.0, abs=1e-300)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_the_largest_mu_keeps_the_promise_and_hardly_more(epsilon, delta):
    mu = gaussian_mu(epsilon, delta)
    assert exact_log_delta(epsilon, mu) <= mpmath.log(mpmath.mpf(delta))
    assert exact_log_delta(epsilon, mu * (1 + 1e-9)) > mpmath.log(mpmath.mpf(delta))


@pytest.mark.parametrize("mu", [1e-6, 0.02, 0.63, 5.0, 100.0])
@pytest.mark.parametrize("delta", DELTAS)
def test_the_smallest_epsilon_keeps_the_promise_and_hardly_more(mu, delta):
    epsilon = gaussian_epsilon(delta=delta, mu=mu)
    assert exact_log_delta(epsilon, mu) <= mpmath.log(mpmath.mpf(delta))
    if epsilon > 0:
        assert exact_log_delta(epsilon * (1 - 1e-9), mu) > mpmath.log(mpmath.mpf(delta))


def test_published_numbers():
    assert gaussian_epsilon(delta=1e-5, mu=math.sqrt(1000) / 50) == pytest.approx(
        2.5944, abs=5e-5
    )
    for epsilon, sigma in ((0.1, 30.7496), (1.0, 3.73063), (10.0, 0.499889)):
        assert 1 / gaussian_mu(epsilon, 1e-5) == pytest.approx(sigma, rel=5e-6)


def test_it_is_the_divergence_of_the_two_densities():
    def log_normal(x):
        return -0.5 * x * x - 0.5 * math.log(2 * math.pi)

    def excess(x, epsilon):
        return math.exp(log_normal(x - 0.7)) - math.exp(epsilon + log_normal(x))

    for epsilon in (0.0, 0.3, 1.0, 2.0):
        edge = epsilon / 0.7 + 0.35  # where the privacy loss is epsilon
        found, _ = quad(excess, edge, edge + 40, args=(epsilon,))
        assert found == pytest.approx(gaussian_delta(epsilon, mu=0.7), abs=1e-11)


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_bad_input_is_refused(bad):
    with pytest.raises(ValueError, match="epsilon must be non-negative and finite"):
        gaussian_log_delta(bad, mu=1.0)
    with pytest.raises(ValueError, match="mu must be positive and finite"):
        gaussian_log_delta(1.0, mu=bad)
    with pytest.raises(ValueError, match="mu must be positive and finite"):
        gaussian_epsilon(delta=0.1, mu=bad)
    with pytest.raises(
        ValueError, match=r"delta must be in the open interval \(0, 1\)"
    ):
        gaussian_mu(1.0, bad)


def test_numbers_that_could_be_swapped_are_named():
    """With the arguments exchanged this was an epsilon of 0, silently."""
    for function, names in (
        (gaussian_epsilon, ["delta", "mu"]),
        (concentrated_epsilon, ["rho", "delta"]),
        (concentrated_delta, ["rho", "epsilon"]),
        (gaussian_delta, ["epsilon", "mu"]),
        (gaussian_log_delta, ["epsilon", "mu"]),
        (laplace_delta, ["epsilon", "shift", "scale"]),
        (discrete_laplace_delta, ["epsilon", "shift", "scale"]),
    ):
        values = [0.5] * len(names)
        with pytest.raises(TypeError, match="positional argument"):
            function(*values)
        values[1:2] = [1] if names[1] == "shift" else values[1:2]
        assert function(**dict(zip(names, values, strict=True))) is not None


def test_the_quick_curve_of_one_pair_has_the_digits_that_it_claims():
    """Where it answers it is off by no more than it says, and it answers where people ask."""
    rng, answered = np.random.default_rng(0), 0
    for _ in range(300):
        mu = 10.0 ** rng.uniform(-2, 1.5)
        epsilon = max(0.0, mu * (rng.uniform(-20, 20) + mu / 2))
        found = _tail_log_delta(epsilon, mu)
        if found is not None:
            answered += 1
            assert abs(found[0] - exact_log_delta(epsilon, mu)) <= found[1] / 2
            assert found[1] < 1e-8
    assert answered > 100
    assert _tail_log_delta(1.0, 0.27) is not None
    assert _tail_log_delta(1.0, 1e-3) is None


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 20.0])
@pytest.mark.parametrize("delta", [0.2, 1e-5, 1e-9, 1e-14])
def test_the_largest_mu_is_exact_whichever_way_it_is_found(epsilon, delta):
    mu = gaussian_mu(epsilon, delta)
    assert exact_log_delta(epsilon, mu) <= math.log(delta)
    assert exact_log_delta(epsilon, mu * (1 + 1e-11)) > math.log(delta)
