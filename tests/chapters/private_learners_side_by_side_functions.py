"""Exact laws on a line, and bounds beside measured risks, for *private-learners-side-by-side*."""

from itertools import product
from math import expm1, log, log1p, sqrt

import numpy as np
from scipy.optimize import brentq

from privml.divergences import gaussian_mu
from privml.learners import (
    NoisyGradientDescent,
    ObjectivePerturbation,
    OutputPerturbation,
)
from privml.learners.perturbation import (
    CutLogisticLoss,
    RadialLaplace,
    tilt_budget,
    tilt_noise,
    tilted_gaussian_mu,
)
from privml.learners.perturbation.base import minimiser
from privml.results.private_erm_norms import World, sample

POINTS = np.concatenate([-np.logspace(2, -4, 800), [0.0], np.logspace(-4, 2, 800)])
MODELS = {
    "output perturbation, δ = 0": (OutputPerturbation, {}),
    "objective perturbation, δ = 0": (ObjectivePerturbation, {}),
    "objective perturbation, Gaussian": (ObjectivePerturbation, {"delta": 1e-5}),
    "noisy gradient descent": (NoisyGradientDescent, {"averaged": 1.0}),
}


def objective_logpdf(weights, rows, loss, total, log_noise):
    """Log density of the published weight on a line: that of the tilt, times the steepness."""
    w, a = np.asarray(weights, dtype=float)[:, None], np.asarray(rows, dtype=float)
    tilt = -loss.derivative(w * a) @ a - total * w[:, 0]
    return log_noise(tilt) + np.log(loss.second_derivative(w * a) @ a**2 + total)


def worst_loss(rows, others, slope, total, scale):
    """Largest privacy loss over all pairs of rows in the last place, on a line."""
    points, noise = POINTS / max(1.0, max(map(abs, rows))), RadialLaplace(1, scale)

    def law(row):
        return objective_logpdf(
            points,
            [*others, row],
            CutLogisticLoss(slope),
            total,
            lambda tilt: noise.logpdf(tilt[:, None]),
        )

    laws = [law(row) for row in rows]
    return max((p - q).max() for p, q in product(laws, repeat=2))


def line_loss(slope, determinants, epsilon, total):
    """Largest loss for nine rows, alone or beside two, if determinants are deducted."""
    left = epsilon - determinants * log1p(0.25 / total)
    if left <= 0:
        return np.nan
    scale = 2 * slope / left
    rows, company = np.linspace(-1, 1, 9), ([], [-1.0, 0.5])
    return max(worst_loss(rows, others, slope, total, scale) for others in company)


def unsquared_tilt(epsilon, total, radius):
    """Scale of the tilt and total strength by the rule without the square."""
    left = epsilon - 2 * log1p(radius / 4 / total)
    if left <= 0:
        left, total = epsilon / 2, max(total, radius / 4 / expm1(epsilon / 4))
    return 2 * radius / left, total


def exact_losses(radius, epsilon=1.0, total=1.0):
    """Exact loss of the rule without the square, and with it, on two records."""
    rows = np.linspace(-radius, radius, 9)
    scale, kappa = unsquared_tilt(epsilon, total, radius)
    left, squared = tilt_budget(epsilon, total, radius**2 / 4)
    without = worst_loss(rows, [0.0], 1.0, kappa, scale)
    return without, worst_loss(rows, [0.0], 1.0, squared, 2 * radius / left)


def deviations(epsilon, delta):
    """Standard deviations for a change of 1: a vector, and a tilt by three proofs."""
    root = sqrt(-2 * log(delta))
    tail = (root + sqrt(root**2 + 2 * epsilon)) / (2 * epsilon)
    line = 1 / gaussian_mu(epsilon, delta / 2)
    return (
        1 / gaussian_mu(epsilon, delta),
        line,
        1 / tilted_gaussian_mu(epsilon, delta),
        tail,
    )


def best_in_ball(rows, loss, norm):
    """Weights of length at most R with the least empirical risk."""

    def excess(total):
        return np.linalg.norm(minimiser(rows, loss, total)) - norm

    if excess(1e-6) <= 0:
        return minimiser(rows, loss, 1e-6)
    total = brentq(excess, 1e-6, len(rows) / norm, xtol=1e-12)
    found = minimiser(rows, loss, total)
    return found * (norm / np.linalg.norm(found))


def proved(model, m, d):
    """The theorem's bound on the expected excess risk of a fitted model."""
    if isinstance(model, OutputPerturbation):
        return 0.75 * model.strength_ * model.norm**2
    if isinstance(model, ObjectivePerturbation):
        total = m * model.strength_
        left = tilt_budget(model.epsilon, total).epsilon
        V = tilt_noise(d, left, model.delta).mean_square
        return (total * model.norm**2 / 2 + V / (2 * total)) / m
    return model.norm * sqrt(2 * d) / (m * sqrt(2 * model.concentrated_.rho))


def proved_and_measured(name, epsilon, norm, n_draws, m=1000, d=10, *, seed):
    """Bound, and mean excess of some fits over the best weights of length R."""
    world = World(decay=0.5, shift=0.0, share=0.5, contrast=0.35)
    rng = np.random.default_rng(seed)
    X, y, _, _ = sample(world, m, d, 0, rng=rng)
    rows, loss = np.where(y, 1.0, -1.0)[:, None] * X, CutLogisticLoss()
    kind, options = MODELS[name]
    model = kind(epsilon, norm=norm, bounds="unit", **options)
    fits = [model.fit(X, y, rng=1000 + draw).coef_[0] for draw in range(n_draws)]
    least = loss.value(rows @ best_in_ball(rows, loss, norm)).mean()
    measured = np.mean([loss.value(rows @ w).mean() for w in fits]) - least
    return proved(model, m, d), measured
