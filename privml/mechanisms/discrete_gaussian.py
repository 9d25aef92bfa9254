r"""Integer noise on integers: the discrete Gaussian mechanism, calibrated by its exact privacy curve.

The curve (:mod:`privml.divergences.discrete_gaussian`) is that of the law on the integers, summed term by
term, and draws are exact (:mod:`privml.coins`): nothing here is an approximation by the Gaussian law.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._search import crossing
from privml.adjacency import Adjacency
from privml.coins import SMALLEST_RATE
from privml.distributions import DiscreteGaussian, Product, joint
from privml.divergences import gaussian_mu
from privml.divergences.discrete_gaussian import worst_discrete_gaussian_log_delta
from privml.guarantee import ConcentratedGuarantee, Guarantee
from privml.mechanisms.base import Mechanism

ROUNDING = 1e-12  # of a log-probability, relative, generously
PRECISION = 1e-6  # of a calibrated variance, relative


def _squared_length(sensitivity: float) -> int:
    """Largest integer sum of squares of at most that length; sqrt(3.0) must count as 3."""
    check.positive(sensitivity=sensitivity)
    if not 1 - 1e-12 <= sensitivity <= 1e100:
        raise ValueError(f"sensitivity must be from 1 to 1e100 for integers, got {sensitivity!r}")
    return int(float(sensitivity) ** 2 * (1 + 1e-12))


def discrete_gaussian_epsilon(
    delta: float, variance: int | float | Fraction, sensitivity: float = 1.0, *, n_coordinates: int = 1
) -> float:
    """Smallest epsilon at which the exact curve of the discrete Gaussian mechanism is at most delta.

    **Returns.** At least 0; the curve has been evaluated there and lies at or below delta.
    **Source.** Inverse of Canonne, Kamath and Steinke (2020), Theorem 7.

    Parameters
    ----------
    variance : int, Fraction or float
        The variance parameter v, positive.
    n_coordinates : int, default 1
        Length of the value.

    Examples
    --------
    >>> round(discrete_gaussian_epsilon(1e-5, 25), 6)
    0.726643
    """
    check.probability_open(delta=delta)
    variance, squared = check.positive_rational(variance=variance), _squared_length(sensitivity)
    target = np.log(delta) * (1 + ROUNDING)
    rho = squared / (2 * float(variance))
    upper = rho + 2 * np.sqrt(-rho * target) + 1e-9  # what rho-zero-concentrated privacy promises

    def excess(epsilon: float) -> float:
        found = worst_discrete_gaussian_log_delta(epsilon, squared, variance, n_coordinates=n_coordinates)
        return found - target

    return crossing(excess, lower=0.0, upper=float(upper))


def discrete_gaussian_variance(
    epsilon: float, delta: float, sensitivity: float = 1.0, *, n_coordinates: int = 1
) -> Fraction:
    """Variance parameter of discrete Gaussian noise that gives (epsilon, delta)-differential privacy.

    The search starts at the variance of real Gaussian noise and widens until it brackets a crossing.

    **Returns.** Fraction: the curve has been evaluated there and lies at or below delta; a millionth less
    fails.
    **Source.** Inverse of Canonne, Kamath and Steinke (2020), Theorem 7, in the variance.

    Parameters
    ----------
    n_coordinates : int, default 1
        Length of the value.

    Examples
    --------
    >>> round(float(discrete_gaussian_variance(1.0, 1e-5)) ** 0.5, 4)
    3.7405
    """
    squared = _squared_length(sensitivity)
    precision = gaussian_mu(epsilon, delta) ** 2
    if precision < squared * SMALLEST_RATE**2:
        raise ValueError(f"delta must leave a variance of at most 2^96 at this epsilon, got {delta!r}")
    guess = squared / precision
    target = np.log(delta) * (1 + ROUNDING)

    def holds(variance: float) -> bool:
        found = worst_discrete_gaussian_log_delta(epsilon, squared, variance, n_coordinates=n_coordinates)
        return found <= target

    lower, upper = guess * 0.999, guess * 1.001
    while not holds(upper):
        upper *= 1.1
    while holds(lower):
        lower /= 1.1
    while upper - lower > PRECISION * upper:
        middle = (lower + upper) / 2
        lower, upper = (lower, middle) if holds(middle) else (middle, upper)
    return Fraction(upper)


@dataclass(frozen=True, kw_only=True)
class DiscreteGaussianMechanism(Mechanism):
    r"""Add discrete Gaussian noise to every integer coordinate.

    Each coordinate gets independent noise k with probability proportional to :math:`e^{-k^2 / (2 v)}`.
    Without `variance` v is calibrated: as small, to a millionth, as the exact curve allows; with it, the
    claim is checked against the curve.  :meth:`with_variance` finds the epsilon for a variance.

    **Privacy.** Under `adjacency` (epsilon, delta)-DP, one point of the exact :meth:`privacy_curve`; and
    it is :attr:`concentrated`.  Draws are exact.  Their time depends on the noise, not on the value.
    **Accuracy.** The variance of each coordinate is at most v.
    **Source.** Canonne, Kamath and Steinke (2020), Theorems 4 and 7; the integer form of LZCW21-lem-44.

    Parameters
    ----------
    sensitivity : float
        L2 sensitivity of the value, at least 1: the largest Euclidean length of its change.
    variance : int, Fraction or float, optional
        The variance parameter v.
    n_coordinates : int, default 1
        Length of the value; the worst direction of its change is searched for.

    Examples
    --------
    >>> mechanism = DiscreteGaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=1)
    >>> round(float(mechanism.variance) ** 0.5, 3), mechanism.release(100, rng=1)
    (3.74, 103)
    >>> print(DiscreteGaussianMechanism.with_variance(variance=25, delta=1e-5, sensitivity=1).guarantee)
    (0.726643, 1e-05)-differential privacy (replace-one)
    """

    epsilon: float
    delta: float
    sensitivity: float
    variance: int | float | Fraction | None = None
    n_coordinates: int = 1
    adjacency: Adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        check.non_negative(epsilon=self.epsilon)
        check.probability_open(delta=self.delta)
        check.positive(sensitivity=self.sensitivity)
        check.positive_integer(n_coordinates=self.n_coordinates)
        check.instance(Adjacency, adjacency=self.adjacency)
        squared = _squared_length(self.sensitivity)
        if self.variance is None:
            variance = discrete_gaussian_variance(
                self.epsilon, self.delta, self.sensitivity, n_coordinates=self.n_coordinates
            )
        else:
            variance = check.positive_rational(variance=self.variance)
        object.__setattr__(self, "variance", variance)
        log_delta = worst_discrete_gaussian_log_delta(
            self.epsilon, squared, variance, n_coordinates=self.n_coordinates
        )
        if log_delta > np.log(self.delta):
            raise ValueError(f"variance must be larger for this claim, got {float(variance)!r}")

    @classmethod
    def with_variance(
        cls,
        *,
        variance: int | float | Fraction,
        delta: float,
        sensitivity: float,
        n_coordinates: int = 1,
        adjacency: Adjacency = Adjacency.REPLACE_ONE,
    ) -> Self:
        """The mechanism with a given variance, and the least epsilon that it may claim at this delta."""
        return cls(
            epsilon=discrete_gaussian_epsilon(delta, variance, sensitivity, n_coordinates=n_coordinates),
            delta=delta,
            sensitivity=sensitivity,
            variance=variance,
            n_coordinates=n_coordinates,
            adjacency=adjacency,
        )

    @property
    def guarantee(self) -> Guarantee:
        """(epsilon, delta)-differential privacy under the mechanism's own relation."""
        return Guarantee(self.epsilon, self.delta, self.adjacency)

    @property
    def concentrated(self) -> ConcentratedGuarantee:
        """rho-concentrated differential privacy with rho = squared sensitivity / (2 v)."""
        return ConcentratedGuarantee(
            _squared_length(self.sensitivity) / (2 * float(self.variance)), self.adjacency
        )

    def privacy_curve(self, epsilon: ArrayLike) -> NDArray[np.float64] | float:
        """Smallest delta at each epsilon, exactly: the worst over all integer changes of the value."""
        squared = _squared_length(self.sensitivity)
        log_deltas = [
            worst_discrete_gaussian_log_delta(e, squared, self.variance, n_coordinates=self.n_coordinates)
            for e in np.ravel(epsilon).tolist()
        ]
        delta = np.exp(log_deltas).reshape(np.shape(epsilon))
        return float(delta) if delta.ndim == 0 else delta

    def output_distribution(self, value: ArrayLike) -> DiscreteGaussian | Product:
        """Law of the answer.

        Parameters
        ----------
        value : int or array_like of int, shape (n_coordinates,)
            The private value; a number only if there is one coordinate.

        Returns
        -------
        DiscreteGaussian or Product
        """
        value = check.integer_answer(value=value)
        if np.size(value) != self.n_coordinates:
            raise ValueError(f"value must have {self.n_coordinates} coordinates, got {np.size(value)}")
        return joint(DiscreteGaussian(value, variance=self.variance))
