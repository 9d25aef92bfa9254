"""Active learning by disagreement through any classifier, and students of released votes.

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
from privml.guarantee import Guarantee
from privml.pate.aggregation import NO_ANSWER, VoteAggregator
from privml.pate.teachers import check_classifier, indexable, rows
from privml.pate.votes import vote_counts

ORDERS = ("closest", "stream")
QUERIES = ("passive", "active")
"""How the student chooses its queries: at random, or by disagreement."""


class ActiveRun(NamedTuple):
    """What active learning has found: a classifier of class indices, or the only one that it has seen."""

    model: Any
    queried: NDArray[np.int64]  # positions of the points whose labels were asked, in order
    labels: NDArray[np.int64]
    n_fits: int  # trainings in all


class _Oracle:
    """Trainings of one classifier on the labelled points, with and without a point that is forced."""

    def __init__(self, prototype: Any, X: Any) -> None:
        from sklearn.utils.validation import has_fit_parameter

        self.prototype, self.X, self.n_fits = prototype, X, 0
        self.weighted = has_fit_parameter(prototype, "sample_weight")

    def fit(self, chosen: NDArray, labels: NDArray, forced: int | None = None, label: int = 0) -> Any:
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
        return deepcopy(self.prototype).fit(rows(self.X, chosen), labels, **options)

    def says(self, model: Any, points: NDArray) -> NDArray:
        """Class indices that a fitted classifier, or a constant one, gives."""
        if isinstance(model, int):
            return np.full(len(points), model)
        return np.asarray(model.predict(rows(self.X, points)))

    def margins(self, model: Any, points: NDArray) -> NDArray[np.float64]:
        """Distance to the boundary in the classifier's own units; 0 where it tells none."""
        if hasattr(model, "decision_function"):
            return np.abs(model.decision_function(rows(self.X, points)))
        if hasattr(model, "predict_proba"):
            return np.abs(model.predict_proba(rows(self.X, points))[:, -1] - 0.5)
        return np.zeros(len(points))


def _requests(
    oracle: _Oracle, queried: NDArray, labels: NDArray, points: NDArray, options: tuple
) -> Iterator:
    """Points of the region of disagreement among the given ones, lazily, in the order wanted."""
    slack, order, patience, fill = options
    best = oracle.fit(queried, labels)
    own, margins = oracle.says(best, points), oracle.margins(best, points)
    limit = (oracle.says(best, queried) != labels).sum() + slack(len(queried))
    inside, refused = np.zeros(len(points), dtype=bool), []
    for place in np.argsort(margins, kind="stable") if order == "closest" else range(len(points)):
        beyond = sum(margin < margins[place] for margin in refused) >= patience
        if not inside[place] and not beyond:
            witness = oracle.fit(queried, labels, int(points[place]), int(1 - own[place]))
            inside_space = (oracle.says(witness, queried) != labels).sum() <= limit
            contradicted = oracle.says(witness, points) != own
            if inside_space and contradicted[place]:
                inside |= contradicted
            else:
                refused.append(margins[place])
        if inside[place]:
            yield points[place]
    if fill:
        outside = np.flatnonzero(~inside)
        yield from points[outside[np.argsort(margins[outside], kind="stable")]]


def _rounds(n_points: int, n_queries: int, n_rounds: int, order: str, end: int) -> Iterator:
    """Of each round the part of the stream that may be asked, and how many labels there may be at its end."""
    if order == "closest":
        n_rounds = min(n_rounds, n_queries)  # more rounds would ask nothing
        yield from ((slice(None), n_queries * step // n_rounds) for step in range(1, n_rounds + 1))
    else:
        while end < n_points:
            yield slice(end, min(2 * end, n_points)), n_queries
            end *= 2


def root_slack(n_labels: int) -> float:
    """Square root of the number of labels: about a standard deviation of a difference of mistakes."""
    return float(np.sqrt(n_labels))


def prototype(estimator: Any, rng: np.random.Generator) -> Any:
    """An unfitted copy whose own randomness, if it has any, comes from the generator."""
    from sklearn.base import clone

    seeded = "random_state" in estimator.get_params(deep=False)
    return clone(estimator).set_params(random_state=int(rng.integers(2**31))) if seeded else clone(estimator)


def active_learning(
    estimator: Any,
    X: ArrayLike,
    ask: Callable[[NDArray[np.int64]], ArrayLike],
    *,
    n_queries: int,
    slack: Callable[[int], float] = root_slack,
    order: str = "closest",
    n_rounds: int = 8,
    patience: int | None = 20,
    fill: bool = False,
    rng: np.random.Generator | int | None = None,
) -> ActiveRun:
    """Disagreement-based active learning through any classifier.

    **Privacy.** That of `ask`: everything else is post-processing of its answers.
    **Source.** LZCW21-alg-4 without an explicit version space; the reduction to training is that of Dasgupta,
    Hsu and Monteleoni (2007), used by Yan, Chaudhuri and Javidi (2018).

    Parameters
    ----------
    ask : callable
        From positions, an array, to class indices 0 and 1, or a negative number for a refused label.
    order : {"closest", "stream"}
        Ask the points of the region that are closest to the boundary, some in every round; or go through
        the points once, in random order, in blocks that double, and ask all that lie in the region.
    n_rounds : int
        Rounds of "closest"; the first is a random sample.  For "stream", ``n_queries // n_rounds`` points
        are asked before anything is trained.
    patience : int or None
        How many points that could not be turned stop the search farther from the boundary; None tests all.
    fill : bool
        When a round finds too few points in the region, ask those closest to the boundary besides.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> run = active_learning(LogisticRegression(C=1e3), X, lambda i: X[i, 0] > 0.2, n_queries=8, rng=0)
    >>> len(run.queried) <= 8, bool((run.model.predict(X) == (X[:, 0] > 0.2)).mean() > 0.97)
    (True, True)
    """
    rng = np.random.default_rng(rng)
    check.positive_integer(
        n_queries=n_queries, n_rounds=n_rounds, patience=1 if patience is None else patience
    )
    check.one_of(ORDERS, order=order)
    X = indexable(X)
    check_classifier(estimator)
    check.function(ask=ask, slack=slack)
    if X.shape[0] == 0:
        raise ValueError("X must hold at least one point, got none")
    oracle, options = _Oracle(prototype(estimator, rng), X), (slack, order, patience or np.inf, fill)
    stream = rng.permutation(X.shape[0])
    queried = stream[: max(1, n_queries // n_rounds)]
    labels = np.asarray(ask(queried)).astype(np.int64)
    for part, target in _rounds(X.shape[0], n_queries, n_rounds, order, len(queried)):
        points, missing = stream[part][~np.isin(stream[part], queried)], target - len(queried)
        kept = labels >= 0
        if missing > 0 and len(points):
            found = _requests(oracle, queried[kept], labels[kept], points, options) if kept.any() else points
            chosen = np.fromiter(islice(found, missing), dtype=np.int64)
            if len(chosen):
                queried = np.append(queried, chosen)
                labels = np.append(labels, np.asarray(ask(chosen)).astype(np.int64))
    kept = labels >= 0
    model = oracle.fit(queried[kept], labels[kept]) if kept.any() else 0
    return ActiveRun(model, queried, labels, oracle.n_fits)


class Taught(NamedTuple):
    """A student, trained on class indices or the only one it has seen, and what it was told."""

    model: Any
    queried: NDArray[np.int64]  # positions of the points that were asked, in order
    labels: NDArray[np.int64]  # what was released there
    guarantee: Guarantee | None  # of the labels and the student together; None without noise


class _Service:
    """Answers for positions of public points, within the budget of one stream."""

    def __init__(self, votes: NDArray, aggregator: VoteAggregator | None, rng: np.random.Generator) -> None:
        self.counts = vote_counts(votes)
        self.stream = None if aggregator is None else aggregator.stream(rng=rng)

    def __call__(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        counts = self.counts[points]
        if self.stream is None:
            return (counts[:, 1] >= counts[:, 0]).astype(np.int64)
        asked = counts[: self.stream.queries_left]
        answers = self.stream.answer_counts(asked) if len(asked) else np.empty(0, dtype=np.int64)
        return np.concatenate([answers, np.full(len(counts) - len(asked), NO_ANSWER)])


def _budget(n_queries: int | None, n_points: int, aggregator: VoteAggregator | None) -> int:
    """Number of queries: at most the public points, and no more than the aggregator pays for."""
    limit = None if aggregator is None else aggregator.n_queries
    if n_queries is None:
        return min(n_points, limit or n_points)
    check.positive_integer(n_queries=n_queries)
    if limit is not None and limit < n_queries:
        raise ValueError(f"n_queries must be at most the {limit} of the aggregator, got {n_queries!r}")
    return min(n_queries, n_points)


def _passive(estimator: Any, X: Any, ask: _Service, n_queries: int, rng: np.random.Generator) -> ActiveRun:
    queried = rng.permutation(X.shape[0])[:n_queries]
    labels = ask(queried)
    seen = labels[labels >= 0]
    if len(seen) == 0 or (seen == seen[0]).all():
        return ActiveRun(int(seen[0]) if len(seen) else 0, queried, labels, 0)
    return ActiveRun(prototype(estimator, rng).fit(rows(X, queried[labels >= 0]), seen), queried, labels, 1)


def taught_student(
    estimator: Any,
    X: ArrayLike,
    votes: ArrayLike,
    aggregator: VoteAggregator | None,
    *,
    queries: str = "passive",
    n_queries: int | None = None,
    rng: np.random.Generator | int | None = None,
    **options: Any,
) -> Taught:
    """Ask for labels of public points, and train a student on them.

    **Privacy.** The guarantee of the aggregator, for all labels and the student together.
    **Source.** LZCW21-alg-3 (passive), LZCW21-alg-5 (active); any student will do: LZCW21-rem-24.

    Parameters
    ----------
    aggregator : VoteAggregator or None
        Pays for the labels; None releases the exact majority, without any privacy.
    queries : {"passive", "active"}
        Ask random points, or those on which :func:`~privml.pate.active_learning` wants a label.
    **options
        Of :func:`~privml.pate.active_learning`; ``fill=True`` by default, since the budget is paid for.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from privml.pate import GaussianAggregator
    >>> X = np.linspace(-1, 1, 200)[:, None]
    >>> votes = np.repeat(X.T > 0.1, 300, axis=0)
    >>> aggregator = GaussianAggregator(n_queries=50, epsilon=1.0, delta=1e-6)
    >>> found = taught_student(LogisticRegression(), X, votes, aggregator, rng=0)
    >>> len(found.queried), bool((found.model.predict(X) == votes[0]).mean() > 0.9)
    (50, True)
    """
    choices, noise = np.random.default_rng(rng).spawn(2)
    check.one_of(QUERIES, queries=queries)
    X, votes = indexable(X), np.asarray(votes)
    check_classifier(estimator)
    if aggregator is not None:
        check.instance(VoteAggregator, aggregator=aggregator)
    if X.shape[0] == 0 or votes.ndim != 2 or votes.shape[1] != X.shape[0]:
        raise ValueError(f"votes must have a column for each of at least one public point, got {votes.shape}")
    budget = _budget(n_queries, X.shape[0], aggregator)
    ask = _Service(votes.astype(np.uint8, copy=False), aggregator, noise)
    if queries == "passive":
        run = _passive(estimator, X, ask, budget, choices)
    else:
        run = active_learning(estimator, X, ask, n_queries=budget, rng=choices, **({"fill": True} | options))
    return Taught(*run[:3], None if aggregator is None else aggregator.guarantee)


check.doors(__name__)
