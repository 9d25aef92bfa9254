"""Private learning with a public reference distribution: a cover that does not look at the data.

Let D* be public and suppose that the unknown D is dominated by it: every event is at most c times as likely
under D as under D*.  Then two hypotheses whose losses differ by r on average under D* differ in risk by at
most c r under D.  So a cover of the class of radius alpha / c under D* loses at most alpha under every such
D, and the exponential mechanism pays for its size only.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.guarantee import Guarantee
from privml.hypotheses import HypothesisClass
from privml.learners.base import FiniteClassLearner
from privml.learners.exponential import selection_mechanism

LARGEST_COVERED = 1 << 13
SLACK = 1e-12
PUBLIC_POINTS = 256


def loss_distances(losses: ArrayLike, probabilities: ArrayLike | None = None) -> NDArray[np.float64]:
    """Mean absolute difference of the losses of any two hypotheses under the reference law.

    **Source.** WLF16-ex-24.

    Parameters
    ----------
    losses : array_like of shape (n_hypotheses, n_points)
        Loss of each hypothesis on each point of the reference; bool for labels or 0-1 losses.
    probabilities : array_like of shape (n_points,), optional
        Reference law of the points; uniform by default.

    Examples
    --------
    >>> loss_distances([[True, True], [False, True]], [0.25, 0.75]).tolist()
    [[0.0, 0.25], [0.25, 0.0]]
    """
    table = np.asarray(losses)
    if table.ndim != 2 or table.size == 0 or len(table) > LARGEST_COVERED:
        raise ValueError(f"losses must be a matrix of 1 to {LARGEST_COVERED} rows, got shape {table.shape}")
    law = np.full(table.shape[1], 1 / table.shape[1]) if probabilities is None else np.asarray(probabilities)
    if law.shape != table.shape[1:] or not (law >= 0).all() or abs(law.sum() - 1) > 1e-9:
        raise ValueError(f"probabilities must be a law on {table.shape[1]} points")
    values = table.astype(float)
    if table.dtype != bool:
        return np.stack([abs(values - row) @ law for row in values])
    mass = values @ law
    apart = mass[:, None] + mass - 2 * (values * law) @ values.T
    np.fill_diagonal(apart, 0.0)
    return np.maximum(apart, 0.0)


def greedy_cover(distances: ArrayLike, radius: float) -> NDArray[np.intp]:
    """Indices of a cover: every hypothesis is within the radius of one of them.

    **Returns.** ndarray of int: in increasing order.  Each step takes the hypothesis within whose reach most
    are left; the size is at most ``1 + ln n_hypotheses`` times the least one.
    **Source.** WLF16-ex-24: the net, in the radius alpha / c.

    Parameters
    ----------
    distances : array_like of shape (n_hypotheses, n_hypotheses)
        Symmetric, 0 on the diagonal, as from `loss_distances`.

    Examples
    --------
    >>> line = np.arange(9)
    >>> greedy_cover(abs(line[:, None] - line), 1.0).tolist()
    [1, 4, 7]
    """
    check.non_negative(radius=radius)
    table = check.numbers(distances=distances)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or table.size == 0 or table.diagonal().any():
        raise ValueError(f"distances must be square with diagonal 0, got shape {table.shape}")
    near = table <= radius + SLACK
    gains, left, chosen = near.sum(axis=1), np.ones(len(table), dtype=bool), []
    while left.any():
        chosen.append(int(np.argmax(gains)))
        newly = near[chosen[-1]] & left
        left &= ~newly
        gains = gains - near[:, newly].sum(axis=1)
    return np.sort(np.array(chosen, dtype=np.intp))


@dataclass(frozen=True, eq=False)
class Members(HypothesisClass):
    """Some hypotheses of a class, as a class; `chosen` holds their indices, at least one.

    >>> from privml.hypotheses import Thresholds
    >>> Members(Thresholds([0.0, 1.0, 2.0]), [0, 2]).predict([1.5]).tolist()
    [[True], [False]]
    """

    whole: HypothesisClass
    chosen: ArrayLike

    def __post_init__(self) -> None:
        check.instance(HypothesisClass, whole=self.whole)
        chosen = np.array(self.chosen)
        if chosen.ndim != 1 or chosen.size == 0 or chosen.dtype.kind not in "iu":
            raise ValueError(f"chosen must be a non-empty vector of integers, got {self.chosen!r}")
        if chosen.min() < 0 or chosen.max() >= self.whole.n_hypotheses:
            raise ValueError(f"chosen must be in [0, {self.whole.n_hypotheses}), got {self.chosen!r}")
        chosen.flags.writeable = False
        object.__setattr__(self, "chosen", chosen)

    @property
    def n_hypotheses(self) -> int:
        """Number of members."""
        return self.chosen.size

    @property
    def n_features(self) -> int | None:
        """Of the class."""
        return self.whole.n_features

    @cached_property
    def vc_dimension(self) -> int:
        """Of the class, or log2 of the number of members if that is smaller: a bound."""
        return min(self.whole.vc_dimension, self.n_hypotheses.bit_length() - 1)

    def _describe(self, index: int) -> str:
        return self.whole.describe(int(self.chosen[index]))

    def _records(self, X: ArrayLike) -> NDArray:
        return self.whole._records(X)

    def _predictions(self, records: NDArray, indices: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self.whole._predictions(records, self.chosen[indices])


@dataclass(eq=False, repr=False)
class ReferenceCoverLearner(FiniteClassLearner):
    """Private classifier: the exponential mechanism on a cover of the class under a public reference.

    **Privacy.** epsilon-DP under replace-one; the cover is made from public things only.
    **Accuracy.** :func:`~privml.bounds.private_pac.representation_excess_risk` with the approximation
    alpha, for data whose instances the reference dominates with the ratio c.
    **Source.** WLF16-ex-24; Chaudhuri and Hsu (2011).

    Parameters
    ----------
    hypotheses : HypothesisClass, optional
        The public class, of at most 2^13 hypotheses.  None stands for decision stumps with 16 cut points per
        feature, equally spaced in [-1, 1].
    reference : array_like of shape (n_points, n_features), optional
        Public instances; each has the same weight.  None stands for 256 fixed points in [-1, 1]^d.
    density_ratio : float, default 1.0
        c: how much likelier an event may be under the data than under the reference, at least 1.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> public, X = np.linspace(0, 1, 101)[:, None], np.linspace(0, 1, 500)[:, None]
    >>> learner = ReferenceCoverLearner(1.0, Thresholds(np.linspace(0, 1, 1001)), public)
    >>> learner.fit(X, X[:, 0] >= 0.3, rng=0).hypotheses_.n_hypotheses
    6
    >>> bool(learner.score(X, X[:, 0] >= 0.3) > 0.85)
    True
    """

    epsilon: float = 1.0
    hypotheses: HypothesisClass | None = None
    reference: ArrayLike | None = None
    _: KW_ONLY
    density_ratio: float = 1.0
    alpha: float = 0.1
    classes: Sequence | None = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check.positive(epsilon=self.epsilon)
        check.probability_open(alpha=self.alpha)
        check.finite(density_ratio=self.density_ratio)
        if self.density_ratio < 1:
            raise ValueError(f"density_ratio must be at least 1, got {self.density_ratio!r}")

    def _class_for(self, n_features: int) -> Members:
        whole, points = super()._class_for(n_features), self.reference
        if points is None:
            points = np.random.default_rng(0).uniform(-1, 1, size=(PUBLIC_POINTS, n_features))
        distances = loss_distances(whole.predict(points))
        return Members(whole, greedy_cover(distances, self.alpha / self.density_ratio))

    def _guarantee(self) -> Guarantee:
        return selection_mechanism(self.epsilon).guarantee

    def _law(self, scores: NDArray[np.int64]):
        return selection_mechanism(self.epsilon).output_distribution(scores)
