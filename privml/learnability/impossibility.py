r"""Packings: many data sets close to each other, each of which wants answers that the others cannot use.

Data sets :math:`z_1, \dots, z_K`, every two at most d replacements apart, have disjoint sets of answers, and
any other answer has excess empirical risk at least r.  Group privacy carries a share of
:math:`e^{-d \varepsilon}` of the probability of one set over to every other data set, where all shares
together are at most 1.
"""

from dataclasses import dataclass
from math import ceil, exp, inf, log

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.guarantee import Guarantee
from privml.hypotheses import Thresholds
from privml.learnability.problem import LearningProblem

LARGEST_PACKING = 1 << 24  # most entries of a table that is put together


def _checked(n_datasets: float, epsilon: float, delta: float) -> None:
    """Raise unless data sets are a positive number or infinitely many, and the privacy is one."""
    if n_datasets != inf:
        check.positive_integer(n_datasets=n_datasets)
    check.positive(epsilon=epsilon)
    Guarantee(epsilon, delta)


def _missed(distance: int, epsilon: float, delta: float) -> float:
    """The delta of so many replacements."""
    return Guarantee(epsilon, delta).for_group(int(distance)).delta if distance else 0.0


def failing_share(
    n_datasets: float, distance: int, epsilon: float, delta: float
) -> float:
    """Least average probability of an answer outside of its own set, over the data sets of a packing."""
    if n_datasets == 1:
        return 0.0
    lead = inf if n_datasets == inf else log(n_datasets - 1) - distance * epsilon
    share = 1 / (1 + exp(-lead)) if lead > -700 else exp(lead)
    return share * (1 - _missed(distance, epsilon, delta))


def packing_excess_risk(
    n_datasets: float,
    distance: int,
    epsilon: float,
    *,
    delta: float = 0.0,
    loss: float = 0.5,
) -> float:
    """Worst expected excess risk that no private learner avoids on a packing.

    Parameters
    ----------
    n_datasets : int or inf
        Number K of data sets, a positive integer; inf is as many as one likes.
    distance : int
        Largest number d of records in which two differ, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in [0, 1).
    loss : float
        Least excess r outside of a data set's own answers, positive, at most 1.

    Returns
    -------
    float
        ``r (K - 1)(1 - delta_d) / (e^(d epsilon) + K - 1)``.

    Notes
    -----
    *Privacy.* The bound is for (epsilon, delta)-differential privacy under ``REPLACE_ONE``. Nothing larger follows from the factors
    between the K data sets alone, which randomised response among the K answers attains.

    References
    ----------
    WLF16-prop-12 and WLF16-prop-33, whose constants are too large: both take 1 for the loss.

    Examples
    --------
    >>> [round(packing_excess_risk(K, 4, 0.5), 6) for K in (3, 5, 8)]
    [0.106507, 0.175607, 0.24324]
    >>> packing_excess_risk(float("inf"), 1000, 1.0)
    0.5
    """
    _checked(n_datasets, epsilon, delta)
    check.positive_integer(distance=distance)
    check.positive(loss=loss)
    check.unit_interval(loss=loss)
    return loss * failing_share(n_datasets, distance, epsilon, delta)


def _largest_useful_distance(n_datasets: float, epsilon: float, delta: float) -> float:
    """A distance beyond which more records around the cut only weaken the bound."""
    if n_datasets == inf and delta == 0:
        return inf
    loss = log(n_datasets) if n_datasets != inf else inf
    return 2 * ceil((min(loss, -log(delta) if delta else inf) + 40) / epsilon + 2)


def thresholds_excess_risk(
    n_thresholds: float, n_samples: int, epsilon: float, *, delta: float = 0.0
) -> float:
    """Worst expected excess empirical risk that no private learner of thresholds avoids.

    Parameters
    ----------
    n_thresholds : int or inf
        Number K of disjoint intervals that there is room for, a positive integer; inf is all of [0, 1].
    n_samples : int
        Number of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in [0, 1).

    Returns
    -------
    float
        Largest ``packing_excess_risk(K, d, epsilon, delta=delta, loss=d / (2 n))``, over even d.

    Notes
    -----
    *Privacy.* The bound is for (epsilon, delta)-differential privacy under ``REPLACE_ONE``.

    References
    ----------
    WLF16-prop-12 and WLF16-prop-33, with d free: d = n_samples is the sources' choice, and with smaller d
    the bound falls like ``ln K / (epsilon n)`` and not exponentially in n.

    Examples
    --------
    >>> thresholds_excess_risk(float("inf"), 1000, 1.0)
    0.5
    >>> round(thresholds_excess_risk(2**20, 1000, 1.0), 5)
    0.00519
    """
    _checked(n_thresholds, epsilon, delta)
    check.positive_integer(n_samples=n_samples)
    largest = _largest_useful_distance(n_thresholds, epsilon, delta)
    if largest == inf:
        return n_samples // 2 / n_samples
    distances = range(2, int(min(n_samples, largest)) + 1, 2)
    gains = (
        d / 2 * failing_share(n_thresholds, d, epsilon, delta) / n_samples
        for d in distances
    )
    return max(gains, default=0.0)


@dataclass(frozen=True, eq=False)
class Packing:
    """Data sets of one finite problem with disjoint sets of answers, and what they prove.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.
    counts : array_like
        Here data sets of one size, integers of shape (n_datasets, n_records).
    answers : array_like
        Which hypotheses belong to each, bools of shape (n_datasets, n_hypotheses); none belongs to two.

    Raises
    ------
    ValueError
        If data sets differ in size, or answers in shape, or a hypothesis belongs to two.

    References
    ----------
    WLF16-prop-12: its intervals and data sets, for any problem.

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
        if answers.shape != (shape := (len(counts), self.problem.n_hypotheses)):
            raise ValueError(
                f"answers must have shape {shape}, but got {answers.shape}."
            )
        if len(set(counts.sum(axis=1).tolist())) != 1:
            raise ValueError(
                f"counts must be data sets of one size, but got {counts.sum(axis=1).tolist()}."
            )
        if answers.sum(axis=0).max() > 1:
            raise ValueError(
                f"answers must be disjoint, but got hypothesis {answers.sum(axis=0).argmax()} twice."
            )
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "answers", answers)

    @property
    def distances(self) -> NDArray[np.int64]:
        """Replacements between every two data sets, of shape (n_datasets, n_datasets)."""
        return np.abs(self.counts[:, None] - self.counts).sum(axis=-1) // 2

    @property
    def losses(self) -> NDArray[np.float64]:
        """Least excess empirical risk outside of the answers, or infinite, of shape (n_datasets,)."""
        return np.where(
            self.answers, inf, self.problem.excess_empirical_risk(self.counts)
        ).min(axis=1)

    def excess_risk(self, epsilon: float, *, delta: float = 0.0) -> float:
        """Worst expected excess empirical risk that no private learner avoids on these data sets.

        Every two keep their own distance, and each its own loss, so it is at least what the formula gives.

        References
        ----------
        WLF16-prop-12 and WLF16-prop-33, for (epsilon, delta)-DP under ``REPLACE_ONE``.
        """
        _checked(1, epsilon, delta)
        distances = self.distances
        steps, where = np.unique(distances, return_inverse=True)
        missed = np.array([_missed(d, epsilon, delta) for d in steps])
        missed = missed[where.reshape(distances.shape)]
        losses = np.where(np.isfinite(self.losses), self.losses, 0.0)
        return _smallest_level(np.exp(-epsilon * distances), missed, losses)


def _smallest_level(shares: NDArray, missed: NDArray, losses: NDArray) -> float:
    """The least t for which masses p with ``losses (1 - p) <= t`` exist whose shares fit on each data set.

    Shares ``e^(-d epsilon) (p - delta_d)``, where positive, sum to at most 1.  They increase in p, so the
    least p = 1 - t / losses decides, and bisection over t finds where.
    """

    def fits(level: float) -> bool:
        with np.errstate(divide="ignore", invalid="ignore"):
            masses = np.where(losses > level, 1 - level / losses, 0.0)
        return bool((np.maximum(shares * (masses - missed), 0).sum(axis=1) <= 1).all())

    low, high = 0.0, float(losses.max())
    if fits(0.0):
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return low


def grid_packing(
    n_points: int, n_samples: int, *, distance: int | None = None
) -> Packing:
    """The packing of a grid: a finite problem with all thresholds of n_points points.

    The cut of a constant labelling is at one end.  Records that are not around a cut are at the first point,
    labelled False, and if there are some, the threshold "True everywhere" has no data set.

    Parameters
    ----------
    n_points : int
        Number of points, a positive integer, at least 2.
    n_samples : int
        Number of records, a positive integer.
    distance : int, optional
        Number of records around a cut, a positive integer up to `n_samples`; None is all.

    Returns
    -------
    Packing
        One data set for each threshold, with its index as the only answer.

    Raises
    ------
    ValueError
        If ``n_points^2`` or `n_samples` is above 2^24.

    References
    ----------
    WLF16-prop-12, on a grid.

    Examples
    --------
    >>> packing = grid_packing(3, 2)
    >>> packing.losses.tolist(), round(packing.excess_risk(1.0), 4)
    ([1.0, 0.5, 0.5, 1.0], 0.2421)
    """
    check.positive_integer(n_points=n_points)
    if n_points < 2:
        raise ValueError(f"n_points must be at least 2, but got {n_points!r}.")
    distance = n_samples if distance is None else distance
    check.positive_integer(n_samples=n_samples, distance=distance)
    if distance > n_samples:
        raise ValueError(
            f"distance must be at most n_samples = {n_samples}, but got {distance!r}."
        )
    if max(n_points**2, n_samples) > LARGEST_PACKING:
        sizes = f"{n_points} and {n_samples}"
        raise ValueError(
            f"n_points^2 and n_samples must be at most {LARGEST_PACKING}, but got {sizes}."
        )
    problem = LearningProblem.of_class(
        Thresholds(np.arange(n_points + 1) - 0.5), np.arange(n_points)
    )
    cuts = np.arange(n_points + 1)
    left = np.where(cuts == n_points, distance, np.where(cuts == 0, 0, distance // 2))
    counts = np.zeros((n_points + 1, 2 * n_points), dtype=np.int64)
    counts[cuts, np.maximum(cuts - 1, 0)] += left
    counts[cuts, n_points + np.minimum(cuts, n_points - 1)] += distance - left
    counts[:, 0] += n_samples - distance
    first = int(distance < n_samples)
    return Packing(problem, counts[first:], np.eye(n_points + 1, dtype=bool)[first:])


check.wrap_module(__name__)
