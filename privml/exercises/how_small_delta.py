"""Checkers for the exercises of the chapter on how small delta must be."""

from collections.abc import Callable, Sequence
from itertools import product
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from privml.divergences import hockey_stick
from privml.learnability.impossibility import thresholds_excess_risk

__all__ = ["check_exponent", "check_group", "check_needed"]

EPSILON, DELTA = 1.0, 0.1
RECORDS, ALPHA = 100, 0.1


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_needed(needed: Callable[[float, int], float]) -> None:
    """Check the smallest delta with which publishing records learns thresholds to a given risk.

    Parameters
    ----------
    needed : callable
        From (alpha, n_samples) to ``k / n_samples`` with the smallest k for which ``1 / (k + 1) <= alpha``.

    Raises
    ------
    AssertionError
        If a value is too small or too large.

    Examples
    --------
    >>> check_needed(lambda alpha, n_samples: 1 / (alpha * n_samples))
    Traceback (most recent call last):
    AssertionError: α = 0.5, m = 100: δ = 0.02 publishes 2 records, 1 are enough
    """
    for alpha, n_samples in product((0.5, 0.3, 0.1, 0.07, 0.013), (100, 12_345)):
        delta = needed(alpha, n_samples)
        size = round(delta * n_samples)
        case = f"α = {alpha}, m = {n_samples}: δ = {delta:g}"
        _demand(abs(size - delta * n_samples) < 1e-6, f"{case} is no whole number of records")
        _demand(1 / (size + 1) <= alpha + 1e-12, f"{case} publishes {size} records, too few")
        fewer = size - 1
        _demand(1 / (fewer + 1) > alpha + 1e-12, f"{case} publishes {size} records, {fewer} are enough")


def check_exponent(exponent: int) -> None:
    """Check the least j for which delta = 10^-j keeps thresholds from being learned from 100 records.

    Parameters
    ----------
    exponent : int
        With epsilon 1 and excess empirical risk 1/10, by the packing bound with the best distance.

    Raises
    ------
    AssertionError
        If the bound is below 1/10 there, or reaches it at a larger delta.

    Examples
    --------
    >>> check_exponent(1)
    Traceback (most recent call last):
    AssertionError: at δ = 10^-1 the bound is 0.0063, below 0.1
    """
    bound = {
        j: thresholds_excess_risk(inf, RECORDS, EPSILON, delta=10.0**-j) for j in (exponent - 1, exponent)
    }
    _demand(
        bound[exponent] >= ALPHA, f"at δ = 10^-{exponent} the bound is {bound[exponent]:.4f}, below {ALPHA}"
    )
    _demand(bound[exponent - 1] < ALPHA, f"δ = 10^-{exponent - 1} is small enough, too")


def check_group(laws: Sequence[ArrayLike]) -> None:
    """Check three laws, of data sets in a row, that break "k epsilon and k delta for groups of k".

    Parameters
    ----------
    laws : sequence of three array_like
        Probabilities of the outputs on three data sets, each a neighbour of the next, of a mechanism with
        epsilon 1 and delta 1/10.

    Raises
    ------
    AssertionError
        If the laws are no such mechanism, or the first and the last one are (2, 1/5)-indistinguishable.

    Examples
    --------
    >>> check_group(([1.0, 0.0], [0.9, 0.1], [0.8, 0.2]))
    Traceback (most recent call last):
    AssertionError: over two steps delta is 0.2000 at epsilon 2: not above 0.2
    """
    table = [np.asarray(law, dtype=float) for law in laws]
    _demand(len(table) == 3, "three laws are wanted")
    _demand(all(abs(law.sum() - 1) < 1e-9 and (law >= 0).all() for law in table), "laws sum to 1")
    with np.errstate(divide="ignore"):
        logs = [np.log(law) for law in table]
    for i, j in ((0, 1), (1, 0), (1, 2), (2, 1)):
        found = float(hockey_stick(logs[i], logs[j], EPSILON))
        _demand(
            found <= DELTA + 1e-9, f"from law {i} to law {j} delta is {found:.4f} at epsilon 1: above 0.1"
        )
    both = max(float(hockey_stick(logs[i], logs[j], 2 * EPSILON)) for i, j in ((0, 2), (2, 0)))
    _demand(both > 2 * DELTA + 1e-9, f"over two steps delta is {both:.4f} at epsilon 2: not above 0.2")
