"""High confidence around any private classifier: candidates on disjoint blocks, and a private choice.

A replaced record lies in one block.  If that is a learner's, one candidate's law changes within the learner's
guarantee; if it is the validation block, the choice changes within that of the exponential mechanism, whose
score, the number of correct labels, has sensitivity 1.  So the whole is as private as the worse of the two,
whatever the split, and so are all candidates together with the choice.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml.bounds.boosting import VALIDATIONS, boosting_blocks
from privml.composition import parallel_composition
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.learners.base import BinaryLearner, FiniteClassLearner
from privml.learners.boosting_law import split_law
from privml.learners.exponential import ExponentialPACLearner, selection_mechanism


class PrivateConfidenceBooster(BinaryLearner):
    """Meta-estimator: a private classifier on disjoint blocks, and a private choice among the candidates.

    **Privacy.** The larger of the base learner's epsilon on a block and `epsilon_select`, with the base
    learner's delta, under replace-one.  Idealised: the draw uses floating-point numbers.
    **Accuracy.** :func:`~privml.bounds.boosting.boosted_excess_risk`.
    **Source.** WLF16-alg-boost, WLF16-thm-25, with the sign of the score and its sensitivity as corrected.

    Parameters
    ----------
    base_learner : estimator, optional
        A classifier with a parameter ``classes``, ``fit(X, y, rng=...)`` and ``privacy_``.  None stands for
        :class:`~privml.learners.ExponentialPACLearner` with its defaults.
    n_candidates : int, default 5
        Number of candidates a, at least 1, as
        :func:`~privml.bounds.boosting.boosting_candidates` works it out for a failure probability.
    epsilon_select : float, optional
        Privacy parameter of the choice in nats, positive.  None takes that of the base learner: less would
        not improve the guarantee of the whole.
    validation : {"equal", "half"}, default "equal"
        Size of the validation block, see :func:`~privml.bounds.boosting.boosting_blocks`.

    Attributes
    ----------
    candidates_ : list of estimators
        One per block.
    chosen_ : int
        Index of the chosen candidate.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> X, y = np.arange(240)[:, None] / 24, np.arange(240) >= 120
    >>> base = ExponentialPACLearner(1.0, Thresholds(np.arange(11.0)))
    >>> learner = PrivateConfidenceBooster(base).fit(X, y, rng=0)
    >>> print(learner.privacy_)
    1-differential privacy (replace-one)
    >>> float(learner.score(X, y)) > 0.9
    True
    """

    def __init__(
        self,
        base_learner: BaseEstimator | None = None,
        n_candidates: int = 5,
        *,
        epsilon_select: float | None = None,
        validation: str = "equal",
        classes: Sequence | None = None,
    ) -> None:
        self.base_learner = base_learner
        self.n_candidates = n_candidates
        self.epsilon_select = epsilon_select
        self.validation = validation
        self.classes = classes

    def _base(self, classes: NDArray) -> BaseEstimator:
        """An unfitted base learner that knows the labels: a block may lack one of them."""
        check.positive_integer(n_candidates=self.n_candidates)
        check.one_of(VALIDATIONS, validation=self.validation)
        if self.epsilon_select is not None:
            check.positive(epsilon_select=self.epsilon_select)
        base = ExponentialPACLearner() if self.base_learner is None else self.base_learner
        if not (hasattr(base, "get_params") and "classes" in base.get_params(deep=False)):
            raise ValueError(f"base_learner must have a parameter classes, got {base!r}")
        return clone(base).set_params(classes=tuple(classes.tolist()))

    def _selection_epsilon(self, base: Guarantee | None) -> float:
        if not isinstance(base, Guarantee):
            raise ValueError(f"base_learner must state a Guarantee, got {base!r}")
        return base.epsilon if self.epsilon_select is None else float(self.epsilon_select)

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Split at random, fit the candidates, and choose one."""
        rng = np.random.default_rng(rng)
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        base = self._base(self.classes_)
        blocks = boosting_blocks(len(X), self.n_candidates, validation=self.validation)
        order = rng.permutation(len(X))
        used = self.n_candidates * blocks.learning
        y = np.where(labels, self.classes_[1], self.classes_[0])
        parts = order[:used].reshape(self.n_candidates, blocks.learning)
        self.candidates_ = [clone(base).fit(X[part], y[part], rng=rng) for part in parts]
        stated = [candidate.privacy_ for candidate in self.candidates_]
        mechanism = selection_mechanism(self._selection_epsilon(stated[0]))
        last = order[used:]
        scores = [np.sum(candidate.predict(X[last]) == y[last]) for candidate in self.candidates_]
        self.chosen_ = int(mechanism.release(scores, rng=rng))
        self.privacy_ = parallel_composition(*stated, mechanism.guarantee, partition="index")
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        """Labels that the chosen candidate gives."""
        check_is_fitted(self, "chosen_")
        X = self._features(X)
        return self.candidates_[self.chosen_].predict(X)

    def output_distribution(self, X: ArrayLike, y: ArrayLike) -> Categorical:
        """Exact law of the chosen hypothesis, split included, for a base learner over a finite class.

        For study and tiny data: all splits and all tuples of candidates are gone through.

        **Returns.** Categorical: over the indices of the base learner's class.
        """
        X, labels, classes = self._prepared(X, y, reset=not hasattr(self, "n_features_in_"))
        base = self._base(classes)
        check.instance(FiniteClassLearner, base_learner=base)
        base._check_parameters()
        epsilon = self._selection_epsilon(base._guarantee())
        blocks = boosting_blocks(len(X), self.n_candidates, validation=self.validation)
        correct = base._class_for(X.shape[1]).predict(X) == labels
        return split_law(lambda scores: base._law(scores).pmf(), correct, blocks, epsilon)
