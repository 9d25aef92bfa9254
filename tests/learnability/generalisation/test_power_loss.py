"""The example that ends WLF16: what it claims, what is true, and an example that works."""

from math import factorial

import numpy as np
import pytest
from scipy.integrate import quad

from privml.learnability import (
    LearningProblem,
    high_probability_floor,
    laplace_power_excess,
    power_loss_centre,
    power_loss_sensitivity,
)
from privml.learnability.problems import power_mean_problem


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.parametrize("power", [2, 4, 10])
def test_the_centre_is_the_best_on_a_fine_grid(power):
    rng = np.random.default_rng(0)
    problem: LearningProblem = power_mean_problem(5, 20_001, exponent=float(power))
    for counts in rng.integers(0, 5, size=(6, 5)) + [1, 0, 0, 0, 0]:
        best = problem.hypotheses[problem.empirical_risk(counts).argmin()]
        assert power_loss_centre(problem.records, counts, power) == pytest.approx(best, abs=2e-3)
    assert power_loss_centre([0.3, 0.9], [1, 0], power) == 0.3


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.erratum("WLF16-ex-appB-mean")
@pytest.mark.parametrize("n", [3, 10, 1000, 10**6])
def test_the_centre_is_far_more_sensitive_than_the_source_says(n):
    moved = power_loss_centre([0, 1], [n - 1, 1])
    assert moved == pytest.approx(power_loss_sensitivity(n), rel=1e-8)
    if n >= 10:
        assert moved > 2 / n
    assert power_loss_sensitivity(n, power=2) == pytest.approx(1 / n)


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.parametrize("scale", [0.05, 0.7])
def test_the_excess_of_noise_by_moments_is_the_integral(scale):
    values, weights = [0.0, 0.2, 1.0], [0.5, 0.3, 0.2]
    centre = power_loss_centre(values, weights)

    def risk(h):
        return np.dot(weights, np.abs(np.array(values) - h) ** 10)

    density = lambda t: np.exp(-abs(t) / scale) / (2 * scale)  # noqa: E731
    sides = [
        quad(lambda t: risk(centre + t) * density(t), *ends, limit=200)[0] for ends in ((-40, 0), (0, 40))
    ]
    exact = laplace_power_excess(values, weights, scale)
    assert sum(sides) - risk(centre) == pytest.approx(exact, rel=1e-5)


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.erratum("WLF16-ex-appB-mean/2")
def test_the_rate_of_the_source_is_that_of_one_term_and_not_the_largest():
    """Half zeros and half ones: order n^(-1/5), where 10! 2! / (epsilon n)^10 of order 1 / n is printed."""
    excess = {}
    for exponent in (30, 40, 50):
        scale = 2 * 10 ** (-exponent / 10)
        excess[exponent] = laplace_power_excess([0, 1], [1, 1], scale)
    assert excess[40] == pytest.approx(1.41e-8, rel=5e-3)
    printed = factorial(10) * 2 / 10**40
    assert printed == pytest.approx(7.3e-34, rel=0.01)
    assert printed * 512 == pytest.approx(3.7e-31, rel=0.01)
    slopes = [np.log10(excess[b] / excess[a]) / 10 for a, b in ((30, 40), (40, 50))]
    np.testing.assert_allclose(slopes, -1 / 5, atol=1e-3)
    assert laplace_power_excess([0.5], [1], 2e-4) == pytest.approx(printed * 512)


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.erratum("WLF16-ex-appB-mean/3")
def test_the_noise_leaves_the_interval_and_the_loss_exceeds_one():
    scale = 2 * 1000**-0.1
    assert scale == pytest.approx(1.0, abs=0.005)
    outside = np.exp(-0.5 / scale)
    assert outside > 0.6
    assert laplace_power_excess([0, 1], [1, 1], scale) > 1


@pytest.mark.source("WLF16-rem-appB", "WLF16-ex-appB-mean")
def test_squared_loss_separates_the_two_routes():
    """Epsilon = n^(-2/3) and noise 1 / (epsilon n): gap and stability of order n^(-2/3), below the floor."""
    for n in (10**4, 10**6, 10**8):
        epsilon = n ** (-2 / 3)
        gap = laplace_power_excess([0, 1], [1, 1], 1 / (epsilon * n), power=2)
        assert gap == pytest.approx(2 * n ** (-2 / 3))
        assert gap + epsilon < high_probability_floor(n)
    assert gap + epsilon == pytest.approx(1.4e-5, rel=0.01)
    assert high_probability_floor(10**4, 0.1) == pytest.approx(0.1 + np.sqrt(12 * np.log(40) / 10**4))
    assert high_probability_floor(n) - n**-0.5 == pytest.approx(1.1e-3, rel=0.03)


@pytest.mark.parametrize(
    "call",
    [
        lambda: power_loss_centre([0, 1], [1, 1], 3),
        lambda: power_loss_centre([0, 1], [1], 2),
        lambda: power_loss_centre([0, 1], [0, 0], 2),
        lambda: power_loss_centre([0, 1], [-1, 2], 2),
        lambda: power_loss_sensitivity(1),
        lambda: laplace_power_excess([0, 1], [1, 1], 0.0),
    ],
)
def test_bad_parameters_are_refused(call):
    with pytest.raises(ValueError):
        call()
