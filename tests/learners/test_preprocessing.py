"""Declared ranges: what a fit does with them, and the warning where there are none."""

import warnings
from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from privml import learners
from privml.hypotheses import DecisionStumps
from privml.learners.statistical_queries import StumpSQLearner

CHAINS = (
    learners.ExponentialLinearSVC,
    learners.ExponentialLogisticRegression,
    learners.ExponentialRidge,
)
NOISE = (
    learners.MeanClassifier,
    learners.NoisyGradientDescent,
    learners.ObjectivePerturbation,
    learners.OutputPerturbation,
)
CUBE = (learners.LinearLearner, learners.PrivateBestSubset)
STUMPS = DecisionStumps.on_grid(2, 0.0, 1000.0, n_cuts=9)
LOWER, UPPER = [0.0, 0.0], [1000.0, 1.0]


def data(n=400):
    """The second feature tells the label, the first is large noise."""
    X = np.random.default_rng(0).uniform(LOWER, UPPER, size=(n, 2))
    return X, X[:, 1] > 0.5


@pytest.mark.parametrize("kind", [*CHAINS, *NOISE, *CUBE])
def test_a_fit_without_ranges_warns_whatever_the_records_are_and_one_with_ranges_does_not(
    kind,
):
    X, y = data(100)
    if "target_bounds" in kind().get_params():  # of which it would warn, too
        kind = partial(kind, target_bounds="unit")
    for records in (X, np.zeros_like(X), 1e9 * X):
        said = r"Declare public ranges with bounds=\(lower, upper\)"
        with pytest.warns(learners.UnscaledWarning, match=said) as seen:
            kind(1.0).fit(records, y, rng=0)
        assert [warning.filename for warning in seen] == [__file__]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kind(1.0, bounds="unit").fit(records, y, rng=0)
            kind(1.0, bounds=(LOWER, UPPER)).fit(records, y, rng=0)


@pytest.mark.parametrize("kind", NOISE)
def test_declared_ranges_do_what_the_public_scaler_does(kind):
    X, y = data()
    scaled = learners.PublicScaler(LOWER, UPPER).fit_transform(X)
    np.testing.assert_array_equal(scaled, learners.centred_rows(X, LOWER, UPPER))
    there = kind(5.0, bounds="unit", fit_intercept=True).fit(scaled, y, rng=0)
    here = kind(5.0, bounds=(LOWER, UPPER), fit_intercept=True).fit(X, y, rng=0)
    np.testing.assert_array_equal(here.coef_, there.coef_)
    np.testing.assert_array_equal(
        here.decision_function(X), there.decision_function(scaled)
    )
    assert here.score(X, y) > 0.85


@pytest.mark.parametrize("kind", CUBE)
def test_ranges_bring_the_records_into_the_cube(kind):
    X, y = data()
    y = np.where(y, 1.0, -1.0)
    inside = learners.centred_rows(X, LOWER, UPPER, unit=False) * np.sqrt(X.shape[1])
    there = kind(5.0, bounds="unit").fit(inside, y, rng=0)
    here = kind(5.0, bounds=(LOWER, UPPER)).fit(X, y, rng=0)
    np.testing.assert_array_equal(here.coef_, there.coef_)
    np.testing.assert_allclose(here.predict(X), there.predict(inside), atol=1e-12)
    with pytest.warns(learners.UnscaledWarning, match="entries outside of"):
        silent = kind(5.0).fit(X, y, rng=0)
    assert here.score(X, y) > silent.score(X, y) + 0.2


def test_a_scaler_without_ranges_warns_and_takes_0_to_1_whatever_the_records_are():
    X, _ = data(100)
    for records in X, 1e9 * X:
        with pytest.warns(
            learners.UnscaledWarning, match="Declare public ranges with lower and upper"
        ) as seen:
            rows = learners.PublicScaler().fit(records).transform(records)
        assert [warning.filename for warning in seen] == [__file__]
        with warnings.catch_warnings(action="error"):
            np.testing.assert_array_equal(
                rows, learners.PublicScaler(0, 1).fit_transform(records)
            )


def test_ranges_and_sparse_records_do_not_go_together():
    X, y = data(20)
    learner = learners.LinearLearner(bounds=(LOWER, UPPER)).fit(X, y, rng=0)
    for act in (
        lambda: learner.fit(csr_matrix(X), y),
        lambda: learner.predict(csr_matrix(X)),
    ):
        with pytest.raises(TypeError, match="dense data is required"):
            act()


@pytest.mark.parametrize(
    ("make", "declared"),
    [
        (learners.ERM, {"hypotheses": STUMPS}),
        (learners.ExponentialPACLearner, {"hypotheses": STUMPS}),
        (
            learners.PrivateConfidenceBooster,
            {"base_learner": learners.ExponentialPACLearner(1.0, STUMPS)},
        ),
        (learners.PrivateSQClassifier, {"learner": StumpSQLearner(STUMPS)}),
        (
            learners.RepresentationLearner,
            {"representation": learners.RandomStumps(0.0, 1000.0)},
        ),
        (
            learners.ReferenceCoverLearner,
            {"hypotheses": STUMPS, "reference": [[0.0, 0.0], [1.0, 1000.0]]},
        ),
    ],
)
def test_default_stumps_and_references_warn_whatever_the_records_are(make, declared):
    X, y = data(100)
    for records in (X, np.zeros_like(X), 1e9 * X):
        with pytest.warns(learners.UnscaledWarning, match="Declare") as seen:
            make().fit(records, y, rng=0)
        assert {warning.filename for warning in seen} == {__file__}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            make(**declared).fit(records, y, rng=0)


def test_a_reference_alone_or_stumps_alone_warn_of_the_other():
    X, y = data(50)
    for declared, what in (
        ({"hypotheses": STUMPS}, "reference"),
        ({"reference": [[0.0, 0.0]]}, "stumps"),
    ):
        with pytest.warns(
            learners.UnscaledWarning, match=f"the default {what}"
        ) as seen:
            learners.ReferenceCoverLearner(**declared).fit(X, y, rng=0)
        assert len(seen) == 1


def test_without_them_a_large_feature_drowns_the_others():
    X, y = data()
    with pytest.warns(learners.UnscaledWarning):
        silent = learners.ObjectivePerturbation(5.0).fit(X, y, rng=0)
    assert silent.score(X, y) < 0.6


@pytest.mark.parametrize("bounds", ["cube", (0.0,), 1.0, ([0.0, 1.0], [1.0, 1.0])])
def test_ranges_that_are_none_are_refused(bounds):
    with pytest.raises(ValueError, match="must be"):
        learners.MeanClassifier(bounds=bounds).fit(*data(20))


@pytest.mark.parametrize(
    ("lower", "upper"), [([0.0] * 2, [1.0] * 2), (0.0, [1.0] * 4), ([[0.0] * 3], 1.0)]
)
def test_ranges_of_another_number_of_features_are_refused_by_name(lower, upper):
    X, y = np.full((4, 3), 0.5), [False, True, False, True]
    fits = [
        lambda: learners.PublicScaler(lower, upper).fit(X),
        lambda: learners.ObjectivePerturbation(bounds=(lower, upper)).fit(X, y),
        lambda: learners.ExponentialLogisticRegression(bounds=(lower, upper)).fit(X, y),
    ]
    for fit in fits:
        with pytest.raises(
            ValueError, match="ranges must be a number or one for each of 3 features"
        ):
            fit()


def test_rows_too_long_for_floats_keep_their_direction():
    """The square of 1e200 is no float: its row would be all zeros, and warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = learners.unit_rows([[1e200, 0.0], [-np.inf, np.nan], [3e307, -3e307]])
    half = np.sqrt(0.5)
    np.testing.assert_allclose(rows, [[1, 0], [-1, 0], [half, -half]], rtol=1e-15)
