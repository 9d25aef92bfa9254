"""Learning parities from private answers: rates, aborts and sizes that the chapter computes, exactly."""

import math
from itertools import product

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.bounds import smallest_sample
from privml.bounds import statistical_queries as bounds
from privml.learners.statistical_queries import AdversarialOracle
from privml.populations import FinitePopulation

chapter = tangled("statistical-queries")


walsh_hadamard = chapter.walsh_hadamard


@pytest.mark.source("DR11-rem-parity")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_no_query_rules_out_more_parities_than_parseval_allows(d):
    """All 3^(2^d) differences of queries with values 0 and 1."""
    functions = np.array(list(product([-1.0, 0.0, 1.0], repeat=1 << d)))
    signs = np.array([walsh_hadamard(row) for row in np.eye(1 << d)]) * (1 << d)
    halves = np.abs(functions @ signs) / (1 << d) / 2
    assert halves.max() == 0.5
    for tolerance in (0.03, 0.1, 0.124, 0.1251, 0.2, 0.249, 0.25, 0.3, 0.49, 0.5):
        assert (halves > tolerance).sum(axis=1).max() <= chapter.parities_ruled_out(tolerance)


@pytest.mark.source("DR11-rem-parity")
@pytest.mark.parametrize("d", [2, 4])
def test_bent_functions_rule_out_all_parities_at_once(d):
    x = np.arange(1 << d)
    bent = 1.0 - 2 * (sum((x >> (2 * i) & 1) * (x >> (2 * i + 1) & 1) for i in range(d // 2)) % 2)
    assert np.abs(walsh_hadamard(bent)) == pytest.approx(np.full(1 << d, 2.0 ** (-d / 2)))
    just_below = 2.0 ** (-d / 2) / 2 * (1 - 1e-12)
    assert chapter.parities_ruled_out(just_below) == 1 << d
    assert chapter.parities_ruled_out(2.0 ** (-d / 2) / 2) == (1 << d) - 1


@pytest.mark.parametrize("variant", ["sharp", "source"])
@pytest.mark.parametrize(("d", "epsilon", "alpha", "beta"), [(1, 0.1, 0.2, 0.5), (30, 1.0, 0.1, 0.05)])
def test_the_sample_size_is_below_its_closed_form(variant, d, epsilon, alpha, beta):
    n = smallest_sample(lambda k: chapter.private_parity_failure(d, k, epsilon, alpha, variant=variant), beta)
    rate = bounds.parity_plan(epsilon, variant=variant).sampling_rate
    assert n <= math.ceil((d * math.log(2) + math.log(1 / beta)) / (rate * alpha))


@pytest.mark.source("DR11-rem-parity")
def test_the_parity_adversary_is_consistent_with_every_parity_that_it_has_not_ruled_out():
    rng = np.random.default_rng(0)
    oracle, asked = chapter.ParityAdversary(5, 0.06), []
    for _ in range(12):
        table = rng.random((32, 2))
        query = lambda X, y, t=table: t[X @ (1 << np.arange(5)), y.astype(int)]  # noqa: E731
        asked.append((query, oracle.answer(query)))
    cube = chapter.boolean_cube(5)
    assert 0 < len(oracle.consistent) < 32
    for parity in range(32):
        labels = (cube @ (parity >> np.arange(5) & 1)) % 2 == 1
        population = FinitePopulation(cube, labels, np.full(32, 1 / 32))
        exact = [AdversarialOracle(population, 0.0).answer(query) for query, _ in asked]
        errors = [abs(truth - answer) for truth, (_, answer) in zip(exact, asked, strict=True)]
        assert (max(errors) <= 0.06 + 1e-12) == (parity in oracle.consistent)
        truths = [chapter.parity_truths(query, 5)[1][parity] for query, _ in asked]
        assert truths == pytest.approx(exact)


def test_the_parity_adversary_commits_only_when_it_must():
    oracle = chapter.ParityAdversary(2, 0.2)
    for parity in range(4):
        columns = [j for j in range(2) if parity >> j & 1]
        oracle.answer(lambda X, y, c=columns: (X[:, c].sum(axis=1) % 2 == 1) == y)
        assert len(oracle.consistent) == max(1, 3 - parity)
