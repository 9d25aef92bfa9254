"""Conjunctions from statistical queries: drop every literal that is ever false on a positive example."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses import Conjunctions
from privml.learners.statistical_queries.base import SQLearner, SQOracle, StatisticalQuery


@dataclass(frozen=True)
class ConjunctionSQLearner(SQLearner):
    """Learn a conjunction: keep the literals that are false on hardly any positive example.

    For each literal it asks how often the literal is false and the label true, and keeps the literal if the
    answer is at most a threshold.

    **Accuracy.** If some conjunction makes no mistake and all answers are within tau <= threshold, the error
    is at most ``(threshold + tau)`` times the number of literals, d or 2 d (:meth:`accuracy`).
    **Source.** DR11-def-11.5; Kearns (1998).

    Parameters
    ----------
    n_features : int
        Number of Boolean features d; a feature of a record is true when it is positive.
    threshold : float
        Largest answer at which a literal is kept, non-negative; meant to be the tolerance of the oracle.
    monotone : bool, default False
        Whether to leave out negated features.

    Examples
    --------
    >>> from privml.learners.statistical_queries import ExactOracle
    >>> from privml.hypotheses import boolean_cube
    >>> from privml.populations import FinitePopulation
    >>> cube = boolean_cube(3)
    >>> population = FinitePopulation(cube, cube[:, 0] & ~cube[:, 2], np.full(8, 1 / 8))
    >>> learner = ConjunctionSQLearner(3, 0.0)
    >>> learner.hypotheses.describe(learner.run(ExactOracle(population)))
    'x[0] and not x[2]'
    """

    n_features: int
    threshold: float
    monotone: bool = False

    def __post_init__(self) -> None:
        Conjunctions(self.n_features, self.monotone)
        check.non_negative(threshold=self.threshold)

    @classmethod
    def for_accuracy(cls, n_features: int, alpha: float, *, monotone: bool = False) -> "ConjunctionSQLearner":
        """The learner whose error is at most alpha with an oracle of tolerance ``threshold``."""
        check.positive(alpha=alpha)
        n_queries = cls(n_features, 0.0, monotone).n_queries
        return cls(n_features, alpha / (2 * n_queries), monotone)

    @property
    def hypotheses(self) -> Conjunctions:
        """The class that the output is an index of."""
        return Conjunctions(self.n_features, self.monotone)

    @property
    def n_queries(self) -> int:
        """One per literal: d, or 2 d with negations."""
        return self.n_features if self.monotone else 2 * self.n_features

    def accuracy(self, tolerance: float) -> float:
        """Bound on the error where some conjunction makes none, if all answers are this accurate.

        Raises ValueError if the tolerance exceeds the threshold: then good literals may be dropped.
        """
        check.non_negative(tolerance=tolerance)
        if tolerance > self.threshold:
            raise ValueError(f"tolerance must be at most the threshold {self.threshold!r}, got {tolerance!r}")
        return self.n_queries * (self.threshold + tolerance)

    def query(self, index: int) -> StatisticalQuery:
        """The query of one literal: it is false and the label true.

        Parameters
        ----------
        index : int
            The feature, or n_features plus the feature for its negation.

        Returns
        -------
        callable
        """
        check.non_negative_integer(index=index)
        negated, feature = divmod(index, self.n_features)

        def is_violated(X: NDArray, y: NDArray[np.bool_]) -> NDArray[np.bool_]:
            return ((X[:, feature] > 0) == bool(negated)) & y

        return is_violated

    def chosen(self, answers: ArrayLike) -> NDArray[np.int64]:
        """Index of the conjunction that answers lead to, for each row of answers, one per literal."""
        try:
            answers = np.atleast_2d(np.asarray(answers, dtype=float))
        except (TypeError, ValueError):
            raise ValueError(f"answers must be rows of numbers, got {answers!r}") from None
        if answers.shape[1] != self.n_queries:
            raise ValueError(f"answers must have {self.n_queries} columns, got shape {answers.shape}")
        kept = answers <= self.threshold
        if self.monotone:
            return kept @ (1 << np.arange(self.n_features))
        kept = kept.reshape(len(kept), 2, self.n_features)
        indices = (kept * np.array([1, 2])[:, None]).sum(axis=1) @ (3 ** np.arange(self.n_features))
        return np.where(kept.all(axis=1).any(axis=1), self.hypotheses.n_hypotheses - 1, indices)

    def run(self, oracle: SQOracle) -> int:
        """Ask one query per literal; return the index of the conjunction of those that are kept."""
        check.instance(SQOracle, oracle=oracle)
        return int(self.chosen([oracle.answer(self.query(index)) for index in range(self.n_queries)])[0])

    def predict(self, found: int, X: ArrayLike) -> NDArray[np.bool_]:
        """Labels that the conjunction gives."""
        return self.hypotheses.predict(X, indices=[found])[0]
