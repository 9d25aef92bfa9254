"""The rows of Table 1 of WLF16: what is learned from what, whether the loss is bounded, and an instance.

An instance is made from a number `radius`, the range of records and parameters, with a public range of its
losses that follows from the ranges and not from the table.
"""

from collections.abc import Callable, Sequence
from itertools import combinations, product
from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import privml.learnability.problems as problems
from privml import _check as check
from privml.hypotheses import Conjunctions
from privml.hypotheses.cube import boolean_cube
from privml.learnability.problem import LearningProblem

N_FEATURES = 8  # random ones of the two kernel problems
N_CELLS = 4  # of a histogram
N_ANGLES = 6  # of lines through the origin
PENALTY = 0.25  # the lambda of every row that has one


class Instance(NamedTuple):
    """A table of raw losses, with a proved public range."""

    losses: NDArray[np.float64]  # (n_hypotheses, n_records)
    upper: float
    lower: float = 0.0


class Row(NamedTuple):
    """One row of the table, in symbols; `bounded` says whether the loss is bounded as printed."""

    name: str
    hypotheses: str
    records: str
    loss: str
    bounded: bool
    needs: str  # what has to be bounded for the theorems to apply
    make: Callable[[float], Instance]

    def example(self, radius: float = 1.0) -> Instance:
        """The instance with records and parameters of this range, at least 1."""
        check.positive(radius=radius)
        if radius < 1:
            raise ValueError(f"radius must be at least 1, but got {radius!r}.")
        return self.make(radius)

    def problem(self, radius: float = 1.0) -> LearningProblem:
        """The instance with losses in [0, 1]."""
        losses, upper, lower = self.example(radius)
        return problems.rescaled_problem(losses, upper=upper, lower=lower)

    def growth(self, radii: Sequence[float]) -> NDArray[np.float64]:
        """Largest absolute raw loss of the instance at each radius.

        Examples
        --------
        >>> rows()[1].growth([1.0, 10.0]).tolist()
        [4.0, 400.0]
        """
        radii = check.finite_vector(radii=radii).tolist()
        return np.array([np.abs(self.example(radius).losses).max() for radius in radii])


def rows() -> tuple[Row, ...]:
    """All thirteen rows, in the order of the source.

    Returns
    -------
    tuple
        Rows, with instances to be made by ``row.problem()``.

    References
    ----------
    WLF16-tab-1, with the labels of RKHS classification corrected to -1 and +1.

    Examples
    --------
    >>> [row.name for row in rows() if row.bounded]
    ['binary classification']
    >>> all(0 <= row.problem().losses.min() for row in rows())
    True
    """
    return (
        Row("binary classification", "h: {0,1}ᵈ → {0,1}", "(x, y)", "1(h(x) ≠ y)", True, "nothing",
            _classification),
        Row("regression", "h: [0,1]ᵈ → ℝ", "(x, y)", "(h(x) − y)²", False, "h and y", _regression),
        Row("density estimation", "densities h", "z", "−ln h(z)", False, "h from above and below", _density),
        Row("k-means", "sets h of k centres", "z", "min |c − z|² over c in h", False, "z and centres",
            _clustering),
        Row("kernel classification", "h in a ball", "(x, y), y = ±1", "max(0, 1 − y⟨x, h⟩)", False,
            "x, by a bounded kernel", _kernel_classification),
        Row("kernel regression", "h in a ball", "(x, y)", "(⟨x, h⟩ − y)²", False, "x and y",
            _kernel_regression),
        Row("sparse PCA", "projections h of rank r", "z", "|hz − z|² + λ|h|₁", False, "z",
            _sparse_components),
        Row("robust PCA", "subspaces h", "z", "|P z − z|₁ + λ rank h", False, "z", _robust_components),
        Row("matrix completion", "subspaces h", "(x, y), y a mask", "min |y∘(b − x)|² over b in h + λ rank h",
            False, "x", _completion),
        Row("dictionary learning", "dictionaries h", "z", "min |hb − z|² + λ|b|₁ over b", False, "z",
            _dictionary),
        Row("non-negative factorisation", "dictionaries h ≥ 0", "z", "min |hb − z|² over b ≥ 0", False, "z",
            _nonnegative),
        Row("subspace clustering", "k subspaces of rank r", "z", "min |P z − z|² over P in h", False, "z",
            _subspaces),
        Row("topic models", "laws of words in topics", "documents z", "−max Σ ln P(w) over mixtures", False,
            "length, and laws from below", _topics),
    )  # fmt: skip


def _pairs(count: int) -> NDArray[np.intp]:
    return np.array(list(combinations(range(count), 2)))


def _grid(radius: float) -> NDArray[np.float64]:
    """Nine points of [-radius, radius]^2."""
    return np.array(list(product(np.linspace(-radius, radius, 3), repeat=2)))


def _lines() -> NDArray[np.float64]:
    return problems.line_projections(np.arange(N_ANGLES) * np.pi / N_ANGLES)


def _classification(radius: float) -> Instance:
    """All conjunctions of two features on the four points of the cube: `radius` changes nothing."""
    points, labels = np.repeat(boolean_cube(2), 2, axis=0), np.tile([False, True], 4)
    return Instance((Conjunctions(2).predict(points) != labels).astype(float), 1.0)


def _regression(radius: float) -> Instance:
    """Lines through the origin with slopes in [-radius, radius], x in [0, 1], y in [-radius, radius]."""
    slopes = np.linspace(-radius, radius, 5)
    x, y = np.repeat([0.0, 0.5, 1.0], 3), np.tile([-radius, 0.0, radius], 3)
    return Instance((slopes[:, None] * x - y) ** 2, 4 * radius**2)


def _density(radius: float) -> Instance:
    """Histograms on four cells of [0, 1]: each favours one cell or a pair; the others have 1 / (5 radius)."""
    floor = 1 / (5 * radius)
    favoured = [[cell] for cell in range(N_CELLS)] + _pairs(N_CELLS).tolist()
    densities = np.full((len(favoured), N_CELLS), floor)
    for row, cells in enumerate(favoured):
        densities[row, cells] = (N_CELLS - floor * (N_CELLS - len(cells))) / len(cells)
    return Instance(-np.log(densities), log(5 * radius), -log(N_CELLS))


def _clustering(radius: float) -> Instance:
    """Two centres among the records; the loss is at most the square of the diameter."""
    points = _grid(radius)
    return Instance(
        problems.centres_loss(points[_pairs(len(points))], points), 8 * radius**2
    )


def _scores(radius: float) -> NDArray[np.float64]:
    """Weights of norm 1 times random features of four points, whose norm is at most sqrt(2) radius.

    The features stand for a kernel space (Rahimi and Recht 2007); the seeds are public.
    """
    rng = np.random.default_rng(0)
    frequencies, phases = (
        rng.standard_normal((1, N_FEATURES)),
        rng.uniform(0, 2 * np.pi, N_FEATURES),
    )
    features = sqrt(2 / N_FEATURES) * np.cos(
        np.linspace(0, 3, 4)[:, None] @ frequencies + phases
    )
    directions = np.random.default_rng(1).standard_normal((6, N_FEATURES))
    return (
        radius
        * directions
        / np.linalg.norm(directions, axis=1, keepdims=True)
        @ features.T
    )


def _kernel_classification(radius: float) -> Instance:
    """Labels -1 and +1."""
    losses = problems.hinge_loss(np.tile(_scores(radius), 2), np.repeat([-1, 1], 4))
    return Instance(losses, 1 + sqrt(2) * radius)


def _kernel_regression(radius: float) -> Instance:
    """Targets in [-radius, radius]."""
    losses = (
        np.repeat(_scores(radius), 3, axis=1) - np.tile([-radius, 0.0, radius], 4)
    ) ** 2
    return Instance(losses, ((1 + sqrt(2)) * radius) ** 2)


def _sparse_components(radius: float) -> Instance:
    """Lines: a projection onto one has ``|P|_1 <= 2``."""
    losses = problems.projection_loss(_lines(), _grid(radius), penalty=PENALTY)
    return Instance(losses, 2 * radius**2 + 2 * PENALTY)


def _robust_components(radius: float) -> Instance:
    """The origin, lines, and the plane: ``|P z - z|_1 <= sqrt(2) |z|_2 <= 2 radius``."""
    subspaces = np.concatenate([np.zeros((1, 2, 2)), _lines(), np.eye(2)[None]])
    losses = problems.robust_projection_loss(subspaces, _grid(radius), penalty=PENALTY)
    return Instance(losses, 2 * radius + 2 * PENALTY)


def _completion(radius: float) -> Instance:
    """Lines in space, columns of three signs times `radius`, any two entries or all three seen.

    With b = 0 the loss is ``|y o x|^2`` plus the penalty.
    """
    signs = np.array(list(product([-1.0, 1.0], repeat=3)))
    masks = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
    bases = [
        row[:, None] for row in signs[4:]
    ]  # one of each pair of opposite directions
    entries, seen = np.repeat(radius * signs, 4, axis=0), np.tile(masks, (8, 1))
    return Instance(
        problems.completion_loss(bases, entries, seen, penalty=PENALTY),
        3 * radius**2 + PENALTY,
    )


def _directions(high: float) -> NDArray[np.float64]:
    """Dictionaries of two of four unit columns in the plane, at angles up to `high`."""
    angles = np.linspace(0, high, 4)
    columns = np.stack([np.cos(angles), np.sin(angles)])
    return np.array([columns[:, pair] for pair in _pairs(4)])


def _dictionary(radius: float) -> Instance:
    """Two of four directions; with b = 0 the loss is ``|z|^2``."""
    losses = problems.dictionary_loss(
        _directions(3 * np.pi / 4), _grid(radius), penalty=PENALTY
    )
    return Instance(losses, 2 * radius**2)


def _nonnegative(radius: float) -> Instance:
    """Two of four non-negative directions; with b = 0 the loss is ``|z|^2``."""
    return Instance(
        problems.nonnegative_loss(_directions(np.pi / 2), _grid(radius)), 2 * radius**2
    )


def _subspaces(radius: float) -> Instance:
    """Two lines; the loss is at most ``|z|^2``."""
    return Instance(
        problems.subspaces_loss(_lines()[_pairs(N_ANGLES)], _grid(radius)),
        2 * radius**2,
    )


def _topics(radius: float) -> Instance:
    """Two topics over three words; a word that a topic avoids has probability 1 / (10 radius)."""
    floor = 1 / (10 * radius)
    single = np.full((3, 3), floor) + (1 - 3 * floor) * np.eye(3)
    words = np.array(
        [[first, second] for first in range(3) for second in range(first, 3)]
    )
    documents = (words[:, :, None] == np.arange(3)).sum(axis=1)
    mixtures = np.stack([np.linspace(0, 1, 5), np.linspace(1, 0, 5)], axis=1)
    return Instance(
        problems.topic_loss(single[_pairs(3)], documents, mixtures), 2 * log(1 / floor)
    )


check.wrap_module(__name__)
