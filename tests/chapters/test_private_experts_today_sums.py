"""Private experts today: noise on the sums, its privacy and its regret, by matrices, orthants and games."""

from fractions import Fraction
from itertools import product
from math import comb, exp, pi, sqrt

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from book.tools.chapter_code import chapter_module
from privml.bounds.experts import best_eta
from privml.divergences import gaussian_delta, gaussian_mu
from privml.learners import experts

chapter = chapter_module("private-experts-today")


def test_the_square_root_is_one_in_fractions():
    exact = [Fraction(comb(2 * n, n), 4**n) for n in range(40)]
    assert all(
        sum(exact[j] * exact[n - j] for j in range(n + 1)) == 1 for n in range(40)
    )
    assert chapter.root(40) == pytest.approx([float(f) for f in exact], rel=1e-13)
    assert chapter.ROWS[:3] == pytest.approx([1, 1 + 1 / 4, 1 + 1 / 4 + 9 / 64])


@pytest.mark.parametrize(("n_rounds", "k"), [(2, 2), (5, 3), (12, 10)])
def test_the_noise_of_the_leader_is_calibrated(n_rounds, k):
    """All noisy totals at once: shift and covariance as matrices, the largest distance over the rounds."""
    sigma = sqrt(k * chapter.ROWS[n_rounds - 2]) / gaussian_mu(1.0, 1e-6)
    f = chapter.root(n_rounds)
    mixing = np.array(
        [
            [f[t - j] if j <= t else 0.0 for j in range(n_rounds)]
            for t in range(n_rounds)
        ]
    )
    inverse = np.linalg.inv(sigma**2 * mixing @ mixing.T)
    shifts = [np.arange(n_rounds) > s for s in range(n_rounds)]
    mu = max(sqrt(k * (shift @ inverse @ shift)) for shift in shifts)
    assert mu == pytest.approx(gaussian_mu(1.0, 1e-6), rel=1e-9)
    assert gaussian_delta(1.0, mu=mu * (1 - 1e-9)) <= 1e-6
    assert chapter.leader_noise(1.0, 1e-6, n_rounds, k) >= sigma * (1 - 1e-12)


def leader_law(losses, sigma):
    """Law of all choices of the leader among two experts, by orthants of a Gaussian vector."""
    n_rounds = len(losses)
    f = chapter.root(n_rounds)
    mixing = np.array(
        [
            [f[t - j] if j <= t else 0.0 for j in range(n_rounds)]
            for t in range(n_rounds)
        ]
    )
    lead = np.append(
        0.0, np.cumsum((losses @ [-1.0, 1.0])[:-1])
    )  # what expert 1 is ahead
    law = []
    for choices in product((0, 1), repeat=n_rounds):
        signs = 1 - 2 * np.array(choices)
        spread = 2 * sigma**2 * np.outer(signs, signs) * (mixing @ mixing.T)
        law.append(multivariate_normal(mean=None, cov=spread).cdf(signs * lead))
    return np.array(law)


def test_the_choices_of_the_leader_are_private_and_with_less_noise_are_not():
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


def bound_at(n_rounds, k, sigma):
    spread = sigma * sqrt(chapter.ROWS[n_rounds - 1]) + chapter.INVERSES[
        n_rounds - 1
    ] / (4 * sigma)
    return chapter.largest_normal(k) * spread / n_rounds


@pytest.mark.parametrize("sigma", [0.3, 0.8, 1.5, 3.0, 10.0])
def test_the_leader_of_two_regrets_no_more_than_the_bound_on_all_losses(sigma):
    for n_rounds in (1, 3, 6):
        assert (
            0
            < chapter.leader_regrets(n_rounds, sigma).max()
            <= bound_at(n_rounds, 2, sigma)
        )
    best = chapter.leader_noise(50.0, 0.1, 6, 2)
    assert bound_at(6, 2, best) <= bound_at(6, 2, sigma) + 1e-12
    assert chapter.leader_bound(50.0, 0.1, 6, 2) == pytest.approx(bound_at(6, 2, best))


def test_the_regret_of_the_leader_by_draws_is_the_exact_one():
    rng = np.random.default_rng(4)
    losses = rng.integers(0, 2, (6, 2)).astype(float)
    tables = np.array(list(product(product((0, 1), repeat=2), repeat=6)), dtype=float)
    exact = chapter.leader_regrets(6, 1.3)[(tables == losses).all(axis=(1, 2)).argmax()]
    found, error = chapter.leader_regret(losses, 1.3, repeats=20_000, rng=rng)
    assert 0 < error < 0.01
    assert abs(found - exact) < 4 * error


def test_the_promised_bounds_hold_on_many_given_losses():
    rng, n_rounds, k = np.random.default_rng(6), 2000, 8
    for losses in chapter.loss_tables(n_rounds, k, rng).values():
        case = 1.0, 1e-6, n_rounds, losses.shape[1]
        promised = chapter.all_bounds(*case)
        found, error = chapter.leader_regret(
            losses, chapter.leader_noise(*case), rng=rng
        )
        assert found <= promised["noise on the sums"] + 4 * error
        eta = min(chapter.lazy_rate(*case[:3])[0], best_eta(case[3], n_rounds))
        assert experts.expected_regret(losses, eta) <= promised["lazy"] + 1e-12


def test_the_noise_of_the_game_has_the_deviation_of_the_theorem():
    noise = (
        chapter.leader_chooser(50, 4000, 2.0, np.random.default_rng(3))
        .__closure__[0]
        .cell_contents
    )
    spread = noise.std(axis=1) / (2.0 * np.sqrt(chapter.ROWS[:50]))
    assert np.abs(spread - 1).max() < 5 / sqrt(2 * 4000)
