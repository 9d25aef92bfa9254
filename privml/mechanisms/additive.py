r"""Noise on a number or a vector: the Laplace and the Gaussian mechanism.

A statistic f has *L1 sensitivity* :math:`\max \|f(z) - f(z')\|_1` and *L2 sensitivity*
:math:`\max \|f(z) - f(z')\|_2` over neighbouring data sets z, z'
(:func:`privml.queries.sensitivity_of`); for one number they agree.

Both are idealised: floating-point noise leaks (Mironov 2012).  For integers,
:mod:`privml.mechanisms.discrete` closes the hole.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import Adjacency
from privml.distributions import Gaussian, Laplace, Product, joint
from privml.divergences import (
    gaussian_delta,
    gaussian_epsilon,
    gaussian_log_delta,
    gaussian_mu,
)
from privml.divergences.noise import laplace_delta
from privml.guarantee import ConcentratedGuarantee, GaussianGuarantee
from privml.guarantee.conversions import gaussian_rho, laplace_rho
from privml.mechanisms.base import ApproximateMechanism, NoiseMechanism, noise_scale

SIGMA_FORMULAS = ("analytic", "classical")


@dataclass(frozen=True, kw_only=True)
class LaplaceMechanism(NoiseMechanism[float]):
    r"""Add Laplace noise of scale sensitivity / epsilon to every coordinate.

    The answer is :math:`f(z) + b`, where the :math:`b_i` are independent with density
    :math:`\frac{1}{2 \lambda} e^{-|u| / \lambda}` and :math:`\lambda = \vartheta / \varepsilon` for the
    sensitivity :math:`\vartheta`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    sensitivity : float
        Largest change between neighbours of the value, summed over coordinates (L1), positive.  Counts in
        cells change by 2 if a record is replaced, by 1 if it is added or removed.
    adjacency : Adjacency
        Neighbouring relation.

    Notes
    -----
    *Privacy.* The mechanism is epsilon-differentially private under `adjacency`.  If the value is a single
    number, `privacy_curve` is exact.  The mechanism is idealised, since its noise is a floating-point number.

    *Accuracy.* Each coordinate of the noise exceeds t in absolute value with probability
    ``exp(-t epsilon / sensitivity)``, and its standard deviation is ``sqrt(2) sensitivity / epsilon``.

    References
    ----------
    LZCW21-lem-42, with the sensitivity of LZCW21-def-41.

    Examples
    --------
    >>> mechanism = LaplaceMechanism(epsilon=0.5, sensitivity=1.0)
    >>> round(mechanism.release(100.0, rng=0), 4), str(mechanism.guarantee)
    (99.3207, '0.5-differential privacy (replace-one)')
    """

    epsilon: float
    sensitivity: float
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    sensitivity_order: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        check.positive(epsilon=self.epsilon, sensitivity=self.sensitivity)
        check.instance(Adjacency, adjacency=self.adjacency)
        noise_scale(self.sensitivity, self.epsilon)

    @property
    def concentrated(self) -> ConcentratedGuarantee:
        """rho-concentrated differential privacy with rho = epsilon + exp(-epsilon) - 1."""
        return ConcentratedGuarantee(laplace_rho(self.epsilon), self.adjacency)

    @property
    def scale(self) -> float:
        """Scale of the noise, in units of the value: sensitivity / epsilon, rounded up."""
        return noise_scale(self.sensitivity, self.epsilon)

    def privacy_curve(self, epsilon: ArrayLike) -> NDArray[np.float64] | float:
        return laplace_delta(epsilon, shift=self.sensitivity, scale=self.scale)

    def output_distribution(self, value: ArrayLike) -> Laplace | Product:
        return joint(Laplace(check.finite_answer(value=value), scale=self.scale))


def gaussian_sigma(
    epsilon: float,
    delta: float,
    sensitivity: float = 1.0,
    *,
    calibration: str = "analytic",
) -> float:
    r"""Standard deviation of Gaussian noise that gives (epsilon, delta)-differential privacy.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative, for "classical" in (0, 1].
    delta : float
        Additive slack, in (0, 1).
    sensitivity : float
        Largest change between neighbours in Euclidean length, positive.
    calibration : {"analytic", "classical"}
        The smallest, by inverting the exact curve, for epsilon >= 0; or one just above
        :math:`\sqrt{2 \ln(1.25 / \delta)}\, \vartheta_2 / \varepsilon`, proved for epsilon <= 1 only.

    Raises
    ------
    ValueError
        If no float is a sigma for this claim.

    Notes
    -----
    The exact curve has been evaluated at ``sensitivity / sigma``, in log space and with a bound on its rounding
    errors, and is at most delta there.

    References
    ----------
    LZCW21-lem-44, which lacks the condition epsilon <= 1: at delta = 1e-5 and epsilon = 10 the classical
    sigma has delta 2.3e-5.  Balle and Wang (2018), Algorithm 1, for the analytic one.

    Examples
    --------
    >>> round(gaussian_sigma(0.5, 1e-5), 3), round(gaussian_sigma(0.5, 1e-5, calibration="classical"), 3)
    (7.032, 9.69)
    """
    check.positive(sensitivity=sensitivity)
    check.probability_open(delta=delta)
    check.one_of(SIGMA_FORMULAS, calibration=calibration)
    if calibration == "classical":
        check.positive(epsilon=epsilon)
        if epsilon > 1:
            raise ValueError(
                f"epsilon must be in (0, 1] for calibration='classical', but got {epsilon!r}. Use "
                "calibration='analytic', which accepts any epsilon >= 0."
            )
        least = (
            float(np.sqrt(2 * np.log(1.25 / delta)))
            * float(sensitivity)
            / float(epsilon)
        )
        if not np.isfinite(least):
            raise ValueError(f"epsilon must leave a finite sigma, but got {epsilon!r}.")
        return float(np.nextafter(least, np.inf))
    mu = gaussian_mu(epsilon, delta)
    sigma = sensitivity / mu
    if not 0 < sigma < np.inf:
        raise ValueError(
            f"sensitivity must leave a positive finite sigma, but got {sensitivity!r}."
        )
    while sensitivity / sigma > mu:
        sigma = float(np.nextafter(sigma, np.inf))
    return sigma


@dataclass(frozen=True, kw_only=True)
class GaussianMechanism(NoiseMechanism[float], ApproximateMechanism):
    r"""Add Gaussian noise to every coordinate.

    The answer is :math:`f(z) + N(0, \sigma^2 I)`.  Without `sigma` the noise is the least that gives
    (epsilon, delta); with it, the claim is checked against the exact curve, so that no mechanism with a
    false claim exists.  :meth:`with_sigma` finds the epsilon of a sigma.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    delta : float
        Additive slack, in (0, 1).
    sensitivity : float
        Largest change between neighbours of the value in Euclidean length (L2), positive.
    sigma : float, optional
        Standard deviation of the noise, positive; None is the least (:func:`gaussian_sigma`).
    adjacency : Adjacency
        Neighbouring relation.

    Raises
    ------
    ValueError
        If sigma is too small for epsilon and delta.

    Notes
    -----
    *Privacy.* The mechanism is (epsilon, delta)-differentially private under `adjacency`.  This is one point of
    :meth:`privacy_curve`, which is exact for numbers and vectors alike, and :attr:`concentrated` holds as well.
    The mechanism is idealised, since its noise is a floating-point number.

    *Accuracy.* The standard deviation of each coordinate is sigma.

    References
    ----------
    LZCW21-lem-44, with the sensitivity of LZCW21-def-43; Balle and Wang (2018), Theorem 8, for the exact
    curve.

    Examples
    --------
    >>> mechanism = GaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=1.0)
    >>> round(mechanism.sigma, 3), mechanism.release([10.0, 20.0], rng=0).round(3).tolist()
    (3.731, [10.469, 19.507])
    """

    epsilon: float
    delta: float
    sensitivity: float
    sigma: float = None  # type: ignore[assignment]  # then the smallest
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    sensitivity_order: ClassVar[float] = 2.0

    def __post_init__(self) -> None:
        check.non_negative(epsilon=self.epsilon)
        check.standard_ranges(delta=self.delta, sensitivity=self.sensitivity)
        check.instance(Adjacency, adjacency=self.adjacency)
        if self.sigma is None:  # the least has been evaluated
            sigma = gaussian_sigma(self.epsilon, self.delta, self.sensitivity)
            object.__setattr__(self, "sigma", sigma)
            return
        check.positive(sigma=self.sigma)
        if gaussian_log_delta(self.epsilon, mu=self.mu) > np.log(self.delta):
            least = gaussian_sigma(self.epsilon, self.delta, self.sensitivity)
            raise ValueError(
                f"sigma must be at least {least!r} for this epsilon and delta, but got {self.sigma!r}. To find the "
                "epsilon that a given sigma supports, use GaussianMechanism.with_sigma."
            )

    @classmethod
    def with_sigma(
        cls,
        *,
        sigma: float,
        delta: float,
        sensitivity: float,
        adjacency: Adjacency = Adjacency.REPLACE_ONE,
    ) -> Self:
        """The mechanism with a given sigma, and the least epsilon that it may claim at this delta.

        Parameters
        ----------
        sigma, delta, sensitivity : float
            Standard deviation of the noise, positive; additive slack, in (0, 1); as for the class.
        adjacency : Adjacency
            Neighbouring relation.
        """
        check.positive(sigma=sigma, sensitivity=sensitivity)
        epsilon = gaussian_epsilon(delta=delta, mu=sensitivity / sigma)
        return cls(
            epsilon=epsilon,
            delta=delta,
            sensitivity=sensitivity,
            sigma=sigma,
            adjacency=adjacency,
        )

    @property
    def mu(self) -> float:
        """Sensitivity over sigma; releases compose by the sum of the squares of mu."""
        return self.sensitivity / self.sigma

    @property
    def concentrated(self) -> ConcentratedGuarantee:
        """rho-concentrated differential privacy with rho = mu^2 / 2."""
        return ConcentratedGuarantee(gaussian_rho(self.mu), self.adjacency)

    @property
    def gaussian(self) -> GaussianGuarantee:
        """mu-Gaussian differential privacy, the exact promise of this noise."""
        return GaussianGuarantee(self.mu, self.adjacency)

    def privacy_curve(self, epsilon: ArrayLike) -> NDArray[np.float64] | float:
        return gaussian_delta(epsilon, mu=self.mu)

    def output_distribution(self, value: ArrayLike) -> Gaussian | Product:
        return joint(Gaussian(check.finite_answer(value=value), sigma=self.sigma))


check.wrap_module(__name__)
