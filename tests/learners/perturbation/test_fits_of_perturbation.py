"""From the laws of the learners that add noise to their fits; the scales are worked out from the definitions.

A fit is compared exactly with the noise of the same coins.
"""

from functools import partial
from math import erfc, exp, expm1, log1p, sqrt

import numpy as np
import pytest

from privml.divergences import gaussian_delta
from privml.learners import (
    MeanClassifier,
    NoisyGradientDescent,
    ObjectivePerturbation,
    OutputPerturbation,
)
from privml.learners.perturbation import CutLogisticLoss
from privml.learners.preprocessing import _ball_rows


def records(n=40, d=2, seed=0):
    X = np.random.default_rng(seed).uniform(-0.6, 0.6, size=(n, d))
    return X, (X[:, 0] > 0).astype(int)


def gaussian_scale(sensitivity, epsilon, delta):
    """Least standard deviation whose exact privacy curve is at most delta, by bisection."""

    def curve(mu):
        phi = [erfc((epsilon / mu - s * mu / 2) / sqrt(2)) / 2 for s in (1, -1)]
        return phi[0] - exp(epsilon) * phi[1]

    low, high = 1e-6, 50.0
    for _ in range(100):
        middle = sqrt(low * high)
        low, high = (middle, high) if curve(middle) <= delta else (low, middle)
    return sensitivity / low


def radial(rng, d, scale):
    direction = rng.standard_normal(d)
    return direction / np.linalg.norm(direction) * rng.gamma(d, scale)


def noise_of(rng, d, sensitivity, epsilon, delta):
    if delta:
        return gaussian_scale(sensitivity, epsilon, delta) * rng.standard_normal(d)
    return radial(rng, d, sensitivity / epsilon)


NOISES = pytest.mark.parametrize("delta", [0.0, 1e-3, 1e-9])


@NOISES
@pytest.mark.parametrize("epsilon", [0.05, 0.7, 20.0])
def test_the_mean_is_off_by_noise_for_two_over_n(epsilon, delta):
    X, y = records(d=3)
    for seed in range(3):
        found = MeanClassifier(epsilon, delta).fit(X, y, rng=seed).coef_[0]
        noise = noise_of(np.random.default_rng(seed), 3, 2 / len(X), epsilon, delta)
        np.testing.assert_allclose(
            found, (np.where(y, 1, -1)[:, None] * X).mean(axis=0) + noise, rtol=1e-6
        )


def tilted_sigma(epsilon, delta, change):
    """Least deviation for which the integral of the chapter over the Rayleigh law is at most delta."""
    chi = np.linspace(0, 12, 400_001)
    weights = chi * np.exp(-(chi**2) / 2) * (chi[1] - chi[0])
    low, high = 1e-3, 1e3
    for _ in range(60):
        sigma = sqrt(low * high)
        mu = change / sigma
        found = weights @ np.maximum(-np.expm1(epsilon - mu * chi - mu**2 / 2), 0.0)
        low, high = (low, sigma) if found <= delta else (sigma, high)
    return high


@pytest.mark.parametrize("delta", [0.0, 1e-3, 1e-6])
@pytest.mark.parametrize("slope", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("strength", [1e-6, 0.05])
def test_objective_perturbation_tilts_by_what_the_determinant_leaves(
    strength, slope, delta
):
    """The tilt is read off the released weight: it is the force of the records minus the penalty's."""
    (X, y), epsilon = records(d=1), 0.7
    a, loss, bend = (
        np.where(y, X[:, 0], -X[:, 0]),
        CutLogisticLoss(slope),
        min(slope, 0.5),
    )
    total = max(strength * len(X), bend * (1 - bend) / expm1(epsilon / 2))
    left = epsilon - log1p(bend * (1 - bend) / total)
    scale = tilted_sigma(left, delta, 2 * slope) if delta else 2 * slope / left
    for seed in range(3):
        fit = ObjectivePerturbation(epsilon, delta, strength=strength, slope=slope).fit(
            X, y, rng=seed
        )
        assert fit.strength_ == pytest.approx(total / len(X))
        w, rng = fit.coef_[0, 0], np.random.default_rng(seed)
        unit = rng.standard_normal(1) if delta else radial(rng, 1, 1.0)
        assert -loss.derivative(w * a) @ a - total * w == pytest.approx(
            scale * unit[0], rel=1e-4, abs=1e-4
        )


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (3.0, 1e-3)])
def test_descent_adds_noise_whose_exact_curve_is_just_below_delta(epsilon, delta):
    X, y = records(d=1)
    options = {"n_steps": 1, "norm": 3.0, "slope": 0.25}
    fit = NoisyGradientDescent(epsilon, delta, **options).fit(X, y, rng=4)
    step = fit.coef_[0, 0] / fit.schedule_.rate
    noise = step - 0.25 * np.where(y, X[:, 0], -X[:, 0]).mean()
    sigma = noise / np.random.default_rng(4).standard_normal()
    assert (
        0.999 * delta
        < gaussian_delta(epsilon, mu=2 * 0.25 / len(X) / sigma)
        <= delta * (1 + 1e-9)
    )
    assert fit.concentrated_.rho == pytest.approx((2 * 0.25 / len(X) / sigma) ** 2 / 2)


@pytest.mark.parametrize(
    "kind",
    [MeanClassifier, OutputPerturbation, ObjectivePerturbation, NoisyGradientDescent],
)
def test_an_intercept_shares_the_unit_ball_with_the_record(kind):
    """A record and its constant have length at most 1, and the score is that of the released weights."""
    make, (X, y) = partial(kind, 0.7, 1e-3, fit_intercept=True), records()
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    np.testing.assert_allclose(np.linalg.norm(_ball_rows(X, None, True), axis=1), 1.0)
    fit, plain = make().fit(X, y, rng=1), partial(kind, 0.7, 1e-3)
    extended = np.column_stack([X, np.ones(len(X))]) / sqrt(2)
    other = plain().fit(extended, y, rng=1)
    scores = fit.decision_function(X)
    np.testing.assert_allclose(
        scores, other.decision_function(extended), rtol=1e-5, atol=1e-9
    )
    np.testing.assert_allclose(
        fit.coef_[0], other.coef_[0, :2] / sqrt(2), rtol=1e-5, atol=1e-9
    )
