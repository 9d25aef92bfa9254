"""An estimator that runs another one on a random, shuffled part of its records."""

from collections.abc import Sequence
from inspect import signature

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils.validation import check_is_fitted

from privml.adjacency import Adjacency
from privml.composition import subsampling_alone
from privml.guarantee import Guarantee
from privml.learnability.subsample.base import checked_size, subsample_guarantee
from privml.learners import ExponentialPACLearner
from privml.learners.base import BinaryLearner


class SubsampledLearner(MetaEstimatorMixin, BinaryLearner):
    """Classifier that fits another one to a uniformly random subset of the records, in random order.

    **Privacy.** :func:`~privml.learnability.subsample.base.subsample_guarantee` under ``REPLACE_ONE``.
    The records are shuffled, so the learner need not be symmetric.
    **Source.** The transformation of WLF16-lem-4 and WLF16-lem-10.

    Parameters
    ----------
    estimator : estimator, optional
        The learner to run, for two labels; None stands for ``ExponentialPACLearner()``.  It gets labels
        False and True, and ``classes=(False, True)`` if it has that parameter, so that a subset with one
        label only does not trouble it.
    subsample_size : int, optional
        Records in the subset; floor(sqrt(n)) by default.
    classes : sequence of two labels, optional
        The public labels, the negative one first; a record with any other label counts as negative.  None
        reads them from `y`, and the guarantee then treats the set of labels as public.

    Attributes
    ----------
    estimator_ : estimator
        The fitted learner.
    subsample_size_ : int
        Records that it was fitted to.  Which ones is not kept: the draw must stay secret.
    privacy_ : Guarantee
        What this one fit guarantees: the learner's own promise, amplified; for a learner without one the
        ``(0, gamma)`` of subsampling alone, which protects nobody.
    classes_ : ndarray of shape (2,)
        The two labels.

    Raises
    ------
    ValueError
        In ``fit``, if a parameter is out of range, or with ``classes=None`` the labels are not of two
        classes.

    Examples
    --------
    >>> X, y = np.arange(10_000)[:, None] / 5_000 - 1, np.arange(10_000) >= 5_000
    >>> learner = SubsampledLearner(ExponentialPACLearner(1.0)).fit(X, y, rng=0)
    >>> print(learner.subsample_size_, learner.privacy_)
    100 0.0170369-differential privacy (replace-one)
    """

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        subsample_size: int | None = None,
        classes: Sequence | None = None,
    ) -> None:
        self.estimator = estimator
        self.subsample_size = subsample_size
        self.classes = classes

    def _learner(self) -> BaseEstimator:
        learner = ExponentialPACLearner() if self.estimator is None else clone(self.estimator)
        return learner.set_params(classes=(False, True)) if "classes" in learner.get_params() else learner

    def fit(self, X: ArrayLike, y: ArrayLike, *, rng: np.random.Generator | int | None = None):
        """Draw a subset and fit the learner to it.

        Returns
        -------
        self
        """
        draw, inner = np.random.default_rng(rng).spawn(2)
        learner = self._learner()
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        size = checked_size(len(X), self.subsample_size)
        chosen = draw.permutation(len(X))[:size]
        self.estimator_ = _fitted(learner, X[chosen], labels[chosen], inner)
        self.subsample_size_ = size
        self.privacy_ = _privacy(self.estimator_, len(X), size)
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        """Labels that the fitted learner gives.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self, "estimator_")
        X = self._features(X)
        return np.where(self.estimator_.predict(X), self.classes_[1], self.classes_[0])


def _fitted(learner: BaseEstimator, X: NDArray, labels: NDArray, rng: np.random.Generator) -> BaseEstimator:
    """Fit a learner with its own stream of randomness, however it takes it."""
    if "rng" in signature(learner.fit).parameters:
        return learner.fit(X, labels, rng=rng)
    if "random_state" in learner.get_params():
        learner.set_params(random_state=int(rng.integers(2**31)))
    return learner.fit(X, labels)


def _privacy(learner: BaseEstimator, n_samples: int, size: int) -> Guarantee:
    promise = getattr(learner, "privacy_", None)
    if promise is None:
        return subsampling_alone(n_samples, size)
    return subsample_guarantee(promise.under(Adjacency.REPLACE_ONE), n_samples, size)
