"""The learners that add noise are scikit-learn estimators, by scikit-learn's own checks."""

from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from privml.datasets import load_breast_cancer
from privml.learners import (
    MeanClassifier,
    NoisyGradientDescent,
    ObjectivePerturbation,
    OutputPerturbation,
    PublicScaler,
)


class SeededMeanClassifier(MeanClassifier):
    """The checks compare two fits on the same data, so they get the same randomness."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededOutputPerturbation(OutputPerturbation):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededObjectivePerturbation(ObjectivePerturbation):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


class SeededNoisyGradientDescent(NoisyGradientDescent):
    """As above."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


@parametrize_with_checks(
    [
        PublicScaler(),
        SeededMeanClassifier(),
        SeededOutputPerturbation(2.0, 1e-5),
        SeededObjectivePerturbation(2.0),
        SeededObjectivePerturbation(delta=1e-5, fit_intercept=True),
        SeededNoisyGradientDescent(2.0),
    ]
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


def test_they_work_in_pipelines_with_public_scaling():
    cancer = load_breast_cancer()
    model = make_pipeline(PublicScaler(0.0, 1.0), ObjectivePerturbation(2.0))
    model.fit(cancer.X, cancer.y, objectiveperturbation__rng=0)
    assert model.score(cancer.X, cancer.y) > 0.8
