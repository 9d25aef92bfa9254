"""Sets of weight vectors: finite sets, boxes, balls, and the whole space."""

from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.bounds.sublevel import log_ball_volume
from privml.learners.penalised_erm.base import Domain, points

EDGE = 1e-9
"""Rounding allowed at the boundary, relative to the size of the set."""


@dataclass(frozen=True, eq=False)
class Finite(Domain):
    """A finite set of weight vectors, with the counting measure.

    Parameters
    ----------
    H : array_like of shape (n_points, dimension)
        The vectors.

    Examples
    --------
    >>> Finite([[0.0], [-2.0]]).radius
    2.0
    """

    H: ArrayLike
    convex = False

    def __post_init__(self) -> None:
        H = np.array(check.numbers(H=self.H))
        if H.ndim != 2 or H.size == 0 or not np.isfinite(H).all():
            raise ValueError(f"H must be a non-empty array of finite rows, got shape {H.shape}")
        object.__setattr__(self, "H", H)

    @property
    def dimension(self) -> int:
        return self.H.shape[1]

    @property
    def radius(self) -> float:
        return float(np.linalg.norm(self.H, axis=1).max())

    @property
    def log_volume(self) -> float:
        return log(len(self.H))

    def contains(self, H: ArrayLike) -> NDArray[np.bool_]:
        return (points(H, self.dimension)[:, None, :] == self.H).all(axis=2).any(axis=1)

    def uniform(self, size: int, *, rng: np.random.Generator | int | None = None) -> NDArray[np.float64]:
        return self.H[np.random.default_rng(rng).integers(len(self.H), size=size)]


@dataclass(frozen=True, eq=False)
class Box(Domain):
    """The product of the intervals [lower_j, upper_j].

    Parameters
    ----------
    lower, upper : array_like of shape (dimension,)
        The ends, ``lower < upper``.

    Examples
    --------
    >>> Box([-1.0, -1.0], [1.0, 3.0]).grid(2).H.tolist()
    [[-0.5, 0.0], [-0.5, 2.0], [0.5, 0.0], [0.5, 2.0]]
    """

    lower: ArrayLike
    upper: ArrayLike

    def __post_init__(self) -> None:
        lower, upper = check.finite_vector(lower=self.lower), check.finite_vector(upper=self.upper)
        if lower.shape != upper.shape or not (lower < upper).all():
            raise ValueError(f"lower must be below upper everywhere, got {lower!r} and {upper!r}")
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    @property
    def dimension(self) -> int:
        return self.lower.size

    @property
    def radius(self) -> float:
        return float(np.linalg.norm(np.maximum(abs(self.lower), abs(self.upper))))

    @property
    def log_volume(self) -> float:
        return float(np.log(self.upper - self.lower).sum())

    def contains(self, H: ArrayLike) -> NDArray[np.bool_]:
        rows, slack = points(H, self.dimension), EDGE * (self.upper - self.lower)
        return ((rows >= self.lower - slack) & (rows <= self.upper + slack)).all(axis=1)

    def _chord(self, H: NDArray, V: NDArray) -> tuple[NDArray, NDArray]:
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.stack([(self.lower - H) / V, (self.upper - H) / V])
        ends = np.where(V == 0, np.array([-inf, inf])[:, None, None], np.sort(ends, axis=0))
        return np.minimum(ends[0].max(axis=1), 0.0), np.maximum(ends[1].min(axis=1), 0.0)

    def uniform(self, size: int, *, rng: np.random.Generator | int | None = None) -> NDArray[np.float64]:
        return np.random.default_rng(rng).uniform(self.lower, self.upper, size=(size, self.dimension))

    def grid(self, cells: int) -> Finite:
        """The midpoints of ``cells`` equal parts of each side: a finite stand-in for the box."""
        check.positive_integer(cells=cells)
        middle = (np.arange(cells) + 0.5) / cells
        axes = [a + (b - a) * middle for a, b in zip(self.lower, self.upper, strict=True)]
        return Finite(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, self.dimension))


@dataclass(frozen=True)
class Ball(Domain):
    """The Euclidean ball around 0.

    >>> low, high = Ball(2, 2.0)._chord(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0]]))
    >>> low.tolist(), high.tolist()
    ([-3.0], [1.0])
    """

    dimension: int
    radius: float = 1.0

    def __post_init__(self) -> None:
        check.positive_integer(dimension=self.dimension)
        check.positive(radius=self.radius)

    @property
    def log_volume(self) -> float:
        return log_ball_volume(self.dimension, self.radius)

    def contains(self, H: ArrayLike) -> NDArray[np.bool_]:
        return np.linalg.norm(points(H, self.dimension), axis=1) <= self.radius * (1 + EDGE)

    def _chord(self, H: NDArray, V: NDArray) -> tuple[NDArray, NDArray]:
        a, b = (V * V).sum(axis=1), (H * V).sum(axis=1)
        c = np.minimum((H * H).sum(axis=1) - self.radius**2, 0.0)
        root = np.sqrt(b * b - a * c)
        return (-b - root) / a, (-b + root) / a

    def uniform(self, size: int, *, rng: np.random.Generator | int | None = None) -> NDArray[np.float64]:
        rng = np.random.default_rng(rng)
        directions = rng.normal(size=(size, self.dimension))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return self.radius * directions * rng.random((size, 1)) ** (1 / self.dimension)


@dataclass(frozen=True)
class WholeSpace(Domain):
    """All weight vectors: its measure is infinite, so only a proper penalty makes a law on it.

    >>> WholeSpace(3).log_volume
    inf
    """

    dimension: int
    radius = inf

    def __post_init__(self) -> None:
        check.positive_integer(dimension=self.dimension)

    def contains(self, H: ArrayLike) -> NDArray[np.bool_]:
        return np.isfinite(points(H, self.dimension)).all(axis=1)
