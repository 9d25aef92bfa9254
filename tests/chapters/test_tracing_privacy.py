"""Tracing: what privacy leaves of a score, and what an outsider has, by enumeration of small studies."""

from fractions import Fraction
from itertools import product
from math import prod, sinh, sqrt

import numpy as np
import pytest

from tests.chapters.test_tracing import moment, studies, total_score


@pytest.mark.parametrize(("n", "d"), [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)])
@pytest.mark.parametrize("scale", [0.05, 0.4, 1.5])
def test_privacy_bounds_the_score_of_each_participant(n, d, scale):
    """A random algorithm with four outputs, with its delta at all of its epsilon, at half of it and at 0."""
    lists, rng = list(studies(n, d)), np.random.default_rng(7)
    z = np.array([columns for columns, *_ in lists])
    chance = np.array([float(c) for _, c, _ in lists])
    pull = (
        z * chance[:, None, None]
        - np.array([[float(m) for m in means] for *_, means in lists])[..., None]
    )
    pairs = np.argwhere((z[:, None] != z).any(axis=2).sum(axis=2) == 1)
    for _ in range(3):
        a = np.vstack([np.ones(d), -np.ones(d), rng.uniform(-1, 1, (2, d))])
        law = np.exp(scale * (z.sum(axis=2) @ a.T + rng.uniform(-1, 1, (len(z), 4))))
        law /= law.sum(axis=1, keepdims=True)
        p, q = law[pairs.T]
        score = np.einsum("so,oj,sji->i", law, a, pull).max()
        error, about = (
            (chance[:, None] * law * ((a * (a - 2 * to[:, None])).sum(axis=2) + rest[:, None])).sum()
            for to, rest in ((z.mean(axis=2), (z.mean(axis=2) ** 2).sum(axis=1)),
                             (z.sum(axis=2) / (n + 2), np.full(len(z), d / 3)))
        )  # fmt: skip
        alpha, largest = sqrt(error / d), np.log(p / q).max()
        assert about <= (alpha**2 + (4 * alpha / sqrt(3) + 2 / 3) / n) * d + 1e-12
        assert score <= 2 * sinh(largest / 2) * sqrt(2 * d / 3) + 1e-12  # by chi-square
        for epsilon in (largest, largest / 2, 0.0):
            delta = np.maximum(p - np.exp(epsilon) * q, 0).sum(axis=1).max()
            ceiling = sinh(epsilon) * sqrt(2 * d / 3) + 4 * delta * d
            assert 2 / 3 * (1 - sqrt(3) * alpha) * d / n - 1e-12 <= ceiling
            assert (
                score
                <= min(ceiling, sinh(epsilon) * sqrt(about) + 8 * delta * d) + 1e-12
            )


def test_means_that_were_zero_change_by_at_most_the_lemma_says_and_nearly_so_much():
    rng = np.random.default_rng(3)
    for _ in range(300):
        (q, p), g, epsilon = (
            rng.dirichlet(np.ones(5), 2),
            rng.uniform(-1, 1, 5),
            rng.uniform(0, 2),
        )
        g -= q @ g
        delta = max(
            np.maximum(a - np.exp(epsilon) * b, 0).sum() for a, b in ((p, q), (q, p))
        )
        assert (
            p @ g
            <= sinh(epsilon) * (q @ np.abs(g)) + 2 * delta * np.abs(g).max() + 1e-12
        )
        chi = sqrt(((p - q) ** 2 / q).sum())
        assert p @ g <= chi * sqrt(q @ g**2) + 1e-12
        assert chi <= 2 * sinh(np.abs(np.log(p / q)).max() / 2) + 1e-12
    q, p, g = (
        np.array([1, 1, 2]) / 4,
        np.array([2, 0.5, 1.5]) / 4,
        np.array([1, -1, 0]),
    )  # of the page
    assert p @ g == pytest.approx(sinh(np.log(2)) * (q @ np.abs(g)))


@pytest.mark.parametrize("n", [1, 3])
def test_an_outsider_has_the_mean_square_that_the_proposition_says(n):
    means = signs = Fraction(0)
    for x in product((-1, 1), repeat=n):
        spread = 4 * moment(x.count(1) + 1, x.count(-1) + 1)  # of 1 - p^2 = 4 u (1 - u)
        means, signs = means + spread * Fraction(sum(x), n) ** 2, signs + spread
    assert (means, signs) == (Fraction(2, 15) + Fraction(8, 15 * n), Fraction(2, 3))
    participants = total_score(lambda z: [1 if sum(z[0]) > 0 else -1], n, 1)[0]
    assert participants == Fraction(n + 1, n + 2)  # of a proof problem


def test_the_likelihood_ratio_holds_for_populations_that_are_not_fair():
    n, p, inside, outside = 3, (0.4, -0.7), {}, {}
    people = list(product((-1, 1), repeat=2))
    chance = {
        y: prod((1 + a * b) / 2 for a, b in zip(y, p, strict=True)) for y in people
    }
    for study in product(people, repeat=n):
        likely, sums = prod(chance[x] for x in study), tuple(np.sum(study, axis=0))
        inside[study[0], sums] = inside.get((study[0], sums), 0) + likely
        for y in people:
            outside[y, sums] = outside.get((y, sums), 0) + likely * chance[y]
    for (y, sums), weight in outside.items():
        ratio = prod(
            (1 + a * s / n) / (1 + a * b) for a, s, b in zip(y, sums, p, strict=True)
        )
        assert inside.get((y, sums), 0) == pytest.approx(ratio * weight)
