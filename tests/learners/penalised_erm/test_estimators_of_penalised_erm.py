"""The estimators: their law, their privacy on neighbours, their warnings, what they learn."""

import math
import warnings

import numpy as np
import pytest

from privml.guarantee import Guarantee
from privml.learners import ExponentialLinearSVC, ExponentialLogisticRegression, ExponentialRidge, unit_rows
from privml.learners.penalised_erm import MixingWarning, early_stopping_guarantee

CLASSIFIERS = [ExponentialLogisticRegression, ExponentialLinearSVC]
QUICK = {"n_draws": 400}


def data(n=2000, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-0.6, 0.6, size=(n, 2))
    return X, np.where(X @ [1.0, -0.5] > 0, "yes", "no")


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.parametrize("make", [*CLASSIFIERS, ExponentialRidge])
def test_neighbours_have_densities_within_epsilon(make):
    epsilon, rng = 1.2, np.random.default_rng(0)
    learner = make(epsilon, radius=1.5, strength=0.5)
    X, y = rng.normal(size=(3, 2)), np.array([1.0, -1.0, 1.0])
    ratios = []
    for record in ([5.0, 0.0], [-5.0, 0.0], [0.0, 0.7]):
        for label in (-1.0, 1.0):
            other, labels = np.vstack([X[:2], record]), np.append(y[:2], label)
            logs = [learner.law(a, b).quadrature(60).logpdf for a, b in ((X, y), (other, labels))]
            ratios.append(abs(logs[0] - logs[1]).max())
    assert 0.2 * epsilon < max(ratios) <= epsilon + 1e-9


@pytest.mark.parametrize("make", [*CLASSIFIERS, ExponentialRidge])
def test_an_intercept_costs_no_privacy(make):
    learner = make(0.9, radius=2.0, fit_intercept=True)
    logs = [
        learner.law([[0.5], [x]], [1.0, label]).quadrature(60).logpdf
        for x in (-1.0, 0.0, 1.0)
        for label in (-1.0, 1.0)
    ]
    largest = max(abs(p - q).max() for p in logs for q in logs)
    assert 0.2 * 0.9 < largest <= 0.9 + 1e-9


def test_ridge_takes_a_chain_where_no_gaussian_helps_and_says_so():
    X, y = np.column_stack([data(400)[0], np.zeros(400)]), data(400)[0] @ [0.8, -0.4]
    learner = ExponentialRidge(4.0, strength=0.0).fit(X, y, rng=0)  # flat along the empty feature
    assert learner.diagnostics_.r_hat > 0.9
    assert learner.diagnostics_.mixed


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_classifiers_learn_and_say_what_they_promise(make):
    X, y = data()
    learner = make(4.0, **QUICK).fit(X, y, rng=1)
    assert learner.score(X, y) > 0.9
    assert learner.privacy_ == Guarantee(4.0)
    assert learner.diagnostics_.mixed
    assert np.linalg.norm(learner.coef_) <= 4.0 * (1 + 1e-9)
    np.testing.assert_allclose(learner.decision_function(X), unit_rows(X) @ learner.coef_[0])


def test_the_intercept_is_learned_inside_of_the_same_ball():
    X, _ = data()
    y = X[:, 0] > 0.3
    with_one = ExponentialLogisticRegression(20.0, radius=20.0, fit_intercept=True, **QUICK).fit(X, y, rng=0)
    without = ExponentialLogisticRegression(20.0, radius=20.0, **QUICK).fit(X, y, rng=0)
    assert with_one.intercept_[0] < 0 == without.intercept_[0]
    assert with_one.score(X, y) > without.score(X, y) + 0.05
    assert 2 * (np.sum(with_one.coef_**2) + with_one.intercept_[0] ** 2) <= 20.0**2 * (1 + 1e-9)


def test_ridge_draws_exactly_and_says_so():
    X, _ = data(5000)
    y = X @ [0.8, -0.4]
    learner = ExponentialRidge(4.0).fit(X, y, rng=0)
    assert (learner.diagnostics_.r_hat, learner.diagnostics_.effective_size) == (0.0, math.inf)
    assert learner.score(X, y) > 0.9
    law = ExponentialRidge(4.0).law(X, y)
    exact = law.quadrature(100)
    draws = np.array([ExponentialRidge(4.0).fit(X, y, rng=s).coef_[0] for s in range(300)])
    for j in (0, 1):
        mean = exact.probabilities @ exact.H[:, j]
        sd = math.sqrt(exact.probabilities @ ((exact.H[:, j] - mean) ** 2))
        assert abs(draws[:, j].mean() - mean) < 4.5 * sd / math.sqrt(300)


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_a_warning_of_short_chains_depends_on_public_parameters_alone(make):
    X, y = data(300)
    with pytest.warns(MixingWarning, match="n_draws"):
        learner = make(4.0, n_draws=4, bounds="unit").fit(X, y, rng=0)
    assert not learner.diagnostics_.mixed
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make(4.0, n_draws=600, bounds="unit").fit(X, y, rng=0)
        assert not make(4.0, n_draws=30, n_chains=4, bounds="unit").fit(X, y, rng=0).diagnostics_.mixed


def test_an_assumed_distance_is_added_to_delta():
    X, y = data(300)
    learner = ExponentialLogisticRegression(1.0, total_variation=1e-6, **QUICK).fit(X, y, rng=0)
    assert learner.privacy_ == early_stopping_guarantee(Guarantee(1.0), 1e-6)
    assert learner.privacy_.delta == pytest.approx((1 + math.e) * 1e-6)


def test_a_large_epsilon_does_not_overflow():
    X, y = data(300)
    assert ExponentialRidge(1000.0).fit(X, X[:, 0], rng=0).privacy_ == Guarantee(1000.0)


def test_the_penalty_is_public_and_vanishes():
    X, y = data(2000)
    targets = np.where(y == "yes", 1.0, -1.0)
    learner = ExponentialLogisticRegression(1.0, radius=4.0)
    small, large = learner.law(X[:100], targets[:100]).risk, learner.law(X, targets).risk
    assert small.penalty == pytest.approx(20 * large.penalty)
    # exponent n F contributes strength d |h|^2 / (2 R^2): a Gaussian of squared norm about R^2 / strength
    law = learner.law(X, targets)
    assert law.scale * law.risk.n_samples * law.risk.penalty == pytest.approx(2 / 4.0**2)


def test_a_fit_repeats_with_its_seed():
    X, y = data(200)
    fits = [ExponentialLogisticRegression(**QUICK).fit(X, y, rng=s).coef_ for s in (1, 1, 2)]
    assert (fits[0] == fits[1]).all()
    assert (fits[0] != fits[2]).any()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"epsilon": 0.0}, "epsilon must be positive"),
        ({"radius": math.inf}, "radius must be positive"),
        ({"strength": -1.0}, "strength must be non-negative"),
        ({"n_draws": 0}, "n_draws must be a positive integer"),
        ({"total_variation": 2.0}, "total_variation must be in the interval"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    X, y = data(50)
    for make in CLASSIFIERS:
        learner = make(**{**QUICK, **parameters})
        with pytest.raises(ValueError, match=message):
            learner.fit(X, y, rng=0)


@pytest.mark.filterwarnings("ignore::privml.learners.penalised_erm.MixingWarning")
def test_fits_draw_from_the_law_of_quadrature():
    X, y = data(400)
    fits = [ExponentialLinearSVC(6.0, n_draws=100, n_chains=4).fit(X, y, rng=seed) for seed in range(30)]
    law = ExponentialLinearSVC(6.0).law(X, np.where(y == "yes", 1.0, -1.0)).quadrature(100)
    mean = law.probabilities @ law.H[:, 0]
    sd = math.sqrt(law.probabilities @ ((law.H[:, 0] - mean) ** 2))
    assert abs(np.mean([fit.coef_[0, 0] for fit in fits]) - mean) < 4 * sd / math.sqrt(30)
