"""Functions with which the tests of tracing check the two attacks of the chapter."""

from collections import defaultdict

import numpy as np
from scipy.special import ndtr
from scipy.stats import binom

from book.tools.chapter_code import chapter_module

chapter = chapter_module("tracing")


def one_more(law, n):
    """Distribution of the product for an outsider, after one more question."""
    chances = binom.pmf(np.arange(n + 1), n, 0.5)
    grown = defaultdict(float)
    for product, chance in law.items():
        for agree in range(1, n + 1):  # products that are 0 are left out
            grown[product * agree] += chance * chances[agree]
    return grown


def best_misses(law, n, d, levels):
    """Misses of the test that accuses from the largest product downwards."""
    products = sorted(law, reverse=True)
    outsider = np.array([law[product] for product in products])
    ratio = np.array([product * (2 / n) ** d for product in products])
    false_alarms = np.append(0, np.cumsum(outsider))
    hits = np.append(0, np.cumsum(outsider * ratio))
    # at last the products that are 0: all false alarms, no more hits
    return np.interp(levels, np.append(false_alarms, 1), 1 - np.append(hits, 1))


def least_questions(n, level=0.05):
    """Fewest questions for errors of this level: best test, score attack."""
    law = one_more({1: 1.0}, n)
    best = 1
    while best_misses(law, n, best, level) > level:
        law = one_more(law, n)
        best += 1
    scored = best
    while chapter.exact_trade_off(n, scored, level) > level:
        scored += 1
    return best, scored


def best_trade_off(n, d, levels):
    """Misses of the best test on exact means of d fair questions."""
    law = {1: 1.0}
    for _ in range(d):
        law = one_more(law, n)
    return best_misses(law, n, d, levels)


def ratio_laws(n, sigma, cells=4000, step=5e-4):
    """Laws of the rounded log-ratio of a question with noise, for outsider and participant."""
    edges = np.linspace(-1 - 8 * sigma, 1 + 8 * sigma, cells + 1)[:, None]
    k = np.arange(n + 1)
    steps = np.diff(ndtr((edges - (2 * k / n - 1)) / sigma), axis=0)
    outside = np.maximum(steps @ binom.pmf(k, n, 0.5), 1e-300)
    inside = np.maximum(steps @ binom.pmf(k - 1, n - 1, 0.5), 1e-300)
    ratio = np.rint(np.log(inside / outside).clip(-20, 20) / step).astype(int)
    return [np.bincount(ratio - ratio.min(), weights=w) for w in (outside, inside)]


def blind_misses(n, d, sigma, levels):
    """Misses of the best test on noisy means that knows only the population, on a lattice."""
    outside, inside = ratio_laws(n, sigma)
    size = d * (len(outside) - 1) + 1

    def from_above(law):
        sums = np.fft.irfft(np.fft.rfft(law, size) ** d, size)[::-1]
        return np.append(0, np.cumsum(np.maximum(sums, 0)))

    return np.interp(levels, from_above(outside), 1 - from_above(inside))
