"""Checkers for the exercises of the chapter on what cannot be learned."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from privml.hypotheses import PointFunctions
from privml.learnability import LearningProblem
from privml.learnability.impossibility import (
    Packing,
    hidden_support_risk,
    packing_excess_risk,
    thresholds_excess_risk,
)

__all__ = [
    "check_digits",
    "check_guess",
    "check_jump",
    "check_points",
    "points_problem",
]

PATIENTS, EPSILON, ALPHA = 1000, 0.2, 0.1


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def points_problem(n_points: int) -> LearningProblem:
    """Classification by point functions: hypothesis j says True at point j only.

    Parameters
    ----------
    n_points : int
        Number of points, at least 1.

    Returns
    -------
    LearningProblem
        Its records are the points labelled False, then the points labelled True.

    Examples
    --------
    >>> points_problem(2).losses.tolist()
    [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]]
    """
    return LearningProblem.of_class(PointFunctions(n_points), np.arange(n_points))


def check_points(counts: ArrayLike, *, n_points: int = 6, n_samples: int = 4) -> None:
    """Check a packing of point functions: data set j belongs to the function of point j.

    Parameters
    ----------
    counts : array_like of int, shape (n_points, 2 n_points)
        The data sets, as counts of the points labelled False and then of the points labelled True.
    n_points, n_samples : int
        Size of the class and of the data sets.

    Raises
    ------
    AssertionError
        If this is no packing, or one that proves less than is possible with all records at the points.

    Examples
    --------
    >>> check_points(4 * np.eye(6, 12, dtype=int))
    Traceback (most recent call last):
    AssertionError: outside of its answer data set 0 costs nothing
    """
    problem = points_problem(n_points)
    counts = np.asarray(counts)
    _demand(counts.shape == (n_points, 2 * n_points), f"shape {(n_points, 2 * n_points)} is wanted")
    _demand(bool((counts.sum(axis=1) == n_samples).all()), f"every data set has {n_samples} records")
    packing = Packing(problem, counts, np.eye(n_points, dtype=bool))
    for index, loss in enumerate(packing.losses):
        _demand(loss > 0, f"outside of its answer data set {index} costs nothing")
    wanted = packing_excess_risk(n_points, n_samples, 1.0, loss=1.0)
    found = packing.excess_risk(1.0)
    _demand(found >= wanted - 1e-9, f"it proves {found:.4f} at epsilon 1, where {wanted:.4f} is possible")


def check_digits(bits: int) -> None:
    """Check the least number of binary digits with which thresholds cannot be learned from 1000 records.

    Parameters
    ----------
    bits : int
        With K = 2^bits thresholds, epsilon 1/5 and excess 1/10.

    Raises
    ------
    AssertionError
        If fewer digits are enough, or more are needed.

    Examples
    --------
    >>> check_digits(3)
    Traceback (most recent call last):
    AssertionError: with 3 binary digits the bound is 0.0024, below 0.1
    """
    bound = {b: thresholds_excess_risk(2**b, PATIENTS, EPSILON) for b in (bits - 1, bits) if b >= 0}
    _demand(bound[bits] >= ALPHA, f"with {bits} binary digits the bound is {bound[bits]:.4f}, below {ALPHA}")
    _demand(bound.get(bits - 1, 0.0) < ALPHA, f"{bits - 1} binary digits are enough, too")


def _best_cuts(records: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Ends of the set of thresholds h in [0, 1], of ``x > h``, with the fewest mistakes."""
    points = sorted({0.0, 1.0, *(x for x, _ in records)})
    pieces = [*zip(points, points[1:], strict=False), (1.0, 1.0)]  # all h in [a, b) label alike
    mistakes = [sum((x > a) != y for x, y in records) for a, _ in pieces]
    best = [piece for piece, count in zip(pieces, mistakes, strict=True) if count == min(mistakes)]
    return best[0][0], best[-1][1]


def check_jump(
    pair: tuple[Sequence[tuple[float, bool]], Sequence[tuple[float, bool]]],
) -> None:
    """Check two neighbouring data sets whose best thresholds are nearly the whole interval apart.

    Parameters
    ----------
    pair : tuple of two sequences of (x, label)
        Records in [0, 1], equally many, all but one the same in the same place.

    Raises
    ------
    AssertionError
        If they are not neighbours, or some best thresholds are closer than 9/10.

    Examples
    --------
    >>> check_jump(([(0.5, True)], [(0.5, False)]))
    Traceback (most recent call last):
    AssertionError: the best thresholds lie in [0, 0.5] and in [0.5, 1]: they can be 0 apart
    """
    first, second = pair
    _demand(len(first) == len(second), "replacing a record keeps their number")
    differ = sum(one != other for one, other in zip(first, second, strict=True))
    _demand(differ == 1, f"{differ} records differ, and not one")
    _demand(all(0 <= x <= 1 for x, _ in [*first, *second]), "readings lie in [0, 1]")
    low, high = sorted((_best_cuts(first), _best_cuts(second)))
    sets = f"[{low[0]:g}, {low[1]:g}] and in [{high[0]:g}, {high[1]:g}]"
    gap = high[0] - low[1]
    _demand(gap >= 0.9, f"the best thresholds lie in {sets}: they can be {max(gap, 0):g} apart")


def check_guess(risk: Callable[[int, int, int, int], float]) -> None:
    """Check the best average risk of a learner that may guess points of a finite universe.

    Parameters
    ----------
    risk : callable
        From (n_universe, n_support, n_samples, n_guesses) to the expected risk, averaged over all supports,
        of returning the records seen and n_guesses other points.

    Raises
    ------
    AssertionError
        If a value is wrong.

    Examples
    --------
    >>> check_guess(lambda n_universe, n_support, n_samples, n_guesses: 0.5)
    Traceback (most recent call last):
    AssertionError: universe 5, support 2, 1 record, 1 guess: 0.5 is not 0.375
    """
    for universe, support, n, guesses in product((5, 40), (2, 4), (1, 2), (1, 2)):
        unseen = hidden_support_risk(support, n)
        expected = 0.0
        for seen in range(1, min(n, support) + 1):
            chance = _seen_exactly(support, n, seen)
            missing = (support - seen) / support
            expected += chance * missing * (1 - guesses / (universe - seen))
        found = risk(universe, support, n, guesses)
        words = f"universe {universe}, support {support}, {n} record{'s' * (n > 1)}, "
        words += f"{guesses} guess{'es' * (guesses > 1)}"
        _demand(abs(found - expected) < 1e-9, f"{words}: {found:g} is not {expected:g}")
        _demand(expected < unseen, "a guess helps")


def _seen_exactly(support: int, n: int, seen: int) -> float:
    """Probability that n uniform draws from a support show exactly so many different points, n <= 2."""
    if n == 1:
        return float(seen == 1)
    return 1 / support if seen == 1 else 1 - 1 / support
