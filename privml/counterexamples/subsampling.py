"""Subsampling without the hypothesis that WLF16 leaves out: a mechanism that reads the sample in index order.

The lemmas compare "record 1 is in the subsample" with "it is not" by giving its place to another record.  In
index order the place of record 1 is the first; without it all other records move up by one place.  The
mechanism here notices: it prefers one kind of record in each place, and the data are laid out so that with
record 1 in front the others stand where they are liked.

Its output is an alarm or none, with ``P(alarm) = c e^(epsilon M)``, M being the number of places that hold a
record of the kind liked there: kind 3 in place 1, kind 2 in place 2, kinds 1 and 2 in all further places.
One replaced record changes M by at most 1, so this is epsilon-DP on its subsample, for every epsilon.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical


def _checked(epsilon: float, subsample_size: int) -> None:
    check.positive(epsilon=epsilon)
    check.positive_integer(subsample_size=subsample_size)
    if epsilon * subsample_size > 700:
        product = epsilon * subsample_size
        raise ValueError(f"epsilon times subsample_size must be at most 700, got {product!r}")


def _alarm(mean_growth: float, epsilon: float, subsample_size: int) -> Categorical:
    """Law of (alarm, none), given the mean of e^(epsilon M); its c keeps P(alarm) below logistic(epsilon)."""
    log_alarm = np.log(mean_growth) - (subsample_size - 1) * epsilon - np.log1p(np.exp(epsilon))
    return Categorical([log_alarm, np.log1p(-np.exp(log_alarm))])


def _liked(records: ArrayLike, n_places: int) -> NDArray[np.bool_]:
    """Whether each record would be liked in each place, shape (n_samples, n_places)."""
    kinds = np.asarray(records)
    liked = np.empty((kinds.size, n_places), dtype=bool)
    liked[:, 0] = kinds == 3
    liked[:, 1:2] = (kinds == 2)[:, None]
    liked[:, 2:] = ((kinds == 1) | (kinds == 2))[:, None]
    return liked


def place_reader(epsilon: float, subsample_size: int) -> Callable[[ArrayLike], Categorical]:
    """The mechanism on its subsample: private, but it depends on the order of the records.

    Returns
    -------
    callable
        From the ordered records, of kinds 0 to 3, to the law of (alarm, none).

    Notes
    -----
    **Privacy.** epsilon-DP under ``REPLACE_ONE``, as claimed.
    **Source.** For WLF16-lem-34 and WLF16-lem-31.

    Examples
    --------
    >>> from privml import audit
    >>> round(audit.exact(place_reader(1.0, 3), np.arange(4), 3, ordered=True).epsilon, 6)
    1.0
    """
    _checked(epsilon, subsample_size)

    def law(records: ArrayLike) -> Categorical:
        liked = _liked(records, subsample_size)
        matches = int(np.trace(liked))
        return _alarm(float(np.exp(epsilon * matches)), epsilon, subsample_size)

    return law


def index_ordered_subsample(epsilon: float, subsample_size: int) -> Callable[[ArrayLike], Categorical]:
    """The same mechanism on a random subset of the data, handed over in index order.

    Returns
    -------
    callable
        From records of kinds 0 to 3, shape (n_samples,), to the exact law of (alarm, none).  Subsets are
        not gone through: one pass over the records, with the mean of ``e^(epsilon M)`` for each number of
        records chosen so far, takes n_samples * subsample_size steps.

    Notes
    -----
    **Privacy.** Less than the subsampling lemmas say, once the subsample is a small enough share of the data.
    Handed over in random order, or with a symmetric mechanism, the lemmas hold.
    **Source.** Counterexample to WLF16-lem-34 (subsamples of 2), and to WLF16-lem-31, WLF16-lem-4 and
    WLF16-lem-10 as printed (see :func:`index_ordered_pair`).

    Examples
    --------
    >>> from privml.composition import amplified_epsilon_wlf16
    >>> law, (z, neighbour) = index_ordered_subsample(4.0, 2), index_ordered_pair(1000, second=121)
    >>> round(float(law(z).logpmf()[0] - law(neighbour).logpmf()[0]), 4)
    0.3703
    >>> round(amplified_epsilon_wlf16(4.0, 2 / 1000), 4)
    0.2183
    """
    _checked(epsilon, subsample_size)

    def law(records: ArrayLike) -> Categorical:
        n_samples = np.size(records)
        if n_samples < subsample_size:
            raise ValueError(f"records must be at least {subsample_size}, got {n_samples}")
        growth = np.where(_liked(records, subsample_size), np.exp(epsilon), 1.0)
        return _alarm(_mean_growth(growth), epsilon, subsample_size)

    return law


def _mean_growth(growth: NDArray[np.float64]) -> float:
    """Mean over subsets of the product of growth[record, place], records in index order."""
    n_samples, n_places = growth.shape
    places = np.arange(n_places)
    mean = np.zeros(n_places + 1)  # times the probability of that many records chosen so far
    mean[0] = 1.0
    for index in range(n_samples):
        chosen = mean[:-1] * np.clip((n_places - places) / (n_samples - index), 0.0, 1.0)
        mean[:-1] -= chosen
        mean[1:] += chosen * growth[index]
    return float(mean[-1])


def index_ordered_pair(
    n_samples: int, *, second: int, others: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Neighbours on which the mechanism in index order loses much: they differ in record 1 alone.

    Parameters
    ----------
    second : int
        Records 2 to `second` are of kind 2, liked in place 2 (and in all further ones).
    others : int, default 0
        The next records, up to this one, are of kind 1, liked from place 3 on; all others are of kind 0.

    Returns
    -------
    tuple of ndarray of shape (n_samples,)
        With record 1 of kind 3, liked in place 1, and of kind 0.

    Notes
    -----
    Exact losses, found by a coarse search over the layout, against the epsilon that the lemmas print:

    ============== =========== ====== ====== ====== ====================================
    n, subsample   epsilon     second others loss   printed
    ============== =========== ====== ====== ====== ====================================
    1000, 2        4           121           0.3703 0.2183 (Lemma 34)
    5000, 2        5           369           0.3279 0.1187 (Lemma 34)
    2000, 40       1           16     120    0.1105 0.0940 (Lemma 34), 0.0893 (Lemma 31)
    10000, 100     1.5         14     200    0.2230 0.0852 (Lemma 4), 0.1450 (Lemma 31)
    ============== =========== ====== ====== ====== ====================================

    **Source.** WLF16-lem-34, WLF16-lem-31, WLF16-lem-4.

    Examples
    --------
    >>> z, neighbour = index_ordered_pair(6, second=2, others=4)
    >>> z.tolist(), neighbour.tolist()
    ([3, 2, 1, 1, 0, 0], [0, 2, 1, 1, 0, 0])
    """
    check.positive_integer(n_samples=n_samples, second=second)
    check.non_negative_integer(others=others)
    if max(second, others) > n_samples:
        found = max(second, others)
        raise ValueError(f"second and others must be at most n_samples = {n_samples}, got {found!r}")
    neighbour = np.zeros(n_samples, dtype=np.int64)
    neighbour[1:others] = 1
    neighbour[1:second] = 2
    records = neighbour.copy()
    records[0] = 3
    return records, neighbour
