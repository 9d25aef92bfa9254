"""What the chapter on generalisation computes: orders, exact values, and the errata they show."""

from itertools import product
from math import comb, exp, inf, log, sqrt, tanh
from statistics import NormalDist

import numpy as np
import pytest

from book.tools.programme import tangled
from privml import learnability
from privml.divergences import gaussian_delta, hockey_stick
from privml.learnability import (
    LearningProblem,
    coin_problem,
    count_vectors,
    exact_privacy,
    exponential_law,
    neighbours,
    thresholds_problem,
)

chapter = tangled("generalisation-for-free")


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_gaps_are_in_order(epsilon):
    _, stability, bound, memoriser, coin = chapter.mean_gaps(epsilon)
    assert coin < memoriser < bound < stability
    assert memoriser / bound > 0.998


@pytest.mark.source("S16-rem-recap")
def test_no_learner_is_above_its_bound_and_response_among_three_is_on_it():
    cuts, truth = thresholds_problem(2), np.full((3, 3), 1 / 6) + np.eye(3) / 2
    cases = [(5, cuts, exponential_law(cuts, 1.0)), (2, *chapter.memoriser(5, 2, 1.0))]
    cases.append((1, LearningProblem(1 - np.eye(3)), lambda counts: np.asarray(counts) @ truth))
    for case in cases:
        _, _, variation, gap, bound = chapter.worst_gap(*case)
        assert gap <= min(bound, variation) + 1e-12
    assert gap == pytest.approx(bound)


@pytest.mark.source("WLF16-lem-38")
def test_what_is_remembered_is_within_the_range_of_log_odds():
    table = chapter.log_odds(1.0, 4)
    assert (np.diff(table[["lower", "remembered", "upper"]], axis=1) >= 0).all()
    assert table["probability"].sum() == pytest.approx(1)
    assert (table["remembered"] < table["risk"]).all()


@pytest.mark.source("WLF16-lem-38")
def test_tails_are_in_order_wherever_they_say_something():
    ones = 0
    for tau in np.linspace(0.05, 0.4, 8):
        _, coin, memoriser, bound, printed, monitor, with_delta = chapter.tails(1000, 0.2, tau, 1e-6)
        assert max(coin, memoriser) <= bound <= min(printed, monitor)
        assert monitor <= with_delta
        ones += printed == 1
    assert ones >= 7


@pytest.mark.source("WLF16-lem-38")
@pytest.mark.parametrize("tau", [0.05, 0.2])
def test_records_are_in_order(tau):
    _, fixed, pure, printed, monitor, with_delta = chapter.records_needed(tau, 0.05, 1e-9)
    assert fixed < pure < monitor < printed
    assert monitor <= with_delta


@pytest.mark.source("S16-rem-monitor")
def test_the_monitor_catches_what_is_not_private_and_only_that():
    coin = coin_problem()
    upper = tanh(0.2 / 4)
    for runs in (1, 10, 1000):
        for law, private in ((exponential_law(coin, 0.1), True), (learnability.erm_law(coin), False)):
            largest, chosen = chapter.monitored_coin(law, 50, 0.1, runs)
            assert largest - log(runs + 1) / (0.1 * 50) <= chosen <= largest
            assert chosen <= upper or not private
    assert chosen > upper


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize("eta", [0.1, 1.0])
def test_the_monitor_spends_no_more_than_promised(eta):
    _, spent, promised = chapter.monitor_audit(exponential_law(coin_problem(), 1.0), 5, eta)
    assert 0.7 * promised <= spent <= promised + 1e-12


def random_approximate_law(rng, n_records, n_samples, epsilon):
    """Some law on count vectors, and its exact delta at epsilon."""
    law = rng.dirichlet(np.full(3, 0.7), size=len(count_vectors(n_records, n_samples)))
    law = 0.5 * law + 0.5 * law.mean(axis=0)
    pairs = neighbours(n_records, n_samples)
    first, second = np.log(law[pairs[:, 0]]), np.log(law[pairs[:, 1]])
    return law, max(hockey_stick(first, second, epsilon).max(), hockey_stick(second, first, epsilon).max())


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize("seed", range(6))
def test_no_output_knows_more_than_the_direct_argument_allows(seed):
    rng = np.random.default_rng(seed)
    for epsilon in (0.05, 0.3, 1.0):
        law, delta = random_approximate_law(rng, 2, 3, epsilon)
        problem, p = LearningProblem(rng.random((3, 2))), rng.dirichlet([2.0, 2.0])
        probability, risk, empirical = chapter.remembered_risks(lambda counts, law=law: law, problem, p, 3)
        for gap in (empirical - risk, risk - empirical):
            for t in gap[gap > tanh(epsilon / 4) + 1e-9]:
                margin = t - np.expm1(epsilon) * (1 - t) ** 2 / 4
                assert probability[gap >= t].sum() <= delta / margin + 1e-12


def test_the_direct_argument_is_sharp_at_both_ends():
    """Randomised response among K kinds for delta = 0; a record published with probability delta."""
    K, epsilon, delta = 200, 2 * log(199), 1e-3
    gap = exp(epsilon) / (exp(epsilon) + K - 1) - 1 / K
    assert gap == pytest.approx(tanh(epsilon / 4), abs=1e-9)
    problem = LearningProblem(np.vstack([1 - np.eye(K), np.full(K, 0.5)]))
    confess = lambda counts: np.column_stack([delta * counts, np.full(len(counts), 1 - delta)])  # noqa: E731
    probability, risk, empirical = chapter.remembered_risks(confess, problem, np.full(K, 1 / K), 1)
    knows = risk - empirical >= 1 - 1 / K - 1e-9
    assert probability[knows].sum() == pytest.approx(delta)  # margin 1 at t = 1 - 1 / K, epsilon 0


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize(("m", "epsilon", "tau"), [(200, 0.2, 0.3), (1000, 0.05, 0.15), (60, 0.5, 0.6)])
def test_the_direct_bound_is_above_the_exact_tail_and_falls_as_it_should(m, epsilon, tau):
    law = exponential_law(coin_problem(), epsilon)
    exact = chapter.exact_generalisation_tail(law, coin_problem(), [0.5, 0.5], m, tau)
    bounds = [chapter.direct_tail(m, epsilon, tau, delta) for delta in (0.0, 1e-6, 1e-3)]
    assert exact <= bounds[0] <= bounds[1] <= bounds[2]
    assert bounds[1] >= 2 * 1e-6 / tau  # no more is left than all of tau
    assert chapter.direct_tail(4 * m, epsilon, tau, 1e-6) <= bounds[1]
    assert chapter.direct_tail(m, epsilon, tau, 1e-6) <= chapter.simple_tail(m, epsilon, tau, 1e-6)


def test_the_direct_bound_is_the_theorem_at_some_parameters():
    """By hand at one choice, which the grid must not be far above."""
    m, epsilon, tau, delta, eta = 100_000, 0.05, 0.1, 1e-9, 0.02
    a, c = 0.012, 0.002
    t = tau - 2 * a - c
    margin = t - (exp(epsilon + eta) - 1) * (1 - t) ** 2 / 4
    by_hand = exp(-a * eta * m) * (1 + 1 / (c * eta * m)) + 2 * delta / margin
    assert chapter.direct_tail(m, epsilon, tau, delta) < 1.05 * by_hand
    assert chapter.direct_tail(m, epsilon, tau, delta) < chapter.monitor_tail(m, epsilon, tau, delta)


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("k", [21, 101])
def test_simulated_errors_agree_with_exact_means_and_keep_their_promises(k):
    promises = {}
    for answers in ("reuse", "gaussian", "laplace", "split"):
        *_, mean, spread, rms, promised, truth = chapter.game(k, 200, answers, 60, 1)
        assert np.isnan(truth) or abs(mean - truth) <= 4 * spread
        assert rms <= 1.3 * promised
        promises[answers] = promised
    assert promises["reuse"] == inf
    assert promises["laplace"] > promises["gaussian"]


@pytest.mark.source("S16-rem-recap")
def test_bias_and_noise_of_laplace_answers_trade_off():
    rows = np.array([chapter.sweep_row(101, 1000, noise) for noise in (0.001, 0.01, 0.1)])
    assert (np.diff(rows[:, 1]) < 0).all()
    assert (rows[:, 1] <= rows[:, 3]).all()


@pytest.mark.source("S16-rem-recap")
@pytest.mark.erratum("S16-rem-recap")
def test_the_printed_rate_drowns_the_answers():
    m, k, tau = 10_000, 100, 0.1
    assert sqrt(k * (2 * tau / sqrt(k)) ** 2 / 4) == pytest.approx(tau)  # Pinsker, sqrt(rho / 2)
    assert 1 / (2 * tau / sqrt(k) * m) == pytest.approx(0.005)
    assert 1 / (tau / sqrt(k * m) * m) == pytest.approx(1.0)


def test_answers_cross_at_the_number_of_queries_that_the_library_names():
    m = 22 * 21 * 1000
    better = [chapter.gaussian_answers(m, k)[2] < chapter.split_error(m, k) for k in (21, 22)]
    assert better == [False, True]


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.erratum("WLF16-ex-appB-mean", "WLF16-ex-appB-mean/2")
def test_centres_move_far_and_the_second_moment_rules():
    moved = [chapter.centre(n) for n in (10, 1000, 10**6)]
    assert np.round(moved, 3).tolist() == [0.439, 0.317, 0.177]
    for power, scale in ((2, 0.3), (10, 0.7), (10, 0.05)):
        noise = np.random.default_rng(0).laplace(0, scale, 400_000)
        drawn = np.abs(0.5 + noise) ** power - 0.5**power
        spread = drawn.std() / sqrt(len(drawn))
        assert abs(drawn.mean() - chapter.noise_excess(scale, power)) <= 4 * spread
    scale = 2 * 10 ** (-40 / 10)
    second = comb(10, 2) * 2 * scale**2 / 2**8
    assert second / chapter.noise_excess(scale, 10) == pytest.approx(1, abs=1e-3)


@pytest.mark.source("WLF16-rem-appB")
@pytest.mark.erratum("WLF16-rem-appB")
def test_the_routes_part():
    rows = np.array([chapter.routes(m) for m in (10**4, 10**6, 10**8)])
    _, truth, aerm, stability, tail, printed = rows.T
    assert (truth <= stability).all()
    assert (stability < tail).all()
    slopes = np.diff(np.log(rows[:, 3:5]), axis=0) / log(100)
    np.testing.assert_allclose(slopes[:, 0], -2 / 3, atol=1e-3)
    assert (slopes[:, 1] > -0.5).all()
    assert (np.diff(printed / tail) > 0).all()
    floors = [chapter.lemma_floor(m) for m in (10**4, 10**6, 10**8)]
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


CHECKS = {
    "response_gap": (
        (lambda K, epsilon: exp(epsilon) / (exp(epsilon) + K - 1) - 1 / K,),
        [((lambda K, epsilon: tanh(epsilon / 4),), "the exact gap is")],
    ),
    "memory": (
        (memory,),
        [
            ((lambda laws, losses, p: memory(laws, losses, p, tilt=False),), "tells of"),
            ((lambda laws, losses, p: memory(laws, losses, p)[:1],), "got shape"),
        ],
    ),
    "choose_runs": (
        (177, 400),
        [
            ((176, 400), "not the smallest"),
            ((177, 5), "lower bound does not exceed"),
            ((177, 0), "must be positive"),
        ],
    ),
    "noisy_analyst": ((play,), [((lambda *args: play(*args, reuse=True),), "the mean error is near")]),
    "stable_overfitter": (
        (rare,),
        [
            ((lambda counts: rare(counts, 0.2),), "total variation is 0.2000"),
            ((lambda counts: rare(counts, 0.05),), "overfits by 1/4"),
            ((lambda counts: rare(counts)[:, [1, 0, 2]],), "overfits by 1/4"),
        ],
    ),
}


@pytest.mark.source("S16-rem-recap", "WLF16-lem-38", "S16-rem-monitor")
@pytest.mark.parametrize("name", CHECKS)
def test_a_checker_takes_the_solution_and_refuses_wrong_answers(name):
    right, wrongs = CHECKS[name]
    checker = getattr(chapter, f"check_{name}")
    checker(*right)
    for wrong, hint in wrongs:
        with pytest.raises(AssertionError, match=hint):
            checker(*wrong)


def test_the_audit_of_the_memoriser_is_its_epsilon():
    assert exact_privacy(chapter.memoriser(5, 2, 1.0)[1], 5, 2).value == pytest.approx(1.0)


def exact_answers(rng, n_samples):
    """A law of transcripts with an answer and a loss each, and its exact delta at some epsilon."""
    epsilon = rng.uniform(0.02, 0.6)
    law, delta = random_approximate_law(rng, 2, n_samples, epsilon)
    return epsilon, delta, law, rng.random((3, 2)), rng.random(3)


@pytest.mark.parametrize("seed", range(8))
def test_the_transfer_theorem_holds_exactly_in_small_universes(seed):
    """Every c and d of a grid: the probability of an answer that is wrong on the population."""
    rng, n_samples = np.random.default_rng(seed), 3
    epsilon, delta, law, queries, answers = exact_answers(rng, n_samples)
    counts, p = count_vectors(2, n_samples), rng.dirichlet([2.0, 2.0])
    joint = learnability.sample_probabilities(counts, p)[:, None] * law
    on_sample, on_population = counts @ queries.T / n_samples, queries @ p
    for alpha, c, d in product((0.02, 0.1, 0.3), (0.01, 0.1, 0.4), (0.01, 0.1, 0.4)):
        missed = joint[np.abs(answers - on_sample) > alpha].sum()
        wrong = np.abs(answers - on_population) > alpha + np.expm1(epsilon) / 4 + c + d
        assert joint.sum(axis=0)[wrong].sum() <= missed / c + delta / d + 1e-12


def test_the_conditional_mean_of_the_noise_is_lighter_than_the_noise():
    """One query of 20 fair coins with Gaussian noise: E[N | answer] by Bayes, on a fine grid of answers."""
    m, sigma = 20, 0.1
    shares, weights = np.arange(m + 1) / m, np.array([comb(m, c) for c in range(m + 1)]) / 2.0**m
    answers = np.linspace(-1, 2, 30_001)
    joint = weights * np.exp(-(((answers[:, None] - shares) / sigma) ** 2) / 2)
    density = joint.sum(axis=1)
    noise = answers - joint @ shares / density
    density /= density.sum()
    for b in (0.02, 0.05, 0.1, 0.2):
        assert density[noise >= b].sum() <= exp(-(b**2) / (2 * sigma**2))


def test_the_best_c_and_d_are_those_of_cauchy_and_schwarz():
    m, k = 60_000, 100
    failure, epsilon, delta = chapter.transfer(m, k)
    place = np.unravel_index(failure.argmin(), failure.shape)
    room, width = chapter.ROOM[place[0], 0, 0], chapter.WIDTH[place[1], 0]
    left = (1 - room) * chapter.TAU - np.expm1(epsilon[place[0], 0, place[2]])
    missed = 2 * k * (1 - NormalDist().cdf(width))
    c = np.linspace(0, left, 100_001)[1:-1]
    assert (missed / c + 2 * delta[place] / (left - c)).min() == pytest.approx(failure[place], rel=1e-6)


def test_the_privacy_curve_of_the_answers_is_that_of_the_library():
    m, k, epsilon = 20_000, 256, np.full((1, 1, 1), 0.1)
    mu = sqrt(k) * chapter.WIDTH / (chapter.ROOM * chapter.TAU * m)
    np.testing.assert_allclose(chapter.leak(m, k, epsilon), gaussian_delta(0.1, mu), rtol=1e-6, atol=1e-13)


@pytest.mark.parametrize("name", list(chapter.THEOREMS))
def test_the_grid_misses_little_and_the_counts_are_smallest(name):
    """A grid twice as fine in each direction asks for less than two percent fewer records."""
    k = 256
    found = chapter.records(name, k)
    theorem = chapter.THEOREMS[name]
    assert theorem(found, k)[0].min() <= chapter.BETA < theorem(found - 1, k)[0].min()
    room = np.linspace(0.04, 0.96, 47)[:, None, None]
    finer = {"ROOM": room, "REST": (1 - room) * chapter.TAU, "WIDTH": np.linspace(1.5, 7.5, 47)[:, None]}
    finer |= {
        "SPENT": np.linspace(0.2, 0.98, 47),
        "RUNS": np.round(np.geomspace(10, 1000, 15))[:, None, None, None],
    }
    with pytest.MonkeyPatch.context() as patch:
        for key, value in finer.items():
            patch.setattr(chapter, key, value)
        assert theorem(found, k)[0].min() <= chapter.BETA < theorem(int(0.98 * found), k)[0].min()


def test_constants_are_in_order_at_every_number_of_queries():
    for k in (1, 64, 4096):
        count = {name: chapter.records(name, k) for name in chapter.THEOREMS}
        assert count["direct"] < count["Jung et al., our constants"] < count["Jung et al."] / 3
        assert count["direct"] < count["monitor"] < count["monitor, plain parts"] / 3
    assert chapter.pays_from("direct") < chapter.pays_from("monitor") < chapter.pays_from("Jung et al.")
