"""Losses of projections: principal components, sparse and robust, several subspaces, missing entries."""

from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.problems.base import RawProblem, square_grid

N_ANGLES = 6


def line_projections(angles: ArrayLike) -> NDArray[np.float64]:
    """Projections of the plane onto the lines through the origin at these angles, shape (n, 2, 2).

    >>> line_projections([0.0]).tolist()
    [[[1.0, 0.0], [0.0, 0.0]]]
    """
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return directions[:, :, None] * directions[:, None, :]


def _residuals(projections: NDArray, points: NDArray) -> NDArray:
    """``P z - z`` for all pairs, of shape (n_hypotheses, n_records, n_dimensions)."""
    return np.einsum("hij,nj->hni", projections, points) - points


def projection_loss(projections: ArrayLike, points: ArrayLike, *, penalty: float = 0.0) -> NDArray:
    """The loss ``|P z - z|^2 + penalty |P|_1`` of principal components, sparse with a positive penalty.

    **Source.** WLF16-tab-1, sparse PCA.

    Parameters
    ----------
    projections : array_like of shape (n_hypotheses, n_dimensions, n_dimensions)
        Projection matrices P.
    points : array_like of shape (n_records, n_dimensions)
        The records z.
    penalty : float, default 0
        Weight of the sum of the absolute values of the entries of P, non-negative.

    Returns
    -------
    ndarray of shape (n_hypotheses, n_records)

    Raises
    ------
    ValueError
        If `penalty` is negative or not finite.

    Examples
    --------
    >>> projection_loss(line_projections([0.0]), [[3.0, 4.0]], penalty=0.5).tolist()
    [[16.5]]
    """
    check.non_negative(penalty=penalty)
    projections, points = np.asarray(projections, dtype=float), np.asarray(points, dtype=float)
    sizes = np.abs(projections).sum(axis=(1, 2))
    return (_residuals(projections, points) ** 2).sum(axis=-1) + penalty * sizes[:, None]


def robust_projection_loss(projections: ArrayLike, points: ArrayLike, *, penalty: float) -> NDArray:
    """The loss ``|P z - z|_1 + penalty rank(P)`` of robust principal components.

    **Source.** WLF16-tab-1, robust PCA.

    Parameters
    ----------
    projections : array_like of shape (n_hypotheses, n_dimensions, n_dimensions)
        Projection matrices P; the rank of a projection is its trace.
    points : array_like of shape (n_records, n_dimensions)
        The records z.
    penalty : float
        Price of a dimension, non-negative.

    Returns
    -------
    ndarray of shape (n_hypotheses, n_records)

    Raises
    ------
    ValueError
        If `penalty` is negative or not finite.

    Examples
    --------
    >>> robust_projection_loss(line_projections([0.0]), [[3.0, 4.0]], penalty=0.5).tolist()
    [[4.5]]
    """
    check.non_negative(penalty=penalty)
    projections, points = np.asarray(projections, dtype=float), np.asarray(points, dtype=float)
    ranks = np.trace(projections, axis1=1, axis2=2)
    return np.abs(_residuals(projections, points)).sum(axis=-1) + penalty * ranks[:, None]


def subspaces_loss(projections: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """The loss ``min over the subspaces b in h of |P_b z - z|^2`` of subspace clustering.

    **Source.** WLF16-tab-1, subspace clustering.

    Parameters
    ----------
    projections : array_like of shape (n_hypotheses, k, n_dimensions, n_dimensions)
        The k projections of each hypothesis.
    points : array_like of shape (n_records, n_dimensions)
        The records.

    Returns
    -------
    ndarray of shape (n_hypotheses, n_records)

    Examples
    --------
    >>> subspaces_loss([line_projections([0.0, np.pi / 2])], [[3.0, 4.0]]).round(6).tolist()
    [[9.0]]
    """
    stacked, points = np.asarray(projections, dtype=float), np.asarray(points, dtype=float)
    each = [(_residuals(stacked[:, k], points) ** 2).sum(axis=-1) for k in range(stacked.shape[1])]
    return np.min(each, axis=0)


def completion_loss(bases: list, entries: ArrayLike, seen: ArrayLike, *, penalty: float = 0.0) -> NDArray:
    """The loss ``min over b in h of |y o (b - x)|^2 + penalty rank(h)`` of matrix completion.

    The minimum is the least squares distance of the seen entries from the subspace.
    **Source.** WLF16-tab-1, matrix completion.

    Parameters
    ----------
    bases : list of array_like, each of shape (n_dimensions, rank)
        A basis of each subspace h.
    entries : array_like of shape (n_records, n_dimensions)
        The columns x; entries that are not seen do not matter.
    seen : array_like of bool, shape (n_records, n_dimensions)
        Which entries are seen: y.
    penalty : float, default 0
        Price of a dimension, non-negative.

    Returns
    -------
    ndarray of shape (n_hypotheses, n_records)

    Raises
    ------
    ValueError
        If `penalty` is negative or not finite.

    Examples
    --------
    >>> completion_loss([[[1.0], [1.0]]], [[0.0, 2.0], [0.0, 2.0]], [[1, 1], [1, 0]]).round(6).tolist()
    [[2.0, 0.0]]
    """
    check.non_negative(penalty=penalty)
    entries, seen = np.asarray(entries, dtype=float), np.asarray(seen, dtype=float)
    target = (entries * seen)[:, :, None]
    rows = []
    for basis in bases:
        masked = seen[:, :, None] * np.asarray(basis, dtype=float)
        residual = target - masked @ (np.linalg.pinv(masked) @ target)
        rows.append((residual**2).sum(axis=(1, 2)) + penalty * np.shape(basis)[1])
    return np.array(rows)


def _angles() -> NDArray[np.float64]:
    return np.arange(N_ANGLES) * np.pi / N_ANGLES


def sparse_components_example(radius: float = 1.0) -> RawProblem:
    """Lines in the plane, points of a grid in [-radius, radius]^2, penalty 1/4.

    A projection onto a line has ``|P|_1 <= 2``, so the loss is at most ``2 radius^2 + 1 / 2``.

    >>> sparse_components_example().problem().losses.shape
    (6, 9)
    """
    points = square_grid(radius)
    losses = projection_loss(line_projections(_angles()), points, penalty=0.25)
    return RawProblem(losses, 2 * radius**2 + 0.5, hypotheses=_angles(), records=points)


def robust_components_example(radius: float = 1.0) -> RawProblem:
    """The origin, lines, and the plane; points of a grid in [-radius, radius]^2, penalty 1/4 a dimension.

    ``|P z - z|_1 <= sqrt(2) |z|_2 <= 2 radius``, so the loss is at most ``2 radius + 1 / 2``.

    >>> robust_components_example().problem().losses.shape
    (8, 9)
    """
    points = square_grid(radius)
    subspaces = np.concatenate([np.zeros((1, 2, 2)), line_projections(_angles()), np.eye(2)[None]])
    losses = robust_projection_loss(subspaces, points, penalty=0.25)
    return RawProblem(losses, 2 * radius + 0.5, hypotheses=subspaces, records=points)


def subspace_clustering_example(radius: float = 1.0) -> RawProblem:
    """Two lines in the plane, points of a grid in [-radius, radius]^2.

    The loss is at most ``|z|^2 <= 2 radius^2``.

    >>> subspace_clustering_example().losses.shape
    (15, 9)
    """
    points = square_grid(radius)
    pairs = np.array(list(combinations(range(N_ANGLES), 2)))
    losses = subspaces_loss(line_projections(_angles())[pairs], points)
    return RawProblem(losses, 2 * radius**2, hypotheses=_angles()[pairs], records=points)


def completion_example(radius: float = 1.0) -> RawProblem:
    """Lines in space, columns of three signs times `radius`, any two entries or all three seen; penalty 1/4.

    With b = 0 the loss is ``|y o x|^2 <= 3 radius^2`` plus the penalty, so that is a bound.

    >>> completion_example().losses.shape
    (4, 32)
    """
    check.positive(radius=radius)
    signs = np.array(list(product([-1.0, 1.0], repeat=3)))
    masks = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
    entries, seen = np.repeat(radius * signs, 4, axis=0), np.tile(masks, (8, 1))
    bases = [row[:, None] for row in signs[4:]]  # one of each pair of opposite directions
    losses = completion_loss(bases, entries, seen, penalty=0.25)
    records = np.concatenate([entries, seen], axis=1)
    return RawProblem(losses, 3 * radius**2 + 0.25, hypotheses=signs[4:], records=records)
