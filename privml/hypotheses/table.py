"""Classes on the domain 0, 1, ..., n_points - 1, and what a table of predictions tells of its class.

A record is rounded to a whole number and moved to the nearest end of the domain; NaN becomes 0.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses.base import (
    BLOCK_BYTES,
    HypothesisClass,
    label_balance,
    point_indices,
)


@dataclass(frozen=True, eq=False)
class Table(HypothesisClass):
    """Any class on the domain 0, 1, ..., n_points - 1, given as its table of labels.

    Parameters
    ----------
    predictions : array_like
        Bools of shape (n_hypotheses, n_points); equal rows are allowed, and stay separate outcomes.

    Examples
    --------
    >>> both = Table([[False, False], [True, True]])
    >>> both.mistakes([0, 1, 1], [True, True, False]).tolist()
    [2, 1]
    """

    predictions: NDArray[np.bool_]

    if TYPE_CHECKING:  # what is given becomes arrays

        def __init__(self, predictions: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        predictions = check.bool_matrix(predictions=self.predictions).copy()
        predictions.flags.writeable = False
        object.__setattr__(self, "predictions", predictions)

    @property
    def n_hypotheses(self) -> int:
        """Number of rows."""
        return self.predictions.shape[0]

    @property
    def n_points(self) -> int:
        """Size of the domain."""
        return self.predictions.shape[1]

    @property
    def n_features(self) -> None:  # type: ignore[override]  # frozen: nothing writes it
        """None: an instance is the index of a point."""
        return None

    @property
    def vc_dimension(self) -> int:
        """By brute force: exponential in the worst case, meant for small tables."""
        return vc_dimension_by_brute_force(self.predictions)

    def _describe(self, index: int) -> str:
        return "".join(map(str, self.predictions[index, :32].astype(int))) + "..." * (
            self.n_points > 32
        )

    def _mistakes(self, records: NDArray, y: NDArray[np.bool_]) -> NDArray[np.int64]:
        balance = label_balance(records, y, self.n_points).astype(float)
        mistakes = np.empty(self.n_hypotheses, dtype=np.int64)
        step = max(1, BLOCK_BYTES // (8 * self.n_points))
        for start in range(
            0, self.n_hypotheses, step
        ):  # float64 sums of whole numbers are exact
            rows = slice(start, start + step)
            mistakes[rows] = (
                np.count_nonzero(y) + self.predictions[rows].astype(float) @ balance
            )
        return mistakes

    def _records(self, X: ArrayLike) -> NDArray[np.int64]:
        return point_indices(X, self.n_points)

    def _predictions(
        self, records: NDArray, indices: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        return self.predictions[indices[:, None], records]


def vc_dimension_by_brute_force(predictions: ArrayLike) -> int:
    """Size of the largest set of columns in which every labelling occurs.

    Subsets of shattered sets are shattered, so the shattered sets of each size are grown from those of
    the size before, one larger point at a time.

    Parameters
    ----------
    predictions : array_like
        Bools of shape (n_hypotheses, n_points).

    References
    ----------
    DR11-cor-pac-iff-private-pac uses the VC dimension.

    Examples
    --------
    >>> vc_dimension_by_brute_force([[False, False], [True, False], [False, True], [True, True]])
    2
    """
    distinct = np.unique(check.bool_matrix(predictions=predictions), axis=0)
    distinct = np.unique(distinct, axis=1)
    dimension, shattered = 0, [()]
    while shattered := [
        larger
        for points in shattered
        for larger in _shattered_extensions(distinct, points)
    ]:
        dimension += 1
    return dimension


def _shattered_extensions(
    predictions: NDArray[np.bool_], points: tuple[int, ...]
) -> list[tuple[int, ...]]:
    """Shattered sets that have one more, larger point."""
    first = points[-1] + 1 if points else 0
    rest = predictions[:, first:]
    codes = predictions[:, points] @ (1 << np.arange(len(points), dtype=np.int64))
    seen = np.zeros((2 << len(points), rest.shape[1]), dtype=bool)
    seen[2 * codes[:, None] + rest, np.arange(rest.shape[1])] = True
    return [(*points, int(first + new)) for new in np.flatnonzero(seen.all(axis=0))]


check.wrap_module(__name__)
