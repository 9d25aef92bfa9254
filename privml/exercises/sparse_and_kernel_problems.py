"""Checkers for the exercises of the chapter on sparse and kernel problems."""

from collections.abc import Callable, Sequence
from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike
from sklearn.kernel_approximation import RBFSampler

from privml.experiments.sparse_and_kernel_problems import points_by_bits
from privml.hypotheses import Thresholds
from privml.learners import greedy_cover
from privml.learners.reference_cover import loss_distances

__all__ = ["check_buckets", "check_scale", "check_split", "check_undominated"]

RECORDS, EPSILON = 60, 1.0
READINGS, RADIUS = 20, 0.1


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_split(split: Callable[[float, float], float]) -> None:
    """Check the share of epsilon for the support that makes the bound of two stages least.

    Parameters
    ----------
    split : callable
        From the logarithms a of the number of supports and b of the number of points, both positive.

    Raises
    ------
    AssertionError
        If another share does better.

    Examples
    --------
    >>> check_split(lambda a, b: a / (a + b))
    Traceback (most recent call last):
    AssertionError: a = 1, b = 4: share 0.2 costs 10.0000, the least is 9.0000
    """
    for a, b in ((1.0, 4.0), (log(435), log(197)), (0.1, 20.0)):
        share = split(a, b)
        _demand(0 < share < 1, f"a share lies between 0 and 1, got {share:g}")
        cost, least = a / share + b / (1 - share), (sqrt(a) + sqrt(b)) ** 2
        _demand(
            cost <= least * (1 + 1e-9),
            f"a = {a:g}, b = {b:g}: share {share:g} costs {cost:.4f}, the least is {least:.4f}",
        )


def check_buckets(n_buckets: int) -> None:
    """Check the number of buckets with the least exact expected error, for 60 records and epsilon 1.

    Parameters
    ----------
    n_buckets : int
        At least 2; the population is that of the figure on points.

    Raises
    ------
    AssertionError
        If one bucket more or less, or half or twice as many, are better.

    Examples
    --------
    >>> check_buckets(20)
    Traceback (most recent call last):
    AssertionError: 20 buckets: error 0.02502, with 21 buckets 0.02383
    """
    _demand(int(n_buckets) == n_buckets and n_buckets >= 2, "a whole number from 2 on is wanted")
    others = {n_buckets // 2, n_buckets - 1, n_buckets + 1, 2 * n_buckets} - {0, 1, n_buckets}
    sizes = [int(n_buckets), *sorted(int(k) for k in others)]
    errors = points_by_bits([30], RECORDS, EPSILON, sizes)["error"].to_numpy()[1:]
    for size, error in zip(sizes[1:], errors[1:], strict=True):
        _demand(
            errors[0] <= error,
            f"{n_buckets} buckets: error {errors[0]:.5f}, with {size} buckets {error:.5f}",
        )


def check_undominated(law: ArrayLike, target: int) -> None:
    """Check a law of 20 readings on which the cover made under the uniform law is worthless.

    Parameters
    ----------
    law : array_like of shape (20,)
        Probabilities of the readings 0 to 19.
    target : int
        Readings from this one on are True, from 1 to 19.

    Raises
    ------
    AssertionError
        If some member of the cover has error below 2/5, or the target is no threshold.

    Examples
    --------
    >>> check_undominated(np.full(20, 0.05), 10)
    Traceback (most recent call last):
    AssertionError: the cover has a threshold with error 0.1000, below 2/5
    """
    probabilities = np.asarray(law, dtype=float)
    _demand(probabilities.shape == (READINGS,) and (probabilities >= 0).all(), "20 probabilities are wanted")
    _demand(abs(probabilities.sum() - 1) < 1e-9, "the probabilities must sum to 1")
    _demand(1 <= target <= READINGS - 1, "the target is a threshold from 1 to 19")
    readings = np.arange(READINGS)
    labels = Thresholds(np.arange(1, READINGS)).predict(readings)
    cover = greedy_cover(loss_distances(labels), RADIUS)
    error = float(((labels[cover] != (readings >= target)) @ probabilities).min())
    _demand(error >= 0.4, f"the cover has a threshold with error {error:.4f}, below 2/5")


def check_scale(data: Sequence[ArrayLike]) -> None:
    """Check two neighbouring data sets in the unit square that RBFSampler(gamma="scale") tells apart.

    Parameters
    ----------
    data : sequence of two array_like of shape (n_samples, 2)
        Equal but for one row, entries in [-1, 1], at least two records.

    Raises
    ------
    AssertionError
        If they are no neighbours, or the frequencies differ by less than a factor of 10.

    Examples
    --------
    >>> check_scale((np.eye(2), np.zeros((2, 2))))
    Traceback (most recent call last):
    AssertionError: neighbours differ in one row, these in 2
    """
    first, second = (np.asarray(part, dtype=float) for part in data)
    _demand(first.shape == second.shape and first.shape[1:] == (2,), "two tables of one shape are wanted")
    _demand(len(first) >= 2, "at least two records are wanted")
    _demand(max(abs(first).max(), abs(second).max()) <= 1, "entries lie in [-1, 1]")
    changed = int((first != second).any(axis=1).sum())
    _demand(changed == 1, f"neighbours differ in one row, these in {changed}")
    samplers = [RBFSampler(gamma="scale", random_state=0).fit(part) for part in (first, second)]
    ratio = abs(float((samplers[0].random_weights_ / samplers[1].random_weights_).flat[0]))
    factor = max(ratio, 1 / ratio)
    _demand(factor >= 10, f"the frequencies differ by a factor of {factor:.2f} only")
