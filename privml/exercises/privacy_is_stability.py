"""Checkers for the exercises of the chapter on privacy and stability.

Each compares an answer with the library's exact computations, or tests what defines it, and raises
AssertionError with a hint when it is not right.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pandas import DataFrame

from privml.experiments.privacy_is_stability import problems, rates
from privml.learnability import (
    CountLaw,
    LearningProblem,
    count_vectors,
    exact_privacy,
    exponential_law,
    replace_one_stability,
    subsampled_law,
    total_variation_stability,
)

__all__ = [
    "check_best_epsilon",
    "check_even_sizes",
    "check_meter",
    "check_stable_not_private",
    "check_subsampled_table",
]

BEST_EPSILONS = tuple(round(0.1 * step, 1) for step in range(1, 41))
BEST_SIZE, BEST_STEPS = 9, 4


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def _table_law(table: ArrayLike) -> CountLaw:
    """The law on count vectors of two kinds of records whose row c belongs to c records of the second."""
    laws = np.asarray(table, dtype=float)
    return lambda counts: laws[np.asarray(counts)[:, 1]]


def check_even_sizes(formula: Callable[[float], float]) -> None:
    """Check the stability of the exponential mechanism on two rules for even numbers of records.

    Parameters
    ----------
    formula : callable
        From epsilon to the constant.

    Raises
    ------
    AssertionError
        When it differs from the exact constant.

    Examples
    --------
    >>> check_even_sizes(lambda epsilon: np.tanh(epsilon / 4))
    Traceback (most recent call last):
    AssertionError: for ε = 0.5 and m = 2 the exact constant is 0.122459, not 0.124353
    """
    coin = problems()["coin"]
    for epsilon in (0.5, 1.0, 4.0):
        for m in (2, 6):
            exact = replace_one_stability(exponential_law(coin, epsilon), coin, m).value
            given = float(formula(epsilon))
            hint = f"for ε = {epsilon} and m = {m} the exact constant is {exact:.6f}, not {given:.6f}"
            _demand(abs(given - exact) < 1e-9, hint)


def check_meter(meter: Callable[[NDArray, NDArray], float]) -> None:
    """Check a function that measures the uniform stability of a learner over two kinds of records.

    Parameters
    ----------
    meter : callable
        From the laws, one row for each number c = 0, ..., m of records of the second kind, and the losses of
        shape (n_hypotheses, 2), to the constant.

    Raises
    ------
    AssertionError
        When it differs from the exact constant.

    Examples
    --------
    >>> check_meter(lambda laws, losses: 0.0)
    Traceback (most recent call last):
    AssertionError: with 1 records and 2 hypotheses the constant is 0.102725, not 0.000000
    """
    rng = np.random.default_rng(0)
    for m, n_hypotheses in ((1, 2), (4, 3), (7, 5)):
        laws = rng.dirichlet(np.ones(n_hypotheses), size=m + 1)
        problem = LearningProblem(rng.random((n_hypotheses, 2)))
        exact = replace_one_stability(_table_law(laws), problem, m).value
        given = float(meter(laws, problem.losses))
        where = f"with {m} records and {n_hypotheses} hypotheses"
        _demand(abs(given - exact) < 1e-9, f"{where} the constant is {exact:.6f}, not {given:.6f}")


def check_subsampled_table(subsampled: Callable[[NDArray, int], NDArray]) -> None:
    """Check the law of a learner on a random subset, for two kinds of records.

    Parameters
    ----------
    subsampled : callable
        From the laws of the learner on k records, k + 1 rows, and m, to those of the whole, m + 1 rows.

    Raises
    ------
    AssertionError
        When it differs from the exact law.

    Examples
    --------
    >>> check_subsampled_table(lambda laws, m: np.repeat(laws[:1], m + 1, axis=0))
    Traceback (most recent call last):
    AssertionError: with 3 of 3 records of the second kind, and 2 of 3 used, the law is off by 0.7680
    """
    rng = np.random.default_rng(1)
    for k, m in ((2, 3), (1, 5), (3, 8)):
        laws = rng.dirichlet(np.ones(3), size=k + 1)
        counts = count_vectors(2, m)
        exact = subsampled_law(_table_law(laws), k)(counts)
        given = np.asarray(subsampled(laws, m), dtype=float)
        _demand(given.shape == (m + 1, 3), f"for m = {m} there are {m + 1} laws, got shape {given.shape}")
        off = np.abs(given[counts[:, 1]] - exact).max(axis=1)
        worst = int(off.argmax())
        where = f"with {counts[worst, 1]} of {m} records of the second kind, and {k} of {m} used"
        _demand(off[worst] < 1e-9, f"{where}, the law is off by {off[worst]:.4f}")


@cache
def _best_table() -> DataFrame:
    return rates("median", BEST_SIZE, BEST_EPSILONS, BEST_STEPS).set_index("epsilon")


def check_best_epsilon(bound: float, exact: float) -> None:
    """Check for which multiples of 1/10, at most 4, a bound and the excess risk itself are smallest.

    Parameters
    ----------
    bound : float
        Where the universal AERM gap plus tanh(epsilon / 4) is smallest, for the median and 9 records.
    exact : float
        Where the largest excess risk is smallest.

    Raises
    ------
    AssertionError
        When another multiple is better.

    Examples
    --------
    >>> check_best_epsilon(4.0, 4.0)
    Traceback (most recent call last):
    AssertionError: for the bound another ε is better than 4.0
    """
    table = _best_table()
    for name, column, given in (("the bound", "range", bound), ("the excess risk", "excess", exact)):
        values = table[column]
        near = [epsilon for epsilon in BEST_EPSILONS if abs(epsilon - given) < 1e-6]
        _demand(bool(near), f"ε must be a multiple of 1/10 up to 4, got {given}")
        _demand(values[near[0]] <= values.min(), f"for {name} another ε is better than {given}")


def check_stable_not_private(law: CountLaw) -> None:
    """Check a learner for ten records of two kinds that is stable in total variation and not private.

    Parameters
    ----------
    law : callable
        From count vectors of shape (n_datasets, 2) to probabilities.

    Raises
    ------
    AssertionError
        When the total variation between neighbours exceeds 1/10, or the learner is private.

    Examples
    --------
    >>> check_stable_not_private(lambda counts: np.ones((len(counts), 1)))
    Traceback (most recent call last):
    AssertionError: the exact ε of yours is 0.0000; it must be infinite
    """
    variation = total_variation_stability(law, 2, 10).value
    _demand(variation <= 0.1 + 1e-12, f"the total variation is {variation:.4f}, above 1/10")
    epsilon = exact_privacy(law, 2, 10).value
    _demand(epsilon == np.inf, f"the exact ε of yours is {epsilon:.4f}; it must be infinite")
