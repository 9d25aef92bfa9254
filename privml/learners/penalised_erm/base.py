"""What domains and losses are, and what happens to a record before anything else."""

from abc import ABC, abstractmethod
from math import inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import numbers

LARGEST_ENTRY = 1e100


def unit_rows(X: ArrayLike) -> NDArray[np.float64]:
    """Rows of Euclidean norm at most 1: longer ones are scaled down, NaN counts as 0."""
    values = np.nan_to_num(
        numbers("X", X).astype(float), nan=0.0, posinf=LARGEST_ENTRY, neginf=-LARGEST_ENTRY
    )
    if values.ndim != 2 or values.shape[0] == 0 or values.shape[1] == 0:
        raise ValueError(f"X must be of shape (n_samples, n_features), got shape {values.shape}")
    np.clip(values, -LARGEST_ENTRY, LARGEST_ENTRY, out=values)
    norms = np.linalg.norm(values, axis=1, keepdims=True)
    return values / np.maximum(norms, 1.0)


def design(X: ArrayLike, fit_intercept: bool) -> NDArray[np.float64]:
    """Records in the unit ball; an intercept is a constant feature, and all is divided by the root of 2."""
    rows = unit_rows(X)
    return np.column_stack([rows, np.ones(len(rows))]) / sqrt(2) if fit_intercept else rows


def points(H: ArrayLike, dimension: int) -> NDArray[np.float64]:
    """Hypotheses as rows of an array of shape (n_points, dimension)."""
    rows = np.atleast_2d(check.numbers(H=H))
    if rows.ndim != 2 or rows.shape[1] != dimension:
        raise ValueError(f"hypotheses must be of shape (n_points, {dimension}), got shape {rows.shape}")
    return rows


class Domain(ABC):
    """A set of weight vectors with its base measure (Lebesgue or counting).

    Attributes
    ----------
    dimension : int
        Number of coordinates of a weight vector.
    radius : float
        Largest Euclidean norm; infinite for the whole space.
    convex : bool
        Whether the set is convex.
    """

    dimension: int
    radius: float
    convex: bool = True

    @abstractmethod
    def contains(self, H: ArrayLike) -> NDArray[np.bool_]:
        """Which rows lie in the set."""

    def _chord(self, H: NDArray, V: NDArray) -> tuple[NDArray, NDArray]:
        """Smallest and largest t with ``H + t V`` in the set, row by row."""
        raise ValueError(f"{type(self).__name__} has no chords")

    def uniform(self, size: int, *, rng: np.random.Generator | int | None = None) -> NDArray[np.float64]:
        """Independent uniform points, of shape (size, dimension)."""
        raise ValueError(f"{type(self).__name__} has no uniform law")

    @property
    def log_volume(self) -> float:
        """Logarithm of the base measure of the set."""
        return inf


def _checked(radius: float) -> float:
    if radius != inf:
        check.positive(radius=radius)
    return float(radius)


class ScoreLoss(ABC):
    """A loss of a score ``s = <h, x>`` and a label y in [-1, 1], both real numbers.

    Attributes
    ----------
    convex : bool
        Whether it is convex in the score.
    """

    convex: bool = True

    def value(self, scores: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Loss, element by element."""
        return self._value(check.numbers(scores=scores), check.numbers(y=y))

    def oscillation(self, radius: float) -> float:
        """How much the loss of one record can vary over scores in [-radius, radius]: the worst record."""
        return float(self._oscillation(_checked(radius)))

    def supremum(self, radius: float) -> float:
        """Largest loss of any record at any score in [-radius, radius]."""
        return float(self._supremum(_checked(radius)))

    def lipschitz(self, radius: float) -> float:
        """Lipschitz constant in the score, on [-radius, radius]."""
        return float(self._lipschitz(_checked(radius)))

    @abstractmethod
    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """The loss of arrays."""

    @abstractmethod
    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """A derivative (where there is a kink, a subgradient) with respect to the score."""

    def _both(self, scores: NDArray, y: NDArray) -> tuple[NDArray, NDArray]:
        """Sum of the losses of every column, and the derivatives; for speed."""
        return self._value(scores, y).sum(axis=0), self._derivative(scores, y)

    @abstractmethod
    def _curvature(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """Non-negative stand-in for the second derivative; it only steers samplers."""

    @abstractmethod
    def _oscillation(self, radius: float) -> float: ...

    @abstractmethod
    def _supremum(self, radius: float) -> float: ...

    @abstractmethod
    def _lipschitz(self, radius: float) -> float: ...
