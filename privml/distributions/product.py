"""Vectors of independent coordinates as one law."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions.base import SymmetricLaw


@dataclass(frozen=True, eq=False)
class Product:
    """Joint law of a vector whose coordinates are independent.

    Parameters
    ----------
    marginals : SymmetricLaw
        A law whose location is a vector.

    Examples
    --------
    >>> from privml.distributions import Laplace
    >>> law = Product(Laplace(np.array([0.0, 5.0]), scale=1.0))
    >>> bool(np.isclose(law.logpdf([1.0, 5.0]), -1.0 - 2 * np.log(2.0)))
    True
    >>> law.rvs(3, rng=0).shape
    (3, 2)
    """

    marginals: SymmetricLaw

    def __post_init__(self) -> None:
        check.instance(SymmetricLaw, marginals=self.marginals)
        if np.ndim(self.marginals.location) != 1:
            raise ValueError(f"location must be a vector, got shape {np.shape(self.marginals.location)}")

    @property
    def n_coordinates(self) -> int:
        """Length of the vector."""
        return np.size(self.marginals.location)

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural logarithm of the joint density at points of shape (..., n_coordinates)."""
        return self.marginals.logpdf(points).sum(axis=-1)

    def logpmf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural log-probability of integer points of shape (..., n_coordinates)."""
        return self.marginals.logpmf(points).sum(axis=-1)

    def rvs(self, size: int | None = None, *, rng: np.random.Generator | int | None = None) -> NDArray:
        """Draw vectors: an array of shape (size, n_coordinates), or (n_coordinates,) without a size."""
        return self.marginals.rvs(size, rng=rng)


def joint(law: SymmetricLaw) -> SymmetricLaw | Product:
    """The law as one of numbers or of vectors: a :class:`Product` if its location is a vector."""
    check.instance(SymmetricLaw, law=law)
    return Product(law) if np.ndim(law.location) else law
