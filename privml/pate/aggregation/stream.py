"""A run of an aggregator: what it remembers, what is left of the budget, and the labels so far."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml.guarantee import Guarantee
from privml.pate.votes import vote_counts

NO_ANSWER = -1
"""Stands in an array of labels where none was released."""


@dataclass
class State:
    """What a run remembers: its sources of randomness, and what is left of the budget."""

    rngs: list[np.random.Generator]
    queries_left: int | None
    left: int | None = None
    offset: float = field(default=0.0, repr=False)

    @property
    def halted(self) -> bool:
        """Whether what halts a run, besides the number of queries, is used up."""
        return self.left == 0


def checked_counts(counts: ArrayLike, n_classes: int) -> NDArray[np.int64]:
    """Counts of votes as an array of shape (n_points, n_classes), or an error."""
    counts = np.asarray(counts)
    if counts.ndim == 1:
        counts = counts[None]
    right = counts.ndim == 2 and counts.shape[1] == n_classes and counts.dtype.kind in "iu"
    if not right or (counts.size and (counts.min() < 0 or np.ptp(counts.sum(axis=1)) > 0)):
        raise ValueError(
            f"counts must be non-negative integers of shape (n_points, {n_classes}) with equal sums, "
            f"got {counts.dtype} of shape {counts.shape}"
        )
    return counts.astype(np.int64, copy=False)


def winners(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The class with the most votes; a tie goes to the last, as in ``1(votes >= K / 2)``."""
    return counts.shape[1] - 1 - np.argmax(counts[:, ::-1], axis=1)


class VoteStream:
    """One run of an aggregator whose queries may depend on the labels so far.

    **Privacy.** The guarantee of the aggregator, for the whole stream and any stop.  A call that is refused
    with an error draws nothing and spends nothing.

    Attributes
    ----------
    n_asked : int
        Points that were asked.
    n_answered : int
        Points that got a label.

    Examples
    --------
    >>> from privml.pate import GaussianAggregator
    >>> stream = GaussianAggregator(n_queries=2, epsilon=1.0, delta=1e-6).stream(rng=0)
    >>> votes = np.repeat([0, 1], [10, 90])
    >>> stream.answer(votes).tolist(), stream.n_asked, stream.halted
    ([1], 1, False)
    """

    def __init__(self, aggregator: Any, *, rng: np.random.Generator | int | None = None) -> None:
        if not hasattr(aggregator, "_begin"):
            raise ValueError(f"aggregator must be a VoteAggregator, got {aggregator!r}")
        self.aggregator = aggregator
        self.n_asked = 0
        self.n_answered = 0
        self._state = aggregator._begin(np.random.default_rng(rng))

    @property
    def halted(self) -> bool:
        """Whether the cut-off was reached: the last unstable query, or the last answer, that is paid for."""
        return self._state.halted

    @property
    def queries_left(self) -> int | None:
        """How many more points may be asked; None is without limit."""
        return 0 if self.halted else self._state.queries_left

    @property
    def guarantee(self) -> Guarantee:
        """What the whole stream promises, whatever is asked of it."""
        return self.aggregator.guarantee

    def answer(self, votes: ArrayLike) -> NDArray[np.int64]:
        """Labels of one point, given votes of shape (n_teachers,), or of a block.

        ``NO_ANSWER`` where there is no label.
        """
        votes = np.asarray(votes)
        votes = votes[:, None] if votes.ndim == 1 else votes
        return self.answer_counts(vote_counts(votes, self.aggregator.n_classes))

    def answer_counts(self, counts: ArrayLike) -> NDArray[np.int64]:
        """As :meth:`answer`, from counts of votes of shape (n_points, n_classes)."""
        counts = checked_counts(counts, self.aggregator.n_classes)
        if self.halted:
            raise ValueError(f"the run must not have halted, got a query after its halt at {self.n_asked}")
        left = self.queries_left
        if left is not None and len(counts) > left:
            raise ValueError(
                f"n_queries must be at least {self.n_asked + len(counts)} for these points, got "
                f"{self.aggregator.n_queries!r} ({self.n_asked} asked)"
            )
        released = self.aggregator._labels(counts, self._state)
        self.n_asked += len(released)
        self.n_answered += int((released != NO_ANSWER).sum())
        if self._state.queries_left is not None:
            self._state.queries_left -= len(released)
        return np.concatenate([released, np.full(len(counts) - len(released), NO_ANSWER)])
