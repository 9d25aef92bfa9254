"""Private best subset selection as a scikit-learn estimator; its exact laws are in `subset_law`."""

from collections.abc import Sequence
from math import comb, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml._records import features, targets
from privml.composition import basic_composition
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.learners.penalised_erm import SquaredLoss
from privml.learners.subset_law import (
    LARGEST_TABLE,
    coefficient_lattice,
    cube_rows,
    one_stage_law,
    subset_risks,
    supports_of,
    two_stage_law,
)

METHODS = ("two-stage", "one-stage")


class PrivateBestSubset(RegressorMixin, BaseEstimator):
    """Private sparse regression: few features and their coefficients, by exponential mechanisms.

    **Privacy.** epsilon-DP under replace-one; the number of records is public.  Idealised: the draw uses
    floating-point numbers.  **Records are clipped**: features and targets are moved into [-1, 1], and NaN
    counts as 0.  A record's squared loss then varies by at most ``(1 + r)^2`` with ``r = radius sqrt(s)``, or
    ``4 r`` for r below 1.
    **Accuracy.** :func:`~privml.bounds.private_pac.best_subset_gap` above the best pair on the lattice.
    **Source.** WLF16-ex-22.

    Parameters
    ----------
    n_selected : int, default 2
        Number s of features in a support; all features if there are fewer.
    method : {"one-stage", "two-stage"}
        Choose support and coefficients together, or one after the other.
    share : float, default 0.5
        Share of epsilon for the support, in (0, 1); used by "two-stage" only.
    cells : int, default 4
        Lattice points along a radius; public.

    Attributes
    ----------
    support_ : ndarray of int, shape (s,)
        The chosen features; with the coefficients the private output.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(4000, 8))
    >>> learner = PrivateBestSubset(2.0).fit(X, X[:, 1] - X[:, 6], rng=0)
    >>> print(learner.privacy_, learner.support_)
    2-differential privacy (replace-one) [1 6]
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        n_selected: int = 2,
        *,
        method: str = "one-stage",
        share: float = 0.5,
        radius: float = 1.0,
        cells: int = 4,
    ) -> None:
        self.epsilon = epsilon
        self.n_selected = n_selected
        self.method = method
        self.share = share
        self.radius = radius
        self.cells = cells

    def _check_parameters(self) -> None:
        check.positive(epsilon=self.epsilon, radius=self.radius)
        check.positive_integer(n_selected=self.n_selected, cells=self.cells)
        check.one_of(METHODS, method=self.method)
        check.probability_open(share=self.share)

    def _candidates(self, n_features: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Supports and coefficients, after a check of how many pairs there are."""
        size = min(self.n_selected, n_features)
        if comb(n_features, size) > LARGEST_TABLE:
            raise ValueError(f"n_selected must give at most {LARGEST_TABLE} supports, got {size}")
        return supports_of(n_features, size), coefficient_lattice(size, self.radius, self.cells)

    def _parts(self) -> Sequence[float]:
        if self.method == "one-stage":
            return (float(self.epsilon),)
        return self.share * self.epsilon, (1 - self.share) * self.epsilon

    def output_distribution(self, X: ArrayLike, y: ArrayLike) -> Categorical:
        """Exact law of the pair of support and point that `fit` would choose; for study, not private."""
        self._check_parameters()
        X = features(self, X, reset=not hasattr(self, "n_features_in_"))
        y = targets(y, len(X))
        supports, lattice = self._candidates(X.shape[1])
        risks = subset_risks(X, y, supports, lattice)
        law = one_stage_law if self.method == "one-stage" else two_stage_law
        largest = self.radius * sqrt(supports.shape[1])
        return law(risks, len(y), *self._parts(), oscillation=SquaredLoss().oscillation(largest))

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Choose features and coefficients.

        Parameters
        ----------
        X : array_like of shape (n_samples, n_features)
            Records; entries are moved into [-1, 1], so scale them by public ranges beforehand.
        y : array_like of shape (n_samples,)
            Targets; moved into [-1, 1], so scale them by a public range beforehand.
        """
        self._check_parameters()
        X = features(self, X, reset=True)
        y = targets(y, len(X))
        chosen = self.output_distribution(X, y).rvs(rng=np.random.default_rng(rng))
        supports, lattice = self._candidates(X.shape[1])
        support, point = divmod(int(chosen), len(lattice))
        self.support_, self.coef_ = supports[support], np.zeros(X.shape[1])
        self.coef_[self.support_] = lattice[point]
        self.privacy_ = basic_composition(*map(Guarantee, self._parts()))
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Score of each record, clipped as in fit."""
        check_is_fitted(self, "coef_")
        X = features(self, X, reset=False)
        return cube_rows(X) @ self.coef_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        tags.input_tags.allow_nan = tags.input_tags.string = True
        tags.regressor_tags.poor_score = True
        return tags
