r"""Estimators that draw their weights by the exponential mechanism on a ball: logistic, hinge, squared loss.

All three release one draw from the density proportional to ``exp(-epsilon F / (2 Delta))`` on the ball of
radius R.  The penalty is ``strength d / R^2`` of the exponent, a number of n, epsilon, d and R only, so that
the base measure is about a Gaussian of squared norm ``R^2 / strength``; it vanishes as n grows.
"""

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml._records import features, targets
from privml.guarantee import Guarantee
from privml.learners.base import BinaryLearner
from privml.learners.penalised_erm.base import ScoreLoss, design, unit_rows
from privml.learners.penalised_erm.diagnostics import SMALLEST_EFFECTIVE_SIZE, Diagnostics, MixingWarning
from privml.learners.penalised_erm.domains import Ball
from privml.learners.penalised_erm.early import early_stopping_guarantee
from privml.learners.penalised_erm.gaussian import ridge_draw
from privml.learners.penalised_erm.laws import ExponentialERM
from privml.learners.penalised_erm.losses import HingeLoss, LogisticLoss, SquaredLoss
from privml.learners.penalised_erm.risk import PenalisedRisk
from privml.learners.penalised_erm.sampling import hit_and_run, mala

SAMPLERS = {"mala": mala, "hit-and-run": hit_and_run}


class ExponentialLinearModel(BaseEstimator):
    """Base of the estimators: one draw of weights from the exponential mechanism on a ball."""

    @abstractmethod
    def _loss(self) -> ScoreLoss:
        """The loss of a score and a label in [-1, 1]."""

    def _check_parameters(self) -> None:
        check.positive(epsilon=self.epsilon, radius=self.radius)
        check.non_negative(strength=self.strength)
        check.one_of((False, True), fit_intercept=self.fit_intercept)
        check.one_of(SAMPLERS, sampler=self.sampler)
        early_stopping_guarantee(Guarantee(float(self.epsilon)), self.total_variation)
        check.positive_integer(n_draws=self.n_draws, n_chains=self.n_chains, thin=self.thin)

    def law(self, X: ArrayLike, targets: ArrayLike) -> ExponentialERM:
        """The law that a fit draws from, for rows `X` and targets in [-1, 1]; for study, not private."""
        self._check_parameters()
        records, loss = design(np.asarray(X, dtype=float), self.fit_intercept), self._loss()
        domain = Ball(records.shape[1], float(self.radius))
        exponent = self.epsilon * len(records) / (2 * loss.oscillation(domain.radius))
        penalty = self.strength * domain.dimension / (domain.radius**2 * exponent)
        return ExponentialERM(PenalisedRisk(records, targets, loss, domain, penalty=penalty), self.epsilon)

    def _draw(self, law: ExponentialERM, rng: np.random.Generator) -> tuple[NDArray, Diagnostics]:
        run = SAMPLERS[self.sampler](law, self.n_draws, n_chains=self.n_chains, thin=self.thin, rng=rng)
        return run.last, run.diagnostics

    def _fit(self, X: NDArray, targets: NDArray, rng: np.random.Generator) -> None:
        if self.n_draws * self.n_chains < SMALLEST_EFFECTIVE_SIZE:
            rule = f"n_draws * n_chains should be at least {SMALLEST_EFFECTIVE_SIZE:.0f} to judge by"
            advice = "the privacy claim needs the law; diagnostics_, which are not private, show symptoms"
            warnings.warn(
                f"chains as short as this cannot mix: {rule}; {advice}", MixingWarning, stacklevel=3
            )
        weights, self.diagnostics_ = self._draw(self.law(X, targets), rng)
        scale = 1 / sqrt(2) if self.fit_intercept else 1.0
        self.coef_ = weights[None, : X.shape[1]] * scale
        self.intercept_ = weights[X.shape[1] :] * scale if self.fit_intercept else np.zeros(1)
        self.privacy_ = early_stopping_guarantee(Guarantee(float(self.epsilon)), self.total_variation)

    def _scores(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self, "coef_")
        X = features(self, X, reset=False)
        return unit_rows(X) @ self.coef_[0] + self.intercept_[0]


class _ExponentialClassifier(BinaryLearner, ExponentialLinearModel):
    """Base of the two classifiers: their parameters, fit and predictions."""

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        radius: float = 4.0,
        strength: float = 1.0,
        fit_intercept: bool = False,
        sampler: str = "mala",
        n_draws: int = 800,
        n_chains: int = 8,
        thin: int = 1,
        total_variation: float = 0.0,
        classes: Sequence | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.radius = radius
        self.strength = strength
        self.fit_intercept = fit_intercept
        self.sampler = sampler
        self.n_draws = n_draws
        self.n_chains = n_chains
        self.thin = thin
        self.total_variation = total_variation
        self.classes = classes

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Draw weights.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features)
            Records; rows longer than 1 are scaled to length 1.
        """
        self._check_parameters()
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        self._fit(X, np.where(labels, 1.0, -1.0), np.random.default_rng(rng))
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Score of each record, clipped as in fit; positive for the second class."""
        return self._scores(X)

    def predict(self, X: ArrayLike) -> NDArray:
        """Label of each record: the second class where the score is positive."""
        return np.where(self.decision_function(X) > 0, self.classes_[1], self.classes_[0])


class ExponentialLogisticRegression(_ExponentialClassifier):
    """Private logistic regression: weights drawn by the exponential mechanism on a ball.

    **Privacy.** epsilon-DP under replace-one for a draw from the law; the number of records is public.
    A chain has another law; `diagnostics_` shows symptoms.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.  So centre and
    scale by public numbers beforehand.
    **Source.** WLF16-alg-1 with the logistic loss; WLF16-prop-26 for the sampling.

    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = ExponentialLogisticRegression(2.0, n_draws=300).fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, learner.diagnostics_.mixed)
    2-differential privacy (replace-one) True
    >>> bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9)
    True
    """

    def _loss(self) -> ScoreLoss:
        return LogisticLoss()


class ExponentialLinearSVC(_ExponentialClassifier):
    """Private linear support vector machine: weights drawn by the exponential mechanism on a ball.

    **Privacy.** epsilon-DP under replace-one for a draw from the law; the number of records is public.
    A chain has another law; `diagnostics_` shows symptoms.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.  So centre and
    scale by public numbers beforehand.
    **Source.** WLF16-alg-1 with the hinge loss; WLF16-prop-26 for the sampling.

    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = ExponentialLinearSVC(2.0, n_draws=300).fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, learner.diagnostics_.mixed)
    2-differential privacy (replace-one) True
    >>> bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9)
    True
    """

    def _loss(self) -> ScoreLoss:
        return HingeLoss()


class ExponentialRidge(RegressorMixin, ExponentialLinearModel):
    """Private ridge regression: weights drawn exactly by the exponential mechanism on a ball.

    **Privacy.** epsilon-DP under replace-one for a draw from the law; the number of records is public.
    The draw is exact up to floating-point numbers, unless `diagnostics_` says that a chain was needed.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.  So centre and
    scale by public numbers beforehand.
    **Source.** WLF16-alg-1 with the squared loss; WLF16-prop-26 for the sampling.

    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(5000, 2))
    >>> learner = ExponentialRidge(2.0).fit(X, X[:, 0] - 0.5 * X[:, 1], rng=0)
    >>> print(learner.privacy_, learner.diagnostics_.r_hat)
    2-differential privacy (replace-one) 0.0
    >>> bool(learner.score(X, X[:, 0] - 0.5 * X[:, 1]) > 0.8)
    True
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        radius: float = 2.0,
        strength: float = 1.0,
        fit_intercept: bool = False,
        sampler: str = "mala",
        n_draws: int = 800,
        n_chains: int = 8,
        thin: int = 1,
        total_variation: float = 0.0,
    ) -> None:
        self.epsilon = epsilon
        self.radius = radius
        self.strength = strength
        self.fit_intercept = fit_intercept
        self.sampler = sampler
        self.n_draws = n_draws
        self.n_chains = n_chains
        self.thin = thin
        self.total_variation = total_variation

    def _loss(self) -> ScoreLoss:
        return SquaredLoss()

    def _draw(self, law: ExponentialERM, rng: np.random.Generator) -> tuple[NDArray, Diagnostics]:
        weights = ridge_draw(law, rng=rng)
        return super()._draw(law, rng) if weights is None else (weights, Diagnostics(0.0, np.inf, 1.0, 1))

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Draw weights.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features)
            Records; rows longer than 1 are scaled to length 1.
        y : array_like of shape (n_samples,)
            Targets; moved into [-1, 1], so scale them by a public range beforehand.
        """
        self._check_parameters()
        X = features(self, X, reset=True)
        self._fit(X, targets(y, len(X)), np.random.default_rng(rng))
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Score of each record, clipped as in fit."""
        return self._scores(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        tags.input_tags.allow_nan = tags.input_tags.string = True
        tags.regressor_tags.poor_score = True
        return tags
