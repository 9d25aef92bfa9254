"""Checkers for the exercises of the chapter on sublevel sets and rates."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from privml.bounds.convex_sublevel import shrinking_condition
from privml.bounds.finite_utility import finite_utility_gap
from privml.bounds.penalised_erm_rates import penalised_erm_sample_size
from privml.bounds.sublevel_curve import measure_ratio_curve

__all__ = ["check_bowl", "check_needle", "check_ratio", "check_sizes", "check_worst"]

ALPHA = 0.1


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_bowl(exponent: Callable[[float, int], float]) -> None:
    """Check the exponent of the measure ratio of ``|h|^a`` on a ball around 0.

    Parameters
    ----------
    exponent : callable
        From (a, d) to rho.

    Raises
    ------
    AssertionError
        If a value is wrong.

    Examples
    --------
    >>> check_bowl(lambda a, d: d)
    Traceback (most recent call last):
    AssertionError: a = 2, d = 3: the ball of radius t^(1/a) has volume t^1.5 times that of the whole
    """
    for a, d in ((1, 1), (2, 3), (4, 2), (0.5, 3)):
        hint = f"a = {a}, d = {d}: the ball of radius t^(1/a) has volume t^{d / a:g} times that of the whole"
        _demand(abs(exponent(a, d) - d / a) < 1e-9, hint)


def check_ratio(ratio: Callable[[ArrayLike, float], float]) -> None:
    """Check a function that computes the measure ratio of a finite class with the counting measure.

    Parameters
    ----------
    ratio : callable
        From (values, t) to ``|H|`` over the number of hypotheses within t of the least value.

    Raises
    ------
    AssertionError
        If it is wrong on one of the examples.

    Examples
    --------
    >>> check_ratio(lambda values, t: len(values) / np.sum(np.asarray(values) <= t))
    Traceback (most recent call last):
    AssertionError: values [0.3, 0.5, 0.9], t = 0.25: the height counts from the least value, not from 0
    """
    for values, t, hint in (
        ([0.0, 0.2, 0.4], 0.3, "two of three are inside"),
        ([0.3, 0.5, 0.9], 0.25, "the height counts from the least value, not from 0"),
        ([0.0, 0.5, 1.0, 1.0], 0.5, "the set is closed: a value at exactly t is inside"),
    ):
        expected = float(np.exp(measure_ratio_curve(values, [t]).log_mean[0]))
        with np.errstate(divide="ignore"):
            found = float(ratio(values, t))
        _demand(abs(found - expected) < 1e-9, f"values {values}, t = {t}: {hint}")


def check_worst(values: ArrayLike) -> None:
    """Check values of ``c (F - F*)`` of 100 hypotheses whose mean under ``exp(-x)`` is as large as possible.

    Parameters
    ----------
    values : array_like of shape (100,)
        Non-negative, one of them 0.

    Raises
    ------
    AssertionError
        If the mean is not within a thousandth of the largest.

    Examples
    --------
    >>> check_worst([0.0] + [4.6] * 99)
    Traceback (most recent call last):
    AssertionError: the mean is 2.2944, and 2.6286 is possible
    """
    x = np.asarray(values, dtype=float)
    _demand(
        x.shape == (100,) and (x >= 0).all() and (x == 0).any(), "100 values, non-negative, one of them 0"
    )
    weights = np.exp(-x)
    found, best = float(x @ weights / weights.sum()), finite_utility_gap(100, 2, 1.0)
    _demand(found >= best - 1e-3, f"the mean is {found:.4f}, and {best:.4f} is possible")


def check_sizes(condition: int, convex: int) -> None:
    """Check how many records two bounds ask for, in one dimension, for an expected excess risk of 1/10.

    Parameters
    ----------
    condition : int
        By the sublevel condition with K = 1 and rho = 1, at the best epsilon up to 2.
    convex : int
        By ``2 / (epsilon n) + tanh(epsilon / 4)``, at the best epsilon.

    Raises
    ------
    AssertionError
        If a size is not the smallest.

    Examples
    --------
    >>> check_sizes(2000, 200)
    Traceback (most recent call last):
    AssertionError: by the condition the smallest size is not 2000: fewer are enough
    """
    found = penalised_erm_sample_size(ALPHA, 2.0, shrinking_condition(1))
    hint = "fewer are enough" if condition > found else "it is too small"
    _demand(condition == found, f"by the condition the smallest size is not {condition}: {hint}")

    def least(n_samples: int) -> float:
        epsilons = np.geomspace(0.01, 2, 20_001)
        return float((2 / (epsilons * n_samples) + np.tanh(epsilons / 4)).min())

    _demand(least(convex) <= ALPHA, f"for convex objectives {convex} are too few")
    _demand(least(convex - 1) > ALPHA, f"for convex objectives fewer than {convex} are enough")


def check_needle(values: ArrayLike) -> None:
    """Check values of F on 1000 equal cells of [0, 1] whose mean is more than 4 times "d / c", d = 1.

    Parameters
    ----------
    values : array_like of shape (1000,)
        In [0, 1].  The law has density proportional to ``exp(-c F)`` with c = 100.

    Raises
    ------
    AssertionError
        If a value is outside of [0, 1], or the mean of ``F - F*`` is below 1/25.

    Examples
    --------
    >>> check_needle(np.linspace(0, 1, 1000))
    Traceback (most recent call last):
    AssertionError: the mean of F - F* is 0.0095, and d / c is 0.01: not 4 times as much
    """
    values = np.asarray(values, dtype=float)
    inside = values.shape == (1000,) and (values >= 0).all() and (values <= 1).all()
    _demand(inside, "1000 values in [0, 1]")
    weights = np.exp(-100 * (values - values.min()))
    found = float((values - values.min()) @ weights / weights.sum())
    _demand(found >= 0.04, f"the mean of F - F* is {found:.4f}, and d / c is 0.01: not 4 times as much")
