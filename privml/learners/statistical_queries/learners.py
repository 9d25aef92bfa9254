"""Learners that ask statistical queries and see nothing else: conjunctions, stumps, linear rules.

Whatever an oracle does about privacy, the learner inherits: what it finds is a function of the answers alone.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses import Conjunctions, DecisionStumps
from privml.hypotheses.base import feature_matrix
from privml.learners.statistical_queries.oracles import SQOracle, StatisticalQuery


class SQLearner(ABC):
    """A learner that says how many queries it will ask, asks them, and predicts from what it found.

    References
    ----------
    DR11-def-11.5.
    """

    @property
    @abstractmethod
    def n_queries(self) -> int:
        """Number of queries that one run asks, fixed in advance."""

    @abstractmethod
    def accuracy(self, tolerance: float) -> float:
        """What a run promises if every answer is within `tolerance` of the truth."""

    @abstractmethod
    def run(self, oracle: SQOracle) -> Any:
        """Ask the `oracle`; return what `predict` needs."""

    @abstractmethod
    def predict(self, output: Any, X: ArrayLike) -> NDArray[np.bool_]:
        """Labels of instances `X`, from `output`, what :meth:`run` returned."""


@dataclass(frozen=True)
class ConjunctionSQLearner(SQLearner):
    """Learn a conjunction: keep the literals that are false on hardly any positive example.

    Parameters
    ----------
    n_features : int
        Number of Boolean features d, a positive integer up to 39, or 62 if monotone.
    threshold : float
        Largest answer at which a literal is kept, non-negative; meant to be the tolerance of the oracle.
    monotone : bool
        Whether to leave out negated features.

    Notes
    -----
    *Accuracy.* If some conjunction makes no mistake and all answers are within tau <= threshold, the error
    is at most ``(threshold + tau)`` times the number of literals, d or 2 d.

    References
    ----------
    DR11-def-11.5; Kearns (1998).

    Examples
    --------
    >>> from privml.hypotheses import boolean_cube
    >>> from privml.learners.statistical_queries import SampleOracle
    >>> cube, learner = boolean_cube(3), ConjunctionSQLearner(3, 0.0)
    >>> oracle = SampleOracle(cube, cube[:, 0] & ~cube[:, 2])
    >>> learner.hypotheses.describe(learner.run(oracle))
    'x[0] and not x[2]'
    """

    n_features: int
    threshold: float
    monotone: bool = False

    def __post_init__(self) -> None:
        Conjunctions(self.n_features, self.monotone)
        check.non_negative(threshold=self.threshold)

    @property
    def hypotheses(self) -> Conjunctions:
        """The class that the output is an index of."""
        return Conjunctions(self.n_features, self.monotone)

    @property
    def n_queries(self) -> int:
        """One per literal: d, or 2 d with negations."""
        return self.n_features if self.monotone else 2 * self.n_features

    def accuracy(self, tolerance: float) -> float:
        """Bound on the error; a tolerance above the threshold is refused: good literals may be dropped."""
        check.non_negative(tolerance=tolerance)
        if tolerance > self.threshold:
            raise ValueError(
                f"tolerance must be at most the threshold {self.threshold!r}, but got {tolerance!r}."
            )
        return self.n_queries * (self.threshold + tolerance)

    def query(self, index: int) -> StatisticalQuery:
        """Is literal `index` false, and the label true?  After the features come their negations."""
        check.non_negative_integer(index=index)
        negated, feature = divmod(index, self.n_features)

        def is_violated(X: NDArray, y: NDArray[np.bool_]) -> NDArray[np.bool_]:
            return ((X[:, feature] > 0) == bool(negated)) & y

        return is_violated

    def chosen(self, answers: ArrayLike) -> NDArray[np.int64]:
        """Index of the conjunction that answers lead to, for each row of answers, one per literal."""
        answers = np.atleast_2d(check.numbers(answers=answers))
        if answers.ndim != 2 or answers.shape[1] != self.n_queries:
            raise ValueError(
                f"answers must have {self.n_queries} columns, but got shape {answers.shape}."
            )
        kept = answers <= self.threshold
        if self.monotone:
            return kept @ (1 << np.arange(self.n_features))
        kept = kept.reshape(len(kept), 2, self.n_features)
        indices = (kept * np.array([1, 2])[:, None]).sum(axis=1) @ (
            3 ** np.arange(self.n_features)
        )
        return np.where(
            np.any(kept.all(axis=1), axis=1), self.hypotheses.n_hypotheses - 1, indices
        )

    def run(self, oracle: SQOracle) -> int:
        """Ask the `oracle` one query per literal; return the index of the conjunction of those kept."""
        check.instance(SQOracle, oracle=oracle)
        return int(
            self.chosen(
                [oracle.answer(self.query(index)) for index in range(self.n_queries)]
            )[0]
        )

    def predict(self, output: int, X: ArrayLike) -> NDArray[np.bool_]:
        """Labels of `X` by the conjunction of index `output`, which :meth:`run` gave."""
        return self.hypotheses.predict(X, indices=[output])[0]


@dataclass(frozen=True)
class StumpSQLearner(SQLearner):
    """Choose the stump that agrees most with the labels, by one correlational query per cut point.

    The negation of a stump agrees where the stump does not, so half the class is enough.

    Parameters
    ----------
    stumps : DecisionStumps
        The class; public.

    Notes
    -----
    *Accuracy.* On every population: if all answers are within tau, the error is at most the smallest one of
    the class plus 2 tau.

    References
    ----------
    DR11-def-11.5, agnostic; the same works for every finite class with |H| queries.

    Examples
    --------
    >>> from privml.learners.statistical_queries import SampleOracle
    >>> learner = StumpSQLearner(DecisionStumps([[0.5, 1.5]]))
    >>> learner.stumps.describe(learner.run(SampleOracle([[0.0], [1.0], [2.0]], [True, False, False])))
    'x[0] < 0.5'
    """

    stumps: DecisionStumps

    def __post_init__(self) -> None:
        check.instance(DecisionStumps, stumps=self.stumps)

    @property
    def n_queries(self) -> int:
        """Half the number of stumps: one per cut point."""
        return self.stumps.n_hypotheses // 2

    def accuracy(self, tolerance: float) -> float:
        """Bound on the excess error over the best stump, if all answers are within `tolerance`."""
        check.non_negative(tolerance=tolerance)
        return 2 * tolerance

    def query(self, index: int) -> StatisticalQuery:
        """The query of the positive stump `index`: does it agree with the label?"""
        return lambda X, y: self.stumps.predict(X, indices=[index])[0] == y

    def run(self, oracle: SQOracle) -> int:
        """Ask the `oracle` one query per cut point; return the index of the stump with the largest answer."""
        check.instance(SQOracle, oracle=oracle)
        agreement = np.array(
            [oracle.answer(self.query(index)) for index in range(self.n_queries)]
        )
        return int(np.argmax(np.concatenate([agreement, 1 - agreement])))

    def predict(self, output: int, X: ArrayLike) -> NDArray[np.bool_]:
        """Labels of `X` by the stump of index `output`, which :meth:`run` gave."""
        return self.stumps.predict(X, indices=[output])[0]


@dataclass(frozen=True)
class LinearSQLearner(SQLearner):
    r"""Minimise the logistic loss over a ball by gradient steps on the answers of an oracle.

    From w = 0 it makes T steps of length :math:`R / \sqrt{d T}`, each followed by the projection onto the
    ball of radius R, and returns the mean of the points at which it asked.  Features are clipped to [-1, 1],
    NaN to 0.  The queries of a step depend on earlier answers: what an oracle promises for queries fixed in
    advance does not hold for it.

    Parameters
    ----------
    n_features, n_steps : int
        Numbers of features and gradient steps T, positive integers.
    radius : float
        Length of the longest weights R, positive.
    intercept : bool
        Whether to add a feature that is always 1; it counts in d.

    Notes
    -----
    *Accuracy.* If all answers are within tau, the loss exceeds the least one in the ball by at most ``R
    sqrt(d / T) + 4 R tau sqrt(d)``.

    References
    ----------
    DR11-def-11.5 for a convex loss in place of the error.

    Examples
    --------
    >>> from privml.learners.statistical_queries import SampleOracle
    >>> X = np.array([[-1.0], [-0.5], [0.5], [1.0]])
    >>> learner = LinearSQLearner(1, 50)
    >>> learner.predict(learner.run(SampleOracle(X, X[:, 0] > 0)), X).tolist()
    [False, False, True, True]
    """

    n_features: int
    n_steps: int
    radius: float = 4.0
    intercept: bool = True

    def __post_init__(self) -> None:
        check.standard_ranges(
            n_features=self.n_features, n_steps=self.n_steps, radius=self.radius
        )
        check.flag(intercept=self.intercept)

    @property
    def n_weights(self) -> int:
        """The dimension d, the intercept counted."""
        return self.n_features + self.intercept

    @property
    def n_queries(self) -> int:
        """One query per entry of the gradient and step: d T."""
        return self.n_weights * self.n_steps

    def accuracy(self, tolerance: float) -> float:
        """Bound on the excess logistic loss over the best in the ball, by answers within `tolerance`."""
        check.non_negative(tolerance=tolerance)
        return (
            self.radius
            * sqrt(self.n_weights)
            * (1 / sqrt(self.n_steps) + 4 * tolerance)
        )

    def _features(self, X: ArrayLike) -> NDArray[np.float64]:
        X = feature_matrix(X, self.n_features)
        features = np.ones((len(X), self.n_weights))
        clipped = np.clip(X, -1.0, 1.0, out=features[:, : self.n_features])
        clipped[np.isnan(clipped)] = 0.0
        return features

    def loss(
        self, weights: ArrayLike, X: ArrayLike, y: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Logistic loss of `weights` on each record, features `X` and bools `y`, in nats."""
        return np.logaddexp(
            0.0, -np.where(y, 1.0, -1.0) * (self._features(X) @ np.asarray(weights))
        )

    def query(self, weights: NDArray) -> StatisticalQuery:
        """All entries of the gradient at `weights`, as d queries."""

        def half_gradient(X: NDArray, y: NDArray[np.bool_]) -> NDArray[np.float64]:
            features, signs = self._features(X), np.where(y, 1.0, -1.0)
            derivative = -signs / (
                1 + np.exp(np.clip(signs * (features @ weights), -700, 700))
            )
            features *= derivative[:, None] / 2
            features += 0.5
            return features

        return half_gradient

    def run(self, oracle: SQOracle) -> NDArray[np.float64]:
        """Make the gradient steps by the `oracle`; return the mean of the weights at which it was asked."""
        check.instance(SQOracle, oracle=oracle)
        length = self.radius / sqrt(self.n_weights * self.n_steps)
        weights, total = np.zeros(self.n_weights), np.zeros(self.n_weights)
        for _ in range(self.n_steps):
            total += weights
            answers = np.clip(
                oracle.answers(self.query(weights), self.n_weights), 0.0, 1.0
            )
            weights = weights - length * (2 * answers - 1)
            weights *= min(
                1.0, self.radius / max(float(np.linalg.norm(weights)), 1e-300)
            )
        return total / self.n_steps

    def predict(self, output: NDArray[np.float64], X: ArrayLike) -> NDArray[np.bool_]:
        """True where the sum of `X`, weighted by `output`, which :meth:`run` gave, is positive."""
        weights = check.finite_vector(output=output)
        if weights.size != self.n_weights:
            raise ValueError(
                f"output must hold {self.n_weights} weights, but got {weights.size}."
            )
        return self._features(X) @ weights > 0


check.wrap_module(__name__)
