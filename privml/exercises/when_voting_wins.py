"""Checkers for the exercises of the chapter on what voting learns."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from privml.bounds.voting import high_margin_parameters
from privml.pate import finishing_probability, majority_probability, vote_noise, vote_threshold

__all__ = ["check_ring", "check_share", "check_voters"]

SLOW = (0.0, 0.0072, 1000, 1.0, 1e-10, 0.05)


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_voters(least_voters: Callable[[float, float], int]) -> None:
    """Check the least odd number of voters whose majority errs with probability at most beta.

    Parameters
    ----------
    least_voters : callable
        From (xi, beta) to a number of voters; each is right with probability 1/2 + xi.

    Raises
    ------
    AssertionError
        If a number is even, too small or too large.

    Examples
    --------
    >>> check_voters(lambda xi, beta: 3)
    Traceback (most recent call last):
    AssertionError: ξ = 0.1, β = 0.05: 3 voters err with probability 0.352
    """
    for xi, beta in ((0.1, 0.05), (0.05, 0.01), (0.3, 1e-4)):
        number = least_voters(xi, beta)
        case = f"ξ = {xi}, β = {beta}: {number} voters"
        _demand(number % 2 == 1, f"{case} are not an odd number")
        error = float(majority_probability(0.5 - xi, number))
        _demand(error <= beta, f"{case} err with probability {error:.3g}")
        fewer = float(majority_probability(0.5 - xi, number - 2)) if number > 2 else 1.0
        _demand(fewer > beta, f"{case} are more than needed")


def check_share(share: float) -> None:
    """Check the least share of the corrected number of teachers at which the run still finishes.

    Parameters
    ----------
    share : float
        Of the corrected number, for the problem of the chapter; to two digits.

    Raises
    ------
    AssertionError
        If the run does not finish with probability 0.95, or does so with a hundredth less.

    Examples
    --------
    >>> check_share(0.5)
    Traceback (most recent call last):
    AssertionError: with a share of 0.5 the run finishes with probability 0.109 only
    """
    cutoff, teachers = high_margin_parameters(*SLOW)
    noise = vote_noise(cutoff, 1.0, 1e-10, calibration="source", split="printed")
    threshold = vote_threshold(cutoff, noise, 1e-10, calibration="source", n_queries=1000)

    def finishes(part: float) -> float:
        return finishing_probability(0.5072, round(part * teachers), 1000, cutoff, noise, threshold)

    found = finishes(share)
    _demand(found >= 0.95, f"with a share of {share:g} the run finishes with probability {found:.3f} only")
    _demand(finishes(share - 0.01) < 0.95, f"a share of {share:g} is more than needed")


def check_ring(pattern: ArrayLike) -> None:
    """Check a pattern whose rotations, voting, cost a student almost as much again as the best error.

    Parameters
    ----------
    pattern : array_like of bool
        Labels on equally likely points of a ring, on which all labels are True.  The class is made of all its
        rotations and of what infinitely many teachers vote.

    Raises
    ------
    AssertionError
        If the student's excess is less than nine tenths of the best error.

    Examples
    --------
    >>> check_ring([True, False, False])
    Traceback (most recent call last):
    AssertionError: the best error is 0.667, the excess 0.333, which is 0.500 of it
    """
    pattern = np.asarray(pattern)
    _demand(pattern.ndim == 1 and pattern.dtype == bool and pattern.size > 1, "a vector of bools is wanted")
    share = float(pattern.mean())  # by symmetry the mean prediction at every point
    ensemble_error, best = float(share < 0.5), 1 - share
    excess = max(0.0, ensemble_error - best)
    _demand(best > 0, "a pattern that is True everywhere has no error to add to")
    case = f"the best error is {best:.3f}, the excess {excess:.3f}, which is {excess / best:.3f} of it"
    _demand(excess >= 0.9 * best - 1e-9, case)
