"""The cells of the chapter on continual counting, against exact arithmetic and other programs."""

from fractions import Fraction
from itertools import product
from math import comb, exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.optimize import linprog

from book.tools.chapter_code import chapter_module
from tests.chapters.checkers import checkers, several

chapter = chapter_module("continual-counting")


@pytest.mark.parametrize("n", [2, 8, 64])
def test_the_tree_and_the_square_root_are_factorisations(n):
    B, C = chapter.tree(n)
    np.testing.assert_array_equal(B @ C, chapter.totals(n))
    h = n.bit_length() - 1
    assert set((C**2).sum(axis=0)) == {h + 1}
    assert (B**2).sum(axis=1).max() == h
    assert [int(row.sum()) for row in B] == [t.bit_count() for t in range(1, n + 1)]
    assert chapter.errors(B, C).max() == pytest.approx(sqrt(h * (h + 1)))
    R = chapter.square_root(n)
    np.testing.assert_allclose(R @ R, chapter.totals(n), atol=1e-12)
    exact = sum(Fraction(comb(2 * k, k), 4**k) ** 2 for k in range(n))
    found = chapter.errors(R, R).max() * chapter.mu
    assert found == pytest.approx(float(exact))
    assert exact <= 1 + (1 + log(n)) / pi


def test_a_block_is_needed_only_after_its_last_day():
    """The tree can answer without the future."""
    B, C = chapter.tree(16)
    last_day = [int(np.flatnonzero(block).max()) for block in C]
    for t, row in enumerate(B):
        assert all(last_day[k] <= t for k in np.flatnonzero(row))


@pytest.mark.parametrize("n", [1, 2, 5, 33, 200])
def test_the_singular_values_of_the_totals(n):
    exact = np.linalg.svd(chapter.totals(n), compute_uv=False).sum() / n
    assert chapter.nuclear_bound(n) == pytest.approx(exact)
    assert chapter.nuclear_bound(n) >= log(2 * n + 1) / pi
    upper = (chapter.square_root(n)[:, 0] ** 2).sum()
    assert -1e-12 <= upper - chapter.nuclear_bound(n) < 1.1


@pytest.mark.parametrize("n", [2, 3, 7, 16, 64])
def test_the_certificate_does_not_trust_the_iteration(n):
    """Bounds in fractions, written anew: any weights and factors prove something, and good ones nearly everything."""
    B, C, u, v, Q = chapter.best_factorisation(n)
    lower, upper = chapter.certified(n, B, C, u, v, Q)
    assert 0 <= upper - lower < Fraction(1, 10**9)
    exact_u, exact_v = ([Fraction(float(x)) for x in w] for w in (u, v))
    if n <= 7:
        q = [[Fraction(float(x)) for x in row] for row in Q]
        gram = [
            [sum(q[k][i] * q[k][j] for k in range(n)) for j in range(n)]
            for i in range(n)
        ]
        largest = max(sum(abs(x) for x in row) for row in gram)
        trace = sum(
            q[i][j] * exact_u[i] * exact_v[j] for i in range(n) for j in range(i + 1)
        )
        lengths = sum(x**2 for x in exact_u) * sum(x**2 for x in exact_v)
        assert float(trace**2 / (largest * lengths)) == pytest.approx(
            float(lower**2), abs=1e-12
        )
    # Factors of another matrix prove nothing about this one without the distance between the two.
    assert chapter.certified(n, B / 2, C, u, v, Q)[1] > upper
    # Wrong inputs prove less, and never too much.
    rng = np.random.default_rng(n)
    worse = chapter.certified(
        n, B + 1e-3 * rng.normal(size=B.shape), C, u + 0.05, v, Q + 1e-3
    )
    assert worse[0] < lower
    assert worse[1] > upper
    # A row in place of an orthogonal matrix would be broadcast, and prove too much.
    flat = np.ones((1, n)) / sqrt(n)
    for wrong in ((B, C, u, v, flat), (B, C, u, v[:, None], Q), (B[:1], C, u, v, Q)):
        with pytest.raises(AssertionError):
            chapter.certified(n, *wrong)


@pytest.mark.parametrize("n", [3, 8, 32])
def test_every_factorisation_can_be_made_triangular(n):
    pairs = [chapter.best_factorisation(n)[:2]]
    if n & (n - 1) == 0:
        pairs.append(chapter.tree(n))
    for B, C in pairs:
        Q, upper = np.linalg.qr(B.T)
        L, K = upper.T, Q.T @ C
        np.testing.assert_allclose(L @ K, chapter.totals(n), atol=1e-9)
        np.testing.assert_allclose(K, np.tril(K), atol=1e-9)
        np.testing.assert_allclose(L @ L.T, B @ B.T, atol=1e-9)
        shorter = np.linalg.norm(K, axis=0) - np.linalg.norm(C, axis=0)
        assert shorter.max() <= 1e-9


def test_the_best_factorisation_of_two_days():
    lower, upper = chapter.certified(2, *chapter.best_factorisation(2))
    assert float(lower) == pytest.approx(2 / sqrt(3))
    assert float(upper) == pytest.approx(2 / sqrt(3))


@pytest.mark.parametrize("n", [2, 8, 32])
def test_the_mean_error_has_its_own_optimum(n):
    """The lower bound with equal weights of the rows meets the value of the factorisation."""
    B, C, _, v, _ = chapter.best_factorisation(n, mean_error=True)
    np.testing.assert_allclose(B @ C, chapter.totals(n), atol=1e-9)
    value = np.sqrt((C**2).sum(axis=0).max() * (B**2).sum() / n)
    weighted = chapter.totals(n) * v / sqrt(n)
    lower = np.linalg.svd(weighted, compute_uv=False).sum()
    assert lower <= value <= lower * (1 + 1e-9)


@pytest.mark.parametrize("n", [2, 3, 7, 16])
def test_the_certificate_for_the_mean_error_does_not_trust_the_iteration(n):
    """Both bounds in fractions, written anew, from the definition of the mean squared length of a row."""
    B, C, u, v, Q = chapter.best_factorisation(n, mean_error=True)
    lower, upper = chapter.certified(n, B, C, u, v, Q, mean_error=True)
    assert 0 <= upper - lower < Fraction(1, 10**9)
    b, c, q = ([[Fraction(float(x)) for x in row] for row in m] for m in (B, C, Q))
    days = range(n)
    mean_square = sum(x**2 for row in b for x in row) / n
    longest = max(sum(c[k][j] ** 2 for k in days) for j in days)
    assert float(upper**2) == pytest.approx(float(mean_square * longest), rel=1e-9)
    exact_v = [Fraction(float(x)) for x in v]
    # Equal weights of the rows: the trace is divided by the square root of n times the length of v.
    trace = sum(q[i][j] * exact_v[j] for i in days for j in range(i + 1))
    gram = [[sum(q[k][i] * q[k][j] for k in days) for j in days] for i in days]
    largest = max(sum(abs(x) for x in row) for row in gram)
    squared = trace**2 / (n * largest * sum(x**2 for x in exact_v))
    assert float(lower**2) == pytest.approx(float(squared), rel=1e-9)
    # The bound belongs to equal weights of the rows, and says nothing with others.
    best = chapter.best_factorisation(n)
    with pytest.raises(AssertionError):
        chapter.certified(n, *best, mean_error=True)
    assert upper < chapter.certified(n, *best)[0]


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_the_best_pure_mechanism_with_all_answers(n, epsilon):
    """A finer grid of answers, sorted or not, does not help."""
    streams = list(product((0, 1), repeat=n))
    grid = np.arange(-1, n + 1.5, 0.5)
    answers = np.array(list(product(grid, repeat=n)))
    m = len(answers)
    size = len(streams) * m + 1
    rows, bounds = [], []
    for i, x in enumerate(streams):
        for j, other in enumerate(streams):
            if sum(a != b for a, b in zip(x, other, strict=True)) == 1:
                for y in range(m):
                    row = np.zeros(size)
                    row[i * m + y], row[j * m + y] = 1, -exp(epsilon)
                    rows.append(row)
        row = np.zeros(size)
        row[i * m : (i + 1) * m] = abs(answers - np.cumsum(x)).mean(axis=1)
        row[-1] = -1
        rows.append(row)
    equal = np.zeros((len(streams), size))
    for i in range(len(streams)):
        equal[i, i * m : (i + 1) * m] = 1
    bounds = np.zeros(len(rows))
    found = linprog(
        np.eye(size)[-1],
        A_ub=np.array(rows),
        b_ub=bounds,
        A_eq=equal,
        b_eq=np.ones(len(streams)),
    )
    assert chapter.best_pure(n, epsilon) == pytest.approx(found.fun, abs=1e-9)
    if n == 1:
        assert found.fun == pytest.approx(1 / (1 + exp(epsilon)))


def test_the_mean_size_of_a_sum_of_laplace_noises():
    rng = np.random.default_rng(0)
    for t in (1, 3, 4):
        r = chapter.square_root(t + 1)[t, 0]
        sums = abs(rng.laplace(size=(200_000, t)).sum(axis=1))
        error = sums.std() / sqrt(sums.size)
        assert abs(sums.mean() - 2 * t * r) <= 5 * error


def test_windows_of_fixed_length():
    """The model answer of the proof problem: two factorisations in each block."""
    n, w = 12, 4
    R = chapter.square_root(w)
    blocks = n // w
    A = np.tril(np.ones((n, n))) - np.tril(np.ones((n, n)), -w)
    left = np.kron(np.eye(blocks), R)
    right = np.kron(np.eye(blocks), R[:, ::-1])
    C = np.vstack([left, right])
    B = np.zeros((n, 2 * n))
    for t in range(1, n + 1):
        block, k = (t - 1) // w, (t - 1) % w + 1
        B[t - 1, block * w : block * w + w] = R[k - 1]
        if block and k < w:
            begin = n + (block - 1) * w
            B[t - 1, begin : begin + w] = R[w - k - 1]
    np.testing.assert_allclose(B @ C, A, atol=1e-12)
    longest = np.sqrt((C**2).sum(axis=0).max() * (B**2).sum(axis=1).max())
    assert longest <= 2 * (R[:, 0] ** 2).sum() * (1 + 1e-12)


@pytest.mark.parametrize("mu", [0.1, 0.9, 1.0, 5.0])
def test_two_days_are_a_tie_for_every_mu(mu, monkeypatch):
    monkeypatch.setattr(chapter, "mu", mu)
    chapter.check_tree(lambda h: h * (h + 1) < 2**h)


@pytest.mark.parametrize("n", [2, 16, 64])
def test_the_cases_of_a_single_day(n):
    """The model answer: at least 1 / mu for every factorisation, and little more for the square root."""
    A, R = chapter.totals(n), chapter.square_root(n)
    pairs = [(np.eye(n), A), (A, np.eye(n)), chapter.tree(n), (R, R)]
    for B, C in pairs:
        longest = np.linalg.norm(C, axis=0).max()
        errors = longest * np.linalg.norm(np.linalg.inv(A) @ B, axis=1)
        assert errors.min() >= 1 - 1e-12
    assert errors.max() <= 1.15 * sqrt(1 + (1 + log(n)) / pi)


ROOT = np.array([[1, 0], [0.5, 1]])
SIXTY = np.array([[1, 0.5], [0, sqrt(3) / 2]])

test_checkers = checkers(
    {
        "worst": [
            (several(15, 20), None),
            (several(16, 5), "fewer blocks"),
            (several(15, 16), "five blocks"),
        ],
        "two": [
            (several(np.tril(np.ones((2, 2))) @ np.linalg.inv(SIXTY), SIXTY), None),
            (several(ROOT, ROOT), "more than 1.1547"),
            (several(ROOT, np.eye(2)), "is not the matrix"),
        ],
        "break": [
            (several(np.mean, 100), None),
            (several(np.mean, 50), "the distance is"),
            (several(np.mean, 150), "fewer than"),
            (several(np.max, 100), "the average"),
        ],
        "tree": [
            (lambda h: h * (h + 1) < 2**h, None),
            (lambda h: h >= 4, "h = 4"),
        ],
    },
    chapter,
)
