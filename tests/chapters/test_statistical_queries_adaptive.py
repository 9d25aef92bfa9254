"""Adaptive queries and parities: closed forms against enumeration, simulation, published violations."""

import math
from itertools import product

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.bounds import required_sample_size
from privml.bounds import statistical_queries as bounds
from privml.learners.statistical_queries import AdversarialOracle, SampleOracle
from privml.populations import FinitePopulation
from tests.bounds.test_statistical_queries import free_size, private_size
from tests.chapters import statistical_queries_functions as functions
from tests.refusals import refused

last_answer = chapter_module("statistical-queries").last_answer_of
chapter = chapter_module("statistical-queries")


def coins(k, n, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, size=(n, k)), rng.random(n) < 0.5


def test_the_lean_of_a_vote_is_that_of_all_samples():
    for n in range(1, 9):
        signs = np.array(list(product([-1, 1], repeat=n)))
        assert bounds.vote_lean(n) == pytest.approx(
            np.abs(signs.sum(axis=1)).mean() / n, rel=1e-12
        )
        size = np.abs(signs.sum(axis=1)) / n
        noisy = (size * (1 - np.exp(-size / (2 * 0.3)))).mean()
        assert bounds.vote_lean(n, noise_scale=0.3) == pytest.approx(noisy, rel=1e-12)
    assert bounds.vote_lean(10**6) == pytest.approx(
        math.sqrt(2 / (math.pi * 10**6)), rel=1e-6
    )
    assert bounds.vote_lean(10**6, noise_scale=1e-9) == pytest.approx(
        bounds.vote_lean(10**6), rel=1e-5
    )


def test_bias_and_variance_are_those_of_all_samples():
    """Three votes and eight records as agreements: all 2^24 samples, by the law of three columns."""
    n, k = 8, 3
    columns = np.array(list(product([-1, 1], repeat=n)))
    sums = columns.sum(axis=1)
    # ties give the sign -1 in the learner; a fair coin in between changes no law by symmetry
    votes = np.where(sums > 0, 1, -1)[:, None] * columns
    assert votes[:, 0].mean() == pytest.approx(bounds.vote_lean(n), rel=1e-12)
    patterns, counts = np.unique(votes[:, :2], axis=0, return_counts=True)
    chances = counts / counts.sum()
    both = first = 0.0
    for triple in product(range(len(patterns)), repeat=k):
        total, weight = patterns[list(triple)].sum(axis=0), chances[list(triple)].prod()
        first += weight * (total[0] > 0)
        both += weight * (total > 0).all()
    assert bounds.overfitting_bias(k, n) == pytest.approx(first - 0.5, rel=1e-10)
    assert functions.both_majorities(k, bounds.vote_lean(n)) == pytest.approx(
        both, rel=1e-10
    )


@pytest.mark.erratum("DR11-thm-private-sq-sample-complexity")
@pytest.mark.source("DR11-thm-private-sq-sample-complexity")
def test_a_reused_sample_of_the_promised_size_breaks_the_promise():
    m, alpha, beta = 202, 0.1, 0.05
    n = free_size(m, alpha, beta)
    assert n == 450
    assert bounds.overfitting_bias(m - 1, n) == pytest.approx(0.203, abs=0.0005)
    assert functions.overfitting_probability(m - 1, n, alpha) > 0.97
    errors = [
        last_answer(SampleOracle(*coins(m - 1, n, seed)), m - 1) - 0.5
        for seed in range(20)
    ]
    assert min(errors) > alpha
    spread = np.std(errors) / math.sqrt(len(errors))
    assert abs(np.mean(errors) - bounds.overfitting_bias(m - 1, n)) < 5 * spread


@pytest.mark.erratum("DR11-thm-private-sq-sample-complexity")
def test_the_violations_grow_with_the_number_of_queries_and_reach_the_definition_s_tolerance():
    assert bounds.overfitting_bias(1001, free_size(1002, 0.1, 0.05)) == pytest.approx(
        0.365, abs=0.004
    )
    n = free_size(202, 1 / 202, 0.05)
    assert n == 183_560
    assert bounds.overfitting_bias(201, n) == pytest.approx(0.0105, abs=0.0002)
    assert functions.overfitting_probability(201, n, 1 / 202) > 0.9
    n = private_size(402, 1 / 402, 1.0, 0.05, form="halves")
    assert n == 3_354_408
    private = bounds.overfitting_bias(401, n, noise_scale=402 / n)
    assert private == pytest.approx(0.00295, abs=0.0001)
    assert private > 1 / 402
    for k, n in ((101, 10_000), (1001, 100_000)):
        assert bounds.overfitting_bias(k, n) == pytest.approx(
            math.sqrt(k / n) / math.pi, rel=0.02
        )


@pytest.mark.parametrize("scale", [0.0, 0.05])
def test_the_spread_of_the_last_answer_is_that_of_simulated_runs(scale):
    k, n, runs = 51, 60, 3000
    rng = np.random.default_rng(0)
    agree = rng.integers(0, 2, size=(runs, n, k)) * 2.0 - 1.0
    answers = agree.mean(axis=1) / 2 + (
        rng.laplace(scale=scale, size=(runs, k)) if scale else 0.0
    )
    votes = np.einsum("rnk,rk->rn", agree, np.where(answers > 0, 1.0, -1.0))
    last = (
        (votes > 0).mean(axis=1)
        - 0.5
        + (rng.laplace(scale=scale, size=runs) if scale else 0.0)
    )
    bias = bounds.overfitting_bias(k, n, noise_scale=scale)
    chance = functions.overfitting_probability(k, n, 0.05, noise_scale=scale)
    variance = (bias - 0.05) ** 2 * (1 / chance - 1)
    assert abs(last.mean() - bias) < 4 * math.sqrt(variance / runs)
    assert abs(last.var() - variance) < 4 * math.sqrt(
        ((last - last.mean()) ** 4).mean() / runs
    )


test_bad_parameters_are_refused = refused(
    *(
        (lambda bad=bad: bounds.overfitting_bias(bad, 100), "n_votes must be")
        for bad in (2, 5001, 3.0)
    ),
    (
        lambda: bounds.vote_lean(10, noise_scale=-1.0),
        "noise_scale must be non-negative",
    ),
)


walsh_hadamard = functions.walsh_hadamard


@pytest.mark.source("DR11-rem-parity")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_no_query_rules_out_more_parities_than_parseval_allows(d):
    """All 3^(2^d) differences of queries with values 0 and 1."""
    influences = np.array(list(product([-1.0, 0.0, 1.0], repeat=1 << d)))
    signs = np.array([walsh_hadamard(row) for row in np.eye(1 << d)]) * (1 << d)
    halves = np.abs(influences @ signs) / (1 << d) / 2
    assert halves.max() == 0.5
    for tolerance in (0.03, 0.1, 0.124, 0.1251, 0.2, 0.249, 0.25, 0.3, 0.49, 0.5):
        assert (halves > tolerance).sum(axis=1).max() <= functions.parities_ruled_out(
            tolerance
        )


@pytest.mark.source("DR11-rem-parity")
@pytest.mark.parametrize("d", [2, 4])
def test_bent_functions_rule_out_all_parities_at_once(d):
    x = np.arange(1 << d)
    bent = 1.0 - 2 * (
        sum((x >> (2 * i) & 1) * (x >> (2 * i + 1) & 1) for i in range(d // 2)) % 2
    )
    assert np.abs(walsh_hadamard(bent)) == pytest.approx(
        np.full(1 << d, 2.0 ** (-d / 2))
    )
    just_below = 2.0 ** (-d / 2) / 2 * (1 - 1e-12)
    assert functions.parities_ruled_out(just_below) == 1 << d
    assert functions.parities_ruled_out(2.0 ** (-d / 2) / 2) == (1 << d) - 1


@pytest.mark.parametrize("variant", ["sharp", "source"])
@pytest.mark.parametrize(
    ("d", "epsilon", "alpha", "beta"), [(1, 0.1, 0.2, 0.5), (30, 1.0, 0.1, 0.05)]
)
def test_the_sample_size_is_below_its_closed_form(variant, d, epsilon, alpha, beta):
    n = required_sample_size(
        lambda k: functions.private_parity_failure(
            d, k, epsilon, alpha, variant=variant
        ),
        beta,
    )
    rate = bounds.parity_plan(epsilon, variant=variant).sampling_rate
    assert n <= math.ceil((d * math.log(2) + math.log(1 / beta)) / (rate * alpha))


@pytest.mark.source("DR11-rem-parity")
def test_the_parity_adversary_is_consistent_with_every_parity_that_it_has_not_ruled_out():
    rng = np.random.default_rng(0)
    oracle, asked = functions.ParityAdversary(5, 0.06), []
    for _ in range(12):
        table = rng.random((32, 2))

        def query(X, y, t=table):
            return t[X @ (1 << np.arange(5)), y.astype(int)]

        asked.append((query, oracle.answer(query)))
    cube = functions.boolean_cube(5)
    assert 0 < len(oracle.consistent) < 32
    for parity in range(32):
        labels = (cube @ (parity >> np.arange(5) & 1)) % 2 == 1
        population = FinitePopulation(cube, labels, np.full(32, 1 / 32))
        exact = [AdversarialOracle(population, 0.0).answer(query) for query, _ in asked]
        errors = [
            abs(truth - answer) for truth, (_, answer) in zip(exact, asked, strict=True)
        ]
        assert (max(errors) <= 0.06 + 1e-12) == (parity in oracle.consistent)
        truths = [functions.parity_truths(query, 5)[1][parity] for query, _ in asked]
        assert truths == pytest.approx(exact)


def test_the_parity_adversary_commits_only_when_it_must():
    oracle = functions.ParityAdversary(2, 0.2)
    for parity in range(4):
        columns = [j for j in range(2) if parity >> j & 1]
        oracle.answer(lambda X, y, c=columns: (X[:, c].sum(axis=1) % 2 == 1) == y)
        assert len(oracle.consistent) == max(1, 3 - parity)
