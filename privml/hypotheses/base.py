"""What every hypothesis class can do, and the counting that its families share.

A class with structure never needs its prediction matrix to count mistakes.  Let ``b(x)`` be the number of
records at x labelled False minus the number labelled True.  Then::

    mistakes(h) = #{labels that are True} + sum of b(x) over the x with h(x) = True,

sums of one small table of counts, in exact integer arithmetic.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

BLOCK_BYTES = (
    1 << 26
)  # for a block of predictions with its temporaries: 64 MiB, or one row if longer
LARGEST_CLASS = (
    1 << 26
)  # most hypotheses that are gone through one by one; larger classes predict by index
_BYTES_PER_PREDICTION = 9  # the bool and two floats of 32 bits
_BYTES_PER_ROW = 64  # indices, and what belongs to one hypothesis
_BYTES_PER_FEATURE = 32  # of one hypothesis: its digits, as integers and as floats
_EXACT_FLOAT32 = 1 << 24  # whole numbers up to it are floats of 32 bits


class HypothesisClass(ABC):
    """A finite set of hypotheses, indexed 0, 1, ..., n_hypotheses - 1.

    A subclass that knows a shorter way than by its predictions overrides `_mistakes`.

    Attributes
    ----------
    n_features : int, optional
        Number of features of an instance; None where it is the index of a point.

    Notes
    -----
    *Privacy.* A class is public. It must not be chosen by looking at the data: cut points, in particular,
    have to be public numbers.

    References
    ----------
    L4-def-setup: concept and concept class; DR11-def-11.1.
    """

    n_features: int | None

    @property
    @abstractmethod
    def n_hypotheses(self) -> int:
        """Number of hypotheses, at least 1."""

    @property
    @abstractmethod
    def vc_dimension(self) -> int:
        """Size of the largest set of instances that the class labels in every way."""

    @abstractmethod
    def _describe(self, index: int) -> str:
        """What `describe` returns, for an index in range."""

    @abstractmethod
    def _predictions(
        self, records: NDArray, indices: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Labels of shape (len(indices), n_samples), for records made by `_records`."""

    def _records(self, X: ArrayLike) -> NDArray:
        """The instances in the form that the class computes on, after a check of their shape."""
        return feature_matrix(X, self.n_features)

    def describe(self, index: int) -> str:
        """One line that says what the hypothesis with this index does."""
        check.non_negative_integer(index=index)
        if index >= self.n_hypotheses:
            raise ValueError(
                f"index must be in [0, {self.n_hypotheses}), but got {index!r}."
            )
        return self._describe(int(index))

    def predict(
        self, X: ArrayLike, indices: ArrayLike | None = None
    ) -> NDArray[np.bool_]:
        """Labels that the hypotheses with some indices, all by default, give to instances: one row each.

        Parameters
        ----------
        X : array_like
            Here instances, as the class takes them.
        indices : array_like, optional
            Indices of hypotheses, of shape (n_chosen,); None is all.
        """
        records, chosen = self._records(X), self._chosen(indices)
        labels = np.empty((len(chosen), len(records)), dtype=bool)
        for rows in self._row_blocks(len(chosen), len(records)):
            labels[rows] = self._predictions(records, chosen[rows])
        return labels

    def blocks(self, X: ArrayLike) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
        """Rows of ``predict(X)`` in pieces of at most `BLOCK_BYTES`: which hypotheses, and their labels."""
        records, chosen = self._records(X), self._chosen(None)
        for rows in self._row_blocks(len(chosen), len(records)):
            yield rows, self._predictions(records, chosen[rows])

    def mistakes(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.int64]:
        """Number of records, features `X` and labels `y`, that each hypothesis labels wrongly.

        References
        ----------
        L4-lem-error-count-binomial: the count X_h; on an i.i.d. sample it is binomial.
        """
        records = self._records(X)
        return self._mistakes(records, boolean_labels(y, len(records)))

    def _mistakes(self, records: NDArray, y: NDArray[np.bool_]) -> NDArray[np.int64]:
        """What `mistakes` returns, for records made by `_records`."""
        chosen = self._chosen(None)
        mistakes = np.empty(self.n_hypotheses, dtype=np.int64)
        for rows in self._row_blocks(len(chosen), len(records)):
            mistakes[rows] = _mistakes_of_rows(
                self._predictions(records, chosen[rows]), y
            )
        return mistakes

    def _chosen(self, indices: ArrayLike | None) -> NDArray[np.int64]:
        if indices is None:
            self._refuse_large()
            return np.arange(self.n_hypotheses)
        chosen = np.atleast_1d(np.asarray(indices))
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise ValueError(
                f"indices must be a vector of integers, but got {indices!r}."
            )
        if chosen.size and not (chosen.min() >= 0 and chosen.max() < self.n_hypotheses):
            raise ValueError(
                f"indices must be in [0, {self.n_hypotheses}), but got {indices!r}."
            )
        return chosen.astype(np.int64)

    def _refuse_large(self) -> None:
        if self.n_hypotheses > LARGEST_CLASS:
            raise ValueError(
                f"n_hypotheses must be at most {LARGEST_CLASS} to go through all of them, but got "
                f"{self.n_hypotheses}. Pass indices to predict, or use fewer features or cut points."
            )

    def _row_blocks(self, n_rows: int, n_samples: int) -> Iterator[slice]:
        of_row = _BYTES_PER_ROW + _BYTES_PER_FEATURE * (self.n_features or 0)
        step = max(1, BLOCK_BYTES // (_BYTES_PER_PREDICTION * n_samples + of_row))
        for start in range(0, n_rows, step):
            yield slice(start, min(start + step, n_rows))


def feature_matrix(X: ArrayLike, n_features: int | None) -> NDArray[np.float64]:
    """Instances as floats of shape (n_samples, n_features); a vector will do for one feature."""
    try:
        X = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"X must be a dense array of numbers, but got {type(X).__name__}."
        ) from None
    if X.ndim == 1 and n_features == 1:
        X = X[:, None]
    if X.ndim != 2 or X.shape[1] != n_features:
        raise ValueError(
            f"X must be of shape (n_samples, {n_features}), but got shape {X.shape}."
        )
    return X


def point_indices(X: ArrayLike, n_points: int) -> NDArray[np.int64]:
    """Instances as indices in [0, n_points): rounded, then moved to the nearest end; NaN becomes 0."""
    X = feature_matrix(X, 1)[:, 0]
    return np.clip(np.rint(np.nan_to_num(X, nan=0.0)), 0, n_points - 1).astype(np.int64)


def boolean_labels(y: ArrayLike, n_samples: int) -> NDArray[np.bool_]:
    """Labels as a bool vector of the given length; numbers are refused, since -1 would count as True."""
    y = np.asarray(y)
    if y.size == 0:
        y = y.astype(bool)
    if y.dtype != bool or y.shape != (n_samples,):
        raise ValueError(
            f"y must be a vector of {n_samples} bools, but got shape {y.shape} of {y.dtype}."
        )
    return y


def cut_points(cuts: ArrayLike, name: str = "cuts") -> NDArray[np.float64]:
    """A read-only copy of cut points; raises unless they are finite and strictly increasing."""
    cuts = check.finite_vector(**{name: cuts}).copy()
    if not (np.diff(cuts) > 0).all():
        position = int(np.argmin(np.diff(cuts) > 0)) + 1
        raise ValueError(
            f"{name} must be strictly increasing, but got {cuts[position]!r} at index {position}."
        )
    cuts.flags.writeable = False
    return cuts


def cells(cuts: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many cut points each number reaches: ``x >= cuts[i]`` means ``cells > i``; NaN reaches none."""
    reached = np.searchsorted(cuts, x, side="right")
    reached[np.isnan(x)] = 0
    return reached


def label_balance(
    places: NDArray[np.int64], y: NDArray[np.bool_], n_places: int
) -> NDArray[np.int64]:
    """At each place, the number of records labelled False minus the number labelled True."""
    counts = np.bincount(2 * places + y, minlength=2 * n_places).reshape(n_places, 2)
    return counts[:, 0] - counts[:, 1]


def _mistakes_of_rows(
    labels: NDArray[np.bool_], y: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Mistakes of explicit predictions: n_true + labels @ (1 - 2 y), in float32 sums that stay exact."""
    total = np.full(len(labels), int(y.sum()), dtype=np.int64)
    signs = 1 - 2 * y.astype(np.float32)
    for start in range(0, len(y), _EXACT_FLOAT32):
        part = slice(
            start, start + _EXACT_FLOAT32
        )  # whole numbers up to 2**24 are float32s
        total += (labels[:, part].astype(np.float32) @ signs[part]).astype(np.int64)
    return total


check.wrap_module(__name__)
