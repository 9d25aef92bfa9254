"""Selection mechanisms that look right and are not, each with its true epsilon.

Every function here returns the law of a mechanism whose author *believes* that it is epsilon-DP under
``REPLACE_ONE``.  They exist to be caught: an auditor that lets one of them pass is broken.  Records are
numbers in [0, 1] (or beyond, where the point is that nobody clipped them); the outcomes are as many equal
cells of [0, 1].  A record supports the outcome whose cell it falls in.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.mechanisms.selection import ExponentialMechanism

MOST_OUTCOMES = 10**7


def vote_counts(records: ArrayLike, n_outcomes: int) -> NDArray[np.float64]:
    """Number of records in each of `n_outcomes` equal cells of [0, 1]; outside values go to the end cells."""
    check.positive_integer(n_outcomes=n_outcomes)
    if n_outcomes > MOST_OUTCOMES:
        raise ValueError(f"n_outcomes must be at most {MOST_OUTCOMES}, got {n_outcomes!r}")
    records = np.clip(np.nan_to_num(check.numbers(records=records)), 0.0, 1.0)  # an early cast overflows
    cells = np.minimum((records * n_outcomes).astype(int), n_outcomes - 1)
    return np.bincount(cells, minlength=n_outcomes).astype(float)


def half_sensitivity(epsilon: float, n_outcomes: int = 2) -> Callable[[ArrayLike], Categorical]:
    """Vote counts with sensitivity declared as 1/2 instead of 1.

    **Returns.** Callable: from records of shape (n_samples,) to the law of the chosen cell.
    **Privacy.** 2 epsilon-DP under ``REPLACE_ONE``, and not better as n_samples grows: not epsilon-DP.
    **Source.** A missing factor 2 in L4-def-sensitivity.

    Raises
    ------
    ValueError
        If `epsilon` is not positive or `n_outcomes` is not a positive integer.

    Examples
    --------
    >>> from privml import audit
    >>> round(audit.exact(half_sensitivity(1.0), np.array([0.0, 1.0]), 40).epsilon, 6)
    2.0
    """
    check.positive_integer(n_outcomes=n_outcomes)
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=0.5)
    return lambda records: mechanism.output_distribution(vote_counts(records, n_outcomes))


def wrong_scale(epsilon: float, n_outcomes: int = 2) -> Callable[[ArrayLike], Categorical]:
    """Vote counts scored as counts, with the sensitivity 1 / n_samples of their averages.

    **Returns.** Callable: from records of shape (n_samples,) to the law of the chosen cell.
    **Privacy.** n_samples epsilon-DP under ``REPLACE_ONE``: a factor n_samples worse than claimed.
    **Source.** S16-alg-3 scores by the average (sensitivity 1 / n), L4-rem-count-score by the count
    (sensitivity 1); this takes the one from here and the other from there.

    Raises
    ------
    ValueError
        If `epsilon` is not positive or `n_outcomes` is not a positive integer.

    Examples
    --------
    >>> from privml import audit
    >>> round(audit.exact(wrong_scale(0.5), np.array([0.0, 1.0]), 20).epsilon, 6)
    10.0
    """
    check.positive(epsilon=epsilon)
    check.positive_integer(n_outcomes=n_outcomes)

    def law(records: ArrayLike) -> Categorical:
        mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1 / len(np.asarray(records)))
        return mechanism.output_distribution(vote_counts(records, n_outcomes))

    return law


def clipped_after_scoring(
    epsilon: float, outcomes: ArrayLike = (0.0, 1.0)
) -> Callable[[ArrayLike], Categorical]:
    """Scores bounded by clipping each score, where each record should have been clipped.

    The score of an outcome a is ``sum(a * record)``.  Clipping the records to [0, 1] gives it sensitivity
    at most 1 for outcomes in [0, 1].  Clipping the finished score to [0, n_samples] gives the right range,
    but one unclipped record still moves it from one end to the other.

    **Returns.** Callable: from records of shape (n_samples,) to the law of the chosen outcome.
    **Privacy.** With unbounded records the sensitivity of the score is n_samples, not 1.  For the outcomes
    0 and 1 the true parameter is ``ln((1 + exp(n_samples epsilon / 2)) / 2)``.
    **Source.** The premise of L4-exp-mech-privacy, a bounded difference between neighbours, is violated.

    Parameters
    ----------
    outcomes : array_like, default (0, 1)
        The outcomes a, in [0, 1].

    Raises
    ------
    ValueError
        If `epsilon` is not positive or an outcome is not finite.

    Examples
    --------
    >>> from privml import audit
    >>> round(audit.exact(clipped_after_scoring(1.0), np.array([0.0, 1.0, 100.0]), 10).epsilon, 4)
    4.3136
    """
    outcomes = check.finite_vector(outcomes=outcomes)
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)

    def law(records: ArrayLike) -> Categorical:
        records = np.asarray(records, dtype=float)
        return mechanism.output_distribution(np.clip(outcomes * records.sum(), 0.0, len(records)))

    return law
