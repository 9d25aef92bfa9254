"""Private online prediction: noise on the sums, its privacy, its least size and its regret, by matrices and games."""

from fractions import Fraction
from itertools import product
from math import comb, exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from privml.bounds.experts import best_eta
from privml.divergences import gaussian_delta, gaussian_mu
from privml.learners import experts
from tests.chapters.private_experts_today_functions import (
    chapter,
    leader_bound,
    leader_law,
    leader_regrets,
    square_root,
    sums_regrets,
    watched_bound,
)


def test_the_square_root_is_one_in_fractions():
    exact = [Fraction(comb(2 * n, n), 4**n) for n in range(40)]
    assert all(
        sum(exact[j] * exact[n - j] for j in range(n + 1)) == 1 for n in range(40)
    )
    assert chapter.root(40) == pytest.approx([float(f) for f in exact], rel=1e-13)
    assert chapter.ROWS[:3] == pytest.approx([1, 1 + 1 / 4, 1 + 1 / 4 + 9 / 64])


@pytest.mark.parametrize(("n_rounds", "k"), [(2, 2), (5, 3), (12, 10)])
def test_the_noise_of_the_sums_is_calibrated(n_rounds, k):
    """All noisy totals at once: shift and covariance as matrices, the largest distance over the rounds."""
    sigma = sqrt(k * chapter.ROWS[n_rounds - 2]) / gaussian_mu(1.0, 1e-6)
    mixing = square_root(n_rounds)
    inverse = np.linalg.inv(sigma**2 * mixing @ mixing.T)
    shifts = [np.arange(n_rounds) > s for s in range(n_rounds)]
    mu = max(sqrt(k * (shift @ inverse @ shift)) for shift in shifts)
    assert mu == pytest.approx(gaussian_mu(1.0, 1e-6), rel=1e-9)
    assert gaussian_delta(1.0, mu=mu * (1 - 1e-9)) <= 1e-6


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.5), (1.0, 1e-6), (0.1, 1e-9)])
def test_the_simple_noise_is_at_least_the_exact_one(epsilon, delta):
    assert sqrt(2 * log(1 / delta)) / epsilon >= 1 / gaussian_mu(epsilon, delta)


def test_the_choices_are_private_and_with_less_noise_are_not():
    epsilon, delta = 0.5, 0.02
    tables = [
        np.array(rows + ((0, 0),), float)
        for rows in product(((0, 0), (0, 1), (1, 0)), repeat=2)
    ]
    for share, holds in ((1.0, True), (0.2, False)):
        sigma = share * sqrt(2 * chapter.ROWS[1]) / gaussian_mu(epsilon, delta)
        laws = [leader_law(losses, sigma) for losses in tables]
        worst = max(
            np.maximum(p - exp(epsilon) * q, 0).sum()
            for (p, a), (q, b) in product(zip(laws, tables, strict=True), repeat=2)
            if (a != b).any(axis=1).sum() == 1
        )
        assert (worst <= delta + 1e-4) == holds, worst


@pytest.mark.parametrize("n_rounds", [1, 2, 3, 10, 60])
def test_the_least_noise_is_below_every_factorisation(n_rounds):
    adding = np.tril(np.ones((n_rounds, n_rounds)))
    values = np.linalg.svd(adding, compute_uv=False)
    angles = (2 * np.arange(1, n_rounds + 1) - 1) * pi / (2 * n_rounds + 1)
    assert values == pytest.approx(1 / (2 * np.sin(angles / 2)))
    least = (2 + log((2 * n_rounds + 1) / 3)) / pi
    assert least <= values.sum() / n_rounds * (1 + 1e-12)
    assert values.sum() / n_rounds <= chapter.ROWS[n_rounds - 1] * (1 + 1e-12)
    root = square_root(n_rounds)
    assert root @ root == pytest.approx(adding)
    rng = np.random.default_rng(n_rounds)
    for _ in range(20):
        left = np.eye(n_rounds) + 0.3 * rng.standard_normal((n_rounds, n_rounds))
        right = np.linalg.solve(left, adding)
        size = np.linalg.norm(left, axis=1).max() * np.linalg.norm(right, axis=0).max()
        assert size >= least


def test_the_square_root_is_near_the_least_noise_for_every_length():
    n_rounds = np.arange(1, 10**6 + 1)
    upper = 1 + (1 + np.log(n_rounds)) / pi
    lower = (2 + np.log((2 * n_rounds + 1) / 3)) / pi
    assert (lower <= chapter.ROWS).all()
    assert (chapter.ROWS <= upper).all()
    assert (upper - lower < 0.82).all()
    assert 0.81 < (upper - lower)[-1]


def test_the_mean_of_the_largest_normal():
    assert chapter.largest_normal(1) == pytest.approx(0, abs=1e-9)
    assert chapter.largest_normal(2) == pytest.approx(1 / sqrt(pi), abs=1e-6)
    assert chapter.largest_normal(3) == pytest.approx(1.5 / sqrt(pi), abs=1e-6)
    x = np.linspace(-9, 9, 200_001)
    for k in (10, 1000):
        density = k * norm.pdf(x) * norm.cdf(x) ** (k - 1)
        assert chapter.largest_normal(k) == pytest.approx(
            np.trapezoid(x * density, x), abs=1e-6
        )
        assert chapter.largest_normal(k) <= sqrt(2 * log(k))


@pytest.mark.parametrize("spread", [0.5, 2.0, 6.0])
@pytest.mark.parametrize("eta", [0.1, 0.5, 1.5])
def test_noisy_sums_regret_no_more_than_the_bound_on_all_losses(eta, spread):
    for n_rounds in (1, 3, 6):
        bound = eta / 8 + log(2) / (eta * n_rounds)
        bound += spread * chapter.largest_normal(2) / n_rounds
        assert 0 < sums_regrets(n_rounds, eta, spread).max() <= bound


def test_the_simulated_regret_of_the_noisy_sums_is_the_exact_one():
    rng = np.random.default_rng(4)
    losses = rng.integers(0, 2, (6, 2)).astype(float)
    tables = np.array(list(product(product((0, 1), repeat=2), repeat=6)), dtype=float)
    at = (tables == losses).all(axis=(1, 2)).argmax()
    exact = sums_regrets(6, 0.5, 1.3)[at]
    draws = [chapter.sums_regret(losses, 0.5, 1.3, rng) for _ in range(4000)]
    assert abs(np.mean(draws) - exact) < 4 * np.std(draws) / sqrt(4000)


@pytest.mark.parametrize("sigma", [0.3, 0.8, 1.5, 3.0, 10.0])
def test_the_leader_of_two_regrets_no_more_than_the_bound_on_all_losses(sigma):
    for n_rounds in (1, 3, 6):
        found = leader_regrets(n_rounds, sigma).max()
        assert 0 < found <= leader_bound(n_rounds, 2, sigma)


def test_the_bounds_of_the_map_hold_at_the_clinic():
    rng, n_rounds = np.random.default_rng(6), 2000
    losses = chapter.clinic_losses(n_rounds, rng)
    k = losses.shape[1]
    promised = chapter.all_bounds(1.0, 1e-6, n_rounds, k)
    spread = sqrt(k) * chapter.ROWS[n_rounds - 1] / gaussian_mu(1.0, 1e-6)
    best = best_eta(k, n_rounds)
    assert chapter.sums_regret(losses, best, spread, rng) <= promised["noisy sums"]
    eta = min(chapter.lazy_rate(1.0, 1e-6, n_rounds)[0], best)
    assert experts.expected_regret(losses, eta) <= promised["lazy"] + 1e-12


@pytest.mark.parametrize(
    ("k", "epsilon", "sums", "majority"),
    [
        (2, 1.0, 0.0147, 0.0100),
        (10, 1.0, 0.0658, 0.0331),
        (100, 1.0, 0.211, 0.0661),
        (2, 0.1, 0.0429, 0.0865),
        (10, 0.1, 0.193, 0.287),
        (100, 0.1, 0.619, 0.575),
    ],
)
def test_the_table_of_the_problem_on_watched_sums(k, epsilon, sums, majority):
    found = watched_bound(10**5, k, gaussian_mu(epsilon, 1e-6))
    assert found == pytest.approx(sums, rel=5e-3)
    rate = experts.private_eta(epsilon, 1e-6, 10**5)
    assert chapter.weighted_bound(rate, 10**5, k) == pytest.approx(majority, rel=5e-3)
