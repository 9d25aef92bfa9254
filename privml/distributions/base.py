"""What the additive noise laws share: an answer in the middle, and noise that is symmetric about zero."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check


def checked_location(location: ArrayLike) -> ArrayLike:
    """Return the location, or raise unless it is a number or an array of numbers."""
    if np.asarray(location).dtype.kind not in "iuf":
        raise ValueError(f"location must be a number or an array of numbers, got {location!r}")
    return location


def distance(points: ArrayLike, location: ArrayLike) -> NDArray:
    """The points minus the location; integers stay integers, so that large ones keep their digits."""
    given = points if isinstance(points, np.ndarray) and points.dtype.kind in "iuf" else None
    if given is None:
        given = check.numbers(points=points)
        given = np.asarray(points) if np.asarray(points).dtype.kind in "iu" else given
    if np.isnan(given).any():
        raise ValueError("points must be numbers, got NaN")
    return np.subtract(given, location)


class SymmetricLaw(ABC):
    """Law of ``location + noise``, where the noise is symmetric about zero.

    The location is a number, or an array of numbers: then every method works coordinate by coordinate,
    and the draws of different coordinates are independent.
    """

    location: ArrayLike
    _step = 0  # distance between neighbouring values of the noise

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
        """Natural log-probability of an answer of at most each point."""
        return self._log_cdf(self._beyond(points))

    def logsf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural log-probability of an answer above each point."""
        return self._log_cdf(-self._beyond(points) - self._step)

    def cdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Probability of an answer of at most each point."""
        return np.exp(self.logcdf(points))

    def sf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Probability of an answer above each point, with full relative precision in the tail."""
        return np.exp(self.logsf(points))

    def rvs(
        self, size: int | None = None, *, rng: np.random.Generator | int | None = None
    ) -> float | int | NDArray:
        """Draw answers.

        Parameters
        ----------
        size : int, optional
            Number of independent draws; None draws one and drops the first axis.

        Returns
        -------
        number or ndarray of shape (size,) + location.shape
        """
        rng = np.random.default_rng(rng)
        if size is not None:
            check.draws(size)
        drawn = self._noise(((1 if size is None else size), *np.shape(self.location)), rng)
        drawn += self.location
        if size is not None:
            return drawn
        return drawn[0] if drawn.ndim > 1 else drawn[0].item()
