"""The exact law of a learner on a uniformly random subset of its records."""

from itertools import combinations, permutations
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learnability.base import CountLaw, OrderedLaw
from privml.learnability.counts import count_vectors
from privml.learnability.subsample.base import checked_size

LARGEST_SUBSAMPLING = 500_000
"""Most subsamples that are gone through."""

_BLOCK_ENTRIES = 1 << 21


def _refuse_many(count: int) -> None:
    if count > LARGEST_SUBSAMPLING:
        raise ValueError(f"subsamples must be at most {LARGEST_SUBSAMPLING}, got {count}: use fewer records")


def _common_size(counts: NDArray[np.int64]) -> int:
    sizes = np.unique(counts.sum(axis=1))
    if sizes.size != 1:
        raise ValueError(f"data sets must be of one size, got sizes {sizes.tolist()}")
    return int(sizes[0])


def hypergeometric_weights(counts: NDArray[np.int64], parts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Probability that a uniformly random subset of a data set has each count vector.

    Parameters
    ----------
    counts : ndarray of int, shape (n_datasets, n_records)
        Count vectors of data sets of one size.
    parts : ndarray of int, shape (n_parts, n_records)
        Count vectors of subsets of one size.

    Returns
    -------
    ndarray of shape (n_datasets, n_parts)

    Examples
    --------
    >>> hypergeometric_weights(np.array([[2, 1]]), np.array([[2, 0], [1, 1], [0, 2]])).round(6).tolist()
    [[0.333333, 0.666667, 0.0]]
    """
    from scipy.special import gammaln

    counts, parts = np.asarray(counts), np.asarray(parts)
    if not all(table.dtype.kind in "iu" and table.ndim == 2 for table in (counts, parts)):
        raise ValueError(f"counts and parts must be tables of integers, got {counts.shape}, {parts.shape}")
    log_factorial = gammaln(np.arange(int(counts.sum(axis=1).max()) + 1) + 1.0)
    whole, part = counts.sum(axis=1), parts.sum(axis=1)
    log_all = log_factorial[whole][:, None] - log_factorial[part] - log_factorial[whole[:, None] - part]
    log_ways = -log_all
    for record in range(counts.shape[1]):
        n, k = counts[:, record, None], parts[:, record]
        ways = log_factorial[n] - log_factorial[k] - log_factorial[np.maximum(n - k, 0)]
        log_ways += np.where(k <= n, ways, -np.inf)
    return np.exp(log_ways)


def subsampled_law(law: CountLaw, subsample_size: int | None = None) -> CountLaw:
    """Law of a symmetric learner that runs on a uniformly random subset of its records.

    **Returns.** Callable: law of the whole, exactly: all subsets up to order, with hypergeometric weights.
    When called it raises ValueError if the data sets are smaller than the subset, of different sizes, or
    there are too many subsets.
    **Privacy.** :func:`subsample_guarantee`.
    **Source.** The algorithm A' of WLF16-lem-4, WLF16-lem-10, WLF16-lem-14 and WLF16-lem-29.

    Parameters
    ----------
    law : callable
        Law of the learner on count vectors.
    subsample_size : int, optional
        Records in the subset; floor(sqrt(n)) by default.

    Raises
    ------
    ValueError
        If `subsample_size` is not a positive integer.

    Examples
    --------
    >>> publish = subsampled_law(lambda counts: counts / counts.sum(axis=1, keepdims=True), 1)
    >>> publish(np.array([[1, 3]])).round(6).tolist()
    [[0.25, 0.75]]
    """
    if subsample_size is not None:
        check.positive_integer(subsample_size=subsample_size)

    def whole(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        counts = np.asarray(counts)
        parts = count_vectors(counts.shape[1], checked_size(_common_size(counts), subsample_size))
        outputs = np.asarray(law(parts), dtype=float)
        step = max(1, _BLOCK_ENTRIES // len(parts))
        blocks = (counts[start : start + step] for start in range(0, len(counts), step))
        return np.concatenate([hypergeometric_weights(block, parts) @ outputs for block in blocks])

    return whole


def _choices(n_samples: int, size: int, shuffle: bool) -> NDArray[np.intp]:
    """All subsets of places, in all orders if shuffled, one row each."""
    _refuse_many(perm(n_samples, size) if shuffle else comb(n_samples, size))
    chosen = (permutations if shuffle else combinations)(range(n_samples), size)
    return np.array(list(chosen), dtype=np.intp)


def _mean_law(law: OrderedLaw, samples: NDArray[np.intp]) -> NDArray[np.float64]:
    """Mean law over the middle axis of samples of shape (n_datasets, n_choices, size)."""
    n_datasets, n_choices, size = samples.shape
    distinct, place = np.unique(samples.reshape(-1, size), axis=0, return_inverse=True)
    outputs = np.asarray(law(distinct), dtype=float)
    rows = np.repeat(np.arange(n_datasets), n_choices)
    shares = np.bincount(rows * len(distinct) + place.ravel(), minlength=n_datasets * len(distinct))
    return shares.reshape(n_datasets, len(distinct)) @ outputs / n_choices


def subsampled_ordered_law(
    law: OrderedLaw, subsample_size: int | None = None, *, shuffle: bool = True, study: bool = False
) -> OrderedLaw:
    """Law of a learner that minds the order of its records, on a random subset of them.

    **Returns.** Callable: law of the whole, exactly: all subsets are gone through, shuffled ones in all
    orders.  When called it raises ValueError if there are too many of them or the data sets are smaller than
    the subset.
    **Privacy.** :func:`subsample_guarantee` if shuffled.  In index order the bound fails: for
    :func:`privml.counterexamples.place_reader` with epsilon 3 on 2 of 5 records the exact epsilon is above
    it.
    **Source.** The algorithm A' of WLF16-lem-4 and WLF16-lem-10, with the hypothesis that they leave out.

    Parameters
    ----------
    law : callable
        Law of the learner on rows of record indices.
    subsample_size : int, optional
        Records in the subset; floor(sqrt(n)) by default.
    shuffle : bool, default True
        Hand the subset over in uniformly random order.
    study : bool, default False
        Without it ``shuffle=False`` is refused, because then privacy is not amplified as the lemmas say.

    Examples
    --------
    >>> first = lambda rows: np.eye(2)[rows[:, 0]]
    >>> rows = np.array([[0, 1, 1]])
    >>> subsampled_ordered_law(first, 2)(rows).round(6).tolist()
    [[0.333333, 0.666667]]
    >>> subsampled_ordered_law(first, 2, shuffle=False, study=True)(rows).round(6).tolist()
    [[0.666667, 0.333333]]
    """
    check.flag(shuffle=shuffle, study=study)
    if subsample_size is not None:
        check.positive_integer(subsample_size=subsample_size)
    if not (shuffle or study):
        raise ValueError(
            "shuffle must be True for a law that minds the order, got False: in index order a subsample is "
            "less private than the lemmas say; study=True computes it all the same"
        )

    def whole(datasets: NDArray[np.intp]) -> NDArray[np.float64]:
        datasets = np.asarray(datasets)
        n_samples = datasets.shape[1]
        choices = _choices(n_samples, checked_size(n_samples, subsample_size), shuffle)
        step = max(1, _BLOCK_ENTRIES // choices.size)
        blocks = (datasets[start : start + step] for start in range(0, len(datasets), step))
        return np.concatenate([_mean_law(law, block[:, choices]) for block in blocks])

    return whole


def shuffled_law(law: OrderedLaw) -> CountLaw:
    """Symmetric law of a learner that puts its records in uniformly random order first.

    **Returns.** Callable: law on count vectors, exactly: all orders are gone through.
    **Privacy.** As that of the learner: for each fixed order it runs on neighbours.
    **Source.** The missing hypothesis of WLF16-lem-4.

    Parameters
    ----------
    law : callable
        Law of the learner on rows of record indices.

    Examples
    --------
    >>> shuffled_law(lambda rows: np.eye(2)[rows[:, 0]])(np.array([[1, 2]])).round(6).tolist()
    [[0.333333, 0.666667]]
    """

    def whole(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        counts = np.asarray(counts)
        size = _common_size(counts)
        rows = np.array([np.repeat(np.arange(counts.shape[1]), row) for row in counts])
        return subsampled_ordered_law(law, size)(rows)

    return whole
