"""The cells of the chapter on local sensitivity, against enumeration of all small data sets."""

from itertools import combinations_with_replacement, product
from math import exp, log

import numpy as np
import pytest
from scipy.stats import cauchy, laplace

from book.tools.chapter_code import chapter_module
from privml import audit
from tests.chapters.checkers import checkers, several

chapter = chapter_module("local-sensitivity")


def replacements(first, second, g):
    """Least number of records to replace, order aside."""
    counts = [np.bincount(z, minlength=g) for z in (first, second)]
    return int(np.maximum(counts[0] - counts[1], 0).sum())


def by_enumeration(n, g):
    """All data sets, their distances and medians, and their local sensitivities."""
    sets = list(combinations_with_replacement(range(g), n))
    apart = np.array([[replacements(a, b, g) for b in sets] for a in sets])
    median = np.array([z[n // 2] for z in sets])
    moves = abs(median[:, None] - median)
    local = np.where(apart <= 1, moves, 0).max(axis=1)
    return sets, apart, median, local


@pytest.mark.parametrize(("n", "g"), [(1, 5), (3, 5), (5, 4)])
def test_local_and_smooth_sensitivity_of_a_median(n, g):
    sets, apart, _, local = by_enumeration(n, g)
    for z, distances in zip(sets, apart, strict=True):
        exact = [np.where(distances <= j, local, 0).max() for j in range(n + 1)]
        found = [chapter.local_sensitivity(z, j, g - 1) for j in range(n + 1)]
        assert found == exact
        for bound in (0.5, 1, 2, g):
            beyond = [j for j in range(n + 1) if exact[j] > bound]
            assert chapter.distance(z, bound, g - 1) == min(beyond, default=np.inf)
        for beta in (0.05, 0.7):
            smooth = chapter.smooth_sensitivity(z, beta, g - 1)
            assert smooth == pytest.approx((np.exp(-beta * distances) * local).max())


def test_the_smooth_sensitivity_changes_gradually():
    sets, apart, _, local = by_enumeration(5, 4)
    smooth = np.array([chapter.smooth_sensitivity(z, 0.3, 3) for z in sets])
    assert (smooth >= local).all()
    first, second = np.nonzero(apart == 1)
    assert (smooth[first] <= exp(0.3) * smooth[second] * (1 + 1e-12)).all()
    assert (smooth[first] / smooth[second]).max() == pytest.approx(exp(0.3))


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.5), (1.0, 0.2)])
def test_cauchy_noise_keeps_its_promise(alpha, beta):
    """The loss at many outputs, for all neighbours."""
    sets, apart, median, _ = by_enumeration(3, 5)
    places = np.concatenate([np.linspace(-20, 25, 451), [-1e6, -1e3, 1e3, 1e6]])
    scale = [chapter.smooth_sensitivity(z, beta, 4) / alpha for z in sets]
    density = np.array(
        [cauchy.logpdf(places, m, s) for m, s in zip(median, scale, strict=True)]
    )
    first, second = np.nonzero(apart == 1)
    loss = (density[first] - density[second]).max()
    assert 0.5 * (alpha + beta) <= loss <= (alpha + beta) * (1 + 1e-9)


def test_laplace_noise_with_a_delta():
    """The hockey-stick divergence by quadrature, for all neighbours of three records."""
    epsilon, delta = 1.0, 0.05
    beta = epsilon / (2 * (1 + log(2 / delta)))
    sets, apart, median, _ = by_enumeration(3, 4)
    places = np.linspace(-400, 400, 160_001)
    step = places[1] - places[0]
    density = []
    for z, m in zip(sets, median, strict=True):
        scale = 2 * chapter.smooth_sensitivity(z, beta, 3) / epsilon
        density.append(laplace.pdf(places, m, scale))
    worst = 0.0
    for i, j in zip(*np.nonzero(apart == 1), strict=True):
        excess = np.maximum(density[i] - exp(epsilon) * density[j], 0).sum() * step
        worst = max(worst, excess)
    assert 0 <= worst <= delta


@pytest.mark.parametrize("n", [1, 3, 5])
def test_inverse_sensitivity_is_private_and_its_lengths_are_right(n):
    g = 4
    sets, apart, median, _ = by_enumeration(n, g)
    for z, distances in zip(sets, apart, strict=True):
        length = np.array([distances[median == y].min() for y in range(g)])
        weight = np.exp(-chapter.epsilon / 2 * length)
        found = chapter.inverse_median(z, g - 1)
        np.testing.assert_allclose(found, weight / weight.sum())
    exact = audit.exact(lambda z: chapter.inverse_median(z, g - 1), np.arange(g), n)
    assert exact.epsilon <= chapter.epsilon * (1 + 1e-9)


def test_propose_test_release_is_private():
    """With refusals counted as the middle, which is post-processing."""
    found = audit.exact(
        lambda z: chapter.propose_test_release(z, 1, 4), np.arange(5), 3
    )
    assert found.delta(chapter.epsilon) <= chapter.delta


def test_the_best_median_is_private_and_better_than_the_others():
    least, table = chapter.best_median(3, 4, chapter.epsilon)
    sets = list(combinations_with_replacement(range(4), 3))
    place = {z: i for i, z in enumerate(sets)}
    law = audit.exact(
        lambda z: np.maximum(table[place[tuple(sorted(map(int, z)))]], 0),
        np.arange(4),
        3,
    )
    assert law.epsilon <= chapter.epsilon + 1e-5
    assert least <= min(chapter.average_errors(3, 4)) + 1e-9
    # With one record, the best median is the best private answer to it.
    one, _ = chapter.best_median(1, 2, chapter.epsilon)
    assert one == pytest.approx(1 / (1 + exp(chapter.epsilon)), abs=1e-7)


def test_the_lower_bound_holds_for_the_best_median():
    """On each data set or on one nearby, half of the modulus is missed often enough."""
    _, table = chapter.best_median(3, 4, chapter.epsilon)
    sets, apart, median, _ = by_enumeration(3, 4)
    misses = abs(np.arange(4) - median[:, None])
    for i, k in product(range(len(sets)), (1, 2, 3)):
        near = apart[i] <= k
        modulus = abs(median[near] - median[i]).max()
        often = np.where(misses >= modulus / 2, table, 0).sum(axis=1)
        assert often[near].max() >= 1 / (1 + exp(k * chapter.epsilon)) - 1e-6


def one_beta(n):
    return chapter.epsilon / 20


def right_beta(n):
    times = chapter.typical_times(n)
    grid = chapter.epsilon * np.arange(1, 20) / 20
    scales = [
        chapter.smooth_sensitivity(times, beta, 60) / (chapter.epsilon - beta)
        for beta in grid
    ]
    return grid[np.argmin(scales)]


def length_to_mode(counts, y):
    counts, steps = list(counts), 0
    while np.argmax(counts) != y:
        counts[np.argmax(counts)] -= 1
        counts[y] += 1
        steps += 1
    return steps


test_checkers = checkers(
    {
        "hand": [(20, None), (40, "the largest of the three")],
        "break": [
            (several([7, 7, 7, 7, 20], [7, 7, 7, 20, 20]), None),
            (several([7, 7, 7, 7, 7], [7, 7, 7, 7, 20]), "local sensitivity 0, too"),
            (several([7, 7, 7, 7, 7], [7, 7, 20, 20, 20]), "share four"),
        ],
        "divide": [(right_beta, None), (one_beta, "another beta")],
        "mode": [(length_to_mode, None), (lambda c, y: max(c) - c[y], "it takes")],
    },
    chapter,
)
