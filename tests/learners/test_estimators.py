"""The learners are scikit-learn estimators, by scikit-learn's own checks."""

from functools import cache

import numpy as np
import pytest
from sklearn.base import clone, is_regressor
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from privml import learners
from privml.datasets import load_breast_cancer
from privml.learnability import SubsampledLearner
from privml.pate import PATEClassifier
from tests.learners import roster


@cache
def seeded(kind):
    """The checks compare two fits on the same data, so they get the same randomness."""

    def fit(self, X, y):
        return kind.fit(self, X, y, rng=0)

    name = f"Seeded{kind.__name__}"
    globals()[name] = type(
        name, (kind,), {"fit": fit, "__module__": __name__, "__doc__": "Seeded."}
    )
    return globals()[name]


def expected_failures(estimator):
    """A target that is not finite counts as 0: an error would tell of one record."""
    return (
        {"check_supervised_y_no_nan": "no record raises by its value"}
        if is_regressor(estimator)
        else {}
    )


@parametrize_with_checks(
    [
        learners.ERM(),
        seeded(learners.ERM)(tie_break="uniform"),
        seeded(learners.ExponentialPACLearner)(),
        seeded(learners.ExponentialPACLearner)(20.0),
        seeded(learners.PrivateSQClassifier)(),
        seeded(learners.PrivateParityLearner)(),
        seeded(learners.PrivateConfidenceBooster)(n_candidates=2),
        seeded(learners.ExponentialLogisticRegression)(20.0),
        seeded(learners.ExponentialLinearSVC)(fit_intercept=True),
        seeded(learners.ExponentialRidge)(),
        seeded(learners.PrivateLinearRegression)(),
        seeded(learners.PrivateLinearRegression)(20.0, 1e-5, fit_intercept=False),
        seeded(learners.LinearLearner)(),
        seeded(learners.PrivateBestSubset)(cells=2),
        seeded(learners.PrivateBestSubset)(20.0, method="two-stage", cells=2),
        seeded(learners.RepresentationLearner)(20.0),
        seeded(learners.ReferenceCoverLearner)(20.0),
        learners.PublicFourierFeatures(),
        seeded(learners.LinearLearner)(
            20.0, method="nonadaptive", signed=False, fit_intercept=False
        ),
        learners.PublicScaler(),
        seeded(learners.MeanClassifier)(),
        seeded(learners.OutputPerturbation)(2.0, 1e-5),
        seeded(learners.ObjectivePerturbation)(2.0),
        seeded(learners.ObjectivePerturbation)(delta=1e-5, fit_intercept=True),
        seeded(learners.NoisyGradientDescent)(2.0),
        seeded(SubsampledLearner)(),
        seeded(SubsampledLearner)(learners.ERM()),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings(
    "ignore:privacy_ covers this fit alone, one of several fits"
)
@pytest.mark.parametrize(
    ("scaler", "learner"),
    [
        (StandardScaler(), learners.ERM()),
        (learners.PublicScaler(-3, 3), learners.ExponentialPACLearner(2.0)),
    ],
)
def test_they_work_in_pipelines_and_cross_validation(scaler, learner):
    X = np.random.default_rng(0).normal(size=(300, 3))
    y = np.where(X[:, 1] > 0.2, "b", "a")
    assert (
        cross_val_score(make_pipeline(scaler, clone(learner)), X, y, cv=3).mean() > 0.8
    )


def test_they_work_in_pipelines_with_public_scaling():
    cancer = load_breast_cancer()
    model = make_pipeline(
        learners.PublicScaler(0.0, 1.0), learners.ObjectivePerturbation(2.0)
    )
    model.fit(cancer.X, cancer.y, objectiveperturbation__rng=0)
    assert model.score(cancer.X, cancer.y) > 0.8


def test_randomness_goes_to_fit_so_that_folds_differ():
    X, y = np.zeros((10, 1)), np.arange(10) % 2
    learner = learners.ExponentialPACLearner(0.1)
    assert (
        len({learner.fit(X, y, rng=seed).hypothesis_index_ for seed in range(10)}) > 1
    )
    assert (
        learner.fit(X, y, rng=3).hypothesis_index_
        == learner.fit(X, y, rng=3).hypothesis_index_
    )


@roster.each(roster.CLASSIFIERS)
def test_three_labels_are_refused_and_the_message_names_the_way_out(make):
    X, y = roster.records()[0], np.arange(24) % 3
    with pytest.raises(
        ValueError,
        match=r"Only binary .* got 3 classes. Learn each class against the rest",
    ):
        make().fit(X, y)
    with pytest.raises(ValueError, match="classes must be two distinct labels"):
        make().set_params(classes=(0, 1, 2)).fit(X, y)


BUDGETED = {
    name: make
    for name, make in roster.LEARNERS.items()
    if "delta" in make().get_params(deep=False)
}


@roster.each(BUDGETED)
def test_what_is_printed_of_a_learner_shows_its_delta(make):
    for options in (
        {},
        {"epsilon": 2.0},
        {"delta": 1e-9},
        {"epsilon": 0.5, "delta": 1e-9},
        {"fit_intercept": not make().fit_intercept},
        {"delta": 1e-7, "bounds": (0.0, [1.0, 2.0])},
    ):
        learner = make(**options)
        shown = repr(learner)
        budget = f"(epsilon={learner.epsilon!r}, delta={learner.delta!r}"
        assert shown.startswith(type(learner).__name__ + budget)
        assert shown.count("delta=") == shown.count("epsilon=") == 1
        assert shown.endswith(")")
        assert eval(shown, {type(learner).__name__: type(learner)}).get_params() == (
            learner.get_params()
        )


def test_the_delta_of_teachers_is_shown_beside_what_they_are_given():
    shown = repr(PATEClassifier(learners.LinearLearner(0.5, 1e-9), epsilon=2.0))
    assert shown.startswith("PATEClassifier(epsilon=2.0, delta=1e-05, ")
    assert "epsilon=0.5" in shown
    assert "delta=1e-09" in shown
