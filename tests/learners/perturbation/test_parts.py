"""Losses, noise, calibration, strengths and steps: each against an independent computation."""

from math import exp, log1p, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

from privml.divergences import gaussian_delta
from privml.learners import ObjectivePerturbation, OutputPerturbation, perturbation
from privml.learners.perturbation.base import minimiser, objective
from privml.learners.perturbation.minimisers import _log_delta
from privml.learners.preprocessing import centred_rows

MARGINS = np.linspace(-6, 6, 2001)


@pytest.mark.parametrize("slope", [0.1, 0.5, 0.8, 1.0])
def test_the_cut_loss_is_convex_smooth_and_as_steep_as_it_says(slope):
    loss, h = perturbation.CutLogisticLoss(slope), 1e-5
    derivative = (loss.value(MARGINS + h) - loss.value(MARGINS - h)) / (2 * h)
    np.testing.assert_allclose(loss.derivative(MARGINS), derivative, atol=1e-5)
    assert (np.diff(loss.derivative(MARGINS)) >= -1e-15).all()
    assert -loss.derivative(MARGINS).min() <= slope
    assert loss.second_derivative(MARGINS).max() <= loss.smoothness
    assert (
        np.diff(loss.derivative(MARGINS)) <= loss.smoothness * np.diff(MARGINS) + 1e-15
    ).all()


def test_with_slope_one_it_is_the_logistic_loss():
    found = perturbation.CutLogisticLoss(1.0).value(MARGINS)
    np.testing.assert_allclose(found, np.log1p(np.exp(-MARGINS)), rtol=1e-12)
    assert perturbation.CutLogisticLoss(1.0).border == -np.inf


@pytest.mark.parametrize("slope", [0.0, 1.5])
def test_a_slope_outside_of_its_range_is_refused(slope):
    with pytest.raises(ValueError, match="slope"):
        perturbation.CutLogisticLoss(slope)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_radial_law_integrates_to_one_and_has_its_mean_square(dimension):
    law = perturbation.RadialLaplace(dimension, 0.7)
    surface = {1: 2.0, 2: 2 * np.pi, 3: 4 * np.pi}[dimension]

    def shell(r):
        point = np.zeros(dimension)
        point[0] = r
        return exp(law.logpdf(point)) * surface * r ** (dimension - 1)

    assert quad(shell, 0, 60)[0] == pytest.approx(1.0)
    assert quad(lambda r: r * r * shell(r), 0, 60)[0] == pytest.approx(law.mean_square)


def test_draws_of_the_radial_law_have_its_length_and_no_preferred_direction():
    rng = np.random.default_rng(0)
    drawn = np.array(
        [perturbation.RadialLaplace(4, 2.0).rvs(rng=rng) for _ in range(4000)]
    )
    assert np.linalg.norm(drawn, axis=1).mean() == pytest.approx(
        8.0, abs=4 * 4.0 / sqrt(4000)
    )
    assert abs(drawn.mean(axis=0)).max() < 4 * drawn.std() / sqrt(4000)


def tilted_gaussian_delta(epsilon, mu):
    return min(1.0, exp(_log_delta(epsilon, mu)))


@pytest.mark.parametrize(
    ("epsilon", "mu"), [(1.0, 0.2), (0.3, 0.5), (0.05, 0.9), (2.0, 2.0), (0.0, 0.3)]
)
def test_the_closed_form_for_a_gaussian_tilt_is_the_integral(epsilon, mu):
    def excess(t):
        return t * exp(-t * t / 2) * max(0.0, -np.expm1(epsilon - mu * t - mu * mu / 2))

    found = quad(excess, max(0.0, epsilon / mu - mu / 2), 40)[0]
    assert tilted_gaussian_delta(epsilon, mu) == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 5.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-5, 0.05])
def test_the_inverse_is_on_the_safe_side_and_tight(epsilon, delta):
    mu = perturbation.tilted_gaussian_mu(epsilon, delta)
    assert tilted_gaussian_delta(epsilon, mu) <= delta
    assert tilted_gaussian_delta(epsilon, mu * (1 + 1e-6)) > delta


def test_a_tilt_needs_more_noise_than_a_plain_gaussian_release_and_less_than_by_the_tail_bound():
    for epsilon in (0.1, 1.0, 2.0):
        mu = perturbation.tilted_gaussian_mu(epsilon, 1e-5)
        assert tilted_gaussian_delta(epsilon, mu) > gaussian_delta(epsilon, mu=mu)
        assert 1 / mu < sqrt(8 * np.log(2 / 1e-5) + 4 * epsilon) / (2 * epsilon)


@pytest.mark.parametrize("total", [0.0, 0.1, 3.0])
def test_the_budget_adds_up_and_leaves_at_least_half(total):
    for epsilon in (0.1, 1.0, 4.0, 5000.0):  # a large one without an overflow
        left, used = perturbation.tilt_budget(epsilon, total)
        assert left + log1p(0.25 / used) == pytest.approx(epsilon)
        assert left >= epsilon / 2
        assert used >= total
        assert used > 0


def test_noise_of_a_vector_is_that_of_its_two_mechanisms():
    assert perturbation.vector_noise(5, 2.0, 0.5) == perturbation.RadialLaplace(5, 4.0)
    gaussian = perturbation.vector_noise(5, 2.0, 0.5, 1e-5).mean_square
    assert gaussian_delta(0.5, mu=2.0 / sqrt(gaussian / 5)) <= 1e-5 * (1 + 1e-9)
    drawn = perturbation.vector_noise(20_000, 2.0, 0.5, 1e-5).rvs(rng=0)
    assert drawn.var() == pytest.approx(gaussian / 5, rel=4 * sqrt(2 / 20_000))


def proved_output(strength, n, d, epsilon, norm, slope):
    loss = perturbation.CutLogisticLoss(slope)
    sensitivity = perturbation.output_sensitivity(n, strength, slope=slope)
    V = perturbation.vector_noise(d, sensitivity, epsilon).mean_square
    return strength * norm**2 / 2 + loss.smoothness / 2 * V


@pytest.mark.parametrize("slope", [0.25, 1.0])
def test_the_rules_for_the_strength_minimise_the_proved_bounds(slope):
    n, d, epsilon, norm = 500, 20, 0.7, 6.0

    def bound(t):
        return proved_output(exp(t), n, d, epsilon, norm, slope)

    best = minimize_scalar(bound, bounds=(-12, 3), method="bounded")
    found = OutputPerturbation(epsilon, norm=norm, slope=slope)._strength(n, d)
    assert np.log(found) == pytest.approx(best.x, abs=1e-3)
    assert best.fun == pytest.approx(0.75 * found * norm**2, rel=1e-6)
    V = perturbation.tilt_noise(d, epsilon, slope=slope).mean_square

    def bound(t):
        return exp(t) * norm**2 / 2 + V / (2 * n**2 * exp(t))

    best = minimize_scalar(bound, bounds=(-12, 3), method="bounded")
    found = ObjectivePerturbation(epsilon, norm=norm, slope=slope)._strength(n, d)
    assert np.log(found) == pytest.approx(best.x, abs=1e-3)


def test_the_schedule_minimises_the_proved_bound_and_respects_the_smoothness():
    n, d, mu, norm = 700, 12, 0.3, 8.0
    for slope in (0.5, 1.0):
        steps, rate = perturbation.descent_schedule(n, d, mu, norm=norm, slope=slope)
        V = d * (2 * slope / (n * mu)) ** 2

        def bound(t, V=V):
            return norm**2 / (2 * exp(t)) + exp(t) * V

        best = minimize_scalar(bound, bounds=(0, 12), method="bounded")
        assert np.log(steps * rate) == pytest.approx(best.x, abs=1e-3)
        assert rate <= 1 / perturbation.CutLogisticLoss(slope).smoothness
    assert perturbation.descent_schedule(10**6, d, mu, norm=norm, max_steps=50) == (
        50,
        4.0,
    )
    assert (
        perturbation.descent_schedule(n, d, mu, norm=norm, n_steps=1000).n_steps == 1000
    )


@pytest.mark.parametrize("slope", [0.5, 1.0])
def test_the_minimiser_has_no_gradient_left(slope):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 8)) / 4
    tilt = rng.normal(size=8)
    loss = perturbation.CutLogisticLoss(slope)
    for total in (0.05, 5.0, 5000.0):
        weights = minimiser(rows, loss, total, tilt)
        value, gradient = objective(weights, rows, loss, total, tilt)
        assert abs(gradient).max() < 1e-5 * max(total, 1.0)
        for _ in range(3):
            assert (
                objective(weights + 0.01 * rng.normal(size=8), rows, loss, total, tilt)[
                    0
                ]
                > value
            )


def test_centred_rows_use_declared_ranges_only():
    X = np.array([[0.0, 5.0], [1.0, 7.5], [9.0, np.nan], [0.5, 5.0]])
    rows = centred_rows(X, lower=[0.0, 0.0], upper=[1.0, 10.0])
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 0])
    np.testing.assert_allclose(rows[1], np.array([1, 0.5]) / sqrt(1.25))
    assert np.array_equal(
        rows[:1], centred_rows(X[:1], lower=[0.0, 0.0], upper=[1.0, 10.0])
    )
    loose = centred_rows(X, lower=[0.0, 0.0], upper=[1.0, 10.0], unit=False)
    assert np.linalg.norm(loose, axis=1).max() <= 1
    np.testing.assert_allclose(loose[1], np.array([1, 0.5]) / sqrt(2))


@pytest.mark.parametrize(
    "bounds", [(1.0, 1.0), (0.0, np.inf), (np.nan, 1.0), ([0.0, 2.0], 1.0)]
)
def test_an_empty_range_is_refused(bounds):
    with pytest.raises(ValueError, match="lower < upper"):
        centred_rows(np.zeros((2, 2)), *bounds)
