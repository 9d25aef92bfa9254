"""Checkers for the exercises of the chapter on linear learning.

Each recomputes what it asks for in another way than the chapter's solution, or tests what defines it.
"""

import math
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "check_constant_excess",
    "check_count_law",
    "check_last_claim",
    "check_mean_law",
    "check_rate_for_range",
    "mean_law",
]


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_rate_for_range(rate: Callable[[float, float, int, float], float]) -> None:
    """Check a learning rate for examples in [-B, B]^d, by advanced composition.

    Parameters
    ----------
    rate : callable
        From (epsilon, delta, n_samples, B) to the rate at which every round is pure with
        ``epsilon / sqrt(8 T ln(1 / delta))``.

    Raises
    ------
    AssertionError
        When a round costs more than that, or less than it might.

    Examples
    --------
    >>> check_rate_for_range(lambda epsilon, delta, n_samples, B: 1.0)
    Traceback (most recent call last):
    AssertionError: ε = 0.5, δ = 0.1, T = 10, B = 0.5: a round may cost 0.0368, at rate 1 it costs 2
    """
    for epsilon, delta, n_samples, bound in product((0.5, 2.0), (0.1, 1e-6), (10, 1000), (0.5, 1.0, 7.0)):
        allowed = epsilon / math.sqrt(-8 * n_samples * math.log(delta))
        found = rate(epsilon, delta, n_samples, bound)
        # Entries and cumulated losses move by at most 2 B, and so does the best coordinate's share.
        cost = found * 2 * (2 * bound)
        case = f"ε = {epsilon}, δ = {delta}, T = {n_samples}, B = {bound}"
        message = f"{case}: a round may cost {allowed:.3g}, at rate {found:.3g} it costs {cost:.3g}"
        _demand(abs(cost - allowed) <= 1e-9 * allowed, message)


def check_count_law(law: Callable[[ArrayLike], ArrayLike]) -> None:
    """Check the law of the number of draws of the first coordinate.

    Parameters
    ----------
    law : callable
        From the probabilities of the first coordinate in T independent rounds to those of 0, ..., T draws.

    Raises
    ------
    AssertionError
        When it differs from the sum over all sequences, or 1,000 rounds are too many.

    Examples
    --------
    >>> check_count_law(lambda p: np.ones(len(p) + 1) / (len(p) + 1))
    Traceback (most recent call last):
    AssertionError: probabilities [0.3]: the law should be [0.7 0.3], got [0.5 0.5]
    """
    for probabilities in ([0.3], [0.5, 0.5, 0.5], [0.1, 0.9, 0.4, 0.75, 0.2]):
        exact = np.zeros(len(probabilities) + 1)
        for sequence in product((0, 1), repeat=len(probabilities)):
            factors = [p if one else 1 - p for p, one in zip(probabilities, sequence, strict=True)]
            exact[sum(sequence)] += math.prod(factors)
        found = np.asarray(law(probabilities), dtype=float)
        same = found.shape == exact.shape and np.abs(found - exact).max() < 1e-12
        hint = f"the law should be {exact.round(4)}, got {found.round(4)}"
        _demand(same, f"probabilities {probabilities}: {hint}")
    many = np.asarray(law(np.full(1000, 0.5)), dtype=float)
    right = many.shape == (1001,) and abs(many[500] - math.comb(1000, 500) / 2**1000) < 1e-9
    _demand(right, "1,000 fair rounds: the probability of 500 is wrong")


def _claimed_delta(times: float, delta: float, n_samples: int) -> float:
    """Exact delta on the extreme pair at the printed rate: a binomial count and one fair coin."""
    from scipy.stats import binom

    epsilon = times * math.log(1 / delta)
    eta = epsilon / math.sqrt(-32 * n_samples * math.log(delta))
    one = 1 / (1 + math.exp(-2 * eta))
    counts = np.arange(n_samples + 1)
    here, there = (
        (binom.pmf(counts, n_samples - 1, p) + binom.pmf(counts - 1, n_samples - 1, p)) / 2
        for p in (one, 1 - one)
    )
    return float(np.maximum(here - math.exp(epsilon) * there, 0).sum())


def check_last_claim(times: float, delta: float, n_samples: int) -> None:
    """Check the largest multiple of 1/2 at which the printed rate keeps its claim on the extreme pair.

    Parameters
    ----------
    times : float
        Claimed epsilon over ln(1 / delta), a multiple of 1/2.
    delta : float
        Claimed.
    n_samples : int
        Number of examples.

    Raises
    ------
    AssertionError
        When the claim fails there, or still holds half a unit later.

    Examples
    --------
    >>> check_last_claim(12.0, 1e-3, 1000)
    Traceback (most recent call last):
    AssertionError: at 12.0 ln(1/δ) the exact δ is 0.0204, more than the claimed 0.001
    """
    _demand(2 * times == round(2 * times), f"{times} is no multiple of 1/2")
    exact = _claimed_delta(times, delta, n_samples)
    _demand(exact <= delta, f"at {times} ln(1/δ) the exact δ is {exact:.3g}, more than the claimed {delta}")
    later = _claimed_delta(times + 0.5, delta, n_samples)
    _demand(later > delta, f"at {times + 0.5} ln(1/δ) the claim still holds: the exact δ is {later:.3g}")


def mean_law(X: ArrayLike, eta: float) -> NDArray[np.float64]:
    """The mean of the probability vectors of all rounds: what LinearLearner would draw on average.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Examples.
    eta : float
        Learning rate.

    Returns
    -------
    ndarray of shape (n_features,)

    Examples
    --------
    >>> mean_law([[1.0, -1.0], [0.0, 0.0]], 0.5).round(4).tolist()
    [0.3845, 0.6155]
    """
    X = np.asarray(X, dtype=float)
    weights = np.exp(-eta * (np.cumsum(X, axis=0) - X))
    return (weights / weights.sum(axis=1, keepdims=True)).mean(axis=0)


def check_mean_law(pair: Sequence[ArrayLike]) -> None:
    """Check two neighbouring data sets on which the mean of the laws differs.

    Parameters
    ----------
    pair : two arrays of shape (n_samples, n_features)
        With entries in [-1, 1], different in exactly one row.

    Raises
    ------
    AssertionError
        When they are no neighbours, or what is published is the same.

    Examples
    --------
    >>> check_mean_law(([[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]))
    Traceback (most recent call last):
    AssertionError: both give [0.384471 0.615529]; which rounds see the row that you changed?
    """
    here, there = (np.asarray(X, dtype=float) for X in pair)
    _demand(here.ndim == 2 and here.shape == there.shape, "give two arrays of one shape, one row a record")
    _demand(max(abs(here).max(), abs(there).max()) <= 1, "entries must be in [-1, 1]")
    changed = int((here != there).any(axis=1).sum())
    _demand(changed == 1, f"neighbours differ in exactly one row, these differ in {changed}")
    means = mean_law(here, 1.0), mean_law(there, 1.0)
    told = f"both give {means[0].round(6)}; which rounds see the row that you changed?"
    _demand(np.abs(means[0] - means[1]).max() > 1e-9, told)


def check_constant_excess(excess: Callable[[float, int, int], float]) -> None:
    """Check the mean excess risk of LinearLearner when every example is (-1, 1, ..., 1).

    Parameters
    ----------
    excess : callable
        From (eta, n_samples, n_features) to the exact mean.

    Raises
    ------
    AssertionError
        When it differs from a simulation of the laws.

    Examples
    --------
    >>> check_constant_excess(lambda eta, n_samples, n_features: 1.0)
    Traceback (most recent call last):
    AssertionError: η = 0.1, T = 1, d = 5: you give 1.0 where the laws give 1.600000
    """
    for eta, n_samples, n_features in product((0.1, 1.0), (1, 2, 50), (2, 5)):
        X = np.ones((n_samples, n_features))
        X[:, 0] = -1.0
        exact = 2 * (1 - mean_law(X, eta)[0])
        found = excess(eta, n_samples, n_features)
        case = f"η = {eta}, T = {n_samples}, d = {n_features}"
        _demand(abs(found - exact) < 1e-9, f"{case}: you give {found} where the laws give {exact:.6f}")
