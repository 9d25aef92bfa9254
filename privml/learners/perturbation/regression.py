r"""Private linear regression from noisy second moments: one release, whatever the number of records.

A record (x, y) with :math:`|x| \le 1` and :math:`|y| \le 1` acts through :math:`x x^T` and :math:`y x` only.
Let T be the vector of all entries of the sum of the former, and of the sum of the latter.  With
:math:`v = (x, y / \sqrt 2)` its summand holds the entries of :math:`v v^T` but :math:`y^2 / 2`, and

.. math:: \lVert v v^T - w w^T \rVert^2 = |v|^4 + |w|^4 - 2 \langle v, w \rangle^2 \le 2 (3 / 2)^2,

so that a replaced record moves T by at most :math:`3 / \sqrt 2`.  It is reached by two records of length 1,
with inner product -1/2 and one target.
"""

from dataclasses import KW_ONLY, dataclass
from math import sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml._records import features, targets
from privml.guarantee import Guarantee
from privml.learners.base import PrivateRegressor
from privml.learners.perturbation.base import (
    HALF_ULP,
    LARGEST_BUDGET,
    PART,
    row_sum,
    vector_noise,
)
from privml.learners.preprocessing import (
    _cube_rows,
    _in_range,
    _unit_targets,
    _warn_if_unscaled,
    _warn_of_targets,
    unit_rows,
)

CONSTANT = 0.5  # feature of an intercept, beside a row of length 1
NOISE_LIMIT = 2.0  # noise over second moments, beyond which a fit warns


def moment_weights(d: int) -> tuple[tuple[NDArray, NDArray], NDArray[np.float64]]:
    """Places on and above the diagonal, and what each counts in a Euclidean length, the root of 2 above it."""
    rows, columns = np.triu_indices(d)
    return (rows, columns), np.where(rows == columns, 1.0, sqrt(2))


def moment_vector(rows: NDArray, targets: NDArray) -> NDArray[np.float64]:
    """The vector T of rows and targets: the weighted half of the sum of ``x x^T``, and the sum of ``y x``."""
    places, weights = moment_weights(rows.shape[1])
    second = np.stack([row_sum(column, rows) for column in rows.T])
    return np.concatenate([weights * second[places], row_sum(targets, rows)])


def moment_sensitivity(n: int, dimension: int) -> float:
    """How far T can move for one record of n, with what rounding leaves in each of its coordinates.

    Rows are as long as 1 up to rounding, and the sums of both neighbours have errors as of ``row_sum``.
    """
    rounded = 4 * sqrt(dimension) * n * (2 * PART + 64) * HALF_ULP
    return 3 / sqrt(2) * (1 + 1e-9) + rounded


def ridge_solution(released: NDArray, d: int, ridge: float) -> NDArray[np.float64]:
    """Weights from a noisy T: least squares with a penalty, and negative second moments put to 0."""
    places, weights = moment_weights(d)
    second = np.zeros((d, d))
    second[places] = released[:-d] / weights
    values, vectors = np.linalg.eigh(second, UPLO="U")
    return vectors @ (vectors.T @ released[-d:] / (np.maximum(values, 0.0) + ridge))


@dataclass(eq=False, repr=False)
class PrivateLinearRegression(PrivateRegressor):
    r"""Private linear regression: ridge regression from second moments with noise.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in [0, 1).
    row_norm : float
        Length of the longest rows, positive, once features lie in [-1, 1]; longer ones are scaled down.
    fit_intercept : bool
        Whether to append a constant feature of one half.
    bounds : tuple or str, optional
        Ranges of features moved to [-1, 1], or "unit" for rows that are no longer than `row_norm`; None cuts
        and warns.
    target_bounds : tuple or str, optional
        Declared range (lower, upper) of the targets, or "unit" for [-1, 1]; None cuts to that and warns.

    Attributes
    ----------
    coef_, intercept_ : ndarray, float
        Weights of shape (n_features,), for rows over `row_norm`, and the intercept: the private output, for
        targets in [-1, 1].
    ridge_ : float
        Factor of the penalty, from public numbers: about the largest eigenvalue of the noise.
    privacy_ : Guarantee
        Promise of one fit.

    Warns
    -----
    UserWarning
        If the noise is more than twice the second moments of as many rows of length 1 that are spread evenly:
        most of the answer is then lost. It depends on parameters and the shape of `X` alone.

    Notes
    -----
    *Privacy.* Each fit is (epsilon, delta)-differentially private under replace-one; the number of records is
    public. The noise is radial Laplace if delta is 0, else Gaussian, exactly calibrated, which for more than
    a few features is much smaller. What rounding leaves in sums is counted in the sensitivity. Idealised: the
    noise is in real numbers. **Records are clipped**: declare `bounds` and `target_bounds`; NaN counts as the
    middle. Predictions stay within the target range. There is no bound on the weights to choose: a penalty as
    large as the noise keeps them small where the records tell little.

    *Accuracy.* Many features in wide ranges make rows long, and `row_norm` trades their distortion, none at
    the root of ``n_features``, against noise; 1 is a good choice unless records are plenty.

    References
    ----------
    Vu and Slavkovic (2009) and Wang (2018), with one release of all moments for two or three.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(0, 10, size=(2000, 3))
    >>> y = 50_000 + 3_000 * X[:, 0] - 2_000 * X[:, 2]
    >>> learner = PrivateLinearRegression(1.0, 1e-5, bounds=(0, 10), target_bounds=(30_000, 80_000))
    >>> learner = learner.fit(X, y, rng=0)
    >>> print(learner.privacy_, bool(learner.score(X, y) > 0.9))
    (1, 1e-05)-differential privacy (replace-one) True
    """

    epsilon: float = 1.0
    delta: float = 0.0
    _: KW_ONLY
    row_norm: float = 1.0
    fit_intercept: bool = True
    bounds: Any = None
    target_bounds: Any = None

    def _check(self) -> None:
        """Refuse public parameters, before records are read."""
        check.positive(epsilon=self.epsilon, row_norm=self.row_norm)
        check.carried(epsilon=self.epsilon, row_norm=self.row_norm)
        check.at_most(LARGEST_BUDGET, epsilon=self.epsilon)
        check.probability_half_open(delta=self.delta)
        check.flag(fit_intercept=self.fit_intercept)

    def _rows(self, X: NDArray) -> NDArray[np.float64]:
        """Rows in the unit ball; in one dimension, or if they are short, none is distorted."""
        with np.errstate(all="ignore"):
            return unit_rows(_cube_rows(X, self.bounds) / self.row_norm)

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        self._check()
        _warn_of_targets(self.target_bounds)
        X = features(self, X, reset=True)
        _warn_if_unscaled(
            self.bounds,
            "bounds is None, so rows longer than row_norm are scaled down to it",
        )
        rows, unit = self._rows(X), 1.0
        if self.fit_intercept:
            unit = 1 / sqrt(1 + CONSTANT**2)
            rows = np.column_stack([rows, np.full(len(rows), CONSTANT)]) * unit
        (n, d), size = rows.shape, X.shape[1]
        dimension = d * (d + 3) // 2
        moments = moment_vector(rows, _unit_targets(targets(y, n), self.target_bounds))
        noise = vector_noise(
            dimension, moment_sensitivity(n, dimension), self.epsilon, self.delta
        )
        # a symmetric matrix with this spread on its diagonal, and half its square above, has this norm or so
        self.ridge_ = sqrt(noise.mean_square / dimension) * sqrt(2 * d)
        if self.ridge_ > NOISE_LIMIT * n / d:
            check.warn(
                f"The noise is too large for {n} records with {size} features: it is more than twice their second "
                "moments, if rows are spread evenly, so most of the answer is lost. Use more records, fewer features, "
                "a larger epsilon or a delta above 0."
            )
        released = moments + noise.rvs(rng=np.random.default_rng(rng))
        weights = ridge_solution(released, d, self.ridge_) * unit
        self.coef_ = weights[:size]
        self.intercept_ = CONSTANT * float(weights[size:].sum())
        self.privacy_ = Guarantee(float(self.epsilon), float(self.delta))
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self, "coef_")
        rows = self._rows(features(self, X, reset=False))
        scores = np.clip(rows @ self.coef_ + self.intercept_, -1.0, 1.0)
        return _in_range(scores, self.target_bounds)


check.wrap_module(__name__)
