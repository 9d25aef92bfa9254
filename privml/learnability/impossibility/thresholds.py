"""Thresholds on [0, 1]: learnable from few records, and by no pure private learner from any number.

A threshold h labels x by ``x > h``.  Its packing has K cuts in the middle of K cells of [0, 1]; around each,
half of d records lie just left, labelled False, and half just right, labelled True.  A threshold outside of
the cell is wrong on half of them.  All other records lie at 0, labelled False, where none errs.
"""

from math import ceil, inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses import Thresholds
from privml.learnability.impossibility.base import (
    checked_distance,
    checked_number,
    checked_privacy,
    failing_share,
)

LARGEST_SAMPLE = 10**6
"""Most records that are gone through one by one."""


class ThresholdPacking(NamedTuple):
    """Data sets around cut points of [0, 1]."""

    thresholds: Thresholds
    intervals: NDArray[np.float64]
    X: NDArray[np.float64]
    y: NDArray[np.bool_]


def threshold_packing(n_datasets: int, n_samples: int, *, distance: int | None = None) -> ThresholdPacking:
    """Data sets on [0, 1], each of which only thresholds in its own interval explain.

    Parameters
    ----------
    n_datasets : int
        Number K of data sets and cut points, at least 1.
    distance : int, optional
        How many of them lie around the cut point, from 1 to `n_samples`, which is the default.  The others
        lie at 0, labelled False.

    Returns
    -------
    ThresholdPacking
        `thresholds` of shape (K,); disjoint open `intervals` (K, 2) around them, with all records that are
        not at 0; `X` and `y` of shape (K, n_samples).

    Notes
    -----
    **Source.** WLF16-prop-12.  Its spacing ``e^(-epsilon n)`` leaves no room for the one threshold more that
    its inequality (5) needs; with spacing 1 / K any number K fits.

    Examples
    --------
    >>> packing = threshold_packing(2, 4)
    >>> packing.X.round(3).tolist()
    [[0.167, 0.167, 0.333, 0.333], [0.667, 0.667, 0.833, 0.833]]
    >>> packing.y[0].tolist()
    [False, False, True, True]
    """
    check.positive_integer(n_datasets=n_datasets)
    distance = checked_distance(distance, n_samples)
    if n_datasets * n_samples > 16 * LARGEST_SAMPLE:
        raise ValueError(
            f"n_datasets * n_samples must be at most {16 * LARGEST_SAMPLE}, "
            f"got {n_datasets!r} * {n_samples!r}"
        )
    centres = (np.arange(n_datasets) + 0.5) / n_datasets
    left, width = n_samples - distance + distance // 2, 1 / n_datasets
    X = np.repeat(centres[:, None] + width / 6, n_samples, axis=1)
    X[:, :left] -= width / 3
    X[:, : n_samples - distance] = 0.0
    y = np.broadcast_to(np.arange(n_samples) >= left, X.shape)
    return ThresholdPacking(Thresholds(centres), centres[:, None] + width / 3 * np.array([-1, 1]), X, y)


def _gain(n_datasets: float, distance: int, epsilon: float, delta: float) -> float:
    """Number of mistakes that no private learner avoids when `distance` records lie around the cut."""
    return distance / 2 * failing_share(n_datasets, distance, epsilon, delta)


def _largest_useful_distance(n_datasets: float, epsilon: float, delta: float) -> float:
    """A distance beyond which more records around the cut only weaken the bound."""
    if n_datasets == inf and delta == 0:
        return inf
    loss = log(n_datasets) if n_datasets != inf else inf
    return 2 * ceil((min(loss, -log(delta) if delta else inf) + 40) / epsilon + 2)


def thresholds_excess_risk(
    n_thresholds: float, n_samples: int, epsilon: float, *, delta: float = 0.0
) -> float:
    """Worst expected excess empirical risk that no private learner of thresholds avoids.

    Parameters
    ----------
    n_thresholds : int or inf
        Number K of disjoint intervals that the instances leave room for; inf for all of [0, 1].

    Returns
    -------
    float
        The largest ``packing_excess_risk(K, d, epsilon, delta=delta, loss=d / (2 n_samples))`` over even
        d up to `n_samples`.

    Notes
    -----
    **Privacy.** For (epsilon, delta)-DP under ``REPLACE_ONE``.
    **Source.** WLF16-prop-12 and WLF16-prop-33, with d free: d = n_samples is the sources' choice, and with
    smaller d the bound falls like ``ln K / (epsilon n)`` and not exponentially in n.

    Examples
    --------
    >>> thresholds_excess_risk(float("inf"), 1000, 1.0)
    0.5
    >>> round(thresholds_excess_risk(2**20, 1000, 1.0), 6)
    0.005194
    """
    checked_number(n_thresholds)
    check.positive_integer(n_samples=n_samples)
    checked_privacy(epsilon, delta)
    largest = _largest_useful_distance(n_thresholds, epsilon, delta)
    if largest == inf:
        return n_samples // 2 / n_samples
    distances = range(2, int(min(n_samples, largest)) + 1, 2)
    return max((_gain(n_thresholds, d, epsilon, delta) / n_samples for d in distances), default=0.0)


def thresholds_impossible_size(
    n_thresholds: float, epsilon: float, alpha: float, *, delta: float = 0.0
) -> float:
    """Largest number of records from which thresholds are known not to be learnable to a given excess.

    Parameters
    ----------
    n_thresholds : int or inf
        Number of disjoint intervals; inf for all of [0, 1].

    Returns
    -------
    int or inf
        The largest n with ``thresholds_excess_risk(n_thresholds, n, epsilon) >= alpha``, 0 if there is none.

    Notes
    -----
    **Source.** WLF16-prop-12: for pure privacy and [0, 1] the answer is inf.

    Examples
    --------
    >>> thresholds_impossible_size(float("inf"), 1.0, 0.1)
    inf
    >>> thresholds_impossible_size(2**20, 1.0, 0.1)
    51
    """
    checked_number(n_thresholds)
    checked_privacy(epsilon, delta)
    check.probability_open(alpha=alpha)
    if alpha >= 0.5:
        raise ValueError(f"alpha must be below 1/2, got {alpha!r}")
    largest = _largest_useful_distance(n_thresholds, epsilon, delta)
    if largest == inf:
        return inf
    sizes = [0]
    for distance in range(2, int(largest) + 1, 2):
        gain = _gain(n_thresholds, distance, epsilon, delta)
        n_samples = int(gain / alpha) + 1
        while n_samples >= distance and gain / n_samples < alpha:
            n_samples -= 1
        sizes.append(n_samples if n_samples >= distance else 0)
    return max(sizes)
