"""Tables on sample sizes: with and without privacy, for queries fixed in advance and for adaptive ones."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml._search import smallest_integer
from privml.bounds import statistical_queries as bounds
from privml.experiments.statistical_queries.base import fair_coins


def exact_failure(n_queries: int, n_samples: int, epsilon: float | None, alpha: float) -> float:
    """Probability that one of k independent queries of mean 1/2 is answered wrongly by more than alpha.

    Parameters
    ----------
    n_queries : int
        Number of queries k.
    n_samples : int
        Number of records behind all of them.
    epsilon : float or None
        Budget in nats; None for no noise.
    alpha : float
        Accuracy.

    Returns
    -------
    float
        Exact: a binomial sum for one query, and a power of it.

    Examples
    --------
    >>> round(exact_failure(2, 50, None, 0.1), 4)
    0.2237
    """
    off = np.abs(np.arange(n_samples + 1) / n_samples - 0.5)
    if epsilon is None:
        beyond = (off > alpha + 1e-12).astype(float)
    else:
        scale = n_queries / (epsilon * n_samples)
        near = np.exp(-np.abs(alpha - off) / scale) / 2
        beyond = np.where(off < alpha, near, 1 - near) + np.exp(-(alpha + off) / scale) / 2
    single = float(fair_coins(n_samples) @ beyond)
    return float(-np.expm1(n_queries * np.log1p(-single)))


def exact_size(n_queries: int, epsilon: float | None, alpha: float, beta: float) -> int:
    """Least number of records at which ``exact_failure`` is at most beta, found by bisection.

    Without noise the failure may rise again at the next records, by rounding; the least size is one at
    which it is at most beta, and some sizes above may not be.

    Parameters
    ----------
    n_queries : int
        Number of queries k.
    epsilon : float or None
        Budget in nats; None for no noise.
    alpha, beta : float
        Accuracy and failure probability.

    Returns
    -------
    int

    Examples
    --------
    >>> exact_size(2, 1.0, 0.2, 0.05)
    53
    """
    return smallest_integer(lambda n: exact_failure(n_queries, n, epsilon, alpha) <= beta)


def sample_sizes(
    n_queries: Sequence[int], alpha: float, epsilon: float, rho: float, beta: float
) -> pd.DataFrame:
    """Records that are enough for k answers, against k.

    Parameters
    ----------
    n_queries : sequence of int
        Numbers of queries.
    alpha : float
        Accuracy of all answers.
    epsilon, rho : float
        A pure and a concentrated budget.
    beta : float
        Failure probability.

    Returns
    -------
    DataFrame
        Columns ``n_queries``, ``curve``, ``n_samples``.

    Examples
    --------
    >>> sample_sizes([100], 0.1, 1.0, 0.5, 0.05)["n_samples"].tolist()
    [415, 10463, 1116, 41500, 60400]
    """
    rows = []
    for k in n_queries:
        rows += [
            (k, "fixed", bounds.sq_sample_size(k, alpha, beta)),
            (k, "fixed, Laplace, ε", bounds.private_sq_sample_size(k, alpha, epsilon, beta)),
            (k, "fixed, Gauss, ρ", bounds.concentrated_sq_sample_size(k, alpha, rho, beta)),
            (k, "batches", bounds.sq_sample_size(k, alpha, beta, adaptive=True)),
            (k, "batches, Laplace, ε", bounds.private_sq_sample_size(k, alpha, epsilon, beta, adaptive=True)),
        ]
    return pd.DataFrame(rows, columns=["n_queries", "curve", "n_samples"])


def bound_and_need(n_queries: Sequence[int], alpha: float, epsilon: float, beta: float) -> pd.DataFrame:
    """The sample size of the theorem next to what k independent queries of mean 1/2 exactly need.

    Parameters
    ----------
    n_queries : sequence of int
        Numbers of queries.
    alpha, epsilon, beta : float
        Accuracy, budget and failure probability.

    Returns
    -------
    DataFrame
        Columns ``k``, ``halves``, ``sum``, ``exact``, ``sum / exact``, ``failure at sum``.

    Examples
    --------
    >>> bound_and_need([2], 0.2, 1.0, 0.1).round(3).to_numpy().tolist()
    [[2.0, 220.0, 117.0, 43.0, 2.721, 0.001]]
    """
    rows = []
    for k in n_queries:
        halves = bounds.private_sq_sample_size(k, alpha, epsilon, beta, form="halves")
        total = bounds.private_sq_sample_size(k, alpha, epsilon, beta)
        need = exact_size(k, epsilon, alpha, beta)
        rows.append((k, halves, total, need, total / need, exact_failure(k, total, epsilon, alpha)))
    return pd.DataFrame(rows, columns=["k", "halves", "sum", "exact", "sum / exact", "failure at sum"])


def prices(products: Sequence[float], n_queries: Sequence[int], epsilon: float, beta: float) -> pd.DataFrame:
    """Private over non-private sample size against alpha k, by the bounds; alpha below 1 only.

    Parameters
    ----------
    products : sequence of float
        Values of alpha times k.
    n_queries : sequence of int
        Numbers of queries k, one curve each for fixed queries; the last one also for batches.
    epsilon, beta : float
        Budget and failure probability.

    Returns
    -------
    DataFrame
        Columns ``product``, ``curve``, ``price``.

    Examples
    --------
    >>> prices([1.0, 50.0], [100], 1.0, 0.05).round(2)["price"].tolist()
    [4.11, 1.12, 108.29, 2.71]
    """
    rows = []
    for product in products:
        for k in n_queries:
            alpha = product / k
            if alpha >= 1:
                continue
            free = bounds.sq_sample_size(k, alpha, beta)
            rows.append(
                (product, f"fixed, k = {k}", bounds.private_sq_sample_size(k, alpha, epsilon, beta) / free)
            )
            if k == n_queries[-1]:
                paid = bounds.private_sq_sample_size(k, alpha, epsilon, beta, adaptive=True)
                rows.append((product, f"batches, k = {k}", paid / (k * free)))
    return pd.DataFrame(rows, columns=["product", "curve", "price"])
