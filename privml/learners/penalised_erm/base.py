"""What domains and losses are, and what happens to a record before anything else."""

from abc import ABC, abstractmethod
from math import inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

LARGEST_ENTRY = 1e100


def unit_rows(X: ArrayLike) -> NDArray[np.float64]:
    """Rows of Euclidean norm at most 1: longer ones are scaled down, NaN counts as 0."""
    values = np.nan_to_num(np.asarray(X, dtype=float), nan=0.0, posinf=LARGEST_ENTRY, neginf=-LARGEST_ENTRY)
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
    rows = np.atleast_2d(np.asarray(H, dtype=float))
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

    def chord(self, H: NDArray, V: NDArray) -> tuple[NDArray, NDArray]:
        """Smallest and largest t with ``H + t V`` in the set, row by row."""
        raise ValueError(f"{type(self).__name__} has no chords")

    def uniform(self, size: int, *, rng: np.random.Generator | int | None = None) -> NDArray[np.float64]:
        """Independent uniform points, of shape (size, dimension)."""
        raise ValueError(f"{type(self).__name__} has no uniform law")

    @property
    def log_volume(self) -> float:
        """Logarithm of the base measure of the set."""
        return inf


class ScoreLoss(ABC):
    """A loss of a score ``s = <h, x>`` and a label y in [-1, 1], both real numbers.

    Attributes
    ----------
    convex : bool
        Whether it is convex in the score.
    """

    convex: bool = True

    @abstractmethod
    def value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """Loss, element by element."""

    @abstractmethod
    def derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """A derivative (where there is a kink, a subgradient) with respect to the score."""

    def both(self, scores: NDArray, y: NDArray) -> tuple[NDArray, NDArray]:
        """Sum of the losses of every column, and the derivatives; for speed."""
        return self.value(scores, y).sum(axis=0), self.derivative(scores, y)

    @abstractmethod
    def curvature(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """Non-negative stand-in for the second derivative; it only steers samplers."""

    @abstractmethod
    def oscillation(self, radius: float) -> float:
        """How much the loss of one record can vary over scores in [-radius, radius]: the worst record."""

    @abstractmethod
    def supremum(self, radius: float) -> float:
        """Largest loss of any record at any score in [-radius, radius]."""

    @abstractmethod
    def lipschitz(self, radius: float) -> float:
        """Lipschitz constant in the score, on [-radius, radius]."""
