"""The discrete Laplace law on the integers, and an exact sampler."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.coins import SMALLEST_RATE, geometric
from privml.distributions.base import SymmetricLaw, checked_location, distance


@dataclass(frozen=True, eq=False)
class DiscreteLaplace(SymmetricLaw):
    r"""Law on the integers with probability :math:`\frac{1 - r}{1 + r}\, r^{|k - a|}`, :math:`r = e^{-1/b}`.

    Draws are exact: a difference of two independent geometric variables made of exact coins
    (:mod:`privml.coins`), since ``sum over j of (1 - r)^2 r^j r^(j + |k|)`` is the probability above.

    **Source.** Ghosh, Roughgarden and Sundararajan (2009); Canonne, Kamath and Steinke (2020), section 5.2,
    for exact sampling, by another algorithm.

    Parameters
    ----------
    location : int or ndarray of int
        The answer a without noise; an array stands for independent coordinates.

    Examples
    --------
    >>> law = DiscreteLaplace(10, scale=Fraction(3, 2))
    >>> np.exp(law.logpmf([9, 10, 11])).round(6).tolist()
    [0.16507, 0.321513, 0.16507]
    >>> law.rvs(5, rng=1).tolist()
    [9, 8, 11, 10, 7]
    """

    location: ArrayLike = field(default=0, repr=False)
    scale: Fraction = field(default=Fraction(1), kw_only=True)
    _step = 1

    def __post_init__(self) -> None:
        checked_location(self.location)
        object.__setattr__(self, "scale", check.positive_rational(scale=self.scale))
        if self.scale * SMALLEST_RATE > 1:
            raise ValueError(f"scale must be at most 2^48, got {float(self.scale)!r}")

    @property
    def _rate(self) -> float:
        return float(1 / self.scale)

    def logpmf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural log-probability of each point; minus infinity between the integers."""
        noise = distance(points, self.location)
        normaliser = np.log(-np.expm1(-self._rate)) - np.log1p(np.exp(-self._rate))
        return np.where(noise == np.floor(noise), normaliser - np.abs(noise) * self._rate, -np.inf)

    def _log_cdf(self, noise: NDArray) -> NDArray[np.float64]:
        below = np.less(noise, 0)
        steps = np.where(below, np.negative(noise), np.add(noise, 1))
        smaller_tail = -steps * self._rate - np.log1p(np.exp(-self._rate))
        return np.where(below, smaller_tail, np.log1p(-np.exp(smaller_tail)))

    def _noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
        size = int(np.prod(shape))
        both = geometric(1 / self.scale, 2 * size, rng)
        return (both[:size] - both[size:]).reshape(shape)
