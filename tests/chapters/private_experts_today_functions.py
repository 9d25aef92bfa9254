"""Functions with which the tests of private online prediction check the theorems and problems of the chapter."""

from itertools import product
from math import exp, sqrt

import numpy as np
from scipy.special import log_ndtr
from scipy.stats import multivariate_normal

from book.tools.chapter_code import chapter_module

chapter = chapter_module("private-experts-today")


def punished(n_rounds, k, choose):
    """Average regret when the last choice loses 1, and all others nothing."""
    sums, last, loss, total = np.zeros(k), None, 0, 0
    for t in range(n_rounds):
        choice = choose(t, sums, last, loss)
        loss = int(choice == last)
        total += loss
        if last is not None:
            sums[last] += 1
        last = choice
    return (total - sums.min()) / n_rounds


def lazy_chooser(eta, q, rng):
    """Lazy weighted majority; at q = 1 weighted majority itself."""

    def choose(t, sums, last, loss):
        if last is not None and rng.random() < (1 - q) * exp(-eta * loss):
            return last
        weights = np.cumsum(np.exp(-eta * (sums - sums.min())))
        return int(np.searchsorted(weights, rng.random() * weights[-1]))

    return choose


def square_root(n_rounds):
    """The square root of the matrix of running totals."""
    f, steps = chapter.root(n_rounds), np.arange(n_rounds)
    before = steps[:, None] - steps
    return np.where(before >= 0, f[before], 0.0)


def leader_law(losses, sigma):
    """Law of all choices of the leader of noisy sums among two experts, by orthants of a Gaussian vector."""
    n_rounds, mixing = len(losses), square_root(len(losses))
    lead = np.append(0.0, np.cumsum((losses @ [-1.0, 1.0])[:-1]))
    law = []
    for choices in product((0, 1), repeat=n_rounds):
        signs = 1 - 2 * np.array(choices)
        spread = 2 * sigma**2 * np.outer(signs, signs) * (mixing @ mixing.T)
        law.append(multivariate_normal(mean=None, cov=spread).cdf(signs * lead))
    return np.array(law)


def leader_regrets(n_rounds, sigma):
    """Exact expected regret of the leader of two on all sequences of zeros and ones."""
    vectors = list(product((0, 1), repeat=2))
    losses = np.array(list(product(vectors, repeat=n_rounds)), dtype=float)
    lead = np.cumsum(losses, axis=1)[:, :-1] @ [-1, 1]
    lead = np.concatenate([np.zeros((len(lead), 1)), lead], axis=1)
    first = np.exp(log_ndtr(lead / (sigma * np.sqrt(2 * chapter.ROWS[:n_rounds]))))
    suffered = first * losses[..., 0] + (1 - first) * losses[..., 1]
    return (suffered.sum(axis=1) - losses.sum(axis=1).min(axis=1)) / n_rounds


def leader_bound(n_rounds, k, sigma):
    """Bound of the problem on the leader of noisy sums."""
    spreads = sigma * np.sqrt(chapter.ROWS[:n_rounds])
    total = spreads[-1] + (1 / (4 * spreads)).sum()
    return chapter.largest_normal(k) * total / n_rounds


def sums_regrets(n_rounds, eta, spread):
    """Exact expected regret of weighted majority on noisy sums with two experts, on all sequences of zeros and ones.

    Only the difference of the two noises matters; its mean is taken by Gauss-Hermite quadrature.
    """
    vectors = list(product((0, 1), repeat=2))
    losses = np.array(list(product(vectors, repeat=n_rounds)), dtype=float)
    lead = np.cumsum(losses, axis=1)[:, :-1] @ [-1, 1]
    lead = np.concatenate([np.zeros((len(lead), 1)), lead], axis=1)
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    noise = sqrt(2) * spread * nodes
    first = 1 / (1 + np.exp(-eta * (lead[..., None] + noise)))
    first = first @ weights / weights.sum()
    suffered = first * losses[..., 0] + (1 - first) * losses[..., 1]
    return (suffered.sum(axis=1) - losses.sum(axis=1).min(axis=1)) / n_rounds


def watched_bound(n_rounds, k, mu):
    """Bound of the problem on noisy sums against an adversary who watches, at the best rate."""
    sigma = sqrt(k * chapter.ROWS[n_rounds - 2]) / mu
    spreads = sigma * np.sqrt(chapter.ROWS[:n_rounds])
    slope = 1 / 8 + chapter.largest_normal(k) / 2 * spreads.mean()
    return 2 * sqrt(np.log(k) / n_rounds * slope)
