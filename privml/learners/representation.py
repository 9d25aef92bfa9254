"""Private learning from fewer hypotheses than the class has, found without looking at the data.

A *representation* is a law on finite sets V of hypotheses, one of which is likely to be near any target.
Draw V, then run the exponential mechanism on it: V costs no privacy, and in records it costs ln |V| in place
of the logarithm of the size of the class.

With a public *reference* law D*, under which every event is at least 1 / c times as likely as under the
unknown D, the set can be fixed: a cover of radius alpha / c under D* loses at most alpha under D.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.hypotheses import DecisionStumps, HypothesisClass
from privml.learners.base import OF_STUMPS, BinaryLearner, FiniteClassLearner
from privml.learners.exponential import ExponentialPACLearner, selection_mechanism
from privml.learners.preprocessing import _warn_if_unscaled

LARGEST_COVERED = 1 << 13  # hypotheses of which all distances are held: 512 MiB
PUBLIC_POINTS = 256  # of the default reference
COVER_SLACK = 1e-12  # sums of the same probabilities may differ by rounding


@dataclass(frozen=True)
class RandomStumps:
    """A representation: stumps of both signs at uniformly random cut points in a public range.

    Parameters
    ----------
    lower, upper : float
        Public range of the cut points, the same for every feature.
    n_cuts : int
        Number of cut points of each feature, a positive integer, at most 2^20.

    Examples
    --------
    >>> RandomStumps(0.0, 1.0).draw(2, rng=0).n_hypotheses
    64
    """

    lower: float = -1.0
    upper: float = 1.0
    n_cuts: int = 16

    def draw(
        self, n_features: int, *, rng: np.random.Generator | int | None = None
    ) -> DecisionStumps:
        """As many cut points for each feature, a feature's in increasing order.

        Parameters
        ----------
        n_features : int
            Number of features, a positive integer.
        rng : int or Generator, optional
            Seed or Generator; None draws fresh entropy.
        """
        check.positive_integer(n_features=n_features, n_cuts=self.n_cuts)
        check.at_most(1 << 20, n_features=n_features, n_cuts=self.n_cuts)
        check.finite(lower=self.lower, upper=self.upper)
        cuts = np.random.default_rng(rng).uniform(
            self.lower, self.upper, size=(n_features, self.n_cuts)
        )
        return DecisionStumps(tuple(np.sort(cuts, axis=1)))


@dataclass(eq=False, repr=False)
class RepresentationLearner(BinaryLearner):
    """Private classifier: a random finite set of hypotheses, then the exponential mechanism on it.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    representation : object with a method ``draw(n_features, *, rng)``, optional
        The law of the set; it must not look at the data.  None stands for ``RandomStumps()``.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    hypotheses_, hypothesis_index_ : HypothesisClass, int
        The set, and what was selected: the private output.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one for the pair of set and index: one law of the set for all data.

    *Accuracy.* :func:`~privml.bounds.representation_excess_risk`.

    References
    ----------
    WLF16-ex-23; Beimel, Nissim and Stemmer (2013).

    Examples
    --------
    >>> X = np.linspace(-1, 1, 400)[:, None]
    >>> learner = RepresentationLearner(1.0, RandomStumps(-1.0, 1.0)).fit(X, X[:, 0] > 0.2, rng=0)
    >>> print(learner.privacy_, float(learner.score(X, X[:, 0] > 0.2)) > 0.9)
    1-differential privacy (replace-one) True
    """

    epsilon: float = 1.0
    representation: Any = None
    _: KW_ONLY
    classes: Sequence | None = None

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        check.positive(epsilon=self.epsilon)
        of_set, of_choice = np.random.default_rng(rng).spawn(2)
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        _warn_if_unscaled(self.representation, *OF_STUMPS)
        distribution = (
            RandomStumps() if self.representation is None else self.representation
        )
        self.hypotheses_ = distribution.draw(X.shape[1], rng=of_set)
        inner = ExponentialPACLearner(
            self.epsilon, self.hypotheses_, classes=(False, True)
        )
        self.hypothesis_index_ = inner.fit(X, labels, rng=of_choice).hypothesis_index_
        self.privacy_ = Guarantee(float(self.epsilon))
        return self

    predict = FiniteClassLearner.predict


def loss_distances(
    losses: ArrayLike, probabilities: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Mean absolute difference of the losses of any two hypotheses under the reference law.

    Parameters
    ----------
    losses : array_like
        Losses (or labels, as bools) of shape (n_hypotheses, n_points) on the reference's points.
    probabilities : array_like, optional
        Their law, of shape (n_points,); None is the uniform one.

    Returns
    -------
    ndarray
        Of shape (n_hypotheses, n_hypotheses): distances.

    Raises
    ------
    ValueError
        If `losses` are no table of at most 2^13 rows, or `probabilities` no law on points.

    References
    ----------
    WLF16-ex-24.

    Examples
    --------
    >>> loss_distances([[True, True], [False, True]], [0.25, 0.75]).tolist()
    [[0.0, 0.25], [0.25, 0.0]]
    """
    table = np.asarray(losses)
    if table.ndim != 2 or table.size == 0 or len(table) > LARGEST_COVERED:
        raise ValueError(
            f"losses must be a matrix of 1 to {LARGEST_COVERED} rows, but got shape {table.shape}."
        )
    distribution = (
        np.full(table.shape[1], 1 / table.shape[1])
        if probabilities is None
        else np.asarray(probabilities)
    )
    if distribution.shape != table.shape[1:]:
        raise ValueError(
            f"probabilities must be a distribution on {table.shape[1]} points, but got shape {distribution.shape}."
        )
    distribution = check.distributions(probabilities=distribution)
    values = table.astype(float)
    if table.dtype != bool:
        return np.stack([abs(values - row) @ distribution for row in values])
    mass = values @ distribution
    apart = mass[:, None] + mass - 2 * (values * distribution) @ values.T
    np.fill_diagonal(apart, 0.0)
    return np.maximum(apart, 0.0)


def greedy_cover(distances: ArrayLike, radius: float) -> NDArray[np.intp]:
    """Indices of a cover: every hypothesis is within the radius of one of them.

    Each member covers most of those left; the size is at most ``1 + ln n_hypotheses`` times the least one.

    Parameters
    ----------
    distances : array_like
        Square table of distances.
    radius : float
        Here how far a hypothesis may be from its nearest member, non-negative.

    Returns
    -------
    ndarray
        Of shape (n_members,): indices in increasing order.

    Raises
    ------
    ValueError
        If `distances` are not square with diagonal 0, or `radius` is negative.

    References
    ----------
    WLF16-ex-24: the net, in the radius alpha / c.

    Examples
    --------
    >>> greedy_cover(abs(np.subtract.outer(range(9), range(9))), 1.0).tolist()
    [1, 4, 7]
    """
    check.non_negative(radius=radius)
    table = check.numbers(distances=distances)
    if (
        table.ndim != 2
        or table.shape[0] != table.shape[1]
        or table.size == 0
        or table.diagonal().any()
    ):
        raise ValueError(
            f"distances must be square with diagonal 0, but got shape {table.shape}."
        )
    near, left, chosen = (
        table <= radius + COVER_SLACK,
        np.ones(len(table), dtype=bool),
        [],
    )
    gains = near.sum(axis=1)
    while left.any():
        chosen.append(int(np.argmax(gains)))
        newly = near[chosen[-1]] & left
        left &= ~newly
        gains = gains - near[:, newly].sum(axis=1)
    return np.sort(np.array(chosen, dtype=np.intp))


@dataclass(frozen=True, eq=False)
class HypothesisSubset(HypothesisClass):
    """Some hypotheses of a class, as a class.

    Parameters
    ----------
    full_class : HypothesisClass
        The class.
    chosen : array_like
        Indices of its members, integers of shape (n_members,).

    Raises
    ------
    ValueError
        If an index is none of the class, or there is none.
    """

    whole: HypothesisClass
    chosen: NDArray[np.intp]

    if TYPE_CHECKING:  # what is given becomes arrays

        def __init__(self, full_class: HypothesisClass, chosen: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        check.instance(HypothesisClass, whole=self.whole)
        chosen = np.array(self.chosen)
        integers = chosen.ndim == 1 and chosen.size > 0 and chosen.dtype.kind in "iu"
        if not integers or chosen.min() < 0 or chosen.max() >= self.whole.n_hypotheses:
            rule = f"integers in [0, {self.whole.n_hypotheses}), at least one"
            raise ValueError(
                f"chosen must be a vector of {rule}, but got {self.chosen!r}."
            )
        chosen.flags.writeable = False
        object.__setattr__(self, "chosen", chosen)

    @property
    def n_hypotheses(self) -> int:
        """Number of members."""
        return self.chosen.size

    @property
    def n_features(self) -> int | None:  # type: ignore[override]  # frozen: nothing writes it
        return self.whole.n_features

    @cached_property
    def vc_dimension(self) -> int:
        """Of the class, or log2 of the number of members if that is smaller: a bound."""
        return min(self.whole.vc_dimension, self.n_hypotheses.bit_length() - 1)

    def _describe(self, index: int) -> str:
        return self.whole.describe(int(self.chosen[index]))

    def _records(self, X: ArrayLike) -> NDArray:
        return self.whole._records(X)

    def _predictions(
        self, records: NDArray, indices: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        return self.whole._predictions(records, self.chosen[indices])


@dataclass(eq=False, repr=False)
class ReferenceCoverLearner(FiniteClassLearner):
    """Private classifier: the exponential mechanism on a cover of the class under a public reference.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    hypotheses : HypothesisClass, optional
        Public candidates; None stands for stumps with 16 cuts per feature, equally spaced in [-1, 1].
    reference : array_like, optional
        Public instances, equally likely, of shape (n_points, n_features); None is 256 fixed in [-1, 1]^d.
    density_ratio : float
        How many times likelier data may make an event, c, at least 1.
    alpha : float
        Excess error of the cover, in (0, 1).
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    hypotheses_, hypothesis_index_ : HypothesisClass, int
        The cover, and what was selected: the private output.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one; the cover is made from public things only.

    *Accuracy.* :func:`~privml.bounds.representation_excess_risk` with the approximation alpha, for data
    whose instances the reference dominates with the ratio c.

    References
    ----------
    WLF16-ex-24; Chaudhuri and Hsu (2011).

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> public, X = np.linspace(0, 1, 101)[:, None], np.linspace(0, 1, 500)[:, None]
    >>> learner = ReferenceCoverLearner(1.0, Thresholds(np.linspace(0, 1, 1001)), public)
    >>> learner.fit(X, X[:, 0] >= 0.3, rng=0).hypotheses_.n_hypotheses
    6
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
        check.positive(epsilon=self.epsilon, density_ratio=self.density_ratio)
        check.probability_open(alpha=self.alpha)
        if self.density_ratio < 1:
            raise ValueError(
                f"density_ratio must be at least 1, but got {self.density_ratio!r}."
            )

    def _class_for(self, n_features: int) -> HypothesisSubset:
        full_class, points = super()._class_for(n_features), self.reference
        if points is None:
            _warn_if_unscaled(
                None,
                "reference is None, so the default reference lies in [-1, 1]^d",
                "Declare a reference in public ranges.",
            )
            points = np.random.default_rng(0).uniform(
                -1, 1, size=(PUBLIC_POINTS, n_features)
            )
        distances = loss_distances(full_class.predict(points))
        return HypothesisSubset(
            full_class, greedy_cover(distances, self.alpha / self.density_ratio)
        )

    def _guarantee(self) -> Guarantee:
        return selection_mechanism(self.epsilon).guarantee

    def _distribution(self, scores: NDArray[np.int64]) -> Categorical:
        return selection_mechanism(self.epsilon).output_distribution(scores)


check.wrap_module(__name__)
