r"""A linear separator from statistical queries: each entry of a gradient is a mean.

With the label as a sign s, features in [-1, 1] and weights w, the logistic loss
:math:`\ell(w) = \mathbb E \ln(1 + e^{-s \langle w, x \rangle})` has the gradient entries

.. math:: \partial_j \ell(w) = \mathbb E\, \frac{- s x_j}{1 + e^{s \langle w, x \rangle}} \in [-1, 1] ,

so that :math:`(1 + \cdot) / 2` is a statistical query, and its answer within tau gives the entry within
2 tau.  Gradient steps with such entries reach nearly the least loss in a ball.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses.base import feature_matrix
from privml.learners.statistical_queries.base import SQLearner, SQOracle, StatisticalQuery

DEFAULT_RADIUS = 4.0


@dataclass(frozen=True)
class LinearSQLearner(SQLearner):
    r"""Minimise the logistic loss over a ball by gradient steps on the answers of an oracle.

    From w = 0 it makes T steps :math:`w \leftarrow \Pi(w - \eta g)` of length
    :math:`\eta = R / \sqrt{d T}`, with the projection onto the ball of radius R, and returns the mean of the
    points at which it asked.

    Features are clipped to [-1, 1], NaN to 0.  The queries of a step depend on earlier answers: this
    learner is adaptive, and what an oracle promises for queries fixed in advance does not hold for it.

    **Accuracy.** If all answers are within tau, the loss exceeds the least one in the ball by at most
    ``R sqrt(d / T) + 4 R tau sqrt(d)`` (:meth:`accuracy`).
    **Source.** DR11-def-11.5 for a convex loss in place of the error.

    Parameters
    ----------
    n_steps : int
        Number of gradient steps T.
    radius : float, default 4
        Radius R of the ball of weights, in L2.
    intercept : bool, default True
        Whether to add a feature that is always 1; it counts in d.

    Examples
    --------
    >>> from privml.learners.statistical_queries import SampleOracle
    >>> X = np.array([[-1.0], [-0.5], [0.5], [1.0]])
    >>> learner = LinearSQLearner(1, 50)
    >>> weights = learner.run(SampleOracle(X, X[:, 0] > 0))
    >>> learner.predict(weights, X).tolist(), learner.n_queries
    ([False, False, True, True], 100)
    """

    n_features: int
    n_steps: int
    radius: float = DEFAULT_RADIUS
    intercept: bool = True

    def __post_init__(self) -> None:
        check.positive_integer(n_features=self.n_features, n_steps=self.n_steps)
        check.positive(radius=self.radius)
        check.one_of((True, False), intercept=self.intercept)

    @property
    def n_weights(self) -> int:
        """The dimension d, the intercept counted."""
        return self.n_features + self.intercept

    @property
    def n_queries(self) -> int:
        """One query per entry of the gradient and step: d T."""
        return self.n_weights * self.n_steps

    def accuracy(self, tolerance: float) -> float:
        """Bound on the excess logistic loss over the best in the ball, if all answers are this accurate."""
        check.non_negative(tolerance=tolerance)
        return self.radius * sqrt(self.n_weights / self.n_steps) + 4 * self.radius * tolerance * sqrt(
            self.n_weights
        )

    def _features(self, X: ArrayLike) -> NDArray[np.float64]:
        X = feature_matrix(X, self.n_features)
        features = np.ones((len(X), self.n_weights))
        clipped = np.clip(X, -1.0, 1.0, out=features[:, : self.n_features])
        clipped[np.isnan(clipped)] = 0.0
        return features

    def loss(self, weights: ArrayLike, X: ArrayLike, y: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Logistic loss of each record, in nats."""
        return np.logaddexp(0.0, -np.where(y, 1.0, -1.0) * (self._features(X) @ np.asarray(weights)))

    def query(self, weights: NDArray) -> StatisticalQuery:
        """All entries of the gradient at `weights`, as d queries."""

        def half_gradient(X: NDArray, y: NDArray[np.bool_]) -> NDArray[np.float64]:
            features, signs = self._features(X), np.where(y, 1.0, -1.0)
            pull = -signs / (1 + np.exp(np.clip(signs * (features @ weights), -700, 700)))
            features *= pull[:, None] / 2
            features += 0.5
            return features

        return half_gradient

    def run(self, oracle: SQOracle) -> NDArray[np.float64]:
        """Make the gradient steps; return the mean of the weights at which queries were asked."""
        check.instance(SQOracle, oracle=oracle)
        length = self.radius / sqrt(self.n_weights * self.n_steps)
        weights, total = np.zeros(self.n_weights), np.zeros(self.n_weights)
        for _ in range(self.n_steps):
            total += weights
            answers = np.clip(oracle.answers(self.query(weights), self.n_weights), 0.0, 1.0)
            weights = weights - length * (2 * answers - 1)
            weights *= min(1.0, self.radius / max(float(np.linalg.norm(weights)), 1e-300))
        return total / self.n_steps

    def predict(self, found: NDArray[np.float64], X: ArrayLike) -> NDArray[np.bool_]:
        """True where the weighted sum is positive."""
        weights = check.finite_vector(found=found)
        if weights.size != self.n_weights:
            raise ValueError(f"found must hold {self.n_weights} weights, got {weights.size}")
        return self._features(X) @ weights > 0
