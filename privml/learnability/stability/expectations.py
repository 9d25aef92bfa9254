r"""Expected risks of a learner from n records: exact sums over all data sets, with multinomial weights.

With Z a sample of n records from a distribution p on the records, h the output of the learner and R_Z the
empirical risk,

* the *excess risk* is ``E R(h) - min R``; consistency says that it vanishes;
* the *AERM gap* is ``E R_Z(h) - E min R_Z``;
* the *generalisation gap* is ``E R(h) - E R_Z(h)``, of either sign;
* the *optimism* of minimisation is ``min R - E min R_Z``, never negative.

So excess risk = generalisation gap + AERM gap - optimism.  For a learner that minds the order of its records
take the law of the learner that shuffles first: i.i.d. samples come in random order anyway.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.base import CountLaw, LearningProblem
from privml.learnability.counts import count_vectors, sample_probabilities
from privml.learnability.stability.base import fitting, probabilities_on

_BLOCK_ENTRIES = 1 << 22


class Expectations(NamedTuple):
    """Expected risks of one learner from n records, one entry for each distribution."""

    risk: NDArray[np.float64]  # of the output
    empirical_risk: NDArray[np.float64]  # of the output, on its own sample
    best_risk: NDArray[np.float64]
    best_empirical_risk: NDArray[np.float64]  # its expectation


def _weight_blocks(counts: NDArray, laws: NDArray) -> Iterator[tuple[slice, NDArray]]:
    """Multinomial weights of all data sets under some of the distributions at a time."""
    step = max(1, _BLOCK_ENTRIES // counts.size)
    for start in range(0, len(laws), step):
        rows = slice(start, start + step)
        yield rows, sample_probabilities(counts, laws[rows])


def expected_risks(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int
) -> Expectations:
    """All expectations of this module at once.

    **Returns.** Expectations: arrays of shape (n_distributions,), or numbers for one distribution.
    **Source.** WLF16-def-consistency, the expectations in (1) and (2).

    Parameters
    ----------
    law : callable
        Law of the learner.
    probabilities : array_like of shape (n_records,) or (n_distributions, n_records)
        Distributions on the records.

    Examples
    --------
    >>> from privml.learnability import erm_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> [round(float(value), 6) for value in expected_risks(erm_law(problem), problem, [0.6, 0.4], 3)]
    [0.4704, 0.24, 0.4, 0.24]
    """
    check.instance(LearningProblem, problem=problem)
    counts, many = count_vectors(problem.n_records, n_samples), np.atleast_2d(probabilities)
    laws, risk = fitting(probabilities_on(law, counts), problem), problem.risk(many)
    empirical = problem.empirical_risk(counts)
    columns = np.column_stack([(laws * empirical).sum(axis=1), empirical.min(axis=1), laws])
    means = np.vstack([weights @ columns for _, weights in _weight_blocks(counts, many)])
    of_output = (means[:, 2:] * risk).sum(axis=1)
    found = of_output, means[:, 0], risk.min(axis=1), means[:, 1]
    return Expectations(*(found if np.ndim(probabilities) > 1 else (float(value[0]) for value in found)))


def expected_aerm_gap(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int
) -> NDArray[np.float64] | float:
    """Expected excess empirical risk of a learner on samples from given distributions.

    **Returns.** Float or ndarray of shape (n_distributions,): never above :func:`always_aerm_gap`.
    **Source.** WLF16-def-5: what a universally AERM learner sends to 0 for every distribution.

    Parameters
    ----------
    law : callable
        Law of the learner.
    probabilities : array_like of shape (n_records,) or (n_distributions, n_records)
        Distributions on the records.

    Examples
    --------
    >>> from privml.learnability import exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(expected_aerm_gap(exponential_law(problem, 1.0), problem, [0.6, 0.4], 3), 6)
    0.141689
    """
    check.instance(LearningProblem, problem=problem)
    found = expected_risks(law, problem, probabilities, n_samples)
    return found.empirical_risk - found.best_empirical_risk


def expected_excess_risk(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int
) -> NDArray[np.float64] | float:
    """Expected excess risk of a learner from n records: what consistency sends to 0.

    **Source.** WLF16-def-consistency, equations (1) and (2).

    Parameters
    ----------
    law : callable
        Law of the learner.
    probabilities : array_like of shape (n_records,) or (n_distributions, n_records)
        Distributions on the records.

    Returns
    -------
    float or ndarray of shape (n_distributions,)

    Examples
    --------
    >>> from privml.learnability import erm_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(expected_excess_risk(erm_law(problem), problem, [0.6, 0.4], 3), 6)
    0.0704
    """
    check.instance(LearningProblem, problem=problem)
    found = expected_risks(law, problem, probabilities, n_samples)
    return found.risk - found.best_risk


def generalisation_gap(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int
) -> NDArray[np.float64] | float:
    """Expected risk of the output minus its expected empirical risk.

    **Returns.** Float or ndarray of shape (n_distributions,): of either sign; in absolute value at most the
    stability constant.
    **Source.** WLF16-thm-35, the left side of its key identity; WLF16-rem-lem-10-alternative.

    Parameters
    ----------
    law : callable
        Law of the learner.
    probabilities : array_like of shape (n_records,) or (n_distributions, n_records)
        Distributions on the records.

    Examples
    --------
    >>> from privml.learnability import erm_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(generalisation_gap(erm_law(problem), problem, [0.6, 0.4], 3), 6)
    0.2304
    """
    check.instance(LearningProblem, problem=problem)
    found = expected_risks(law, problem, probabilities, n_samples)
    return found.risk - found.empirical_risk
