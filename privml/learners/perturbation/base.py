r"""What the learners that add noise share: records as signed rows, the minimiser, prediction.

A record (x, y) with :math:`|x| \le 1` and y = 1 or -1 acts through its *signed row* a = y x only.  The risk
of weights w is :math:`\hat R(w) = \frac1n \sum_i \ell(\langle w, a_i \rangle)`.
"""

from abc import abstractmethod
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml.guarantee import Guarantee
from privml.learners.base import BinaryLearner
from privml.learners.penalised_erm.base import design, unit_rows
from privml.learners.perturbation.losses import CutLogisticLoss

GRADIENT_TOLERANCE = 1e-8


class Release(NamedTuple):
    """Weights of one fit, and the strength of the penalty that was used."""

    weights: NDArray[np.float64]
    strength: float


def objective(
    weights: NDArray, rows: NDArray, loss: CutLogisticLoss, total: float, tilt: NDArray
) -> tuple[float, NDArray[np.float64]]:
    """Sum of the losses plus ``total |w|^2 / 2 + <tilt, w>``, and its gradient."""
    margins = rows @ weights
    value = loss.value(margins).sum() + total / 2 * weights @ weights + tilt @ weights
    return value, -(loss.pull(margins) @ rows) + total * weights + tilt


def minimiser(
    rows: NDArray, loss: CutLogisticLoss, total: float, tilt: NDArray | None = None
) -> NDArray[np.float64]:
    """Where :func:`objective` is least: no coordinate of its gradient is above 1e-8 times the larger of 1 and
    `total`, if floats allow it."""
    from scipy.optimize import minimize

    d = rows.shape[1]
    tilt = np.zeros(d) if tilt is None else tilt
    options = {"maxiter": 5000, "maxfun": 20_000, "ftol": 0.0, "maxcor": 30}
    options["gtol"] = GRADIENT_TOLERANCE * max(total, 1.0)
    start = -tilt / (total + len(rows) * loss.smoothness)
    found = minimize(
        objective, start, (rows, loss, total, tilt), jac=True, method="L-BFGS-B", options=options
    )
    return found.x


class PerturbedClassifier(BinaryLearner):
    """Base: clip and sign the records, get weights from them, predict by the sign of the score."""

    @abstractmethod
    def _release(self, rows: NDArray, rng: np.random.Generator) -> Release:
        """Private weights from signed rows."""

    def _check_parameters(self) -> None:
        check.positive(epsilon=self.epsilon)
        check.one_of((False, True), fit_intercept=self.fit_intercept)
        check.probability_half_open(delta=self.delta)

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Learn weights privately.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features)
            Records; rows longer than 1 are scaled to length 1.
        """
        self._check_parameters()
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        rows = design(X, self.fit_intercept) * np.where(labels, 1.0, -1.0)[:, None]
        weights, self.strength_ = self._release(rows, np.random.default_rng(rng))
        scale = 1 / sqrt(2) if self.fit_intercept else 1.0
        self.coef_ = weights[None, : X.shape[1]] * scale
        self.intercept_ = weights[X.shape[1] :] * scale if self.fit_intercept else np.zeros(1)
        self.privacy_ = Guarantee(float(self.epsilon), float(self.delta))
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Score of each record, clipped as in fit; positive for the second class."""
        check_is_fitted(self, "coef_")
        X = self._features(X)
        return unit_rows(X) @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: ArrayLike) -> NDArray:
        """Label of each record: the second class where the score is positive."""
        return np.where(self.decision_function(X) > 0, self.classes_[1], self.classes_[0])
