"""Functions with which the tests of thresholds and Littlestone dimension check the theorems of the chapter."""

from itertools import combinations
from math import log

import numpy as np
from scipy.special import logsumexp

from book.tools.chapter_code import chapter_module

chapter = chapter_module("thresholds-and-littlestone")


def parities(d):
    """The parities of d bits, on all words of d bits."""
    return [tuple((s & x).bit_count() % 2 for x in range(2**d)) for s in range(2**d)]


def intervals(N):
    """The intervals on N points, the empty one included."""
    return {
        tuple(int(a <= x < b) for x in range(N))
        for a in range(N)
        for b in range(a, N + 1)
    }


def lines(p):
    """The lines y = a x + b modulo a prime number, on all points of the plane."""
    return [
        tuple(int(y == (a * x + b) % p) for x in range(p) for y in range(p))
        for a in range(p)
        for b in range(p)
    ]


def vc(hypotheses):
    """VC dimension: the largest set of points that carries all labellings."""
    table, d = np.array(sorted(hypotheses)), 0

    def shattered(size):
        subsets = map(list, combinations(range(table.shape[1]), size))
        return any(len(np.unique(table[:, s], axis=0)) == 2**size for s in subsets)

    while shattered(d + 1):
        d += 1
    return d


def tiny_law(records, s=2, delta=0.2, epsilon=0.5):
    """The law on the five cuts of two bits and no answer; records are 0 to 7."""
    x, y = [int(r) // 2 for r in records], [int(r) % 2 for r in records]
    cuts, _, chance = chapter.cell_law(x, y, 2, epsilon, delta, s)
    law = np.zeros(6)
    law[[*cuts, 5]] = chance
    return law


def data_set(kind, half, bits, rng):
    """As many records labelled False below a cut near a third as True above it."""
    g, top = (1 << bits) // 3, 1 << bits
    steps = [k * (bits - 2) // half for k in range(half)]
    anywhere = [int.from_bytes(rng.bytes(bits // 8 + 8)) for _ in range(2 * half)]
    above = {
        "packed": [0] * half,
        "doubling": [(1 << k) - 1 for k in steps],
        "uniform": [value % (top - g) for value in anywhere[:half]],
    }[kind]
    below = {
        "packed": [1] * half,
        "doubling": [1 << k for k in steps],
        "uniform": [1 + value % g for value in anywhere[half:]],
    }[kind]
    x = [g - d for d in below] + [g + d for d in above]
    return x, [0] * half + [1] * half


def exponential_failure(x, y, bits, epsilon, t):
    """Exact probability that the exponential mechanism makes more than t errors, over all cuts."""
    ends = [-1, *sorted(set(x)), 1 << bits]  # cuts in (u, v] have equally many errors
    spans = [(v - u, v) for u, v in zip(ends, ends[1:], strict=False)]
    wrong = np.array(chapter.mistakes(x, y, [v for _, v in spans]))
    weights = np.array([log(width) for width, _ in spans]) - epsilon * wrong / 2
    return float(np.exp(weights - logsumexp(weights))[wrong > t].sum())


def cell_failure(x, y, bits, epsilon, delta, t, s):
    """Exact probability that cuts by cells give no answer, or more than t errors."""
    _, wrong, chance = chapter.cell_law(x, y, bits, epsilon, delta, s)
    return float(chance[-1] + chance[:-1][np.array(wrong) > t].sum())


def packing_records(K, target):
    """Records that the packing bound demands for an interior point, for e^epsilon = 3 and delta = 0."""
    return next(n for n in range(1, 99) if (K - 1) / (3**n + K - 1) <= target)


def worst_data(K, n):
    """Data sets at one point or at two neighbouring ones."""
    return [[a] * i + [a + 1] * (n - i) for a in range(K - 1) for i in range(n + 1)]


def mechanism_records(K, target):
    """Records that bring the failure of the exponential mechanism to the target."""
    for n in range(1, 99):
        two = np.array(
            [
                [min(sum(v <= c for v in z), sum(v >= c for v in z)) for c in range(K)]
                for z in worst_data(K, n)
            ]
        )
        weights = 3.0 ** (two / 2)
        fails = (weights * (two == 0)).sum(axis=1) / weights.sum(axis=1)
        if fails.max() <= target:
            return n
    return None
