"""How far empirical errors stray from true errors: one hypothesis, and the worst of a class."""

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses import HypothesisClass
from privml.pac.base import SLACK, log_factorials, merged_points, samples
from privml.populations import FinitePopulation


def mistake_count_distribution(error_rate: float, n_samples: int) -> NDArray[np.float64]:
    """Law of the number of mistakes of one hypothesis on an i.i.d. sample.

    **Returns.** ndarray of float, shape (n_samples + 1,): binomial probabilities of 0, 1, ..., n_samples
    mistakes.
    **Source.** L4-lem-error-count-binomial.

    Parameters
    ----------
    error_rate : float
        True error of the hypothesis, in [0, 1].

    Examples
    --------
    >>> mistake_count_distribution(0.5, 2).round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    from scipy.special import xlog1py, xlogy

    check.non_negative(error_rate=error_rate)
    if error_rate > 1:
        raise ValueError(f"error_rate must be in the interval [0, 1], got {error_rate!r}")
    check.non_negative_integer(n_samples=n_samples)
    count = np.arange(n_samples + 1)
    log_factorial = log_factorials(n_samples)
    log_ways = log_factorial[-1] - log_factorial - log_factorial[::-1]
    return np.exp(log_ways + xlogy(count, error_rate) + xlog1py(n_samples - count, -error_rate))


def uniform_deviation_probability(
    hypotheses: HypothesisClass, population: FinitePopulation, n_samples: int, alpha: float
) -> float:
    """Probability that some hypothesis has an empirical error further than alpha from its true error.

    **Returns.** ``P(max_h |empirical error - true error| > alpha)``, exact up to rounding.
    **Accuracy.** Deviations are compared with ``alpha + SLACK``.
    **Source.** L4-thm-uniform-convergence and DR11-lem-sampling-bound bound this probability.

    >>> from privml.hypotheses import Table
    >>> coin = FinitePopulation([0, 0], [False, True], [0.5, 0.5])
    >>> round(uniform_deviation_probability(Table([[False], [True]]), coin, 2, 0.4), 12)
    0.5
    """
    check.instance(HypothesisClass, hypotheses=hypotheses)
    check.instance(FinitePopulation, population=population)
    check.positive_integer(n_samples=n_samples)
    check.non_negative(alpha=alpha)
    kinds = merged_points(hypotheses, population)
    total = 0.0
    for weights, mistakes in samples(kinds, n_samples):
        deviations = np.abs(mistakes / n_samples - kinds.errors).max(axis=1)
        total += float(weights[deviations > alpha + SLACK].sum())
    return min(total, 1.0)  # rounding may carry a sum of all weights past 1
