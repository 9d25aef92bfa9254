"""The estimators: their law, their privacy on neighbours, their warnings, what they learn."""

import numpy as np
import pytest

from privml.guarantee import Guarantee
from privml.learners import (
    ExponentialLinearSVC,
    ExponentialLogisticRegression,
    ExponentialRidge,
    unit_rows,
)

CLASSIFIERS = [ExponentialLogisticRegression, ExponentialLinearSVC]


def data(n=2000, seed=0):
    X = np.random.default_rng(seed).uniform(-0.6, 0.6, size=(n, 2))
    return X, np.where(X @ [1.0, -0.5] > 0, "yes", "no")


@pytest.mark.parametrize("make", [*CLASSIFIERS, ExponentialRidge])
def test_an_intercept_costs_no_privacy(make):
    learner = make(0.9, radius=2.0, fit_intercept=True)
    logs = [
        learner.output_distribution([[0.5], [x]], [1.0, label]).quadrature(60).logpdf
        for x in (-1.0, 0.0, 1.0)
        for label in (-1.0, 1.0)
    ]
    assert 0.2 * 0.9 < max(abs(p - q).max() for p in logs for q in logs) <= 0.9 + 1e-9


def test_ridge_takes_other_draws_where_no_gaussian_helps():
    X = data(4000)[0]
    y = np.clip(
        40 * X @ [0.8, -0.4], -1, 1
    )  # the best weights are far outside of the ball
    learner = ExponentialRidge(40.0, radius=0.3).fit(X, y, rng=0)
    assert learner.draw(X, y, rng=0).n_tries > 0
    assert np.linalg.norm(learner.coef_) <= 0.3 * (1 + 1e-9)
    assert learner.coef_[0] @ [0.8, -0.4] > 0.2


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_classifiers_learn_and_say_what_they_promise(make):
    X, y = data()
    learner = make(4.0).fit(X, y, rng=1)
    assert learner.score(X, y) > 0.9
    assert learner.privacy_ == Guarantee(4.0, 1e-5)
    assert np.linalg.norm(learner.coef_) <= 4.0 * (1 + 1e-9)
    np.testing.assert_allclose(
        learner.decision_function(X), unit_rows(X) @ learner.coef_[0]
    )


def test_the_intercept_is_learned_inside_of_the_same_ball():
    X, _ = data()
    y = X[:, 0] > 0.3
    with_one = ExponentialLogisticRegression(20.0, radius=20.0, fit_intercept=True).fit(
        X, y, rng=0
    )
    without = ExponentialLogisticRegression(20.0, radius=20.0).fit(X, y, rng=0)
    assert with_one.intercept_[0] < 0 == without.intercept_[0]
    assert with_one.score(X, y) > without.score(X, y) + 0.05
    assert 2 * (np.sum(with_one.coef_**2) + with_one.intercept_[0] ** 2) <= 20.0**2 * (
        1 + 1e-9
    )


def test_ridge_draws_exactly_and_says_so():
    X, _ = data(5000)
    y = X @ [0.8, -0.4]
    learner = ExponentialRidge(4.0).fit(X, y, rng=0)
    assert learner.draw(X, y, rng=0).exact
    assert learner.score(X, y) > 0.9


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_a_pure_promise_is_kept_by_exact_draws_or_refused_by_public_numbers(make):
    X, y = data(60)
    learner = make(1.0, 0.0).fit(X, y, rng=0)
    assert learner.privacy_ == Guarantee(1.0)
    assert learner.draw(X, np.where(y == "yes", 1.0, -1.0), rng=0).exact
    for labels in (y, y[::-1]):
        with pytest.raises(ValueError, match="delta must be positive"):
            make(1.0, 0.0).fit(np.tile(X, (40, 1)), np.tile(labels, 40), rng=0)


def test_a_large_epsilon_does_not_overflow():
    X, y = data(300)
    assert ExponentialRidge(100.0).fit(X, X[:, 0], rng=0).privacy_ == Guarantee(
        100.0, 1e-5
    )
    with pytest.raises(ValueError, match="epsilon must be at most 100"):
        ExponentialRidge(101.0).fit(X, X[:, 0], rng=0)


def test_the_penalty_is_public_and_vanishes():
    X, y = data(2000)
    targets = np.where(y == "yes", 1.0, -1.0)
    learner = ExponentialLogisticRegression(1.0, radius=4.0)
    small, large = (
        learner.output_distribution(X[:100], targets[:100]).risk,
        learner.output_distribution(X, targets).risk,
    )
    assert small.penalty == pytest.approx(20 * large.penalty)
    # exponent n F contributes strength d |h|^2 / (2 R^2): a Gaussian of squared norm about R^2 / strength
    law = learner.output_distribution(X, targets)
    assert law.scale * law.risk.n_samples * law.risk.penalty == pytest.approx(
        2 / 4.0**2
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"epsilon": 0.0}, "epsilon must be positive"),
        ({"strength": 0.0}, "strength must be positive"),
        ({"delta": 1.0}, "delta must be in the half-open interval"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    X, y = data(50)
    for make in CLASSIFIERS:
        learner = make(**parameters)
        with pytest.raises(ValueError, match=message):
            learner.fit(X, y, rng=0)


def test_progress_of_a_draw_changes_nothing_and_counts_its_steps(capsys):
    X = np.random.default_rng(1).uniform(-0.5, 0.5, size=(300, 10)) / 5
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    learner = ExponentialLogisticRegression(8.0, 1e-2, bounds="unit", strength=0.1)
    shown, quiet = (
        learner.draw(X, y, progress=progress, rng=0) for progress in (True, False)
    )
    assert (shown.weights == quiet.weights).all()
    assert shown.n_steps > 1
    assert f"{shown.n_steps}/{shown.n_steps}" in capsys.readouterr().err
