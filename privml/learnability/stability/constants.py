r"""How much the output of a learner changes when one record is replaced, exactly.

Four answers, from the weakest to the strongest.  P and P' are the laws of the learner on neighbours.

* *Strongly uniform replace-one stability*: the largest change of the mean loss on any one record,
  ``max |E l(h, z) - E' l(h, z)|``, over all neighbours and all z.
* *Total variation stability*: the largest ``TV(P, P')``; the same with the worst possible loss in [0, 1].
* *Kullback-Leibler stability*: the largest ``KL(P, P')``.
* *Privacy*: the largest privacy loss.

Each is a maximum over finitely many pairs, and comes with the pair that attains it.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.divergences import kullback_leibler, max_divergence
from privml.learnability.base import CountLaw, LearningProblem, OrderedLaw
from privml.learnability.stability.base import Neighbourhood, fitting, neighbourhood, pair_blocks


class Stability(NamedTuple):
    """A stability constant, and the neighbouring data sets that attain it.

    Attributes
    ----------
    value : float
        The constant.
    first, second : ndarray
        The neighbours: count vectors, or rows of record indices where the order matters.
    record : int or None
        The record whose mean loss changes most, where there is a loss.
    """

    value: float
    first: NDArray
    second: NDArray
    record: int | None = None


def stability_among(found: Neighbourhood, problem: LearningProblem) -> Stability:
    """Largest change of the mean loss on a record, for laws that are known already."""
    losses = fitting(found.laws, problem) @ problem.losses
    best, where = -1.0, (0, 0)
    for start, here, there in pair_blocks(losses, found.pairs):
        change = np.abs(here - there)
        row, record = np.unravel_index(int(np.argmax(change)), change.shape)
        if change[row, record] > best:
            best, where = float(change[row, record]), (start + int(row), int(record))
    first, second = found.datasets[found.pairs[where[0]]]
    return Stability(best, first, second, where[1])


def replace_one_stability(
    law: CountLaw | OrderedLaw, problem: LearningProblem, n_samples: int, *, ordered: bool = False
) -> Stability:
    """Strongly uniform replace-one stability: the largest change of the mean loss on any record.

    **Returns.** Stability: the constant, the neighbours and the record that attain it.
    **Source.** WLF16-def-6, Definition 6.

    Parameters
    ----------
    law : callable
        Law of the learner: from count vectors, or from rows of record indices if `ordered`.
    ordered : bool, default False
        Whether the order of the records matters to the learner.

    Examples
    --------
    >>> from privml.learnability import exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> found = replace_one_stability(exponential_law(problem, 1.0), problem, 3)
    >>> round(found.value, 6), found.first.tolist(), found.second.tolist()
    (0.244919, [2, 1], [1, 2])
    """
    check.instance(LearningProblem, problem=problem)
    return stability_among(neighbourhood(law, problem.n_records, n_samples, ordered=ordered), problem)


def _largest(found: Neighbourhood, table: NDArray, distance: Callable) -> Stability:
    """Largest distance of the rows of a table over all neighbours, in both directions."""
    best, where = -1.0, (0, False)
    for start, here, there in pair_blocks(table, found.pairs):
        for swapped, values in ((False, distance(here, there)), (True, distance(there, here))):
            row = int(np.argmax(values))
            if values[row] > best:
                best, where = float(values[row]), (start + row, swapped)
    pair = found.datasets[found.pairs[where[0]]]
    first, second = pair[::-1] if where[1] else pair
    return Stability(best, first, second)


def _log(laws: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):
        return np.log(laws)


def variation_among(found: Neighbourhood) -> Stability:
    """Largest total variation between neighbours, for laws that are known already."""
    return _largest(found, found.laws, lambda p, q: np.maximum(p - q, 0).sum(axis=1))


def privacy_among(found: Neighbourhood) -> Stability:
    """Largest privacy loss between neighbours, for laws that are known already."""
    return _largest(found, _log(found.laws), max_divergence)


def total_variation_stability(
    law: CountLaw | OrderedLaw, n_records: int, n_samples: int, *, ordered: bool = False
) -> Stability:
    """Largest total variation distance between the laws of a learner on neighbouring data sets.

    It is the largest replace-one stability over all problems with losses in [0, 1], that of
    WLF16-lem-8.

    **Returns.** Stability: the constant and the neighbours that attain it.

    Parameters
    ----------
    law : callable
        Law of the learner: from count vectors, or from rows of record indices if `ordered`.
    n_records : int
        Size of the universe, at least 2.
    ordered : bool, default False
        Whether the order of the records matters to the learner.

    Examples
    --------
    >>> from privml.learnability import LearningProblem, erm_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> total_variation_stability(erm_law(problem), 2, 3).value
    1.0
    """
    return variation_among(neighbourhood(law, n_records, n_samples, ordered=ordered))


def kullback_leibler_stability(
    law: CountLaw | OrderedLaw, n_records: int, n_samples: int, *, ordered: bool = False
) -> Stability:
    """Largest Kullback-Leibler divergence between the laws of a learner on neighbouring data sets.

    At most ``epsilon tanh(epsilon / 2)`` for a private learner; by Pinsker's inequality the total
    variation is at most the square root of half of it.

    **Returns.** Stability: the constant, infinite if some hypothesis is possible on one side only, and the
    neighbours in the order that attains it.

    Parameters
    ----------
    law : callable
        Law of the learner: from count vectors, or from rows of record indices if `ordered`.
    n_records : int
        Size of the universe, at least 2.
    ordered : bool, default False
        Whether the order of the records matters to the learner.

    Examples
    --------
    >>> from privml.learnability import LearningProblem, exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(kullback_leibler_stability(exponential_law(problem, 1.0), 2, 3).value, 6)
    0.122459
    """
    found = neighbourhood(law, n_records, n_samples, ordered=ordered)
    return _largest(found, _log(found.laws), kullback_leibler)


def exact_privacy(
    law: CountLaw | OrderedLaw, n_records: int, n_samples: int, *, ordered: bool = False
) -> Stability:
    """Exact epsilon of a learner: the largest privacy loss over all neighbouring data sets.

    The same number as :func:`privml.audit.exact`, from one call of the law for all data sets.
    **Returns.** Stability: epsilon, infinite if some hypothesis is possible on one side only, and the
    neighbours in the order that attains it.
    **Source.** WLF16-def-2, checked on every pair.

    Parameters
    ----------
    law : callable
        Law of the learner: from count vectors, or from rows of record indices if `ordered`.
    n_records : int
        Size of the universe, at least 2.
    ordered : bool, default False
        Whether the order of the records matters to the learner.

    Examples
    --------
    >>> from privml.learnability import LearningProblem, exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(exact_privacy(exponential_law(problem, 1.0), 2, 6).value, 6)
    0.921659
    """
    return privacy_among(neighbourhood(law, n_records, n_samples, ordered=ordered))
