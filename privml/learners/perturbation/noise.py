r"""Noise in a random direction with a length of the Gamma law: density :math:`\propto e^{-|b| / \theta}`."""

from dataclasses import dataclass
from math import lgamma, log, pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check


@dataclass(frozen=True)
class RadialLaplace:
    r"""Law on d-dimensional space with density proportional to :math:`e^{-|b| / \theta}`, Euclidean norm.

    Its direction is uniform, its length has the Gamma law of shape d and scale theta: mean :math:`d \theta`,
    mean square :math:`d (d + 1) \theta^2`.

    Shifting it by a vector of length s changes no density by more than a factor :math:`e^{s / \theta}`.

    In one dimension it is the Laplace law:

    >>> round(float(RadialLaplace(1, 2.0).logpdf([3.0])), 6), round(float(np.log(0.25) - 1.5), 6)
    (-2.886294, -2.886294)
    """

    dimension: int
    scale: float

    def __post_init__(self) -> None:
        check.positive_integer(dimension=self.dimension)
        check.positive(scale=self.scale)

    @property
    def mean_square(self) -> float:
        """Expected squared length."""
        mean_square = self.dimension * (self.dimension + 1) * self.scale * self.scale
        check.finite(mean_square=mean_square)
        return mean_square

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Logarithm of the density at points of shape (..., dimension)."""
        d = self.dimension
        area = log(2) + d / 2 * log(pi) - lgamma(d / 2)
        points = check.numbers(points=points)
        if points.ndim == 0 or points.shape[-1] != d:
            raise ValueError(f"points must be of shape (..., {d}), got shape {points.shape}")
        lengths = np.linalg.norm(points, axis=-1)
        return -lengths / self.scale - d * log(self.scale) - lgamma(d) - area

    def rvs(self, *, rng: np.random.Generator | int | None = None) -> NDArray[np.float64]:
        """One draw, of shape (dimension,)."""
        rng = np.random.default_rng(rng)
        direction = rng.standard_normal(self.dimension)
        return direction / np.linalg.norm(direction) * rng.gamma(self.dimension, self.scale)
