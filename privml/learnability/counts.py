"""Data sets up to order, as count vectors: all of them, their neighbours, and their probabilities."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import multisets, n_multisets


def count_vectors(n_records: int, n_samples: int) -> NDArray[np.int64]:
    """All data sets of one size over a finite universe, up to order, as count vectors.

    **Returns.** ndarray of int64, shape (n_datasets, n_records): in the order of
    :func:`privml.adjacency.multisets`.

    Parameters
    ----------
    n_records : int
        Size of the universe, at least 1.

    Examples
    --------
    >>> count_vectors(2, 2).tolist()
    [[2, 0], [1, 1], [0, 2]]
    """
    check.positive_integer(n_records=n_records, n_samples=n_samples)
    rows = multisets(n_records, n_samples)
    places = rows + n_records * np.arange(len(rows))[:, None]
    return np.bincount(places.ravel(), minlength=len(rows) * n_records).reshape(len(rows), n_records)


def neighbours(n_records: int, n_samples: int) -> NDArray[np.intp]:
    """Pairs of rows of :func:`count_vectors` that differ in one record, each unordered pair once.

    **Source.** WLF16-eq-3: Hamming distance 1, up to order.

    Parameters
    ----------
    n_records : int
        Size of the universe, at least 1.

    Returns
    -------
    ndarray of shape (n_pairs, 2)

    Raises
    ------
    ValueError
        As for :func:`count_vectors`.

    Examples
    --------
    >>> neighbours(2, 2).tolist()
    [[0, 1], [1, 2]]
    """
    check.positive_integer(n_records=n_records, n_samples=n_samples)
    if n_records == 1:
        return np.empty((0, 2), dtype=np.intp)
    larger = cliques(n_records, n_samples)
    first, second = np.triu_indices(n_records, k=1)
    pairs = np.column_stack([larger[:, first].ravel(), larger[:, second].ravel()])
    return pairs[np.lexsort(pairs.T[::-1])]


def _ranks(counts: NDArray[np.int64]) -> NDArray[np.intp]:
    """Rows of :func:`count_vectors` at which count vectors of one size stand.

    A vector stands behind all those that begin alike and then have more of some record.  If s records are
    left behind record r, there are as many of these as multisets of s - 1 records among r and its successors.
    """
    n_samples, n_records = int(counts[0].sum()), counts.shape[1]
    left = n_samples - np.cumsum(counts, axis=1)
    ranks = np.zeros(len(counts), dtype=np.intp)
    for record in range(n_records - 1):
        before = [n_multisets(n_records - record, size - 1) if size else 0 for size in range(n_samples + 1)]
        ranks += np.array(before, dtype=np.intp)[left[:, record]]
    return ranks


def rows_of(counts: ArrayLike) -> NDArray[np.intp]:
    """Rows at which count vectors of one size stand in :func:`count_vectors`.

    Nothing is searched: what stands before a vector is counted.

    Parameters
    ----------
    counts : array_like of int, shape (n_datasets, n_records)
        Count vectors, all with the same sum.

    Returns
    -------
    ndarray of shape (n_datasets,)

    Examples
    --------
    >>> rows_of(count_vectors(3, 2)).tolist()
    [0, 1, 2, 3, 4, 5]
    """
    counts = np.asarray(counts)
    if counts.ndim != 2 or counts.dtype.kind not in "iu" or counts.size == 0 or (counts < 0).any():
        raise ValueError(
            f"counts must be a table of non-negative integers, got {counts.dtype} {counts.shape}"
        )
    sizes = counts.sum(axis=1)
    if (sizes != sizes[0]).any():
        raise ValueError(f"counts must have one sum, got {sorted(set(sizes.tolist()))}")
    return _ranks(counts)


def cliques(n_records: int, n_samples: int) -> NDArray[np.intp]:
    """Data sets that share all records but one: the neighbouring relation in its shortest form.

    Two data sets are neighbours exactly when a data set of one record less can be completed to either.  So
    the pairs of :func:`neighbours` are the pairs within the rows of this table, and a ratio is bounded over
    all pairs as soon as the largest entry of each row is bounded by the smallest.

    **Returns.** ndarray of shape (n_rests, n_records): row w holds, for each record z, the row in
    :func:`count_vectors` of the w-th data set of ``n_samples - 1`` records with z added.
    **Source.** WLF16-eq-3: Hamming distance 1, up to order.

    Parameters
    ----------
    n_records : int
        Size of the universe, at least 1.

    Raises
    ------
    ValueError
        As for :func:`count_vectors`.

    Examples
    --------
    >>> cliques(2, 2).tolist()
    [[0, 1], [1, 2]]
    """
    check.positive_integer(n_records=n_records, n_samples=n_samples)
    whole = count_vectors(n_records, n_samples)
    one = np.eye(n_records, dtype=np.int64)
    rests = whole[whole[:, 0] > 0] - one[0]
    return _ranks((rests[:, None] + one).reshape(-1, n_records)).reshape(-1, n_records)


def sample_probabilities(counts: ArrayLike, probabilities: ArrayLike) -> NDArray[np.float64]:
    """Probability that an i.i.d. sample has each count vector: the multinomial law.

    Parameters
    ----------
    counts : array_like of int, shape (n_datasets, n_records)
        Count vectors.
    probabilities : array_like of shape (..., n_records)
        Distributions on the records.

    Returns
    -------
    ndarray of shape (..., n_datasets)

    Examples
    --------
    >>> sample_probabilities(count_vectors(2, 2), [0.5, 0.5]).tolist()
    [0.25, 0.5, 0.25]
    """
    from scipy.special import gammaln, xlogy

    counts, law = np.asarray(counts), check.numbers(probabilities=probabilities)
    if counts.ndim != 2 or law.ndim == 0 or law.shape[-1] != counts.shape[1]:
        raise ValueError(f"counts and probabilities must fit, got shapes {counts.shape} and {law.shape}")
    if not (law >= 0).all():
        raise ValueError(f"probabilities must be non-negative, got {probabilities!r}")
    orders = gammaln(counts.sum(axis=1) + 1.0) - gammaln(counts + 1.0).sum(axis=1)
    return np.exp(orders + xlogy(counts, law[..., None, :]).sum(axis=-1))
