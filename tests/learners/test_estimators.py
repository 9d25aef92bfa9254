"""The learners are scikit-learn estimators, by scikit-learn's own checks."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from privml.learners import (
    ERM,
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
    ExponentialPACLearner,
    ExponentialRidge,
    LinearLearner,
    PrivateBestSubset,
    PrivateConfidenceBooster,
    PrivateParityLearner,
    PrivateSQClassifier,
    PublicFourierFeatures,
    ReferenceCoverLearner,
    RepresentationLearner,
)


class SeededERM(ERM):
    """The checks compare two fits on the same data, so they get the same randomness."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededExponentialPACLearner(ExponentialPACLearner):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededPrivateSQClassifier(PrivateSQClassifier):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededPrivateParityLearner(PrivateParityLearner):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededLinearLearner(LinearLearner):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededPrivateConfidenceBooster(PrivateConfidenceBooster):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededExponentialLogisticRegression(ExponentialLogisticRegression):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededExponentialLinearSVC(ExponentialLinearSVC):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededExponentialRidge(ExponentialRidge):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededPrivateBestSubset(PrivateBestSubset):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededRepresentationLearner(RepresentationLearner):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededReferenceCoverLearner(ReferenceCoverLearner):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


@pytest.mark.filterwarnings("ignore::privml.learners.penalised_erm.MixingWarning")
@parametrize_with_checks(
    [
        ERM(),
        SeededERM(tie_break="uniform"),
        SeededExponentialPACLearner(),
        SeededExponentialPACLearner(20.0),
        SeededPrivateSQClassifier(),
        SeededPrivateParityLearner(),
        SeededPrivateConfidenceBooster(n_candidates=2),
        SeededExponentialLogisticRegression(20.0, n_draws=100, n_chains=2),
        SeededExponentialLinearSVC(n_draws=20, fit_intercept=True, sampler="hit-and-run"),
        SeededExponentialRidge(n_draws=100),
        SeededLinearLearner(),
        SeededPrivateBestSubset(cells=2),
        SeededPrivateBestSubset(20.0, method="two-stage", cells=2),
        SeededRepresentationLearner(20.0),
        SeededReferenceCoverLearner(20.0),
        PublicFourierFeatures(),
        SeededLinearLearner(20.0, method="oblivious", signed=False, fit_intercept=False),
    ]
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("learner", [ERM(), ExponentialPACLearner(2.0)])
def test_they_work_in_pipelines_and_cross_validation(learner):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = np.where(X[:, 1] > 0.2, "b", "a")
    scores = cross_val_score(make_pipeline(StandardScaler(), clone(learner)), X, y, cv=3)
    assert scores.mean() > 0.8


def test_randomness_goes_to_fit_so_that_folds_differ():
    X, y = np.zeros((10, 1)), np.arange(10) % 2
    learner = ExponentialPACLearner(0.1)
    assert len({learner.fit(X, y, rng=seed).hypothesis_index_ for seed in range(10)}) > 1
    assert learner.fit(X, y, rng=3).hypothesis_index_ == learner.fit(X, y, rng=3).hypothesis_index_
