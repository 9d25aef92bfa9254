"""Tail bounds for one mean: of independent [0, 1] variables, and of the steps of a martingale.

The first two have the form ``2 exp(-c m a**2)``; the exponents c have their one home in :data:`EXPONENTS`.
"""

from math import exp, log, sqrt

from privml import _check as check

EXPONENTS = {"hoeffding": 2.0, "lecture": 1.0 / 3.0}


def _sides(two_sided: bool) -> int:
    check.instance(bool, two_sided=two_sided)
    return 2 if two_sided else 1


def hoeffding_tail(n_samples: int, deviation: float, *, two_sided: bool = True) -> float:
    """Hoeffding's bound on the probability that a mean of [0, 1] variables deviates by more than `deviation`.

    **Returns.** ``2 exp(-2 m a**2)``, or half of it; at most 1.
    **Source.** L4-lem-hoeffding, with the constant of Hoeffding (1963), Theorem 1, in place of the printed
    one (:func:`lecture_tail`).

    Parameters
    ----------
    deviation : float
        Deviation a, positive.
    two_sided : bool, default True
        Bound both tails together, or one.

    Examples
    --------
    >>> round(hoeffding_tail(100, 0.1), 6)
    0.270671
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(deviation=deviation)
    return min(1.0, _sides(two_sided) * exp(-EXPONENTS["hoeffding"] * n_samples * (deviation * deviation)))


def lecture_tail(n_samples: int, deviation: float) -> float:
    """The tail bound that lecture 4 prints, ``2 exp(-m a**2 / 3)``.

    **Source.** L4-lem-hoeffding as printed.  It follows from Hoeffding's bound because 1/3 < 2.

    Parameters
    ----------
    deviation : float
        Deviation a, positive.

    Examples
    --------
    >>> round(lecture_tail(1000, 0.1), 6)
    0.071348
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(deviation=deviation)
    return min(1.0, 2 * exp(-EXPONENTS["lecture"] * n_samples * (deviation * deviation)))


def azuma_tail(n_steps: int, deviation: float, *, step_range: float = 1.0, two_sided: bool = True) -> float:
    r"""Azuma's bound on the probability that the mean step of a martingale deviates by more than `deviation`.

    Each step has mean 0 given the past, and given the past it lies in an interval of length `step_range`.

    **Returns.** ``2 exp(-2 n a**2 / r**2)``, or half of it; at most 1.
    **Source.** The step that the proof of DR11-thm-11.6 takes twice; Azuma (1967) and Hoeffding (1963).

    Parameters
    ----------
    n_steps : int
        Number of steps n, at least 1.
    deviation : float
        Deviation a of the mean of the steps, positive.
    step_range : float, default 1
        Length r of the interval, positive.  It may move with the past, its length may not.
    two_sided : bool, default True
        Bound both tails together, or one.

    Examples
    --------
    >>> round(azuma_tail(100, 0.2, step_range=2.0), 6) == round(hoeffding_tail(100, 0.1), 6)
    True
    """
    check.positive_integer(n_steps=n_steps)
    check.positive(deviation=deviation, step_range=step_range)
    ratio = deviation / step_range
    return min(1.0, _sides(two_sided) * exp(-EXPONENTS["hoeffding"] * n_steps * (ratio * ratio)))


def azuma_deviation(n_steps: int, beta: float, *, step_range: float = 1.0, two_sided: bool = True) -> float:
    """Deviation at which :func:`azuma_tail` equals beta.

    **Returns.** ``r sqrt(ln(2 / beta) / (2 n))``, or with 1 in place of the first 2.
    **Source.** DR11-thm-11.6, Azuma's inequality inverted; for independent steps Hoeffding's.

    Parameters
    ----------
    n_steps : int
        Number of steps n, at least 1.
    step_range : float, default 1
        Length r of the interval of one step given the past, positive.
    two_sided : bool, default True
        Bound both tails together, or one.

    Examples
    --------
    >>> round(azuma_deviation(1000, 0.05, step_range=2.0, two_sided=False), 6)
    0.077405
    """
    check.positive_integer(n_steps=n_steps)
    check.probability_open(beta=beta)
    check.positive(step_range=step_range)
    return step_range * sqrt(log(_sides(two_sided) / beta) / (EXPONENTS["hoeffding"] * n_steps))
