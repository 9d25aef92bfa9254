"""Hypotheses on the line: thresholds at public cut points."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml.hypotheses.base import HypothesisClass, boolean_labels, cells, cut_points, label_balance


@dataclass(frozen=True, eq=False)
class Thresholds(HypothesisClass):
    """Functions ``x >= cut`` of one number, one per cut point.

    A record NaN is labelled False by every threshold.
    Of two numbers no threshold labels the smaller True and the larger False.

    >>> Thresholds([0.0, 1.0]).predict([-1.0, 0.0, 2.0]).astype(int).tolist()
    [[0, 1, 1], [0, 0, 1]]
    """

    cuts: NDArray[np.float64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cuts", cut_points(self.cuts))

    @property
    def n_hypotheses(self) -> int:
        """Number of cut points."""
        return self.cuts.size

    @property
    def n_features(self) -> int:
        """One number per instance."""
        return 1

    @property
    def vc_dimension(self) -> int:
        """1, or 0 when there is one cut point."""
        return min(1, self.cuts.size - 1)

    def _describe(self, index: int) -> str:
        return f"x >= {self.cuts[index]:g}"

    def mistakes(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.int64]:
        """Number of records that each threshold labels wrongly, by one pass over sorted cut points."""
        records = self._records(X)
        y = boolean_labels(y, len(records))
        balance = label_balance(cells(self.cuts, records[:, 0]), y, self.cuts.size + 1)
        return np.count_nonzero(~y) - np.cumsum(balance)[:-1]

    def _predictions(self, records: NDArray, indices: NDArray[np.int64]) -> NDArray[np.bool_]:
        return records[:, 0] >= self.cuts[indices, None]
