"""The four learners: promises, public parameters, clipping, and the proved excess risks."""

from math import inf, sqrt

import numpy as np
import pytest

from privml.learners import (
    MeanClassifier,
    NoisyGradientDescent,
    ObjectivePerturbation,
    OutputPerturbation,
)
from privml.learners.perturbation import CutLogisticLoss, tilt_budget, tilt_noise
from privml.learners.perturbation.base import minimiser

LEARNERS = [
    MeanClassifier,
    OutputPerturbation,
    ObjectivePerturbation,
    NoisyGradientDescent,
]


def problem(n=400, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X, X[:, 0] + 0.3 * rng.normal(size=n) > 0


@pytest.mark.parametrize("learner", LEARNERS)
def test_they_learn_when_epsilon_is_large(learner):
    X, y = problem(2000)
    assert learner(50.0, 1e-5).fit(X, y, rng=0).score(X, y) > 0.85


@pytest.mark.parametrize("learner", LEARNERS[1:])
def test_an_intercept_is_learned_if_asked_for(learner):
    X = np.random.default_rng(0).uniform(-0.7, 0.7, size=(3000, 1))
    y = X[:, 0] > 0.35
    plain, shifted = (
        learner(20.0, 1e-5, fit_intercept=b).fit(X, y, rng=0) for b in (False, True)
    )
    assert plain.intercept_ == 0
    assert shifted.score(X, y) > plain.score(X, y)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(
    "bad",
    [
        {"epsilon": 0.0},
        {"epsilon": np.nan},
        {"delta": 1.0},
        {"delta": -0.1},
        {"fit_intercept": 2},
    ],
)
def test_bad_parameters_are_refused(learner, bad):
    X, y = problem(20)
    with pytest.raises(ValueError, match=next(iter(bad))):
        learner(**bad).fit(X, y)


@pytest.mark.parametrize("learner", LEARNERS[1:])
def test_norm_and_slope_are_checked(learner):
    X, y = problem(20)
    for bad in ({"norm": 0.0}, {"slope": 2.0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            learner(**bad).fit(X, y)


def test_pure_noise_is_the_default_where_there_is_a_choice():
    assert all(learner().delta == 0 for learner in LEARNERS[:3])
    X, y = problem(30)
    with pytest.raises(ValueError, match="delta"):
        NoisyGradientDescent(delta=0.0).fit(X, y)


@pytest.mark.parametrize("averaged", [0.0, 1.5, np.nan])
def test_a_share_of_iterates_outside_of_its_range_is_refused(averaged):
    X, y = problem(30)
    with pytest.raises(ValueError, match="averaged"):
        NoisyGradientDescent(averaged=averaged).fit(X, y)


def test_output_perturbation_adds_noise_for_its_sensitivity():
    X, y = problem(50)
    learner = OutputPerturbation(1.0, strength=0.5)
    exact = minimiser(np.where(y, 1, -1)[:, None] * X, CutLogisticLoss(), 25.0)
    square = np.array(
        [((learner.fit(X, y, rng=s).coef_[0] - exact) ** 2).sum() for s in range(400)]
    )
    assert square.mean() == pytest.approx(
        3 * 4 * (1 / 25) ** 2, abs=4 * square.std() / sqrt(400)
    )
    assert learner.strength_ == 0.5


def test_the_noise_of_a_step_grows_with_the_root_of_their_number():
    X, y = problem(50)
    a = np.where(y, 1, -1)[:, None] * X
    learner = NoisyGradientDescent(1.0, n_steps=2, averaged=1.0).fit(X, y, rng=0)
    noise = np.random.default_rng(0).standard_normal((2, 3))
    deviation = sqrt(2) / (50 * sqrt(2 * learner.concentrated_.rho))
    first = learner.schedule_.rate * (a.mean(axis=0) / 2 + deviation * noise[0])
    step = -CutLogisticLoss().derivative(a @ first) @ a / 50 + deviation * noise[1]
    second = first + learner.schedule_.rate * step
    np.testing.assert_allclose(learner.coef_[0], (first + second) / 2, rtol=1e-12)
    half = NoisyGradientDescent(1.0, n_steps=2, averaged=0.5).fit(X, y, rng=0)
    np.testing.assert_allclose(half.coef_[0], second, rtol=1e-12)


def test_infinite_strength_is_the_mean():
    X, y = problem(100)
    rows = np.where(y, 1, -1)[:, None] * X
    limit = minimiser(rows, CutLogisticLoss(), 1e6) * 1e6 / 100 / 0.5
    np.testing.assert_allclose(limit, rows.mean(axis=0), rtol=1e-3)
    assert MeanClassifier().fit(X, y, rng=0).strength_ == inf


def excess(weights, rows, loss, best):
    return loss.value(rows @ weights).mean() - loss.value(rows @ best).mean()


def test_the_proved_excess_risks_hold_against_every_weight_of_the_given_length():
    X, y = problem(300, 5)
    loss, norm, rows = CutLogisticLoss(), 4.0, np.where(y, 1, -1)[:, None] * X
    best = minimiser(rows, loss, 0.9)
    best *= norm / np.linalg.norm(best)
    for learner in (OutputPerturbation, ObjectivePerturbation, NoisyGradientDescent):
        model = learner(1.0, 1e-5, norm=norm)
        if learner is NoisyGradientDescent:
            model.averaged = 1.0
        found = [
            excess(model.fit(X, y, rng=s).coef_[0], rows, loss, best) for s in range(60)
        ]
        if learner is OutputPerturbation:
            proved = 0.75 * model.strength_ * norm**2
        elif learner is ObjectivePerturbation:
            V = tilt_noise(
                5, tilt_budget(1.0, 300 * model.strength_).epsilon, 1e-5
            ).mean_square
            proved = model.strength_ * norm**2 / 2 + V / (2 * 300**2 * model.strength_)
        else:
            proved = norm * sqrt(2 * 5) / (300 * sqrt(2 * model.concentrated_.rho))
        assert np.mean(found) <= proved
