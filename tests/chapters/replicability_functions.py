"""Functions for the tests of the chapter on replicability that its page does not need."""

from math import ceil, log

import numpy as np
from scipy.stats import binom


def parts(epsilon, delta, beta):
    """Least number of parts in the theorem that makes a replicable algorithm private."""
    radius = (log(1 / (2 * delta)) + log(1 / (2 * beta))) / epsilon
    return ceil(4 + 4 * radius)


def bits(m, epsilon):
    """Chance of each number of ones among ``m`` fair bits, and the distribution of the answer on it."""
    ones = np.arange(m + 1)
    yes = 0.5 + (ones - m / 2) * epsilon / (2 + epsilon * m)
    return binom.pmf(ones, m, 0.5), np.column_stack([1 - yes, yes])


def quantiles(p, q):
    """Probability that two people agree who divide [0, 1] in the same order and share one uniform number."""
    first = np.concatenate([[0], np.cumsum(p)])
    second = np.concatenate([[0], np.cumsum(q)])
    common = np.minimum(first[1:], second[1:]) - np.maximum(first[:-1], second[:-1])
    return np.maximum(common, 0).sum()
