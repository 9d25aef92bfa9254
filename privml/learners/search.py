"""A search over settings whose price does not grow with their number: private selection with random stopping.

A run draws a setting, fits it on the first records, and counts with noise how many of the last ones it gets
right.  After each run a coin says whether it was the last, and the best run is released.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.metrics import accuracy_score
from sklearn.model_selection import ParameterGrid
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml import _records as records
from privml.adjacency import Adjacency
from privml.composition import geometric_stopping
from privml.guarantee import Guarantee
from privml.learners.perturbation import ObjectivePerturbation
from privml.mechanisms import DiscreteLaplaceMechanism

MOST_MEAN_RUNS = 1e6  # whose expected number is still waited for


def _count_correct(model: Any, X: Any, y: Any) -> int:
    """Number of labels that the model gets right; each record changes it by at most 1, whatever it holds."""
    n_samples = X.shape[0]
    predicted = records.label_places(model.predict(X), model.classes_, n_samples)
    labels = records.label_places(y, model.classes_, n_samples)
    return int(np.sum(predicted == labels))


@dataclass(eq=False)
class PrivateRandomSearch(MetaEstimatorMixin, BaseEstimator):
    """A classifier whose settings are chosen privately, among any number of them.

    Each run draws one setting of the grid, fits it, and scores it by a noisy number of correct labels on
    records that no fit sees.  The number of runs is geometric, and the best one is released.

    Parameters
    ----------
    estimator : estimator, optional
        Here a private classifier under replace-one, or a private pipeline, cloned; None is
        ``ObjectivePerturbation()``.
    param_grid : dict or sequence of dict, optional
        Public settings to choose from, as :class:`sklearn.model_selection.GridSearchCV` takes them; None is
        the estimator as it is.
    score_epsilon : float
        Privacy parameter in nats of each score, positive.
    stopping_probability : float
        Chance that a run is the last one, in (0, 1]; the mean number of runs is its reciprocal.
    validation : float
        Share of the records, the last ones, that are scored, in (0, 1).  Shuffle records that are sorted.

    Attributes
    ----------
    best_estimator_, best_params_, best_score_ : estimator, dict, float
        The released model, its settings, and its noisy share of correct labels.
    classes_ : ndarray
        Labels of the released model.
    privacy_ : Guarantee
        Promise of the whole search.

    Notes
    -----
    *Privacy.* The guarantee is that of :func:`~privml.composition.geometric_stopping` for one run, under replace-one: a
    record is either among those that are fitted, by its place, or among those that are scored, so that a
    run costs the larger of both. The price does not depend on the number of settings. It covers the fitted
    model, its settings and its score; how many runs there were is not released, and time may tell of it.

    *Accuracy.* The score has noise of standard deviation about ``1.4 / score_epsilon`` records.

    References
    ----------
    Liu and Talwar (2019); Papernot and Steinke (2022). The chapter *Private hyperparameter tuning* proves the
    guarantee of one run and of the search.

    Examples
    --------
    >>> from privml.learners import ObjectivePerturbation
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(3000, 2))
    >>> y = X[:, 0] > X[:, 1]
    >>> learner = ObjectivePerturbation(1.0, bounds="unit", classes=(False, True))
    >>> search = PrivateRandomSearch(learner, {"norm": [1.0, 4.0, 16.0]}, stopping_probability=0.2)
    >>> print(search.fit(X, y, rng=0).privacy_, bool(search.score(X, y) > 0.9))
    2.27369-differential privacy (replace-one) True
    """

    estimator: Any = None
    param_grid: Mapping | Sequence[Mapping] | None = None
    _: KW_ONLY
    score_epsilon: float = 1.0
    stopping_probability: float = 0.1
    validation: float = 0.3

    def _settings(self) -> tuple[list[tuple[dict, Any]], Guarantee]:
        """All settings with their unfitted estimators, and what one run of any of them promises."""
        base = ObjectivePerturbation() if self.estimator is None else self.estimator
        found = [
            (dict(setting), clone(base).set_params(**setting))
            for setting in ParameterGrid(self.param_grid or {})
        ]
        budgets = []
        for _, candidate in found:
            last = getattr(candidate, "steps", [(None, candidate)])[-1][1]
            if getattr(last, "epsilon", None) is None:
                raise ValueError(
                    "estimator must have an epsilon, or be a private pipeline that ends in such a learner, but "
                    f"got {type(last).__name__}."
                )
            budgets.append((last.epsilon, getattr(last, "delta", 0.0)))
        epsilon = max(self.score_epsilon, *(budget[0] for budget in budgets))
        return found, Guarantee(epsilon, max(budget[1] for budget in budgets))

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        """Run until the coin says stop, and keep the best run.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        y : array_like
            Labels, one each.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

        Raises
        ------
        ValueError
            If a fit promises less than the settings say, or about other neighbours.
        """
        check.positive(score_epsilon=self.score_epsilon)
        check.share(stopping_probability=self.stopping_probability)
        if 1 / self.stopping_probability > MOST_MEAN_RUNS:
            raise ValueError(
                f"stopping_probability must be at least {1 / MOST_MEAN_RUNS:g}, since the mean number of runs is its "
                f"reciprocal, but got {self.stopping_probability!r}."
            )
        check.probability_open(validation=self.validation)
        settings, promise = self._settings()
        X, y = records.sliceable("X", X), records.sliceable("y", y)
        n_samples = y.shape[0]
        if X.shape[0] != n_samples:
            raise ValueError(
                f"y must hold one label for each of the {X.shape[0]} records, but got {n_samples}."
            )
        n_fitted = n_samples - max(1, round(self.validation * n_samples))
        if n_fitted < 1:
            raise ValueError(
                "y must hold at least 2 labels, so that some records are fitted and others scored, but got "
                f"{n_samples}."
            )
        fitted = [_safe_indexing(part, slice(0, n_fitted)) for part in (X, y)]
        scored = [_safe_indexing(part, slice(n_fitted, n_samples)) for part in (X, y)]
        counter = DiscreteLaplaceMechanism(epsilon=self.score_epsilon, sensitivity=1)
        rng = np.random.default_rng(rng)
        best: tuple[int, dict, Any] | None = None
        for _ in range(int(rng.geometric(self.stopping_probability))):
            setting, candidate = settings[int(rng.integers(len(settings)))]
            model = clone(candidate).fit(*fitted, rng=rng.spawn(1)[0])
            self._require(model.privacy_, promise)
            right = _count_correct(model, *scored)
            score = int(counter.release(right, rng=rng))
            if best is None or score > best[0]:
                best = score, setting, model
        score, self.best_params_, self.best_estimator_ = best  # type: ignore[misc]  # at least one run
        self.best_score_ = score / (n_samples - n_fitted)
        self.classes_ = self.best_estimator_.classes_
        self.privacy_ = geometric_stopping(promise, self.stopping_probability)
        return self

    @staticmethod
    def _require(found: Guarantee, promise: Guarantee) -> None:
        """Raise if a fit has spent more than the settings say."""
        if found.adjacency is not Adjacency.REPLACE_ONE or not found.implies(promise):
            raise ValueError(
                f"estimator must promise at least {promise} in each fit, as its epsilon and delta say, but got "
                f"{found}."
            )

    def predict(self, X: ArrayLike) -> NDArray:
        """Labels that the released model gives.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        """
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict(X)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """Share of correct labels, without noise or guarantee.

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features); labels of shape (n_samples,).
        """
        return float(accuracy_score(y, self.predict(X)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        tags.non_deterministic = True
        return tags


check.wrap_module(__name__)
