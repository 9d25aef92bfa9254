"""The exponential mechanism on an interval: when the law exists, and closed forms."""

import math

import numpy as np
import pytest

from privml.mechanisms import ExponentialDensity


@pytest.mark.source("S16-rem-normaliser")
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("centre", [-2.0, 0.0, 100.0])
def test_minus_the_distance_gives_laplace_noise(epsilon, centre):
    law = ExponentialDensity(
        lambda y: -abs(y - centre), epsilon=epsilon, sensitivity=1.5, breakpoints=[centre]
    )
    scale = 2 * 1.5 / epsilon
    points = centre + np.array([-3.0, 0.0, 0.1, 10.0])
    expected = -np.abs(points - centre) / scale - math.log(2 * scale)
    assert law.logpdf(points) == pytest.approx(expected, rel=1e-9)


@pytest.mark.source("S16-rem-normaliser")
def test_a_truncated_and_a_constant_score_have_their_closed_forms():
    law = ExponentialDensity(lambda y: 0.0, epsilon=1.0, sensitivity=1.0, lower=2.0, upper=5.0)
    assert law.log_normaliser == pytest.approx(math.log(3.0))
    assert law.logpdf([1.9, 2.0, 5.0, 5.1]).tolist() == [
        -math.inf,
        *[pytest.approx(-math.log(3.0))] * 2,
        -math.inf,
    ]
    slope = ExponentialDensity(lambda y: y, epsilon=2.0, sensitivity=1.0, lower=0.0, upper=1.0)
    assert slope.log_normaliser == pytest.approx(math.log(math.e - 1))


def test_a_law_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="integral of exp"):
        ExponentialDensity(lambda y: 0.0, epsilon=1.0, sensitivity=1.0, breakpoints=[0.0])


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="lower must be a number less than upper"):
        ExponentialDensity(lambda y: 0.0, epsilon=1.0, sensitivity=1.0, lower=1.0, upper=1.0)
    with pytest.raises(ValueError, match="breakpoints must hold a finite point"):
        ExponentialDensity(lambda y: -abs(y), epsilon=1.0, sensitivity=1.0)
    for name in ("epsilon", "sensitivity"):
        with pytest.raises(ValueError, match=f"{name} must be positive"):
            ExponentialDensity(lambda y: 0.0, **{"epsilon": 1.0, "sensitivity": 1.0, name: math.nan})


def test_a_peak_far_above_every_breakpoint_raises_and_warns_of_nothing():
    def peak(y):
        return -1000 * (y - 3) ** 2

    with pytest.raises(ValueError, match="breakpoints must hold the place of the largest score"):
        ExponentialDensity(peak, epsilon=1.0, sensitivity=1.0, lower=0.0, upper=10.0)
    law = ExponentialDensity(peak, epsilon=1.0, sensitivity=1.0, lower=0.0, upper=10.0, breakpoints=[3.0])
    assert law.log_normaliser == pytest.approx(0.5 * np.log(np.pi / 500))
