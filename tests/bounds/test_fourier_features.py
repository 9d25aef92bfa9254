"""Random Fourier features: the kernel's error, its exact variance, and what features cost."""

from math import exp, log, sqrt

import numpy as np
import pytest

from privml.bounds.fourier_features import (
    fourier_best_pairs,
    fourier_erm_gap,
    fourier_kernel_failure,
    fourier_kernel_pairs,
    fourier_kernel_variance,
)

SIZES = {"norm": 4.0, "lipschitz": 1.0, "oscillation": 4.0}


def kernels(n_pairs, delta, n_draws, paired):
    """Approximate Gaussian kernels ``exp(-delta^2 / 2)`` of two points, one a draw of the frequencies."""
    rng = np.random.default_rng(0)
    w, place = rng.normal(size=(n_draws, 2 * n_pairs)), 0.7
    if paired:
        return np.cos(w[:, :n_pairs] * delta).mean(axis=1)
    phases = rng.uniform(0, 2 * np.pi, size=w.shape)
    return 2 * (np.cos(w * place + phases) * np.cos(w * (place + delta) + phases)).mean(axis=1)


@pytest.mark.source("WLF16-rem-infinite-domain")
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("delta", [0.3, 1.0, 3.0])
def test_the_kernel_is_right_on_average_and_its_variance_is_as_computed(delta, paired):
    draws, k = 20_000, exp(-(delta**2) / 2)
    found = kernels(5, delta, draws, paired)
    variance = fourier_kernel_variance(k, k**4, 5, paired=paired)
    assert abs(found.mean() - k) < 5 * sqrt(variance / draws)
    fourth = ((found - found.mean()) ** 4).mean()
    assert abs(found.var() - variance) < 5 * sqrt((fourth - variance**2) / draws)


def test_pairs_are_never_worse_for_the_gaussian_kernel():
    for k in np.linspace(0, 1, 101):
        pairs, phases = (fourier_kernel_variance(k, k**4, 3, paired=paired) for paired in (True, False))
        assert pairs <= phases + 1e-15


@pytest.mark.source("WLF16-rem-infinite-domain")
@pytest.mark.parametrize("error", [0.2, 0.5])
def test_the_failure_probability_is_bounded_and_its_inverse_is_the_smallest(error):
    found = kernels(20, 1.5, 20_000, True)
    share = (abs(found - exp(-(1.5**2) / 2)) >= error).mean()
    assert share <= fourier_kernel_failure(20, error)
    n = fourier_kernel_pairs(error, 0.01, n_points=30)
    assert fourier_kernel_failure(n, error, n_points=30) <= 0.01
    assert fourier_kernel_failure(n - 1, error, n_points=30) > 0.01
    assert fourier_kernel_failure(1, 0.01, n_points=30) == 1.0
    assert fourier_kernel_failure(400, 0.3, n_points=6) == pytest.approx(15 * 2 * exp(-18))


@pytest.mark.source("WLF16-rem-infinite-domain")
def test_weights_from_the_spectral_representation_are_short_and_their_error_is_as_promised():
    """Sum of kernels at three points with weights of absolute sum C; exact variance bound C^2 / D."""
    rng, n_pairs, draws = np.random.default_rng(1), 10, 4000
    centres, alphas = np.array([-1.0, 0.3, 2.0]), np.array([0.5, -1.0, 0.5])
    norm, x = abs(alphas).sum(), 0.8
    f = alphas @ np.exp(-((x - centres) ** 2) / 2)
    w = rng.normal(size=(draws, n_pairs))
    a, b = (
        (alphas * np.cos(w[..., None] * centres)).sum(-1),
        (alphas * np.sin(w[..., None] * centres)).sum(-1),
    )
    assert np.sqrt((a**2 + b**2).mean(axis=1)).max() <= norm
    errors = (a * np.cos(w * x) + b * np.sin(w * x)).mean(axis=1) - f
    assert abs(errors.mean()) < 5 * norm / sqrt(n_pairs * draws)
    assert (errors**2).mean() < norm**2 / n_pairs


def test_the_gap_adds_approximation_and_dimension():
    gap = fourier_erm_gap(10**6, 1.0, 50, **SIZES)
    assert gap == pytest.approx(4 / sqrt(50) + 4 * 4.0 * 50 / 10**6)
    assert fourier_erm_gap(10, 1.0, 50, **SIZES) == pytest.approx(4 / sqrt(50) + 4.0)


@pytest.mark.parametrize("n_samples", [10, 2000, 10**6])
def test_the_best_number_of_features_is_best_among_all(n_samples):
    best = fourier_best_pairs(n_samples, 1.0, **SIZES)
    gaps = [
        fourier_erm_gap(n_samples, 1.0, pairs, **SIZES)
        for pairs in range(1, min(n_samples, 3 * best + 3) + 1)
    ]
    assert 1 + int(np.argmin(gaps)) == best or min(gaps) == gaps[best - 1]


def test_the_rate_is_the_third_root():
    gaps = [fourier_erm_gap(n, 1.0, fourier_best_pairs(n, 1.0, **SIZES), **SIZES) for n in (10**6, 10**9)]
    assert log(gaps[0] / gaps[1]) / log(1000) == pytest.approx(1 / 3, rel=1e-3)


@pytest.mark.parametrize(
    "call",
    [
        lambda: fourier_kernel_failure(0, 0.1),
        lambda: fourier_kernel_failure(5, 0.1, n_points=1),
        lambda: fourier_kernel_pairs(0.1, 1.0),
        lambda: fourier_erm_gap(5, 1.0, 1, norm=0.0, lipschitz=1.0, oscillation=1.0),
        lambda: fourier_kernel_variance(1.5, 0.0, 3),
        lambda: fourier_best_pairs(0, 1.0, **SIZES),
    ],
)
def test_bad_parameters_raise(call):
    with pytest.raises(ValueError, match="must"):
        call()
