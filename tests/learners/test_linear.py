"""LinearLearner: its law, its exact privacy on all neighbours, its rates, and what it does to records."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from privml.learners import LinearLearner
from privml.learners.experts import (
    action_probabilities,
    action_sequence_distribution,
    run_guarantee,
)
from privml.learners.linear import (
    MarginLosses,
    SimplexLinearProblem,
    linear_eta,
    mean_draw,
)
from tests.refusals import refused


def sequence_law(X, eta):
    """Law of the list of draws."""
    return action_sequence_distribution(X, eta, lower=-1.0)


@pytest.mark.source("DR11-def-linear-erm")
def test_risk_is_the_mean_loss_and_a_vertex_is_best():
    rng = np.random.default_rng(0)
    problem = SimplexLinearProblem(rng.uniform(-1, 1, size=(7, 4)), rng.random(7))
    thetas = rng.dirichlet(np.ones(4), size=200)
    brute = [
        (problem.probabilities * (problem.examples @ theta)).sum() for theta in thetas
    ]
    np.testing.assert_allclose(
        problem.excess(thetas) + problem.risks.min(), brute, atol=1e-12
    )
    assert problem.excess(thetas).min() >= 0
    assert problem.excess(np.eye(4)[problem.risks.argmin()]) == pytest.approx(
        0.0, abs=1e-15
    )
    with pytest.raises(
        ValueError, match="theta must be points of 4 finite coordinates"
    ):
        problem.excess(np.ones(3))


test_a_problem_that_is_none_is_refused = refused(
    ([[1.5, 0.0]], [1.0], r"examples must be rows of numbers in \[-1, 1\]"),
    ([[math.nan, 0.0]], [1.0], r"examples must be rows of numbers in \[-1, 1\]"),
    ([1.0, 0.0], [1.0], "examples must be rows"),
    ([[1.0, 0.0]], [0.5, 0.5], "probabilities must be a distribution on 1 examples"),
    ([[1.0, 0.0]], [-1.0], "probabilities must be a distribution on 1 examples"),
    call=SimplexLinearProblem,
)


@pytest.mark.source("DR11-red-erm-to-experts")
@pytest.mark.parametrize("eta", [0.1, 1.0, 30.0])
def test_rescaled_losses_have_the_law_of_raw_ones_at_half_the_rate(eta):
    X = np.random.default_rng(2).uniform(-1, 1, size=(40, 5))
    rescaled = action_probabilities((1 + X) / 2, eta)
    np.testing.assert_allclose(
        rescaled, action_probabilities(X, eta / 2, lower=-1.0, upper=1.0), rtol=1e-10
    )


def test_the_last_example_is_never_used_and_the_first_draw_sees_none():
    X = np.random.default_rng(6).uniform(-1, 1, size=(5, 3))
    changed = X.copy()
    changed[-1] = 1.0
    np.testing.assert_array_equal(
        sequence_law(X, 2.0).pmf(), sequence_law(changed, 2.0).pmf()
    )
    np.testing.assert_allclose(
        action_probabilities(X, 2.0, lower=-1, upper=1)[0], 1 / 3
    )


@pytest.mark.source("DR11-alg-17")
def test_rates_are_ordered_and_their_guarantees_hold():
    epsilon, delta, n_samples = 0.8, 1e-6, 500
    methods = ("corrected", "source", "concentrated", "nonadaptive")
    etas = [linear_eta(epsilon, delta, n_samples, method=method) for method in methods]
    assert etas == sorted(etas)
    assert etas[1] == pytest.approx(2 * etas[0])
    spent = [run_guarantee(eta, n_samples, delta, loss_range=2).epsilon for eta in etas]
    assert spent[-1] == pytest.approx(epsilon, rel=1e-6)
    assert max(spent) <= epsilon * (1 + 1e-9)
    concentrated = run_guarantee(etas[2], n_samples, delta, loss_range=2, adaptive=True)
    assert concentrated.epsilon == pytest.approx(epsilon)


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("intercept", [True, False])
def test_lazy_losses_are_those_of_the_definition(signed, intercept):
    rng = np.random.default_rng(7)
    X, factors = rng.normal(size=(9, 3)), rng.choice([-1.0, 0.5], size=9)
    full = np.clip(X, -1, 1)
    full = np.hstack([full, np.ones((9, 1))]) if intercept else full
    full = full * factors[:, None]
    full = np.hstack([full, -full]) if signed else full
    for held in (X, csr_matrix(X)):
        lazy = MarginLosses(held, factors, intercept=intercept, signed=signed)
        assert lazy.shape == full.shape
        np.testing.assert_allclose(lazy[2:7], full[2:7])
        np.testing.assert_allclose(lazy[8], full[8])


@pytest.mark.source("DR11-alg-17")
def test_the_estimator_draws_as_the_algorithm_does_on_labels_times_features():
    X = np.random.default_rng(8).uniform(-2, 2, size=(700, 4))
    y = np.where(X[:, 0] - X[:, 2] > 0, "yes", "no")
    learner = LinearLearner(2.0, class_weights=(1.0, 0.5), method="concentrated").fit(
        X, y, rng=11
    )
    losses = (
        np.hstack([np.clip(X, -1, 1), np.ones((700, 1))])
        * np.where(y == "yes", -0.5, 1.0)[:, None]
    )
    expected = mean_draw(np.hstack([losses, -losses]), learner.eta_, rng=11)
    np.testing.assert_allclose(learner.theta_, expected)
    assert learner.eta_ == linear_eta(2.0, 1e-5, 700, method="concentrated")
    assert learner.theta_.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(learner.coef_[0], expected[:4] - expected[5:9])
    assert learner.intercept_[0] == pytest.approx(expected[4] - expected[9])
    margin = np.clip(X, -1, 1) @ learner.coef_[0] + learner.intercept_[0]
    np.testing.assert_array_equal(learner.predict(X) == "yes", margin > 0)
    assert str(learner.privacy_) == "(2, 1e-05)-differential privacy (replace-one)"


def test_sparse_and_dense_records_give_the_same_fit():
    rng = np.random.default_rng(9)
    X = rng.uniform(-2, 2, size=(400, 6)) * (rng.random((400, 6)) < 0.3)
    y = rng.random(400) < 0.4
    dense = LinearLearner(5.0).fit(X, y, rng=1)
    sparse = LinearLearner(5.0).fit(csr_matrix(X), y, rng=1)
    np.testing.assert_array_equal(dense.theta_, sparse.theta_)
    np.testing.assert_allclose(
        dense.decision_function(X), sparse.decision_function(csr_matrix(X))
    )


@pytest.mark.parametrize("record", [math.nan, math.inf, -math.inf, 1e300])
def test_no_value_of_a_record_raises_and_each_is_clipped(record):
    X, y = np.array([[record, 0.5], [1.0, -1.0], [0.25, 0.0]]), [0, 0, 1]
    clean = X.copy()
    clean[0, 0] = 0.0 if math.isnan(record) else math.copysign(1.0, record)
    for held in (X, csr_matrix(X)):
        learner = LinearLearner(50.0).fit(held, y, rng=0)
        expected = LinearLearner(50.0).fit(clean, y, rng=0)
        np.testing.assert_array_equal(learner.theta_, expected.theta_)
        np.testing.assert_allclose(
            learner.decision_function(held), expected.decision_function(clean)
        )


test_bad_parameters_are_refused_in_fit = refused(
    ({"epsilon": 0.0}, "epsilon must be positive and finite, but got 0.0"),
    ({"delta": 0.0}, "delta must be in the open interval"),
    ({"delta": 1.0}, "delta must be in the open interval"),
    ({"class_weights": (1.0, 2.0)}, r"class_weights must be two numbers in \(0, 1\]"),
    ({"class_weights": (1.0,)}, r"class_weights must be two numbers in \(0, 1\]"),
    ({"classes": (1, 1)}, "classes must be two distinct labels"),
    ({"epsilon": 600.0}, r"epsilon must be at most 48 ln\(1 / delta\)"),
    call=lambda parameters: LinearLearner(**parameters).fit([[0.0], [1.0]], [0, 1]),
)


def test_examples_that_are_none_are_refused():
    with pytest.raises(ValueError, match="eta must be positive"):
        mean_draw(np.zeros((3, 2)), 0.0)
    for bad in ([1.0, 2.0], np.empty((0, 2))):
        with pytest.raises(ValueError, match="X must be of shape"):
            mean_draw(bad, 1.0)
