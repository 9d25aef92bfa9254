"""PATE as one estimator: teachers on private records, noisy votes, a student on public points."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from privml import _check as check
from privml._display import ShownBudget
from privml._records import (
    declared_classes,
    found_classes,
    refuse_complex,
    refuse_unsafe_callers,
)
from privml.pate.aggregation import VoteAggregator
from privml.pate.labels import checked_n_classes, taught_student
from privml.pate.noisy_votes import GaussianAggregator, NoisyMaxAggregator
from privml.pate.teachers import (
    class_indices,
    clean_features,
    fit_teachers,
    indexable,
    missing_value_for,
)

SYNTHETIC_POINTS = 100  # drawn where no public points are given
MOST_CLASSES = 256  # a vote is a byte
READABLE = (
    0.95  # least chance of a unanimous point to get its label, below which a fit warns
)


def _features(X: Any, **options: Any) -> tuple[Any, dict]:
    """The records as they came, and how they are to be checked: for their shape, not for their entries."""
    if hasattr(X, "iloc"):
        return X, {"skip_check_array": True}
    X = indexable(X)
    refuse_complex("X", X)
    kind = getattr(getattr(X, "dtype", None), "kind", "f")
    dtype = None if kind in "OUS" else "numeric"
    return X, {
        "accept_sparse": "csr",
        "ensure_all_finite": False,
        "dtype": dtype,
    } | options


@dataclass(eq=False, repr=False)
class PATEClassifier(ShownBudget, ClassifierMixin, BaseEstimator):
    """Private classifier for any number of labels: teachers vote on public points, a student learns from them.

    Parameters
    ----------
    estimator : classifier, optional
        Here copied for teachers and, by default, the student: any object with fit and predict; None is logistic
        regression, of each label against the rest if there are more than two.
    n_teachers : int
        Number of teachers, a positive integer.
    epsilon : float, optional
        Privacy parameter in nats, positive; None publishes exact majorities, without privacy.
    delta : float
        Additive slack, in (0, 1).
    queries : str
        One of "passive" (random public points) and, for two labels, "active" (in the region of disagreement).
    n_queries : int, optional
        Number of labels asked, a positive integer; None asks all public points.
    aggregator : VoteAggregator, optional
        Another labelling service, whose epsilon, delta and relation replace those above; None is Gaussian noise:
        on one count for two labels (``GaussianAggregator``), else on all counts (``NoisyMaxAggregator``).
    student : classifier, optional
        Here what learns from the labels, class indices of which some may be absent: any object with fit and
        predict, of which a copy is trained; None takes `estimator`.
    classes : sequence, optional
        Public labels, 2 to 256; None reads them from `y`, so that their set is public.
    n_jobs : int, optional
        Processes, as joblib takes them; None is one.

    Attributes
    ----------
    privacy_ : Guarantee, optional
        Promise of the released labels together with the student; None without noise.
    aggregator_ : VoteAggregator, optional
        What answered, with the noise that it used (``aggregator_.sigma`` or ``.scale``), or None.
    n_queries_, queried_ : int, ndarray
        How many labels were asked, and at which public points.
    votes_ : ndarray
        What was released there, noisy majorities as class indices, -1 for none.
    student_ : object
        Trained on class indices, or the only class that it has seen.
    classes_ : ndarray
        The labels.

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private under add-or-remove-one, or the relation that `aggregator` names.
    The public points must not come from the records, nor depend on them: of a private point among them the
    label would be guarded, and not that it is there; no program notices a copy. With ``X_public=None`` they
    are drawn from a normal law, which is private and usually poor. That there are at least K records is
    taken to be public, and no entry of a record raises an error if `classes` are given
    (:mod:`privml.pate.teachers`). A teacher that fails on its part, or on one public point, says the first
    class of all: ``OneHotEncoder(handle_unknown="ignore")`` passes a category that a part lacks. A fit
    warns, from public numbers, if a point on which all agree gets their label with probability below 0.95.
    One teacher moves two counts by 1 each however many labels there are, and a run for three labels or more
    has the noise and the guarantee of :class:`NoisyMaxAggregator`.
    An estimator that scikit-learn cannot clone is copied with what it has learned, which must be public, and
    its copies must share nothing that a fit changes.

    *Accuracy.* :func:`privml.bounds.students.asq_realizable_parameters` for active queries.

    References
    ----------
    LZCW21-alg-3, LZCW21-alg-5 and LZCW21-alg-pate-framework; Papernot et al. (2018) for more labels.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(6000, 2))
    >>> y = X[:, 0] + X[:, 1] > 0
    >>> model = PATEClassifier(n_teachers=300, n_queries=40, queries="active", classes=[False, True])
    >>> model = model.fit(X, y, X_public=rng.normal(size=(500, 2)), rng=1)
    >>> print(model.privacy_, model.n_queries_, model.score(X, y) > 0.9)
    (1, 1e-05)-differential privacy (add-or-remove-one) 40 True
    """

    estimator: BaseEstimator | None = None
    n_teachers: int = 10
    _: KW_ONLY
    epsilon: float | None = 1.0
    delta: float = 1e-5
    queries: str = "passive"
    n_queries: int | None = None
    aggregator: VoteAggregator | None = None
    student: BaseEstimator | None = None
    classes: Sequence | None = None
    n_jobs: int | None = None

    def _service(self, n_points: int) -> VoteAggregator | None:
        """What pays for the labels; made before any teacher is trained."""
        n_classes = checked_n_classes(len(self.classes_), self.aggregator, self.queries)
        if self.aggregator is not None or self.epsilon is None:
            return self.aggregator
        n_queries = (
            n_points if self.n_queries is None else min(self.n_queries, n_points)
        )
        budget: Any = {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "n_queries": n_queries,
        }
        if n_classes == 2:
            return GaussianAggregator(
                **budget
            )  # half the variance, for the same labels
        return NoisyMaxAggregator(n_classes=n_classes, **budget)

    def _checked(self, X: ArrayLike, y: ArrayLike) -> tuple[Any, ArrayLike]:
        X, options = _features(X)
        X = validate_data(self, X, **options)
        if self.classes is None:
            y, self.classes_ = found_classes(y, X.shape[0], MOST_CLASSES)
        else:
            self.classes_ = declared_classes(self.classes, MOST_CLASSES, y)
        check.positive_integer(n_teachers=self.n_teachers)
        if self.n_queries is not None:
            check.positive_integer(n_queries=self.n_queries)
        if self.n_teachers > X.shape[0]:
            most = f"the number of records ({X.shape[0]})"
            raise ValueError(
                f"n_teachers must be at most {most}, but got {self.n_teachers}."
            )
        return X, y

    def _public(self, X: Any, X_public: Any, rng: np.random.Generator) -> Any:
        """Public points in the form of the records."""
        if X_public is None:
            X_public = rng.normal(
                size=(self.n_queries or SYNTHETIC_POINTS, self.n_features_in_)
            )
            if hasattr(X, "dtypes") and any(
                kind.kind not in "biuf" for kind in X.dtypes
            ):
                raise ValueError(
                    f"X_public must be given unless X holds numbers, but got {list(X.dtypes)}."
                )
        if not hasattr(X, "iloc"):
            if hasattr(X_public, "iloc"):
                X_public = X_public.to_numpy()  # type: ignore[union-attr]
            X_public, options = _features(X_public, ensure_min_samples=0)
            X_public = check_array(X_public, **options)
        elif not hasattr(X_public, "iloc"):
            X_public = type(X)(
                check_array(X_public, ensure_min_samples=0), columns=X.columns
            )
        else:  # by name, before teachers are trained that could not answer
            validate_data(self, X_public, reset=False, skip_check_array=True)
        if X_public.shape[0] == 0 or X_public.shape[1] != self.n_features_in_:
            rule = f"at least one point with {self.n_features_in_} features"
            raise ValueError(
                f"X_public must hold {rule}, but got shape {X_public.shape}."
            )
        return X_public

    def _warn(self, same: bool) -> None:
        """Tell from public numbers alone that labels will be noise, and that records are called public."""
        if same and self.aggregator_ is not None:
            check.warn(
                "X_public are the records themselves, so the guarantee covers only their labels. To protect the "
                "records as well, use points that do not depend on them."
            )
        chance = 1.0
        if self.aggregator_ is not None:
            unanimous = [0] * (len(self.classes_) - 1) + [self.n_teachers]
            chance = self.aggregator_.label_distribution([unanimous])[0, -2]
        if chance < READABLE:
            fewer = (
                "a smaller cutoff"
                if hasattr(self.aggregator_, "cutoff")
                else "fewer queries"
            )
            check.warn(
                f"The noise is too large for n_teachers={self.n_teachers}: a point on which all teachers agree "
                f"receives their label with probability only {chance:.2f}. Use more teachers, {fewer} or a larger "
                "epsilon."
            )

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        X_public: ArrayLike | None = None,
        *,
        progress: bool = False,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        """Train teachers, ask for noisy votes, and train the student.

        Records and public points are arrays, sparse matrices or data frames.  Numbers that are not finite
        count as missing for an estimator that takes that, as one with an imputer does, and else as 0.

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features); labels of shape (n_samples,).
        X_public : array_like, optional
            Points without labels, public, in the columns of `X`; None draws them from a normal law.
        progress : bool
            Whether a bar on the error stream counts the teachers.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        splitting, drawing, teaching = np.random.default_rng(rng).spawn(3)
        same = X_public is X
        X, y = self._checked(X, y)
        public = self._public(X, X_public, drawing)
        self.aggregator_ = self._service(public.shape[0])
        self._warn(same)
        refuse_unsafe_callers(self.classes)
        estimator = self.estimator
        if estimator is None:
            estimator = LogisticRegression(solver="liblinear")
            if len(self.classes_) > 2:  # which the solver cannot do by itself
                estimator = OneVsRestClassifier(estimator)
        student = estimator if self.student is None else self.student
        self._missing = missing_value_for(student, public, len(self.classes_))
        options: Any = {
            "n_teachers": self.n_teachers,
            "classes": self.classes_,
            "n_jobs": self.n_jobs,
        }
        teachers = fit_teachers(
            estimator,
            X,
            y,
            X_public=public,
            progress=progress,
            rng=splitting,
            **options,
        )
        n_queries = self.n_queries and min(self.n_queries, public.shape[0])
        options = {
            "queries": self.queries,
            "n_queries": n_queries,
            "n_classes": len(self.classes_),
            "rng": teaching,
        }
        taught = taught_student(
            student, public, teachers.votes(public), self.aggregator_, **options
        )
        self.student_, self.queried_, self.votes_, self.privacy_ = taught
        self.n_queries_ = len(self.queried_)
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        """Labels that the student gives; numbers that are not finite count as they do in `fit`.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        """
        check_is_fitted(self, "student_")
        X, options = _features(X)
        X = clean_features(
            validate_data(self, X, reset=False, **options), self._missing
        )
        if isinstance(self.student_, int):
            return self.classes_[np.full(X.shape[0], self.student_)]
        answers = self.student_.predict(X)
        return self.classes_[class_indices(answers, X.shape[0], len(self.classes_))]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = tags.classifier_tags.poor_score = True
        tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.string = (
            True
        )
        return tags


check.wrap_module(__name__)
