"""The tables of the chapter on statistical queries, each against another way to the same numbers."""

import math
from itertools import product

import numpy as np
import pytest

from privml.adjacency import multisets
from privml.bounds import parities as parity_bounds
from privml.bounds import statistical_queries as bounds
from privml.bounds.adaptive_queries import overfitting_bias
from privml.datasets import load_breast_cancer
from privml.experiments import statistical_queries as experiments
from privml.experiments.statistical_queries.adaptive import _mean_size
from privml.experiments.statistical_queries.parities import sixteen_at_once
from privml.experiments.statistical_queries.sizes import exact_failure
from privml.hypotheses import DecisionStumps
from privml.learners.statistical_queries import (
    PrivateSQOracle,
    StumpSQLearner,
    parity_law,
    parity_truths,
)


@pytest.mark.source("DR11-def-11.5")
def test_no_adversary_does_more_harm_than_promised_and_some_do_as_much():
    table = experiments.worst_errors([0.02, 0.06], 400, seed=3).pivot(
        index="tolerance", columns="curve", values="error"
    )
    for name in ("conjunctions", "stumps"):
        ratio = table[f"{name}, worst found"] / table[f"{name}, promised"]
        assert (ratio <= 1 + 1e-7).all()
        assert (ratio > 0.9).all()


@pytest.mark.source("DR11-alg-private-sq-oracle")
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_audits_of_the_oracle_attain_epsilon_and_never_exceed_it(epsilon):
    table = experiments.oracle_audits(epsilon, 3)
    assert table.iloc[:, 1].to_numpy() == pytest.approx(epsilon, rel=1e-9)
    assert (table.iloc[:, 2] <= epsilon * (1 + 1e-9)).all()
    assert (table.iloc[:, 2] > 0.5 * epsilon).all()


@pytest.mark.source("DR11-lem-laplace-worst-case")
def test_noise_of_answers_are_the_scales_of_the_oracle_times_known_quantiles():
    table = experiments.noise_of_answers(500, 1.0, 0.5, [20], 0.1).set_index("curve")["error"]
    data = np.zeros((500, 1)), np.zeros(500, dtype=bool)
    pure = PrivateSQOracle(*data, n_queries=20, epsilon=1.0).scale
    shared = PrivateSQOracle(*data, n_queries=20, rho=0.5).scale
    sigma = PrivateSQOracle(*data, n_queries=20, rho=0.5, noise="gaussian").scale
    assert table["Laplace, ε: mean"] == pytest.approx(pure * sum(1 / i for i in range(1, 21)))
    single = 1 - 0.9 ** (1 / 20)
    assert table["Laplace, ε: quantile"] == pytest.approx(-pure * math.log(single))
    assert table["Laplace, ρ: quantile"] == pytest.approx(-shared * math.log(single))
    draws = np.abs(np.random.default_rng(0).normal(scale=sigma, size=(20_000, 20))).max(axis=1)
    beyond = (draws > table["Gauss, ρ: quantile"]).mean()
    assert abs(beyond - 0.1) < 4 * math.sqrt(0.09 / 20_000)


@pytest.mark.source("DR11-thm-private-sq-sample-complexity")
def test_the_exact_failure_is_that_of_simulated_answers():
    rng, k, n, runs = np.random.default_rng(1), 3, 40, 60_000
    means = rng.binomial(n, 0.5, size=(runs, k)) / n
    assert exact_failure(k, n, None, 0.1) == pytest.approx(
        (np.abs(means - 0.5) > 0.1 + 1e-12).any(axis=1).mean(), abs=4 * 0.5 / math.sqrt(runs)
    )
    noisy = means + rng.laplace(scale=k / n, size=means.shape)
    assert exact_failure(k, n, 1.0, 0.1) == pytest.approx(
        (np.abs(noisy - 0.5) > 0.1).any(axis=1).mean(), abs=4 * 0.5 / math.sqrt(runs)
    )


@pytest.mark.source("DR11-thm-private-sq-sample-complexity")
def test_promised_sizes_are_enough_and_exact_ones_are_exact():
    table = experiments.bound_and_need([3, 30], 0.1, 1.0, 0.05)
    assert (table["failure at sum"] <= 0.05).all()
    assert (table["exact"] < table["sum"]).all()
    assert (table["sum"] <= table["halves"]).all()
    for k, need in zip(table["k"], table["exact"], strict=True):
        assert (
            exact_failure(int(k), int(need), 1.0, 0.1)
            <= 0.05
            < exact_failure(int(k), int(need) - 1, 1.0, 0.1)
        )


@pytest.mark.source("DR11-rem-sq-comparison")
def test_prices_are_ratios_of_sizes_and_depend_on_alpha_k_alone():
    table = experiments.prices([1.0, 5.0], [10, 1000], 1.0, 0.05).set_index(["curve", "product"])["price"]
    ratio = bounds.private_sq_sample_size(10, 0.5, 1.0, 0.05) / bounds.sq_sample_size(10, 0.5, 0.05)
    assert table["fixed, k = 10"][5.0] == ratio
    assert table["fixed, k = 10"][1.0] == pytest.approx(table["fixed, k = 1000"][1.0], rel=0.05)
    assert (table["batches, k = 1000"] < 1.2).all()
    sizes = experiments.sample_sizes([10], 0.1, 1.0, 0.5, 0.05).set_index("curve")["n_samples"]
    assert sizes["batches"] == 10 * sizes["fixed"]


@pytest.mark.erratum("DR11-thm-private-sq-sample-complexity")
def test_all_published_violations_are_violations():
    table = experiments.violations(0.05)
    assert (table["error / alpha"] > 1.2).all()
    assert (table["P(error > alpha) at least"] > 0.75).all()
    runs = experiments.simulated_runs(202, 450, n_runs=20, mode="reuse", seed=1)
    assert (runs > 0.1).all()
    fresh = experiments.simulated_runs(22, 2200, n_runs=30, mode="split", seed=1)
    assert np.abs(fresh).max() <= bounds.sq_accuracy(22, 2200, 0.05, adaptive=True)


def test_mean_errors_of_batches_and_of_private_answers_are_those_of_draws():
    rng = np.random.default_rng(0)
    means = rng.binomial(30, 0.5, size=200_000) / 30 - 0.5
    assert _mean_size(30, 0.0) == pytest.approx(np.abs(means).mean(), abs=0.001)
    noisy = np.abs(means + rng.laplace(scale=0.2, size=means.size))
    assert _mean_size(30, 0.2) == pytest.approx(noisy.mean(), abs=4 * noisy.std() / math.sqrt(means.size))
    runs = experiments.simulated_runs(22, 300, n_runs=300, mode="reuse", epsilon=2.0, seed=0)
    hidden = overfitting_bias(21, 300, noise_scale=22 / 600)
    assert abs(runs.mean() - hidden) < 4 * runs.std() / math.sqrt(len(runs))
    table = experiments.last_answers(22, [300], 2.0, 0.05).set_index("curve")["error"]
    assert table["one sample, private"] <= np.abs(runs).mean() + 4 * runs.std() / math.sqrt(len(runs))


@pytest.mark.source("DR11-rem-parity")
def test_the_sixteen_at_once_correlate_with_every_parity_once():
    shifts = np.array([parity_truths(query, 6)[1] - 0.5 for query in sixteen_at_once(6)])
    assert (np.abs(np.abs(shifts).sum(axis=0) - 0.125) < 1e-12).all()
    assert ((np.abs(shifts) > 0.1).sum(axis=1) == 16).all()


@pytest.mark.source("DR11-rem-parity")
def test_no_learner_beats_the_bound_on_parities_left():
    table = experiments.parities_left(8, 0.1, list(range(0, 12, 3))).pivot(
        index="n_queries", columns="curve", values="left"
    )
    assert (table["one parity at a time"] >= table["no learner below"]).all()
    assert (table["sixteen at once"] >= table["no learner below"]).all()
    assert table["sixteen at once"].tolist() == [256, 208, 160, 112]
    most = experiments.most_ruled_out([2, 3], [0.1, 0.2, 0.24999, 0.3])
    assert (most[["d = 2", "d = 3"]].max(axis=1) <= most["bound"]).all()
    assert most["d = 2"][2] == most["bound"][2] == 4


@pytest.mark.source("DR11-rem-parity")
def test_the_exact_failure_of_the_parity_learner_is_a_sum_over_samples():
    d, n, epsilon = 2, 5, 1.0
    plan = parity_bounds.parity_plan(epsilon)
    cube = np.array(list(product([False, True], repeat=d)))
    wrong = 0.0
    for rows in multisets(1 << d, n):
        counts = np.bincount(rows, minlength=1 << d)
        weight = math.exp(math.lgamma(n + 1) - sum(math.lgamma(c + 1) for c in counts)) / 4.0**n
        law = parity_law(cube[rows], cube[rows, 0], epsilon).pmf()
        wrong += weight * (1 - plan.abort - law[1])
    assert experiments.exact_parity_failure(d, n, plan.sampling_rate) == pytest.approx(
        wrong / (1 - plan.abort)
    )
    table = experiments.parity_failures(3, 1.0, [4, 30], 4).set_index(["n_samples", "curve"])["failure"]
    assert table[4, "subsample, sharp"] <= table[4, "sharp, promised"]
    assert table[30, "sharp, promised"] < table[30, "subsample, sharp"] + 0.01
    assert (4, "exponential mechanism") in table.index
    assert (30, "exponential mechanism") not in table.index


@pytest.mark.source("DR11-rem-parity")
def test_audits_of_the_parity_learner_are_sharp():
    table = experiments.parity_audits([0.4, 2.5], 1, 3)
    assert table["exact, sharp"].to_numpy() == pytest.approx(table["epsilon"], rel=1e-9)
    source = np.log((1 + table["epsilon"] / 4) / (1 - table["epsilon"] / 4))
    assert table["exact, source"].to_numpy() == pytest.approx(source, rel=1e-9)


def test_vectorised_stumps_follow_the_law_of_the_learner():
    rng = np.random.default_rng(0)
    stumps, X, y = DecisionStumps([[0.3, 0.6]]), rng.random((30, 1)), rng.random(30) < 0.5
    draws, epsilon = 1200, 0.4
    fast = experiments.chosen_stumps(stumps.mistakes(X, y), 30, "Laplace, ε", epsilon, draws, rng)
    learner = StumpSQLearner(stumps)
    slow = [learner.run(PrivateSQOracle(X, y, n_queries=2, epsilon=epsilon, rng=rng)) for _ in range(draws)]
    seen, other = (np.bincount(chosen, minlength=4) / draws for chosen in (fast, slow))
    assert (np.abs(seen - other) < 5 * np.sqrt(0.5 / draws)).all()


def test_tumours_end_at_the_accuracy_without_privacy_and_begin_at_a_coin():
    how = {"n_cuts": 4, "n_splits": 3, "n_draws": 60, "seed": 0}
    table = experiments.tumours([1e-6, 1e5], **how).set_index(["epsilon", "curve"])
    accuracy = table["accuracy"]
    assert accuracy[1e-6, "exponential mechanism, ε"] == pytest.approx(0.5, abs=1e-3)
    for name in ("queries, Laplace, ε", "queries, Gauss, ρ = ε²/2"):
        assert abs(accuracy[1e-6, name] - 0.5) < 5 * table["error"][1e-6, name]
        assert accuracy[1e5, name] == pytest.approx(accuracy[1e5, "no privacy"], abs=0.01)
    assert load_breast_cancer().X.shape == (569, 30)
