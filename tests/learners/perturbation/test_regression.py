"""Linear regression from noisy moments: sensitivity, solution, rounding, the warning, and real targets."""

import warnings
from itertools import product
from math import sqrt

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import train_test_split

from privml.learners import ExponentialRidge, PrivateLinearRegression
from privml.learners.perturbation.regression import (
    CONSTANT,
    moment_sensitivity,
    moment_vector,
    ridge_solution,
)

UNIT = {"bounds": "unit", "target_bounds": "unit"}


def sphere(n, d, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def test_lengths_of_the_vector_are_those_of_all_moments():
    rng = np.random.default_rng(0)
    for d in (1, 2, 5):
        X, other = rng.uniform(-1, 1, size=(2, 300, d))
        y, targets = rng.uniform(-1, 1, size=(2, 300))
        change = moment_vector(X, y) - moment_vector(other, targets)
        second, cross = X.T @ X - other.T @ other, y @ X - targets @ other
        expected = np.hypot(np.linalg.norm(second), np.linalg.norm(cross))
        assert np.linalg.norm(change) == pytest.approx(expected)
        assert change.size == d * (d + 3) // 2


def test_no_pair_of_records_moves_the_vector_further_and_one_moves_it_so_far():
    """All pairs of a grid of the disc, with all pairs of some targets."""
    lengths, angles = (0.0, 0.5, 1.0), np.linspace(0, 2 * np.pi, 25)
    disc = [(r * np.cos(a), r * np.sin(a)) for r, a in product(lengths, angles)]
    vectors = np.array(
        [
            moment_vector(np.array([x]), np.array([y]))
            for x, y in product(disc, (-1.0, -0.4, 1.0))
        ]
    )
    moved = np.linalg.norm(vectors[:, None] - vectors, axis=2).max()
    assert moved * (1 + 1e-12) < moment_sensitivity(1, 5)
    assert moved == pytest.approx(3 / sqrt(2), rel=1e-12)  # 120 degrees are on the grid
    assert moment_sensitivity(1, 5) == pytest.approx(3 / sqrt(2), rel=1e-8)


def test_rounding_of_many_records_is_in_the_sensitivity():
    """A sum in floats of a million awkward rows, against one in long doubles."""
    n = 10**6
    X = sphere(n, 2, seed=3)
    y = np.random.default_rng(4).uniform(-1, 1, size=n)
    exact = X.astype(np.longdouble)
    second, cross = exact.T @ exact, y.astype(np.longdouble) @ exact
    upper = [second[0, 0], sqrt(2) * second[0, 1], second[1, 1], *cross]
    error = np.abs(moment_vector(X, y) - np.array(upper)).max()
    spare = moment_sensitivity(n, 5) - moment_sensitivity(1, 5)
    assert 2 * sqrt(5) * float(error) < spare < 1e-6


@pytest.mark.parametrize("d", [1, 3])
def test_without_noise_the_solution_is_that_of_ridge_regression(d):
    X, rng = sphere(500, d), np.random.default_rng(1)
    y = np.clip(X[:, 0] + 0.1 * rng.normal(size=500), -1, 1)
    weights = ridge_solution(moment_vector(X, y), d, 7.0)
    plain = Ridge(7.0, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(weights, plain.coef_, rtol=1e-9)


def test_a_large_epsilon_gives_least_squares_in_the_units_of_the_targets():
    rng = np.random.default_rng(2)
    X = rng.uniform([0, -5], [10, 5], size=(3000, 2))
    y = 20_000 + 900 * X[:, 0] - 700 * X[:, 1] + 500 * rng.normal(size=3000)
    learner = PrivateLinearRegression(
        1e6,
        row_norm=sqrt(2),
        bounds=([0, -5], [10, 5]),
        target_bounds=(10_000, 40_000),
    )
    learner.fit(X, y, rng=0)
    plain = LinearRegression().fit(X, y)
    np.testing.assert_allclose(learner.predict(X), plain.predict(X), rtol=1e-3)
    inner = (X - [5, 0]) / 5 / sqrt(2) @ learner.coef_ + learner.intercept_
    np.testing.assert_allclose(25_000 + 15_000 * inner, learner.predict(X))


@pytest.mark.parametrize("kind", [PrivateLinearRegression, ExponentialRidge])
def test_one_feature_is_not_turned_into_its_sign(kind):
    """Rows are cut, and not made as long as 1: the slope within the range is learned."""
    X = np.random.default_rng(0).uniform(0, 1, size=(4000, 1))
    learner = kind(5.0, bounds=(0, 1), target_bounds=(0, 1))
    assert learner.fit(X, X[:, 0], rng=0).score(X, X[:, 0]) > 0.98


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_the_default_radius_of_ridge_keeps_predictions_in_the_target_range(
    fit_intercept,
):
    X = np.random.default_rng(0).uniform(-3, 3, size=(200, 3))
    ridge = ExponentialRidge(
        0.5, bounds=(-3, 3), target_bounds=(10, 20), fit_intercept=fit_intercept
    )
    for seed in range(20):
        predicted = ridge.fit(X, 15 + X[:, 0], rng=seed).predict(10 * X)
        assert predicted.min() >= 10
        assert predicted.max() <= 20


def test_predictions_stay_in_the_target_range():
    X = sphere(20, 3)
    learner = PrivateLinearRegression(0.01, bounds="unit", target_bounds=(5.0, 9.0))
    with pytest.warns(UserWarning, match="The noise is too large for 20 records"):
        learner.fit(X, X[:, 0], rng=0)
    predicted = learner.predict(1e6 * sphere(500, 3, seed=1))
    assert predicted.min() >= 5
    assert predicted.max() <= 9


def warned(epsilon, n, y, d=4):
    learner = PrivateLinearRegression(epsilon, fit_intercept=False, **UNIT)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        learner.fit(sphere(n, d), y(n), rng=0)
    return [str(warning.message) for warning in said]


def test_the_warning_depends_on_public_numbers_alone():
    for epsilon, n in product((0.1, 1.0, 10.0), (30, 300, 3000)):
        kinds = [
            lambda n: sphere(n, 4)[:, 0],
            np.zeros,
            lambda n: np.full(n, np.nan),
        ]
        first, *others = (warned(epsilon, n, y) for y in kinds)
        assert all(other == first for other in others)
    assert warned(0.1, 30, np.zeros)
    assert not warned(10.0, 3000, np.zeros)


@pytest.mark.parametrize("delta", [0.0, 1e-5])
@pytest.mark.parametrize("d", [3, 10])
def test_a_fit_warns_where_little_is_left_and_not_where_much_is(d, delta):
    """Exact targets of rows on a sphere: mean R2 of thirty fits on either side of the warning."""
    n = 2000
    X = sphere(n, d, seed=5)
    y, loud = X @ sphere(1, d, seed=6)[0], []
    for epsilon in np.geomspace(0.002, 20, 13):
        learner = PrivateLinearRegression(epsilon, delta, fit_intercept=False, **UNIT)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            scores = [learner.fit(X, y, rng=seed).score(X, y) for seed in range(30)]
        loud.append(bool(said))
        assert np.mean(scores) < 0.45 if said else np.mean(scores) > 0.3
    assert 0 < sum(loud) < len(loud)
    assert loud == sorted(loud, reverse=True)


def test_the_diabetes_data_are_learned():
    """R2 of 0.46 without privacy, on average over the same splits."""
    X, y = load_diabetes(return_X_y=True)
    public = {"bounds": (-0.2, 0.2), "target_bounds": (25, 346)}
    for (epsilon, delta), least in {(3.0, 1e-5): 0.35, (10.0, 0.0): 0.38}.items():
        scores = []
        for seed in range(12):
            X_train, X_test, y_train, y_test = train_test_split(
                X, y, test_size=0.2, random_state=seed
            )
            learner = PrivateLinearRegression(epsilon, delta, **public)
            learner.fit(X_train, y_train, rng=seed)
            scores.append(learner.score(X_test, y_test))
        assert np.mean(scores) > least


def test_the_constant_feature_leaves_rows_in_the_ball():
    assert np.hypot(1.0, CONSTANT) / sqrt(1 + CONSTANT**2) == pytest.approx(1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": -1.0}, "epsilon must be positive"),
        ({"epsilon": 1e300}, "epsilon must be between"),
        ({"delta": 1.0}, "delta must be"),
        ({"row_norm": 0.0}, "row_norm must be positive"),
        ({"fit_intercept": "yes"}, "fit_intercept must be"),
        ({"bounds": (1.0, 0.0)}, "ranges must be finite with lower < upper"),
        ({"target_bounds": (1.0, 0.0)}, "target_bounds must be a pair"),
        ({"target_bounds": (0.0, 5e-324)}, "target_bounds must be a pair"),  # half is 0
    ],
)
def test_bad_parameters_are_refused(options, message):
    X = sphere(50, 2)
    with pytest.raises(ValueError, match=message):
        PrivateLinearRegression(**(UNIT | options)).fit(X, X[:, 0])
