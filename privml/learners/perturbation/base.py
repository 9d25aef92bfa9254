r"""What the learners that add noise share: loss, noise, the minimiser, prediction.

A record (x, y) with :math:`|x| \le 1` and y = 1 or -1 acts through its *signed row* a = y x only.  The risk
of weights w is :math:`\hat R(w) = \frac1n \sum_i \ell(\langle w, a_i \rangle)`, a function of the margins
:math:`m_i = \langle w, a_i \rangle`.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from math import ceil, inf, isfinite, lgamma, log, pi, sqrt
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

QUASI_NEWTON_TOLERANCE, NEWTON_TOLERANCE, MOST_HALVINGS = 1e-8, 1e-5, 60
"""Of the gradient where Newton steps begin; of each of these; of the search for its length."""
GRADIENT_TOLERANCE = 1e-10  # of a minimiser, in slopes of one record
MOST_LEFT = 1e-4  # of what one record moves, for rounding: beyond it a fit is refused
LARGEST_BUDGET = 1e15  # beyond it a Gaussian shift is lost in rounding
HALF_ULP, PART = 2.0**-53, 128  # unit of rounding; rows that are summed at a time


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

    Parameters
    ----------
    slope : float
        Steepest slope of the loss L, positive, at most 1.

    Examples
    --------
    >>> loss = CutLogisticLoss(0.5)
    >>> loss.value(np.array([-2.0, 0.0, 2.0])).round(4).tolist(), loss.derivative(np.array([-2.0])).tolist()
    ([1.6931, 0.6931, 0.1269], [-0.5])
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

    Parameters
    ----------
    dimension : int
        Dimension d, a positive integer.
    scale : float
        Here the length theta, positive.

    Examples
    --------
    A shift by a vector of length s changes no density by more than a factor :math:`e^{s / \theta}`.  In one
    dimension it is the Laplace law:

    >>> round(float(RadialLaplace(1, 2.0).logpdf([3.0])), 6), round(float(np.log(0.25) - 1.5), 6)
    (-2.886294, -2.886294)
    """

    dimension: int
    scale: float

    def __post_init__(self) -> None:
        check.standard_ranges(dimension=self.dimension, scale=self.scale)

    @property
    def mean_square(self) -> float:
        r"""Expected squared length, :math:`d (d + 1) \theta^2`."""
        mean_square = self.dimension * (self.dimension + 1) * self.scale * self.scale
        check.finite(mean_square=mean_square)
        return mean_square

    @property
    def reach(self) -> float:
        """A length that a draw exceeds with probability below 1e-43, by Chernoff's bound."""
        return self.scale * (2 * self.dimension + 200)

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Logarithm of the density at points of shape (..., dimension)."""
        d, points = self.dimension, check.numbers(points=points)
        if points.ndim == 0 or points.shape[-1] != d:
            raise ValueError(
                f"points must be of shape (..., {d}), but got shape {points.shape}."
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

    Examples
    --------
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

    @property
    def reach(self) -> float:
        """A length that a draw exceeds with probability below 1e-43."""
        return self.sigma * (sqrt(self.dimension) + 15)

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

    Parameters
    ----------
    dimension : int
        Dimension of the vector, a positive integer.
    sensitivity : float
        Largest change between neighbours of the vector in L2, positive.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in [0, 1).
    shift : callable
        From epsilon and delta to the largest shift in standard deviations that a Gaussian may have.

    Returns
    -------
    RadialLaplace or IsotropicGaussian
        A law with `mean_square` and `rvs`.

    Notes
    -----
    *Privacy.* Vector plus noise is (epsilon, delta)-DP, under the relation of the sensitivity.

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 1; Balle and Wang (2018) for the Gaussian.

    Examples
    --------
    >>> vector_noise(30, 1.0, 1.0).mean_square, round(vector_noise(30, 1.0, 1.0, 1e-5).mean_square, 2)
    (930.0, 417.53)
    """
    check.standard_ranges(dimension=dimension, sensitivity=sensitivity, epsilon=epsilon)
    check.probability_half_open(delta=delta)
    if delta == 0:
        return RadialLaplace(dimension, sensitivity / epsilon)
    return IsotropicGaussian(dimension, sensitivity / shift(epsilon, delta))


def row_sum(factors: NDArray, rows: NDArray) -> NDArray[np.float64]:
    """Sum of the rows times their factors, by parts, so that rounding stays far below one record.

    Its error is at most ``n (2 PART + 64)`` units of rounding of the largest summand.

    Examples
    --------
    >>> row_sum(np.ones(3), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])).tolist()
    [9.0, 12.0]
    """
    whole = len(rows) // PART * PART
    if not whole:
        return factors @ rows
    parts = factors[:whole].reshape(-1, 1, PART) @ rows[:whole].reshape(
        -1, PART, rows.shape[1]
    )
    sums = np.ascontiguousarray(parts[:, 0].T).sum(axis=1)  # pairwise
    return sums + factors[whole:] @ rows[whole:]


def objective(
    weights: NDArray, rows: NDArray, loss: CutLogisticLoss, total: float, tilt: NDArray
) -> tuple[float, NDArray[np.float64]]:
    """Sum of the losses plus ``total |w|^2 / 2 + <tilt, w>``, and its gradient."""
    margins = rows @ weights
    value = loss.value(margins).sum() + total / 2 * weights @ weights + tilt @ weights
    return value, loss.derivative(margins) @ rows + total * weights + tilt


def gradient_left(
    n: int, dimension: int, loss: CutLogisticLoss, total: float, reach: float = 0.0
) -> float:
    r"""How long a gradient :func:`minimiser` may leave, rounding included, from public numbers only.

    The minimum of a function that is strongly convex with constant kappa is at most ``g / kappa`` away from
    where its gradient has length g, and one record moves the minimum by at most ``2 L / kappa``.  So what is
    left counts by its ratio to 2 L alone, whatever kappa is.

    A gradient is computed up to rounding: in a sum of n slopes, in margins, which are inner products with
    weights of length at most ``(n L + |b|) / kappa`` and ``2 |b| / kappa + sqrt(2 n ln 2 / kappa)`` (the
    value at the minimum is at most that at 0), and in the pull of the penalty and the tilt.

    Parameters
    ----------
    n, dimension : int
        Number of records, each of length at most 1, and of their features: positive integers.
    loss : CutLogisticLoss
        The loss of a margin.
    total : float
        Total strength kappa of the penalty, positive.
    reach : float
        Length that the tilt does not exceed, non-negative.

    Returns
    -------
    float
        The larger of ``1e-10 L`` and five times the bound on rounding.

    References
    ----------
    Ours.

    Examples
    --------
    >>> gradient_left(1000, 5, CutLogisticLoss(0.5), 1.0) / 0.5 < 1e-9
    True
    """
    pull = n * loss.slope + reach
    length = min(pull / total, 2 * reach / total + sqrt(2 * n * log(2) / total))
    summed = n * ((2 * PART + 64) * loss.slope + 4)
    margins = n * loss.smoothness * (dimension + 2) * length
    return max(
        GRADIENT_TOLERANCE * loss.slope, 5 * HALF_ULP * (summed + margins + 4 * pull)
    )


def least_total(
    n: int, dimension: int, loss: CutLogisticLoss, reach: float = 0.0
) -> float:
    """Least total strength at which rounding leaves at most `MOST_LEFT` of the slope L of one record.

    Two bounds of :func:`gradient_left` on the length of the weights, each with a quarter of it.

    Examples
    --------
    >>> 0 < least_total(1000, 5, CutLogisticLoss(0.5)) / 1000 < 1e-12
    True
    """
    rounded = 5 * HALF_ULP * n * loss.smoothness * (dimension + 2)
    ratio = 4 * rounded / (MOST_LEFT * loss.slope)
    return ratio * max(2 * reach, 2 * n * log(2) * ratio)


def minimiser(
    rows: NDArray,
    loss: CutLogisticLoss,
    total: float,
    tilt: NDArray | None = None,
    *,
    left: float | None = None,
) -> NDArray[np.float64]:
    """Where :func:`objective` is least, up to a gradient of length `left`.

    A quasi-Newton search comes near, and Newton steps, whose lengths are found by the slope along them and
    never by values, go on for as long as a gradient is left: each lowers a strongly convex function by a
    public amount at least, so they end.  None is :func:`gradient_left` of these rows and this tilt.
    """
    from scipy.optimize import minimize

    (n, d), tilt = rows.shape, np.zeros(rows.shape[1]) if tilt is None else tilt
    if left is None:
        size = max(1.0, float(np.linalg.norm(rows, axis=1).max()))
        left = gradient_left(
            ceil(n * size * size), d, loss, total, float(np.linalg.norm(tilt))
        )
    options = {"maxiter": 5000, "maxfun": 20_000, "ftol": 0.0, "maxcor": 30}
    options["gtol"] = QUASI_NEWTON_TOLERANCE * max(total, 1.0)
    start = -tilt / (total + n * loss.smoothness)
    arguments = rows, loss, total, tilt
    found = minimize(
        objective, start, arguments, jac=True, method="L-BFGS-B", options=options
    ).x
    return _polished(found, *arguments, 0.8 * left)


def _polished(
    weights: NDArray,
    rows: NDArray,
    loss: CutLogisticLoss,
    total: float,
    tilt: NDArray,
    left: float,
) -> NDArray[np.float64]:
    """Newton steps until the gradient, as computed, is no longer than `left`."""

    def gradient(point: NDArray) -> NDArray[np.float64]:
        return row_sum(loss.derivative(rows @ point), rows) + total * point + tilt

    force = gradient(weights)
    while (length := float(np.linalg.norm(force))) > left:
        bends = loss.second_derivative(rows @ weights)
        step = _newton(rows, bends, total, -force)
        slope, reach, low, high = float(step @ force), 1.0, 0.0, inf
        for _ in range(MOST_HALVINGS):
            ahead = gradient(weights + reach * step)
            along = float(step @ ahead)
            if np.linalg.norm(ahead) <= length / 2 or abs(along) <= -slope / 10:
                break
            low, high = (reach, high) if along < 0 else (low, reach)
            reach = (low + high) / 2 if isfinite(high) else 2 * low
        weights = weights + reach * step
        force = gradient(weights)
    return weights


def _newton(
    rows: NDArray, bends: NDArray, total: float, force: NDArray
) -> NDArray[np.float64]:
    """About the Newton step, by conjugate gradients: a descent direction wherever they stop."""
    step, rest = np.zeros(force.size), force.copy()
    direction, square = rest.copy(), float(rest @ rest)
    stop = NEWTON_TOLERANCE**2 * square
    for _ in range(10 * force.size + 20):
        turned = (bends * (rows @ direction)) @ rows + total * direction
        along = square / float(direction @ turned)
        step += along * direction
        rest -= along * turned
        square, before = float(rest @ rest), square
        if square <= stop:
            break
        direction = rest + square / before * direction
    return step


def output_sensitivity(n_samples: int, strength: float, *, slope: float = 0.5) -> float:
    r"""How far the minimiser of the penalised risk can move when one record is replaced.

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    strength : float
        Factor of the penalty Lambda, positive.
    slope : float
        Steepest slope of the loss L, positive, at most 1.

    Returns
    -------
    float
        Euclidean distance ``2 L / (n Lambda)``.

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate (2011), Corollary 8, for L = 1.

    Examples
    --------
    >>> output_sensitivity(1000, 0.01), output_sensitivity(1000, 0.01, slope=1.0)
    (0.1, 0.2)
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

    def _check(self) -> None:
        """Refuse public parameters, before records are read."""
        check.positive(epsilon=self.epsilon)
        check.carried(epsilon=self.epsilon)
        check.at_most(LARGEST_BUDGET, epsilon=self.epsilon)
        check.flag(fit_intercept=self.fit_intercept)
        check.probability_half_open(delta=self.delta)

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
        self._check()
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        _warn_if_unscaled(
            self.bounds,
            "bounds is None, so rows longer than 1 are scaled down to length 1",
        )
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


check.wrap_module(__name__)
