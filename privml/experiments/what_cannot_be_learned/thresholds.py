"""Tables on thresholds: packing bounds next to the best private learner and the exponential mechanism."""

from collections.abc import Sequence
from math import ceil, exp, inf, log

import numpy as np
import pandas as pd

from privml.learnability import count_vectors, exponential_law
from privml.learnability.impossibility import (
    Packing,
    grid_packing,
    packing_excess_risk,
    threshold_packing,
    thresholds_impossible_size,
)
from privml.learnability.optimal import optimal_learner


def best_grid_packing(n_points: int, n_samples: int, epsilon: float) -> Packing:
    """The packing of a grid, among all numbers of records around the cut, that proves most.

    Examples
    --------
    >>> int(best_grid_packing(4, 3, 1.0).distances.max())
    2
    """
    packings = [grid_packing(n_points, n_samples, distance=d) for d in range(1, n_samples + 1)]
    return max(packings, key=lambda packing: packing.excess_risk(epsilon))


def worst_exponential_risk(n_points: int, n_samples: int, epsilon: float) -> float:
    """Worst expected excess empirical risk of the exponential mechanism over all data sets of a grid.

    Examples
    --------
    >>> round(worst_exponential_risk(2, 3, 1.0), 4)
    0.3086
    """
    problem = grid_packing(n_points, n_samples).problem
    counts = count_vectors(problem.n_records, n_samples)
    law = exponential_law(problem, epsilon)(counts)
    return float((law * problem.excess_empirical_risk(counts)).sum(axis=1).max())


def reflection(n_points: int) -> list[int]:
    """The symmetry of thresholds on a grid: read it backwards and exchange the labels.

    Examples
    --------
    >>> reflection(2)
    [3, 2, 1, 0]
    """
    return list(range(2 * n_points - 1, -1, -1))


def best_risk(n_points: int, n_samples: int, epsilon: float) -> float:
    """Worst expected excess empirical risk of the best private learner on a grid.

    Examples
    --------
    >>> round(best_risk(2, 2, 1.0), 4)
    0.2392
    """
    problem = grid_packing(n_points, n_samples).problem
    return optimal_learner(problem, n_samples, epsilon, symmetries=[reflection(n_points)]).value


def between(n_points: Sequence[int], n_samples: int, epsilon: float) -> pd.DataFrame:
    """Worst expected excess empirical risk on a grid: lower bound, optimum, mechanism, theorem.

    Parameters
    ----------
    n_points : sequence of int
        Numbers of points of the grid, at least 2.
    n_samples : int
        Number of records.
    epsilon : float
        Privacy parameter in nats under ``REPLACE_ONE``.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``n_points``, ``excess``.  All exact; the optimum is that of a linear program,
        certified to 1e-6 by its dual.

    Examples
    --------
    >>> between([2], 2, 1.0).round(3)
                           curve  n_points  excess
    0              packing bound         2   0.193
    1       best private learner         2   0.239
    2      exponential mechanism         2   0.424
    3  theorem for the mechanism         2   1.099
    """
    packings = {size: best_grid_packing(size, n_samples, epsilon) for size in n_points}
    curves = {
        "packing bound": lambda size: packings[size].excess_risk(epsilon),
        "best private learner": lambda size: best_risk(size, n_samples, epsilon),
        "exponential mechanism": lambda size: worst_exponential_risk(size, n_samples, epsilon),
        "theorem for the mechanism": lambda size: 2 * log(size + 1) / (n_samples * epsilon),
    }
    rows = [(name, size, curve(size)) for name, curve in curves.items() for size in n_points]
    return pd.DataFrame(rows, columns=["curve", "n_points", "excess"])


def risk_by_size(log2_sizes: Sequence[float], n_samples: Sequence[int], epsilon: float) -> pd.DataFrame:
    """The bound of the source's packing against the number of thresholds, for several sample sizes.

    Parameters
    ----------
    log2_sizes : sequence of int
        Binary logarithms of the number K of thresholds.
    n_samples : sequence of int
        Numbers n of records, all around the cut.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``log2_size``, ``excess``, and ``quarter``: the binary logarithm of
        ``1 + e^(n epsilon)``, where the bound is one quarter.

    Examples
    --------
    >>> risk_by_size([0, 15], [10], 1.0).round(3)
       n_samples  log2_size  excess  quarter
    0         10          0   0.000   14.427
    1         10         15   0.299   14.427
    """
    rows = [
        (n, b, packing_excess_risk(2**b, n, epsilon), np.log2(1 + exp(n * epsilon)))
        for n in n_samples
        for b in log2_sizes
    ]
    return pd.DataFrame(rows, columns=["n_samples", "log2_size", "excess", "quarter"])


def crossing_sizes(bits: Sequence[int], epsilon: float, alpha: float) -> pd.DataFrame:
    """Numbers of records that are not enough for any private learner, and that are enough for one.

    Parameters
    ----------
    bits : sequence of int
        Binary logarithms of the number of thresholds.
    epsilon : float
        Privacy parameter in nats under ``REPLACE_ONE``.
    alpha : float
        Expected excess empirical risk allowed, below 1/2.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``bits``, ``n_samples``: ``not enough`` by packing with the best distance, ``not
        enough (all records)`` with all records around the cut, ``enough`` for the exponential mechanism by
        ``2 ln(K + 1) / (epsilon n) <= alpha``.

    Examples
    --------
    >>> crossing_sizes([20], 1.0, 0.1)["n_samples"].tolist()
    [51, 14, 278]
    """
    curves = {
        "not enough, any private learner": lambda b: thresholds_impossible_size(2**b, epsilon, alpha),
        "not enough, all records at the cut": lambda b: all_at_the_cut(2**b, epsilon, alpha),
        "enough, exponential mechanism": lambda b: ceil(2 * log(2**b + 1) / (epsilon * alpha)),
    }
    rows = [(name, b, curve(b)) for name, curve in curves.items() for b in bits]
    return pd.DataFrame(rows, columns=["curve", "bits", "n_samples"])


def all_at_the_cut(n_thresholds: float, epsilon: float, alpha: float) -> int:
    """Largest even number of records at which the source's packing keeps an excess risk out of reach.

    Examples
    --------
    >>> all_at_the_cut(2**20, 1.0, 0.1)
    14
    """
    size = 0
    while packing_excess_risk(n_thresholds, size + 2, epsilon) >= alpha:
        size += 2
        if n_thresholds == inf:
            raise ValueError(f"n_thresholds must be finite, got {n_thresholds!r}")
    return size


def mass_inside(n_datasets: int, n_samples: int, risk: float) -> pd.DataFrame:
    """What an empirical risk on a packed data set says about the probability of its interval.

    Parameters
    ----------
    n_datasets : int
        Number of data sets.
    n_samples : int
        Records in each, even.
    risk : float
        Expected empirical risk on the first data set.

    Returns
    -------
    DataFrame
        Columns ``reading``, ``loss_outside``, ``least_mass_inside``: as the source has it and as it is.

    Examples
    --------
    >>> mass_inside(3, 8, 0.1)
        reading  loss_outside  least_mass_inside
    0   printed           1.0                0.9
    1  computed           0.5                0.8
    """
    packing = threshold_packing(n_datasets, n_samples)
    mistakes = packing.thresholds.mistakes(packing.X[0], packing.y[0])
    outside = float(mistakes[1:].min() / n_samples)
    rows = [("printed", 1.0, 1 - risk), ("computed", outside, 1 - risk / outside)]
    return pd.DataFrame(rows, columns=["reading", "loss_outside", "least_mass_inside"])


def union_of_intervals(exponents: Sequence[float]) -> pd.DataFrame:
    """The sum in the source's inequality (5), with the number of terms it has and with one more.

    Parameters
    ----------
    exponents : sequence of float
        Values of n epsilon.

    Returns
    -------
    DataFrame
        Columns ``n_epsilon``, ``K``, ``K_terms`` and ``one_less``: K and K - 1 times ``e^(-n epsilon)``.

    Examples
    --------
    >>> union_of_intervals([1.0, 4.0]).round(3)
       n_epsilon   K  K_terms  one_less
    0        1.0   3    1.104     0.736
    1        4.0  55    1.007     0.989
    """
    rows = [(t, ceil(exp(t)), ceil(exp(t)) * exp(-t), (ceil(exp(t)) - 1) * exp(-t)) for t in exponents]
    return pd.DataFrame(rows, columns=["n_epsilon", "K", "K_terms", "one_less"])
