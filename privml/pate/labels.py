"""Labels of public points from votes: how many a budget pays for, their release, and the student of them."""

from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from privml import _check as check
from privml.divergences import gaussian_mu
from privml.guarantee import Guarantee
from privml.pate.aggregation import NO_ANSWER, VoteAggregator
from privml.pate.disagreement import ActiveRun, active_learning, seeded_clone
from privml.pate.noisy_votes import vote_sigma
from privml.pate.sparse_vector import winners
from privml.pate.teachers import (
    check_classifier,
    clean_features,
    has_missing_values,
    indexable,
    missing_value_for,
    take_rows,
    trained,
)
from privml.pate.votes import vote_counts

QUERIES = (
    "passive",
    "active",
)  # how the student chooses its queries: at random, or by disagreement
MOST_TEACHERS = 2**53  # beyond which a float is no count


def readable_teachers(sigma: float, misread: float = 0.05) -> int:
    r"""Least number of teachers whose unanimous vote is misread with at most a given probability.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise in votes, positive.
    misread : float
        Chance that all teachers are misread, in (0, 1/2).

    Returns
    -------
    int
        Least K with :math:`\Phi(-K / (2 \sigma)) \le` `misread`, for noise of sigma votes.  For C classes and
        noise of :math:`\sqrt 2 \sigma` on each count, take ``misread / (C - 1)``.

    Raises
    ------
    ValueError
        If more than 2^53 teachers are needed.

    References
    ----------
    Ours, for the labels of LZCW21-alg-1.

    Examples
    --------
    >>> readable_teachers(72.3)
    238
    """
    check.positive(sigma=sigma)
    teachers = sigma * _reach(misread)
    if teachers > MOST_TEACHERS:
        raise ValueError(
            f"sigma must leave at most {MOST_TEACHERS} teachers, but got {sigma!r}."
        )
    return max(1, ceil(teachers - 1e-9))


def _reach(misread: float) -> float:
    """Standard deviations of the noise on one count, as many as a unanimous vote must have teachers."""
    check.probability_open(misread=misread)
    if misread >= 0.5:
        raise ValueError(f"misread must be below 1/2, but got {misread!r}.")
    return -2 * float(ndtri(misread))


def affordable_labels(
    n_teachers: int, epsilon: float, delta: float, *, misread: float = 0.05
) -> int:
    r"""Most labels that a budget pays for, if a unanimous vote is to be misread with at most a probability.

    Parameters
    ----------
    n_teachers : int
        Number of teachers K, a positive integer.
    epsilon : float
        Privacy parameter in nats of all labels together, positive.
    delta : float
        Additive slack, in (0, 1).
    misread : float
        Probability, in (0, 1/2), that a vote of all teachers is misread.

    Returns
    -------
    int
        Largest l with :math:`\Phi(-K / (2 \sigma_l)) \le` `misread`, :func:`vote_sigma`; or 0.  For C classes,
        a :class:`NoisyMaxAggregator`, take ``misread / (C - 1)``, by a union bound.

    References
    ----------
    Inverse of :func:`readable_teachers` for LZCW21-alg-1.

    Examples
    --------
    >>> affordable_labels(250, 1.0, 1e-6)
    323
    """
    check.standard_ranges(n_teachers=n_teachers, epsilon=epsilon, delta=delta)
    most = int(
        min((n_teachers / _reach(misread) * gaussian_mu(epsilon, delta)) ** 2, 2.0**53)
    )
    fits = (
        most
        and readable_teachers(vote_sigma(most, epsilon, delta), misread) <= n_teachers
    )
    return most if fits else max(0, most - 1)


class Taught(NamedTuple):
    """A student, and what it has learned from.

    Parameters
    ----------
    model : object
        A classifier of class indices, or the only index that it has seen.
    queried, labels : ndarray
        Positions of the points that were asked, in order; what was released there.
    guarantee : Guarantee, optional
        Promise of labels and student together; None without noise.
    """

    model: Any
    queried: NDArray[np.int64]
    labels: NDArray[np.int64]
    guarantee: Guarantee | None


class _Labels:
    """Answers for positions of public points, within the budget of one stream."""

    def __init__(
        self,
        counts: NDArray,
        aggregator: VoteAggregator | None,
        rng: np.random.Generator,
    ) -> None:
        self.counts = counts
        self.stream = None if aggregator is None else aggregator.stream(rng=rng)

    def __call__(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        counts = self.counts[points]
        if self.stream is None:
            return winners(counts)
        asked = counts[: self.stream.queries_left]
        answers = (
            self.stream.answer_counts(asked)
            if len(asked)
            else np.empty(0, dtype=np.int64)
        )
        return np.concatenate([answers, np.full(len(counts) - len(asked), NO_ANSWER)])


def checked_n_classes(
    n_classes: int | None, aggregator: VoteAggregator | None, queries: str
) -> int:
    """Number of classes that votes, aggregator and student share; two of them for active queries."""
    check.one_of(QUERIES, queries=queries)
    if aggregator is not None:
        check.instance(VoteAggregator, aggregator=aggregator)
        n_classes = aggregator.n_classes if n_classes is None else n_classes
        if aggregator.n_classes != n_classes:
            raise ValueError(
                f"aggregator must be for {n_classes} classes, but got one with n_classes={aggregator.n_classes}."
            )
    n_classes = 2 if n_classes is None else n_classes
    if queries == "active" and n_classes != 2:
        raise ValueError(
            "queries must be 'passive' for more than two classes, since the region of disagreement is defined for "
            f"two labels, but got 'active' with n_classes={n_classes!r}."
        )
    return n_classes


def _budget(
    n_queries: int | None, n_points: int, aggregator: VoteAggregator | None
) -> int:
    """Number of queries: at most the public points, and no more than the aggregator pays for."""
    limit = None if aggregator is None else aggregator.n_queries
    if n_queries is None:
        return min(n_points, limit or n_points)
    check.positive_integer(n_queries=n_queries)
    if limit is not None and limit < n_queries:
        raise ValueError(
            f"n_queries must be at most the {limit} of the aggregator, but got {n_queries!r}."
        )
    return min(n_queries, n_points)


def _passive(
    estimator: Any, X: Any, ask: _Labels, n_queries: int, rng: np.random.Generator
) -> ActiveRun:
    queried = rng.permutation(X.shape[0])[:n_queries]
    labels = ask(queried)
    seen = labels[labels >= 0]
    if len(seen) == 0 or (seen == seen[0]).all():
        return ActiveRun(int(seen[0]) if len(seen) else 0, queried, labels, 0)
    student = seeded_clone(estimator, rng)
    model = trained(student, take_rows(X, queried[labels >= 0]), seen)
    return ActiveRun(model, queried, labels, 1)


def taught_student(
    estimator: Any,
    X: ArrayLike,
    votes: ArrayLike,
    aggregator: VoteAggregator | None,
    *,
    queries: str = "passive",
    n_queries: int | None = None,
    n_classes: int | None = None,
    rng: np.random.Generator | int | None = None,
    **options: Any,
) -> Taught:
    """Ask for labels of public points, and train a student on them.

    Parameters
    ----------
    estimator : classifier
        Here any object with fit and predict, copied; it is given class indices as labels, perhaps not all of them.
    X : array_like or sparse matrix
        Here public points, of shape (n_points, n_features); a gap is 0 unless `estimator` takes it.
    votes : array_like
        Class indices of shape (n_teachers, n_points), private.
    aggregator : VoteAggregator, optional
        Pays for the labels; None releases the exact majority, without any privacy.
    queries : str
        One of "passive" (random points) and, for two classes, "active" (:func:`~privml.pate.active_learning`).
    n_queries : int, optional
        Number of labels asked, a positive integer; None takes what points and aggregator allow.
    n_classes : int, optional
        Number of classes, a positive integer from 2 to 256; None takes that of the aggregator, or 2.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
    **options : object
        Of :func:`~privml.pate.active_learning`; ``fill=True`` by default, since the budget is paid for.

    Raises
    ------
    ValueError
        If `votes` have not a column for each point, `n_queries` is beyond the budget, the aggregator is for
        another number of classes, or queries are active for more than two.

    Notes
    -----
    *Privacy.* The guarantee is that of the aggregator, for all labels and the student together.

    References
    ----------
    LZCW21-alg-3 (passive), LZCW21-alg-5 (active); any student will do: LZCW21-rem-24.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from privml.pate import GaussianAggregator
    >>> X = np.linspace(-1, 1, 200)[:, None]
    >>> votes = np.repeat(X.T > 0.1, 300, axis=0)
    >>> aggregator = GaussianAggregator(n_queries=50, epsilon=1.0, delta=1e-6)
    >>> taught = taught_student(LogisticRegression(), X, votes, aggregator, rng=0)
    >>> len(taught.queried), bool((taught.model.predict(X) == votes[0]).mean() > 0.9)
    (50, True)
    """
    choices, noise = np.random.default_rng(rng).spawn(2)
    n_classes = checked_n_classes(n_classes, aggregator, queries)
    X, votes = indexable(X), np.asarray(votes)
    check_classifier(estimator)
    if X.shape[0] == 0 or votes.ndim != 2 or votes.shape[1] != X.shape[0]:
        raise ValueError(
            f"votes must have a column for each of at least one public point, but got {votes.shape}."
        )
    X = (
        clean_features(X, missing_value_for(estimator, X, n_classes))
        if has_missing_values(X)
        else X
    )
    budget = _budget(n_queries, X.shape[0], aggregator)
    ask = _Labels(vote_counts(votes, n_classes), aggregator, noise)
    if queries == "passive":
        run = _passive(estimator, X, ask, budget, choices)
    else:
        run = active_learning(
            estimator,
            X,
            ask,
            n_queries=budget,
            rng=choices,
            **({"fill": True} | options),
        )
    return Taught(*run[:3], None if aggregator is None else aggregator.guarantee)


check.wrap_module(__name__)
