"""Tail bounds for one mean of independent [0, 1] variables.

Both have the form ``2 exp(-c m a**2)``; the exponents c have their one home in :data:`EXPONENTS`.
"""

from math import exp

from privml import _check as check
from privml._search import smallest_integer

EXPONENTS = {"hoeffding": 2.0, "lecture": 1.0 / 3.0}


def hoeffding_tail(n_samples: int, deviation: float, *, two_sided: bool = True) -> float:
    """Hoeffding's bound on the probability that a mean of [0, 1] variables deviates by more than `deviation`.

    Parameters
    ----------
    n_samples : int
        Number of independent variables m, at least 1.
    deviation : float
        Deviation a, positive.
    two_sided : bool, default True
        Bound both tails together, or one.

    Returns
    -------
    float
        ``2 exp(-2 m a**2)``, or half of it; at most 1.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** L4-lem-hoeffding, with the constant of Hoeffding (1963), Theorem 1, in place of the printed
    one (:func:`lecture_tail`).

    Examples
    --------
    >>> round(hoeffding_tail(100, 0.1), 6)
    0.270671
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(deviation=deviation)
    return min(1.0, (2 if two_sided else 1) * exp(-EXPONENTS["hoeffding"] * n_samples * deviation**2))


def hoeffding_sample_size(deviation: float, beta: float, *, two_sided: bool = True) -> int:
    """Smallest number of samples at which :func:`hoeffding_tail` is at most beta.

    Parameters
    ----------
    deviation : float
        Deviation a, positive.
    beta : float
        Failure probability in (0, 1).
    two_sided : bool, default True
        Bound both tails together, or one.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** L4-lem-hoeffding, inverted.

    Examples
    --------
    >>> hoeffding_sample_size(0.1, 0.05)
    185
    """
    check.positive(deviation=deviation)
    check.probability_open(beta=beta)
    return smallest_integer(lambda m: hoeffding_tail(m, deviation, two_sided=two_sided) <= beta)


def lecture_tail(n_samples: int, deviation: float) -> float:
    """The tail bound that lecture 4 prints, ``2 exp(-m a**2 / 3)``.

    Parameters
    ----------
    n_samples : int
        Number of independent variables m, at least 1.
    deviation : float
        Deviation a, positive.

    Returns
    -------
    float
        At most 1.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** L4-lem-hoeffding as printed.  It follows from Hoeffding's bound because 1/3 < 2.

    Examples
    --------
    >>> round(lecture_tail(1000, 0.1), 6)
    0.071348
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(deviation=deviation)
    return min(1.0, 2 * exp(-EXPONENTS["lecture"] * n_samples * deviation**2))
