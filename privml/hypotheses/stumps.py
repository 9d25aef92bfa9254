"""Thresholds, and decision stumps: one feature, one public cut point, one sign.

How many points can stumps label in every way?  Along one feature, m points are swept by the cut points
into a chain of sets, and the two signs give the chain and the complements of its members.  So m points
can be shattered if and only if the 2^m subsets of {1, ..., m} are covered by chains, one per feature and
of at most as many members as the feature has cut points, and their complements: the points can be placed
along each feature independently.

*At most.*  The union of the t largest levels of the lattice of subsets meets a chain in at most t sets.
Hence, with k_j cut points on feature j, shattering m points needs, for every t = 1, ..., m + 1::

    2 sum_j min(k_j, t)  >=  the sum of the t largest binomial coefficients C(m, i).

For t = 1 this is 2 d >= C(m, m // 2), and for t = m + 1 it says that there are 2^m hypotheses.

*At least.*  With m or more cut points on enough features, 2 d >= C(m, m // 2) suffices: split the levels
up to m // 2 into chains that end at level m // 2 (Hall's theorem), and join two chains, one of them
complemented, wherever their ends are disjoint; the ends can be matched so, in Kneser's graph, with at
most one left over.  This is the theorem of Gey (2018), also in Leboeuf et al. (2020).  With fewer cut
points, cut symmetric chains into pieces that fit.  And for m <= 5 the displayed condition is sufficient,
as a search through all cases shows (tests/hypotheses/test_stumps.py).  That it suffices for all m is
close to a conjecture of Griggs (1988) on chain partitions, which is open; where neither way decides,
`DecisionStumps.vc_dimension` raises rather than guess.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses.base import HypothesisClass, cells, cut_points, label_balance

_SEARCHED = 5  # the chain condition is sufficient for up to this many points, by exhaustive search
_MOST_CUTS = 10**7  # on all features together: 80 MB


@dataclass(frozen=True, eq=False)
class Thresholds(HypothesisClass):
    """Functions ``x >= cut`` of one number, one per cut point.

    A record NaN is labelled False by every threshold.
    Of two numbers no threshold labels the smaller True and the larger False.

    Parameters
    ----------
    cuts : array_like
        Public cut points of shape (n_hypotheses,), finite and strictly increasing.

    Examples
    --------
    >>> Thresholds([0.0, 1.0]).predict([-1.0, 0.0, 2.0]).astype(int).tolist()
    [[0, 1, 1], [0, 0, 1]]
    """

    cuts: NDArray[np.float64]

    if TYPE_CHECKING:  # what is given becomes arrays

        def __init__(self, cuts: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "cuts", cut_points(self.cuts))

    @property
    def n_hypotheses(self) -> int:
        """Number of cut points."""
        return self.cuts.size

    @property
    def n_features(self) -> int:  # type: ignore[override]  # frozen: nothing writes it
        """One number per instance."""
        return 1

    @property
    def vc_dimension(self) -> int:
        """1, or 0 when there is one cut point."""
        return min(1, self.cuts.size - 1)

    def _describe(self, index: int) -> str:
        return f"x >= {self.cuts[index]:g}"

    def _mistakes(self, records: NDArray, y: NDArray[np.bool_]) -> NDArray[np.int64]:
        balance = label_balance(cells(self.cuts, records[:, 0]), y, self.cuts.size + 1)
        return np.count_nonzero(~y) - np.cumsum(balance)[:-1]

    def _predictions(
        self, records: NDArray, indices: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        return records[:, 0] >= self.cuts[indices, None]


@dataclass(frozen=True, eq=False)
class DecisionStumps(HypothesisClass):
    """Functions ``x[feature] >= cut`` and their negations, for public cut points on each feature.

    The first half of the indices are the positive stumps, feature by feature and by increasing cut; index
    ``n_hypotheses // 2 + i`` is the negation of index i.  NaN is labelled False by the positive stump.

    Parameters
    ----------
    cut_points : sequence
        Public cut points of each feature, finite and strictly increasing; a feature may have none.

    Raises
    ------
    ValueError
        If there is no cut point, or those of a feature do not increase.

    References
    ----------
    Gey (2018), Vapnik-Chervonenkis dimension of axis-parallel cuts; Leboeuf, LeBlanc and Marchand (2020),
    Decision trees as partitioning machines.

    Examples
    --------
    >>> stumps = DecisionStumps([[0.5], [1.0, 2.0]])
    >>> [stumps.describe(index) for index in range(4)]
    ['x[0] >= 0.5', 'x[1] >= 1', 'x[1] >= 2', 'x[0] < 0.5']
    >>> stumps.mistakes([[0.0, 3.0], [1.0, 0.0]], [True, False]).tolist()
    [2, 0, 0, 0, 2, 2]
    """

    cut_points: tuple[NDArray[np.float64], ...]
    _feature: NDArray[np.intp] = field(init=False, repr=False)
    _cut: NDArray[np.float64] = field(init=False, repr=False)

    if TYPE_CHECKING:  # what is given becomes arrays

        def __init__(self, cut_points: Sequence[ArrayLike]) -> None: ...

    def __post_init__(self) -> None:
        given: Any = self.cut_points
        if isinstance(given, (str, dict)) or not hasattr(given, "__len__"):
            raise ValueError(
                f"cut_points must be one array for each feature, but got {self.cut_points!r}."
            )
        checked = tuple(
            cut_points(cuts, f"cut_points[{feature}]") if np.size(cuts) else np.empty(0)
            for feature, cuts in enumerate(self.cut_points)
        )
        counts = [cuts.size for cuts in checked]
        if not sum(counts):
            raise ValueError(
                f"cut_points must hold at least one cut point, but got {self.cut_points!r}."
            )
        object.__setattr__(self, "cut_points", checked)
        object.__setattr__(self, "_feature", np.repeat(np.arange(len(counts)), counts))
        object.__setattr__(self, "_cut", np.concatenate(checked))

    @classmethod
    def on_grid(
        cls, n_features: int, lower: float, upper: float, n_cuts: int
    ) -> "DecisionStumps":
        """Stumps on the same evenly spaced cut points for every feature.

        No stump is constant on the range.

        Parameters
        ----------
        n_features : int
            Number of features, a positive integer.
        lower : float
            Public range, `lower` below `upper`.
        upper : float
            The cut points lie strictly inside of it.
        n_cuts : int
            Number of cut points of each feature, a positive integer.

        Examples
        --------
        >>> DecisionStumps.on_grid(1, 0.0, 1.0, 3).cut_points
        (array([0.25, 0.5 , 0.75]),)
        """
        check.positive_integer(n_features=n_features, n_cuts=n_cuts)
        check.at_most(_MOST_CUTS, **{"n_features * n_cuts": n_features * n_cuts})
        check.finite(lower=lower, upper=upper)
        check.positive(**{"upper - lower": upper - lower})
        return cls([np.linspace(lower, upper, n_cuts + 2)[1:-1]] * n_features)

    @property
    def n_hypotheses(self) -> int:
        """Twice the number of cut points."""
        return 2 * self._feature.size

    @property
    def n_features(self) -> int:  # type: ignore[override]  # frozen: nothing writes it
        """Number of features, those without cut points included."""
        return len(self.cut_points)

    @property
    def vc_dimension(self) -> int:
        """Largest m with C(m, m // 2) <= 2 n_features, when features have m cut points; exact with fewer."""
        counts = [cuts.size for cuts in self.cut_points]
        upper = next(m - 1 for m in range(1, 64) if not _chain_condition(m, counts))
        if upper <= _SEARCHED or _chains_exist(upper, counts):
            return upper
        lower = next(
            m
            for m in range(upper - 1, 0, -1)
            if m <= _SEARCHED or _chains_exist(m, counts)
        )
        raise ValueError(
            f"cut_points must determine the VC dimension, but got a class whose dimension may be from {lower} to "
            f"{upper}."
        )

    def _mistakes(self, records: NDArray, y: NDArray[np.bool_]) -> NDArray[np.int64]:
        columns = zip(self.cut_points, records.T, strict=True)
        balances = [
            label_balance(cells(cuts, column), y, cuts.size + 1)
            for cuts, column in columns
        ]
        positive = np.count_nonzero(~y) - np.concatenate(
            [np.cumsum(each)[:-1] for each in balances]
        )
        return np.concatenate([positive, len(records) - positive])

    def _describe(self, index: int) -> str:
        sign, stump = divmod(index, self._feature.size)
        return f"x[{self._feature[stump]}] {'<' if sign else '>='} {self._cut[stump]:g}"

    def _predictions(
        self, records: NDArray, indices: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        negated, stumps = np.divmod(indices, self._feature.size)
        features = self._feature[stumps]
        order = np.argsort(features, kind="stable")
        labels = np.empty((len(indices), len(records)), dtype=bool)
        for rows in np.split(
            order, np.flatnonzero(np.diff(features[order])) + 1
        ):  # one feature at a time
            column = np.ascontiguousarray(records[:, features[rows[0]]])
            labels[rows] = column >= self._cut[stumps[rows], None]
        labels ^= negated[:, None].astype(bool)
        return labels


def _chain_condition(n_points: int, counts: Sequence[int]) -> bool:
    """Whether the necessary condition of the module docstring holds for every t."""
    levels = sorted(
        (comb(n_points, size) for size in range(n_points + 1)), reverse=True
    )
    counts = np.array(counts)
    return all(
        2 * np.minimum(counts, t).sum() >= sum(levels[:t])
        for t in range(1, n_points + 2)
    )


def _chains_exist(n_points: int, counts: Sequence[int]) -> bool:
    """Whether one of the two constructions of the module docstring gives the chains."""
    long = sum(count >= n_points for count in counts)
    return 2 * long >= comb(n_points, n_points // 2) or _pieces_fit(n_points, counts)


def _pieces_fit(n_points: int, counts: Sequence[int]) -> bool:
    """Whether symmetric chains, cut greedily, fit the features.

    One set of each complementary pair leaves out the last point, so chains of the m - 1 other points do:
    C(m - 1, i) - C(m - 1, i - 1) of them have m - 2 i members (de Bruijn et al., 1951).
    """
    others, chains = n_points - 1, np.zeros(n_points + 1, dtype=np.int64)
    for start in range(others // 2 + 1):
        chains[n_points - 2 * start] = comb(others, start) - (
            comb(others, start - 1) if start else 0
        )
    for count in sorted(counts, reverse=True):
        if not chains[1:].any():
            break
        longest = int(np.flatnonzero(chains)[-1])
        chains[longest] -= 1
        chains[max(longest - count, 0)] += 1
    return not chains[1:].any()


check.wrap_module(__name__)
