"""Uniform convergence of a finite problem, and how far the least empirical risk lies below the least risk.

Uniform convergence says that ``E sup over h of |R-hat(h, Z) - R(h)|`` tends to 0 at a rate that does not
depend on the distribution.  It is neither sufficient nor necessary for private learning.  What is necessary
is much less: the *optimism* ``R* - E R-hat*``, of the least values alone, must tend to 0.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml.learnability.base import LearningProblem
from privml.learnability.counts import count_vectors, sample_probabilities


def _mean_over_samples(values: NDArray, counts: NDArray, probabilities: NDArray) -> float:
    return float(sample_probabilities(counts, probabilities) @ values)


def uniform_deviation(problem: LearningProblem, probabilities: ArrayLike, n_samples: int) -> float:
    """Mean over samples of the largest difference between empirical risk and risk.

    Parameters
    ----------
    problem : LearningProblem
        The problem.
    probabilities : array_like of shape (n_records,)
        Distribution of a record.
    n_samples : int
        Number of records, at least 1.

    Returns
    -------
    float
        ``E sup over h of |R-hat(h, Z) - R(h)|``, a sum over all data sets up to order.

    Raises
    ------
    ValueError
        If the distribution is none, or there are too many data sets.

    Notes
    -----
    **Source.** WLF16-rem-uniform-convergence.

    Examples
    --------
    >>> round(uniform_deviation(LearningProblem([[0.0, 1.0]]), [0.5, 0.5], 2), 12)
    0.25
    """
    risk = problem.risk(probabilities)
    counts = count_vectors(problem.n_records, n_samples)
    largest = np.abs(problem.empirical_risk(counts) - risk).max(axis=1)
    return _mean_over_samples(largest, counts, np.asarray(probabilities, dtype=float))


def optimism(problem: LearningProblem, probabilities: ArrayLike, n_samples: int) -> float:
    """By how much the least empirical risk lies below the least risk, in the mean.

    Parameters
    ----------
    problem : LearningProblem
        The problem.
    probabilities : array_like of shape (n_records,)
        Distribution of a record.
    n_samples : int
        Number of records, at least 1.

    Returns
    -------
    float
        ``R* - E R-hat*(Z)``, never negative but for rounding.

    Raises
    ------
    ValueError
        If the distribution is none, or there are too many data sets.

    Notes
    -----
    In a privately learnable problem it tends to 0 uniformly in the distribution.
    **Source.** WLF16-def-setting, for R* and R-hat*; WLF16-rem-uniform-convergence.

    Examples
    --------
    >>> round(optimism(LearningProblem([[0.0, 1.0], [1.0, 0.0]]), [0.5, 0.5], 2), 12)
    0.25
    """
    best = float(problem.best_risk(probabilities))
    counts = count_vectors(problem.n_records, n_samples)
    least = problem.best_empirical_risk(counts)
    return best - _mean_over_samples(least, counts, np.asarray(probabilities, dtype=float))
