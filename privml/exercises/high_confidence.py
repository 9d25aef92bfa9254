"""Checkers for the exercises of the chapter on high confidence and real computers."""

from collections.abc import Callable, Sequence
from itertools import product
from math import exp, sqrt

import numpy as np
from numpy.typing import ArrayLike

from privml.bounds.boosting import boosted_sample_size
from privml.bounds.boosting_selection import selection_gap
from privml.distributions import Categorical

__all__ = ["check_gap", "check_reused", "check_rounds", "check_sizes", "reused_law"]

ALPHA, BETA = 0.1, 1e-3


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_gap(gap: Callable[[int, int, float, float], float]) -> None:
    """Check the gap that the private choice among candidates may overlook.

    Parameters
    ----------
    gap : callable
        From (v, a, epsilon, beta).

    Raises
    ------
    AssertionError
        If a value is wrong.

    Examples
    --------
    >>> from math import log
    >>> check_gap(lambda v, a, epsilon, beta: 2 * log((a - 1) / beta) / (v * epsilon) + epsilon / 4)
    Traceback (most recent call last):
    AssertionError: v = 400, epsilon = 4: above the free epsilon the gap is sqrt(2 L / v)
    """
    for v, a, epsilon, beta, hint in (
        (400, 5, 0.01, 0.05, "below the free epsilon the gap is 2 L / (v epsilon) + epsilon / 4"),
        (400, 5, 4.0, 0.05, "above the free epsilon the gap is sqrt(2 L / v)"),
        (50, 2, 0.3, 0.01, "with two candidates the union is over one, L = ln(1 / beta)"),
    ):
        found = float(gap(v, a, epsilon, beta))
        _demand(
            abs(found - selection_gap(v, a, epsilon, beta)) < 1e-9, f"v = {v}, epsilon = {epsilon:g}: {hint}"
        )


def check_rounds(rounds: Callable[[Sequence[int], float], float]) -> None:
    """Check the mean number of proposals of the exact draw.

    Parameters
    ----------
    rounds : callable
        From (scores, epsilon).

    Raises
    ------
    AssertionError
        If a value is wrong.

    Examples
    --------
    >>> check_rounds(lambda scores, epsilon: len(scores))
    Traceback (most recent call last):
    AssertionError: scores [7, 7]: each proposal is accepted
    """
    for scores, epsilon, hint in (
        ([7, 7], 1.0, "each proposal is accepted"),
        ([3, 5], 1.0, "the second is accepted, the first with probability 1 / e"),
        ([10, 4, 9], 0.5, "accepted with probability exp(-epsilon gap / 2)"),
    ):
        expected = len(scores) / sum(exp(-epsilon * (max(scores) - score) / 2) for score in scores)
        _demand(abs(float(rounds(scores, epsilon)) - expected) < 1e-9, f"scores {scores}: {hint}")


def check_sizes(boosted: int, markov: int) -> None:
    """Check numbers of records for an excess risk of 1/10 with probability 999/1000, rate ``1 / sqrt(m)``.

    Parameters
    ----------
    boosted : int
        With boosting, half of the records for validation, epsilon = 1.
    markov : int
        With one run and Markov's inequality.

    Raises
    ------
    AssertionError
        If a size is not the smallest.

    Examples
    --------
    >>> check_sizes(30_000, 10**8)
    Traceback (most recent call last):
    AssertionError: 30000 records with boosting: fewer are enough
    """
    found = boosted_sample_size(lambda m: 1 / sqrt(m), ALPHA, 1.0, BETA, validation="half")
    hint = "fewer are enough" if boosted > found else "too few"
    _demand(boosted == found, f"{boosted} records with boosting: {hint}")
    _demand(abs(markov - 10**8) <= 1, f"{markov} records with one run: 1 / sqrt(m) must be at most 1 / 10000")


def reused_law(bits: ArrayLike) -> Categorical:
    """Law of two candidates and the choice between them, which is made on the records they learned from.

    Parameters
    ----------
    bits : array_like of bool, shape (n_samples,)
        Labels, an even number.  Each half learns one of the two constants with epsilon = 1, and all records
        choose with epsilon = 1.

    Returns
    -------
    Categorical
        Over (first, second, choice), the last running fastest.

    Examples
    --------
    >>> reused_law([True, False]).n_outcomes
    8
    """
    bits = np.asarray(bits, dtype=bool)
    halves = bits.reshape(2, -1)
    lead = np.array([2 * half.sum() - half.size for half in halves], dtype=float)  # of True over False
    weights = []
    for h, g, choice in product((0, 1), repeat=3):
        learned = sum(-np.logaddexp(0, -(2 * c - 1) * s / 2) for c, s in zip((h, g), lead, strict=True))
        ahead = (h - g) * lead.sum() / 2  # of the first candidate
        weights.append(learned - np.logaddexp(0, -ahead if choice == 0 else ahead))
    return Categorical(np.array(weights))


def check_reused(first: ArrayLike, second: ArrayLike) -> None:
    """Check two neighbouring lists of labels that :func:`reused_law` tells apart by a factor above e^1.5.

    Parameters
    ----------
    first, second : array_like of bool
        Of the same even length, different in one place.

    Raises
    ------
    AssertionError
        If they are no neighbours, or the privacy loss is at most 3/2.

    Examples
    --------
    >>> check_reused([False] * 2, [True, False])
    Traceback (most recent call last):
    AssertionError: the largest privacy loss is 1.1201, not above 1.5
    """
    one, two = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    even = one.ndim == 1 and one.shape == two.shape and one.size > 0 and one.size % 2 == 0
    _demand(even and (one != two).sum() == 1, "two lists of one even length, different in one place")
    loss = float(np.abs(reused_law(one).logpmf() - reused_law(two).logpmf()).max())
    _demand(loss > 1.5, f"the largest privacy loss is {loss:.4f}, not above 1.5")
