"""By how much a learner misses the least empirical risk, on given data sets and at worst."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.base import CountLaw, LearningProblem
from privml.learnability.counts import count_vectors
from privml.learnability.stability.base import fitting, probabilities_on


class WorstDataset(NamedTuple):
    """A largest gap, and the count vector of the data set that attains it."""

    value: float
    counts: NDArray[np.int64]


def aerm_gaps(law: CountLaw, problem: LearningProblem, counts: ArrayLike) -> NDArray[np.float64]:
    """Expected excess empirical risk of a learner on given data sets.

    **Source.** WLF16-def-5, the bracket in Definition 5.

    Parameters
    ----------
    law : callable
        Law of the learner.
    counts : array_like of int, shape (n_datasets, n_records)
        Count vectors of the data sets.

    Returns
    -------
    ndarray of shape (n_datasets,)

    Examples
    --------
    >>> from privml.learnability import exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> aerm_gaps(exponential_law(problem, 1.0), problem, [[3, 0], [2, 1]]).round(6).tolist()
    [0.182426, 0.125847]
    """
    check.instance(LearningProblem, problem=problem)
    counts = np.asarray(counts)
    excess = problem.excess_empirical_risk(counts)
    return (fitting(probabilities_on(law, counts), problem) * excess).sum(axis=1)


def always_aerm_gap(law: CountLaw, problem: LearningProblem, n_samples: int) -> WorstDataset:
    """Largest expected excess empirical risk over all data sets of one size.

    **Returns.** WorstDataset: the gap and the data set that attains it.
    **Source.** WLF16-def-5: the supremum that an always AERM learner sends to 0.

    Parameters
    ----------
    law : callable
        Law of the learner.

    Examples
    --------
    >>> from privml.learnability import exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> found = always_aerm_gap(exponential_law(problem, 1.0), problem, 3)
    >>> round(found.value, 6), found.counts.tolist()
    (0.182426, [3, 0])
    """
    check.instance(LearningProblem, problem=problem)
    counts = count_vectors(problem.n_records, n_samples)
    gaps = aerm_gaps(law, problem, counts)
    worst = int(np.argmax(gaps))
    return WorstDataset(float(gaps[worst]), counts[worst])
