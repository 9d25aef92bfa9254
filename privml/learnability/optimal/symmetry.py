r"""Symmetries of a learning problem, and what they allow one to leave out.

A *symmetry* is a permutation sigma of the records together with a permutation tau of the hypotheses such that
``l(tau h, sigma z) = l(h, z)``.  Reflecting the line and exchanging the labels is one for thresholds.

If A is a learner, so is ``h, c -> A(tau h | sigma c)``.  It has the same privacy, since sigma maps neighbours
to neighbours, and the same worst-case excess risk.  The constraints of privacy are convex in the law, and so
is the worst case; so the average over a group of symmetries is as private and at least as good.  Hence an
optimal learner may be sought among the invariant ones, and all (data set, hypothesis) pairs of one orbit
share one unknown.  The order of the records is dealt with in the same way: averaging over the order makes
every learner symmetric, and only count vectors are left.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.base import LearningProblem
from privml.learnability.counts import rows_of

DIGITS = 12
"""Decimals to which losses must agree to count as equal."""


class Symmetry(NamedTuple):
    """A symmetry: the images of the records and of the hypotheses."""

    records: NDArray[np.intp]
    hypotheses: NDArray[np.intp]


def symmetry(problem: LearningProblem, records: ArrayLike) -> Symmetry:
    """Complete a permutation of the records to a symmetry of the problem.

    **Source.** WLF16-eq-6, for the averaging argument in the module's text.

    Parameters
    ----------
    records : array_like of int, shape (n_records,)
        ``records[z]`` is the image of record z.

    Returns
    -------
    Symmetry

    Raises
    ------
    ValueError
        If `records` is no permutation of the records, or no permutation of the hypotheses goes with it.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> problem = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0]), [0.0, 1.0])
    >>> symmetry(problem, [3, 2, 1, 0]).hypotheses.tolist()
    [2, 1, 0]
    """
    check.instance(LearningProblem, problem=problem)
    images = np.asarray(records)
    if images.ndim != 1 or not np.array_equal(np.sort(images), np.arange(problem.n_records)):
        raise ValueError(f"symmetries must be permutations of the records, got {records!r}")
    table = problem.losses.round(DIGITS) + 0.0
    moved = np.empty_like(table)
    moved[:, images] = table
    order, moved_order = (np.lexsort(rows.T[::-1]) for rows in (table, moved))
    if not np.array_equal(table[order], moved[moved_order]):
        raise ValueError(f"symmetries must map the hypotheses to each other, got {images.tolist()}")
    hypotheses = np.empty(problem.n_hypotheses, dtype=np.intp)
    hypotheses[moved_order] = order
    return Symmetry(images.astype(np.intp), hypotheses)


def moved_rows(counts: NDArray[np.int64], symmetries: Sequence[Symmetry]) -> list[NDArray[np.intp]]:
    """For each symmetry, the rows of the images of all count vectors of one size."""
    images = []
    for each in symmetries:
        moved = np.empty_like(counts)
        moved[:, each.records] = counts
        images.append(rows_of(moved))
    return images


def components(size: int, images: Sequence[NDArray[np.intp]]) -> NDArray[np.intp]:
    """Label 0, ..., size - 1 by their orbits under the group that some permutations generate."""
    if not images:
        return np.arange(size)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    places = np.tile(np.arange(size), len(images)), np.concatenate(images)
    graph = coo_array((np.ones(len(places[0]), dtype=np.int8), places), shape=(size, size))
    return connected_components(graph, directed=False)[1].astype(np.intp)


def orbits(
    images: Sequence[NDArray[np.intp]], symmetries: Sequence[Symmetry], shape: tuple[int, int]
) -> NDArray[np.intp]:
    """Label the (data set, hypothesis) pairs, a table of the given shape, by their orbits."""
    cells = np.arange(shape[0] * shape[1]).reshape(shape)
    targets = [cells[rows][:, each.hypotheses] for each, rows in zip(symmetries, images, strict=True)]
    return components(cells.size, [target.ravel() for target in targets]).reshape(shape)
