"""Quadrature is right within the error that it reports, and reports what it has not seen."""

import math

import numpy as np
import pytest

from privml.divergences import density_hockey_stick, gaussian_delta, laplace_delta

EPSILONS = np.array([0.0, 0.3, 1.0, 2.0])


def log_normal(x, centre=0.0, scale=1.0):
    return -0.5 * ((x - centre) / scale) ** 2 - math.log(scale * math.sqrt(2 * math.pi))


@pytest.mark.parametrize("mu", [0.1, 0.7, 1.3, 3.0])
def test_the_error_is_a_bound_for_gaussian_and_laplace_pairs(mu):
    found = density_hockey_stick(lambda x: log_normal(x, mu), log_normal, EPSILONS)
    assert (abs(found.value - gaussian_delta(EPSILONS, mu)) <= found.error).all()
    assert found.error.max() < 1e-9
    for breaks in ((), (0.0, mu)):
        found = density_hockey_stick(
            lambda x: -abs(x - mu) - math.log(2), lambda x: -abs(x) - math.log(2), EPSILONS, breaks=breaks
        )
        assert (abs(found.value - laplace_delta(EPSILONS, mu, 1.0)) <= found.error).all()
    assert found.error.max() < 1e-9


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_the_loss_may_cross_epsilon_more_than_once(scale):
    """Two widths: the loss is a parabola, and the best event an interval or the outside of one."""
    from scipy.special import ndtr

    epsilon = 0.4
    found = density_hockey_stick(lambda x: log_normal(x, 0.0, scale), log_normal, epsilon)
    edge = math.sqrt((epsilon + math.log(scale)) / (0.5 - 0.5 / scale**2))
    inside = [1 - 2 * ndtr(-edge / scale), 1 - 2 * ndtr(-edge)]
    outside = [2 * ndtr(-edge / scale), 2 * ndtr(-edge)]
    p, q = inside if scale < 1 else outside
    assert abs(found.value - (p - math.exp(epsilon) * q)) <= found.error < 1e-9


def test_a_bounded_interval_and_a_density_that_vanishes():
    """Uniform on [0, 1] against the density 2 x: the loss is -ln(2 x)."""
    found = density_hockey_stick(
        lambda x: 0.0, lambda x: math.log(2 * x) if x > 0 else -math.inf, 0.5, lower=0.0, upper=1.0
    )
    assert abs(found.value - math.exp(-0.5) / 4) <= found.error < 1e-9
    found = density_hockey_stick(
        lambda x: 0.0 if x < 0.5 else -math.inf, lambda x: 0.0, [0.0], lower=0.0, upper=1.0, breaks=[0.5]
    )
    assert found.error[0] >= 0.5  # half of the mass of p is missing: it is no density


@pytest.mark.parametrize("epsilon", [0.0, 0.5])
def test_quadrature_says_what_it_missed(epsilon):
    """A spike that no node hits is reported as an error of 1, not as a small one."""

    def spike(x, centre):
        return log_normal(x, centre, 1e-4)

    blind = density_hockey_stick(lambda x: spike(x, 30.0), lambda x: spike(x, 30.00005), epsilon)
    assert blind.error > 0.5
    seen = density_hockey_stick(
        lambda x: spike(x, 30.0), lambda x: spike(x, 30.00005), epsilon, lower=29.999, upper=30.001
    )
    assert seen.error < 1e-8


def test_bad_input_is_refused():
    for arguments, message in (
        ({"epsilon": math.nan}, "epsilon must be finite"),
        ({"epsilon": 1.0, "lower": 1.0, "upper": 0.0}, "lower must be below upper"),
        ({"epsilon": 1.0, "tolerance": 0.0}, "tolerance must be positive and finite"),
    ):
        with pytest.raises(ValueError, match=message):
            density_hockey_stick(log_normal, log_normal, **arguments)


def test_a_plateau_of_the_loss_at_epsilon_is_no_endless_row_of_crossings():
    """Two Laplace densities 0.5 apart have the losses -0.5 and 0.5 on half-lines, up to rounding."""

    def log_laplace(x, centre):
        return -abs(x - centre) - math.log(2)

    epsilons = np.linspace(-0.5, 0.5, 5)
    found = density_hockey_stick(
        lambda x: log_laplace(x, 0.0), lambda x: log_laplace(x, 0.5), epsilons, breaks=[0.0, 0.5]
    )
    wanted = [1 - math.exp((epsilon - 0.5) / 2) for epsilon in epsilons]
    assert found.value == pytest.approx(wanted, abs=1e-9)
