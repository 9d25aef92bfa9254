"""Functions with which the tests of tracing check the two attacks of the chapter."""

import numpy as np
from scipy.special import ndtr
from scipy.stats import binom

from book.tools.chapter_code import chapter_module

chapter = chapter_module("tracing")


def best_trade_off(n, d, levels):
    """Misses of the best test on exact means of d fair questions."""
    law = {1: 1.0}
    for _ in range(d):
        law = chapter.one_more(law, n)
    return chapter.best_misses(law, n, d, levels)


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
