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

    **Returns.** Callable: from the ordered records, of kinds 0 to 3, to the law of (alarm, none).
    **Privacy.** epsilon-DP under ``REPLACE_ONE``, as claimed.
    **Source.** For WLF16-lem-34 and WLF16-lem-31.

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
