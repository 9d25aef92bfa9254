"""Uniform convergence of a finite problem.

It says that ``E sup over h of |R-hat(h, Z) - R(h)|`` tends to 0 at a rate that does not depend on the
distribution.  It is neither sufficient nor necessary for private learning; what every learnable problem needs
is much less, that the least empirical risk approaches the least risk.
"""

import numpy as np
from numpy.typing import ArrayLike

from privml import _check as check
from privml.learnability.base import LearningProblem
from privml.learnability.counts import count_vectors, sample_probabilities


def uniform_deviation(problem: LearningProblem, probabilities: ArrayLike, n_samples: int) -> float:
    """Mean over samples of the largest difference between empirical risk and risk.

    **Returns.** ``E sup over h of |R-hat(h, Z) - R(h)|``, a sum over all data sets up to order.
    **Source.** WLF16-rem-uniform-convergence.

    Parameters
    ----------
    probabilities : array_like of shape (n_records,)
        Distribution of a record.

    Raises
    ------
    ValueError
        If the distribution is none, or there are too many data sets.

    Examples
    --------
    >>> round(uniform_deviation(LearningProblem([[0.0, 1.0]]), [0.5, 0.5], 2), 12)
    0.25
    """
    check.instance(LearningProblem, problem=problem)
    risk = problem.risk(probabilities)
    counts = count_vectors(problem.n_records, n_samples)
    largest = np.abs(problem.empirical_risk(counts) - risk).max(axis=1)
    return float(sample_probabilities(counts, probabilities) @ largest)
