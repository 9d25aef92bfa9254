"""What the chapter on generalisation computes: orders, exact values, and the errata they show."""

from math import comb, exp, inf, log, sqrt, tanh

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import learnability
from privml.learnability import (
    LearningProblem,
    coin_problem,
    exponential_learner,
    thresholds_problem,
)
from tests.chapters import generalisation_for_free_functions as functions
from tests.chapters.checkers import checkers

chapter = chapter_module("generalisation-for-free")


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_gaps_are_in_order(epsilon):
    _, stability, bound, memoriser, coin = functions.mean_gaps(epsilon)
    assert coin < memoriser < bound < stability
    assert memoriser / bound > 0.998


@pytest.mark.source("S16-rem-recap")
def test_no_learner_is_above_its_bound_and_response_among_three_is_on_it():
    cuts, truth = thresholds_problem(2), np.full((3, 3), 1 / 6) + np.eye(3) / 2
    cases = [
        (5, cuts, exponential_learner(cuts, 1.0)),
        (2, *functions.memoriser(5, 2, 1.0)),
    ]
    cases.append(
        (1, LearningProblem(1 - np.eye(3)), lambda counts: np.asarray(counts) @ truth)
    )
    for case in cases:
        _, _, variation, gap, bound = functions.worst_gap(*case)
        assert gap <= min(bound, variation) + 1e-12
    assert gap == pytest.approx(bound)


@pytest.mark.source("WLF16-lem-38")
def test_what_is_remembered_is_within_the_range_of_log_odds():
    table = functions.log_odds(1.0, 4)
    assert (np.diff(table[["lower", "remembered", "upper"]], axis=1) >= 0).all()
    assert table["probability"].sum() == pytest.approx(1)
    assert (table["remembered"] < table["risk"]).all()


@pytest.mark.source("WLF16-lem-38")
def test_tails_are_in_order_wherever_they_say_something():
    ones = 0
    for tau in np.linspace(0.05, 0.4, 8):
        _, coin, memoriser, bound, printed, monitor, with_delta = functions.tails(
            1000, 0.2, tau, 1e-6
        )
        assert max(coin, memoriser) <= bound <= min(printed, monitor)
        assert monitor <= with_delta
        ones += printed == 1
    assert ones >= 7


@pytest.mark.source("WLF16-lem-38")
@pytest.mark.parametrize("tau", [0.05, 0.2])
def test_records_are_in_order(tau):
    _, fixed, pure, printed, monitor, with_delta = functions.records_needed(
        tau, 0.05, 1e-9
    )
    assert fixed < pure < monitor < printed
    assert monitor <= with_delta


@pytest.mark.source("S16-rem-monitor")
def test_the_monitor_catches_what_is_not_private_and_only_that():
    coin = coin_problem()
    upper = tanh(0.2 / 4)
    for runs in (1, 10, 1000):
        for law, private in (
            (exponential_learner(coin, 0.1), True),
            (learnability.erm_learner(coin), False),
        ):
            largest, chosen = functions.monitored_coin(law, 50, 0.1, runs)
            assert largest - log(runs + 1) / (0.1 * 50) <= chosen <= largest
            assert chosen <= upper or not private
    assert chosen > upper


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize("eta", [0.1, 1.0])
def test_the_monitor_spends_no_more_than_promised(eta):
    _, spent, promised = functions.monitor_audit(
        exponential_learner(coin_problem(), 1.0), 5, eta
    )
    assert 0.7 * promised <= spent <= promised + 1e-12


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("k", [21, 101])
def test_simulated_errors_agree_with_exact_means_and_keep_their_promises(k):
    promises = {}
    for answers in ("reuse", "gaussian", "laplace", "split"):
        *_, mean, spread, rms, promised, truth = functions.game(k, 200, answers, 60, 1)
        assert np.isnan(truth) or abs(mean - truth) <= 4 * spread
        assert rms <= 1.3 * promised
        promises[answers] = promised
    assert promises["reuse"] == inf
    assert promises["laplace"] > promises["gaussian"]


@pytest.mark.source("S16-rem-recap")
def test_bias_and_noise_of_laplace_answers_trade_off():
    rows = np.array(
        [functions.sweep_row(101, 1000, noise) for noise in (0.001, 0.01, 0.1)]
    )
    assert (np.diff(rows[:, 1]) < 0).all()
    assert (rows[:, 1] <= rows[:, 3]).all()


@pytest.mark.source("S16-rem-recap")
@pytest.mark.erratum("S16-rem-recap")
def test_the_printed_rate_drowns_the_answers():
    m, k, tau = 10_000, 100, 0.1
    assert sqrt(k * (2 * tau / sqrt(k)) ** 2 / 4) == pytest.approx(
        tau
    )  # Pinsker, sqrt(rho / 2)
    assert 1 / (2 * tau / sqrt(k) * m) == pytest.approx(0.005)
    assert 1 / (tau / sqrt(k * m) * m) == pytest.approx(1.0)


@pytest.mark.source("WLF16-rem-appB")
@pytest.mark.erratum("WLF16-rem-appB")
def test_the_routes_part():
    rows = np.array([functions.routes(m) for m in (10**4, 10**6, 10**8)])
    _, truth, aerm, stability, tail, printed = rows.T
    assert (truth <= stability).all()
    assert (stability < tail).all()
    slopes = np.diff(np.log(rows[:, 3:5]), axis=0) / log(100)
    np.testing.assert_allclose(slopes[:, 0], -2 / 3, atol=1e-3)
    assert (slopes[:, 1] > -0.5).all()
    assert (np.diff(printed / tail) > 0).all()
    floors = [functions.lemma_floor(m) for m in (10**4, 10**6, 10**8)]
    np.testing.assert_allclose((tail - aerm)[1:], floors[1:])


def memory(laws, losses, p, tilt=True):
    c = np.arange(len(laws))
    m = len(laws) - 1
    weights = np.array([comb(m, k) for k in c]) * p**c * (1 - p) ** (m - c)
    joint = weights[:, None] * (laws if tilt else np.ones_like(laws))
    empirical = np.outer(1 - c / m, losses[:, 0]) + np.outer(c / m, losses[:, 1])
    return (joint * empirical).sum(axis=0) / joint.sum(axis=0)


def play(k, m, sigma, seed, reuse=False):
    rng = np.random.default_rng(seed)
    agree = rng.integers(0, 2, (m, k))
    noise = 0 if reuse else sigma
    signs = np.sign(agree.mean(axis=0) + noise * rng.standard_normal(k) - 0.5) + 1e-9
    return ((2 * agree - 1) @ signs > 0).mean() + sigma * rng.standard_normal() - 0.5


def rare(counts, share=0.1):
    erm = np.eye(3)[(counts[:, 1] < counts[:, 0]).astype(int)]
    return share * erm + (1 - share) * np.eye(3)[2]


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "response_gap": [
            (lambda K, epsilon: exp(epsilon) / (exp(epsilon) + K - 1) - 1 / K, None),
            (lambda K, epsilon: tanh(epsilon / 4), "the exact gap is"),
        ],
        "memory": [
            (memory, None),
            (
                lambda laws, losses, p: memory(laws, losses, p, tilt=False),
                "given hypothesis",
            ),
            (lambda laws, losses, p: memory(laws, losses, p)[:1], "got shape"),
        ],
        "best_noise": [
            (0.095, None),
            (0.106, "and with another sigma"),
            (0.02, "above 3/4"),
        ],
        "noisy_analyst": [
            (play, None),
            (lambda *args: play(*args, reuse=True), "the mean error is near"),
        ],
        "stable_overfitter": [
            (rare, None),
            (lambda counts: rare(counts, 0.2), "total variation is 0.2000"),
            (lambda counts: rare(counts, 0.05), "overfits by 1/4"),
            (lambda counts: rare(counts)[:, [1, 0, 2]], "overfits by 1/4"),
        ],
    },
    chapter,
)
