"""Active learning by disagreement through any classifier.

A point lies in the region of disagreement of ``{h : mistakes(h) <= least + slack}`` if the best classifier
that says the opposite there, its *witness*, makes at most `slack` mistakes more than the best one of all.
Both come from training, the former with one point more, of the opposite label and a weight that outweighs
all others: exact for a learner that minimises its mistakes, a heuristic for others.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.pate.teachers import (
    check_classifier,
    class_indices,
    indexable,
    take_rows,
    trained,
    unfitted_copy,
)

ORDERS = (
    "closest",
    "stream",
)  # of the points of a round: by distance from the boundary, or as they come


class ActiveRun(NamedTuple):
    """The result of active learning.

    Parameters
    ----------
    model : object
        A classifier of class indices, or the only index that it has seen.
    queried, labels : ndarray
        Positions of the points whose labels were asked, in order; the answers.
    n_fits : int
        Number of trainings in all, a non-negative integer.
    """

    model: Any
    queried: NDArray[np.int64]
    labels: NDArray[np.int64]
    n_fits: int


class _Trainings:
    """Trainings of one classifier on the labelled points, with and without a point that is forced."""

    def __init__(self, prototype: Any, X: object) -> None:
        from sklearn.utils.validation import has_fit_parameter

        self.prototype, self.X, self.n_fits = prototype, X, 0
        self.weighted = has_fit_parameter(prototype, "sample_weight")

    def fit(
        self,
        chosen: NDArray,
        labels: NDArray,
        forced: int | None = None,
        label: int = 0,
    ) -> Any:
        self.n_fits += 1
        if (labels == labels[0]).all() and (forced is None or label == labels[0]):
            return int(labels[0])
        weights = np.ones(len(chosen))
        if forced is not None:
            copies = 1 if self.weighted else len(chosen) + 1
            chosen = np.append(chosen, np.repeat(forced, copies))
            labels = np.append(labels, np.repeat(label, copies))
            weights = np.append(weights, np.full(copies, weights.size + 1.0))
        options = {"sample_weight": weights} if self.weighted else {}
        return trained(
            deepcopy(self.prototype), take_rows(self.X, chosen), labels, **options
        )

    def labels(self, model: Any, points: NDArray) -> NDArray:
        """Class indices that a fitted classifier, or a constant one, gives."""
        if isinstance(model, int):
            return np.full(len(points), model)
        return class_indices(model.predict(take_rows(self.X, points)), len(points), 2)

    def margins(self, model: object, points: NDArray) -> NDArray[np.float64]:
        """Distance to the boundary in the classifier's own units; 0 where it tells none."""
        if hasattr(model, "decision_function"):
            return np.abs(model.decision_function(take_rows(self.X, points)))
        if hasattr(model, "predict_proba"):
            return np.abs(model.predict_proba(take_rows(self.X, points))[:, -1] - 0.5)
        return np.zeros(len(points))


def request_labels(
    trainings: _Trainings,
    queried: NDArray,
    labels: NDArray,
    points: NDArray,
    options: tuple,
) -> Iterator:
    """Points of the region of disagreement among the given ones, lazily, in the given order."""
    kept = labels >= 0
    if not kept.any():
        yield from points
        return
    (slack, order, patience, fill), queried, labels = (
        options,
        queried[kept],
        labels[kept],
    )
    best = trainings.fit(queried, labels)
    best_labels, margins = (
        trainings.labels(best, points),
        trainings.margins(best, points),
    )
    most_mistakes = (trainings.labels(best, queried) != labels).sum() + slack(
        len(queried)
    )
    refused: list[float] = []
    inside = np.zeros(len(points), dtype=bool)
    for place in (
        np.argsort(margins, kind="stable") if order == "closest" else range(len(points))
    ):
        out_of_patience = sum(margin < margins[place] for margin in refused) >= patience
        if not inside[place] and not out_of_patience:
            witness = trainings.fit(
                queried, labels, int(points[place]), int(1 - best_labels[place])
            )
            inside_space = (
                trainings.labels(witness, queried) != labels
            ).sum() <= most_mistakes
            contradicted = trainings.labels(witness, points) != best_labels
            if inside_space and contradicted[place]:
                inside |= contradicted
            else:
                refused.append(margins[place])
        if inside[place]:
            yield points[place]
    if fill:
        outside = np.flatnonzero(~inside)
        yield from points[outside[np.argsort(margins[outside], kind="stable")]]


def _rounds(
    n_points: int, n_queries: int, n_rounds: int, order: str, end: int
) -> Iterator:
    """Of each round the part of the stream that may be asked, and how many labels there may be at its end."""
    if order == "closest":
        n_rounds = min(n_rounds, n_queries)  # more rounds would ask nothing
        yield from (
            (slice(None), n_queries * step // n_rounds)
            for step in range(1, n_rounds + 1)
        )
    else:
        while end < n_points:
            yield slice(end, min(2 * end, n_points)), n_queries
            end *= 2


def square_root_slack(n_labels: int) -> float:
    """Square root of the number of labels: about a standard deviation of a difference of mistakes."""
    return float(np.sqrt(n_labels))


def seeded_clone(estimator: Any, rng: np.random.Generator) -> Any:
    """An unfitted copy whose own randomness, if it has any, comes from the generator."""
    copy = unfitted_copy(estimator)
    if hasattr(copy, "get_params") and "random_state" in copy.get_params(deep=False):
        copy.set_params(random_state=int(rng.integers(2**31)))
    return copy


def active_learning(
    estimator: Any,
    X: ArrayLike,
    ask: Callable[[NDArray[np.int64]], ArrayLike],
    *,
    n_queries: int,
    slack: Callable[[int], float] = square_root_slack,
    order: str = "closest",
    n_rounds: int = 8,
    patience: int | None = 20,
    fill: bool = False,
    rng: np.random.Generator | int | None = None,
) -> ActiveRun:
    """Disagreement-based active learning through any classifier.

    "closest" asks the points of the region that are closest to the boundary, some in every round; "stream"
    goes through the points once, in random order, in blocks that double, and asks all that lie in the region.

    Parameters
    ----------
    estimator : classifier
        Here any object with fit and predict, copied; it is given class indices as labels.
    X : array_like or sparse matrix
        Here public points, of shape (n_points, n_features).
    ask : callable
        From positions, an array, to class indices 0 and 1, or a negative number for a refused label.
    n_queries : int
        Number of labels that may be asked, a positive integer.
    slack : callable
        From labels so far to the mistakes that a survivor may have in excess.
    order : str
        One of "closest" and "stream", as above.
    n_rounds : int
        Number of rounds, a positive integer; ``n_queries // n_rounds`` points come first, at random.
    patience : int, optional
        How many points that could not be turned stop the search, a positive integer; None tests all.
    fill : bool
        Whether to ask points close to the boundary when a round finds too few in the region.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Raises
    ------
    ValueError
        If there is no point.

    Notes
    -----
    *Privacy.* The guarantee is that of `ask`: everything else is post-processing of its answers.

    References
    ----------
    LZCW21-alg-4 without an explicit version space; the reduction to training is that of Dasgupta, Hsu and
    Monteleoni (2007), used by Yan, Chaudhuri and Javidi (2018).

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> run = active_learning(LogisticRegression(C=1e3), X, lambda i: X[i, 0] > 0.2, n_queries=8, rng=0)
    >>> len(run.queried) <= 8, bool((run.model.predict(X) == (X[:, 0] > 0.2)).mean() > 0.97)
    (True, True)
    """
    rng = np.random.default_rng(rng)
    check.positive_integer(n_queries=n_queries, n_rounds=n_rounds)
    check.positive_integer(patience=1 if patience is None else patience)
    check.one_of(ORDERS, order=order)
    X = indexable(X)
    check_classifier(estimator)
    check.function(ask=ask, slack=slack)
    if X.shape[0] == 0:
        raise ValueError("X must hold at least one point, but got none.")
    trainings, options = (
        _Trainings(seeded_clone(estimator, rng), X),
        (slack, order, patience or np.inf, fill),
    )
    stream = rng.permutation(X.shape[0])
    queried = stream[: max(1, n_queries // n_rounds)]
    labels = np.asarray(ask(queried)).astype(np.int64)
    for part, target in _rounds(X.shape[0], n_queries, n_rounds, order, len(queried)):
        points, missing = (
            stream[part][~np.isin(stream[part], queried)],
            target - len(queried),
        )
        if missing > 0 and len(points):
            ahead = islice(
                request_labels(trainings, queried, labels, points, options), missing
            )
            chosen = np.fromiter(ahead, dtype=np.int64)
            if len(chosen):
                queried = np.append(queried, chosen)
                labels = np.append(labels, np.asarray(ask(chosen)).astype(np.int64))
    kept = labels >= 0
    model = trainings.fit(queried[kept], labels[kept]) if kept.any() else 0
    return ActiveRun(model, queried, labels, trainings.n_fits)


check.wrap_module(__name__)
