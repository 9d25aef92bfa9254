"""Checkers for the exercises of the chapter on active students."""

from collections.abc import Callable

import numpy as np

from privml.bounds.active_pate import asq_teachers
from privml.hypotheses import Intervals, Thresholds
from privml.pate import disagreement_coefficient, disagreement_region, version_space_learning

__all__ = ["LIE_STREAM", "check_affordable", "check_interval", "check_lie", "check_reduction"]

TEACHERS, RECORDS = 2000, 100_000
CUTS = Thresholds(np.arange(1, 20) / 20)
LIE_STREAM = np.random.default_rng(11).uniform(size=64)
"""The public stream of the exercise on one lie; the truth is the cut 1/2."""


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_interval(theta: Callable[[int, int], float]) -> None:
    """Check the disagreement coefficient around an interval, under the uniform law on a line of points.

    Parameters
    ----------
    theta : callable
        From (width, n_points), ``2 <= width <= n_points / 2``, to the coefficient of the interval of `width`
        points in the middle, in the class of all intervals.

    Raises
    ------
    AssertionError
        If a value is wrong.

    Examples
    --------
    >>> check_interval(lambda width, n_points: n_points / width)
    Traceback (most recent call last):
    AssertionError: width 2 of 40 points: the coefficient is 13.3333, got 20.0000
    """
    for n_points in (40, 60):
        table = Intervals(np.arange(n_points + 1)).predict(np.arange(n_points) + 0.5)
        for width in (2, 4, 8, 10, n_points // 2):
            wanted = np.zeros(n_points, dtype=bool)
            wanted[(n_points - width) // 2 :][:width] = True
            centre = int(np.flatnonzero((table == wanted).all(axis=1))[0])
            right, found = disagreement_coefficient(table, centre), theta(width, n_points)
            case = f"width {width} of {n_points} points: the coefficient is {right:.4f}, got {found:.4f}"
            _demand(abs(found - right) < 1e-9, case)


def check_reduction(inside: Callable) -> None:
    """Check a test for the region of disagreement that goes by two minimisations.

    Parameters
    ----------
    inside : callable
        From (table, labels, asked, x, slack): predictions of shape (n_hypotheses, n_points), labels of all
        points, the positions of those that were asked, a point, and the excess number of mistakes that is
        allowed; to whether x lies in the region of ``{h : mistakes(h) <= least + slack}``.

    Raises
    ------
    AssertionError
        If an answer is wrong.

    Examples
    --------
    >>> check_reduction(lambda table, labels, asked, x, slack: True)
    Traceback (most recent call last):
    AssertionError: case 0: point 0 lies outside of the region
    """
    rng = np.random.default_rng(3)
    for case in range(12):
        stream = np.sort(rng.uniform(size=12))
        table = CUTS.predict(stream)
        labels, asked, slack = table[9] ^ (rng.random(12) < 0.15), rng.choice(12, 6, replace=False), case % 3
        mistakes = (table[:, asked] != labels[asked]).sum(axis=1)
        region = disagreement_region(table[mistakes <= mistakes.min() + slack])
        for x in range(12):
            place = "inside" if region[x] else "outside"
            found = bool(inside(table, labels, asked, x, slack))
            _demand(found == region[x], f"case {case}: point {x} lies {place} of the region")


def check_affordable(n_queries: int) -> None:
    """Check the largest label budget for which Theorem 22 asks for at most 2000 teachers.

    Parameters
    ----------
    n_queries : int
        With 100,000 records, epsilon 1 and delta 1e-6.

    Raises
    ------
    AssertionError
        If more teachers are needed, or one label more could be paid for.

    Examples
    --------
    >>> check_affordable(1000)
    Traceback (most recent call last):
    AssertionError: 1000 labels need 5016 teachers
    """
    needed = [asq_teachers(k, RECORDS, 1.0, 1e-6) for k in (n_queries, n_queries + 1)]
    _demand(needed[0] <= TEACHERS, f"{n_queries} labels need {needed[0]} teachers")
    _demand(needed[1] > TEACHERS, f"{n_queries + 1} labels need only {needed[1]} teachers")


def check_lie(position: int) -> None:
    """Check one flipped label with which the learner without slack ends far from the truth.

    Parameters
    ----------
    position : int
        Of the point in ``LIE_STREAM`` whose label is flipped.  The class has the cuts 1/20 to 19/20.

    Raises
    ------
    AssertionError
        If the learner still ends within 1/4 of the truth, or the point is never asked.

    Examples
    --------
    >>> check_lie(63)
    Traceback (most recent call last):
    AssertionError: point 63 is never asked
    """
    labels = LIE_STREAM >= 0.5
    labels[position] = ~labels[position]
    run = version_space_learning(CUTS.predict(LIE_STREAM), lambda j: labels[j])
    _demand(position in run.queried, f"point {position} is never asked")
    error = abs(CUTS.cuts[run.index] - 0.5)
    _demand(error >= 0.25, f"the learner ends at an error of {error:.2f}")
