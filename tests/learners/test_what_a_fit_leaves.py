"""What stays in a fitted learner: parameters, public numbers, and what its guarantee covers; nothing else.

Whoever gets the learner, or its pickle, reads every attribute.  So an attribute is either released, and is
named here, or the same on all data sets of one shape.
"""

import inspect
import pickle
import warnings
from functools import partial

import numpy as np
import pytest
from numpydoc.docscrape import NumpyDocString
from sklearn.base import BaseEstimator, is_regressor

from privml.learners import ERM, PrivateBestSubset, PrivateConfidenceBooster
from privml.learners import ExponentialLinearSVC as SVC
from privml.learners import ExponentialLogisticRegression as Logistic
from privml.learners import ExponentialRidge as Ridge
from privml.pate import PATEClassifier
from tests.learners import roster

MORE = {
    "logistic, with an intercept": partial(Logistic, 10.0, fit_intercept=True),
    "ridge, in a small ball": partial(Ridge, 20.0, radius=0.3),
    "student": partial(PATEClassifier, n_teachers=4, n_queries=3),
    "best subset in two stages": partial(PrivateBestSubset, method="two-stage"),
    "booster of draws": partial(PrivateConfidenceBooster, Logistic(), n_candidates=2),
}
PRIVATE = {
    name: make for name, make in roster.LEARNERS.items() if make.func is not ERM
} | MORE
RELEASED = {*roster.RELEASED, "student_", "queried_", "votes_", "n_queries_"}
INNER = {
    "candidates_",
    "estimator_",
}  # fits themselves, whose guarantees are counted in that of the whole
LABELS = ([0] * 24, [1] * 24, [0, 1] * 12)


def tables():
    rng = np.random.default_rng(7)
    return (
        np.zeros((24, 2)),
        np.ones((24, 2)),
        rng.uniform(-1, 1, (24, 2)),
        1e3 * rng.normal(size=(24, 2)),
    )


def fitted(make, X, y):
    learner = make() if is_regressor(make()) else make().set_params(classes=(0, 1))
    with warnings.catch_warnings(action="ignore"):
        return learner.fit(X, y, rng=3)


def rest(learner):
    """Every attribute that is not released, by the path to it, as bytes."""
    found = {}
    for name, value in vars(learner).items():
        if name in INNER:
            for place, inner in enumerate(
                value if isinstance(value, list) else [value]
            ):
                found |= {
                    f"{name}.{place}.{path}": held for path, held in rest(inner).items()
                }
        elif name not in RELEASED:
            found[name] = pickle.dumps(value)
    return found


@roster.each(PRIVATE)
def test_all_that_is_not_released_is_the_same_whatever_the_records_are(make):
    first, *others = (rest(fitted(make, X, y)) for X in tables() for y in LABELS)
    for other in others:
        assert [
            path for path in first | other if first.get(path) != other.get(path)
        ] == []


@roster.each(roster.LEARNERS | MORE)
def test_the_docstring_of_a_learner_lists_what_a_fit_leaves_and_nothing_else(make):
    learner = fitted(make, tables()[2], LABELS[2])
    entries = NumpyDocString(inspect.getdoc(type(learner)))["Attributes"]
    listed = {name.strip() for entry in entries for name in entry.name.split(",")}
    assert {name for name in vars(learner) if name.endswith("_")} - {
        "n_features_in_"
    } == listed


@pytest.mark.parametrize("make", [Logistic, SVC, Ridge])
def test_how_weights_were_drawn_is_neither_in_the_learner_nor_in_its_pickle(make):
    """Tries: 1 for a row of zeros always; more for a unit row with some seeds.  Neither outlives the fit."""
    learner = fitted(partial(make, 60.0, radius=1.0), np.ones((3, 2)), [1, 0, 1])
    for one in (learner, pickle.loads(pickle.dumps(learner))):
        assert isinstance(one, BaseEstimator)
        told = {"n_features_in_", "classes_", "privacy_", "coef_", "intercept_"}
        assert set(vars(one)) - set(one.get_params()) <= told


@pytest.mark.parametrize("make", [Logistic, SVC, Ridge])
def test_the_draw_of_a_fit_can_be_studied_from_the_records_and_the_seed(make):
    X, y = tables()[2], np.array([0, 1] * 12)
    learner = make(2.0, bounds="unit", fit_intercept=True)
    fit = fitted(lambda: learner, X, 2 * y - 1 if is_regressor(learner) else y)
    drawn = learner.draw(X, 2.0 * y - 1, rng=3)
    np.testing.assert_allclose(
        drawn.weights / np.sqrt(2), np.r_[fit.coef_[0], fit.intercept_], rtol=1e-14
    )
    assert (drawn.n_steps == 0) == drawn.exact
