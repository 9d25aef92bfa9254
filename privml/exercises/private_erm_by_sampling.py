"""Checkers for the exercises of the chapter on private ERM by sampling."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml.distributions import Categorical
from privml.experiments.private_erm_by_sampling import line_laws, stopped
from privml.learners.penalised_erm import LogisticLoss, penalised_law

__all__ = ["check_absolute", "check_peeking", "check_steps", "check_tries", "peeking_law"]

EPSILON = 1.0
GRID = np.linspace(-3.0, 3.0, 25)
DELTA, RECORDS = 1e-6, 8


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_absolute(oscillation: Callable[[float], float]) -> None:
    """Check the oscillation of the loss |s - y| over scores in [-R, R], for the worst label in [-1, 1].

    Parameters
    ----------
    oscillation : callable
        From R to a number.

    Raises
    ------
    AssertionError
        If a value is too small or too large.

    Examples
    --------
    >>> check_absolute(lambda R: 2 * R)
    Traceback (most recent call last):
    AssertionError: R = 2: 4 is more than any record can do, which is 3
    """
    for R in (0.3, 1.0, 2.0, 5.0):
        scores, labels = np.linspace(-R, R, 4001)[:, None], np.linspace(-1, 1, 401)
        values = abs(scores - labels)
        worst = float(np.ptp(values, axis=0).max())
        found = float(oscillation(R))
        _demand(found >= worst - 1e-9, f"R = {R:g}: {found:g} is too small, a record can do {worst:g}")
        _demand(
            found <= worst + 0.01, f"R = {R:g}: {found:g} is more than any record can do, which is {worst:g}"
        )


def check_tries(tries: Callable[[Categorical], float]) -> None:
    """Check the mean number of uniform proposals until one is accepted.

    Parameters
    ----------
    tries : callable
        From a law on k outcomes to the mean number of tries when a uniform outcome is accepted with its
        probability over the largest one.

    Raises
    ------
    AssertionError
        If a value is wrong.

    Examples
    --------
    >>> check_tries(lambda law: 1 / law.pmf().max())
    Traceback (most recent call last):
    AssertionError: of 3 equally likely outcomes the first proposal is taken, got 3 tries
    """
    level = float(tries(Categorical(np.zeros(3))))
    _demand(
        abs(level - 1) < 1e-9,
        f"of 3 equally likely outcomes the first proposal is taken, got {level:g} tries",
    )
    for law in line_laws(6, 2.0, 11, 3.0):
        p = law.pmf()
        accepted = (p / p.max()).mean()
        found = float(tries(law))
        _demand(
            abs(found * accepted - 1) < 1e-9, f"mean number of tries {found:g}, should be {1 / accepted:g}"
        )


def check_steps(steps: int) -> None:
    """Check the least number of steps with a proved delta of at most 1e-6, over all starts at the middle.

    Parameters
    ----------
    steps : int
        For 8 records and epsilon 1, as in the chapter.

    Raises
    ------
    AssertionError
        If it is too small, or fewer steps are enough.

    Examples
    --------
    >>> check_steps(10)
    Traceback (most recent call last):
    AssertionError: after 10 steps the proved delta is 1, above 1e-06
    """
    steps = int(steps)
    before, there = (stopped([k], RECORDS, EPSILON)["delta_proved"][0] for k in (max(0, steps - 1), steps))
    _demand(there <= DELTA, f"after {steps} steps the proved delta is {there:.3g}, above {DELTA:g}")
    _demand(before > DELTA, f"{steps - 1} steps are enough: the proved delta is {before:.3g}")


def peeking_law(labels: ArrayLike) -> Categorical:
    """A learner that claims epsilon 1 and whose penalty is 1 if most labels are 1, and 0 otherwise.

    Parameters
    ----------
    labels : array_like
        Labels 1 and -1 of one feature; logistic loss, weights on 25 points from -3 to 3.

    Returns
    -------
    Categorical
        On the points.

    Examples
    --------
    >>> bool(peeking_law([1, -1]).pmf().max() < 0.1)
    True
    """
    y = np.asarray(labels, dtype=float)
    means = LogisticLoss().value(GRID, y[:, None]).mean(axis=0)
    penalty = 0.5 * GRID**2 if y.sum() > 0 else np.zeros_like(GRID)
    return penalised_law(
        means, y.size, EPSILON, penalties=penalty, loss_range=LogisticLoss().oscillation(3.0)
    )


def _labels(name: str, labels: Sequence[int]) -> NDArray[np.int64]:
    array = np.asarray(labels)
    _demand(array.ndim == 1 and array.size > 0, f"{name} must be a list of labels")
    _demand(set(array.tolist()) <= {-1, 1}, f"{name} must hold the labels 1 and -1 only")
    return array


def check_peeking(first: Sequence[int], second: Sequence[int]) -> None:
    """Check two neighbouring data sets whose laws differ by more than twice the claimed epsilon.

    Parameters
    ----------
    first, second : sequence of int
        Labels 1 and -1.

    Raises
    ------
    AssertionError
        If they are no neighbours or their laws are too close.

    Examples
    --------
    >>> check_peeking([1, 1, 1], [1, 1, -1])
    Traceback (most recent call last):
    AssertionError: the largest privacy loss is 0.54, not above 2: the penalty must change, too
    """
    one, two = _labels("first", first), _labels("second", second)
    _demand(
        one.size == two.size and (one != two).sum() == 1, "neighbours have one size and differ in one label"
    )
    logs = [peeking_law(labels).logpmf() for labels in (one, two)]
    largest = float(max((p - q).max() for p, q in product(logs, repeat=2)))
    hint = f"the largest privacy loss is {largest:.2f}, not above 2"
    changed = (one.sum() > 0) != (two.sum() > 0)
    _demand(
        largest > 2 * EPSILON, hint + (": take more records" if changed else ": the penalty must change, too")
    )
