r"""What the learners that add noise share: loss, noise, the minimiser, prediction.

A record (x, y) with :math:`|x| \le 1` and y = 1 or -1 acts through its *signed row* a = y x only.  The risk
of weights w is :math:`\hat R(w) = \frac1n \sum_i \ell(\langle w, a_i \rangle)`, a function of the margins
:math:`m_i = \langle w, a_i \rangle`.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from math import lgamma, log, pi, sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml.adjacency import Adjacency
from privml.divergences import gaussian_mu
from privml.guarantee import Guarantee
from privml.learners.base import BinaryLearner
from privml.learners.preprocessing import _ball_rows, _warn_if_unscaled

GRADIENT_TOLERANCE = 1e-8  # of a minimiser, far below the noise


def _numbers(margins: ArrayLike) -> NDArray[np.float64]:
    margins = check.numbers(margins=margins)
    if margins.ndim == 0:
        check.finite(margins=float(margins))
    return margins


@dataclass(frozen=True)
class CutLogisticLoss:
    """Logistic loss ``ln(1 + exp(-m))`` of a margin m, continued by a line where its slope gets below -L.

    It is convex and smooth, and one record of length 1 pulls on the weights with a force of at most L.  With
    slope L = 1 it is the logistic loss; at L = 1/2 every record pulls with its full force at w = 0.

    >>> loss = CutLogisticLoss(0.5)
    >>> loss.value(np.array([-2.0, 0.0, 2.0])).round(4).tolist(), loss.derivative(np.array([-2.0])).tolist()
    ([1.6931, 0.6931, 0.1269], [-0.5])

    Parameters
    ----------
    slope : float
        Steepest slope of the loss L, positive, at most 1.
    """

    slope: float = 0.5

    def __post_init__(self) -> None:
        check.positive(slope=self.slope)
        check.at_most(1, slope=self.slope)

    @property
    def smoothness(self) -> float:
        """Largest second derivative: L (1 - L) up to L = 1/2, then 1/4."""
        level = min(self.slope, 0.5)
        return level * (1 - level)

    @property
    def border(self) -> float:
        """Margin at which the line begins; minus infinity for the logistic loss."""
        return float(np.log(1 / self.slope - 1)) if self.slope < 1 else -np.inf

    def value(self, margins: ArrayLike) -> NDArray[np.float64]:
        """Loss of each of `margins`, label times score."""
        margins = _numbers(margins)
        curved = np.logaddexp(0.0, -np.maximum(margins, self.border))
        return (
            curved
            if self.slope == 1
            else curved + self.slope * np.maximum(self.border - margins, 0.0)
        )

    def derivative(self, margins: ArrayLike) -> NDArray[np.float64]:
        """Derivative at each of `margins`, in [-L, 0]."""
        return np.maximum(0.5 * np.tanh(0.5 * _numbers(margins)) - 0.5, -self.slope)

    def second_derivative(self, margins: ArrayLike) -> NDArray[np.float64]:
        """Second derivative at each of `margins`; 0 on the line."""
        margins = _numbers(margins)
        p = 0.5 - 0.5 * np.tanh(0.5 * margins)
        return np.where(margins > self.border, p * (1 - p), 0.0)


@dataclass(frozen=True)
class RadialLaplace:
    r"""Law on d-dimensional space with density proportional to :math:`e^{-|b| / \theta}`, Euclidean norm.

    A shift by a vector of length s changes no density by more than a factor :math:`e^{s / \theta}`.  In one
    dimension it is the Laplace law:

    >>> round(float(RadialLaplace(1, 2.0).logpdf([3.0])), 6), round(float(np.log(0.25) - 1.5), 6)
    (-2.886294, -2.886294)

    Parameters
    ----------
    dimension, scale : int, float
        Dimension d, a positive integer; here the length theta, positive.
    """

    dimension: int
    scale: float

    def __post_init__(self) -> None:
        check.ranges(dimension=self.dimension, scale=self.scale)

    @property
    def mean_square(self) -> float:
        r"""Expected squared length, :math:`d (d + 1) \theta^2`."""
        mean_square = self.dimension * (self.dimension + 1) * self.scale * self.scale
        check.finite(mean_square=mean_square)
        return mean_square

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Logarithm of the density at points of shape (..., dimension)."""
        d, points = self.dimension, check.numbers(points=points)
        if points.ndim == 0 or points.shape[-1] != d:
            raise ValueError(
                f"points must be of shape (..., {d}), got shape {points.shape}"
            )
        area = log(2) + d / 2 * log(pi) - lgamma(d / 2)
        return (
            -np.linalg.norm(points, axis=-1) / self.scale
            - d * log(self.scale)
            - lgamma(d)
            - area
        )

    def rvs(
        self, *, rng: np.random.Generator | int | None = None
    ) -> NDArray[np.float64]:
        """One draw, of shape (dimension,), by a seed or Generator `rng`."""
        rng = np.random.default_rng(rng)
        direction = rng.standard_normal(self.dimension)
        return (
            direction
            / np.linalg.norm(direction)
            * rng.gamma(self.dimension, self.scale)
        )


@dataclass(frozen=True)
class IsotropicGaussian:
    """Independent Gaussian coordinates of one standard deviation.

    >>> IsotropicGaussian(3, 2.0).mean_square, IsotropicGaussian(3, 2.0).rvs(rng=0).shape
    (12.0, (3,))
    """

    dimension: int
    sigma: float

    def __post_init__(self) -> None:
        check.positive_integer(dimension=self.dimension)
        check.positive(sigma=self.sigma)

    @property
    def mean_square(self) -> float:
        """Expected squared length."""
        mean_square = self.dimension * self.sigma * self.sigma
        check.finite(mean_square=mean_square)
        return mean_square

    def rvs(
        self, *, rng: np.random.Generator | int | None = None
    ) -> NDArray[np.float64]:
        """One draw, of shape (dimension,), by a seed or Generator `rng`."""
        return np.random.default_rng(rng).standard_normal(self.dimension) * self.sigma


def vector_noise(
    dimension: int,
    sensitivity: float,
    epsilon: float,
    delta: float = 0.0,
    *,
    shift: Callable[[float, float], float] = gaussian_mu,
) -> RadialLaplace | IsotropicGaussian:
    """Noise for a vector of given L2 sensitivity: radial Laplace if delta is 0, else Gaussian.

    **Returns.** A law with `mean_square` and `rvs`.
    **Privacy.** Vector plus noise is (epsilon, delta)-DP, under the relation of the sensitivity.
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 1; Balle and Wang (2018) for the Gaussian.

    >>> vector_noise(30, 1.0, 1.0).mean_square, round(vector_noise(30, 1.0, 1.0, 1e-5).mean_square, 2)
    (930.0, 417.53)

    Parameters
    ----------
    dimension : int
        Dimension of the vector, a positive integer.
    sensitivity, epsilon : float
        Largest change between neighbours of the vector in L2, positive; privacy parameter in nats, positive.
    delta : float
        Additive slack, in [0, 1).
    shift : callable
        From epsilon and delta to the largest shift in standard deviations that a Gaussian may have.
    """
    check.ranges(dimension=dimension, sensitivity=sensitivity, epsilon=epsilon)
    check.probability_half_open(delta=delta)
    if delta == 0:
        return RadialLaplace(dimension, sensitivity / epsilon)
    return IsotropicGaussian(dimension, sensitivity / shift(epsilon, delta))


def objective(
    weights: NDArray, rows: NDArray, loss: CutLogisticLoss, total: float, tilt: NDArray
) -> tuple[float, NDArray[np.float64]]:
    """Sum of the losses plus ``total |w|^2 / 2 + <tilt, w>``, and its gradient."""
    margins = rows @ weights
    value = loss.value(margins).sum() + total / 2 * weights @ weights + tilt @ weights
    return value, loss.derivative(margins) @ rows + total * weights + tilt


def minimiser(
    rows: NDArray, loss: CutLogisticLoss, total: float, tilt: NDArray | None = None
) -> NDArray[np.float64]:
    """Where :func:`objective` is least, up to a gradient of 1e-8 times the larger of 1 and `total`."""
    from scipy.optimize import minimize

    tilt = np.zeros(rows.shape[1]) if tilt is None else tilt
    options = {"maxiter": 5000, "maxfun": 20_000, "ftol": 0.0, "maxcor": 30}
    options["gtol"] = GRADIENT_TOLERANCE * max(total, 1.0)
    start = -tilt / (total + len(rows) * loss.smoothness)
    arguments = rows, loss, total, tilt
    return minimize(
        objective, start, arguments, jac=True, method="L-BFGS-B", options=options
    ).x


def output_sensitivity(n_samples: int, strength: float, *, slope: float = 0.5) -> float:
    r"""How far the minimiser of the penalised risk can move when one record is replaced.

    **Returns.** Euclidean distance ``2 L / (n Lambda)``.
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Corollary 8, for L = 1.

    >>> output_sensitivity(1000, 0.01), output_sensitivity(1000, 0.01, slope=1.0)
    (0.1, 0.2)

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    strength, slope : float
        Factor of the penalty Lambda, positive; steepest slope of the loss L, positive, at most 1.
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(strength=strength)
    return 2 * CutLogisticLoss(slope).slope / (n_samples * strength)


@dataclass(eq=False, repr=False)
class PerturbedClassifier(BinaryLearner):
    """Base: clip and sign the records, get weights from them, predict by the sign of the score."""

    epsilon: float = 1.0
    delta: float = 0.0
    _: KW_ONLY
    fit_intercept: bool = False
    bounds: Any = None
    classes: Sequence | None = None

    @property
    def _adjacency(self) -> Adjacency:
        return Adjacency.REPLACE_ONE

    @abstractmethod
    def _release(
        self, rows: NDArray, rng: np.random.Generator
    ) -> tuple[NDArray, float]:
        """Private weights from signed rows, and the strength of the penalty that was used."""

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        check.positive(epsilon=self.epsilon)
        check.flag(fit_intercept=self.fit_intercept)
        check.probability_half_open(delta=self.delta)
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        _warn_if_unscaled(self.bounds, "rows longer than 1 are cut to length 1")
        rows = (
            _ball_rows(X, self.bounds, self.fit_intercept)
            * np.where(labels, 1.0, -1.0)[:, None]
        )
        weights, self.strength_ = self._release(rows, np.random.default_rng(rng))
        scale = 1 / sqrt(2) if self.fit_intercept else 1.0
        self.coef_ = weights[None, : X.shape[1]] * scale
        self.intercept_ = (
            weights[X.shape[1] :] * scale if self.fit_intercept else np.zeros(1)
        )
        self.privacy_ = Guarantee(
            float(self.epsilon), float(self.delta), self._adjacency
        )
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Score of each record, clipped as in fit; positive for the second class.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        """
        check_is_fitted(self, "coef_")
        return (
            _ball_rows(self._features(X), self.bounds) @ self.coef_[0]
            + self.intercept_[0]
        )


check.doors(__name__)
