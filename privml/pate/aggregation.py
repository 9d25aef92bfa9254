"""Aggregators: from the votes of the teachers to labels that may be published.

The budget is fixed when an aggregator is made, and spent by ``answer``, a block of queries, or by ``stream``,
whose next points may depend on the labels so far; with one seed both give one set of labels.  What is beyond
the budget is refused before any draw.
"""

from abc import abstractmethod
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._once import Once
from privml.adjacency import Adjacency
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.mechanisms.base import ApproximateMechanism
from privml.pate.votes import vote_counts

CALIBRATIONS = ("exact", "source")
LARGEST_DISTRIBUTION = 100_000  # sequences of labels of an exact law
NO_ANSWER = -1  # stands in an array of labels where none was released


def checked_counts(counts: ArrayLike, n_classes: int) -> NDArray[np.int64]:
    """Counts of votes as an array of shape (n_points, n_classes), or an error."""
    counts = np.atleast_2d(counts)
    right = (
        counts.ndim == 2 and counts.shape[1] == n_classes and counts.dtype.kind in "iu"
    )
    if not right or (
        counts.size and (counts.min() < 0 or np.ptp(counts.sum(axis=1)) > 0)
    ):
        rule = f"non-negative integers of shape (n_points, {n_classes}) with equal sums"
        raise ValueError(
            f"counts must be {rule}, but got {counts.dtype} of shape {counts.shape}."
        )
    return counts.astype(np.int64, copy=False)


class Answers(NamedTuple):
    """What an aggregator released for a block of points.

    Parameters
    ----------
    labels : ndarray
        Class indices of shape (n_points,), ``NO_ANSWER`` where there is none.
    n_asked : int
        Number of points asked before the run halted, a non-negative integer.
    halted, guarantee : bool, Guarantee
        Whether it halted; promise of the whole run, whatever was asked.
    """

    labels: NDArray[np.int64]
    n_asked: int
    halted: bool
    guarantee: Guarantee


@dataclass(frozen=True, kw_only=True)
class VoteAggregator(ApproximateMechanism):
    """What the aggregators share: a guarantee of the whole run, for adaptive queries and any stop.

    Parameters
    ----------
    epsilon, delta : float
        Privacy parameter in nats, positive; additive slack, in (0, 1).
    n_queries : int, optional
        Number of points that may be asked, a positive integer; None is no limit.
    n_classes, adjacency : int, Adjacency
        Number of classes, a positive integer from 2 to 256; neighbouring relation.
    """

    epsilon: float
    delta: float
    n_queries: int | None
    n_classes: int = 2
    adjacency: Adjacency = Adjacency.ADD_OR_REMOVE_ONE

    def __post_init__(self) -> None:
        check.standard_ranges(epsilon=self.epsilon, delta=self.delta)
        if self.n_queries is not None:
            check.positive_integer(n_queries=self.n_queries)
        check.positive_integer(n_classes=self.n_classes)
        if not 2 <= self.n_classes <= 256:
            raise ValueError(
                f"n_classes must be from 2 to 256, but got {self.n_classes!r}."
            )
        check.instance(Adjacency, adjacency=self.adjacency)

    @property
    def _budget(self) -> int | None:
        """What halts a run besides the number of queries, if anything does."""
        return None

    @abstractmethod
    def label_distribution(self, counts: ArrayLike) -> NDArray[np.float64]:
        """Law of the label of each point, were it asked first: the classes and, last, no answer.

        Parameters
        ----------
        counts : array_like
            Votes for each class, of shape (n_points, n_classes), private.
        """

    @abstractmethod
    def _labels(self, counts: NDArray, run: "VoteStream") -> NDArray[np.int64]:
        """Labels of a block up to the halt, with what is left of the run's budget brought up to date."""

    def _begin(self, run: "VoteStream") -> None:
        """Draw what a run needs before its first query."""

    def stream(self, *, rng: np.random.Generator | int | None = None) -> "VoteStream":
        """A run whose queries may be chosen one after another; each stream spends the guarantee once.

        Parameters
        ----------
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        return VoteStream(self, rng=rng)

    def answer(
        self, votes: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> Answers:
        """Labels for a block of points; each call spends the guarantee once.

        Parameters
        ----------
        votes : array_like
            Class indices of shape (n_teachers, n_points), private; a refusal tells of them.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        return self.answer_counts(vote_counts(votes, self.n_classes), rng=rng)

    def answer_counts(
        self, counts: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> Answers:
        """As :meth:`answer`, from counts of votes.

        Parameters
        ----------
        counts : array_like
            Votes for each class, of shape (n_points, n_classes), private; a refusal tells of them.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        stream = self.stream(rng=rng)
        return Answers(
            stream.answer_counts(counts), stream.n_asked, stream.halted, self.guarantee
        )

    def release(
        self, votes: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> NDArray[np.int64]:
        """The labels of :meth:`answer`.

        Parameters
        ----------
        votes : array_like
            Class indices of shape (n_teachers, n_points), private; a refusal tells of them.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        return self.answer(votes, rng=rng).labels

    def label_sequences(self, n_points: int) -> NDArray[np.int64]:
        """All that may be released for `n_points` points, in the order of :meth:`output_distribution`."""
        check.positive_integer(n_points=n_points)
        if (self.n_classes + 1) ** n_points > LARGEST_DISTRIBUTION:
            raise ValueError(
                f"n_points must be small enough for the exact distribution, but got {n_points!r}."
            )
        return np.array(
            list(product([*range(self.n_classes), NO_ANSWER], repeat=n_points))
        )

    def output_distribution(self, votes: ArrayLike) -> Categorical:
        """Exact law of the labels of a small block, over :meth:`label_sequences`.

        Parameters
        ----------
        votes : array_like
            Class indices of shape (n_teachers, n_points), private.
        """
        counts = vote_counts(votes, self.n_classes)
        return Categorical(
            np.log(self._probabilities(counts, self.label_sequences(len(counts))))
        )

    def _probabilities(
        self, counts: NDArray, sequences: NDArray
    ) -> NDArray[np.float64]:
        """Probability of each sequence; here points are independent until enough of them got an answer."""
        distribution = self.label_distribution(counts)
        probabilities, left = (
            np.ones(len(sequences)),
            np.full(len(sequences), self._budget or len(distribution) + 1),
        )
        for row, labels in zip(distribution, sequences.T, strict=True):
            probabilities *= np.where(left == 0, labels == NO_ANSWER, row[labels])
            left -= labels != NO_ANSWER
        return probabilities


class VoteStream(Once):
    """One run of an aggregator whose queries may depend on the labels so far.

    Parameters
    ----------
    aggregator : VoteAggregator
        What answers.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Raises
    ------
    TypeError
        If it is copied or pickled: a copy would draw the same noise again.

    Notes
    -----
    *Privacy.* The guarantee is that of the aggregator, for the whole stream and any stop. A call that is refused
    with an error draws nothing and spends nothing. `n_asked` counts the points that were asked.

    Examples
    --------
    >>> from privml.pate import GaussianAggregator
    >>> stream = GaussianAggregator(n_queries=2, epsilon=1.0, delta=1e-6).stream(rng=0)
    >>> votes = np.repeat([0, 1], [10, 90])
    >>> stream.answer(votes).tolist(), stream.n_asked, stream.halted
    ([1], 1, False)
    """

    _offset: float  # noise of the threshold, where there is one

    def __init__(
        self,
        aggregator: VoteAggregator,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> None:
        check.instance(VoteAggregator, aggregator=aggregator)
        self.aggregator = aggregator
        self.n_asked = 0
        self._rngs, self._left = np.random.default_rng(rng).spawn(2), aggregator._budget
        aggregator._begin(self)

    @property
    def halted(self) -> bool:
        """Whether the cut-off was reached: the last unstable query, or the last answer, that is paid for."""
        return self._left == 0

    @property
    def queries_left(self) -> int | None:
        """How many more points may be asked; None is without limit."""
        limit = self.aggregator.n_queries
        return 0 if self.halted else limit if limit is None else limit - self.n_asked

    @property
    def guarantee(self) -> Guarantee:
        """What the whole stream promises, whatever is asked of it."""
        return self.aggregator.guarantee

    def answer(self, votes: ArrayLike) -> NDArray[np.int64]:
        """Labels of one point or of a block.

        Parameters
        ----------
        votes : array_like
            Class indices of shape (n_teachers,) or (n_teachers, n_points), private; a refusal tells of them.
        """
        votes = np.asarray(votes)
        votes = votes[:, None] if votes.ndim == 1 else votes
        return self.answer_counts(vote_counts(votes, self.aggregator.n_classes))

    def answer_counts(self, counts: ArrayLike) -> NDArray[np.int64]:
        """As :meth:`answer`, from counts of votes.

        Parameters
        ----------
        counts : array_like
            Votes for each class, of shape (n_points, n_classes), private; a refusal tells of them.
        """
        counts = checked_counts(counts, self.aggregator.n_classes)
        if self.halted:
            raise ValueError(
                f"stream must not have halted, but got a query after its halt at {self.n_asked}. Start a new stream."
            )
        if self.queries_left is not None and len(counts) > self.queries_left:
            raise ValueError(
                f"n_queries must be at least {self.n_asked + len(counts)} for these points, but got "
                f"{self.aggregator.n_queries!r}, of which {self.n_asked} have been asked."
            )
        released = self.aggregator._labels(counts, self)
        self.n_asked += len(released)
        return np.concatenate(
            [released, np.full(len(counts) - len(released), NO_ANSWER)]
        )


check.wrap_module(__name__)
