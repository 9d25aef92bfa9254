r"""Empirical risk minimisation over thresholds, exactly: the law of the place where a random walk is lowest.

On N ordered points, moving the cut past one more point changes the number of mistakes by the number of
records there that are labelled True minus the number labelled False.  So the mistakes of the N + 1 thresholds
are a walk, and the learner returns the first place where it is lowest.  If the number of records is itself
Poisson, then the steps are independent, and

.. math:: \Pr[\text{lowest at } j] = \Pr[\text{all places left of } j \text{ are higher}]
          \cdot \Pr[\text{no place right of } j \text{ is lower}] .

Each factor follows from the one next to it by one convolution.  The walk is cut off at a height where it is
taken to have escaped; then the probabilities can only come out too large, and the amount by which their sum
exceeds 1 is the whole error.  The height is doubled until that is below `PRECISION`.
"""

from collections.abc import Iterator
from math import ceil, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

PRECISION = 1e-10
"""Largest excess over 1 of the sum of the probabilities."""

_TAIL = 1e-15


def _poisson(rates: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Probabilities of 0, 1, ..., size - 1 for each rate: shape (n_rates, size)."""
    law = np.empty((rates.size, size))
    law[:, 0] = np.exp(-rates)
    for count in range(1, size):
        law[:, count] = law[:, count - 1] * rates / count
    return law


def _largest_count(rate: float) -> int:
    """A count that a Poisson variable of this rate exceeds with probability below 1e-15, by Bernstein."""
    unit = -np.log(_TAIL)
    return ceil(rate + sqrt(2 * rate * unit) + 2 * unit / 3)


def _steps(rates_true: NDArray[np.float64], rates_false: NDArray[np.float64]) -> NDArray[np.float64]:
    """Law of (records labelled True) - (labelled False) at each point: shape (n_points, 2 size - 1)."""
    size = _largest_count(max(rates_true.max(), rates_false.max())) + 1
    ups, downs = _poisson(rates_true, size), _poisson(rates_false, size)
    steps = np.zeros((rates_true.size, 2 * size - 1))
    for count in range(size):
        steps[:, count : count + size] += downs[:, size - 1 - count, None] * ups
    return steps


def _staying(steps: NDArray[np.float64], height: int, *, strict: bool) -> Iterator[float]:
    """Probability that the walk from 0, with the last 0, 1, 2, ... steps, never goes below 0 (or to 0)."""
    reach = steps.shape[1] // 2
    stays = np.concatenate([np.zeros(reach), np.ones(height + 1 + reach)])
    yield 1.0
    for step in steps[::-1]:
        if strict:
            stays[reach] = 0.0
        stays[reach : reach + height + 1] = np.correlate(stays, step, "valid")
        yield float(stays[reach])


def threshold_erm_law(rates_true: ArrayLike, rates_false: ArrayLike) -> NDArray[np.float64]:
    """Law of the threshold that empirical risk minimisation returns, from a Poisson number of records.

    Time is of order ``n_points`` times the largest height of the walk times its largest step.
    **Returns.** ndarray of float, shape (n_points + 1,): probability of each cut; cut j labels the points j,
    j + 1, ... True.  Among cuts with as few mistakes the first is returned.
    **Accuracy.** The sum is at most ``1 + PRECISION`` before it is made 1, and no probability is too small
    by more than rounding and a truncation of Poisson tails at 1e-15.
    **Source.** Exact check of LZCW21-rem-erm-fast-rate.

    Parameters
    ----------
    rates_true, rates_false : array_like of shape (n_points,)
        Mean number of records at each point, from left to right, that are labelled True and False:
        independent Poisson counts.  With ``n p(x, y)`` they are a sample of Poisson size of mean n.

    Examples
    --------
    One point; the cut on its right needs more False than True records there:

    >>> threshold_erm_law([2.0], [1.0]).round(4).tolist()
    [0.8174, 0.1826]
    """
    true, false = check.finite_vector(rates_true=rates_true), check.finite_vector(rates_false=rates_false)
    if true.shape != false.shape:
        raise ValueError(f"rates_false must be {true.size} numbers, got {false.size}")
    if min(true.min(), false.min()) < 0:
        raise ValueError("rates_true and rates_false must be non-negative everywhere")
    steps = _steps(true, false)
    height = ceil(4 * sqrt(true.sum() + false.sum())) + 8
    while True:
        law = _lowest_place(steps, height)
        if law.sum() <= 1 + PRECISION:
            return law / law.sum()
        height *= 2


def _lowest_place(steps: NDArray[np.float64], height: int) -> NDArray[np.float64]:
    """Probability of each place to be the first lowest, or a little more if the walk can leave the strip."""
    right = np.fromiter(_staying(steps, height, strict=False), float)[::-1]
    left = np.fromiter(_staying(steps[::-1, ::-1], height, strict=True), float)
    return left * right
