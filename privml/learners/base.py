"""What learners share: label coding, and the selection of one hypothesis of a finite class.

Everything that a learner may depend on besides the records is public: the class, the two labels, and the
number of records where the relation is replace-one.
"""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml._display import ShownBudget
from privml._records import declared_classes, features, found_classes, label_places
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.hypotheses import DecisionStumps, HypothesisClass
from privml.learners.preprocessing import _warn_if_unscaled
from privml.queries import correct_count

OF_STUMPS = (
    "No hypotheses are declared, so the default stumps have all cuts in [-1, 1]",
    "Declare hypotheses with cuts in public ranges.",
)


def default_stumps(n_features: int) -> DecisionStumps:
    """The class of learners to which none is given: 16 cuts per feature, equally spaced in [-1, 1]."""
    return DecisionStumps.on_grid(n_features, lower=-1.0, upper=1.0, n_cuts=16)


class BinaryLearner(ShownBudget, ClassifierMixin, BaseEstimator):
    """Base of the classifiers for two labels, which a subclass may declare by its parameter ``classes``."""

    def _features(
        self, X: ArrayLike, *, reset: bool = False, accept_sparse: str | bool = False
    ) -> NDArray:
        return features(self, X, reset=reset, accept_sparse=accept_sparse)

    def _prepared(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        reset: bool,
        accept_sparse: str | bool = False,
    ) -> tuple[NDArray, NDArray, NDArray]:
        """Instances, labels as booleans, and the two classes.  No record raises by its value."""
        X = self._features(X, reset=reset, accept_sparse=accept_sparse)
        if self.classes is not None:
            classes = declared_classes(self.classes, y=y)
            return X, label_places(y, classes, X.shape[0]) == 1, classes
        y, classes = found_classes(y, X.shape[0])
        return X, y == classes[1], classes

    def _labels(self, positive: NDArray[np.bool_]) -> NDArray:
        return np.where(positive, self.classes_[1], self.classes_[0])

    @abstractmethod
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        """Learn from records; nothing of them stays but the attributes that the class lists.

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features), non-numeric objects as gaps; labels, one each.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """

    def predict(self, X: ArrayLike) -> NDArray:
        """Labels that the learned rule gives; by a score, the second class where it is positive.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        """
        return self._labels(self.decision_function(X) > 0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = tags.classifier_tags.poor_score = True
        tags.input_tags.allow_nan = tags.input_tags.string = True
        tags.classifier_tags.multi_class = False
        return tags


class PrivateRegressor(ShownBudget, RegressorMixin, BaseEstimator):
    """Base of the learners of a number."""

    @abstractmethod
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        """Learn from records; nothing of them stays but the attributes that the class lists.

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features), non-numeric objects as gaps; targets, cut to their range.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """

    @abstractmethod
    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Target of each record, clipped as in fit.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = tags.regressor_tags.poor_score = True
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


class FiniteClassLearner(BinaryLearner):
    """Base of the learners that select one hypothesis by its number of correct labels.

    Subclasses state the law of the selected index, ``_law``, as a function of the scores.
    """

    @abstractmethod
    def _distribution(self, scores: NDArray[np.int64]) -> Categorical:
        """Law of the selected hypothesis, given the number of correct labels of each."""

    def _guarantee(self) -> Guarantee | None:
        """Privacy of one fit, which depends on public parameters only; None where there is none."""
        return None

    def _check_parameters(self) -> None:
        if self.hypotheses is not None:
            check.instance(HypothesisClass, hypotheses=self.hypotheses)

    def _class_for(self, n_features: int) -> HypothesisClass:
        return (
            default_stumps(n_features) if self.hypotheses is None else self.hypotheses
        )

    def output_distribution(self, X: ArrayLike, y: ArrayLike) -> Categorical:
        """Exact law of the index that :meth:`fit` would select; for study, itself not private.

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features); labels of shape (n_samples,).
        """
        self._check_parameters()
        X, labels, _ = self._prepared(X, y, reset=not hasattr(self, "n_features_in_"))
        return self._distribution(correct_count(self._class_for(X.shape[1]), X, labels))

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        rng = np.random.default_rng(rng)
        self._check_parameters()
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        _warn_if_unscaled(self.hypotheses, *OF_STUMPS)
        self.hypotheses_ = self._class_for(X.shape[1])
        self.hypothesis_index_ = self._distribution(
            correct_count(self.hypotheses_, X, labels)
        ).rvs(rng=rng)
        self.privacy_ = self._guarantee()
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        check_is_fitted(self, "hypothesis_index_")
        X = self._features(X)
        return self._labels(
            self.hypotheses_.predict(X, indices=[self.hypothesis_index_])[0]
        )


check.wrap_module(__name__)
