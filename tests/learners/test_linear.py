"""LinearLearner: its law, its exact privacy on all neighbours, its rates, and what it does to records."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from book.tools.programme import tangled
from privml import audit
from privml.composition import advanced_epsilon
from privml.learners import LinearLearner
from privml.learners.experts import action_probabilities, action_sequence_law, run_guarantee
from privml.learners.linear import MarginLosses, SimplexLinearProblem, linear_eta, mean_draw

chapter = tangled("linear-learning")
average_law, exact_curve = chapter.average_law, chapter.average_curve

CORNERS = np.array(list(product([-1.0, 1.0], repeat=2)))
LATTICE = np.array(list(product([-1.0, 0.0, 1.0], repeat=2)))


def sequence_law(X, eta):
    """Law of the list of draws."""
    return action_sequence_law(X, eta, lower=-1.0)


@pytest.mark.source("DR11-def-linear-erm")
def test_risk_is_the_mean_loss_and_a_vertex_is_best():
    rng = np.random.default_rng(0)
    problem = SimplexLinearProblem(rng.uniform(-1, 1, size=(7, 4)), rng.random(7))
    thetas = rng.dirichlet(np.ones(4), size=200)
    brute = [(problem.probabilities * (problem.examples @ theta)).sum() for theta in thetas]
    np.testing.assert_allclose(problem.excess(thetas) + problem.risks.min(), brute, atol=1e-12)
    assert problem.excess(thetas).min() >= 0
    assert problem.excess(np.eye(4)[problem.risks.argmin()]) == pytest.approx(0.0, abs=1e-15)
    with pytest.raises(ValueError, match="theta must be points of 4 finite coordinates"):
        problem.excess(np.ones(3))


@pytest.mark.parametrize(
    ("examples", "probabilities", "message"),
    [
        ([[1.5, 0.0]], [1.0], r"examples must be rows of numbers in \[-1, 1\]"),
        ([[math.nan, 0.0]], [1.0], r"examples must be rows of numbers in \[-1, 1\]"),
        ([1.0, 0.0], [1.0], "examples must be rows"),
        ([[1.0, 0.0]], [0.5, 0.5], "probabilities must be a law on 1 examples"),
        ([[1.0, 0.0]], [-1.0], "probabilities must be a law on 1 examples"),
    ],
)
def test_a_problem_that_is_none_is_refused(examples, probabilities, message):
    with pytest.raises(ValueError, match=message):
        SimplexLinearProblem(examples, probabilities)


@pytest.mark.source("DR11-red-erm-to-experts")
@pytest.mark.parametrize("eta", [0.1, 1.0, 30.0])
def test_rescaled_losses_have_the_law_of_raw_ones_at_half_the_rate(eta):
    X = np.random.default_rng(2).uniform(-1, 1, size=(40, 5))
    rescaled = action_probabilities((1 + X) / 2, eta)
    raw = action_probabilities(X, eta / 2, lower=-1.0, upper=1.0)
    np.testing.assert_allclose(rescaled, raw, rtol=1e-10)


@pytest.mark.source("DR11-alg-17")
def test_the_average_law_is_that_of_the_sequence_counted():
    X = np.random.default_rng(3).uniform(-1, 1, size=(4, 3))
    counted = np.zeros((5, 5))
    draws = product(range(3), repeat=4)
    for sequence, probability in zip(draws, sequence_law(X, 0.7).pmf(), strict=True):
        weights = 1.0
        for t, choice in enumerate(sequence):
            behind = np.exp(-0.7 * X[:t].sum(axis=0))
            weights *= behind[choice] / behind.sum()
        assert probability == pytest.approx(weights, rel=1e-9)
        counted[sequence.count(0), sequence.count(1)] += probability
    np.testing.assert_allclose(average_law(X, 0.7).pmf(), counted[counted > 0], atol=1e-12)


@pytest.mark.source("DR11-alg-17")
def test_draws_follow_the_average_law():
    X, repeats = np.random.default_rng(4).uniform(-1, 1, size=(6, 2)), 4000
    rng = np.random.default_rng(5)
    found = [round(6 * mean_draw(X, 1.5, rng=rng)[0]) for _ in range(repeats)]
    law = average_law(X, 1.5).pmf()
    seen = np.bincount(found, minlength=7) / repeats
    assert (np.abs(seen - law) <= 5 * np.sqrt(law * (1 - law) / repeats) + 1e-12).all()


@pytest.mark.source("DR11-alg-17", "DR11-thm-11.5")
@pytest.mark.erratum("DR11-alg-17/1")
@pytest.mark.parametrize("law", [sequence_law, average_law])
@pytest.mark.parametrize(("universe", "n_samples"), [(CORNERS, 4), (LATTICE, 3)])
def test_every_pair_of_neighbours_keeps_four_eta_a_round_and_not_two(law, universe, n_samples):
    eta = 0.3
    found = audit.exact(lambda X: law(X, eta), universe, n_samples, ordered=True)
    assert found.epsilon <= 4 * eta * (n_samples - 1)
    assert found.epsilon > 2 * eta * (n_samples - 1)


@pytest.mark.source("DR11-alg-17")
@pytest.mark.erratum("DR11-alg-17/1")
def test_one_round_spends_almost_four_eta_with_many_coordinates():
    eta, n_features = 0.1, 1000
    x = np.ones(n_features)
    x[0] = -1.0
    one, other = (action_probabilities([z, z], eta, lower=-1, upper=1)[1] for z in (x, -x))
    assert 3.99 * eta < np.log(one[0] / other[0]) < 4 * eta


def test_the_last_example_is_never_used_and_the_first_draw_sees_none():
    X = np.random.default_rng(6).uniform(-1, 1, size=(5, 3))
    changed = X.copy()
    changed[-1] = 1.0
    np.testing.assert_array_equal(sequence_law(X, 2.0).pmf(), sequence_law(changed, 2.0).pmf())
    np.testing.assert_allclose(action_probabilities(X, 2.0, lower=-1, upper=1)[0], 1 / 3)


@pytest.mark.source("DR11-thm-11.5")
@pytest.mark.parametrize("method", ["corrected", "source", "concentrated", "nonadaptive"])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-2), (1.0, 1e-5), (3.0, 0.3)])
def test_all_neighbours_of_a_small_universe_keep_epsilon_and_delta(method, epsilon, delta):
    n_samples = 5
    eta = linear_eta(epsilon, delta, n_samples, method=method)
    for law in (sequence_law, average_law):
        found = audit.exact(lambda X, law=law: law(X, eta), CORNERS, n_samples, ordered=True)
        assert found.delta(epsilon) <= delta


@pytest.mark.source("DR11-thm-11.5")
def test_the_optimal_rate_is_nearly_spent_by_two_coordinates_and_a_larger_one_is_not_private():
    """Even the average of the draws; so no accountant can do better but for a round or two."""
    epsilon, delta, n_samples = 1.0, 1e-3, 2000
    eta = linear_eta(epsilon, delta, n_samples, method="nonadaptive")
    assert 0.95 * delta < exact_curve(eta, n_samples).delta(epsilon) <= delta
    assert exact_curve(1.02 * eta, n_samples).delta(epsilon) > delta


@pytest.mark.source("DR11-thm-11.5")
@pytest.mark.erratum("DR11-thm-11.5/1")
def test_the_printed_rate_is_private_but_not_by_the_printed_argument():
    epsilon, delta, n_samples = 1.0, 1e-5, 1000
    printed = linear_eta(epsilon, delta, n_samples, method="source")
    per_round = epsilon / math.sqrt(8 * n_samples * math.log(1 / delta))
    assert 4 * printed == pytest.approx(2 * per_round)  # what Theorem 3.20 is given for (epsilon, delta)
    assert advanced_epsilon(4 * printed, n_samples - 1, delta) > epsilon
    assert advanced_epsilon(2 * printed, n_samples - 1, delta) <= epsilon
    assert run_guarantee(printed, n_samples, delta, loss_range=2, adaptive=True).epsilon < epsilon / 2
    assert exact_curve(printed, n_samples).delta(epsilon) == pytest.approx(3.2e-24, rel=0.05)


@pytest.mark.source("DR11-thm-11.5")
@pytest.mark.erratum("DR11-thm-11.5/2")
def test_for_large_epsilon_the_printed_rate_is_not_private():
    delta, n_samples = 0.4, 4000
    log = math.log(1 / delta)
    for times, claimed_fails in ((16, True), (20, True), (8, False)):
        eta = times * log / math.sqrt(32 * n_samples * log)
        exact = exact_curve(eta, n_samples).delta(times * log)
        assert (exact > delta) is claimed_fails
    assert exact < 0.135 * delta
    with pytest.raises(ValueError, match=r"epsilon must be at most 8 ln\(1 / delta\)"):
        linear_eta(16 * log, delta, n_samples, method="source")


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
    rng = np.random.default_rng(8)
    X = rng.uniform(-2, 2, size=(700, 4))
    y = np.where(X[:, 0] - X[:, 2] > 0, "yes", "no")
    learner = LinearLearner(2.0, class_weights=(1.0, 0.5), method="concentrated").fit(X, y, rng=11)
    losses = np.hstack([np.clip(X, -1, 1), np.ones((700, 1))]) * np.where(y == "yes", -0.5, 1.0)[:, None]
    expected = mean_draw(np.hstack([losses, -losses]), learner.eta_, rng=11)
    np.testing.assert_allclose(learner.theta_, expected)
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
    np.testing.assert_allclose(dense.decision_function(X), sparse.decision_function(csr_matrix(X)))


@pytest.mark.parametrize("record", [math.nan, math.inf, -math.inf, 1e300])
def test_no_value_of_a_record_raises_and_each_is_clipped(record):
    X, y = np.array([[record, 0.5], [1.0, -1.0], [0.25, 0.0]]), [0, 0, 1]
    clean = X.copy()
    clean[0, 0] = 0.0 if math.isnan(record) else math.copysign(1.0, record)
    for held in (X, csr_matrix(X)):
        learner = LinearLearner(50.0).fit(held, y, rng=0)
        expected = LinearLearner(50.0).fit(clean, y, rng=0)
        np.testing.assert_array_equal(learner.theta_, expected.theta_)
        np.testing.assert_allclose(learner.decision_function(held), expected.decision_function(clean))


def test_the_order_of_the_records_matters():
    X, y = np.array([[1.0], [-1.0], [0.2], [0.4]]), np.array([1, 1, 0, 1])
    laws = [
        average_law(MarginLosses(X[order], 1.0 - 2.0 * y[order], intercept=False, signed=True)[:], 1.0)
        for order in ([0, 1, 2, 3], [3, 2, 1, 0])
    ]
    assert np.abs(laws[0].pmf() - laws[1].pmf()).max() > 0.01


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"epsilon": 0.0}, "epsilon must be positive and finite, got 0.0"),
        ({"epsilon": math.nan}, "epsilon must be positive and finite, got nan"),
        ({"delta": 0.0}, "delta must be in the open interval"),
        ({"delta": 1.0}, "delta must be in the open interval"),
        ({"method": "best"}, "method must be one of 'corrected', 'printed'"),
        ({"signed": 2}, "signed must be one of"),
        ({"class_weights": (1.0, 2.0)}, r"class_weights must be two numbers in \(0, 1\]"),
        ({"class_weights": (1.0,)}, r"class_weights must be two numbers in \(0, 1\]"),
        ({"classes": (1, 1)}, "classes must be two distinct labels"),
        ({"epsilon": 600.0}, r"epsilon must be at most 48 ln\(1 / delta\)"),
    ],
)
def test_bad_parameters_are_refused_in_fit(parameters, message):
    with pytest.raises(ValueError, match=message):
        LinearLearner(**parameters).fit([[0.0], [1.0]], [0, 1])


def test_examples_that_are_none_are_refused():
    with pytest.raises(ValueError, match="eta must be positive"):
        mean_draw(np.zeros((3, 2)), 0.0)
    for bad in ([1.0, 2.0], np.empty((0, 2))):
        with pytest.raises(ValueError, match="X must be of shape"):
            mean_draw(bad, 1.0)
