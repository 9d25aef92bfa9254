"""Packings of a finite problem: any data sets with disjoint sets of answers, and what they prove.

The formula of :mod:`~privml.learnability.impossibility.base` takes one distance and one loss for all.  Here
every two data sets keep their own distance and each its own loss, and a small convex program takes the place
of the formula.
"""

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.guarantee import Guarantee
from privml.hypotheses import Thresholds
from privml.learnability.base import LearningProblem
from privml.learnability.impossibility.base import checked_distance, checked_privacy

LARGEST_TABLE = 1 << 24
"""Most entries of a table that is put together."""


def _replacements(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Distances between data sets up to order: how many records have to be replaced."""
    return np.abs(counts[:, None, :] - counts[None, :, :]).sum(axis=-1) // 2


@dataclass(frozen=True, eq=False)
class Packing:
    """Data sets of one finite problem with disjoint sets of answers, and what they prove.

    Parameters
    ----------
    counts : array_like of int, shape (n_datasets, n_records)
        The data sets, all of one size, up to order.
    answers : array_like of bool, shape (n_datasets, n_hypotheses)
        Which hypotheses belong to each data set; none belongs to two.

    Raises
    ------
    ValueError
        If the shapes do not fit, the data sets have several sizes, or two sets of answers meet.

    Notes
    -----
    **Source.** WLF16-prop-12: its intervals and data sets, for any problem.

    Examples
    --------
    >>> problem = LearningProblem(1 - np.eye(3))
    >>> packing = Packing(problem, 2 * np.eye(3, dtype=int), np.eye(3, dtype=bool))
    >>> packing.distances.tolist(), packing.losses.tolist(), round(packing.excess_risk(1.0), 6)
    ([[0, 2, 2], [2, 0, 2], [2, 2, 0]], [1.0, 1.0, 1.0], 0.213014)
    """

    problem: LearningProblem
    counts: NDArray[np.int64]
    answers: NDArray[np.bool_]

    def __post_init__(self) -> None:
        check.instance(LearningProblem, problem=self.problem)
        counts, answers = np.asarray(self.counts), np.asarray(self.answers, dtype=bool)
        self.problem.empirical_risk(counts)
        if answers.shape != (len(counts), self.problem.n_hypotheses):
            raise ValueError(
                f"answers must have shape {(len(counts), self.problem.n_hypotheses)}, got {answers.shape}"
            )
        if len(set(counts.sum(axis=1).tolist())) != 1:
            raise ValueError(f"counts must be data sets of one size, got {counts.sum(axis=1).tolist()}")
        if answers.sum(axis=0).max() > 1:
            raise ValueError(f"answers must be disjoint, got hypothesis {answers.sum(axis=0).argmax()} twice")
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "answers", answers)

    @property
    def distances(self) -> NDArray[np.int64]:
        """Replacements between every two data sets, of shape (n_datasets, n_datasets)."""
        return _replacements(self.counts)

    @property
    def losses(self) -> NDArray[np.float64]:
        """Least excess empirical risk outside of each data set's answers, of shape (n_datasets,)."""
        excess = self.problem.excess_empirical_risk(self.counts)
        return np.where(self.answers, inf, excess).min(axis=1)

    def excess_risk(self, epsilon: float, *, delta: float = 0.0) -> float:
        """Worst expected excess empirical risk that no private learner avoids on these data sets.

        Returns
        -------
        float
            What :func:`relaxed_excess_risk` gives; it uses each pair's own distance
            and each data set's own loss, so it is at least what the formula gives.

        Notes
        -----
        **Privacy.** For (epsilon, delta)-DP under ``REPLACE_ONE``.
        **Source.** WLF16-prop-12 and WLF16-prop-33.
        """
        return relaxed_excess_risk(self.distances, self.losses, epsilon, delta)


def relaxed_excess_risk(distances: ArrayLike, losses: ArrayLike, epsilon: float, delta: float = 0.0) -> float:
    """Minimax excess risk of the program that knows only distances and losses of a packing.

    Parameters
    ----------
    distances : array_like of int, shape (n_datasets, n_datasets)
        Replacements between data sets.
    losses : array_like of shape (n_datasets,)
        Least excess risk outside of each data set's answers, inf where nothing is outside.

    Returns
    -------
    float
        The least t for which masses p with ``losses (1 - p) <= t`` exist whose shares, ``e^(-d epsilon)
        (p - delta_d)`` where positive, sum to at most 1 on each data set.

    Notes
    -----
    **Source.** WLF16-prop-12 and WLF16-prop-33.

    Examples
    --------
    >>> round(relaxed_excess_risk([[0, 2], [2, 0]], [1.0, 0.5], 1.0), 6)
    0.106507
    """
    checked_privacy(epsilon, delta)
    distances, losses = np.asarray(distances), check.numbers(losses=losses)
    square = losses.ndim == 1 and losses.size > 0 and distances.shape == (len(losses), len(losses))
    if not (square and distances.dtype.kind in "iu" and (distances >= 0).all() and (losses >= 0).all()):
        raise ValueError(
            "distances must be a square table of counts and losses one non-negative number for each row, "
            f"got {distances.dtype} {distances.shape} and shape {losses.shape}"
        )
    losses = np.where(np.isfinite(losses), losses, 0.0)
    steps, where = np.unique(distances, return_inverse=True)
    missed = np.array([Guarantee(epsilon, delta).for_group(int(d)).delta if d else 0.0 for d in steps])
    missed = missed[where.reshape(distances.shape)]
    return _smallest_level(np.exp(-epsilon * distances), missed, losses)


def _smallest_level(shares: NDArray, missed: NDArray, losses: NDArray) -> float:
    """Bisection over t: with p = 1 - t / losses the shares are increasing in p, so the least p decides."""

    def fits(level: float) -> bool:
        masses = np.clip(1 - np.divide(level, losses, out=np.full(len(losses), inf), where=losses > 0), 0, 1)
        return bool((np.maximum(shares * (masses - missed), 0).sum(axis=1) <= 1).all())

    low, high = 0.0, float(losses.max())
    if fits(0.0):
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return low


def grid_packing(n_points: int, n_samples: int, *, distance: int | None = None) -> Packing:
    """The same on a grid: a finite problem with all thresholds of n_points points.

    Parameters
    ----------
    n_points : int
        Number N of points, at least 2; there are N + 1 thresholds.
    distance : int, optional
        How many of them lie around the cut point, from 1 to `n_samples`, which is the default.

    Returns
    -------
    Packing
        One data set for each threshold, and its index as the only answer.  The two constant labellings have
        all `distance` records at one end.  If not all records are around the cut, the others are at the first
        point, labelled False, and the threshold that says True everywhere has no data set.

    Notes
    -----
    **Source.** WLF16-prop-12, on a grid.

    Examples
    --------
    >>> packing = grid_packing(3, 2)
    >>> packing.losses.tolist(), round(packing.excess_risk(1.0), 4)
    ([1.0, 0.5, 0.5, 1.0], 0.2421)
    """
    check.positive_integer(n_points=n_points)
    if n_points < 2:
        raise ValueError(f"n_points must be at least 2, got {n_points!r}")
    distance = checked_distance(distance, n_samples)
    if max(n_points**2, n_samples) > LARGEST_TABLE:
        raise ValueError(
            f"n_points^2 and n_samples must be at most {LARGEST_TABLE}, got {n_points!r} and {n_samples!r}"
        )
    problem = LearningProblem.of_class(Thresholds(np.arange(n_points + 1) - 0.5), np.arange(n_points))
    cuts = np.arange(n_points + 1)
    left = np.where(cuts == n_points, distance, np.where(cuts == 0, 0, distance // 2))
    counts = np.zeros((n_points + 1, 2 * n_points), dtype=np.int64)
    counts[cuts, np.maximum(cuts - 1, 0)] += left
    counts[cuts, n_points + np.minimum(cuts, n_points - 1)] += distance - left
    counts[:, 0] += n_samples - distance
    first = int(distance < n_samples)
    return Packing(problem, counts[first:], np.eye(n_points + 1, dtype=bool)[first:])
