"""The learners that are compared, with one interface, and nothing chosen by looking at private data."""

import warnings
from collections.abc import Callable
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from privml.divergences import gaussian_mu
from privml.learners import (
    ExponentialLogisticRegression,
    MeanClassifier,
    NoisyGradientDescent,
    ObjectivePerturbation,
    OutputPerturbation,
)
from privml.learners.penalised_erm import MixingWarning

DELTA = 1e-5
EPSILONS = (0.1, 0.5, 1.0, 2.0)
NORMS = (2.5, 5.0, 10.0, 20.0, 40.0)

NORM = 10.0
"""Norm to compete with, one for all methods: the best of `NORMS` on synthetic populations."""

PURE, APPROXIMATE, NONE = "ε", "(ε, δ)", "none"


class Method(NamedTuple):
    """A way to learn: its name, its guarantee, and an estimator for each epsilon and norm."""

    name: str
    promise: str
    estimator: Callable[[float, float], BaseEstimator]
    norm: float = inf


def _sampler(epsilon: float, norm: float) -> BaseEstimator:
    return ExponentialLogisticRegression(epsilon, radius=norm, classes=(False, True))


def _learner(kind: type, delta: float) -> Callable[[float, float], BaseEstimator]:
    def estimator(epsilon: float, norm: float) -> BaseEstimator:
        return kind(epsilon, delta, norm=norm, classes=(False, True))

    return estimator


def _mean(delta: float) -> Callable[[float, float], BaseEstimator]:
    return lambda epsilon, norm: MeanClassifier(epsilon, delta, classes=(False, True))


class Yardstick(BaseEstimator):
    """The noisy gradient descent that the quoted numbers come from: logistic loss, 20 steps of rate 8.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[1.0], [-1.0]] * 50), np.array([True, False] * 50)
    >>> Yardstick(5.0).fit(X, y, rng=0).score(X, y)
    1.0
    """

    def __init__(self, epsilon: float) -> None:
        self.epsilon = epsilon

    def fit(self, X: NDArray, y: NDArray, *, rng: np.random.Generator | int | None = None):
        """Mean of the last ten iterates."""
        rng, n, w = np.random.default_rng(rng), len(X), np.zeros(X.shape[1])
        deviation = 2 * np.sqrt(20) / gaussian_mu(self.epsilon, DELTA)
        self.weights_ = np.zeros(X.shape[1])
        for step in range(20):
            gradient = X.T @ (0.5 + 0.5 * np.tanh(X @ w / 2) - y)
            w = w - 8 / n * (gradient + deviation * rng.standard_normal(w.size))
            self.weights_ += w * (step >= 10)
        return self

    def score(self, X: NDArray, y: NDArray) -> float:
        """Share of correct labels."""
        return float(((X @ self.weights_ > 0) == y).mean())


METHODS = (
    Method("mean", PURE, _mean(0.0)),
    Method("output perturbation", PURE, _learner(OutputPerturbation, 0.0), NORM),
    Method("objective perturbation", PURE, _learner(ObjectivePerturbation, 0.0), NORM),
    Method("exponential sampling", PURE, _sampler, NORM),
    Method("mean", APPROXIMATE, _mean(DELTA)),
    Method("output perturbation", APPROXIMATE, _learner(OutputPerturbation, DELTA), NORM),
    Method("objective perturbation", APPROXIMATE, _learner(ObjectivePerturbation, DELTA), NORM),
    Method("noisy gradient descent", APPROXIMATE, _learner(NoisyGradientDescent, DELTA), NORM),
    Method("yardstick, measured anew", APPROXIMATE, lambda epsilon, norm: Yardstick(epsilon)),
)
"""The private methods."""


def not_private() -> BaseEstimator:
    """Logistic regression of scikit-learn, without an intercept as the others.

    Examples
    --------
    >>> not_private().fit_intercept
    False
    """
    return LogisticRegression(C=100.0, fit_intercept=False, max_iter=5000)


def fitted(method: Method, epsilon: float, X, y, seed: int, norm: float | None = None) -> BaseEstimator:
    """One fit; chains that do not mix warn in the library, and are silent here.

    Examples
    --------
    >>> import numpy as np
    >>> print(fitted(METHODS[0], 1.0, np.eye(2), np.array([True, False]), 0).privacy_)
    1-differential privacy (replace-one)
    """
    estimator = method.estimator(epsilon, method.norm if norm is None else norm)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MixingWarning)
        return estimator.fit(X, y, rng=seed)
