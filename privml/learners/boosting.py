"""High confidence around any private classifier: candidates on disjoint blocks, and a private choice.

A replaced record lies in one block: in a learner's it changes one candidate's law within the learner's
guarantee, in the validation block the choice within that of the exponential mechanism.  So the whole, all
candidates included, is as private as the worse of the two, whatever the split.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import reduce
from itertools import combinations
from math import comb, prod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml.bounds.private_pac import VALIDATIONS, Blocks, boosting_blocks
from privml.composition import parallel_composition
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.learners.base import BinaryLearner, FiniteClassLearner
from privml.learners.exponential import ExponentialPACLearner, selection_mechanism

LARGEST_CHOICE = (
    1 << 16
)  # most tuples of candidates, and most splits, for which an exact law is worked out


def _chosen(
    joint: NDArray, n_candidates: int, scores: NDArray, epsilon: float
) -> NDArray[np.float64]:
    """Log-law of the choice, the candidates having the joint log-law `joint`, the last one fastest."""
    candidates = np.indices((scores.size,) * n_candidates).reshape(n_candidates, -1)
    exponents = scores[candidates] / selection_mechanism(epsilon).scale
    weights = joint + exponents - logsumexp(exponents, axis=0)
    distribution = np.full(scores.size, -np.inf)
    np.logaddexp.at(distribution, candidates.ravel(), weights.ravel())
    return distribution


def _joint(distributions: Sequence[NDArray]) -> NDArray[np.float64]:
    """Log-law of the tuple of independent candidates, which have these log-laws."""
    if len(distributions[0]) ** len(distributions) > LARGEST_CHOICE:
        raise ValueError(
            f"n_candidates must give at most {LARGEST_CHOICE} tuples for an exact distribution, but got "
            f"{len(distributions[0])} to the power {len(distributions)}."
        )
    return reduce(np.add.outer, distributions).ravel()


def boosted_distribution(
    candidate_distributions: ArrayLike, scores: ArrayLike, epsilon: float
) -> NDArray[np.float64]:
    """Law of the chosen hypothesis: independent candidates, then the exponential mechanism among them.

    Parameters
    ----------
    candidate_distributions : array_like
        Probability with which each candidate is each hypothesis, of shape (n_candidates, n_hypotheses).
    scores : array_like
        Number of validation records that each hypothesis labels correctly, of shape (n_hypotheses,).
    epsilon : float
        Privacy parameter in nats, positive.

    Returns
    -------
    ndarray
        Of shape (n_hypotheses,): probability that each hypothesis is chosen.

    Raises
    ------
    ValueError
        If rows are no laws, or of another length than scores, or tuples are over 2^16.

    Notes
    -----
    *Privacy.* Given the candidates, epsilon-DP in the validation records under replace-one.

    References
    ----------
    WLF16-alg-boost, the law given a split.

    Examples
    --------
    >>> boosted_distribution([[0.5, 0.5], [0.5, 0.5]], [0, 2], 1.0).round(4).tolist()
    [0.3845, 0.6155]
    """
    distributions = check.numbers(candidate_distributions=candidate_distributions)
    scores = check.finite_vector(scores=scores)
    if (
        distributions.ndim != 2
        or len(distributions) == 0
        or distributions.shape[1] != scores.size
    ):
        raise ValueError(
            f"candidate_distributions must have {scores.size} columns, but got shape {distributions.shape}."
        )
    if not (
        (distributions >= 0).all()
        and np.allclose(distributions.sum(axis=1), 1, rtol=0, atol=1e-9)
    ):
        raise ValueError(
            f"candidate_distributions must have rows of probabilities, but got {candidate_distributions!r}."
        )
    with np.errstate(divide="ignore"):
        return np.exp(
            _chosen(
                _joint([*np.log(distributions)]), len(distributions), scores, epsilon
            )
        )


def _splits(
    records: frozenset[int], size: int, n_blocks: int
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All sequences of disjoint blocks of one size."""
    if n_blocks == 0:
        yield ()
        return
    for block in combinations(sorted(records), size):
        for rest in _splits(records - frozenset(block), size, n_blocks - 1):
            yield (block, *rest)


def _split_distribution(
    learner: Callable[[NDArray], NDArray],
    correct: NDArray,
    blocks: Blocks,
    epsilon: float,
) -> Categorical:
    """The same with the random split averaged out; `correct` says who is right on which record."""
    n, size = correct.shape[1], blocks.learning
    n_candidates = (n - blocks.validation) // size
    n_splits = prod(comb(n - j * size, size) for j in range(n_candidates))
    if n_splits > LARGEST_CHOICE:
        raise ValueError(
            f"blocks must allow at most {LARGEST_CHOICE} splits, but got {n_splits}."
        )
    joint: dict[tuple[int, ...], NDArray[np.float64]] = {}
    everything = frozenset(range(n))
    distributions = {
        block: learner(correct[:, block].sum(axis=1))
        for block in combinations(range(n), size)
    }
    for split in _splits(everything, size, n_candidates):
        last = tuple(sorted(everything.difference(*split)))
        joint[last] = np.logaddexp(
            joint.get(last, -np.inf), _joint([distributions[block] for block in split])
        )
    scores = {last: correct[:, last].sum(axis=1) for last in joint}
    parts = [
        _chosen(joint[last], n_candidates, scores[last], epsilon) for last in joint
    ]
    return Categorical(logsumexp(parts, axis=0))


@dataclass(eq=False, repr=False)
class PrivateConfidenceBooster(BinaryLearner):
    """Meta-estimator: a private classifier on disjoint blocks, and a private choice among the candidates.

    An `epsilon_select` below that of the base learner would not improve the whole.

    Parameters
    ----------
    base_learner : classifier, optional
        With ``classes``, ``fit(X, y, rng=...)`` and ``privacy_``; None is an ``ExponentialPACLearner()``.
    n_candidates : int
        Number of candidates a, a positive integer.
    epsilon_select : float, optional
        Privacy parameter in nats of the choice, positive; None takes that of the base learner.
    validation : str
        One of "equal", a block as large as the others, and "half" of the records.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    candidates_, chosen_ : list of estimators, int
        One a block, and the index of the chosen one.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* The larger of the base learner's epsilon on a block and `epsilon_select`, with the base
    learner's delta, under replace-one. Idealised: the draw uses floating-point numbers.

    *Accuracy.* :func:`~privml.bounds.private_pac.boosted_excess_risk`.

    References
    ----------
    WLF16-alg-boost, WLF16-thm-25, with the sign of the score and its sensitivity as corrected.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> X, y = np.arange(240)[:, None] / 24, np.arange(240) >= 120
    >>> base = ExponentialPACLearner(1.0, Thresholds(np.arange(11.0)))
    >>> learner = PrivateConfidenceBooster(base).fit(X, y, rng=0)
    >>> print(learner.privacy_, float(learner.score(X, y)) > 0.9)
    1-differential privacy (replace-one) True
    """

    base_learner: BaseEstimator | None = None
    n_candidates: int = 5
    _: KW_ONLY
    epsilon_select: float | None = None
    validation: str = "equal"
    classes: Sequence | None = None

    def _base(self, classes: NDArray) -> BaseEstimator:
        """An unfitted base learner that knows the labels: a block may lack one of them."""
        check.positive_integer(n_candidates=self.n_candidates)
        check.one_of(VALIDATIONS, validation=self.validation)
        if self.epsilon_select is not None:
            check.positive(epsilon_select=self.epsilon_select)
        base = (
            ExponentialPACLearner() if self.base_learner is None else self.base_learner
        )
        if not (
            hasattr(base, "get_params") and "classes" in base.get_params(deep=False)
        ):
            raise ValueError(
                f"base_learner must have a parameter classes, but got {base!r}."
            )
        return clone(base).set_params(classes=tuple(classes.tolist()))

    def _selection_epsilon(self, base: Guarantee | None) -> float:
        if not isinstance(base, Guarantee):
            raise ValueError(f"base_learner must state a Guarantee, but got {base!r}.")
        return (
            base.epsilon if self.epsilon_select is None else float(self.epsilon_select)
        )

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        rng = np.random.default_rng(rng)
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        base = self._base(self.classes_)
        blocks = boosting_blocks(len(X), self.n_candidates, validation=self.validation)
        order = rng.permutation(len(X))
        last = order[self.n_candidates * blocks.learning :]
        parts = order[: -len(last)].reshape(self.n_candidates, blocks.learning)
        y = self._labels(labels)
        self.candidates_ = [
            clone(base).fit(X[part], y[part], rng=rng) for part in parts
        ]
        stated = [candidate.privacy_ for candidate in self.candidates_]
        mechanism = selection_mechanism(self._selection_epsilon(stated[0]))
        scores = [
            np.sum(candidate.predict(X[last]) == y[last])
            for candidate in self.candidates_
        ]
        self.chosen_ = int(mechanism.release(scores, rng=rng))
        self.privacy_ = parallel_composition(
            *stated, mechanism.guarantee, partition="index"
        )
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        check_is_fitted(self, "chosen_")
        return self.candidates_[self.chosen_].predict(self._features(X))

    def output_distribution(self, X: ArrayLike, y: ArrayLike) -> Categorical:
        """Exact law of the chosen hypothesis of a finite class, split included; for study and tiny data.

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features); labels of shape (n_samples,).
        """
        X, labels, classes = self._prepared(
            X, y, reset=not hasattr(self, "n_features_in_")
        )
        base = self._base(classes)
        check.instance(FiniteClassLearner, base_learner=base)
        base._check_parameters()
        epsilon = self._selection_epsilon(base._guarantee())
        blocks = boosting_blocks(len(X), self.n_candidates, validation=self.validation)
        correct = base._class_for(X.shape[1]).predict(X) == labels
        return _split_distribution(
            lambda scores: base._distribution(scores).logpmf(), correct, blocks, epsilon
        )


check.wrap_module(__name__)
