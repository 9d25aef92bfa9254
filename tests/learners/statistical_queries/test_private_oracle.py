"""The private oracle: its noise, its exact privacy for fixed and for adaptive queries, and its budget."""

import math

import numpy as np
import pytest

from privml import audit
from privml.adjacency import neighbouring_datasets, records
from privml.distributions import Laplace
from privml.guarantee import ConcentratedGuarantee, Guarantee, laplace_rho
from privml.learners.statistical_queries import (
    ConjunctionSQLearner,
    PrivateSQOracle,
    laplace_epsilon,
)
from tests.refusals import refused

UNIVERSE = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([False, True, False, True])
QUERIES = [lambda X, y: y, lambda X, y: X[:, 0] == y, lambda X, y: 2.0 - 3.0 * y]
EDGES = np.linspace(-1.0, 2.0, 13)


def cells(law):
    """Probabilities of the cells between the edges, and beyond them."""
    return np.diff(np.concatenate([[0.0], law.cdf(EDGES), [1.0]]))


@pytest.mark.source("DR11-alg-private-sq-oracle")
@pytest.mark.parametrize("mode", ["reuse", "split"])
def test_the_answer_is_the_mean_of_its_records_and_laplace_noise_of_the_stated_scale(
    mode,
):
    rng = np.random.default_rng(0)
    X, y = rng.random((103, 2)), rng.random(103) < 0.4
    how = {"n_queries": 4, "epsilon": 0.5, "mode": mode}
    oracle = PrivateSQOracle(X, y, **how, rng=1)
    assert oracle.scale == pytest.approx(
        4 / (0.5 * 103) if mode == "reuse" else 1 / (0.5 * 25), rel=1e-12
    )
    coins, first = np.random.default_rng(1), lambda X, y: X[:, 0]
    if mode == "split":
        coins.permutation(103)  # the order of the records
    for _ in range(4):
        mean, noise = (
            oracle.output_distribution(first).location,
            Laplace(scale=oracle.scale).rvs(rng=coins),
        )
        assert mode == "split" or mean == pytest.approx(X[:, 0].mean())
        assert oracle.answer(first) == pytest.approx(mean + noise, rel=1e-12)


@pytest.mark.source("DR11-alg-private-sq-oracle")
@pytest.mark.parametrize(
    ("mode", "n"), [("reuse", 2), ("reuse", 4), ("split", 3), ("split", 4)]
)
def test_densities_of_fixed_queries_differ_by_epsilon_at_most_and_exactly_so_somewhere(
    mode, n
):
    """The worst loss of a product of Laplace laws is the sum of the shifts of the means over the scales."""
    epsilon = 0.8
    first, _, pairs = neighbouring_datasets(UNIVERSE, n, ordered=True)

    def means(row):
        oracle = PrivateSQOracle(
            *records(UNIVERSE, row), n_queries=3, epsilon=epsilon, mode=mode, rng=5
        )
        laws = []
        for query in QUERIES:
            laws.append(oracle.output_distribution(query).location)
            oracle.answer(query)
        return np.array(laws) / oracle.scale

    table = np.array([means(row) for row in first])
    worst = np.abs(table[pairs[:, 0]] - table[pairs[:, 1]]).sum(axis=1).max()
    assert worst == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.source("DR11-alg-private-sq-oracle")
@pytest.mark.parametrize("mode", ["reuse", "split"])
def test_adaptive_transcripts_are_private_on_all_neighbours(mode):
    """Two answers, the second query chosen by the cell of the first; exact laws of both cells."""

    def law(data):
        oracle = PrivateSQOracle(*data, n_queries=2, epsilon=1.0, mode=mode, rng=3)
        first = cells(oracle.output_distribution(QUERIES[0]))
        oracle.answer(QUERIES[0])
        second = [
            cells(oracle.output_distribution(QUERIES[1 + i % 2]))
            for i in range(len(first))
        ]
        return (first[:, None] * np.array(second)).ravel()

    assert 0.85 < audit.exact(law, UNIVERSE, 3, ordered=True).epsilon <= 1.0 + 1e-12


@pytest.mark.source("DR11-alg-private-sq-oracle")
@pytest.mark.parametrize("monotone", [False, True])
def test_what_a_learner_makes_of_the_answers_is_private_too(monotone):
    """The exact law of the learned conjunction: independent decisions, literal by literal."""
    learner = ConjunctionSQLearner(1, 0.1, monotone)

    def law(data):
        oracle = PrivateSQOracle(*data, n_queries=learner.n_queries, epsilon=1.0)
        keep = [
            oracle.output_distribution(learner.query(i)).cdf(0.1)
            for i in range(learner.n_queries)
        ]
        patterns = (
            np.array(np.meshgrid(*[[0, 1]] * learner.n_queries))
            .reshape(learner.n_queries, -1)
            .T
        )
        chances = np.where(patterns, keep, 1 - np.array(keep)).prod(axis=1)
        chosen = learner.chosen(np.where(patterns, 0.0, 1.0))
        return np.bincount(
            chosen, weights=chances, minlength=learner.hypotheses.n_hypotheses
        )

    assert 0.3 < audit.exact(law, UNIVERSE, 4).epsilon <= 1.0 + 1e-12


@pytest.mark.source("DR11-alg-private-sq-oracle")
@pytest.mark.parametrize("mode", ["reuse", "split"])
@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_a_concentrated_budget_is_spent_exactly(mode, noise):
    n, m, rho = 60, 5, 0.3
    records = np.zeros((n, 1)), np.zeros(n, dtype=bool)
    oracle = PrivateSQOracle(*records, n_queries=m, rho=rho, noise=noise, mode=mode)
    step = 1 / oracle.n_records / oracle.scale
    each = laplace_rho(step) if noise == "laplace" else step**2 / 2
    assert each * (m if mode == "reuse" else 1) == pytest.approx(rho, rel=1e-9)
    assert oracle.guarantee == ConcentratedGuarantee(rho)
    assert PrivateSQOracle(
        [[0]], [True], n_queries=1, epsilon=0.5
    ).guarantee == Guarantee(0.5)


def test_a_query_that_compares_records_is_not_covered_and_loses_the_factor_that_the_notes_say():
    means = []
    for odd_one in (0.5, 1.0):
        X = np.append(np.zeros(99), odd_one)[:, None]
        oracle = PrivateSQOracle(X, np.ones(100, dtype=bool), n_queries=4, epsilon=1.0)
        means.append(
            oracle.output_distribution(
                lambda X, y: np.full(len(y), X.max() > 0.9)
            ).location
        )
    assert (means[1] - means[0]) / oracle.scale == pytest.approx(1.0 / 4 * 100)


def test_a_refusal_does_not_repeat_what_the_query_says_of_the_records():
    def tells(X, y):
        raise ValueError(f"the first record is {X[0]}")

    oracle = PrivateSQOracle(
        np.array([[0.123], [0.4]]), np.array([True, False]), n_queries=1, epsilon=1.0
    )
    with pytest.raises(
        ValueError, match="query must return an array of numbers"
    ) as refusal:
        oracle.answer(tells)
    assert "0.123" not in str(refusal.value)
    assert refusal.value.__cause__ is None


def test_the_laplace_epsilon_of_a_concentrated_budget_is_on_the_safe_side():
    for rho in (1e-9, 1e-4, 0.02, 1.0, 30.0):
        epsilon = laplace_epsilon(rho)
        assert laplace_rho(epsilon) <= rho < laplace_rho(epsilon * (1 + 1e-9))
        assert epsilon > math.sqrt(2 * rho)


test_bad_parameters_are_refused = refused(
    ({"n_queries": 2}, "epsilon or rho must be given"),
    ({"n_queries": 2, "epsilon": 1.0, "rho": 1.0}, "epsilon or rho must be given"),
    ({"n_queries": 2, "rho": 0.0}, "rho must be positive"),
    ({"n_queries": 2, "epsilon": 1.0, "noise": "gaussian"}, "epsilon must be None"),
    ({"n_queries": 5, "epsilon": 1.0, "mode": "split"}, "n_queries must be at most 4"),
    call=lambda parameters: PrivateSQOracle(
        np.zeros((4, 1)), np.ones(4, dtype=bool), **parameters
    ),
)
