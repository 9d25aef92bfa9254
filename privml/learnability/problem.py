"""A learning problem as a table of losses, data sets as counts, and learners as laws.

A data set of n records, up to order, is its *count vector* c; its empirical risk is
``sum over z of l(h, z) c(z) / n``.  A learner that ignores order maps count vectors to laws.  So suprema over
data sets are maxima over finitely many count vectors, and expectations are sums with multinomial weights.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import multisets, n_multisets
from privml.hypotheses import HypothesisClass

CountLearner = Callable[[NDArray[np.int64]], NDArray[np.float64]]
"""A symmetric learner: from counts (n_datasets, n_records) to probabilities (n_datasets, n_hypotheses)."""

OrderedLearner = Callable[[NDArray[np.intp]], NDArray[np.float64]]
"""Any learner: from record indices (n_datasets, n_samples) to probabilities (n_datasets, n_hypotheses)."""


def loss_table(losses: ArrayLike) -> NDArray[np.float64]:
    """A table of numbers (n_hypotheses, n_records), not empty."""
    table = check.numbers(losses=losses)
    if table.ndim != 2 or table.size == 0:
        raise ValueError(
            f"losses must be a table (n_hypotheses, n_records), but got shape {table.shape}."
        )
    return table


def _names(names: ArrayLike | None, count: int, what: str) -> NDArray:
    array = np.arange(count) if names is None else np.array(names)
    if array.ndim == 0 or len(array) != count:
        raise ValueError(
            f"{what} must name all {count} of them, but got shape {array.shape}."
        )
    return array


@dataclass(frozen=True, eq=False)
class LearningProblem:
    """A finite learning problem: records, hypotheses and a loss in [0, 1].

    The arrays are copied and read-only.

    Parameters
    ----------
    losses : array_like
        Loss of each hypothesis on each record, of shape (n_hypotheses, n_records), in [0, 1].
    hypotheses, records : array_like, optional
        Here names of these, for people and figures, None for indices.

    Raises
    ------
    ValueError
        If `losses` are no table of numbers in [0, 1], or names are of another number.

    References
    ----------
    WLF16-def-setting: the triple, the risk and the empirical risk; WLF16-cond-A1: the losses lie in [0, 1].

    Examples
    --------
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> problem.risk([0.75, 0.25]).tolist(), float(problem.best_risk([0.75, 0.25]))
    ([0.25, 0.75], 0.25)
    >>> problem.excess_empirical_risk([[3, 1], [2, 2]]).tolist()
    [[0.0, 0.5], [0.0, 0.0]]
    """

    losses: NDArray[np.float64]
    hypotheses: NDArray = None  # type: ignore[assignment]  # then its indices
    records: NDArray = None  # type: ignore[assignment]

    if TYPE_CHECKING:  # what is given becomes arrays

        def __init__(
            self, losses: ArrayLike, hypotheses: Any = None, records: Any = None
        ) -> None: ...

    def __post_init__(self) -> None:
        table = loss_table(self.losses)
        outside = np.argwhere(~((table >= 0) & (table <= 1)))
        if len(outside):
            row, column = outside[0]
            entry = f"{table[row, column]!r} for hypothesis {row} and record {column}"
            raise ValueError(f"losses must be in [0, 1], but got {entry}.")
        hypotheses = _names(self.hypotheses, len(table), "hypotheses")
        records = _names(self.records, table.shape[1], "records")
        for name, array in (
            ("losses", table),
            ("hypotheses", hypotheses),
            ("records", records),
        ):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def of_class(cls, hypotheses: HypothesisClass, X: ArrayLike) -> "LearningProblem":
        """0-1 loss of `hypotheses`: the records are the instances `X` labelled False, then labelled True.

        ``records`` holds their positions in `X` and labels, one row each.

        Examples
        --------
        >>> from privml.hypotheses import Thresholds
        >>> LearningProblem.of_class(Thresholds([0.5, 1.5]), [0.0, 1.0]).losses.tolist()
        [[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
        """
        check.instance(HypothesisClass, hypotheses=hypotheses)
        labels = hypotheses.predict(X)
        names = [(point, label) for label in (0, 1) for point in range(labels.shape[1])]
        return cls(np.hstack([labels, ~labels]).astype(float), records=names)

    @property
    def n_hypotheses(self) -> int:
        """Number of hypotheses."""
        return self.losses.shape[0]

    @property
    def n_records(self) -> int:
        """Number of possible records: the size of the universe."""
        return self.losses.shape[1]

    def risk(self, probabilities: ArrayLike) -> NDArray[np.float64]:
        """Risk of every hypothesis, of shape (..., n_hypotheses), under `probabilities` (..., n_records).

        References
        ----------
        WLF16-def-setting.
        """
        distribution = check.numbers(probabilities=probabilities)
        if distribution.ndim == 0 or distribution.shape[-1] != self.n_records:
            raise ValueError(
                f"probabilities must have {self.n_records} columns, but got shape {distribution.shape}."
            )
        return check.distributions(probabilities=probabilities) @ self.losses.T

    def best_risk(self, probabilities: ArrayLike) -> NDArray[np.float64] | float:
        """The least risk in the class under `probabilities` (..., n_records), of shape (...)."""
        return self.risk(probabilities).min(axis=-1)

    def excess_risk(self, probabilities: ArrayLike) -> NDArray[np.float64]:
        """By how much each hypothesis exceeds the least risk under `probabilities`: (..., n_hypotheses)."""
        risk = self.risk(probabilities)
        return risk - risk.min(axis=-1, keepdims=True)

    def empirical_risk(self, counts: ArrayLike) -> NDArray[np.float64]:
        """Empirical risk of every hypothesis, of shape (..., n_hypotheses), on `counts` (..., n_records).

        References
        ----------
        WLF16-def-setting.
        """
        counts = np.asarray(counts)
        if (
            counts.dtype.kind not in "iu"
            or counts.ndim == 0
            or counts.shape[-1] != self.n_records
        ):
            raise ValueError(
                f"counts must be integers of shape (..., {self.n_records}), but got {counts.dtype} of shape "
                f"{counts.shape}."
            )
        sizes = counts.sum(axis=-1, keepdims=True)
        if (counts < 0).any() or (sizes == 0).any():
            raise ValueError(
                "counts must be non-negative, with at least one positive count in each data set."
            )
        return counts @ self.losses.T / sizes

    def best_empirical_risk(self, counts: ArrayLike) -> NDArray[np.float64] | float:
        """The least empirical risk on each data set of `counts` (..., n_records), of shape (...)."""
        return self.empirical_risk(counts).min(axis=-1)

    def excess_empirical_risk(self, counts: ArrayLike) -> NDArray[np.float64]:
        """By how much each hypothesis exceeds the least empirical risk on `counts`: (..., n_hypotheses)."""
        risk = self.empirical_risk(counts)
        return risk - risk.min(axis=-1, keepdims=True)


def count_vectors(n_records: int, n_samples: int) -> NDArray[np.int64]:
    """All data sets of one size over a universe, up to order.

    Parameters
    ----------
    n_records, n_samples : int
        Numbers of possible records and of records in a data set, positive integers.

    Returns
    -------
    ndarray
        Integers of shape (n_datasets, n_records): as :func:`privml.adjacency.multisets` orders.

    Examples
    --------
    >>> count_vectors(2, 2).tolist()
    [[2, 0], [1, 1], [0, 2]]
    """
    check.positive_integer(n_records=n_records, n_samples=n_samples)
    rows = multisets(n_records, n_samples)
    places = rows + n_records * np.arange(len(rows))[:, None]
    return np.bincount(places.ravel(), minlength=len(rows) * n_records).reshape(
        len(rows), n_records
    )


def neighbours(n_records: int, n_samples: int) -> NDArray[np.intp]:
    """Pairs of data sets that differ in one record, each unordered pair once.

    Parameters
    ----------
    n_records, n_samples : int
        Numbers of possible records and of records in a data set, positive integers.

    Returns
    -------
    ndarray
        Integers of shape (n_pairs, 2): rows of :func:`count_vectors`.

    References
    ----------
    WLF16-eq-3: Hamming distance 1, up to order.

    Examples
    --------
    >>> neighbours(2, 2).tolist()
    [[0, 1], [1, 2]]
    """
    larger = neighbour_cliques(n_records, n_samples)
    first, second = np.triu_indices(n_records, k=1)
    pairs = np.column_stack([larger[:, first].ravel(), larger[:, second].ravel()])
    return pairs[np.lexsort(pairs.T[::-1])]


def count_vector_rows(counts: ArrayLike) -> NDArray[np.intp]:
    """Rows at which count vectors of one size stand in :func:`count_vectors`: nothing is searched.

    A vector stands behind all those that begin alike and then have more of some record.  If s records are
    left behind record r, there are as many of these as multisets of s - 1 records among r and its successors.

    Parameters
    ----------
    counts : array_like
        Here data sets of one size, integers of shape (n_datasets, n_records).

    Returns
    -------
    ndarray
        Integers of shape (n_datasets,): rows of :func:`count_vectors`.

    Raises
    ------
    ValueError
        If `counts` are no data sets of one size.

    Examples
    --------
    >>> count_vector_rows(count_vectors(3, 2)).tolist()
    [0, 1, 2, 3, 4, 5]
    """
    counts = np.asarray(counts)
    if (
        counts.ndim != 2
        or counts.dtype.kind not in "iu"
        or counts.size == 0
        or (counts < 0).any()
    ):
        raise ValueError(
            f"counts must be rows of non-negative integers, but got {counts.dtype} of shape {counts.shape}."
        )
    sizes = counts.sum(axis=1)
    if (sizes != sizes[0]).any():
        raise ValueError(
            f"counts must have one sum, but got {sorted(set(sizes.tolist()))}."
        )
    n_samples, n_records = int(sizes[0]), counts.shape[1]
    left = n_samples - np.cumsum(counts, axis=1)
    ranks = np.zeros(len(counts), dtype=np.intp)
    for record in range(n_records - 1):
        before = [
            n_multisets(n_records - record, size - 1) if size else 0
            for size in range(n_samples + 1)
        ]
        ranks += np.array(before, dtype=np.intp)[left[:, record]]
    return ranks


def neighbour_cliques(n_records: int, n_samples: int) -> NDArray[np.intp]:
    """Data sets that share all records but one: the neighbouring relation in its shortest form.

    Two data sets are neighbours exactly when a data set of one record less can be completed to either.  Row w
    holds, for each record z, the row in :func:`count_vectors` of the w-th data set of ``n_samples - 1``
    records with z added.  So a ratio is bounded over all neighbours as soon as the largest entry of each row
    is bounded by the smallest.

    Parameters
    ----------
    n_records, n_samples : int
        Numbers of possible records and of records in a data set, positive integers.

    Returns
    -------
    ndarray
        Integers of shape (n_rests, n_records): rows of :func:`count_vectors`.

    References
    ----------
    WLF16-eq-3: Hamming distance 1, up to order.

    Examples
    --------
    >>> neighbour_cliques(2, 2).tolist()
    [[0, 1], [1, 2]]
    """
    vectors = count_vectors(n_records, n_samples)
    single = np.eye(n_records, dtype=np.int64)
    smaller = vectors[vectors[:, 0] > 0] - single[0]
    return count_vector_rows(
        (smaller[:, None] + single).reshape(-1, n_records)
    ).reshape(-1, n_records)


def sample_probabilities(
    counts: ArrayLike, probabilities: ArrayLike
) -> NDArray[np.float64]:
    """Multinomial probability of each count vector.

    Parameters
    ----------
    counts : array_like
        Here data sets of one size, integers of shape (n_datasets, n_records).
    probabilities : array_like
        Distributions on the records, of shape (..., n_records).

    Returns
    -------
    ndarray
        Of shape (..., n_datasets): probabilities.

    Raises
    ------
    ValueError
        If shapes do not fit, or a probability is negative.

    Examples
    --------
    >>> sample_probabilities(count_vectors(2, 2), [0.5, 0.5]).tolist()
    [0.25, 0.5, 0.25]
    """
    from scipy.special import gammaln, xlogy

    counts, distribution = (
        np.asarray(counts),
        check.numbers(probabilities=probabilities),
    )
    if (
        counts.ndim != 2
        or distribution.ndim == 0
        or distribution.shape[-1] != counts.shape[1]
    ):
        raise ValueError(
            f"counts and probabilities must fit, but got shapes {counts.shape} and {distribution.shape}."
        )
    if not (distribution >= 0).all():
        raise ValueError(
            f"probabilities must be non-negative, but got {probabilities!r}."
        )
    orders = gammaln(counts.sum(axis=1) + 1.0) - gammaln(counts + 1.0).sum(axis=1)
    return np.exp(orders + xlogy(counts, distribution[..., None, :]).sum(axis=-1))


def simplex_grid(n_records: int, steps: int) -> NDArray[np.float64]:
    """All distributions on the records whose probabilities are multiples of ``1 / steps``.

    Parameters
    ----------
    n_records : int
        Number of possible records, a positive integer.
    steps : int
        One over the distance of the grid, a positive integer.

    Returns
    -------
    ndarray
        Of shape (n_distributions, n_records): one distribution a row.

    Examples
    --------
    >>> simplex_grid(2, 2).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """
    check.positive_integer(n_records=n_records, steps=steps)
    return count_vectors(n_records, steps) / steps


check.wrap_module(__name__)
