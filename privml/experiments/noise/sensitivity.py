"""How far statistics of whole numbers of days move, and what becomes of a histogram with too little noise."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml import audit
from privml.adjacency import Adjacency, multisets
from privml.mechanisms import DiscreteLaplaceMechanism
from privml.queries import vector_sensitivity


def _statistics(largest: int) -> dict[str, Callable[[ArrayLike], ArrayLike]]:
    """Statistics of whole numbers of days between 0 and `largest`."""
    days = np.arange(1, largest + 1)
    return {
        "count of the largest": lambda z: np.sum(z == largest),
        "total": np.sum,
        "histogram": lambda z: np.bincount(z, minlength=largest + 1),
        "all counts of at least k": lambda z: (z[:, None] >= days).sum(axis=0),
    }


def sensitivities(largest: int, n_samples: int) -> pd.DataFrame:
    """L1 and L2 sensitivity of four statistics of days, by enumeration of all neighbours.

    Parameters
    ----------
    largest : int
        Largest number of days; the smallest is 0.
    n_samples : int
        Number of records, of the larger data set under ``ADD_OR_REMOVE_ONE``.

    Returns
    -------
    DataFrame
        Columns ``statistic``, ``relation``, ``l1``, ``l2``.

    Examples
    --------
    >>> sensitivities(2, 3).query("statistic == 'histogram'").round(4)
       statistic           relation   l1      l2
    4  histogram        replace-one  2.0  1.4142
    5  histogram  add-or-remove-one  1.0  1.0000
    """
    universe, rows = np.arange(largest + 1), []
    for name, statistic in _statistics(largest).items():
        for relation in Adjacency:
            both = (
                vector_sensitivity(statistic, universe, n_samples, order=order, adjacency=relation)
                for order in (1, 2)
            )
            rows.append((name, str(relation), *both))
    return pd.DataFrame(rows, columns=["statistic", "relation", "l1", "l2"])


def smallest_distance(n_points: int, n_samples: int) -> int:
    """Smallest L1 distance of the histograms of two different data sets of one size.

    Parameters
    ----------
    n_points : int
        Number of possible records.
    n_samples : int
        Number of records.

    Returns
    -------
    int
        Add-or-remove-one asks for 1.

    Examples
    --------
    >>> smallest_distance(3, 2)
    2
    """
    rows = multisets(n_points, n_samples)
    counts = np.array([np.bincount(row, minlength=n_points) for row in rows])
    distances = np.abs(counts[:, None] - counts[None]).sum(axis=2)
    return int(distances[distances > 0].min())


def _clamped_histogram(mechanism: DiscreteLaplaceMechanism, n_cells: int, lower: int, upper: int) -> Callable:
    """Law of a histogram with noise, each cell clamped to [lower, upper]."""
    points = np.arange(lower, upper + 1)

    def cell(count: int) -> NDArray[np.float64]:
        law = mechanism.output_distribution(count)
        return np.concatenate([[law.cdf(lower)], np.exp(law.logpmf(points[1:-1])), [law.sf(upper - 1)]])

    def law(records: ArrayLike) -> NDArray[np.float64]:
        joint = np.ones(1)
        for count in np.bincount(records, minlength=n_cells).tolist():
            joint = np.multiply.outer(joint, cell(count)).ravel()
        return joint

    return law


def histogram_audits(epsilon: float, n_cells: int, n_samples: int) -> pd.DataFrame:
    """Exact parameter of a histogram with discrete Laplace noise, for two declared sensitivities.

    Parameters
    ----------
    epsilon : float
        Claimed parameter in nats.
    n_cells : int
        Number of cells.
    n_samples : int
        Number of records, of the larger data set under ``ADD_OR_REMOVE_ONE``.

    Returns
    -------
    DataFrame
        Columns ``declared`` (L1 sensitivity), ``relation``, ``n_pairs``, ``exact_epsilon``.

    Notes
    -----
    Cells are clamped to two below and two above what is possible, which keeps the largest loss.

    Examples
    --------
    >>> histogram_audits(1.0, 2, 2).round(6)
       declared           relation  n_pairs  exact_epsilon
    0         1        replace-one        2            2.0
    1         1  add-or-remove-one        4            1.0
    2         2        replace-one        2            1.0
    3         2  add-or-remove-one        4            0.5
    """
    rows = []
    for declared in (1, 2):
        mechanism = DiscreteLaplaceMechanism(epsilon=epsilon, sensitivity=declared)
        law = _clamped_histogram(mechanism, n_cells, -2, n_samples + 2)
        for relation in Adjacency:
            found = audit.exact(law, np.arange(n_cells), n_samples, adjacency=relation)
            rows.append((declared, str(relation), found.n_pairs, found.epsilon))
    return pd.DataFrame(rows, columns=["declared", "relation", "n_pairs", "exact_epsilon"])
