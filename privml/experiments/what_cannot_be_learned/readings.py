"""Tables on the number of digits of a measurement: tumours, the worst data, and what no learner avoids."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml.datasets import load_breast_cancer
from privml.learnability.impossibility import thresholds_excess_risk

FEATURE = "radius (worst)"


def tumour_readings() -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """One measurement of each tumour, scaled by its public range to [0, 1], and whether it is malignant.

    Examples
    --------
    >>> x, y = tumour_readings()
    >>> len(x), bool((0 <= x).all() and (x <= 1).all())
    (569, True)
    """
    cancer = load_breast_cancer()
    return cancer.X[:, cancer.feature_names.index(FEATURE)], cancer.y


def _mean_error(mistakes: NDArray, log_number: NDArray, epsilon: float, n_samples: int) -> float:
    """Expected error of the exponential mechanism on groups of thresholds with equally many mistakes."""
    weights = log_number - epsilon * mistakes / 2
    weights = np.exp(weights - weights.max())
    return float(weights @ mistakes / weights.sum() / n_samples)


def expected_error(x: ArrayLike, y: ArrayLike, bits: int, epsilon: float) -> float:
    """Expected training error of the private learner of thresholds with cuts at multiples of 2^-bits.

    Parameters
    ----------
    x : array_like of shape (n_samples,)
        Readings in [0, 1]; rounded down to multiples of 2^-bits first.
    y : array_like of shape (n_samples,)
        Labels.
    bits : int
        Number of binary digits of readings and cuts, at least 1.
    epsilon : float
        Privacy parameter in nats under ``REPLACE_ONE``, positive.

    Returns
    -------
    float
        Exact for any number of digits: cuts between the same two readings make the same mistakes.

    Examples
    --------
    >>> round(expected_error([0.1, 0.2, 0.8, 0.9], [False, False, True, True], 3, 2.0), 4)
    0.0532
    """
    y = np.asarray(y, dtype=bool)
    places, group = np.unique(np.floor(np.asarray(x, dtype=float) * 2.0**bits), return_inverse=True)
    missed = np.concatenate([[0.0], np.cumsum(np.bincount(group, weights=y))])
    alarms = np.concatenate([[0.0], np.cumsum(np.bincount(group, weights=~y))])
    mistakes = missed + alarms[-1] - alarms
    number = np.diff(np.concatenate([[-1.0], places, [2.0**bits]]))
    return _mean_error(mistakes[number > 0], np.log(number[number > 0]), epsilon, len(y))


def packed_error(n_samples: int, bits: int, epsilon: float) -> float:
    """The same when half of the records lie just below one middle cut and half on it.

    Parameters
    ----------
    n_samples : int
        Number of records, even.
    bits : int
        Number of binary digits, at least 1.
    epsilon : float
        Privacy parameter in nats, positive.

    Returns
    -------
    float
        One cut makes no mistake, the other 2^bits make n_samples / 2.

    Examples
    --------
    >>> round(packed_error(4, 3, 2.0), 4)
    0.2599
    """
    mistakes = np.array([0.0, n_samples / 2])
    return _mean_error(mistakes, np.array([0.0, bits * np.log(2)]), epsilon, n_samples)


def digits(bits: Sequence[int], epsilon: float, n_samples: int) -> pd.DataFrame:
    """Expected training error against the number of digits of a measurement.

    Parameters
    ----------
    bits : sequence of int
        Numbers of binary digits.
    epsilon : float
        Privacy parameter in nats.
    n_samples : int
        Number of records of the packed data, even; the tumours have their own number.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``bits``, ``error``: of the exponential mechanism on tumours and on packed data,
        and what no private learner avoids on all data sets of that size.

    Examples
    --------
    >>> digits([4, 60], 0.1, 568).round(3)["error"].tolist()
    [0.105, 0.108, 0.0, 0.5, 0.012, 0.326]
    """
    x, y = tumour_readings()
    curves = {
        "tumours, exponential mechanism": lambda b: expected_error(x, y, b, epsilon),
        "packed data, exponential mechanism": lambda b: packed_error(n_samples, b, epsilon),
        "no private learner, worst data": lambda b: thresholds_excess_risk(2**b - 1, n_samples, epsilon),
    }
    rows = [(name, b, curve(b)) for name, curve in curves.items() for b in bits]
    return pd.DataFrame(rows, columns=["curve", "bits", "error"])
