"""The additive noise laws: an answer in the middle, and noise that is symmetric about zero.

The location is a number, or an array of numbers: then every method works coordinate by coordinate, and the
draws of different coordinates are independent; :class:`Product` is their joint law.

Laplace and Gaussian draws are floating-point numbers, hence idealised (Mironov 2012).  Discrete Laplace draws
are exact: a difference of two geometric variables made of exact coins (:mod:`privml.coins`).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._display import POINTS, Picture, html_card
from privml.coins import SMALLEST_RATE, geometric

LARGEST_MIDDLE = 2**62  # to which noise of 64 bits is added without wrapping around
SMALLEST_REACH = 2.0**-40  # of a picture of noise
LEAST_SHOWN = 1e-3  # probability beyond a picture, on each side
NoiseDistribution = TypeVar("NoiseDistribution", bound="SymmetricDistribution")


def distance(points: ArrayLike, location: ArrayLike) -> NDArray:
    """The points minus the location; integers stay integers, so that large ones keep their digits."""
    given = (
        points
        if isinstance(points, np.ndarray) and points.dtype.kind in "iuf"
        else None
    )
    if given is None:
        given = check.numbers(points=points)
        given = np.asarray(points) if np.asarray(points).dtype.kind in "iu" else given
    if np.isnan(given).any():
        raise ValueError("points must be numbers, but got NaN.")
    middle = np.asarray(location)
    if given.dtype.kind in "iu" and middle.dtype.kind in "iu":
        large = any(
            (2 * abs(x.astype(float)) > LARGEST_MIDDLE).any() for x in (given, middle)
        )
        kind = (
            object if large else np.int64
        )  # the difference of two of 64 bits may have 65
        exact = np.subtract(given.astype(kind), middle.astype(kind))
        return np.asarray(exact, dtype=float) if large else exact
    return np.subtract(given, location)


def both_tails(below: NDArray, smaller_tail: NDArray) -> NDArray[np.float64]:
    """The log of a distribution function: that of the smaller tail below the middle, its complement above."""
    return np.where(below, smaller_tail, np.log1p(-np.exp(smaller_tail)))


class SymmetricDistribution(ABC):
    """Law of ``location + noise``, where the noise is symmetric about zero.

    Raises
    ------
    ValueError
        If the location is neither a number nor an array of numbers.
    """

    location: ArrayLike
    _step = 0  # distance between neighbouring values of the noise

    def __post_init__(self) -> None:
        if np.asarray(self.location).dtype.kind not in "iuf":
            raise ValueError(
                f"location must be a number or an array of numbers, but got {self.location!r}."
            )
        middle = np.asarray(self.location)
        if (
            self._step
            and ((middle > LARGEST_MIDDLE) | (middle < -LARGEST_MIDDLE)).any()
        ):
            raise ValueError(
                "location must be at most 2^62 in absolute value, but got a larger one."
            )

    def _repr_html_(self) -> str:
        return html_card(repr(self), note="the answer without noise is not shown")

    def plot(self, axes: Any = None) -> Picture:
        """Picture of the law of the noise, around 0, on `axes` if they are given."""
        distribution: Any = replace(self, location=0)  # type: ignore[type-var]  # the laws are dataclasses
        reach = SMALLEST_REACH
        while distribution.sf(reach) > LEAST_SHOWN:
            reach *= 1.25

        def draw(axes: Any) -> None:
            if self._step:
                points = np.unique(np.rint(np.linspace(-reach, reach, POINTS)))
                axes.vlines(points, 0, np.exp(distribution.logpmf(points)))
            else:
                points = np.linspace(-reach, reach, POINTS)
                axes.plot(points, np.exp(distribution.logpdf(points)))
            axes.set(
                xlabel="noise",
                ylabel="probability" if self._step else "density",
                ylim=(0, None),
            )

        return Picture(draw, axes)

    @abstractmethod
    def _log_cdf(self, noise: NDArray) -> NDArray[np.float64]:
        """Log-probability that the noise is at most each value."""

    @abstractmethod
    def _noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray:
        """Independent draws of the noise."""

    def _beyond(self, points: ArrayLike) -> NDArray:
        """The noise that leads to each point, or to the next possible value below it."""
        noise = distance(points, self.location)
        return np.floor(noise) if self._step else noise

    def logcdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural log-probability of an answer of at most each of `points`."""
        return self._log_cdf(self._beyond(points))

    def logsf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural log-probability of an answer above each of `points`."""
        return self._log_cdf(-self._beyond(points) - self._step)

    def cdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Probability of an answer of at most each of `points`."""
        return np.exp(self.logcdf(points))

    def sf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Probability of an answer above each of `points`, with full relative precision in the tail."""
        return np.exp(self.logsf(points))

    def rvs(
        self, size: int | None = None, *, rng: np.random.Generator | int | None = None
    ) -> float | int | NDArray:
        """Draws by a seed or Generator `rng`, of shape (size,) + location.shape; without a size one alone."""
        count = 1 if size is None else size
        check.draws(count)
        drawn = self._noise(
            (count, *np.shape(self.location)), np.random.default_rng(rng)
        )
        drawn += self.location
        return (
            drawn
            if size is not None
            else drawn[0]
            if drawn.ndim > 1
            else drawn[0].item()
        )


@dataclass(frozen=True, eq=False)
class Laplace(SymmetricDistribution):
    r"""Law with density :math:`\frac{1}{2 b} e^{-|x - a| / b}` at each x.

    Parameters
    ----------
    location : float or ndarray
        The answer a without noise.
    scale : float
        Scale of the noise b, positive; the standard deviation is b times the square root of 2.

    References
    ----------
    LZCW21-lem-42.

    Examples
    --------
    >>> law = Laplace(3.0, scale=2.0)
    >>> float(law.cdf(3.0)), round(float(law.sf(7.0)), 6), round(float(law.rvs(rng=0)), 6)
    (0.5, 0.067668, 2.32067)
    """

    location: ArrayLike = field(default=0.0, repr=False)
    scale: float = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.positive(scale=self.scale)

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural logarithm of the density at each of `points`."""
        return -np.abs(self._beyond(points)) / self.scale - np.log(2 * self.scale)

    def _log_cdf(self, noise: NDArray) -> NDArray[np.float64]:
        return both_tails(np.less(noise, 0), -np.abs(noise) / self.scale - np.log(2))

    def _noise(
        self, shape: tuple[int, ...], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        drawn = rng.standard_exponential(shape)
        drawn -= rng.standard_exponential(shape)
        drawn *= self.scale
        return drawn


@dataclass(frozen=True, eq=False)
class Gaussian(SymmetricDistribution):
    r"""Law with density :math:`\frac{1}{\sigma \sqrt{2 \pi}} e^{-(x - a)^2 / (2 \sigma^2)}` at each x.

    Parameters
    ----------
    location : float or ndarray
        The answer a without noise.
    sigma : float
        Standard deviation of the noise, positive.

    References
    ----------
    LZCW21-lem-44.

    Examples
    --------
    >>> law = Gaussian(0.0, sigma=2.0)
    >>> float(law.cdf(0.0)), round(float(law.logsf(80.0)), 4), round(float(law.rvs(rng=0)), 6)
    (0.5, -804.6084, 0.25146)
    """

    location: ArrayLike = field(default=0.0, repr=False)
    sigma: float = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.positive(sigma=self.sigma)

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural logarithm of the density at each of `points`."""
        with np.errstate(over="ignore"):
            return -((self._beyond(points) / self.sigma) ** 2) / 2 - np.log(
                self.sigma * np.sqrt(2 * np.pi)
            )

    def _log_cdf(self, noise: NDArray) -> NDArray[np.float64]:
        from scipy.special import log_ndtr

        return log_ndtr(noise / self.sigma)

    def _noise(
        self, shape: tuple[int, ...], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        drawn = rng.standard_normal(shape)
        drawn *= self.sigma
        return drawn


@dataclass(frozen=True, eq=False)
class DiscreteLaplace(SymmetricDistribution):
    r"""Law on the integers with probability :math:`\frac{1 - r}{1 + r}\, r^{|k - a|}`, :math:`r = e^{-1/b}`.

    Parameters
    ----------
    location : int or ndarray of int
        The answer a without noise.
    scale : Fraction
        Scale of the noise b, positive, at most 2^48, read as an exact fraction.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan (2009); Canonne, Kamath and Steinke (2020), section 5.2, for exact
    sampling, by another algorithm.

    Examples
    --------
    >>> from fractions import Fraction
    >>> law = DiscreteLaplace(10, scale=Fraction(3, 2))
    >>> np.exp(law.logpmf([9, 10, 11])).round(6).tolist(), law.rvs(5, rng=1).tolist()
    ([0.16507, 0.321513, 0.16507], [9, 8, 11, 10, 7])
    """

    location: ArrayLike = field(default=0, repr=False)
    scale: Fraction = field(default=Fraction(1), kw_only=True)
    _step = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "scale", check.positive_rational(scale=self.scale))
        if self.scale * SMALLEST_RATE > 1:
            raise ValueError(
                f"scale must be at most 2^48, but got {float(self.scale)!r}."
            )

    @property
    def _rate(self) -> float:
        return float(1 / self.scale)

    def logpmf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural log-probability of each of `points`; minus infinity between the integers."""
        noise = distance(points, self.location)
        normaliser = np.log(-np.expm1(-self._rate)) - np.log1p(np.exp(-self._rate))
        return np.where(
            noise == np.floor(noise), normaliser - np.abs(noise) * self._rate, -np.inf
        )

    def _log_cdf(self, noise: NDArray) -> NDArray[np.float64]:
        below = np.less(noise, 0)
        steps = np.where(below, np.negative(noise), np.add(noise, 1))
        return both_tails(below, -steps * self._rate - np.log1p(np.exp(-self._rate)))

    def _noise(
        self, shape: tuple[int, ...], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        size = int(np.prod(shape))
        both = geometric(1 / self.scale, 2 * size, rng)
        return (both[:size] - both[size:]).reshape(shape)


@dataclass(frozen=True, eq=False)
class Product:
    """Joint law of a vector whose coordinates are independent: of one law whose location is a vector.

    Parameters
    ----------
    marginals : SymmetricDistribution
        Laws of the coordinates: one whose location is a vector.

    Raises
    ------
    ValueError
        If the location is no vector.

    Examples
    --------
    >>> law = Product(Laplace(np.array([0.0, 5.0]), scale=1.0))
    >>> bool(np.isclose(law.logpdf([1.0, 5.0]), -1.0 - 2 * np.log(2.0))), law.rvs(3, rng=0).shape
    (True, (3, 2))
    """

    marginals: SymmetricDistribution

    def __post_init__(self) -> None:
        check.instance(SymmetricDistribution, marginals=self.marginals)
        if np.ndim(self.marginals.location) != 1:
            raise ValueError(
                f"location must be a vector, but got shape {np.shape(self.marginals.location)}."
            )

    def _repr_html_(self) -> str:
        return self.marginals._repr_html_()

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural logarithm of the joint density at points of shape (..., n_coordinates)."""
        return self.marginals.logpdf(points).sum(axis=-1)  # type: ignore[attr-defined]  # of a density

    def logpmf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural log-probability of integer points of shape (..., n_coordinates)."""
        return self.marginals.logpmf(points).sum(axis=-1)  # type: ignore[attr-defined]  # on integers

    def rvs(
        self, size: int | None = None, *, rng: np.random.Generator | int | None = None
    ) -> NDArray:
        """Draws by a seed or Generator `rng`: (size, n_coordinates), or (n_coordinates,) without a size."""
        return np.asarray(self.marginals.rvs(size, rng=rng))


def joint(distribution: NoiseDistribution) -> NoiseDistribution | Product:
    """The law as one of numbers or of vectors: a :class:`Product` if its location is a vector.

    Parameters
    ----------
    distribution : NoiseDistribution
        Law of noise around a number or a vector.
    """
    check.instance(SymmetricDistribution, distribution=distribution)
    return Product(distribution) if np.ndim(distribution.location) else distribution


check.wrap_module(__name__)
