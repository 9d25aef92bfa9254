"""The Laplace law: exponential noise to both sides."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions.base import SymmetricLaw, checked_location


@dataclass(frozen=True, eq=False)
class Laplace(SymmetricLaw):
    r"""Law with density :math:`\frac{1}{2 b} e^{-|x - a| / b}` at each x.

    A draw is a difference of two exponential variables, in floating point: idealised, see
    :mod:`privml.floats`.

    **Source.** LZCW21-lem-42.

    Parameters
    ----------
    location : float or ndarray
        The answer a without noise; an array stands for independent coordinates.
    scale : float
        The scale b, positive and finite; the standard deviation is b times the square root of 2.

    Examples
    --------
    >>> law = Laplace(3.0, scale=2.0)
    >>> float(law.cdf(3.0)), round(float(law.sf(7.0)), 6)
    (0.5, 0.067668)
    >>> round(law.rvs(rng=0), 6)
    2.32067
    """

    location: ArrayLike = field(default=0.0, repr=False)
    scale: float = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        checked_location(self.location)
        check.positive(scale=self.scale)

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural logarithm of the density at each point."""
        return -np.abs(self._beyond(points)) / self.scale - np.log(2 * self.scale)

    def _log_cdf(self, noise: NDArray) -> NDArray[np.float64]:
        smaller_tail = -np.abs(noise) / self.scale - np.log(2)
        return np.where(np.less(noise, 0), smaller_tail, np.log1p(-np.exp(smaller_tail)))

    def _noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
        drawn = rng.standard_exponential(shape)
        drawn -= rng.standard_exponential(shape)
        drawn *= self.scale
        return drawn
