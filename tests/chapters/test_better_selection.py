"""Report noisy max: probabilities by integrals and draws, losses of all neighbours, streams, gaps, series."""

from fractions import Fraction
from itertools import product
from math import cosh, exp, log

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.integrate import quad
from scipy.optimize import linprog

from book.tools.chapter_code import chapter_module
from privml import DiscreteLaplace, ExponentialMechanism, PermuteAndFlip
from privml.divergences import hockey_stick, laplace_delta
from privml.mechanisms import Noise, transcript_log_probabilities
from tests.chapters.better_selection_functions import (
    best_failure,
    fresh_cells,
    gap_cells,
    gap_density,
    largest_loss,
    leads,
    optimum,
    runs,
    score_states,
    scores_near,
    stream_loss,
)
from tests.chapters.checkers import checkers

chapter = chapter_module("better-selection")
NOISES = {
    "Gumbel": stats.gumbel_r,
    "exponential": stats.expon,
    "Laplace": stats.laplace,
}


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
@pytest.mark.parametrize(
    "scores", [[0.0, 0.0], [1.3, -0.4, 0.0], [2.0, 1.0, 0.5, -3.0]]
)
def test_a_race_agrees_with_an_adaptive_integral_in_other_coordinates(noise, scores):
    scale = 1.7
    found = chapter.race(scores, noise, scale)
    for h, own in enumerate(scores):
        others = (np.delete(scores, h) - own) / scale

        def inner(s):
            return np.prod(noise.cdf(noise.ppf(s) - others))

        kinks = sorted({0.0, 0.5, 1.0, *noise.cdf(others)})
        value = sum(
            quad(inner, *ends, epsabs=1e-10)[0]
            for ends in zip(kinks[:-1], kinks[1:], strict=True)
        )
        assert found[h] == pytest.approx(value, abs=1e-8)
    assert found.sum() == pytest.approx(1, abs=1e-13)


FORMS = [(stats.gumbel_r, ExponentialMechanism), (stats.expon, PermuteAndFlip)]


@pytest.mark.parametrize(("noise", "form"), FORMS)
def test_two_of_the_races_are_the_mechanisms_of_the_library(noise, form):
    scores = [5.0, 4.5, 1.0, 5.0]
    known = form(epsilon=0.7, sensitivity=1.5).output_distribution(scores).pmf()
    assert chapter.race(scores, noise, 3 / 0.7) == pytest.approx(known, abs=1e-13)


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
def test_the_gap_agrees_with_draws(noise):
    scores, scale, edges, n = np.array([1.0, 0.0, 2.5]), 2.0, (0.0, 1.0, 3.0), 200_000
    noisy = scores + scale * noise.rvs(size=(n, 3), random_state=5)
    order = np.sort(noisy, axis=1)
    cells = (
        3 * noisy.argmax(axis=1)
        + np.searchsorted(edges, order[:, -1] - order[:, -2], side="right")
        - 1
    )
    law = gap_cells(scores, noise, scale, edges)
    assert law.sum() == pytest.approx(1, abs=1e-12)
    off = np.bincount(cells, minlength=9) - n * law
    assert np.abs(off / np.sqrt(n * law * (1 - law))).max() < 4.5


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
def test_the_gap_is_free_for_random_scores_and_moves(noise):
    rng, edges = np.random.default_rng(8), (0.0, 0.3, 1.0, 2.5, 6.0)
    for _ in range(12):
        k, epsilon = int(rng.integers(2, 6)), float(rng.uniform(0.2, 3))
        scores, moves = (
            rng.normal(scale=3, size=k),
            rng.choice([-1.0, 1.0, rng.uniform(-1, 1)], size=k),
        )
        here, there = (
            gap_cells(u, noise, 2 / epsilon, edges) for u in (scores, scores + moves)
        )
        seen = np.minimum(here, there) > 1e-9
        assert np.abs(np.log(here[seen] / there[seen])).max() <= epsilon + 1e-5


def test_the_density_of_the_gap_with_exponential_noise_is_that_of_the_proof():
    others, own, scale = np.array([0.2, -1.0, 0.5]), 1.4, 1.3
    for g in (0.6, 1.1):  # with the handicap above and below the best rival
        formula = gap_density(others, own - g, scale)
        h = 1e-4
        edges = (0.0, g - h, g + h)
        cells = gap_cells([own, *others], stats.expon, scale, edges)
        assert cells[1] / (2 * h) == pytest.approx(formula, rel=1e-6)


def test_rising_rivals_change_the_density_of_the_gap_as_little_as_the_proof_says():
    rng, largest, least = np.random.default_rng(3), 0.0, 0.0
    for _ in range(40):
        others, t = rng.normal(size=rng.integers(1, 6)), rng.uniform(0.1, 2)
        s = rng.normal()
        raised = others + t * rng.integers(0, 2, size=others.size)
        change = log(gap_density(raised, s, 1.0) / gap_density(others, s, 1.0)) / t
        largest, least = max(largest, change), min(least, change)
    assert -1 - 1e-9 <= least < -0.99  # all rivals rise, and all are above s
    assert 0.9 < largest <= 1 + 1e-9


def test_the_gap_takes_the_bounded_range_away_from_gumbel_noise():
    epsilon, edges = 1.0, (0.0, 1.0, 4.0, 12.0)
    states = np.array([0.0, 0.0]), np.array([-1.0, 1.0])
    won = [chapter.race(u, stats.gumbel_r, 2 / epsilon) for u in states]
    both = [gap_cells(u, stats.gumbel_r, 2 / epsilon, edges) for u in states]
    alone, together = (np.ptp(np.log(p) - np.log(q)) for p, q in (won, both))
    assert alone == pytest.approx(epsilon)
    assert together > 1.5 * epsilon


def test_two_options_with_exponential_noise_have_a_gap_like_that_of_laplace_noise():
    for s in (-0.7, 0.4, 2.0):
        laplace = stats.laplace.pdf(s, scale=1.7)
        assert gap_density(np.array([0.0]), s, 1.7) == pytest.approx(laplace)


def test_the_gap_of_a_wrong_winner_is_exponential():
    law = gap_cells([3.0, 0.0, 2.5], stats.expon, 2.0, (0.0, 2 * log(20))).reshape(3, 2)
    assert law[1:, 1] / law[1:].sum(axis=1) == pytest.approx([0.05, 0.05], rel=1e-10)
    assert law[0, 1] / law[0].sum() > 0.05


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
def test_the_planted_faults_are_caught(noise):
    states = leads(3, 2)
    fresh = largest_loss(lambda u: fresh_cells(u, noise, 2.0, (-4, 0, 4)), states)
    halved = largest_loss(lambda u: chapter.race(u, noise, 1.0), states)
    assert 1.5 < fresh <= 2 + 1e-9
    assert 1.5 < halved <= 2 + 1e-9


def sorted_states(scores):
    """Each vector of scores once up to the order of the options, as the programs of the chapter take them."""
    return sorted({tuple(sorted(map(int, s))) for s in scores})


def levels_near(change):
    """Each score moves by at most 1, and a common shift is a move like any other."""
    return np.abs(change).max() <= 1


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
def test_the_best_choice_of_two_options_is_the_one_found_by_hand(epsilon):
    states = score_states(2, 5)
    pairs, totals, shortfalls = chapter.selection_program(states, scores_near)
    short = shortfalls @ chapter.best_choice(pairs, totals, shortfalls, epsilon)
    for (low, _), found in zip(states, short, strict=True):
        j, odd = divmod(-low, 2)
        least = exp(-j * epsilon) / (1 + exp(epsilon)) if odd else exp(-j * epsilon) / 2
        assert found == pytest.approx(-low * least, abs=1e-9)
    assert exp(-epsilon / 2) / 2 * (1 + exp(epsilon)) == pytest.approx(
        cosh(epsilon / 2)
    )


def test_a_choice_that_sees_clipped_scores_can_beat_all_that_see_differences_only():
    levels = sorted_states(product(range(-4, 1), repeat=4))
    pairs, totals, losses = chapter.selection_program(levels, levels_near)
    top = losses[[max(s) == 0 for s in levels]]
    law = chapter.best_choice(pairs, totals, top, 1.0)
    assert all(law[i] <= exp(1.0) * law[j] + 1e-9 for i, j in pairs)
    assert totals @ law == pytest.approx(np.ones(len(levels)))
    states = score_states(4, 4)
    *parts, shortfalls = chapter.selection_program(states, scores_near)
    best = (shortfalls @ chapter.best_choice(*parts, shortfalls, 1.0)).mean()
    assert (top @ law).mean() == pytest.approx(0.5060, abs=1e-4)
    assert (
        (top @ law).mean()
        < 0.93 * best
        < best
        < chapter.mean_shortfall(PermuteAndFlip, states, 1.0)
    )


def test_every_solution_of_a_program_is_private_and_no_worse_than_both_mechanisms():
    states, epsilon = chapter.ballot_states(3, 5), 0.8
    pairs, totals, losses = chapter.selection_program(states, chapter.ballots_near)
    largest = optimum(pairs, totals, losses, epsilon, True)
    mean = chapter.best_choice(pairs, totals, losses, epsilon)
    for law in (largest, mean):
        assert all(law[i] <= exp(epsilon) * law[j] + 1e-9 for i, j in pairs)
        assert totals @ law == pytest.approx(np.ones(len(states)))
    for kind in (ExponentialMechanism, PermuteAndFlip):
        form = kind(epsilon=epsilon, sensitivity=1.0)
        short = [max(s) - form.output_distribution(s).pmf() @ s for s in states]
        assert np.max(losses @ largest) <= np.max(short) + 1e-9
        assert np.mean(losses @ mean) <= np.mean(short) + 1e-9
        assert chapter.mean_shortfall(kind, states, epsilon) == np.mean(short)
    other = optimum(pairs, totals, losses, epsilon, False)
    assert np.mean(losses @ mean) == pytest.approx(np.mean(losses @ other))


def test_with_laplace_noise_the_law_of_a_run_is_that_of_the_library():
    values, a, b = np.array([0.3, -1.0, 2.0]), 1.5, 2.5
    law = np.exp(transcript_log_probabilities(values, Noise(a, b), 1, redraw=False))
    assert runs(values, stats.laplace, a, b) == pytest.approx(law, abs=1e-12)


@pytest.mark.parametrize("cutoff", [1, 3])
def test_exponential_noise_attains_its_claim_after_one_quiet_answer(cutoff):
    a, b = chapter.split(0.8, 2 * cutoff)

    def no(x):
        return -np.expm1(-max(x, 0) / b)

    def yes(x):
        return exp(-max(x, 0) / b)

    def chance(low, high):
        def seen(r):
            return exp(-r / a) / a * no(r - low) * yes(r - high) ** cutoff

        return quad(seen, low, 40 * (a + b), limit=200)[0]

    assert log(chance(0, 0) / chance(1, -1)) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize(
    "noise", [stats.laplace, stats.expon], ids=["Laplace", "exponential"]
)
def test_runs_keep_the_claim_on_all_streams_of_three_and_half_of_the_scale_does_not(
    noise,
):
    streams = np.array(list(product(range(-1, 2), repeat=3)))
    a, b = chapter.split(1.0, 2)
    assert stream_loss(lambda v: runs(v, noise, a, b), streams) <= 1 + 1e-9
    c, d = chapter.split(1.0, 1)  # what monotone queries may use
    assert stream_loss(lambda v: runs(v, noise, c, d), streams) > 1.05


@pytest.mark.parametrize(
    "noise", [stats.laplace, stats.expon], ids=["Laplace", "exponential"]
)
def test_failures_are_read_off_the_law_of_a_run_and_a_margin_is_where_they_come_to_beta(
    noise,
):
    a, b, n = 2.0, 3.5, 4
    false, lost = chapter.failures(2.5, 1.5, n, noise, a, b)
    assert false == pytest.approx(1 - runs([-2.5] * n, noise, a, b)[-1], abs=1e-12)
    assert lost == pytest.approx(
        1 - runs([-2.5] * (n - 1) + [1.5], noise, a, b)[-2], abs=1e-12
    )
    g = chapter.margin(n, noise, a, b, 0.1)
    assert chapter.least_failure(g, n, noise, a, b) == pytest.approx(0.1, abs=2e-4)


def first_scores(v):
    """The scores of the proposition, by hand."""
    before = [max(v[:j], default=-np.inf) for j in range(len(v) + 1)]
    return np.array(
        [*(min(x, -top) for x, top in zip(v, before, strict=False)), -before[-1]]
    )


def test_the_scores_of_one_choice_have_sensitivity_one_and_lead_by_twice_the_margin():
    g, streams = 2, list(product(range(-3, 4), repeat=3))
    for v in streams:
        moved = [first_scores(np.add(v, m)) for m in product((-1, 1), repeat=3)]
        assert np.abs(moved - first_scores(v)).max() <= 1
        right = next((i for i, x in enumerate(v) if x > -g), 3)
        if right == 3 or v[right] >= g:
            scores = first_scores(v)
            assert scores[right] - np.delete(scores, right).max() >= 2 * g
            law = (
                PermuteAndFlip(epsilon=0.9, sensitivity=1.0)
                .output_distribution(scores)
                .pmf()
            )
            assert 1 - law[right] <= chapter.choice_failure(g, 3, 0.9) + 1e-12
    worst = (
        PermuteAndFlip(epsilon=0.9, sensitivity=1.0)
        .output_distribution([2.0, -2, -2, -2])
        .pmf()
    )
    assert 1 - worst[0] == pytest.approx(chapter.choice_failure(g, 3, 0.9), abs=1e-12)


@pytest.mark.parametrize(("n", "g"), [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)])
def test_floor_batch_online_and_one_choice_come_in_this_order(n, g):
    floor = n / (n + 1) * exp(-0.7 * g)
    batch, online = (best_failure(n, g, 0.7, kind) for kind in (False, True))
    choice = chapter.choice_failure(g, n, 0.7)
    assert floor <= batch + 1e-9 <= online + 2e-9
    assert batch <= choice + 1e-9
    assert n * (1 - batch) * exp(-0.7 * 2 * g) <= batch + 1e-9  # the second bound
    if n == 1:
        assert [batch, online, choice] == pytest.approx([exp(-0.7 * g) / 2] * 3)
    # the floor of margins inverts that of probabilities: below it g fails too often, at it by a hair not
    assert chapter.lower_bound(n, 0.7, floor * (1 - 1e-6)) >= g
    assert n > 1 or g - 1 <= chapter.lower_bound(n, 0.7, floor * (1 + 1e-6)) < g


def test_the_booked_delta_is_that_of_the_product_law():
    step, k = 0.4, 6
    tie, moved = np.array([1, 1]) / 2, np.array([exp(-step) / 2, 1 - exp(-step) / 2])
    joint = [
        np.array([np.prod([p[i] for i in c]) for c in product((0, 1), repeat=k)])
        for p in (tie, moved)
    ]
    exact = max(hockey_stick(*pair, 0.9) for pair in (joint, joint[::-1]))
    assert chapter.ties_delta(step, k, 0.9) == pytest.approx(float(exact), rel=1e-9)


def test_the_races_worked_by_hand_have_the_stated_chances():
    scale, noise = 1 / log(2), stats.expon
    for d, exponential in enumerate((0.5, 0.25, 0.125, 0.0625, 0.03125)):
        assert chapter.race([d, 0], noise, scale)[1] == pytest.approx(exponential)
        mechanism = chapter.race([d, 0], stats.gumbel_r, scale)[1]
        assert mechanism == pytest.approx(1 / (1 + 2**d))
    # a winner and its lead in a second race, tied and with the second option two votes behind
    tied, apart = (fresh_cells(u, noise, scale, (0.0,))[-1] for u in ([0, 0], [2, 0]))
    assert [tied, apart] == pytest.approx([1 / 4, 1 / 64])
    # three options, the third of them two votes behind
    assert chapter.race([2, 2, 0], noise, scale)[2] == pytest.approx(1 / 12)


def certified(d, epsilon, beta):
    handicapped = np.array([d - 2 / epsilon * log(1 / beta), 0, 0, 0])
    return chapter.race(handicapped, stats.expon, 2 / epsilon)[0]


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "certified": [(certified, None), (lambda d, epsilon, beta: 1 - beta, "it is")],
        "upside": [
            ((np.zeros(5), -np.ones(5)), None),
            ((np.zeros(2), -np.ones(2)), "within"),
            (([0], [2]), "at most 1"),
            (([0], [0, 1]), "length"),
        ],
        "safe": [(8, None), (7.8, "whole number"), (7, "probability"), (9, "suffices")],
    },
    chapter,
)


@pytest.mark.parametrize("epsilon", [0.2, 1.0])
def test_permute_and_flip_is_undominated_on_the_lattice_by_choices_that_see_levels_too(
    epsilon,
):
    """Scores of one parity: a step of the proof raises one option by 1 and lowers the others by 1."""
    levels = sorted_states(
        s for s in product(range(-6, 4), repeat=3) if len({v % 2 for v in s}) == 1
    )
    pairs, totals, losses = chapter.selection_program(levels, levels_near)
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    form, private = (
        PermuteAndFlip(epsilon=epsilon, sensitivity=1.0),
        np.zeros((len(pairs), totals.shape[1])),
    )
    own = np.array([max(s) - form.output_distribution(s).pmf() @ s for s in levels])
    for row, (i, j) in zip(private, pairs, strict=True):
        row[[i, j]] = 1, -exp(epsilon)
    inner = [
        min(s) >= -2 and max(s) <= 1 for s in levels
    ]  # every step of the proof stays on the board
    limits, bounds = np.vstack([private, losses]), np.r_[np.zeros(len(pairs)), own]
    aim = losses[inner].mean(axis=0)
    least = linprog(aim, limits, bounds, totals, np.ones(len(totals)), (0, None)).fun
    assert least == pytest.approx(own[inner].mean(), abs=1e-9)


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
def test_events_of_a_race_lose_no_more_than_laplace_noise_and_two_options_as_much(
    noise,
):
    """All sets of winners of random races and neighbours; at each epsilon some lead attains the curve."""
    rng, form = np.random.default_rng(5), PermuteAndFlip(epsilon=1.0, sensitivity=1.0)
    for _ in range(20):
        k, moves = rng.integers(2, 6), rng.uniform(0.05, 1.5)
        scores = np.where(rng.random(k) < 0.5, 0.0, rng.uniform(0, 4, k))
        sets = np.array(list(product([0, 1], repeat=int(k))))
        p, q = (
            sets @ chapter.race(u, noise, 1.0)
            for u in (scores, scores + moves * rng.choice([-1, 1], k))
        )
        for epsilon in np.linspace(-2 * moves, 2 * moves, 9):
            assert (p - exp(epsilon) * q).max() <= -np.expm1(epsilon / 2 - moves) + 1e-9
    for epsilon in (0.0, 0.3, 0.9):
        leads = [np.linspace(-1, 1, 401) - s for s in (0, 1)]
        tied = [
            [form.output_distribution([u, -u]).pmf()[0] for u in lead] for lead in leads
        ]
        lost = (np.array(tied[0]) - exp(epsilon) * np.array(tied[1])).max()
        assert lost == pytest.approx(
            laplace_delta(epsilon, shift=1.0, scale=1.0), abs=2e-5
        )


def test_a_lead_of_one_vote_that_turns_around_attains_the_curve_at_zero():
    ahead, behind = (
        chapter.race(u, stats.expon, 1 / log(2))[0] for u in ([1, 0], [-1, 0])
    )
    assert [ahead, behind] == pytest.approx([3 / 4, 1 / 4])
    assert laplace_delta(0.0, shift=2.0, scale=1 / log(2)) == pytest.approx(1 / 2)


def fastest_test(x, m, epsilon):
    """Probability of the second guess after 0, ..., m heads, rising from x as fast as privacy permits."""
    values = [x]
    for _ in range(m):
        last = values[-1]
        values.append(min(exp(epsilon) * last, 1 - exp(-epsilon) * (1 - last)))
    return np.array(values)


def test_the_fastest_test_of_the_page():
    found = fastest_test(1 / 36, 5, log(3))
    expected = [1 / 36, 1 / 12, 1 / 4, 3 / 4, 11 / 12, 35 / 36]
    assert found == pytest.approx(expected, rel=1e-12)
    noise = DiscreteLaplace(scale=Fraction(1 / log(3)))
    assert found == pytest.approx(noise.sf(2 - np.arange(6)), rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 0.7, 2.0])
@pytest.mark.parametrize("coins", [(0.4, 0.6), (0.1, 0.15), (0.5, 0.9)])
@pytest.mark.parametrize("m", [1, 7, 30])
def test_no_private_test_of_two_coins_beats_the_fastest(m, coins, epsilon):
    """The linear program, which knows nothing of the theorem, and its dual agree with the best x."""
    heads = np.arange(m + 1)
    first, second = (stats.binom.pmf(heads, m, coin) for coin in coins)

    def surplus(log_odds):
        test = fastest_test(1 / (1 + exp(-log_odds)), m, epsilon)
        return first @ test - second @ (1 - test)

    log_odds = optimize.brentq(surplus, -60, 60, xtol=1e-13)
    test = fastest_test(1 / (1 + exp(-log_odds)), m, epsilon)
    best = first @ test
    assert chapter.least_error(coins, m, epsilon) == pytest.approx(best, abs=1e-7)
    factor = exp(epsilon) * (1 + 1e-12)
    other = 1 - test
    assert (np.diff(test) >= 0).all()
    assert (test[1:] <= factor * test[:-1]).all()
    assert (other[:-1] <= factor * other[1:] + 1e-15).all()


@pytest.mark.parametrize("coins", [(0.4, 0.6), (0.3, 0.5, 0.7), (0.2, 0.4, 0.6, 0.8)])
def test_a_head_start_lowers_the_largest_error_and_stays_above_the_optimum(coins):
    starts = np.arange(0, 8.25, 0.25)
    errors = [chapter.flip_error(coins, 40, 1.0, x) for x in starts]
    least = chapter.least_error(coins, 40, 1.0)
    assert least < min(errors) < 1.1 * least
    assert (min(errors) < 0.8 * errors[0]) == (len(coins) > 2)


@pytest.mark.parametrize("head_start", [0.0, 1.5])
def test_a_head_start_does_not_weaken_privacy(head_start):
    choose = PermuteAndFlip(epsilon=0.8, sensitivity=1.0)
    start = np.array([0.0, head_start, 0.0])
    expected = 12 * np.array([0.3, 0.5, 0.7])
    found = np.array(
        [
            choose.output_distribution(start - np.abs(j - expected)).logpmf()
            for j in range(13)
        ]
    )
    assert np.abs(np.diff(found, axis=0)).max() <= 0.8 + 1e-12
