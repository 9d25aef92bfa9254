"""The Gaussian law, with tails in log space."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions.base import SymmetricLaw, checked_location


@dataclass(frozen=True, eq=False)
class Gaussian(SymmetricLaw):
    r"""Law with density :math:`\frac{1}{\sigma \sqrt{2 \pi}} e^{-(x - a)^2 / (2 \sigma^2)}` at each x.

    Draws are floating-point numbers, hence idealised, see :mod:`privml.floats`.

    **Source.** LZCW21-lem-44.

    Parameters
    ----------
    location : float or ndarray
        The answer a without noise; an array stands for independent coordinates.

    Examples
    --------
    >>> law = Gaussian(0.0, sigma=2.0)
    >>> float(law.cdf(0.0)), round(float(law.logsf(80.0)), 4)
    (0.5, -804.6084)
    >>> round(law.rvs(rng=0), 6)
    0.25146
    """

    location: ArrayLike = field(default=0.0, repr=False)
    sigma: float = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        checked_location(self.location)
        check.positive(sigma=self.sigma)

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural logarithm of the density at each point."""
        with np.errstate(over="ignore"):
            return -((self._beyond(points) / self.sigma) ** 2) / 2 - np.log(self.sigma * np.sqrt(2 * np.pi))

    def _log_cdf(self, noise: NDArray) -> NDArray[np.float64]:
        from scipy.special import log_ndtr

        return log_ndtr(noise / self.sigma)

    def _noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
        drawn = rng.standard_normal(shape)
        drawn *= self.sigma
        return drawn
