"""Sets of weight vectors: finite sets, boxes, balls, and the whole space.

Boxes and balls draw exactly from Gaussians that are cut off at their boundary, the envelopes of samplers.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf, pi
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learners.penalised_erm.cut_off import EDGE, ball_draws, ball_mean, box_mean

LARGEST_RULE = 10**4  # nodes of a quadrature on one axis


def _legendre(n: int) -> tuple[NDArray, NDArray]:
    """Nodes and weights of Gauss-Legendre quadrature on [-1, 1]."""
    check.positive_integer(nodes=n)
    check.at_most(LARGEST_RULE, nodes=n)
    return np.polynomial.legendre.leggauss(n)


def _mesh(axes: NDArray) -> NDArray[np.float64]:
    """All points whose coordinates are entries of the columns."""
    return np.stack(np.meshgrid(*axes.T, indexing="ij"), axis=-1).reshape(
        -1, axes.shape[1]
    )


class Domain(ABC):
    """A set of weight vectors: number of coordinates, largest Euclidean norm, and whether it is convex."""

    dimension: int
    radius: float
    convex: bool = True

    def _rows(self, H: ArrayLike) -> NDArray[np.float64]:
        """Hypotheses as rows of an array of shape (n_points, dimension)."""
        rows = np.atleast_2d(check.numbers(H=H))
        if rows.ndim != 2 or rows.shape[1] != self.dimension:
            raise ValueError(
                f"H must be of shape (n_points, {self.dimension}), but got shape {rows.shape}."
            )
        return rows


class Body(Domain):
    """A ball or a box, with what samplers and quadrature need; points are rows of arrays."""

    @abstractmethod
    def contains(self, H: ArrayLike) -> NDArray[np.bool_]:
        """Which rows of `H`, points of shape (n_points, dimension), lie in the set."""

    @abstractmethod
    def nodes(self, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Gauss-Legendre nodes, `n` per axis, of shape (n_nodes, dimension at most 2), and their weights."""

    @abstractmethod
    def _nearest(self, h: NDArray) -> NDArray[np.float64]:
        """The nearest point of the set."""

    @abstractmethod
    def _cut_off(
        self, mean: NDArray, precision: float, size: int, rng: np.random.Generator
    ) -> NDArray:
        """At most `size` Gaussian draws that are cut off at the set; none with probability at most 1/2."""

    @abstractmethod
    def _mean(self, mean: NDArray, precision: float) -> NDArray[np.float64]:
        """Mean of the Gaussian with covariance I / precision and this mean once it is cut off at the set."""

    def _gaussians(
        self, mean: NDArray, precision: float, size: int, rng: np.random.Generator
    ) -> NDArray:
        """At most `size` draws of the Gaussian with covariance I / precision, cut off at the set.

        The work is bounded whatever the mean is; none comes back with probability at most one half.
        """
        H = mean + rng.normal(size=(size, mean.size)) / np.sqrt(precision)
        inside = self.contains(H)
        return (
            H[inside]
            if 8 * inside.sum() >= size
            else self._cut_off(mean, precision, size, rng)
        )


@dataclass(frozen=True, eq=False)
class Finite(Domain):
    """A finite set of weight vectors, with the counting measure.

    Parameters
    ----------
    H : array_like
        The vectors, of shape (n_points, dimension), finite, at least one.

    Raises
    ------
    ValueError
        If `H` is no such table.

    Examples
    --------
    >>> Finite([[0.0], [-2.0]]).radius
    2.0
    """

    H: NDArray[np.float64]
    convex = False

    if TYPE_CHECKING:  # what is given becomes arrays

        def __init__(self, H: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        H = np.array(check.numbers(H=self.H))
        if H.ndim != 2 or H.size == 0 or not np.isfinite(H).all():
            raise ValueError(
                f"H must be a non-empty array of finite rows, but got shape {H.shape}."
            )
        object.__setattr__(self, "H", H)

    @property
    def dimension(self) -> int:  # type: ignore[override]  # frozen: nothing writes it
        return self.H.shape[1]

    @property
    def radius(self) -> float:  # type: ignore[override]  # frozen: nothing writes it
        return float(np.linalg.norm(self.H, axis=1).max())


@dataclass(frozen=True, eq=False)
class Box(Body):
    """The product of the intervals [lower_j, upper_j].

    Parameters
    ----------
    lower, upper : array_like
        Ends of the sides, of shape (dimension,), finite, `lower` below `upper`.

    Examples
    --------
    >>> Box([-1.0, -1.0], [1.0, 3.0]).grid(2).H.tolist()
    [[-0.5, 0.0], [-0.5, 2.0], [0.5, 0.0], [0.5, 2.0]]
    """

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]

    if TYPE_CHECKING:

        def __init__(self, lower: ArrayLike, upper: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        lower, upper = (
            check.finite_vector(lower=self.lower),
            check.finite_vector(upper=self.upper),
        )
        if lower.shape != upper.shape or not (lower < upper).all():
            raise ValueError(
                f"lower must be below upper everywhere, but got {lower!r} and {upper!r}."
            )
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    @property
    def dimension(self) -> int:  # type: ignore[override]  # frozen: nothing writes it
        return self.lower.size

    @property
    def radius(self) -> float:  # type: ignore[override]  # frozen: nothing writes it
        return float(np.linalg.norm(np.maximum(abs(self.lower), abs(self.upper))))

    def contains(self, H: ArrayLike) -> NDArray[np.bool_]:
        rows, slack = self._rows(H), EDGE * (self.upper - self.lower)
        return np.all(
            (rows >= self.lower - slack) & (rows <= self.upper + slack), axis=1
        )

    def nodes(self, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if self.dimension > 2:
            raise ValueError(
                f"dimension must be 1 or 2 for quadrature, but got {self.dimension}."
            )
        (x, w), half = _legendre(n), (self.upper - self.lower) / 2
        weights = np.prod(half) * (w if self.dimension == 1 else np.outer(w, w).ravel())
        return _mesh((self.lower + self.upper) / 2 + half * x[:, None]), weights

    def grid(self, cells: int) -> Finite:
        """The midpoints of ``cells`` equal parts of each side: a finite stand-in for the box."""
        check.positive_integer(cells=cells)
        middle = (np.arange(cells) + 0.5) / cells
        return Finite(_mesh(self.lower + (self.upper - self.lower) * middle[:, None]))

    def _nearest(self, h: NDArray) -> NDArray[np.float64]:
        return np.clip(h, self.lower, self.upper)

    def _cut_off(
        self, mean: NDArray, precision: float, size: int, rng: np.random.Generator
    ) -> NDArray:
        from scipy.stats import truncnorm

        scale, shape = precision**-0.5, (size, mean.size)
        ends = (self.lower - mean) / scale, (self.upper - mean) / scale
        return self._nearest(
            truncnorm.rvs(*ends, mean, scale, size=shape, random_state=rng)
        )

    def _mean(self, mean: NDArray, precision: float) -> NDArray[np.float64]:
        return box_mean(self.lower, self.upper, mean, precision)


@dataclass(frozen=True)
class Ball(Body):
    """The Euclidean ball around 0.

    Parameters
    ----------
    dimension : int
        Dimension, a positive integer.
    radius : float
        Here the radius, positive.

    Examples
    --------
    >>> Ball(2, 3.0).contains([[0.0, 3.0], [3.0, 0.1]]).tolist()
    [True, False]
    """

    dimension: int
    radius: float = 1.0

    def __post_init__(self) -> None:
        check.standard_ranges(dimension=self.dimension, radius=self.radius)

    def contains(self, H: ArrayLike) -> NDArray[np.bool_]:
        return np.asarray(
            np.linalg.norm(self._rows(H), axis=1) <= self.radius * (1 + EDGE)
        )

    def nodes(self, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if self.dimension != 2:
            sides = np.full(self.dimension, float(self.radius))
            return Box(-sides, sides).nodes(n)
        x, w = _legendre(n)
        r, angle = self.radius * (1 + x) / 2, 2 * pi * np.arange(2 * n) / (2 * n)
        H = r[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        return H.reshape(-1, 2), np.repeat(w * self.radius / 2 * r * pi / n, 2 * n)

    def _nearest(self, h: NDArray) -> NDArray[np.float64]:
        return h * min(1.0, self.radius / max(float(np.linalg.norm(h)), 1e-300))

    def _cut_off(
        self, mean: NDArray, precision: float, size: int, rng: np.random.Generator
    ) -> NDArray:
        return ball_draws(float(self.radius), mean, precision, size, rng)

    def _mean(self, mean: NDArray, precision: float) -> NDArray[np.float64]:
        return ball_mean(float(self.radius), mean, precision)


@dataclass(frozen=True)
class WholeSpace(Domain):
    """All weight vectors: its measure is infinite, so only a proper penalty makes a law on it.

    Parameters
    ----------
    dimension : int
        Dimension, a positive integer.

    Examples
    --------
    >>> WholeSpace(3).radius
    inf
    """

    dimension: int
    radius = inf

    def __post_init__(self) -> None:
        check.positive_integer(dimension=self.dimension)


check.wrap_module(__name__)
