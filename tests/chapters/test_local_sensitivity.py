"""The cells of the chapter on local sensitivity, against enumeration of all small data sets."""

from itertools import combinations_with_replacement, product
from math import exp, log

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack
from scipy.stats import cauchy, laplace

from book.tools.chapter_code import chapter_module
from privml import PrivateQuantile, audit
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


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.05), (1.0, 0.5), (0.4, 1e-3)])
def test_laplace_noise_with_a_delta(epsilon, delta):
    """The hockey-stick divergence by quadrature, for all neighbours of three records."""
    beta = epsilon / (2 * log(2 / delta))
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


def excess_of_laplace_noise(epsilon, beta):
    """The largest hockey-stick divergence when the value and the scale change most."""
    places = np.linspace(-60, 60, 240_001)
    step = places[1] - places[0]
    worst = 0.0
    for move, ratio in product((0, epsilon / 4, epsilon / 2), (-beta, 0, beta)):
        first = laplace.pdf(places)
        second = laplace.pdf(places, move, exp(ratio))
        excess = np.maximum(first - exp(epsilon) * second, 0).sum() * step
        worst = max(worst, excess)
    return worst


@pytest.mark.parametrize("delta", [0.5, 0.05, 1e-3, 1e-6])
def test_laplace_noise_needs_a_moderate_epsilon(delta):
    """Up to ln 3 the proof goes through; at 5 the claim is false for some delta."""
    for epsilon in (0.1, 0.5, 1.0, log(3)):
        beta = epsilon / (2 * log(2 / delta))
        assert excess_of_laplace_noise(epsilon, beta) <= delta
    if delta == 0.05:
        assert excess_of_laplace_noise(5.0, 5.0 / (2 * log(2 / delta))) > delta


@pytest.mark.parametrize("n", [1, 3, 5])
def test_inverse_sensitivity_is_private_and_its_lengths_are_right(n):
    g = 4
    sets, apart, median, _ = by_enumeration(n, g)
    for z, distances in zip(sets, apart, strict=True):
        length = np.array([distances[median == y].min() for y in range(g)])
        weight = np.exp(-chapter.epsilon / 2 * length)
        found = chapter.inverse_median(z, g - 1, chapter.epsilon)
        np.testing.assert_allclose(found, weight / weight.sum())
    exact = audit.exact(
        lambda z: chapter.inverse_median(z, g - 1, chapter.epsilon), np.arange(g), n
    )
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


def certificate(n, g, epsilon):
    """A lower bound for every private median, by weak duality, with any weights.

    The solver only proposes the weights. For each ordered pair of neighbours and each output one of them
    multiplies an inequality of privacy, and whatever the weights are, the sum of smallest coefficients
    bounds the average error of every private median from below.
    """
    sets, apart, median, _ = by_enumeration(n, g)
    cost = abs(np.arange(g) - median[:, None]) / len(sets)
    first, second = np.nonzero(apart == 1)
    size, pairs = len(sets), len(first)

    # The dual program: maximise the sum of u under u_z <= q_z(y) for all z and y.
    columns = pairs * g
    place = np.arange(columns).reshape(pairs, g)
    rows = (np.repeat(first * g, g).reshape(pairs, g) + np.arange(g)).ravel()
    other = (np.repeat(second * g, g).reshape(pairs, g) + np.arange(g)).ravel()
    weighted = coo_matrix(
        (
            np.concatenate([-np.ones(columns), np.full(columns, exp(epsilon))]),
            (np.concatenate([rows, other]), np.concatenate([place.ravel()] * 2)),
        ),
        (size * g, columns),
    )
    bounded = coo_matrix(
        (np.ones(size * g), (np.arange(size * g), np.repeat(np.arange(size), g))),
        (size * g, size),
    )
    found = linprog(
        np.concatenate([np.zeros(columns), -np.ones(size)]),
        A_ub=hstack([weighted, bounded]),
        b_ub=cost.ravel(),
        bounds=[(0, None)] * columns + [(None, None)] * size,
    )
    weights = np.maximum(found.x[:columns].reshape(pairs, g), 0)

    # From here on nothing of the solver is used but the weights.
    smallest = cost.copy()
    for i, j, weight in zip(first, second, weights, strict=True):
        smallest[i] += weight
        smallest[j] -= exp(epsilon) * weight
    return smallest.min(axis=1).sum()


@pytest.mark.parametrize(
    ("n", "g", "epsilon"),
    [(1, 5, 1.0), (3, 5, 1.0), (5, 5, 1.0), (5, 5, 0.1), (5, 5, 3.0)],
)
def test_the_optimum_has_a_certificate(n, g, epsilon):
    """The program and its dual are written down separately, and meet."""
    least, table = chapter.best_median(n, g, epsilon)
    sets, apart, median, _ = by_enumeration(n, g)
    table = np.maximum(table, 0)
    assert table.sum(axis=1) == pytest.approx(1)
    first, second = np.nonzero(apart == 1)
    assert (table[first] <= exp(epsilon) * table[second] + 1e-7).all()
    errors = (table * abs(np.arange(g) - median[:, None])).sum(axis=1)
    assert errors.mean() == pytest.approx(least, abs=1e-7)
    bound = certificate(n, g, epsilon)
    assert bound - 1e-12 <= least
    assert bound == pytest.approx(least, abs=5e-8)


def test_no_weights_prove_too_much():
    """Any weights give a lower bound, for instance random ones."""
    sets, apart, median, _ = by_enumeration(3, 3)
    least, _ = chapter.best_median(3, 3, 1.0)
    rng = np.random.default_rng(3)
    cost = abs(np.arange(3) - median[:, None]) / len(sets)
    for scale in (0.001, 0.01, 0.1):
        smallest = cost.copy()
        for i, j in zip(*np.nonzero(apart == 1), strict=True):
            weight = scale * rng.random(3)
            smallest[i] += weight
            smallest[j] -= exp(1.0) * weight
        assert smallest.min(axis=1).sum() <= least


@pytest.mark.parametrize("epsilon", [log(4), 2.0, 4.0])
def test_the_whole_exponent_is_private_and_close_to_the_best(epsilon):
    g = 4
    for n in (1, 3, 5):
        found = audit.exact(
            lambda z: chapter.whole_exponent(z, g - 1, epsilon), np.arange(g), n
        )
        assert found.epsilon <= epsilon * (1 + 1e-9)
    sets, apart, median, _ = by_enumeration(5, g)
    length = [[d[median == y].min() for y in range(g)] for d in apart]
    np.testing.assert_array_equal([chapter.lengths(z, g - 1) for z in sets], length)
    misses = abs(np.arange(g) - median[:, None])
    laws = np.array([chapter.whole_exponent(z, g - 1, epsilon) for z in sets])
    whole = (laws * misses).sum(axis=1).mean()
    least, best = chapter.best_median(5, g, epsilon)
    assert least <= whole + 1e-9
    if epsilon == 4.0:
        assert whole <= 1.05 * least
        ratio = best * np.exp(epsilon * np.array(length))
        assert 0.9 < ratio[misses > 0].min() < ratio[misses > 0].max() < 1


def test_for_a_small_epsilon_the_constant_median_is_best_on_average():
    least, _ = chapter.best_median(5, 5, 0.1)
    median = by_enumeration(5, 5)[2]
    assert least == pytest.approx(abs(2 - median).mean(), abs=1e-8)


@pytest.mark.parametrize("n", [1, 3, 5])
def test_the_quantile_of_the_library_is_half_a_record_more_lenient(n):
    """Its score is minus the length at the median, and one half more elsewhere."""
    g, epsilon = 4, 0.8
    library = PrivateQuantile(q=0.5, options=range(g), epsilon=epsilon, beta=None)
    for z in combinations_with_replacement(range(g), n):
        length = chapter.lengths(z, g - 1)
        score = np.where(length > 0, 0.5 - length, 0)
        weight = np.exp(epsilon / 2 * score)
        (law,) = library.output_distribution(np.array(z, dtype=float))
        np.testing.assert_allclose(law.pmf(), weight / weight.sum())


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.5, 0.7, 0.8, 1.0, 2.0, 3.0, 5.0])
def test_from_51_callers_on_inverse_sensitivity_is_the_best_of_the_four(
    epsilon, monkeypatch
):
    monkeypatch.setattr(chapter, "epsilon", epsilon)
    for n in (51, 101, 201, 501):
        times = np.round(chapter.typical_times(n))
        middle = np.median(times)
        assert middle == 9
        scale = chapter.smooth_sensitivity(times, epsilon / 2, 60) / (epsilon / 2)
        others = [
            chapter.rounded(middle, laplace(scale=60 / epsilon), 60),
            chapter.rounded(middle, cauchy(scale=scale), 60),
            chapter.propose_test_release(times, 1, 60),
        ]
        inverse = chapter.inverse_median(times, 60, epsilon)
        found = chapter.mean_error(inverse, middle)
        assert found < min(chapter.mean_error(law, middle) for law in others)


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
