"""What the chapter on statistical queries claims, each number against another way to compute it."""

import math
from itertools import product

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.adjacency import multisets
from privml.bounds import statistical_queries as bounds
from privml.bounds.statistical_queries import overfitting_bias
from privml.datasets import load_breast_cancer
from privml.hypotheses import DecisionStumps
from privml.learners.statistical_queries import (
    PrivateSQOracle,
    StumpSQLearner,
    parity_distribution,
)
from privml.results.mushrooms_stumps import split_counts
from tests.chapters import statistical_queries_functions as functions
from tests.chapters.checkers import checkers, several

chapter = chapter_module("statistical-queries")


@pytest.mark.source("DR11-def-11.5")
def test_no_adversary_does_more_harm_than_promised_and_some_do_as_much():
    table = functions.worst_errors([0.02, 0.06], 400, seed=3)
    for name in ("conjunctions", "stumps"):
        ratio = table[f"{name}, worst found"] / table[f"{name}, promised"]
        assert (ratio <= 1 + 1e-7).all()
        assert (ratio > 0.9).all()


@pytest.mark.source("DR11-alg-private-sq-oracle")
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_audits_of_the_oracle_attain_epsilon_and_never_exceed_it(epsilon):
    for mode in ("reuse", "split"):
        assert functions.density_audit(epsilon, 3, mode) == pytest.approx(
            epsilon, rel=1e-9
        )
        assert (
            0.5 * epsilon
            < functions.transcript_audit(epsilon, 3, mode)
            <= epsilon * (1 + 1e-9)
        )


@pytest.mark.source("DR11-lem-laplace-worst-case")
def test_noise_of_answers_are_the_scales_of_the_oracle_times_known_quantiles():
    table = functions.noise_of_answers(500, 1.0, 0.5, 20, 0.1)
    data = np.zeros((500, 1)), np.zeros(500, dtype=bool)
    pure = PrivateSQOracle(*data, n_queries=20, epsilon=1.0).scale
    shared = PrivateSQOracle(*data, n_queries=20, rho=0.5).scale
    sigma = PrivateSQOracle(*data, n_queries=20, rho=0.5, noise="gaussian").scale
    assert table["Laplace, ε: mean"] == pytest.approx(
        pure * sum(1 / i for i in range(1, 21))
    )
    single = 1 - 0.9 ** (1 / 20)
    assert table["Laplace, ε: quantile"] == pytest.approx(-pure * math.log(single))
    assert table["Laplace, ρ: quantile"] == pytest.approx(-shared * math.log(single))
    draws = np.abs(np.random.default_rng(0).normal(scale=sigma, size=(20_000, 20))).max(
        axis=1
    )
    assert abs((draws > table["Gauss, ρ: quantile"]).mean() - 0.1) < 4 * math.sqrt(
        0.09 / 20_000
    )


@pytest.mark.source("DR11-thm-private-sq-sample-complexity")
def test_the_exact_failure_is_that_of_simulated_answers():
    rng, k, n, runs = np.random.default_rng(1), 3, 40, 60_000
    means = rng.binomial(n, 0.5, size=(runs, k)) / n
    noisy = means + rng.laplace(scale=k / n, size=means.shape)
    seen = (np.abs(noisy - 0.5) > 0.1).any(axis=1).mean()
    assert functions.exact_failure(k, n, 1.0, 0.1) == pytest.approx(
        seen, abs=4 * 0.5 / math.sqrt(runs)
    )


@pytest.mark.source("DR11-thm-private-sq-sample-complexity")
def test_promised_sizes_are_enough_and_exact_ones_are_exact():
    for k in (3, 30):
        halves, total = (
            chapter.private(k, 0.1, 1.0, 0.05, form=f) for f in ("halves", "sum")
        )
        need = functions.exact_size(k, 1.0, 0.1, 0.05)
        assert need < total <= halves
        assert functions.exact_failure(k, total, 1.0, 0.1) <= 0.05
        at, below = (functions.exact_failure(k, n, 1.0, 0.1) for n in (need, need - 1))
        assert at <= 0.05 < below


@pytest.mark.source("DR11-rem-sq-comparison")
def test_prices_are_ratios_of_sizes_and_depend_on_alpha_k_alone():
    table = functions.prices([1.0, 5.0], [10, 1000], 1.0, 0.05).set_index("product")
    ratio = chapter.private(10, 0.5, 1.0, 0.05) / chapter.free(10, 0.5, 0.05)
    assert table["fixed, k = 10"][5.0] == ratio
    assert table["fixed, k = 10"][1.0] == pytest.approx(
        table["fixed, k = 1000"][1.0], rel=0.05
    )
    assert (table["batches, k = 1000"] < 1.2).all()
    assert math.isnan(functions.price(5.0, 5, 1.0, 0.05))  # alpha is 1 there
    sizes = functions.sample_sizes(10, 0.1, 1.0, 0.5, 0.05)
    assert sizes["batches"] == 10 * sizes["fixed"]


@pytest.mark.erratum("DR11-thm-private-sq-sample-complexity")
def test_all_published_violations_are_violations():
    for case in (
        (202, "1/10", False),
        (1002, "1/10", False),
        (202, "1/k", False),
        (402, "1/k", True),
    ):
        *_, ratio, chance = functions.violation(*case)
        assert ratio > 1.2
        assert chance > 0.75
    assert (
        chapter.simulated_runs(202, 450, n_runs=20, mode="reuse", seed=1) > 0.1
    ).all()
    fresh = chapter.simulated_runs(22, 2200, n_runs=30, mode="split", seed=1)
    assert np.abs(fresh).max() <= bounds.sq_accuracy(22, 2200, 0.05, adaptive=True)


def test_mean_errors_of_batches_and_of_private_answers_are_those_of_draws():
    rng = np.random.default_rng(0)
    means = rng.binomial(30, 0.5, size=200_000) / 30 - 0.5
    assert functions.mean_size(30, 0.0) == pytest.approx(
        np.abs(means).mean(), abs=0.001
    )
    noisy = np.abs(means + rng.laplace(scale=0.2, size=means.size))
    error = noisy.std() / math.sqrt(means.size)
    assert functions.mean_size(30, 0.2) == pytest.approx(noisy.mean(), abs=4 * error)
    errors = []
    for stream in np.random.default_rng(0).spawn(300):
        bits, labels = (
            stream.integers(0, 2, size=(300, 21), dtype=np.int8),
            stream.random(300) < 0.5,
        )
        oracle = PrivateSQOracle(
            bits, labels, n_queries=22, epsilon=2.0, mode="reuse", rng=stream
        )
        errors.append(chapter.last_answer_of(oracle, 21) - 0.5)
    runs = np.array(errors)
    hidden = overfitting_bias(21, 300, noise_scale=22 / 600)
    assert abs(runs.mean() - hidden) < 4 * runs.std() / math.sqrt(len(runs))
    table = functions.last_answer(22, 300, 2.0, 0.05)
    assert table["one sample, private"] <= np.abs(
        runs
    ).mean() + 4 * runs.std() / math.sqrt(len(runs))


@pytest.mark.source("DR11-rem-parity")
def test_the_sixteen_at_once_correlate_with_every_parity_once():
    shifts = np.array(
        [
            functions.parity_truths(query, 6)[1] - 0.5
            for query in functions.sixteen_at_once(6)
        ]
    )
    assert (np.abs(np.abs(shifts).sum(axis=0) - 0.125) < 1e-12).all()
    assert ((np.abs(shifts) > 0.1).sum(axis=1) == 16).all()


@pytest.mark.source("DR11-rem-parity")
def test_no_learner_beats_the_bound_on_parities_left():
    counts, ruled_out = [0, 3, 6, 9], functions.parities_ruled_out(0.1)
    learners = functions.single_parities, functions.sixteen_at_once
    one, many = (functions.parities_left(8, 0.1, counts, ask) for ask in learners)
    assert (np.array([one, many]) >= [256 - k * ruled_out for k in counts]).all()
    assert many == [256, 208, 160, 112]
    tolerances = [0.1, 0.2, 0.24999, 0.3]
    limits = [functions.parities_ruled_out(tau) for tau in tolerances]
    most = {d: functions.most_ruled_out(d, tolerances) for d in (2, 3)}
    assert all(
        found <= limit
        for d in most
        for found, limit in zip(most[d], limits, strict=True)
    )
    assert most[2][2] == limits[2] == 4


@pytest.mark.source("DR11-rem-parity")
def test_the_exact_failure_of_the_parity_learner_is_a_sum_over_samples():
    d, n, epsilon = 2, 5, 1.0
    plan = bounds.parity_plan(epsilon)
    cube = np.array(list(product([False, True], repeat=d)))
    wrong = 0.0
    for rows in multisets(1 << d, n):
        counts = np.bincount(rows, minlength=1 << d)
        weight = (
            math.exp(math.lgamma(n + 1) - sum(math.lgamma(c + 1) for c in counts))
            / 4.0**n
        )
        wrong += weight * (
            1
            - plan.abort
            - parity_distribution(cube[rows], cube[rows, 0], epsilon).pmf()[1]
        )
    assert functions.wrong_parity(d, n, plan.sampling_rate) == pytest.approx(
        wrong / (1 - plan.abort)
    )
    few, many = (
        functions.parity_failures(m, 1.0, largest_enumerated=4) for m in (4, 30)
    )
    assert few["subsample, sharp"] <= few["sharp, promised"]
    assert many["sharp, promised"] < many["subsample, sharp"] + 0.01
    assert 0 < few["exponential mechanism"] < 1
    assert math.isnan(many["exponential mechanism"])


@pytest.mark.source("DR11-rem-parity")
def test_audits_of_the_parity_learner_are_sharp():
    for epsilon in (0.4, 2.5):
        found = functions.parity_audit(epsilon, "sharp") | functions.parity_audit(
            epsilon, "source"
        )
        assert found["exact, sharp"] == pytest.approx(epsilon, rel=1e-9)
        exact = math.log((1 + epsilon / 4) / (1 - epsilon / 4))
        assert found["exact, source"] == pytest.approx(exact, rel=1e-9)


def test_vectorised_stumps_follow_the_law_of_the_learner():
    rng = np.random.default_rng(0)
    stumps, X, y = (
        DecisionStumps([[0.3, 0.6]]),
        rng.random((30, 1)),
        rng.random(30) < 0.5,
    )
    draws, epsilon = 1200, 0.4
    fast = functions.chosen_stumps(
        stumps.mistakes(X, y), 30, "laplace", epsilon, draws, rng
    )
    learner = StumpSQLearner(stumps)
    slow = [
        learner.run(PrivateSQOracle(X, y, n_queries=2, epsilon=epsilon, rng=rng))
        for _ in range(draws)
    ]
    seen, other = (np.bincount(chosen, minlength=4) / draws for chosen in (fast, slow))
    assert (np.abs(seen - other) < 5 * np.sqrt(0.5 / draws)).all()


def test_tumours_end_at_the_accuracy_without_privacy_and_begin_at_a_coin():
    splits = split_counts(
        load_breast_cancer(), DecisionStumps.on_grid(30, 0.0, 1.0, 4), 3, 0
    )
    table = functions.tumours(
        splits, 398, [1e-6, 1e5], 60, np.random.default_rng(0)
    ).set_index(["epsilon", "curve"])
    accuracy = table["accuracy"]
    assert accuracy[1e-6, "exponential mechanism, ε"] == pytest.approx(0.5, abs=1e-3)
    for name in ("queries, Laplace, ε", "queries, Gauss, ρ = ε²/2"):
        assert abs(accuracy[1e-6, name] - 0.5) < 5 * table["error"][1e-6, name]
        assert accuracy[1e5, name] == pytest.approx(
            accuracy[1e5, "no privacy"], abs=0.01
        )
    assert load_breast_cancer().X.shape == (569, 30)


def blocks(epsilon, beta, share=2):
    return max(
        1,
        math.ceil(math.log(beta / share) / math.log(bounds.parity_plan(epsilon).abort)),
    )


def gradient_plan(d, R, alpha):
    return math.ceil(4 * R**2 * d / alpha**2), alpha / (8 * R * math.sqrt(d))


def ones(X, y):
    return y


def test_the_forgetful_oracle_charges_new_queries_only():
    oracle = chapter.Forgetful(
        [[0], [1]], [True, False], n_queries=2, epsilon=1.0, rng=0
    )
    for _ in range(5):
        oracle.answer(ones)
    oracle.answer(lambda X, y: ~y)
    assert oracle.n_answered == 2
    with pytest.raises(ValueError, match="n_queries must be at least 3"):
        oracle.answer(lambda X, y: y)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "conjunctions": [
            (lambda d, alpha: alpha / (2 * d), None),
            (lambda d, alpha: alpha / d, "an adversary can cause"),
            (lambda d, alpha: alpha / (4 * d), "a larger one is enough"),
        ],
        "gradient": [
            (gradient_plan, None),
            (lambda d, R, a: (gradient_plan(d, R, a)[0] * 4, a / 20 / R / d), None),
            (
                lambda d, R, a: (gradient_plan(d, R, a)[0] // 9 + 1, a / 20 / R / d),
                "bound on the excess loss",
            ),
            (lambda d, R, a: (gradient_plan(d, R, a)[0], a / R), "excess loss"),
            (lambda d, R, a: (4 * d * (R / a) ** 2 + 0.5, a / 20), "whole number"),
            (lambda d, R, a: (gradient_plan(d, R, a)[0], 0.0), "must be positive"),
        ],
        "second_chances": [
            (blocks, None),
            (lambda e, b: blocks(e, b) + 1, "would do"),
            (lambda e, b: blocks(e, b, share=1), "above β / 2"),
            (
                lambda e, b: max(1, math.ceil(math.log(b / 2) / math.log(1 / 2))),
                "would do",
            ),
        ],
        "rounding": [
            (
                lambda query, truth, tolerance: (
                    2 * tolerance * round(truth / (2 * tolerance))
                ),
                None,
            ),
            (lambda q, t, tau: tau * round(t / tau), "no multiple"),
            (lambda q, t, tau: 2 * tau * math.floor(t / (2 * tau)), "further than"),
            (lambda q, t, tau: round(t, 1), "no multiple|further"),
        ],
        "doubling": [
            (several(19.0, 0.2), None),
            (several(18.9, 0.2), "still"),
            (several(19.1, 0.2), "already"),
            (several(19.0, 0.1), "still"),
            (several(19.0, 0.3), "already"),
            (several(19.05, 0.2), "multiple"),
        ],
        "again": [
            (
                lambda oracle: (
                    np.mean([oracle.answer(ones) for _ in range(700)]) > 100.5 / 200
                ),
                None,
            ),
            (
                lambda oracle: oracle.answer(ones) > 100.5 / 200,
                "of 40 labels are right",
            ),
        ],
    },
    chapter,
)
