"""Distributions to try: a grid of the simplex, and the worst point of it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learnability.base import CountLaw, LearningProblem
from privml.learnability.counts import count_vectors


class WorstDistribution(NamedTuple):
    """A largest expectation, and the distribution on the records that attains it."""

    value: float
    probabilities: NDArray[np.float64]


def simplex_grid(n_records: int, steps: int) -> NDArray[np.float64]:
    """All distributions on the records whose probabilities are multiples of ``1 / steps``.

    Parameters
    ----------
    n_records : int
        Size of the universe.
    steps : int
        How fine the grid is, at least 1.

    Returns
    -------
    ndarray of shape (n_distributions, n_records)

    Examples
    --------
    >>> simplex_grid(2, 2).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """
    check.positive_integer(n_records=n_records, steps=steps)
    return count_vectors(n_records, steps) / steps


def worst_distribution(
    expectation: Callable, law: CountLaw, problem: LearningProblem, n_samples: int, *, steps: int
) -> WorstDistribution:
    """Largest value of one of the expectations of this module over a grid of distributions.

    **Returns.** WorstDistribution: attained, so a lower bound on the supremum over all distributions.
    **Source.** WLF16-def-1 and WLF16-def-5, the supremum over distributions.

    Parameters
    ----------
    expectation : callable
        :func:`expected_aerm_gap`, :func:`expected_excess_risk` or :func:`generalisation_gap`, or any function
        with their arguments.
    law : callable
        Law of the learner.
    steps : int
        The grid is that of :func:`simplex_grid`.

    Examples
    --------
    >>> from privml.learnability import erm_law, expected_excess_risk
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> found = worst_distribution(expected_excess_risk, erm_law(problem), problem, 3, steps=10)
    >>> round(found.value, 6), found.probabilities.tolist()
    (0.0864, [0.7, 0.3])
    """
    check.instance(LearningProblem, problem=problem)
    check.function(expectation=expectation, law=law)
    grid = simplex_grid(problem.n_records, steps)
    values = expectation(law, problem, grid, n_samples)
    worst = int(np.argmax(values))
    return WorstDistribution(float(values[worst]), grid[worst])
