"""What several tables of the chapter need: the ward, a crowd of rivals, and laws on a crowd.

The *ward* is a tiny world to enumerate: a reading takes the values 0, 1, 2, 3, a record is a reading with a
label, and five rules treat from a cut point on.

In a *crowd* one hypothesis is best and all others, the rivals, are wrong on the same records.  Then the
learner cannot tell the rivals apart, and a law on two columns of mistakes, one for the best hypothesis and
one for each rival, is exact for a class of any size, 2**1000 hypotheses included.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses import Table, Thresholds
from privml.pac import MistakeLaw
from privml.populations import FinitePopulation

READINGS = (0.0, 1.0, 2.0, 3.0)
CUTS = (0.0, 1.0, 2.0, 3.0, 4.0)

MARGIN = 1e-9
"""How far above alpha a rival's excess error lies: only an excess above alpha is a failure."""


def ward() -> tuple[Thresholds, tuple[NDArray, NDArray[np.bool_]]]:
    """Five rules for four readings, and the universe of all labelled readings.

    Returns
    -------
    hypotheses : Thresholds
        Treat from a cut point on; the first rule treats always and the last one never.
    universe : tuple of ndarray
        Readings and labels of the eight possible records.

    Examples
    --------
    >>> hypotheses, universe = ward()
    >>> hypotheses.n_hypotheses, len(universe[1])
    (5, 8)
    """
    return Thresholds(CUTS), (np.repeat(READINGS, 2), np.tile([False, True], len(READINGS)))


def crowd(alpha: float, *, realizable: bool = False) -> tuple[Table, FinitePopulation]:
    """The hardest crowd for an excess error alpha: two columns of mistakes, best and rival.

    Parameters
    ----------
    alpha : float
        Excess error that is still allowed, in (0, 1).
    realizable : bool
        Whether the best hypothesis makes no mistake.  Otherwise on each record either the best hypothesis
        is wrong or all its rivals are.

    Returns
    -------
    hypotheses : Table
        The best hypothesis and one rival.
    population : FinitePopulation
        In it the rival's error exceeds the best one by alpha and a hair, `MARGIN`.

    Examples
    --------
    >>> hypotheses, population = crowd(0.2)
    >>> population.error_rates(hypotheses).round(6).tolist()
    [0.4, 0.6]
    >>> hypotheses, population = crowd(0.2, realizable=True)
    >>> population.error_rates(hypotheses).round(6).tolist()
    [0.0, 0.2]
    """
    check.probability_open(alpha=alpha)
    gap = alpha + MARGIN
    if realizable:
        return Table([[True, True], [True, False]]), FinitePopulation([0, 1], [True, True], [1 - gap, gap])
    shares = [(1 + gap) / 2, (1 - gap) / 2]
    return Table([[True], [False]]), FinitePopulation([0, 0], [True, False], shares)


def rivals_of(n_hypotheses: int) -> float:
    """ln(|H| - 1): how many rivals there are in a class of at least 2, in log space."""
    return math.log(n_hypotheses - 1)


def crowd_law(epsilon: float, log_rivals: float) -> MistakeLaw:
    """Law of the private learner on a crowd.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats under ``REPLACE_ONE``, positive.
    log_rivals : float
        Natural logarithm of the number of rivals.

    Returns
    -------
    callable
        From mistakes of shape (n_datasets, 2), of the best hypothesis and of each rival, to the
        probabilities of the best hypothesis and of all rivals together.

    Notes
    -----
    **Privacy.** epsilon-DP under ``REPLACE_ONE``: the law of
    :class:`~privml.learners.ExponentialPACLearner` with equal outcomes added up.
    **Source.** L4-private-erm.

    Examples
    --------
    >>> crowd_law(1.0, math.log(3))(np.array([[0, 2]])).round(4).tolist()
    [[0.4754, 0.5246]]
    """
    check.positive(epsilon=epsilon)
    from scipy.special import expit

    def law(mistakes: NDArray) -> NDArray[np.float64]:
        lead = epsilon * (mistakes[:, 1] - mistakes[:, 0]) / 2 - log_rivals
        return np.stack([expit(lead), expit(-lead)], axis=1)

    return law


def crowd_erm_law(n_hypotheses: int) -> MistakeLaw:
    """Law of empirical risk minimisation on a crowd, with ties broken uniformly: epsilon to infinity.

    Parameters
    ----------
    n_hypotheses : int
        Size of the class, at least 2.

    Returns
    -------
    callable
        As that of `crowd_law`.

    Examples
    --------
    >>> crowd_erm_law(4)(np.array([[0, 2], [1, 1], [2, 1]])).tolist()
    [[1.0, 0.0], [0.25, 0.75], [0.0, 1.0]]
    """

    def law(mistakes: NDArray) -> NDArray[np.float64]:
        lead = mistakes[:, 1] - mistakes[:, 0]
        best = np.select([lead > 0, lead == 0], [1.0, 1 / n_hypotheses], 0.0)
        return np.stack([best, 1 - best], axis=1)

    return law


def labelled(law: Callable, hypotheses: Thresholds) -> Callable:
    """A law on mistakes as a law on labelled data sets, for `privml.audit`."""
    return lambda data: law(hypotheses.mistakes(*data)[None])[0]
