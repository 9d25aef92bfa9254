"""Subsamples of small data, gone through one by one: the exact law of a mechanism that draws one first.

It shows where a guarantee of :mod:`privml.composition.subsampling` is attained, and where one is false.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from math import comb, perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.adjacency import records
from privml.distributions import Categorical

SCHEMES = ("subset", "shuffled subset", "draws", "coins")
LARGEST_SUBSAMPLING = (
    1_000_000  # most subsamples that are gone through for one data set
)


def _subsamples(
    n: int, size: int | float, scheme: str
) -> Iterator[tuple[tuple[int, ...], float]]:
    """All subsamples of the indices below n, with their probabilities."""
    if "subset" in scheme and size > n:
        raise ValueError(
            f"size must be at most the number of records, {n}, but got {size!r}."
        )
    k = int(size)
    count, choices = {
        "subset": lambda: (comb(n, k), combinations(range(n), k)),
        "shuffled subset": lambda: (perm(n, k), permutations(range(n), k)),
        "draws": lambda: (n**k, product(range(n), repeat=k)),
        "coins": lambda: (2**n, product((False, True), repeat=n)),
    }[scheme]()
    if count > LARGEST_SUBSAMPLING:
        raise ValueError(
            f"subsamples must be at most {LARGEST_SUBSAMPLING}, but got {count}. Use fewer records."
        )
    if scheme != "coins":
        return ((choice, 1 / count) for choice in choices)
    chosen = (tuple(np.flatnonzero(heads).tolist()) for heads in choices)
    return (
        (used, size ** len(used) * (1 - size) ** (n - len(used))) for used in chosen
    )


def _probabilities(output: Categorical | NDArray) -> NDArray[np.float64]:
    return (
        output.pmf()
        if isinstance(output, Categorical)
        else np.asarray(output, dtype=float)
    )


def subsampled_mechanism(
    mechanism: Callable, size: int | float, *, scheme: str = "subset"
) -> Callable:
    """A mechanism that first draws a subsample of its data.

    A "subset" is in index order, or a "shuffled subset"; "draws" are with repeats, in the order drawn.

    Parameters
    ----------
    mechanism : callable
        From records to the probabilities of the output, also as a Categorical.
    size : int or float
        Number of records, a positive integer; of "coins" here the chance of each, in (0, 1].
    scheme : str
        One of "subset", "shuffled subset", "draws" and "coins".

    Returns
    -------
    callable
        From records (an array, or a tuple of arrays with equal first axes) to the probabilities of the
        output of the whole.

    References
    ----------
    The algorithm A' of WLF16-lem-34, WLF16-lem-31, WLF16-lem-29 and WLF16-lem-4.

    Examples
    --------
    Publishing a record that is drawn from three:

    >>> published = subsampled_mechanism(lambda z: np.eye(2)[z[0]], 1)
    >>> published(np.array([0, 1, 1])).round(6).tolist()
    [0.333333, 0.666667]
    """
    check.one_of(SCHEMES, scheme=scheme)
    if scheme == "coins":
        check.share(size=size)
    else:
        check.positive_integer(size=size)

    def averaged(data: Any) -> NDArray[np.float64]:
        n = len(data[0]) if isinstance(data, tuple) else len(data)
        subsamples = _subsamples(n, size, scheme)
        parts = (
            (records(data, np.array(chosen, dtype=np.intp)), weight)
            for chosen, weight in subsamples
        )
        return sum(
            (weight * _probabilities(mechanism(part)) for part, weight in parts),
            start=np.zeros(1),
        )

    return averaged


check.wrap_module(__name__)
