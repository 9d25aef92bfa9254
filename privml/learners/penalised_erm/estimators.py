r"""Estimators that draw their weights by the exponential mechanism on a ball: logistic, hinge, squared loss.

The penalty is ``strength d / R^2`` of the exponent, a number of n, epsilon, d and the radius R only: the base
measure is about a Gaussian of squared norm ``R^2 / strength``.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from math import sqrt
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml._records import features, targets
from privml.guarantee import Guarantee
from privml.learners.base import BinaryLearner, PrivateRegressor
from privml.learners.penalised_erm.bounded_chain import LARGEST_EPSILON
from privml.learners.penalised_erm.distributions import (
    ExponentialERM,
    least_penalty,
    ridge_draw,
)
from privml.learners.penalised_erm.domains import Ball
from privml.learners.penalised_erm.proximal import SamplerResult, proximal_draw
from privml.learners.penalised_erm.risks import (
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    ScoreLoss,
    SquaredLoss,
)
from privml.learners.preprocessing import (
    _ball_rows,
    _in_range,
    _unit_targets,
    _warn_if_unscaled,
    _warn_of_targets,
)


@dataclass(eq=False, repr=False)
class ExponentialLinearModel(BaseEstimator):
    """Base of the estimators: one draw of weights from the exponential mechanism on a ball."""

    _loss: ClassVar[type[ScoreLoss]] = ScoreLoss
    _unit: ClassVar[bool] = True  # whether rows of declared ranges get length 1

    epsilon: float = 1.0
    delta: float = 1e-5
    _: KW_ONLY
    radius: float = 4.0
    strength: float = 1.0
    fit_intercept: bool = False
    bounds: Any = None

    def output_distribution(self, X: ArrayLike, targets: ArrayLike) -> ExponentialERM:
        """The law that a fit draws from, for rows `X` and targets in [-1, 1]; for study, not private."""
        public = {
            name: getattr(self, name) for name in ("epsilon", "radius", "strength")
        }
        check.positive(**public)
        check.carried(**public)
        check.flag(fit_intercept=self.fit_intercept)
        records, loss = (
            _ball_rows(
                np.asarray(X, dtype=float),
                self.bounds,
                self.fit_intercept,
                unit=self._unit,
            ),
            self._loss(),
        )
        domain = Ball(records.shape[1], float(self.radius))
        exponent = self.epsilon * len(records) / (2 * loss.oscillation(domain.radius))
        unit = domain.dimension / (domain.radius**2 * exponent)
        least = 1.001 * least_penalty(loss, domain.radius) / unit
        if not self.strength >= least:
            raise ValueError(
                f"strength must be at least {least:.3g} for {len(records)} records at this epsilon and radius, since "
                f"a smaller penalty may leave matrices singular, but got {self.strength!r}."
            )
        penalty = self.strength * unit
        return ExponentialERM(
            PenalisedRisk(records, targets, loss, domain, penalty=penalty), self.epsilon
        )

    def draw(
        self,
        X: ArrayLike,
        targets: ArrayLike,
        *,
        progress: bool = False,
        rng: np.random.Generator | int | None = None,
    ) -> SamplerResult:
        """The draw that a fit makes from the same coins; for study, **not private**.

        Whether it is exact, its steps and its tries tell of the records.  So a fit keeps the weights only,
        and shows no progress.

        Parameters
        ----------
        X : array_like
            Rows of shape (n_samples, n_features), numbers.
        targets : array_like
            Targets of shape (n_samples,), in [-1, 1]; labels as -1 and 1.
        progress : bool
            Whether a bar on the error stream counts the steps.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        return self._draw(
            self.output_distribution(X, targets), np.random.default_rng(rng), progress
        )

    def _draw(
        self,
        distribution: ExponentialERM,
        rng: np.random.Generator,
        progress: bool = False,
    ) -> SamplerResult:
        return proximal_draw(distribution, self.delta, progress=progress, rng=rng)

    def _fit(
        self, X: NDArray, targets: NDArray, rng: np.random.Generator | int | None
    ) -> Self:
        _warn_if_unscaled(
            self.bounds,
            "bounds is None, so rows longer than 1 are scaled down to length 1",
        )
        check.positive(epsilon=self.epsilon)
        check.at_most(LARGEST_EPSILON, epsilon=self.epsilon)
        check.probability_half_open(delta=self.delta)
        distribution = self.output_distribution(X, targets)
        weights = self._draw(distribution, np.random.default_rng(rng)).weights
        scale = 1 / sqrt(2) if self.fit_intercept else 1.0
        self.coef_ = weights[None, : X.shape[1]] * scale
        self.intercept_ = (
            weights[X.shape[1] :] * scale if self.fit_intercept else np.zeros(1)
        )
        self.privacy_ = Guarantee(self.epsilon, self.delta)
        return self

    def _scores(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self, "coef_")
        rows = features(self, X, reset=False)
        rows = _ball_rows(rows, self.bounds, unit=self._unit)
        return rows @ self.coef_[0] + self.intercept_[0]


@dataclass(eq=False, repr=False)
class _ExponentialClassifier(BinaryLearner, ExponentialLinearModel):
    """Base of the two classifiers."""

    _: KW_ONLY
    classes: Sequence | None = None

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        return self._fit(X, np.where(labels, 1.0, -1.0), rng)

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Score of each record, clipped as in fit; positive for the second class.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        """
        return self._scores(X)


class ExponentialLogisticRegression(_ExponentialClassifier):
    """Private logistic regression: weights drawn by the exponential mechanism on a ball.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive, at most 100.
    delta : float
        Additive slack, in [0, 1).
    radius : float
        Length of the longest weights R, positive.
    strength : float
        Factor of the penalty, positive.
    fit_intercept : bool
        Whether to append a constant feature, and divide it and the record by the root of 2.
    bounds : tuple or str, optional
        Declared ranges (lower, upper), or "unit" for rows in the unit ball; None cuts and warns.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    coef_ : ndarray
        Weights of shape (1, n_features).
    intercept_ : ndarray
        Intercept of shape (1,): the private output.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* A fit is (epsilon, delta)-DP under replace-one; the number of records is public. The law is
    epsilon-DP, and delta pays for a chain whose distance from it is proved; with 0 the draw is exact.
    **Time is not part of the promise.** It depends on the records, below a number of passes over them that
    the public parameters and `n_samples` give (:func:`~privml.learners.penalised_erm.largest_sampler_cost`
    of `law`); with a delta of 0 only the mean number of tries is bounded. Arithmetic, caches and clocks may
    tell more, so do not let those who must not see the records time a fit. **For some thousands of
    records**: a fit takes a second or so at ``epsilon n_samples = 10_000``, perhaps a minute at three times
    that; beyond take :class:`~privml.learners.ObjectivePerturbation`. **Records are clipped** to the unit
    ball, so declare `bounds`; NaN counts as 0.

    References
    ----------
    WLF16-alg-1 with the logistic loss; WLF16-prop-26 for the sampling.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = ExponentialLogisticRegression(2.0, bounds="unit").fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_)
    (2, 1e-05)-differential privacy (replace-one)
    >>> bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9)
    True
    """

    _loss = LogisticLoss


class ExponentialLinearSVC(_ExponentialClassifier):
    """Private linear support vector machine: weights drawn by the exponential mechanism on a ball.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive, at most 100.
    delta : float
        Additive slack, in [0, 1).
    radius : float
        Length of the longest weights R, positive.
    strength : float
        Factor of the penalty, positive.
    fit_intercept : bool
        Whether to append a constant feature, and divide it and the record by the root of 2.
    bounds : tuple or str, optional
        Declared ranges (lower, upper), or "unit" for rows in the unit ball; None cuts and warns.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    coef_ : ndarray
        Weights of shape (1, n_features).
    intercept_ : ndarray
        Intercept of shape (1,): the private output.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* The guarantee is that of :class:`ExponentialLogisticRegression`, records clipped likewise. Time depends on the
    records more than there: the public number of passes is far above what most records need.

    References
    ----------
    WLF16-alg-1 with the hinge loss; WLF16-prop-26 for the sampling.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = ExponentialLinearSVC(2.0, bounds="unit")
    >>> _ = learner.fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9)
    True
    """

    _loss = HingeLoss


@dataclass(eq=False, repr=False)
class ExponentialRidge(PrivateRegressor, ExponentialLinearModel):
    """Private ridge regression: weights drawn by the exponential mechanism on a ball.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive, at most 100.
    delta : float
        Additive slack, in [0, 1).
    radius : float
        Length of the longest weights R, positive.
    strength : float
        Factor of the penalty, positive.
    fit_intercept : bool
        Whether to append a constant feature, and divide it and the record by the root of 2.
    bounds : tuple or str, optional
        Declared ranges (lower, upper), or "unit" for rows in the unit ball; None cuts and warns.
    target_bounds : tuple or str, optional
        Declared range (lower, upper) of the targets, or "unit" for [-1, 1]; None cuts to that and warns.

    Attributes
    ----------
    coef_ : ndarray
        Weights of shape (1, n_features).
    intercept_ : ndarray
        Intercept of shape (1,): the private output, for targets in [-1, 1].
    privacy_ : Guarantee
        Of one fit.

    Notes
    -----
    *Privacy.* The guarantee is that of :class:`ExponentialLogisticRegression`; most laws are Gaussians that are drawn exactly,
    before other draws are taken by at most 100,000 tries without a pass over the records. **Records are
    clipped**: features of declared ranges are moved to [-1, 1], rows longer than 1 are scaled down, and so are
    targets, to their range: declare `bounds` and `target_bounds`. A target that is NaN counts as the middle.

    *Radius.* Without an intercept, weights of length 1 give all predictions that stay in the target range on every
    row of length 1; with one, some of them need a radius up to the root of 2. A larger radius lets rows disagree
    with the range, and its noise grows with the square of the radius.

    References
    ----------
    WLF16-alg-1 with the squared loss; WLF16-prop-26 for the sampling.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(5000, 2))
    >>> learner, y = ExponentialRidge(2.0, bounds="unit", target_bounds="unit"), X[:, 0] - 0.5 * X[:, 1]
    >>> print(learner.fit(X, y, rng=0).privacy_, bool(learner.score(X, y) > 0.8))
    (2, 1e-05)-differential privacy (replace-one) True
    >>> learner.draw(X, y, rng=0).exact  # of these records; not private
    True
    """

    _loss = SquaredLoss
    _unit = False
    _: KW_ONLY
    radius: float = 1.0
    target_bounds: Any = None

    def _draw(
        self,
        distribution: ExponentialERM,
        rng: np.random.Generator,
        progress: bool = False,
    ) -> SamplerResult:
        weights = ridge_draw(distribution, rng=rng) if self.delta else None
        return (
            super()._draw(distribution, rng, progress)
            if weights is None
            else SamplerResult(weights, 0, 0)
        )

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        _warn_of_targets(self.target_bounds)
        X = features(self, X, reset=True)
        return self._fit(X, _unit_targets(targets(y, len(X)), self.target_bounds), rng)

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        return _in_range(self._scores(X), self.target_bounds)


check.wrap_module(__name__)
