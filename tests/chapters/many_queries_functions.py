"""Functions with which the tests of *many queries* go beyond the page: best private tables by linear programming."""

from math import exp, log

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, vstack

from book.tools.chapter_code import chapter_module
from privml.adjacency import neighbouring_datasets
from privml.mechanisms import MWEM

chapter = chapter_module("many-queries")
errors, histograms, small_database = (
    chapter.errors,
    chapter.histograms,
    chapter.small_database,
)


def printed_bound(N, k, m, T, epsilon):
    """The published bound with probability 1 - 2T/k."""
    return 2 * np.sqrt(log(N) / T) + 10 * T * log(k) / (epsilon * m)


def sharper_bound(N, k, m, T, epsilon):
    """The bound of the proposition with the same probability."""
    return np.sqrt(log(N) / (2 * T)) + 10 * T * log(k) / (epsilon * m)


def best_tables(queries, n_samples, size, epsilon):
    """Least worst mean error of all private mechanisms that publish a table."""
    points = queries.shape[1]
    data, outputs = histograms(points, n_samples), histograms(points, size)
    loss = np.array([errors(queries, z, outputs) for z in data])
    n, k = loss.shape
    pairs = neighbouring_datasets(np.arange(points), n_samples)[2]
    both = np.vstack([pairs, pairs[:, ::-1]])
    rows = np.arange(len(both) * k)
    left, right = (both[:, [i]] * k + np.arange(k) for i in (0, 1))
    values = np.r_[np.ones(rows.size), np.full(rows.size, -exp(epsilon))]
    where = np.r_[rows, rows], np.r_[left.ravel(), right.ravel()]
    private = coo_array((values, where), (rows.size, n * k + 1))
    own = np.kron(np.eye(n), np.ones(k))  # sums over the tables of each data set
    worst = np.hstack([own * loss.ravel(), -np.ones((n, 1))])
    total, aim = np.hstack([own, np.zeros((n, 1))]), np.r_[np.zeros(n * k), 1.0]
    limits = vstack([private, coo_array(worst)])
    return linprog(aim, limits, np.zeros(rows.size + n), total, np.ones(n)).fun


def worst_small(queries, n_samples, size, epsilon):
    """Worst mean error of the small-database mechanism."""
    laws = (
        small_database(queries, z, size, epsilon)
        for z in histograms(queries.shape[1], n_samples)
    )
    return max(off @ chance for off, chance in laws)


def worst_mwem(queries, n_samples, rounds, epsilon):
    """Worst mean error of the mean table of MWEM."""
    mwem = MWEM(epsilon=epsilon, queries=queries.astype(bool), n_rounds=rounds)
    means = np.array(
        [
            mwem.tables(t, n_samples)[:-1].mean(axis=0)
            for t in mwem.transcripts(n_samples)
        ]
    )
    return max(
        errors(queries, z, means) @ mwem.output_distribution(z).pmf()
        for z in histograms(queries.shape[1], n_samples)
    )


def histogram_error(queries, n_samples, epsilon, reach=60):
    """Mean largest error of the noisy histogram; the first point is in no query."""
    noise = np.arange(-reach, reach + 1)
    law = np.exp(-epsilon * np.abs(noise) / 2)
    law /= law.sum()
    grid = np.array(np.meshgrid(*[noise] * 3, indexing="ij")).reshape(3, -1)
    chance = np.prod(law[grid + reach], axis=0)
    return np.abs(queries[:, 1:] @ grid).max(axis=0) @ chance / n_samples
