"""Hypotheses that single out one point of a finite domain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses.base import HypothesisClass, boolean_labels, label_balance, point_indices


@dataclass(frozen=True)
class PointFunctions(HypothesisClass):
    """Functions ``x == point`` on the domain 0, 1, ..., n_points - 1.

    A record is rounded to a whole number and moved to the nearest end of the domain; NaN becomes 0.
    The VC dimension is 1, since no point function is True twice; it is 0 if there is one hypothesis.

    Parameters
    ----------
    include_false : bool, default False
        Whether to append, as the last hypothesis, the function that is always False.

    Raises
    ------
    ValueError
        If `n_points` is not a positive integer.

    Examples
    --------
    >>> PointFunctions(3).predict([0, 2, 2]).astype(int).tolist()
    [[1, 0, 0], [0, 0, 0], [0, 1, 1]]
    """

    n_points: int
    include_false: bool = False

    def __post_init__(self) -> None:
        check.positive_integer(n_points=self.n_points)

    @property
    def n_hypotheses(self) -> int:
        """One per point, and the function that is always False if included."""
        return self.n_points + bool(self.include_false)

    @property
    def n_features(self) -> None:
        """None: an instance is the index of a point."""
        return None

    @property
    def vc_dimension(self) -> int:
        """1, or 0 if there is one hypothesis."""
        return min(1, self.n_hypotheses - 1)

    def _describe(self, index: int) -> str:
        return f"x == {index}" if index < self.n_points else "always false"

    def mistakes(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.int64]:
        """Number of records that each hypothesis labels wrongly, from one count per point."""
        records = self._records(X)
        y = boolean_labels(y, len(records))
        balance = label_balance(records, y, self.n_points)
        return np.count_nonzero(y) + np.append(balance, 0)[: self.n_hypotheses]

    def _records(self, X: ArrayLike) -> NDArray[np.int64]:
        return point_indices(X, self.n_points)

    def _predictions(self, records: NDArray, indices: NDArray[np.int64]) -> NDArray[np.bool_]:
        return records == indices[:, None]
