"""Oracles: within their tolerance, counted, and free of charge where they refuse."""

import math
from itertools import product

import numpy as np
import pytest

from privml.hypotheses import boolean_cube
from privml.learners.statistical_queries import (
    AdversarialOracle,
    PrivateSQOracle,
    SampleOracle,
    query_values,
)
from privml.populations import FinitePopulation
from tests.refusals import refused

CUBE = boolean_cube(3)
WEIGHTS = np.array([1, 2, 3, 4, 4, 3, 2, 1]) / 20
POPULATION = FinitePopulation(CUBE, CUBE[:, 0] ^ CUBE[:, 2], WEIGHTS)
QUERIES = [
    lambda X, y: X[:, 0] == y,
    lambda X, y: X.mean(axis=1) * y,
    lambda X, y: np.full(len(y), 0.25),
    lambda X, y: y.astype(float),
]
X, Y = (
    CUBE[[0, 1, 3, 3, 6, 7, 7]],
    np.array([True, False, True, False, True, True, False]),
)


def oracles(**limits):
    return [
        AdversarialOracle(POPULATION, 0.0, **limits),
        AdversarialOracle(POPULATION, 0.1, **limits),
        SampleOracle(X, Y, **limits),
        PrivateSQOracle(X, Y, epsilon=1.0, rng=0, **({"n_queries": 2} | limits)),
    ]


@pytest.mark.source("DR11-def-11.4")
def test_an_exact_oracle_answers_with_the_finite_sum():
    for query in QUERIES:
        answers = [
            float(query(x[None], y[None])[0])
            for x, y in zip(CUBE, POPULATION.y, strict=True)
        ]
        truth = np.dot(WEIGHTS, answers)
        assert AdversarialOracle(POPULATION, 0.0).answer(query) == pytest.approx(
            truth, abs=1e-14
        )


@pytest.mark.source("DR11-def-11.4")
@pytest.mark.parametrize("tolerance", [0.0, 0.07, 0.4])
def test_an_adversary_stays_within_its_tolerance_and_uses_it(tolerance):
    for rule, query in product(
        [None, lambda *_: 2.0, lambda *_: -1.0, lambda q, t, tau: t + 5], QUERIES
    ):
        truth = AdversarialOracle(POPULATION, 0.0).answer(query)
        error = AdversarialOracle(POPULATION, tolerance, rule).answer(query) - truth
        assert abs(error) <= tolerance * (1 + 1e-12)
    truth = AdversarialOracle(POPULATION, 0.0).answer(QUERIES[0])
    for rule, side in ((None, -1), (lambda *_: 2.0, 1)):
        found = AdversarialOracle(POPULATION, tolerance, rule).answer(QUERIES[0])
        expected = truth + side * tolerance
        assert found == pytest.approx(
            expected if rule else max(expected, 0.5), abs=1e-14
        )


@pytest.mark.source("DR11-def-11.4")
def test_a_sample_answers_with_its_mean_and_batches_with_theirs():
    assert SampleOracle(X, Y).answer(lambda X, y: X[:, 0] & y) == pytest.approx(
        (X[:, 0] & Y).mean()
    )
    split = SampleOracle(
        np.arange(7)[:, None] / 10, Y, n_queries=3, mode="split", rng=4
    )
    assert split.n_records == 2
    seen = [split.answer(lambda X, y: X[:, 0]) for _ in range(3)]
    order = np.random.default_rng(4).permutation(7)
    assert seen == pytest.approx(
        [(order[2 * j : 2 * j + 2] / 10).mean() for j in range(3)]
    )


def test_several_columns_are_several_queries():
    def columns(X, y):
        return np.column_stack([X[:, 0] == y, X[:, 1], y])

    for one, all_at_once in zip(
        oracles(n_queries=3), oracles(n_queries=3), strict=True
    ):
        answers = all_at_once.answers(columns, 3)
        assert all_at_once.n_answered == 3
        single = [one.answer(lambda X, y, j=j: columns(X, y)[:, j]) for j in range(3)]
        if not isinstance(one, PrivateSQOracle):
            assert answers == pytest.approx(single, abs=1e-12)
    batches = [SampleOracle(X, Y, n_queries=3, mode="split", rng=1) for _ in range(2)]
    single = [
        batches[0].answer(lambda X, y, j=j: columns(X, y)[:, j]) for j in range(3)
    ]
    assert batches[1].answers(columns, 3) == pytest.approx(single)


def test_no_record_raises_and_none_counts_for_more_than_one():
    wild = np.array([[math.nan], [math.inf], [-math.inf], [0.25], [7.0]])
    values = query_values(lambda X, y: X[:, 0], wild, np.ones(5, dtype=bool))
    assert values.tolist() == [0.0, 1.0, 0.0, 0.25, 1.0]
    assert wild[4, 0] == 7.0


@pytest.mark.parametrize(
    "bad",
    [
        lambda X, y: 0.5,
        lambda X, y: np.ones(len(y) + 1),
        lambda X, y: np.ones((len(y), 2)),
        lambda X, y: ["a"] * len(y),
        lambda X, y: None,
        "query",
    ],
)
def test_a_bad_query_is_refused_and_costs_nothing(bad):
    for oracle, twin in zip(oracles(), oracles(), strict=True):
        with pytest.raises(ValueError, match="query must"):
            oracle.answer(bad)
        with pytest.raises(ValueError, match="query must"):
            oracle.answers(bad, 1)
        assert oracle.n_answered == 0
        assert oracle.answer(QUERIES[0]) == twin.answer(QUERIES[0])


def test_queries_beyond_the_declared_number_are_refused_and_spend_nothing():
    for oracle in oracles(n_queries=2):
        oracle.answer(QUERIES[0])
        with pytest.raises(
            ValueError,
            match="n_queries must be at least 3 for this query, but got 2 declared",
        ):
            oracle.answers(lambda X, y: np.ones((len(y), 2)), 2)
        oracle.answer(QUERIES[1])
        for _ in range(2):
            with pytest.raises(ValueError, match="got 2 declared and 2 answered"):
                oracle.answer(QUERIES[0])
        assert oracle.n_answered == 2
        assert repr(oracle).endswith("(2 of 2 answered)")


test_bad_parameters_are_refused = refused(
    (lambda: AdversarialOracle("D", 0.0), "population must be an instance"),
    (
        lambda: AdversarialOracle(POPULATION, 0.1, lambda q, t, tau: math.nan).answer(
            QUERIES[0]
        ),
        "answer must be a finite",
    ),
    (lambda: SampleOracle(X, Y.astype(int)), "y must be a vector of bools"),
    (lambda: SampleOracle(X[:3], Y), "y must be a vector of bools"),
    (lambda: SampleOracle(X[:0], Y[:0]), "y must be a vector of bools"),
    (lambda: SampleOracle(X, Y, mode="fresh"), "mode must be one of"),
    (
        lambda: SampleOracle(X, Y, n_queries=8, mode="split"),
        "n_queries must be at most 7",
    ),
)
