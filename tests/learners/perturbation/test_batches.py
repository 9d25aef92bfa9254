"""Noisy gradient descent on Poisson batches: its exact law where it is small, and what it may not read."""

from math import exp, hypot, sqrt

import numpy as np
import pytest

from privml.adjacency import Adjacency
from privml.divergences import gaussian_mu
from privml.guarantee import Guarantee
from privml.learners import NoisyGradientDescent
from privml.learners.perturbation import CutLogisticLoss, sampled_gaussian_mu
from tests.composition.test_sampled import gaussian, twice
from tests.refusals import refused

PUBLIC = {"bounds": "unit", "classes": (False, True)}


def batches(epsilon=1.0, delta=1e-5, **options):
    options = {"batch_size": 5.0, "sampling_rate": 0.25} | options
    return NoisyGradientDescent(epsilon, delta, **PUBLIC, **options)


def problem(n=20, d=2, seed=0):
    X = np.random.default_rng(seed).uniform(-0.6, 0.6, size=(n, d))
    return X, X[:, 0] > 0


def curve(mu, rate, epsilon):
    """The larger delta of both directions of one sampled release."""
    return max(gaussian(mu, rate, swapped).delta(epsilon) for swapped in (False, True))


@pytest.mark.parametrize("rate", [0.01, 0.3, 0.9])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (1.0, 1e-5), (6.0, 1e-3)])
def test_one_step_spends_its_delta_by_the_closed_form(epsilon, delta, rate):
    mu = sampled_gaussian_mu(epsilon, delta, 1, rate)
    assert 0.97 * delta <= curve(mu, rate, epsilon) <= delta
    assert curve(1.002 * mu, rate, epsilon) > 0.98 * delta


@pytest.mark.parametrize("rate", [0.05, 0.5])
def test_two_steps_spend_their_delta_by_an_integral(rate):
    mu = sampled_gaussian_mu(1.0, 1e-3, 2, rate)
    found = max(
        twice(gaussian(mu, rate, swapped), mu, 1.0) for swapped in (False, True)
    )
    assert 0.97e-3 <= found <= 1e-3 * (1 + 1e-9)


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 40.0, 1e3])
@pytest.mark.parametrize("delta", [1e-12, 0.3])
@pytest.mark.parametrize("rate", [1e-4, 0.5, 1.0])
def test_sampling_never_asks_for_more_noise_than_none(epsilon, delta, rate):
    found, full = (
        sampled_gaussian_mu(epsilon, delta, 3, rate),
        gaussian_mu(epsilon, delta) / sqrt(3),
    )
    assert found >= full
    assert (found == full) == (rate == 1 or full >= 20)


def by_hand(X, y, learner, rng):
    """The steps as the module defines them, with coins of a generator."""
    rows, loss = np.where(y, 1.0, -1.0)[:, None] * X, CutLogisticLoss(learner.slope)
    steps, rate = learner.schedule_
    mu = sampled_gaussian_mu(
        learner.epsilon, learner.delta, steps, learner.sampling_rate
    )
    noise, w, found = rng.standard_normal((steps, X.shape[1])), np.zeros(X.shape[1]), []
    for z in noise:
        total = loss.slope / mu * z * -1
        for row, coin in zip(rows, rng.random(len(X)), strict=True):
            if coin < learner.sampling_rate:
                total = total + loss.derivative(row @ w) * row
        w = w - rate / learner.batch_size * total
        found.append(w)
    return np.mean(found[len(found) - -(-steps // 2) :], axis=0)


@pytest.mark.parametrize("n", [1, 20, 33])
@pytest.mark.parametrize("steps", [1, 7])
def test_a_fit_is_the_steps_with_the_same_coins_divided_by_the_expected_size(n, steps):
    X, y = problem(n)
    learner = batches(4.0, 1e-2, n_steps=steps).fit(X, y, rng=5)
    np.testing.assert_allclose(
        learner.coef_[0], by_hand(X, y, learner, np.random.default_rng(5)), rtol=1e-9
    )


def test_nothing_but_the_gradients_depends_on_the_number_of_records():
    """With rows of length 0 the output is noise alone: the same for every number of records."""
    plans = []
    for n in (1, 20, 21, 4000):
        fitted = batches(n_steps=1, norm=0.1).fit(
            np.zeros((n, 2)), np.arange(n) > 0, rng=1
        )
        plans.append((fitted.schedule_, fitted.concentrated_, fitted.coef_.tolist()))
    assert all(
        plan == plans[0] and plan[0].rate < 1 for plan in plans
    )  # the rate is not cut off


def test_one_record_moves_a_step_by_the_slope_over_the_expected_size():
    X, y = np.array([[0.6, 0.8]]), np.array([True])
    options = {"n_steps": 1, "sampling_rate": 1.0, "batch_size": 8.0, "norm": 1e-3}
    one, two = (
        batches(1.0, 1e-3, **options).fit(np.tile(X, (k, 1)), np.tile(y, k), rng=2)
        for k in (1, 2)
    )
    assert np.linalg.norm(one.coef_ - two.coef_) / one.schedule_.rate == pytest.approx(
        0.5 / 8
    )
    noise = one.coef_[0] / one.schedule_.rate - 0.5 / 8 * X[0]
    assert noise * gaussian_mu(1.0, 1e-3) == pytest.approx(
        0.5 / 8 * np.random.default_rng(2).normal(size=2)
    )


def test_the_promise_is_about_adding_or_removing_and_says_what_it_is_for_a_replaced_one():
    found = batches(0.7, 1e-6).fit(*problem(), rng=0)
    assert found.privacy_ == Guarantee(0.7, 1e-6, Adjacency.ADD_OR_REMOVE_ONE)
    mu = sampled_gaussian_mu(0.7, 1e-6, found.schedule_.n_steps, 0.25)
    assert found.concentrated_.rho == pytest.approx(found.schedule_.n_steps * mu**2 / 2)
    assert found.concentrated_.adjacency is Adjacency.ADD_OR_REMOVE_ONE
    replaced = found.privacy_.under(Adjacency.REPLACE_ONE)
    assert replaced.epsilon == pytest.approx(1.4)
    assert replaced.delta >= 1e-6 * (1 + exp(0.7)) * (1 - 1e-9)


def test_batches_learn_and_their_steps_default_to_the_most():
    X, y = problem(3000)
    learner = batches(4.0, 1e-5, batch_size=150.0, sampling_rate=0.05, norm=5.0).fit(
        X, y, rng=0
    )
    assert learner.schedule_.n_steps == 200
    assert learner.score(X, y) > 0.9


test_what_makes_no_sense_is_refused = refused(
    ({"sampling_rate": None}, "sampling_rate must be given together with batch_size"),
    ({"batch_size": None}, "sampling_rate must be given together with batch_size"),
    ({"batch_size": 0.0}, "batch_size"),
    ({"sampling_rate": 1.5}, "sampling_rate"),
    ({"n_steps": 0}, "n_steps"),
    ({"n_steps": 3, "max_steps": 0}, "max_steps"),
    ({"batch_size": 1e-320}, "batch_size must be between 1e-50 and 1e\\+50, so that"),
    ({"batch_size": 1e-307}, "batch_size must be between"),
    ({"norm": 1e300}, "norm must be between"),
    call=lambda bad: batches(**bad).fit(*problem(), rng=0),
)


@pytest.mark.parametrize(
    "options",
    [
        {"batch_size": 1e-307},
        {"batch_size": 1e-50},
        {"batch_size": 1e50},
        {"norm": 1e50, "batch_size": 1e-50},
        {"norm": 1e50, "slope": 1e-50, "n_steps": 3},
        {"norm": 1e-50, "slope": 1e-50, "epsilon": 1e-50},
        {"epsilon": 1e-50, "delta": 1e-300},
        {"epsilon": 1e50, "norm": 1e50},
        {"batch_size": None, "sampling_rate": None, "norm": 1e50, "slope": 1e-50},
    ],
    ids=str,
)
def test_no_number_of_records_makes_a_step_overflow(options):
    """At a batch size of 1e-307 weights were finite for 35 records of ones, and not for 36."""
    options = {"n_steps": 1, "sampling_rate": 1.0} | options
    found = []
    with np.errstate(all="raise", under="ignore"):
        for n in (1, 35, 36, 3000):
            try:
                fitted = batches(**options).fit(np.ones((n, 1)), np.ones(n), rng=0)
                found.append(bool(np.isfinite(fitted.coef_).all()))
            except ValueError as refusal:
                found.append(str(refusal))
    assert found in ([True] * 4, found[:1] * 4)
    assert found[0]


def test_the_rate_weighs_the_noise_and_the_scatter_of_batches():
    """Steps of gradient descent with gradients that are off by both: R / (spread sqrt(2 T))."""
    (X, y), options = problem(), {"batch_size": 4.0, "sampling_rate": 0.2}
    learner = batches(2.0, n_steps=50, **options).fit(X, y, rng=0)
    noise = sqrt(2) * 0.5 / 4 / sampled_gaussian_mu(2.0, 1e-5, 50, 0.2)
    scatter = 0.5 * sqrt(0.8 / 4)
    rate = 10 / hypot(noise, scatter) / sqrt(2 * 50)
    assert scatter > 0.1 * noise
    assert learner.schedule_.rate == pytest.approx(rate, rel=1e-12)
    assert rate < 4  # else the smoothness of the loss decides
