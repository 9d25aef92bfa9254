"""SQ learners: exact answers, every adversary on a grid, private answers, and what they promise."""

import math
from itertools import product

import numpy as np
import pytest

from privml.hypotheses import Conjunctions, DecisionStumps, boolean_cube
from privml.learners import PrivateSQClassifier
from privml.learners.statistical_queries import (
    AdversarialOracle,
    ConjunctionSQLearner,
    LinearSQLearner,
    SampleOracle,
    StumpSQLearner,
)
from privml.populations import FinitePopulation
from tests.refusals import refused

CUBE = boolean_cube(3)


def populations(hypotheses, seed):
    """Every target of the class on one skewed law of instances."""
    weights = np.random.default_rng(seed).dirichlet(np.full(8, 0.5))
    for index, labels in enumerate(hypotheses.predict(CUBE)):
        yield index, FinitePopulation(CUBE, labels, weights)


def sign_patterns(n_queries, tolerance):
    """Adversaries that are off by the whole tolerance, in every pattern of directions."""
    for signs in product([-1, 1], repeat=n_queries):
        turn = iter(signs)
        yield lambda query, truth, tau, turn=turn: truth + next(turn) * tau


@pytest.mark.source("DR11-def-11.5")
@pytest.mark.parametrize("monotone", [False, True])
def test_exact_answers_lead_to_a_conjunction_without_error(monotone):
    hypotheses = Conjunctions(3, monotone)
    for _, population in populations(hypotheses, 0):
        learner = ConjunctionSQLearner(3, 0.0, monotone)
        found = learner.run(AdversarialOracle(population, 0.0))
        assert population.error_rates(hypotheses)[found] == pytest.approx(
            0.0, abs=1e-12
        )
        assert (
            learner.predict(found, CUBE) == hypotheses.predict(CUBE, [found])[0]
        ).all()


@pytest.mark.source("DR11-def-11.5")
@pytest.mark.parametrize("monotone", [False, True])
def test_no_pattern_of_wrong_answers_leads_to_more_error_than_promised(monotone):
    hypotheses = Conjunctions(3, monotone)
    learner = ConjunctionSQLearner(3, 0.3 / (6 if monotone else 12), monotone)
    assert learner.accuracy(learner.threshold) == pytest.approx(0.3)
    worst = 0.0
    for _, population in populations(hypotheses, 1):
        for rule in sign_patterns(learner.n_queries, learner.threshold):
            oracle = AdversarialOracle(
                population, learner.threshold, rule, n_queries=learner.n_queries
            )
            found = learner.run(oracle)
            assert oracle.n_answered == learner.n_queries
            worst = max(worst, population.error_rates(hypotheses)[found])
    assert 0.02 < worst <= 0.3


@pytest.mark.source("DR11-def-11.5")
def test_the_promise_of_the_conjunction_learner_is_attained():
    """Disjoint ways to be wrong, each just allowed: the error is the number of literals times 2 tau."""
    d, tau = 4, 0.05
    wrong = ~np.eye(d, dtype=bool)  # point i has feature i false
    X = np.vstack([wrong, np.ones(d, dtype=bool)])
    law = np.append(np.full(d, 2 * tau), 1 - 2 * tau * d)
    population = FinitePopulation(X, np.ones(d + 1, dtype=bool), law)
    learner = ConjunctionSQLearner(d, tau, monotone=True)
    oracle = AdversarialOracle(population, tau * (1 - 1e-12), lambda q, t, tau: t - tau)
    found = ConjunctionSQLearner(d, tau * (1 + 1e-9), monotone=True).run(oracle)
    assert population.error_rates(learner.hypotheses)[found] == pytest.approx(
        learner.accuracy(tau)
    )


@pytest.mark.source("DR11-def-11.5")
@pytest.mark.parametrize("tolerance", [0.0, 0.04, 0.15])
def test_the_stump_learner_is_within_twice_the_tolerance_of_the_best(tolerance):
    rng = np.random.default_rng(3)
    stumps = DecisionStumps([[0.5], [0.25, 0.5, 0.75]])
    X, learner = rng.random((12, 2)), StumpSQLearner(stumps)
    worst = 0.0
    for _ in range(30):
        population = FinitePopulation(
            X, rng.random(12) < 0.5, rng.dirichlet(np.ones(12))
        )
        errors = population.error_rates(stumps)
        for rule in sign_patterns(learner.n_queries, tolerance):
            found = learner.run(
                AdversarialOracle(population, tolerance, rule, n_queries=4)
            )
            worst = max(worst, errors[found] - errors.min())
    assert worst <= learner.accuracy(tolerance) + 1e-12
    assert worst >= learner.accuracy(tolerance) / 2


@pytest.mark.source("DR11-def-11.5")
@pytest.mark.parametrize("tolerance", [0.0, 0.02])
def test_the_gradient_learner_is_as_close_to_the_best_of_a_grid_as_it_promises(
    tolerance,
):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(60, 1))
    y = rng.random(60) < 1 / (1 + np.exp(-4 * X[:, 0] + 1))
    population = FinitePopulation(X, y, np.full(60, 1 / 60))
    learner = LinearSQLearner(1, 60, radius=3.0)
    grid = [
        (a, b)
        for a in np.linspace(-3, 3, 61)
        for b in np.linspace(-3, 3, 61)
        if a * a + b * b <= 9
    ]
    best = min(learner.loss(w, X, y).mean() for w in grid)
    for rule in (lambda q, t, tau: t + tau, lambda q, t, tau: t - tau, None):
        oracle = AdversarialOracle(
            population, tolerance, rule, n_queries=learner.n_queries
        )
        weights = learner.run(oracle)
        assert oracle.n_answered == learner.n_queries == 120
        assert np.linalg.norm(weights) <= 3.0 + 1e-12
        assert (
            best - 1e-3
            <= learner.loss(weights, X, y).mean()
            <= best + learner.accuracy(tolerance)
        )


def test_the_queries_of_the_gradient_learner_are_its_gradient():
    rng = np.random.default_rng(1)
    X, y, w = rng.uniform(-1, 1, (20, 3)), rng.random(20) < 0.5, rng.normal(size=4)
    learner = LinearSQLearner(3, 1)
    gradient = 2 * learner.query(w)(X, y).mean(axis=0) - 1

    def mean(at):
        return learner.loss(at, X, y).mean()

    numeric = [(mean(w + 1e-6 * e) - mean(w - 1e-6 * e)) / 2e-6 for e in np.eye(4)]
    assert gradient == pytest.approx(numeric, abs=1e-8)


@pytest.mark.source("DR11-def-11.5")
def test_the_gradient_learner_makes_the_steps_that_its_promise_is_about():
    """Two steps: the mean of 0 and the first step; and the promise in closed form."""
    X, y = np.array([[1.0], [0.5]]), np.array([True, True])
    learner = LinearSQLearner(1, 2, radius=1.0)
    gradient = -np.array([0.75, 1.0]) / 2
    assert learner.run(SampleOracle(X, y)) == pytest.approx(
        -gradient / math.sqrt(2 * 2) / 2
    )
    steep = LinearSQLearner(1, 1000, radius=0.25)
    assert np.linalg.norm(steep.run(SampleOracle(X, y))) == pytest.approx(0.25, rel=0.2)
    assert learner.accuracy(0.0) == pytest.approx(1.0)
    assert learner.accuracy(0.1) - learner.accuracy(0.0) == pytest.approx(
        4 * 0.1 * math.sqrt(2)
    )


@pytest.mark.parametrize("record", [math.nan, math.inf, -math.inf, 1e300])
def test_no_value_of_a_record_raises(record):
    X, y = np.array([[record, 1.0, 0.0], [0.0, 1.0, 1.0]]), np.array([True, False])
    stumps = StumpSQLearner(DecisionStumps.on_grid(3, 0, 1, 2))
    for learner in (ConjunctionSQLearner(3, 0.1), stumps, LinearSQLearner(3, 4)):
        assert learner.predict(learner.run(SampleOracle(X, y)), X).shape == (2,)


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        ({}, "1-differential privacy (replace-one)"),
        ({"epsilon": 0.5}, "0.5-differential privacy (replace-one)"),
        (
            {"rho": 0.5, "noise": "gaussian"},
            "0.5-concentrated differential privacy (replace-one)",
        ),
    ],
)
def test_the_classifier_learns_and_says_what_it_guarantees(budget, text):
    X = np.random.default_rng(0).uniform(-1, 1, (4000, 2))
    labels = np.where(X[:, 1] > 0.2, "b", "a")
    line = LinearSQLearner(2, 12)
    for learner, mode in ((None, "reuse"), (line, "reuse"), (line, "split")):
        classifier = PrivateSQClassifier(learner, mode=mode, **budget).fit(
            X, labels, rng=1
        )
        assert str(classifier.privacy_) == text
        assert classifier.score(X, labels) > 0.75
    assert classifier.fit(X, labels, rng=4).output_ == pytest.approx(
        classifier.fit(X, labels, rng=4).output_
    )


test_bad_parameters_are_refused = refused(
    (
        lambda: ConjunctionSQLearner(2, 0.1).accuracy(0.2),
        "tolerance must be at most the threshold",
    ),
    (lambda: StumpSQLearner([0.5]), "stumps must be an instance"),
    (lambda: LinearSQLearner(2, 3, intercept="no"), "intercept must be True or False"),
    (
        lambda: LinearSQLearner(2, 3).run(SampleOracle([[0.0]], [True])),
        r"query must return .* \(1, 3\)",
    ),
    (
        lambda: PrivateSQClassifier("stumps").fit([[0.0], [1.0]], [0, 1]),
        "learner must be an instance of SQLearner",
    ),
    (
        lambda: PrivateSQClassifier(epsilon=0.0).fit([[0.0], [1.0]], [0, 1]),
        "epsilon must be positive",
    ),
)
