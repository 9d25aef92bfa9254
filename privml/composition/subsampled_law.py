"""The exact output law of a mechanism on a random subsample, by going through all subsamples.

For small data: it is what the amplification theorems are checked against, with the exact auditor.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.adjacency import records
from privml.distributions import Categorical

SCHEMES = ("subset", "shuffled subset", "draws", "coins")

LARGEST_SUBSAMPLING = 1_000_000
"""Most subsamples that are gone through for one data set."""


def _subsamples(n: int, size: int | float, scheme: str) -> Iterator[tuple[tuple[int, ...], float]]:
    """All subsamples of the indices below n, with their probabilities."""
    if "subset" in scheme and size > n:
        raise ValueError(f"size must be at most the number of records, {n}, got {size!r}")
    count, choices = {
        "subset": lambda: (comb(n, size), combinations(range(n), size)),
        "shuffled subset": lambda: (perm(n, size), permutations(range(n), size)),
        "draws": lambda: (n**size, product(range(n), repeat=size)),
        "coins": lambda: (2**n, product((False, True), repeat=n)),
    }[scheme]()
    if count > LARGEST_SUBSAMPLING:
        raise ValueError(f"subsamples must be at most {LARGEST_SUBSAMPLING}, got {count}: use fewer records")
    if scheme != "coins":
        return ((choice, 1 / count) for choice in choices)
    chosen = (tuple(np.flatnonzero(heads).tolist()) for heads in choices)
    return ((used, size ** len(used) * (1 - size) ** (n - len(used))) for used in chosen)


def _probabilities(output: Categorical | NDArray) -> NDArray[np.float64]:
    return output.pmf() if isinstance(output, Categorical) else np.asarray(output, dtype=float)


def subsampled_law(law: Callable, size: int | float, *, scheme: str = "subset") -> Callable:
    """The law of a mechanism that first draws a subsample of its data.

    From records to the vector of probabilities of the output of the whole.

    **Source.** The algorithm A' of WLF16-lem-34, WLF16-lem-31, WLF16-lem-29 and WLF16-lem-4.

    Parameters
    ----------
    law : callable
        From records (an array, or a tuple of arrays with equal first axes) to the law of the output: a
        Categorical or a vector of probabilities.
    size : int or float
        Number of records used; for "coins" the chance of each record in (0, 1].
    scheme : {"subset", "shuffled subset", "draws", "coins"}
        A uniformly random subset of given size, handed over in index order or in random order; independent
        uniform draws with repeats, in the order drawn; or every record by its own coin, in index order.

    Examples
    --------
    Publishing a record that is drawn from three:

    >>> published = subsampled_law(lambda z: np.eye(2)[z[0]], 1)
    >>> published(np.array([0, 1, 1])).round(6).tolist()
    [0.333333, 0.666667]
    """
    check.one_of(SCHEMES, scheme=scheme)
    if scheme == "coins":
        check.positive(size=size)
        check.unit_interval(size=size)
    else:
        check.positive_integer(size=size)

    def whole(data: object) -> NDArray[np.float64]:
        n = len(data[0]) if isinstance(data, tuple) else len(data)
        outputs = (
            weight * _probabilities(law(records(data, np.array(chosen, dtype=np.intp))))
            for chosen, weight in _subsamples(n, size, scheme)
        )
        return sum(outputs, start=np.zeros(1))

    return whole
