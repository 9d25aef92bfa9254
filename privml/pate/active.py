"""Active learning by disagreement, exactly: version spaces and regions of finite classes.

A table of predictions has one row a hypothesis and one column a point; labels are asked through a callback.
Without a table, :func:`~privml.pate.active_learning` works through any classifier.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check


def disagreement_region(predictions: ArrayLike) -> NDArray[np.bool_]:
    """Which points two hypotheses label differently.

    Parameters
    ----------
    predictions : array_like
        Bools of shape (n_hypotheses, n_points).

    Returns
    -------
    ndarray
        Bools of shape (n_points,): true where they differ.

    References
    ----------
    LZCW21-def-7.

    Examples
    --------
    >>> disagreement_region([[False, True, True], [False, False, True]]).tolist()
    [False, True, False]
    """
    predictions = check.bool_matrix(predictions=predictions)
    return np.asarray(predictions.any(axis=0) & ~predictions.all(axis=0))


def _law(weights: ArrayLike | None, n_points: int) -> NDArray[np.float64]:
    if weights is None:
        return np.full(n_points, 1 / n_points)
    if (shape := check.finite_vector(weights=weights).shape) != (n_points,):
        raise ValueError(
            f"weights must be probabilities of {n_points} points, but got shape {shape}."
        )
    return check.distributions(weights=weights)


def disagreement_radii(
    predictions: ArrayLike, centre: int, weights: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Least distance to the centre among the hypotheses that differ from it, at each point.

    The region of the ball of radius r is where the result is at most r.

    Parameters
    ----------
    predictions : array_like
        Bools of shape (n_hypotheses, n_points).
    centre : int
        Index of the hypothesis in the middle, a non-negative integer.
    weights : array_like, optional
        Probabilities of the points, of shape (n_points,); None is the uniform law.

    Returns
    -------
    ndarray
        Of shape (n_points,): infinity where no hypothesis differs from the centre.

    Raises
    ------
    ValueError
        If `centre` is none of the hypotheses.

    References
    ----------
    LZCW21-def-disagreement-coefficient, for all radii at once.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> disagreement_radii(Thresholds([1, 2, 3, 4, 5]).predict([1, 2, 3, 4]), 2).tolist()
    [0.5, 0.25, 0.25, 0.5]
    """
    inside, predictions = disagreement_region(predictions), np.asarray(predictions)
    check.non_negative_integer(centre=centre)
    if centre >= len(predictions):
        raise ValueError(
            f"centre must be below {len(predictions)}, but got {centre!r}."
        )
    differs = predictions != predictions[centre]
    distances = differs @ _law(weights, predictions.shape[1])
    order = np.argsort(distances, kind="stable")
    return np.where(inside, distances[order][np.argmax(differs[order], axis=0)], np.inf)


def disagreement_coefficient(
    predictions: ArrayLike,
    centre: int,
    weights: ArrayLike | None = None,
    *,
    radius: float = 0.0,
) -> float:
    """Largest ratio of the probability of a ball's region of disagreement to its radius, and at least 1.

    The probability of the region is constant between distances of hypotheses to the centre, so the supremum
    is a maximum over these, or the limit at `radius` itself.

    Parameters
    ----------
    predictions : array_like
        Bools of shape (n_hypotheses, n_points).
    centre : int
        Index of the hypothesis in the middle, a non-negative integer.
    weights : array_like, optional
        Probabilities of the points, of shape (n_points,); None is the uniform law.
    radius : float
        Here the least radius of a ball, non-negative; 0 takes all.

    References
    ----------
    LZCW21-def-disagreement-coefficient; Hanneke (2014).

    Examples
    --------
    >>> round(disagreement_coefficient(np.eye(50, dtype=bool), 0), 9)
    25.0
    """
    check.non_negative(radius=radius)
    radii = disagreement_radii(predictions, centre, weights)
    counted = np.isfinite(radii) & (radii > 0)
    radii, weights = (
        np.maximum(radii[counted], radius),
        _law(weights, len(radii))[counted],
    )
    order = np.argsort(radii, kind="stable")
    return float(max(1.0, (np.cumsum(weights[order]) / radii[order]).max(initial=1.0)))


class Stage(NamedTuple):
    """State of disagreement-based active learning after an update.

    Parameters
    ----------
    n_seen, n_queried, n_survivors : int
        Numbers of points seen, labels asked and hypotheses left, non-negative integers.
    region : float
        Share of the stream in DIS(V).
    """

    n_seen: int
    n_queried: int
    n_survivors: int
    region: float


class VersionSpaceRun(NamedTuple):
    """What disagreement-based active learning has found.

    Parameters
    ----------
    index : int
        First survivor with fewest mistakes at the last update: the output.
    survivors : ndarray
        The version space, bools of shape (n_hypotheses,).
    queried, labels : ndarray
        Positions of the points whose labels were asked, in order; the answers.
    n_seen, stages : int, tuple
        Number of points seen, a non-negative integer; states after each update.
    """

    index: int  # type: ignore[assignment]  # not the method of a tuple
    survivors: NDArray[np.bool_]
    queried: NDArray[np.int64]
    labels: NDArray[np.bool_]
    n_seen: int
    stages: tuple[Stage, ...]


def version_space_learning(
    predictions: ArrayLike,
    ask: Callable[[int], bool],
    *,
    n_queries: int | None = None,
    slack: Callable[[int], float] = lambda n_seen: 0.0,
) -> VersionSpaceRun:
    """Disagreement-based active learning with an explicit version space, updated at powers of two.

    Labels asked after the last power of two before the budget ends have no influence on the output.

    Parameters
    ----------
    predictions : array_like
        Bools of shape (n_hypotheses, n_points).
    ask : callable
        From the position of a point to its label.
    n_queries : int, optional
        Number of labels that may be asked, a positive integer; None is no limit.
    slack : callable
        From points seen to the mistakes that a survivor may have in excess; by default 0.

    References
    ----------
    LZCW21-alg-4; Hanneke (2014).

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> stream = np.random.default_rng(0).uniform(size=1024)
    >>> table = Thresholds(np.arange(101) / 100).predict(stream)
    >>> run = version_space_learning(table, lambda j: stream[j] >= 0.37)
    >>> run.index, len(run.queried)
    (37, 24)
    """
    region, table = disagreement_region(predictions), np.asarray(predictions)
    check.function(ask=ask, slack=slack)
    budget = table.shape[1] if n_queries is None else n_queries
    check.positive_integer(n_queries=budget)
    alive, mistakes = (
        np.ones(len(table), dtype=bool),
        np.zeros(len(table), dtype=np.int64),
    )
    index, queried, labels = 0, [], []
    stages = [Stage(0, 0, len(table), float(region.mean()))]
    for n_seen in range(1, table.shape[1] + 1):
        if region[n_seen - 1]:
            queried.append(n_seen - 1)
            labels.append(bool(ask(n_seen - 1)))
            mistakes += table[:, n_seen - 1] != labels[-1]
        if n_seen & (n_seen - 1) == 0:
            least = mistakes[alive].min()
            alive &= mistakes - least <= slack(n_seen)
            index = int(np.flatnonzero(alive & (mistakes == least))[0])
            region = disagreement_region(table[alive])
            stages.append(
                Stage(n_seen, len(queried), int(alive.sum()), float(region.mean()))
            )
        if len(queried) >= budget:
            break
    answers = np.array(queried, dtype=np.int64), np.array(labels, dtype=bool)
    return VersionSpaceRun(index, alive, *answers, n_seen, tuple(stages))


check.wrap_module(__name__)
