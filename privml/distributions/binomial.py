"""Binomial log-probabilities that stay accurate for millions of trials.

``ln C(n, i) + i ln p + (n - i) ln(1 - p)`` is a small difference of huge terms: at n = 10^6 it loses seven
digits.  Loader's form has only small terms.  With Stirling's series for the factorials,

    ln P(i) = stirling(n) - stirling(i) - stirling(n - i) - deviance(i, n p) - deviance(n - i, n (1 - p))
              + ln(n / (2 pi i (n - i))) / 2,

where ``stirling(i) = ln i! - (i + 1/2) ln i + i - ln(2 pi) / 2`` is about 1 / (12 i), and
``deviance(x, m) = x ln(x / m) + m - x`` is zero at the mean.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

_EXACT = 16  # counts below it have Stirling's error from gammaln, not from the series
_TABULATED = 2000  # most trials of which all probabilities are kept for the next call
LARGEST_BINOMIAL = 10_000_000  # most trials of which all probabilities are tabulated


def _stirling_error(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """What Stirling's formula lacks of ln(count!), for counts of at least 1."""
    from scipy.special import gammaln

    inverse = 1 / np.square(counts)
    series = (
        1 / 12
        - inverse
        * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))
    ) / counts
    few = counts[counts < _EXACT]
    series[counts < _EXACT] = (
        gammaln(few + 1) - (few + 0.5) * np.log(few) + few - np.log(2 * np.pi) / 2
    )
    return series


def _deviance(
    counts: NDArray[np.float64],
    mean: NDArray[np.float64],
    log_mean: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The function x ln(x / m) + m - x of x, in powers of v = (x - m) / (x + m) near the mean."""
    difference = counts - mean
    v = difference / (counts + mean)
    square = v * v
    series = square / 19
    for odd in (17, 15, 13, 11, 9, 7, 5, 3):
        series += 1 / odd
        series *= square
    series *= 2 * counts
    series += difference
    return np.where(
        abs(v) < 0.1, series * v, counts * (np.log(counts) - log_mean) - difference
    )


def binomial_logpmf(n_trials: int, probability: float) -> NDArray[np.float64]:
    """Natural log-probabilities of 0, 1, ..., n_trials successes.

    Parameters
    ----------
    n_trials : int
        Number of trials, a positive integer up to 10^7.
    probability : float
        Chance of a success, in [0, 1].

    Returns
    -------
    ndarray
        Of shape (n_trials + 1,).

    Notes
    -----
    *Accuracy.* Absolute error about 1e-15 times one plus the log-probability's own size.

    References
    ----------
    Loader (2000).

    Examples
    --------
    >>> np.exp(binomial_logpmf(3, 0.5)).round(6).tolist()
    [0.125, 0.375, 0.375, 0.125]
    """
    check.positive_integer(n_trials=n_trials)
    check.at_most(LARGEST_BINOMIAL, n_trials=n_trials)
    check.unit_interval(probability=probability)
    if probability in (0.0, 1.0):
        return np.where(np.arange(n_trials + 1) == n_trials * probability, 0.0, -np.inf)
    return _logpmfs.__wrapped__(
        0, n_trials, n_trials, np.log(probability), np.log1p(-probability)
    )


@lru_cache(maxsize=4)
def _logpmfs(
    first: int, last: int, n_trials: int, log_p: float, log_rest: float
) -> NDArray[np.float64]:
    """Log-probabilities of first, ..., last successes."""
    successes = np.arange(first, last + 1.0)
    result = np.where(successes == 0, n_trials * log_rest, n_trials * log_p)
    inner = slice(int(first == 0), successes.size - int(last == n_trials))
    result[inner] = inner_logpmf(successes[inner], n_trials, log_p, log_rest)
    return result


def inner_logpmf(
    successes: NDArray[np.float64], n_trials: int, log_p: ArrayLike, log_rest: ArrayLike
) -> NDArray[np.float64]:
    """Log-probabilities of 0 < successes < n_trials, each with its own ln p and ln(1 - p)."""
    counts = np.stack([successes, n_trials - successes])
    logs = np.stack([np.atleast_1d(log_p), np.atleast_1d(log_rest)])
    terms = _stirling_error(counts) + _deviance(
        counts, n_trials * np.exp(logs), np.log(n_trials) + logs
    )
    whole = _stirling_error(np.array([float(n_trials)]))[0]
    return (
        whole
        - terms[0]
        - terms[1]
        + np.log(n_trials / (2 * np.pi * counts[0] * counts[1])) / 2
    )


def log_excess(
    n_trials: int, log_p: float, log_rest: float, most: int, gap: float, drop: float
) -> float:
    """Log of the mean of max(0, 1 - exp(-gap - drop (most - J))) over a binomial J, all positive.

    All terms are positive, so nothing cancels and nothing overflows.  From z standard deviations below the
    mean a normal tail falls to its e^-50 within the root of z^2 + 100, less z, further ones; the
    terms above the mean, where the excess is smallest, are left out where they add less still.
    """
    mean, deviation = (
        n_trials * np.exp(log_p),
        np.sqrt(n_trials * np.exp(log_p + log_rest)),
    )
    below = max(0.0, (mean - most) / deviation) if deviation > 0 else 0.0
    width = 1.1 * deviation * 100 / (np.hypot(below, 10.0) + below) + 100
    first = max(0, int(min(most, mean) - width))
    last = min(most, int(mean + 11 * deviation) + 100)
    start, stop = (0, n_trials) if n_trials <= _TABULATED else (first, last)
    logpmf = _logpmfs(start, stop, n_trials, log_p, log_rest)[
        first - start : last + 1 - start
    ]
    log_terms = logpmf + np.log(
        -np.expm1(-(gap + drop * (most - np.arange(first, last + 1))))
    )
    largest = log_terms.max()
    return float(largest + np.log(np.exp(log_terms - largest).sum()))


check.wrap_module(__name__)
