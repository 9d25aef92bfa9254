"""Declared ranges: what a fit does with them, and the warning where there are none."""

import warnings

import numpy as np
import pytest

from privml.learners import (
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
    ExponentialRidge,
    MeanClassifier,
    NoisyGradientDescent,
    ObjectivePerturbation,
    OutputPerturbation,
    PublicScaler,
    UnscaledWarning,
    centred_rows,
)

CHAINS = (ExponentialLinearSVC, ExponentialLogisticRegression, ExponentialRidge)
NOISE = (MeanClassifier, NoisyGradientDescent, ObjectivePerturbation, OutputPerturbation)
LOWER, UPPER = [0.0, 0.0], [1000.0, 1.0]


def data(n=400):
    """The second feature tells the label, the first is large noise."""
    X = np.random.default_rng(0).uniform(LOWER, UPPER, size=(n, 2))
    return X, X[:, 1] > 0.5


@pytest.mark.parametrize("kind", [*CHAINS, *NOISE])
def test_a_fit_without_ranges_warns_whatever_the_records_are_and_one_with_ranges_does_not(kind):
    X, y = data(100)
    for records in (X, np.zeros_like(X), 1e9 * X):
        with pytest.warns(UnscaledWarning, match=r"declare public ranges by bounds=\(lower, upper\)") as seen:
            kind(1.0).fit(records, y, rng=0)
        assert [warning.filename for warning in seen] == [__file__]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kind(1.0, bounds="unit").fit(records, y, rng=0)
            kind(1.0, bounds=(LOWER, UPPER)).fit(records, y, rng=0)


@pytest.mark.parametrize("kind", NOISE)
def test_declared_ranges_do_what_the_public_scaler_does(kind):
    X, y = data()
    scaled = PublicScaler(LOWER, UPPER).fit_transform(X)
    np.testing.assert_array_equal(scaled, centred_rows(X, LOWER, UPPER))
    there = kind(5.0, bounds="unit", fit_intercept=True).fit(scaled, y, rng=0)
    here = kind(5.0, bounds=(LOWER, UPPER), fit_intercept=True).fit(X, y, rng=0)
    np.testing.assert_array_equal(here.coef_, there.coef_)
    np.testing.assert_array_equal(here.decision_function(X), there.decision_function(scaled))
    assert here.score(X, y) > 0.85


def test_without_them_a_large_feature_drowns_the_others():
    X, y = data()
    with pytest.warns(UnscaledWarning):
        silent = ObjectivePerturbation(5.0).fit(X, y, rng=0)
    assert silent.score(X, y) < 0.6


@pytest.mark.parametrize("bounds", ["cube", (0.0,), 1.0, ([0.0, 1.0], [1.0, 1.0])])
def test_ranges_that_are_none_are_refused(bounds):
    with pytest.raises(ValueError, match="must be"):
        MeanClassifier(bounds=bounds).fit(*data(20))
