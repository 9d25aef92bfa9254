"""What the aggregators share: the budget, blocks of queries, and the exact law of a block of labels."""

from abc import abstractmethod
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import Adjacency
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.mechanisms import Mechanism
from privml.pate.aggregation.stream import NO_ANSWER, State, VoteStream
from privml.pate.votes import vote_counts

CALIBRATIONS = ("exact", "source")
LARGEST_LAW = 100_000


class Answers(NamedTuple):
    """What an aggregator released for a block of points.

    Attributes
    ----------
    labels : ndarray of int64, shape (n_points,)
        Class indices; ``NO_ANSWER`` where the aggregator refused, and after it halted.
    n_asked : int
        How many points were asked before the run halted.
    halted : bool
        Whether the run reached its cut-off, so that the points after the `n_asked` first were not asked.
    guarantee : Guarantee
        What the whole run promises, whatever was asked.
    """

    labels: NDArray[np.int64]
    n_asked: int
    halted: bool
    guarantee: Guarantee


@dataclass(frozen=True, kw_only=True)
class VoteAggregator(Mechanism):
    """What the aggregators share; subclasses state the noise, the law and one block of a run."""

    epsilon: float
    delta: float
    n_queries: int | None
    n_classes: int = 2
    adjacency: Adjacency = Adjacency.ADD_OR_REMOVE_ONE

    def __post_init__(self) -> None:
        check.positive(epsilon=self.epsilon)
        check.probability_open(delta=self.delta)
        if self.n_queries is not None:
            check.positive_integer(n_queries=self.n_queries)
        check.positive_integer(n_classes=self.n_classes)
        if not 2 <= self.n_classes <= 256:
            raise ValueError(f"n_classes must be 2 to 256, got {self.n_classes!r}")
        check.instance(Adjacency, adjacency=self.adjacency)

    @property
    def guarantee(self) -> Guarantee:
        """(epsilon, delta)-differential privacy of the whole run, for adaptive queries and any stop."""
        return Guarantee(self.epsilon, self.delta, self.adjacency)

    @property
    def _budget(self) -> int | None:
        """What halts a run besides the number of queries, if anything does."""
        return None

    def _spends(self, labels: NDArray) -> NDArray[np.bool_]:
        """Which labels use up a unit of `_budget`."""
        return np.zeros(len(labels), dtype=bool)

    @abstractmethod
    def label_law(self, counts: ArrayLike) -> NDArray[np.float64]:
        """Law of the label of each point, were it asked first.

        Probability of each class and, last, of no answer: column -1 is label ``NO_ANSWER``.
        """

    @abstractmethod
    def _labels(self, counts: NDArray, state: State) -> NDArray[np.int64]:
        """Labels of a block up to the halt, with the state brought up to date."""

    def _begin(self, rng: np.random.Generator) -> State:
        return State(rng.spawn(2), self.n_queries, self._budget)

    def stream(self, *, rng: np.random.Generator | int | None = None) -> VoteStream:
        """A run whose queries may be chosen one after another; each stream spends the guarantee once."""
        return VoteStream(self, rng=rng)

    def answer(self, votes: ArrayLike, *, rng: np.random.Generator | int | None = None) -> Answers:
        """Labels for a block of points; each call spends the guarantee once."""
        return self.answer_counts(vote_counts(votes, self.n_classes), rng=rng)

    def answer_counts(self, counts: ArrayLike, *, rng: np.random.Generator | int | None = None) -> Answers:
        """As :meth:`answer`, from counts of votes of shape (n_points, n_classes)."""
        stream = self.stream(rng=rng)
        labels = stream.answer_counts(counts)
        return Answers(labels, stream.n_asked, stream.halted, self.guarantee)

    def release(self, votes: ArrayLike, *, rng: np.random.Generator | int | None = None) -> NDArray[np.int64]:
        """The labels of :meth:`answer`."""
        return self.answer(votes, rng=rng).labels

    def label_sequences(self, n_points: int) -> NDArray[np.int64]:
        """Everything that may be released for a block, in the order of :meth:`output_distribution`."""
        check.positive_integer(n_points=n_points)
        if (self.n_classes + 1) ** n_points > LARGEST_LAW:
            raise ValueError(f"n_points must be small enough for the exact law, got {n_points!r}")
        return np.array(list(product([*range(self.n_classes), NO_ANSWER], repeat=n_points)))

    def output_distribution(self, votes: ArrayLike) -> Categorical:
        """Exact law of the labels of a small block.

        Over :meth:`label_sequences`.
        """
        counts = vote_counts(votes, self.n_classes)
        with np.errstate(divide="ignore"):
            return Categorical(np.log(self._probabilities(counts, self.label_sequences(len(counts)))))

    def _probabilities(self, counts: NDArray, sequences: NDArray) -> NDArray[np.float64]:
        """Probability of each sequence of labels; here, points are independent until the run halts."""
        law = self.label_law(counts)
        probabilities, left = np.ones(len(sequences)), np.full(len(sequences), self._budget or len(law) + 1)
        for row, labels in zip(law, sequences.T, strict=True):
            halted = left == 0
            probabilities *= np.where(halted, labels == NO_ANSWER, row[labels])
            left -= ~halted & self._spends(labels)
        return probabilities
