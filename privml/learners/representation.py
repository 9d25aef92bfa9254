"""Private learning from a random finite set of hypotheses that was drawn without looking at the data.

A *representation* is a law on finite sets V of hypotheses.  It is (alpha, beta)-good for a class if, for
every target and every distribution, with probability at least 1 - beta some member of V differs from the
target with probability at most alpha.  Draw V, then run the exponential mechanism on V: what V costs in
privacy is nothing, and what it costs in records is ln |V| in place of the logarithm of the size of the class.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.guarantee import Guarantee
from privml.hypotheses import DecisionStumps, HypothesisClass
from privml.hypotheses.base import point_indices
from privml.learners.base import BinaryLearner, FiniteClassLearner
from privml.learners.exponential import ExponentialPACLearner

PRIME = 2**31 - 1


@dataclass(frozen=True)
class RandomStumps:
    """Decision stumps at uniformly random cut points in [-1, 1], so many a feature.

    >>> RandomStumps(3).draw(2, rng=0).n_hypotheses
    12
    """

    n_cuts: int = 16

    def __post_init__(self) -> None:
        check.positive_integer(n_cuts=self.n_cuts)

    def draw(self, n_features: int, *, rng: np.random.Generator | int | None = None) -> DecisionStumps:
        """A set of stumps, both signs."""
        rng = np.random.default_rng(rng)
        return DecisionStumps(np.sort(rng.uniform(-1, 1, size=(n_features, self.n_cuts)), axis=1))


@dataclass(frozen=True)
class Buckets(HypothesisClass):
    """Functions "x falls into this bucket" for several random partitions of the points 0, 1, ..., p - 1.

    Hypothesis ``t n_buckets + j`` is bucket j of partition t, which sends x to
    ``((factors[t] x + shifts[t]) mod p) mod n_buckets``, ``p = 2^31 - 1``.  A record is rounded to a whole
    number and moved to the nearest end; NaN becomes 0.

    >>> Buckets((1,), (0,), 3).predict([0, 1, 3]).astype(int).tolist()
    [[1, 0, 1], [0, 1, 0], [0, 0, 0]]
    """

    factors: tuple[int, ...]
    shifts: tuple[int, ...]
    n_buckets: int

    @property
    def n_hypotheses(self) -> int:
        """Buckets of all partitions."""
        return len(self.factors) * self.n_buckets

    @property
    def n_features(self) -> None:
        """None: an instance is the index of a point."""
        return None

    @property
    def vc_dimension(self) -> int:
        """Not known: it depends on the partitions."""
        raise NotImplementedError("the VC dimension of random partitions is not computed")

    def _describe(self, index: int) -> str:
        return f"bucket {index % self.n_buckets} of partition {index // self.n_buckets}"

    def _records(self, X: ArrayLike) -> NDArray[np.int64]:
        return point_indices(X, PRIME)

    def _predictions(self, records: NDArray, indices: NDArray[np.int64]) -> NDArray[np.bool_]:
        which, bucket = np.divmod(indices, self.n_buckets)
        factors, shifts = np.array(self.factors)[which, None], np.array(self.shifts)[which, None]
        return (factors * records + shifts) % PRIME % self.n_buckets == bucket[:, None]


@dataclass(frozen=True)
class HashedPoints:
    r"""A representation of all point functions, of a size that does not depend on the number of points.

    Two points fall into one bucket with probability at most ``1 / n_buckets`` (Carter and Wegman, 1979), so
    the bucket of the target differs from it with expected probability at most ``1 / n_buckets``, whatever the
    distribution on 0, 1, ..., 2^31 - 2: larger points are moved to the last one.
    **Source.** WLF16-ex-23 for point functions.

    Parameters
    ----------
    n_buckets, n_repeats : int
        Buckets of each partition, and independent partitions.

    Examples
    --------
    >>> HashedPoints(20, 7).draw(1, rng=0).n_hypotheses
    140
    """

    n_buckets: int
    n_repeats: int = 1

    def __post_init__(self) -> None:
        check.positive_integer(n_buckets=self.n_buckets, n_repeats=self.n_repeats)

    def draw(self, n_features: int = 1, *, rng: np.random.Generator | int | None = None) -> Buckets:
        """Random partitions from the family of Carter and Wegman; `n_features` must be 1."""
        check.one_of((1,), n_features=n_features)
        rng = np.random.default_rng(rng)
        factors = rng.integers(1, PRIME, size=self.n_repeats)
        shifts = rng.integers(0, PRIME, size=self.n_repeats)
        return Buckets(tuple(factors.tolist()), tuple(shifts.tolist()), self.n_buckets)


@dataclass(eq=False, repr=False)
class RepresentationLearner(BinaryLearner):
    """Private classifier: a random finite set of hypotheses, then the exponential mechanism on it.

    **Privacy.** epsilon-DP under replace-one for the pair of set and index: given the set it is the
    exponential mechanism, and the law of the set is the same for all data.
    **Accuracy.** :func:`~privml.bounds.private_pac.representation_excess_risk`.
    **Source.** WLF16-ex-23; Beimel, Nissim and Stemmer (2013).

    Parameters
    ----------
    representation : object with a method ``draw(n_features, *, rng)``, optional
        The law of the set of hypotheses; it must not look at the data.  None stands for ``RandomStumps(16)``.

    Examples
    --------
    >>> x, population = 123456789, np.array([123456789, 5, 6, 7])
    >>> X = population[np.arange(400) % 4][:, None]
    >>> learner = RepresentationLearner(1.0, HashedPoints(20, 3)).fit(X, X[:, 0] == x, rng=0)
    >>> float(learner.score(X, X[:, 0] == x))
    1.0
    """

    epsilon: float = 1.0
    representation: object = None
    _: KW_ONLY
    classes: Sequence | None = None

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Draw a set of hypotheses and select one."""
        check.positive(epsilon=self.epsilon)
        of_set, of_choice = np.random.default_rng(rng).spawn(2)
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        law = RandomStumps() if self.representation is None else self.representation
        self.hypotheses_ = law.draw(X.shape[1], rng=of_set)
        inner = ExponentialPACLearner(self.epsilon, self.hypotheses_, classes=(False, True))
        self.hypothesis_index_ = inner.fit(X, labels, rng=of_choice).hypothesis_index_
        self.privacy_ = Guarantee(float(self.epsilon))
        return self

    predict = FiniteClassLearner.predict
