"""Functions with which the tests of lower bounds for private learning check theorems and errata of the chapter."""

from itertools import combinations, product
from math import ceil, exp, isqrt, log, sqrt
from typing import NamedTuple

import numpy as np

from privml.bounds import required_sample_size
from privml.distributions.binomial import binomial_logpmf
from privml.hypotheses import Thresholds
from privml.learnability import impossibility, packing_excess_risk


class ThresholdPacking(NamedTuple):
    """The packing of thresholds on [0, 1]: one data set a row, and the intervals of good answers."""

    thresholds: Thresholds
    intervals: np.ndarray
    X: np.ndarray
    y: np.ndarray


def threshold_packing(K, m, *, distance=None):
    """Half of d records on either side of each of K thresholds, the others at 0."""
    d, width, centres = distance or m, 1 / K, (np.arange(K) + 0.5) / K
    left = m - d + d // 2
    X = np.repeat(centres[:, None] + width / 6, m, axis=1)
    X[:, :left] -= width / 3
    X[:, : m - d] = 0.0
    y = np.broadcast_to(np.arange(m) >= left, X.shape)
    intervals = centres[:, None] + width / 3 * np.array([-1, 1])
    return ThresholdPacking(Thresholds(centres), intervals, X, y)


def union_of_intervals(t):
    """At m epsilon = t the number K of intervals, and K and K - 1 terms of the source's sum (5)."""
    K = ceil(exp(t))
    return t, K, K * exp(-t), (K - 1) * exp(-t)


def packing_size(d, epsilon, alpha, *, delta=0.0, loss=0.5):
    """The fewest data sets at distance d that rule out an excess of alpha."""

    def risk(K):
        return packing_excess_risk(K, d, epsilon, delta=delta, loss=loss)

    few, many = 0, 1
    while risk(many) < alpha:
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (middle, many) if risk(middle) < alpha else (few, middle)
    return many


def packing_distance(K, epsilon, alpha, *, delta=0.0, loss=0.5):
    """The largest distance at which K data sets rule out an excess of alpha."""

    def bound(d):
        return packing_excess_risk(K, d, epsilon, delta=delta, loss=loss)

    return required_sample_size(bound, np.nextafter(alpha, 0)) - 1


def all_at_the_cut(K, epsilon, alpha):
    """Most records, all of them at the threshold, for which the packing forbids alpha."""
    m = 0
    while packing_excess_risk(K, m + 2, epsilon) >= alpha:
        m += 2
    return m


def thresholds_impossible_size(K, epsilon, alpha):
    """Most records from which K thresholds cannot be learned up to alpha."""
    sizes, d = [0], 2
    while d * epsilon < log(K) + 40:  # more at the threshold only weaken it
        gain = d / 2 * impossibility.failing_share(K, d, epsilon, 0.0)
        m = int(gain / alpha) + 1
        m -= gain / m < alpha
        sizes.append(m if m >= d else 0)
        d += 2
    return max(sizes)


def erm_rate(k):
    """Worst excess risk of the more frequent of two opposite rules, with a coin for ties."""
    p, ones = np.linspace(0, 0.5, 101), np.arange(k + 1)
    chances = np.exp([binomial_logpmf(k, share) for share in p])
    wrong = chances @ ((2 * ones > k) + (2 * ones == k) / 2)
    return ((1 - 2 * p) * wrong).max()


def best_risk_gap(m):
    """By how much the mean least empirical risk is below R*, for a fair coin, and three bounds."""
    ones, k = np.arange(m + 1), isqrt(isqrt(m))
    exact = 0.5 - np.exp(binomial_logpmf(m, 0.5)) @ np.minimum(ones, m - ones) / m
    direct = [erm_rate(j) + j * (j + 1) / (2 * m) for j in range(1, isqrt(m) + 1)]
    return m, exact, min(direct), direct[k - 1], 12 * erm_rate(k) + 36 / sqrt(m)


def d_universal_aerm_rate(xi, xi_prime, m, *, form="direct"):
    """The bound of Lemma 14 on the excess empirical risk, as in the chapter and as printed."""
    times, constant = (1, 2) if form == "direct" else (12, 37)
    k = isqrt(m)
    return xi(k) + times * xi_prime(isqrt(k)) + constant / sqrt(m)


def missing_mass(distribution, m):
    """Expected probability of the points that m records have not shown."""
    distribution = np.asarray(distribution)
    return (distribution * (1 - distribution) ** m).sum(axis=-1)


def hidden_support_risk(N, m):
    """What no learner avoids on some uniform distribution on N points."""
    return (1 - 1 / N) ** m


def missing_mass_bound(N, m):
    """Largest missing mass with at most N points, or a bound on it."""
    return hidden_support_risk(N, m) if m < N else N / (m + 1) * (m / (m + 1)) ** m


def missing_masses(N, m):
    """Missing mass of m records: uniform, with one large point, and two bounds."""
    peak = min(1 / (m + 1), 1 / N)
    one_large = [1 - (N - 1) * peak] + [peak] * (N - 1)
    exact = [missing_mass(each, m) for each in (np.full(N, 1 / N), one_large)]
    bounds = missing_mass_bound(N, m), min(1.0, N / m)
    return m, *exact, *bounds, hidden_support_risk(3 * m, m)


def private_support_risk(M, s, epsilon):
    """What no private answer of at most s of M points avoids on uniform records; the optimum for one record.

    The chapter proves the simpler bound 1 - s e^epsilon / M, which is not above this one.
    """
    return (M - s) / (M - s + s * exp(epsilon))


def subset_selection_risk(M, m, s, epsilon):
    """Mean empirical risk of choosing s of M points by the records that they hold."""
    chosen = combinations(range(M), s)
    sets = np.array([[point in each for point in range(M)] for each in chosen])
    hits = sets[:, np.array(list(product(range(M), repeat=m)))].sum(axis=2).T
    weights = np.exp((epsilon if m == 1 else epsilon / 2) * (hits - m))
    return ((weights * (1 - hits / m)).sum(axis=1) / weights.sum(axis=1)).mean()
