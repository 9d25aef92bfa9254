r"""Integer noise on integers: the discrete Laplace and the discrete Gaussian mechanism.

Counts are integers, and so may be their noise.  Then the answer can be drawn exactly (:mod:`privml.coins`),
and what is proved of the law holds for what the computer does; the privacy curves are summed term by term.
Real-valued statistics join in after rounding to a grid: multiply by a public factor, round, and take the
sensitivity of what results.

A parameter given as a float is read as the exact fraction that it is.  The time a draw takes depends on the
noise, as does its number of random bits; neither depends on the value.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._rounding import float_at_least
from privml._search import crossing
from privml.adjacency import Adjacency
from privml.coins import SMALLEST_RATE
from privml.distributions import DiscreteGaussian, DiscreteLaplace, Product, joint
from privml.divergences import (
    discrete_laplace_delta,
    gaussian_mu,
    worst_discrete_gaussian_log_delta,
)
from privml.guarantee import ConcentratedGuarantee, Guarantee
from privml.mechanisms.base import ApproximateMechanism, NoiseMechanism

ROUNDING = 1e-12  # of a log-probability, relative, generously
PRECISION = 1e-6  # of a calibrated variance, relative


@dataclass(frozen=True, kw_only=True)
class DiscreteLaplaceMechanism(NoiseMechanism[int]):
    r"""Add discrete Laplace noise of scale sensitivity / epsilon to every integer coordinate.

    Each coordinate gets independent noise k with probability proportional to
    :math:`e^{-\varepsilon |k| / \vartheta}`.

    Parameters
    ----------
    epsilon : int or float or Fraction
        Privacy parameter in nats, positive, read as an exact fraction.
    sensitivity : int
        Largest change between neighbours of the value, summed over coordinates (L1), a positive integer.
    adjacency : Adjacency
        Neighbouring relation.

    Raises
    ------
    ValueError
        If epsilon is below ``2^-48 sensitivity``.

    Notes
    -----
    *Privacy.* The mechanism is epsilon-differentially private under `adjacency`.  This holds for the program as it
    runs, because draws are exact.  If the value is a single number, :meth:`privacy_curve` is exact as well.

    *Accuracy.* With ``r = exp(-epsilon / sensitivity)``, a coordinate is off by at least t, a positive integer, with
    probability ``2 r^t / (1 + r)``, and its standard deviation is ``sqrt(2 r) / (1 - r)``.

    References
    ----------
    LZCW21-lem-42 on the integers; Ghosh, Roughgarden and Sundararajan (2009).

    Examples
    --------
    >>> mechanism = DiscreteLaplaceMechanism(epsilon=0.5, sensitivity=1)
    >>> mechanism.release(100, rng=0), mechanism.release([3, 0, 7], rng=0).tolist()
    (99, [2, 0, 7])
    """

    epsilon: int | float | Fraction  # type: ignore[assignment]  # exactly
    sensitivity: int
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    sensitivity_order: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        epsilon = check.positive_rational(epsilon=self.epsilon)
        check.positive_integer(sensitivity=self.sensitivity)
        check.instance(Adjacency, adjacency=self.adjacency)
        if epsilon < self.sensitivity * SMALLEST_RATE:
            least = float(self.sensitivity * SMALLEST_RATE)
            raise ValueError(
                f"epsilon must be at least {least!r} for this sensitivity, but got {self.epsilon!r}."
            )

    @property
    def guarantee(self) -> Guarantee:
        """epsilon-differential privacy under the mechanism's own relation."""
        return Guarantee(
            float_at_least(Fraction(self.epsilon)), adjacency=self.adjacency
        )

    @property
    def scale(self) -> Fraction:
        """Scale of the noise, exactly."""
        return int(self.sensitivity) / check.positive_rational(epsilon=self.epsilon)

    def privacy_curve(self, epsilon: ArrayLike) -> NDArray[np.float64] | float:
        return discrete_laplace_delta(epsilon, shift=self.sensitivity, scale=self.scale)

    def output_distribution(self, value: ArrayLike) -> DiscreteLaplace | Product:
        return joint(
            DiscreteLaplace(check.integer_answer(value=value), scale=self.scale)
        )


def _squared_length(sensitivity: float) -> int:
    """Largest integer sum of squares of at most that length; sqrt(3.0) must count as 3."""
    check.positive(sensitivity=sensitivity)
    if not 1 - 1e-12 <= sensitivity <= 1e100:
        raise ValueError(
            f"sensitivity must be from 1 to 1e100 for integers, but got {sensitivity!r}."
        )
    return int(float(sensitivity) ** 2 * (1 + 1e-12))


def _least_epsilon(
    delta: float, variance: Fraction, sensitivity: float, n_coordinates: int
) -> float:
    """Smallest epsilon at which the exact curve, evaluated there, is at most delta."""
    check.probability_open(delta=delta)
    squared, target = _squared_length(sensitivity), np.log(delta) * (1 + ROUNDING)
    rho = squared / (2 * float(variance))
    upper = (
        rho + 2 * np.sqrt(-rho * target) + 1e-9
    )  # what rho-concentrated privacy promises

    def excess(epsilon: float) -> float:
        return (
            worst_discrete_gaussian_log_delta(epsilon, squared, variance, n_coordinates)
            - target
        )

    return crossing(excess, lower=0.0, upper=float(upper))


def _least_variance(
    epsilon: float, delta: float, sensitivity: float, n_coordinates: int
) -> Fraction:
    """A variance at which the exact curve is at most delta, while at a millionth less it is not.

    The search starts at the variance of real Gaussian noise and widens until it brackets a crossing.
    """
    squared, precision = _squared_length(sensitivity), gaussian_mu(epsilon, delta) ** 2
    if precision < squared * SMALLEST_RATE**2:
        raise ValueError(
            f"delta must leave a variance of at most 2^96 at this epsilon, but got {delta!r}."
        )
    guess, target = squared / precision, np.log(delta) * (1 + ROUNDING)

    def holds(variance: float) -> bool:
        return (
            worst_discrete_gaussian_log_delta(epsilon, squared, variance, n_coordinates)
            <= target
        )

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
class DiscreteGaussianMechanism(NoiseMechanism[int], ApproximateMechanism):
    r"""Add discrete Gaussian noise to every integer coordinate.

    Each coordinate gets independent noise k with probability proportional to :math:`e^{-k^2 / (2 v)}`.
    Without `variance` v is calibrated: as small, to a millionth, as the exact curve allows; with it, the
    claim is checked against the curve.  :meth:`with_variance` finds the epsilon for a variance.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    delta : float
        Additive slack, in (0, 1).
    sensitivity : float
        Largest change between neighbours of the value in Euclidean length, positive, at least 1.
    variance : int, Fraction or float, optional
        Variance parameter v, positive; None takes the least for this claim, to a millionth.
    n_coordinates : int, default 1
        Number of coordinates, a positive integer, that a vector must state; the worst change is searched for.
    adjacency : Adjacency
        Neighbouring relation.

    Raises
    ------
    ValueError
        If the variance is too small for epsilon and delta.

    Notes
    -----
    *Privacy.* The mechanism is (epsilon, delta)-differentially private under `adjacency`.  This is one point of the
    exact :meth:`privacy_curve`, and :attr:`concentrated` holds as well.  Draws are exact.

    *Accuracy.* The variance of each coordinate is at most v.

    References
    ----------
    Canonne, Kamath and Steinke (2020), Theorems 4 and 7; the integer form of LZCW21-lem-44.

    Examples
    --------
    >>> mechanism = DiscreteGaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=1)
    >>> round(float(mechanism.variance) ** 0.5, 4), mechanism.release(100, rng=1)
    (3.7405, 103)
    """

    epsilon: float
    delta: float
    sensitivity: float
    variance: Fraction = None  # type: ignore[assignment]  # then the smallest, to a millionth
    n_coordinates: int = 1
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    sensitivity_order: ClassVar[float] = 2.0

    def __post_init__(self) -> None:
        check.non_negative(epsilon=self.epsilon)
        check.standard_ranges(delta=self.delta, n_coordinates=self.n_coordinates)
        check.instance(Adjacency, adjacency=self.adjacency)
        if self.variance is None:
            variance = _least_variance(
                self.epsilon, self.delta, self.sensitivity, self.n_coordinates
            )
        else:
            variance = check.positive_rational(variance=self.variance)
        object.__setattr__(self, "variance", variance)
        if self._log_delta(self.epsilon) > np.log(self.delta):
            raise ValueError(
                f"variance must be larger for this epsilon and delta, but got {float(variance)!r}."
            )

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
        """The mechanism with a given variance, and the least epsilon that it may claim at this delta.

        Parameters
        ----------
        variance : int, float or Fraction
            Variance parameter v, positive, read as an exact fraction.
        delta : float
            Additive slack, in (0, 1).
        sensitivity : float
            As for the class.
        n_coordinates : int
            Number of coordinates of the value, a positive integer.
        adjacency : Adjacency
            Neighbouring relation.

        Examples
        --------
        >>> print(DiscreteGaussianMechanism.with_variance(variance=25, delta=1e-5, sensitivity=1).guarantee)
        (0.726643, 1e-05)-differential privacy (replace-one)
        """
        exact = check.positive_rational(variance=variance)
        epsilon = _least_epsilon(delta, exact, sensitivity, n_coordinates)
        claim: dict[str, Any] = {
            "epsilon": epsilon,
            "delta": delta,
            "sensitivity": sensitivity,
        }
        return cls(
            **claim, variance=exact, n_coordinates=n_coordinates, adjacency=adjacency
        )

    def _log_delta(self, epsilon: float) -> float:
        squared = _squared_length(self.sensitivity)
        return worst_discrete_gaussian_log_delta(
            epsilon, squared, self.variance, self.n_coordinates
        )

    @property
    def concentrated(self) -> ConcentratedGuarantee:
        """rho-concentrated differential privacy with rho = squared sensitivity / (2 v)."""
        squared = _squared_length(self.sensitivity)
        rho = float_at_least(squared / (2 * Fraction(self.variance)))
        return ConcentratedGuarantee(rho, self.adjacency)

    def privacy_curve(self, epsilon: ArrayLike) -> NDArray[np.float64] | float:
        delta = np.exp(
            [self._log_delta(e) for e in np.ravel(epsilon).tolist()]
        ).reshape(np.shape(epsilon))
        return float(delta) if delta.ndim == 0 else delta

    def output_distribution(self, value: ArrayLike) -> DiscreteGaussian | Product:
        value = check.integer_answer(value=value)
        if np.size(value) != self.n_coordinates:
            raise ValueError(
                f"value must have n_coordinates={self.n_coordinates}, but got {np.size(value)}. Construct the "
                f"mechanism with n_coordinates={np.size(value)}."
            )
        return joint(DiscreteGaussian(value, variance=self.variance))


check.wrap_module(__name__)
