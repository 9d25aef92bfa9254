"""Hypotheses on the line: thresholds and intervals between public cut points."""

from dataclasses import dataclass, field
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml.hypotheses.base import (
    LARGEST_CLASS,
    HypothesisClass,
    boolean_labels,
    cells,
    cut_points,
    label_balance,
)


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


@dataclass(frozen=True, eq=False)
class Intervals(HypothesisClass):
    """Functions ``lower <= x < upper`` of one number, for pairs of cut points, and the empty interval.

    Index 0 is the empty interval; the pairs follow in lexicographic order.

    A record NaN lies in no interval.  Of three numbers no interval leaves out the middle one only, and two
    numbers need two cells between cut points.

    >>> Intervals([0.0, 1.0, 2.0]).n_hypotheses
    4
    >>> Intervals([0.0, 1.0, 2.0]).predict([0.5, 1.5]).astype(int).tolist()
    [[0, 0], [1, 0], [1, 1], [0, 1]]
    """

    cuts: NDArray[np.float64]
    _ends: tuple[NDArray[np.intp], NDArray[np.intp]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        cuts = cut_points(self.cuts)
        if comb(cuts.size, 2) >= LARGEST_CLASS:
            raise ValueError(f"cuts must give fewer than {LARGEST_CLASS} intervals, got {comb(cuts.size, 2)}")
        lower, upper = np.triu_indices(cuts.size, k=1)
        object.__setattr__(self, "cuts", cuts)
        object.__setattr__(self, "_ends", (np.append(0, lower), np.append(0, upper)))  # 0 to 0 is empty

    @property
    def n_hypotheses(self) -> int:
        """Pairs of cut points, and one."""
        return self._ends[0].size

    @property
    def n_features(self) -> int:
        """One number per instance."""
        return 1

    @property
    def vc_dimension(self) -> int:
        """2, or one less than the number of cut points when there are fewer than three."""
        return min(2, self.cuts.size - 1)

    def _describe(self, index: int) -> str:
        lower, upper = (self.cuts[ends[index]] for ends in self._ends)
        return f"{lower:g} <= x < {upper:g}" if lower < upper else "always false"

    def mistakes(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.int64]:
        """Number of records that each interval labels wrongly, as differences of prefix sums."""
        records = self._records(X)
        y = boolean_labels(y, len(records))
        prefix = np.cumsum(label_balance(cells(self.cuts, records[:, 0]), y, self.cuts.size + 1))
        lower, upper = self._ends
        return np.count_nonzero(y) + prefix[upper] - prefix[lower]

    def _predictions(self, records: NDArray, indices: NDArray[np.int64]) -> NDArray[np.bool_]:
        lower, upper = (self.cuts[ends[indices], None] for ends in self._ends)
        return (records[:, 0] >= lower) & (records[:, 0] < upper)
