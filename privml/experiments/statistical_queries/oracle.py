"""Tables on the private oracle: exact audits, and how far off the worst of many answers is."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import audit
from privml.adjacency import neighbouring_datasets, records
from privml.bounds.noise_maximum import gaussian_max_quantile, laplace_max_error, laplace_max_quantile
from privml.bounds.statistical_queries import sq_accuracy
from privml.learners.statistical_queries import PrivateSQOracle, laplace_epsilon

EDGES = np.linspace(-1.0, 2.0, 13)


def clinic() -> tuple[tuple[NDArray, NDArray[np.bool_]], list[Callable]]:
    """Four possible records, a yes-or-no feature and a label, and three queries about them.

    Returns
    -------
    universe : tuple of ndarray
        Features and labels.
    queries : list of callable

    Examples
    --------
    >>> (X, y), queries = clinic()
    >>> [query(X, y).astype(float).tolist() for query in queries]
    [[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0]]
    """
    universe = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([False, True, False, True])
    return universe, [lambda X, y: y, lambda X, y: (X[:, 0] > 0) == y, lambda X, y: ~y]


def _oracle(data: tuple, n_queries: int, epsilon: float, mode: str) -> PrivateSQOracle:
    return PrivateSQOracle(*data, n_queries=n_queries, epsilon=epsilon, mode=mode, rng=0)


def density_audit(epsilon: float, n_samples: int, mode: str) -> float:
    """Largest privacy loss of three answers, from their densities, over all neighbours in the clinic.

    Parameters
    ----------
    epsilon : float
        Budget in nats.
    n_samples : int
        Number of records, at least 3.
    mode : {"reuse", "split"}
        As for the oracle.

    Returns
    -------
    float
        Shifts of the means over the scale, summed: the supremum of the log-ratio of the densities.

    Examples
    --------
    >>> round(density_audit(0.5, 3, "reuse"), 9)
    0.5
    """
    universe, queries = clinic()
    first, _, pairs = neighbouring_datasets(universe, n_samples, ordered=True)
    table = []
    for row in first:
        oracle = _oracle(records(universe, row), len(queries), epsilon, mode)
        means = []
        for query in queries:
            means.append(oracle.output_distribution(query).location / oracle.scale)
            oracle.answer(query)
        table.append(means)
    table = np.array(table)
    return float(np.abs(table[pairs[:, 0]] - table[pairs[:, 1]]).sum(axis=1).max())


def transcript_audit(epsilon: float, n_samples: int, mode: str) -> audit.ExactAudit:
    """Exact audit of two adaptive answers, each rounded to a cell; the first cell chooses the second query.

    Parameters
    ----------
    epsilon : float
        Budget in nats.
    n_samples : int
        Number of records, at least 2.
    mode : {"reuse", "split"}
        As for the oracle.

    Returns
    -------
    ExactAudit

    Examples
    --------
    >>> found = transcript_audit(1.0, 2, "split")
    >>> bool(0.8 < found.epsilon <= 1 + 1e-12)
    True
    """
    universe, queries = clinic()

    def cells(law) -> NDArray[np.float64]:
        return np.diff(np.concatenate([[0.0], law.cdf(EDGES), [1.0]]))

    def law(data: tuple) -> NDArray[np.float64]:
        oracle = _oracle(data, 2, epsilon, mode)
        first = cells(oracle.output_distribution(queries[0]))
        oracle.answer(queries[0])
        second = [cells(oracle.output_distribution(queries[1 + i % 2])) for i in range(len(first))]
        return (first[:, None] * np.array(second)).ravel()

    return audit.exact(law, universe, n_samples, ordered=True)


def oracle_audits(epsilon: float, n_samples: int) -> pd.DataFrame:
    """Exact privacy losses of the private oracle on all data sets of the clinic.

    Parameters
    ----------
    epsilon : float
        Budget in nats.
    n_samples : int
        Number of records, at least 3.

    Returns
    -------
    DataFrame
        Columns ``records``, ``densities, 3 queries``, ``cells, 2 adaptive queries``.

    Examples
    --------
    >>> oracle_audits(1.0, 3).round(3).iloc[:, 1].tolist()
    [1.0, 1.0]
    """
    rows = [
        (name, density_audit(epsilon, n_samples, mode), transcript_audit(epsilon, n_samples, mode).epsilon)
        for name, mode in (("all, for every query", "reuse"), ("a batch per query", "split"))
    ]
    return pd.DataFrame(rows, columns=["records", "densities, 3 queries", "cells, 2 adaptive queries"])


def noise_of_answers(
    n_samples: int, epsilon: float, rho: float, n_queries: Sequence[int], beta: float
) -> pd.DataFrame:
    """How far off the worst of k private answers is, against k; and how far sampling alone can be off.

    Parameters
    ----------
    n_samples : int
        Number of records.
    epsilon, rho : float
        A pure and a concentrated budget.
    n_queries : sequence of int
        Numbers of queries.
    beta : float
        Probability with which the quantiles are exceeded.

    Returns
    -------
    DataFrame
        Columns ``n_queries``, ``curve``, ``error``.

    Examples
    --------
    >>> noise_of_answers(1000, 1.0, 0.5, [10], 0.05).round(3)["error"].tolist()
    [0.029, 0.053, 0.016, 0.009, 0.055]
    """
    rows = []
    for k in n_queries:
        pure, shared = k / (epsilon * n_samples), 1 / (laplace_epsilon(rho / k) * n_samples)
        sigma = float(np.sqrt(k / (2 * rho))) / n_samples
        rows += [
            (k, "Laplace, ε: mean", laplace_max_error(k, pure)),
            (k, "Laplace, ε: quantile", laplace_max_quantile(k, pure, beta)),
            (k, "Laplace, ρ: quantile", laplace_max_quantile(k, shared, beta)),
            (k, "Gauss, ρ: quantile", gaussian_max_quantile(k, sigma, beta)),
            (k, "sampling: bound", sq_accuracy(k, n_samples, beta)),
        ]
    return pd.DataFrame(rows, columns=["n_queries", "curve", "error"])
