"""Targets of regressors have declared ranges, as features have."""

import warnings

import numpy as np
import pytest
from sklearn.base import is_regressor

from privml.learners import UnscaledWarning
from tests.learners.roster import LEARNERS, each, released

REGRESSORS = {name: make for name, make in LEARNERS.items() if is_regressor(make())}
RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, size=(4000, 2)) / 2
Y = X[:, 0] - X[:, 1]


def fitted(make, y, epsilon=50.0, **options):
    return make(epsilon, bounds="unit", **options).fit(X, y, rng=3)


@each(REGRESSORS)
def test_raw_targets_are_learned_by_their_range(make):
    """They were clipped to [-1, 1] without a word, with an R2 far below 0."""
    dollars = 300_000 + 100_000 * Y
    learner = fitted(make, dollars, target_bounds=(150_000, 450_000.0))
    assert learner.score(X, dollars) > 0.5
    unit = fitted(make, Y / 1.5, target_bounds="unit")
    np.testing.assert_allclose(released(learner), released(unit), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        learner.predict(X), 300_000 + 150_000 * unit.predict(X), rtol=1e-9
    )


@each(REGRESSORS)
def test_a_fit_without_a_range_warns_by_parameters_alone(make):
    for y in (Y, 1e6 * Y, np.full(len(X), np.nan)):
        with pytest.warns(UnscaledWarning, match="targets outside of .*target_bounds="):
            fitted(make, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted(make, 1e6 * Y, target_bounds="unit")
        fitted(make, Y, target_bounds=(-1, 1))


@each(REGRESSORS)
def test_targets_outside_count_as_the_ends_and_missing_ones_as_the_middle(make):
    odd = np.where(np.arange(len(X)) == 7, np.inf, 10 + Y)
    for strange, end in ((np.inf, 12.0), (-1e308, 8.0), (np.nan, 10.0), (None, 10.0)):
        odd = (10 + Y).astype(object)
        odd[7] = strange
        plain = np.where(np.arange(len(X)) == 7, end, 10 + Y)
        one, two = (fitted(make, y, target_bounds=(8.0, 12.0)) for y in (odd, plain))
        np.testing.assert_array_equal(released(one), released(two))


@each(REGRESSORS)
@pytest.mark.parametrize(
    "bad",
    [(1.0, 1.0), (0.0, np.inf), (2.0, 1.0), "words", 3.0, (0.0, 1.0, 2.0), ([0], [1])],
    ids=str,
)
def test_other_ranges_are_refused(make, bad):
    with pytest.raises(ValueError, match="target_bounds must be a pair of finite"):
        fitted(make, Y, target_bounds=bad)
