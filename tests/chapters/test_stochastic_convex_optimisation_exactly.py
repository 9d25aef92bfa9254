"""Learning for people who are not in the data: what stands under *Exactly*, by another route."""

from itertools import product
from math import log, sinh, sqrt, tanh

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.divergences import gaussian_mu
from privml.learners.perturbation import sampled_gaussian_mu
from tests.chapters.stochastic_convex_optimisation_functions import floor, price

chapter = chapter_module("stochastic-convex-optimisation")


# losses with kinks, localisation


def test_losses_with_kinks_are_as_stable_as_proved_and_less_than_smooth_ones():
    rng, worst = np.random.default_rng(2), 0.0
    for _ in range(150):
        n, rate = int(rng.integers(1, 6)), 0.3
        z = rng.uniform(-1, 1, n)
        other = np.append(z[:-1], rng.uniform(-1, 1))
        w = v = 0.0
        for t in range(1, 30):
            w, v = (
                w - rate * np.sign(w - z).mean(),
                v - rate * np.sign(v - other).mean(),
            )
            assert abs(w - v) <= 2 * rate * sqrt(t) + 4 * rate * t / n + 1e-12
            worst = max(worst, abs(w - v) / (2 * rate * t / n))
    assert worst > 0.99


def penalised(records, strength, centre):
    """Minimiser of the mean of |w - z| plus the penalty: where the slope is 0, or at a kink."""
    slopes = np.arange(-len(records), len(records) + 1) / len(records)
    candidates = np.append(np.unique(records), centre - slopes / strength)
    gap = np.abs(candidates[:, None] - np.array(records)).mean(axis=1)
    return candidates[np.argmin(gap + strength / 2 * (candidates - centre) ** 2)]


@pytest.mark.parametrize("mu", [0.3, 1.0, 10.0])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_localisation_has_the_rate_that_is_proved(mu, share):
    """For |w - z|, two kinds of records and n = 4, over all samples and the normal noise by quadrature."""
    law, n, R = {-1.0: 1 - share, 1.0: share}, 4, 1.0
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    weights = weights / weights.sum()
    rate = sqrt(1 / n + 17 / (n * mu) ** 2)
    strengths = [8**i * rate / (2 * R) for i in (1, 2)]
    sigmas = [2 / (s * n / 2**i * mu) for i, s in zip((1, 2), strengths, strict=True)]

    def risk(w):
        return sum(p * abs(w - z) for z, p in law.items())

    found = 0.0
    for first in product(law, repeat=2):
        for x, weight in zip(nodes, weights, strict=True):
            centre = penalised(first, strengths[0], 0.0) + sigmas[0] * x
            for second in law:
                last = penalised([second], strengths[1], centre) + sigmas[1] * nodes
                chance = np.prod([law[z] for z in (*first, second)]) * weight
                found += chance * float(weights @ risk(last))
    assert found - min(risk(u) for u in (-1.0, 0.0, 1.0)) <= 4 * R * rate


def test_a_penalised_minimiser_moves_as_far_as_proved():
    rng, most = np.random.default_rng(3), 0.0
    for _ in range(500):
        n, strength = int(rng.integers(1, 5)), 5.0
        z = rng.uniform(-1, 1, n)
        w, v = (
            penalised(list(x), strength, 0.0)
            for x in (z, np.append(z[:-1], -z[-1] * 3))
        )
        most = max(most, abs(w - v) * strength * n / 2)
    assert 0.9 < most <= 1 + 1e-9


# readings


def by_running(average, a, rate):
    """Weight of each reading, by running the steps with one reading of size 1 and the others 0."""
    found = []
    for k in range(len(average)):
        w, total = 0.0, 0.0
        for t, weight in enumerate(average):
            w = a * w + rate * (t == k)
            total += weight * w
        found.append(total)
    return np.array(found)


@pytest.mark.parametrize("T", [1, 2, 7, 60])
@pytest.mark.parametrize("x", [1e-4, 0.05, 0.5, 0.99])
def test_the_waste_of_each_average_is_what_the_proposition_says(T, x):
    assert all(p.sum() == pytest.approx(1) for p in chapter.averages(T).values())
    for average in (*chapter.averages(T).values(), np.random.default_rng(T).random(T)):
        c = by_running(average, 1 - x, 0.3)
        assert chapter.reading_weights(average, 1 - x, 0.3) == pytest.approx(c)
        assert chapter.waste(c) >= 1 - 1e-12
    kinds = {
        name: chapter.waste(by_running(p, 1 - x, 0.3))
        for name, p in chapter.averages(T).items()
    }
    theta = -log(1 - x)
    assert kinds["last"] == pytest.approx(T * tanh(theta / 2) / tanh(T * theta / 2))
    assert kinds["mean"] <= 2 / 3 * (2 * T + 1) / (T + 1) * (1 + 1e-12)
    corrected = np.append(np.ones(T - 1), 1 / x) / T  # of w_1, ..., w_T; w_0 is 0
    assert chapter.waste(by_running(corrected, 1 - x, 0.3)) == pytest.approx(1)


def test_four_thirds_cannot_be_less_and_fails_for_rates_that_overshoot():
    T = 4000
    assert (
        float(chapter.waste(chapter.reading_weights(np.full(T, 1 / T), 1 - 1e-9)))
        > 4 / 3 - 1e-3
    )
    assert (
        float(chapter.waste(chapter.reading_weights(np.full(8, 1 / 8), -0.99))) > 4 / 3
    )


def test_three_quarters_and_one_quarter_waste_a_quarter():
    assert chapter.waste(np.array([3 / 4, 1 / 4])) == pytest.approx(1.25)
    assert chapter.waste(np.array([1 / 2, 1 / 2])) == pytest.approx(1)


@pytest.mark.parametrize("T", [2, 5, 40])
@pytest.mark.parametrize("x", [0.01, 0.3, 0.9])
def test_the_mean_that_begins_with_w_0_has_one_reading_fewer(T, x):
    of_units = chapter.waste(by_running(np.append(np.ones(T - 1), 0) / T, 1 - x, 0.3))
    shorter = chapter.waste(by_running(np.ones(T - 1) / (T - 1), 1 - x, 0.3))
    assert of_units == pytest.approx(T / (T - 1) * shorter)


# the lower bound


def test_the_fingerprinting_step_holds_with_records_that_say_nothing():
    """One coordinate, two records of which each is informative with probability gamma; any answer."""
    u, weights = np.polynomial.legendre.leggauss(12)
    gamma, answers = 0.3, np.random.default_rng(6).uniform(-1, 1, (3, 3))
    left = right = 0.0
    for p, weight in zip(u, weights / 2, strict=True):
        chance = {0: 1 - gamma, 1: gamma * (1 + p) / 2, -1: gamma * (1 - p) / 2}
        for x, y in product(chance, repeat=2):
            here = weight * chance[x] * chance[y] * answers[x, y]
            left += here * ((x - p) * (x != 0) + (y - p) * (y != 0))
            right += here * 2 * p
    assert left == pytest.approx(right)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_best_private_answer_about_one_sign_obeys_the_lower_bound(epsilon):
    """Randomised response on one record with d = 1: the excess over a uniform p, for every gamma."""
    truth = tanh(epsilon / 2)
    for gamma in (0.05, 0.3, 1.0):
        excess = gamma * (1 / 2 - gamma * truth / 3)
        assert excess >= gamma * (1 / 3 - gamma * sinh(epsilon) / 2)
    assert 1 / 2 - truth / 3 >= floor(1, 1, epsilon)


def test_the_last_step_of_the_lower_bound():
    for d, n, epsilon in ((1, 1, 1.0), (400, 3, 0.1), (100, 10_000, 2.0)):
        gamma = min(1.0, sqrt(d) / (4 * n * sinh(epsilon)))
        found = gamma * (1 / 4 - n * gamma * sinh(epsilon) / (2 * sqrt(d)))
        assert found >= floor(d, n, epsilon) * (1 - 1e-12)
        assert price(d, n, epsilon) > floor(d, n, epsilon)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_upper_and_the_lower_bound_differ_by_the_factor_that_is_said(epsilon):
    factor = 64 * sinh(epsilon) / gaussian_mu(epsilon, 1e-5)
    for d, n in ((1, 4000), (100, 4000), (10_000, 1_000_000)):
        assert floor(d, n, epsilon) < 1 / 8
        assert price(d, n, epsilon) / floor(d, n, epsilon) == pytest.approx(factor)


@pytest.mark.parametrize("n", [1, 3, 50])
def test_the_price_of_sampling_is_below_what_the_best_guess_achieves(n):
    """The proof problem: two coins of bias gamma; the best answer is the sign of the sum."""
    gamma = 1 / sqrt(6 * n)
    heads = np.arange(n + 1)
    logs = heads * np.log((1 + gamma) / 2) + (n - heads) * np.log((1 - gamma) / 2)
    law = np.array(
        [float(np.prod([(n - i) / (i + 1) for i in range(k)])) for k in heads]
    ) * np.exp(logs)
    distance = np.abs(law - law[::-1]).sum() / 2
    assert distance <= sqrt(1.5 * n) * gamma
    assert gamma * (1 - distance) >= 1 / (2 * sqrt(6 * n))


# batches


@pytest.mark.parametrize("q", [0.3, 0.8])
def test_a_batch_has_the_mean_gradient_on_average_and_the_mean_square_that_is_proved(q):
    slopes = np.array([1.0, -1.0, 0.3, 1.0])
    b, mean, square = q * 4, 0.0, 0.0
    for used in product((0, 1), repeat=4):
        chance = q ** sum(used) * (1 - q) ** (4 - sum(used))
        step = slopes @ used / b
        mean, square = mean + chance * step, square + chance * step**2
    assert mean == pytest.approx(slopes.mean())
    assert square <= slopes.mean() ** 2 + (1 - q) / b + 1e-12
    assert square > slopes.mean() ** 2


def test_batches_are_stable_on_average_over_the_same_coins():
    z, q, steps = np.array([0.4, 2.0, -1.0]), 0.5, 3
    other, b = np.array([0.4, 2.0, 30.0]), 1.5
    rate = 2 * q
    moved = 0.0
    for coins in product(product((0, 1), repeat=3), repeat=steps):
        w = v = 0.0
        for used in coins:
            w -= rate / b * np.clip(w - z, -1, 1) @ used
            v -= rate / b * np.clip(v - other, -1, 1) @ used
        moved += abs(w - v) / 8**steps
    assert moved <= 2 * rate * steps / 3


def test_a_tenth_of_the_records_needs_little_more_noise_on_the_mean():
    full, tenth = (1 / (q * sampled_gaussian_mu(1.0, 1e-5, 200, q)) for q in (1.0, 0.1))
    assert 1 < tenth / full < 1.1
