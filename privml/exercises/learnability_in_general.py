"""Checkers for the exercises of the chapter on learnability in general.

Each recomputes what it asks for in another way than the chapter's solution, or tests what defines it.
"""

import math
from collections.abc import Callable
from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike

from privml.experiments.learnability_in_general import memory_gap
from privml.learnability.problems import rescaled_problem

__all__ = [
    "check_clipped",
    "check_factor",
    "check_logistic",
    "check_slow_tail",
]

SLOW_RECORDS, SLOW_GAP, FAR = 10**6, 0.3, 10**300


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_clipped(losses: ArrayLike, upper: float) -> None:
    """Check a table of losses whose best hypothesis changes when they are clipped.

    Parameters
    ----------
    losses : array_like of shape (n_hypotheses, n_records)
        Non-negative losses; the data set holds every record once.
    upper : float
        Where they are clipped.

    Raises
    ------
    AssertionError
        When the same hypothesis is best before and after, or best ones are tied.

    Examples
    --------
    >>> check_clipped([[0.0, 1.0], [1.0, 1.0]], 0.5)
    Traceback (most recent call last):
    AssertionError: hypothesis 0 is best before and after clipping
    """
    table = np.asarray(losses, dtype=float)
    _demand(table.ndim == 2 and bool(np.isfinite(table).all()), "give a table of finite losses")
    _demand(bool((table >= 0).all()), "losses must not be negative")
    best = []
    for bound, clip in ((table.max() + 1, False), (upper, True)):
        problem = rescaled_problem(table, upper=bound, clip=clip)
        risks = problem.empirical_risk(np.ones(problem.n_records, dtype=int))
        winners = np.flatnonzero(risks <= risks.min() + 1e-9)
        _demand(len(winners) == 1, f"hypotheses {winners.tolist()} are tied for the best")
        best.append(int(winners[0]))
    _demand(best[0] != best[1], f"hypothesis {best[0]} is best before and after clipping")


def check_logistic(loss: Callable, upper: Callable[[float], float]) -> None:
    """Check the logistic loss as a row of the table, with a bound of it.

    Parameters
    ----------
    loss : callable
        From margins ``<x, h>`` (n_hypotheses, n_records) and labels -1, +1 (n_records,) to losses
        ``ln(1 + exp(-y <x, h>))``, finite for margins of any size.
    upper : callable
        From a bound r of ``|<x, h>|`` to the largest loss.

    Raises
    ------
    AssertionError
        When a loss is wrong or overflows, or the bound is no bound or is never reached.

    Examples
    --------
    >>> check_logistic(lambda margins, labels: np.maximum(0, 1 - labels * margins), lambda r: 1 + r)
    Traceback (most recent call last):
    AssertionError: margin -5, label -1: the loss is 0.0067153, not 0
    """
    margins, labels = np.array([[-5.0, 0.0, 2.0], [-1000.0, 3.0, 1000.0]]), np.array([-1, 1, -1])
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.asarray(loss(margins, labels), dtype=float)
    _demand(found.shape == (2, 3), f"losses must have shape (2, 3), got {found.shape}")
    for h, j in product(range(2), range(3)):
        signed = float(labels[j] * margins[h, j])
        true = math.log1p(math.exp(-signed)) if signed > 0 else -signed + math.log1p(math.exp(signed))
        case = f"margin {margins[h, j]:g}, label {labels[j]}"
        _demand(
            math.isclose(found[h, j], true, abs_tol=1e-9),
            f"{case}: the loss is {true:.5g}, not {found[h, j]:g}",
        )
    for r in (0.5, 3.0, 1000.0):
        true = r + math.log1p(math.exp(-r))
        _demand(math.isclose(upper(r), true, rel_tol=1e-9), f"r = {r:g}: the largest loss is {true:.6g}")


def check_slow_tail(tail: Callable[[int], float]) -> None:
    """Check a law for which the memory's gap is still large at a million records, but tends to 0.

    Parameters
    ----------
    tail : callable
        From x = 0, 1, ... to the probability that an instance is above x.

    Raises
    ------
    AssertionError
        When it is no tail of a law on 1, 2, ..., or the gap is below 3/10.

    Examples
    --------
    >>> check_slow_tail(lambda x: 1 / (x + 1))
    Traceback (most recent call last):
    AssertionError: the gap at 1000000 records is 0.0313, below 0.3
    """
    values = [tail(x) for x in range(200)]
    _demand(math.isclose(values[0], 1.0), f"all instances are above 0, but tail(0) is {values[0]:g}")
    _demand(all(a >= b >= 0 for a, b in zip(values, values[1:], strict=False)), "a tail must not increase")
    gap = memory_gap(SLOW_RECORDS, tail)
    _demand(gap >= SLOW_GAP, f"the gap at {SLOW_RECORDS} records is {gap:.4f}, below {SLOW_GAP}")
    _demand(tail(FAR) <= tail(100) / 2, "the tail does not seem to tend to 0")


def check_factor(ratio: Callable[[int, int, float], float]) -> None:
    """Check how far the construction of Lemma 10 misses the printed rate for the switching learner.

    Parameters
    ----------
    ratio : callable
        From n distinct records, k of them drawn and epsilon, to the gap of the subset learner over the excess
        risk from k records of the uniform law on the n records; bad has probability
        ``e^eps / (1 + e^eps)`` on distinct records and ``1 / (1 + e^eps)`` otherwise.

    Raises
    ------
    AssertionError
        When a ratio is wrong.

    Examples
    --------
    >>> check_factor(lambda n, k, epsilon: 2.0)
    Traceback (most recent call last):
    AssertionError: n = 4, k = 2, ε = 1: the ratio is 1.1877, not 2
    """
    for (n, k), epsilon in product(((4, 2), (5, 3), (9, 3)), (1.0, 6.0)):
        high = math.exp(epsilon) / (1 + math.exp(epsilon))
        law = [high if len(set(draws)) == k else 1 - high for draws in product(range(n), repeat=k)]
        subsets = [high for _ in combinations(range(n), k)]
        true = np.mean(subsets) / np.mean(law)
        found = ratio(n, k, epsilon)
        case = f"n = {n}, k = {k}, ε = {epsilon:g}"
        _demand(math.isclose(found, true, rel_tol=1e-9), f"{case}: the ratio is {true:.4f}, not {found:g}")
