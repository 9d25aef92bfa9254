"""Which data sets count as neighbours, and all of them for a small universe.

Two relations are in use: *replace one*, of data sets of the same, public size, and *add or remove one*, which
protects the size itself.  A guarantee means nothing without its relation.

A *universe* is an array of the n_points possible records, or a tuple of arrays with equal first axes.  A data
set is held here as a row of indices.  A mechanism that ignores the order of its records needs one row per
*multiset*; one that does not needs one row per *sequence*.
"""

from enum import Enum
from itertools import chain, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml._wrapping import RELATION_BY_NAME

__all__ = [
    "Adjacency",
    "multisets",
    "n_multisets",
    "neighbouring_datasets",
    "sequences",
]

LARGEST_ENUMERATION = (
    500_000  # data sets, or records of one: what fits into memory with all pairs
)

REORDERED = 200  # data sets that are read in another order too


class Adjacency(Enum):
    """The neighbouring relation of a privacy guarantee.

    References
    ----------
    WLF16-eq-3 (replace one: Hamming distance 1 between lists of one length), LZCW21-def-1 (add or remove
    one). S16-def-exp-mech-inputs and L4-def-sensitivity speak of neighbouring data sets; both need a fixed
    relation. Replacing one record is adding one and removing one, so a guarantee under
    ``ADD_OR_REMOVE_ONE`` gives one under ``REPLACE_ONE`` for groups of two, and not conversely.
    """

    REPLACE_ONE = "replace-one"
    ADD_OR_REMOVE_ONE = "add-or-remove-one"

    def __str__(self) -> str:
        return self.value


RELATION_BY_NAME.update({relation.value: relation for relation in Adjacency})


def _refuse_large(count: int, what: str) -> None:
    if count > LARGEST_ENUMERATION:
        advice = "Use fewer points or a smaller n_samples."
        if what == "sequences":
            advice += " If the mechanism is symmetric, pass ordered=False."
        raise ValueError(
            f"universe must have at most {LARGEST_ENUMERATION} {what} to be enumerated, but got {count}. {advice}"
        )


def n_multisets(n_points: int, size: int) -> int:
    """Number of multisets of `size` records over a universe of `n_points` records.

    Parameters
    ----------
    n_points : int
        Number of points, a positive integer.
    size : int
        Number of records, a non-negative integer.

    Raises
    ------
    ValueError
        If that is too many to enumerate.
    """
    check.positive_integer(n_points=n_points)
    check.non_negative_integer(size=size)
    _refuse_large(size, "records in a data set")
    if min(size, n_points) > 10**4:
        raise ValueError(
            f"size must be at most 10000 for so many points, but got {size!r}."
        )
    return comb(n_points + size - 1, size)


def multisets(n_points: int, size: int) -> NDArray[np.intp]:
    """All data sets of `size` records up to order, one row of sorted indices each, in lexicographic order.

    Parameters
    ----------
    n_points : int
        Number of points, a positive integer.
    size : int
        Number of records, a non-negative integer.

    Returns
    -------
    ndarray
        Indices of shape (n_multisets, size).

    Raises
    ------
    ValueError
        If they are too many to enumerate.

    Examples
    --------
    >>> multisets(2, 3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]
    """
    count = n_multisets(n_points, size)
    _refuse_large(count, "multisets")
    rows = combinations_with_replacement(range(n_points), size)
    return np.fromiter(
        chain.from_iterable(rows), dtype=np.intp, count=count * size
    ).reshape(count, size)


def sequences(n_points: int, size: int) -> NDArray[np.intp]:
    """All ordered data sets of `size` records, one row of indices each, in lexicographic order.

    Parameters
    ----------
    n_points : int
        Number of points, a positive integer.
    size : int
        Number of records, a non-negative integer.

    Returns
    -------
    ndarray
        Indices of shape (n_points^size, size).

    Raises
    ------
    ValueError
        If they are too many to enumerate.

    Examples
    --------
    >>> sequences(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    check.positive_integer(n_points=n_points)
    check.non_negative_integer(size=size)
    _refuse_large(size, "records in a data set")
    count = n_points ** min(size, 64)  # from two points on, 2^64 is too many already
    _refuse_large(count, "sequences")
    place_values = n_points ** np.arange(size - 1, -1, -1, dtype=np.int64)
    return (np.arange(count)[:, None] // place_values % n_points).astype(np.intp)


def universe_size(universe: object) -> int:
    """Number of records of a universe."""
    columns = universe if isinstance(universe, tuple) else (universe,)
    if any(np.ndim(column) == 0 for column in columns):
        raise ValueError(
            f"universe must be an array of records or a tuple of such, but got {universe!r}."
        )
    sizes = {len(column) for column in columns}
    if len(sizes) != 1 or 0 in sizes:
        raise ValueError(
            f"universe must hold arrays of one positive length, but got lengths {sorted(sizes)}."
        )
    return sizes.pop()


def records(universe: object, indices: NDArray) -> object:
    """The data set with the given record indices, in the universe's own structure.

    Examples
    --------
    >>> records((np.array([10.0, 20.0]), np.array([True, False])), np.array([1, 1, 0]))
    (array([20., 20., 10.]), array([False, False,  True]))
    """
    if isinstance(universe, tuple):
        return tuple(np.asarray(column)[indices] for column in universe)
    return np.asarray(universe)[indices]


def _sorted_pairs(pairs: set[tuple[int, int]]) -> NDArray[np.intp]:
    return np.array(sorted(pairs), dtype=np.intp).reshape(-1, 2)


def removal_pairs(larger: NDArray, smaller: NDArray) -> NDArray[np.intp]:
    """Neighbours under ``ADD_OR_REMOVE_ONE`` between all data sets of two consecutive sizes.

    Pairs (i, j): deleting one record of ``larger[i]`` gives ``smaller[j]``.

    Examples
    --------
    >>> removal_pairs(multisets(2, 2), multisets(2, 1)).tolist()
    [[0, 0], [1, 0], [1, 1], [2, 1]]
    """
    position = {row.tobytes(): j for j, row in enumerate(np.ascontiguousarray(smaller))}
    pairs: set[tuple[int, int]] = set()
    for dropped in range(larger.shape[1]):
        shorter = np.ascontiguousarray(np.delete(larger, dropped, axis=1))
        pairs.update((i, position[row.tobytes()]) for i, row in enumerate(shorter))
    return _sorted_pairs(pairs)


def replacement_pairs(datasets: NDArray) -> NDArray[np.intp]:
    """Neighbours under ``REPLACE_ONE`` among all data sets of one size, as pairs (i, j) with i < j.

    Two multisets are neighbours when deleting one record from each leaves the same multiset; two
    sequences when they differ in one coordinate.

    Examples
    --------
    >>> replacement_pairs(multisets(2, 2)).tolist()
    [[0, 1], [1, 2]]
    """
    groups: dict[tuple, dict[int, None]] = {}  # without repeats, in order
    ordered = bool((np.diff(datasets, axis=1) < 0).any())
    for kept in range(datasets.shape[1]):
        rest = np.ascontiguousarray(np.delete(datasets, kept, axis=1))
        for i, row in enumerate(rest):
            groups.setdefault((kept if ordered else -1, row.tobytes()), {})[i] = None
    return _sorted_pairs(
        {(i, j) for group in groups.values() for i in group for j in group if i < j}
    )


def reordered(datasets: NDArray) -> NDArray:
    """All other orders of the records where these are few, else some of the data sets read backwards."""
    n_points, size = int(datasets.max()) + 1, datasets.shape[1]
    if size <= 8 and n_points**size <= REORDERED:
        rows = sequences(n_points, size)
        return rows[(np.diff(rows, axis=1) < 0).any(axis=1)]
    mixed = datasets[(datasets[:, :1] != datasets[:, -1:]).any(axis=1)]
    return mixed[
        np.unique(
            np.linspace(0, len(mixed) - 1, min(REORDERED, len(mixed))).astype(int)
        ),
        ::-1,
    ]


def neighbouring_datasets(
    universe: object,
    n_samples: int,
    *,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
    ordered: bool = False,
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """All neighbouring pairs of data sets over a finite universe.

    Parameters
    ----------
    universe : object
        Array of the possible records, or a tuple of arrays with equal first axes.
    n_samples : int
        Number of records, a positive integer.
    adjacency : Adjacency
        Neighbouring relation.
    ordered : bool
        Whether the order of the records matters.

    Returns
    -------
    tuple
        Data sets as rows of record indices, twice: the same array under ``REPLACE_ONE``, of sizes n_samples
        and n_samples - 1 otherwise. And the pairs of rows that are neighbours, each unordered pair once. If
        not `ordered`, the order of the records does not matter.

    Raises
    ------
    ValueError
        If they are too many to enumerate.

    Examples
    --------
    >>> first, second, pairs = neighbouring_datasets(np.array([0, 1]), 2)
    >>> first[pairs].tolist()
    [[[0, 0], [0, 1]], [[0, 1], [1, 1]]]
    """
    check.positive_integer(n_samples=n_samples)
    check.instance(Adjacency, adjacency=adjacency)
    n_points = universe_size(universe)
    enumeration = sequences if ordered else multisets
    first = enumeration(n_points, n_samples)
    if adjacency is Adjacency.REPLACE_ONE:
        return first, first, replacement_pairs(first)
    second = enumeration(n_points, n_samples - 1)
    return first, second, removal_pairs(first, second)


check.wrap_module(__name__)
