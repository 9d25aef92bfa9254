"""Evidence against a privacy claim: laws against draws, plans against sums, one run against whole games."""

from itertools import combinations, product
from math import comb, exp, log

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import linprog

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.mechanisms import Noise, RandomisedResponse
from privml.results.peer_logistic import exact_loss
from tests.chapters.checkers import checkers
from tests.chapters.evidence_against_a_claim_functions import (
    false_reports,
    peer_audit,
    peer_rule,
    peer_weight_below,
    published,
    worst_game,
)

chapter = chapter_module("evidence-against-a-claim")


def test_every_broken_variant_exceeds_its_claim_and_the_right_one_does_not():
    for name, made in chapter.VARIANTS.items():
        found = audit.exact(
            chapter.transcript_law(*made), chapter.people(3), 2, ordered=False
        ).epsilon
        assert (found <= chapter.epsilon) == (name == "right"), (name, found)
    assert audit.exact(
        chapter.reused_law, chapter.people(3), 2, ordered=False
    ).epsilon == pytest.approx(1.5)


def test_the_law_of_the_reused_noise_is_that_of_its_draws():
    people, n, rng = np.array([[1, 0, 1], [1, 1, 1]]), 200_000, np.random.default_rng(0)
    law, values = chapter.reused_law(people), people.sum(axis=0) - 1.0
    noisy = values[:, None] + rng.laplace(scale=2, size=(3, n))
    yes = noisy >= rng.laplace(scale=2, size=n)
    first = np.where(yes.any(axis=0), yes.argmax(axis=0), 3)
    cell = np.searchsorted(
        [-1, 0, 1], noisy[np.minimum(first, 2), np.arange(n)], side="right"
    )
    drawn = np.bincount(np.where(first < 3, 4 * first + cell, 12), minlength=13) / n
    assert law.sum() == pytest.approx(1, abs=1e-12)
    assert (np.abs(drawn - law) <= 5 * np.sqrt(law * (1 - law) / n) + 1e-12).all()


def test_a_transcript_has_the_probability_of_its_integral():
    people, noise = np.array([[1, 0], [1, 1]]), Noise(4.0, 4 / 3)
    law = chapter.transcript_law(noise, 2)(people)  # values 1 and 0 above the threshold

    def tail(x):
        return stats.laplace.sf(x, scale=4 / 3)

    def density(r):
        return stats.laplace.pdf(r, scale=4) * tail(r - 1) * tail(r)

    places = {"points": [0, 1], "limit": 200}
    assert law[0] == pytest.approx(quad(density, -150, 150, **places)[0], abs=1e-8)


def test_central_limits_err_as_rarely_as_they_say_and_are_those_of_scipy():
    central = audit.clopper_pearson(np.arange(101), 100, 0.025)[1]
    for k in (0, 7, 100):
        known = stats.binomtest(k, 100).proportion_ci(0.95, "exact").high
        assert central[k] == pytest.approx(known, rel=1e-10)
    for q in (0.004, 0.03, 0.2, 0.97):
        missed = stats.binom.pmf(np.arange(101), 100, q)[central < q].sum()
        assert chapter.misses(central, 100, q) == pytest.approx(missed, abs=1e-12)
        assert missed <= 0.025
    assert (
        chapter.misses(np.arange(101) / 100, 100, 0.004) > 0.6
    )  # the share itself is no limit


@pytest.mark.parametrize(
    ("p", "q", "claim", "delta"), [(0.8, 0.2, 1.0, 0.0), (0.5, 0.1, 0.5, 0.1)]
)
def test_power_is_the_double_sum(p, q, claim, delta):
    n, chance = 24, 0.0
    low = [stats.binomtest(k, n).proportion_ci(0.95, "exact").low for k in range(n + 1)]
    high = [
        stats.binomtest(k, n).proportion_ci(0.95, "exact").high for k in range(n + 1)
    ]
    for a, b in product(range(n + 1), repeat=2):
        if low[a] > exp(claim) * high[b] + delta:
            chance += stats.binom.pmf(a, n, p) * stats.binom.pmf(b, n, q)
    assert chapter.power(n, p, q, claim, 0.05, delta) == pytest.approx(chance, abs=1e-8)


def test_a_plan_reaches_its_chance_and_the_innocent_are_rarely_accused():
    p, q = 0.3, 0.3 * exp(-2)
    n = chapter.runs_needed(p, q, 1.0, 0.05)
    assert (
        chapter.power(n, p, q, 1.0, 0.05)
        >= 0.9
        > chapter.power(9 * n // 10, p, q, 1.0, 0.05)
    )
    with pytest.raises(AssertionError, match="more than is claimed"):
        chapter.runs_needed(p, q, 2.5, 0.05)
    keep = RandomisedResponse(0.7).keep
    assert (
        max(chapter.power(n, keep, 1 - keep, 0.7, 0.05) for n in (10, 100, 5000))
        <= 0.05
    )


def test_the_rule_of_thumb_is_right_for_small_gaps():
    case = 0.4, 0.4 * exp(-1.05), 1.0, 0.05
    assert chapter.rule_of_thumb(*case) == pytest.approx(
        chapter.runs_needed(*case), rel=0.02
    )


def guesses_of(m, r):
    """All vectors of r guesses about m coins: 1, 0 or None."""
    return [
        tuple(dict(zip(places, bits, strict=True)).get(i) for i in range(m))
        for places in combinations(range(m), r)
        for bits in product((0, 1), repeat=r)
    ]


def right(coins, guess):
    return sum(g == s for s, g in zip(coins, guess, strict=True))


def flips(m):
    """Ordered pairs of vectors of coins that differ in one place."""
    coins = np.array(list(product((0, 1), repeat=m)))
    return np.argwhere(np.abs(coins[:, None] - coins).sum(axis=2) == 1).tolist()


@pytest.mark.parametrize(
    ("v", "r", "m", "epsilon", "delta"),
    [(2, 2, 2, 1.0, 0.05), (1, 1, 2, 0.5, 0.02), (2, 3, 3, 0.3, 0.03)],
)
def test_the_bound_is_the_optimum_over_all_laws_without_symmetry(
    v, r, m, epsilon, delta
):
    """A linear program over whole mechanisms: a law for each vector of coins, an excess for each pair."""
    coins, outputs, pairs = list(product((0, 1), repeat=m)), guesses_of(m, r), flips(m)
    n_laws, width = len(coins) * len(outputs), len(outputs)
    size = n_laws + len(pairs) * width
    rows = np.zeros((len(pairs) * (width + 1), size))
    limits = np.zeros(len(rows))
    for k, (a, b) in enumerate(pairs):
        for t in range(width):
            rows[
                k * width + t, [a * width + t, b * width + t, n_laws + k * width + t]
            ] = 1, -exp(epsilon), -1
        rows[len(pairs) * width + k, n_laws + k * width : n_laws + (k + 1) * width] = 1
        limits[len(pairs) * width + k] = delta
    homes = np.zeros((len(coins), size))
    aim = np.zeros(size)
    for a, s in enumerate(coins):
        homes[a, a * width : (a + 1) * width] = 1
        aim[a * width : (a + 1) * width] = [
            -(right(s, t) >= v) / len(coins) for t in outputs
        ]
    best = -linprog(aim, rows, limits, homes, np.ones(len(coins)), method="highs").fun
    assert chapter.p_value(v, r, m, epsilon, delta) == pytest.approx(best, abs=1e-7)
    assert worst_game(v, r, m, epsilon, delta) == pytest.approx(best, abs=1e-7)


@pytest.mark.parametrize("seed", range(8))
def test_the_theorem_holds_for_random_games(seed):
    """Random laws of guesses, with their exact delta at some epsilon."""
    rng, m, r = np.random.default_rng(seed), 3, 2
    coins, outputs, epsilon = list(product((0, 1), repeat=m)), guesses_of(3, 2), 0.5
    liked = np.array(
        [[3.0 ** (right(s, t) * rng.random()) for t in outputs] for s in coins]
    )
    laws = liked / liked.sum(axis=1, keepdims=True)
    delta = max(
        np.maximum(laws[a] - exp(epsilon) * laws[b], 0).sum() for a, b in flips(m)
    )
    for v in (1, 2):
        chance = np.mean(
            [
                laws[a][[right(s, t) >= v for t in outputs]].sum()
                for a, s in enumerate(coins)
            ]
        )
        assert chance <= chapter.p_value(v, r, m, epsilon, delta) + 1e-12


def test_some_game_attains_the_bound():
    v, r, m, epsilon, delta = 2, 3, 4, 0.8, 0.01
    b = stats.binom.pmf(np.arange(r + 1), r, 1 / (1 + exp(-epsilon)))
    f, d = b[v:].sum(), m * delta / (v * b[v])
    rho = np.where(np.arange(r + 1) >= v, 1 + d * (1 - f), 1 - d * f)
    coins, outputs = list(product((0, 1), repeat=m)), guesses_of(m, r)
    ways = np.array([comb(m, r) * comb(r, k) for k in range(r + 1)])
    laws = np.array([[(rho * b / ways)[right(s, t)] for t in outputs] for s in coins])
    assert laws.sum(axis=1) == pytest.approx(1)
    excess = [
        np.maximum(laws[a] - exp(epsilon) * laws[c], 0).sum() for a, c in flips(m)
    ]
    assert max(excess) == pytest.approx(delta, abs=1e-12)
    reached = laws[0][[right(coins[0], t) >= v for t in outputs]].sum()
    assert reached == pytest.approx(chapter.p_value(v, r, m, epsilon, delta), abs=1e-12)


def test_the_bound_agrees_with_the_program_and_needs_its_second_term():
    for v, r, m, epsilon, delta in (
        (3, 5, 9, 0.2, 1e-2),
        (40, 50, 60, 1.0, 1e-4),
        (30, 30, 300, 2.0, 1e-4),
    ):
        best = worst_game(v, r, m, epsilon, delta)
        assert chapter.p_value(v, r, m, epsilon, delta) == pytest.approx(best, rel=1e-4)
        assert chapter.p_value(v, r, m, epsilon, 0.0) < best * (
            1 - 1e-3
        )  # the planted fault
        assert best <= published(v, r, m, epsilon, delta)


@pytest.mark.parametrize(
    "case",
    [
        (2, 2, 2, 0.3, 0.4),
        (1, 3, 9, 1.0, 0.3),
        (3, 4, 6, 0.5, 0.2),
        (4, 4, 4, 2.0, 0.9),
    ],
)
def test_the_smaller_of_one_and_the_bound_is_the_optimum_for_large_delta_too(case):
    assert chapter.p_value(*case) == pytest.approx(worst_game(*case), abs=1e-8)


def test_where_the_tail_is_not_small_the_published_formula_can_be_exceeded():
    case = 1, 2, 2, log(3), 1 / 20
    assert chapter.p_value(*case) == pytest.approx(61 / 64, abs=1e-12)
    assert worst_game(*case) == pytest.approx(61 / 64, abs=1e-9)
    assert published(*case) == pytest.approx(19 / 20, abs=1e-12)


def test_a_bound_whose_terms_underflow_is_still_a_bound():
    """With f_v = pi^3000 the bound is m delta / v, since all that could be lost sits at v = r."""
    assert chapter.p_value(3000, 3000, 200_000, 0.5, 1e-3) == pytest.approx(
        200_000 * 1e-3 / 3000, rel=1e-9
    )
    assert chapter.lower_limit(3000, 3000, 200_000, 1e-3, 0.05) == 0
    assert chapter.p_value(5, 3000, 200_000, 2.0, 0.0) == pytest.approx(1, abs=1e-9)


def test_the_misses_of_the_normal_margin_tend_to_one_and_those_of_the_central_limit_to_their_level():
    share = np.arange(101) / 100
    normal = share - chapter.ndtri(0.025) * np.sqrt(share * (1 - share) / 100)
    assert chapter.misses(normal, 100, 1e-6) > 0.9998
    central = audit.clopper_pearson(np.arange(101), 100, 0.025)[1]
    assert chapter.misses(central, 100, central[3] * (1 + 1e-9)) == pytest.approx(
        0.025, rel=1e-6
    )


def test_the_fewest_guesses_that_can_refute_ten_are_enough():
    least = int(-(log(0.05) // np.logaddexp(0, -10.0)))
    assert chapter.p_value(least, least, least, 10.0, 0.0) <= 0.05
    assert chapter.p_value(least - 1, least - 1, least - 1, 10.0, 0.0) > 0.05


def test_the_published_example_is_met_and_improved():
    grid = np.arange(0.6, 0.75, 0.0005)
    refuted = [e for e in grid if published(75, 100, 1000, e, 1e-4) <= 0.05]
    assert round(float(max(refuted)), 3) == pytest.approx(0.673, abs=0.0011)
    assert chapter.lower_limit(75, 100, 1000, 1e-4, 0.05) > 0.69


def test_limits_are_refuted_rarely_false_and_capped_by_the_number_of_guesses():
    for v, r, m, delta in ((60, 100, 400, 1e-5), (99, 100, 100, 0.0), (1, 1, 1, 0.0)):
        found = chapter.lower_limit(v, r, m, delta, 0.05)
        assert found == 0 or chapter.p_value(v, r, m, found, delta) <= 0.05
        assert chapter.p_value(v, r, m, found + 1e-6, delta) > 0.05 - 1e-6
    assert chapter.lower_limit(0, 10, 10, 0.0, 0.05) == 0
    share = 0.05 ** (1 / 30)
    assert chapter.lower_limit(30, 30, 30, 0.0, 0.05) == pytest.approx(
        log(share / (1 - share))
    )
    assert all(
        false_reports(e, n, 0.05) <= 0.05 for e, n in product((0.1, 1.3), (7, 60))
    )


def test_the_share_of_right_guesses_in_the_ideal_game_is_that_of_draws():
    rng, m, mu = np.random.default_rng(1), 400_000, 1.2
    inside = rng.random(m) < 0.5
    order = np.argsort(mu * inside + rng.standard_normal(m))
    drawn = (inside[order[-m // 20 :]].mean() + 1 - inside[order[: m // 20]].mean()) / 2
    assert chapter.ideal_share(mu, 0.1) == pytest.approx(
        drawn, abs=5 * 0.5 / np.sqrt(m / 10)
    )


@pytest.mark.parametrize("radius", [20.0, 100.0])
def test_the_cells_of_the_peer_lose_what_its_densities_lose(radius):
    assert (
        exact_loss(radius) - 1e-3
        <= peer_audit(radius).epsilon
        <= exact_loss(radius) + 1e-4
    )


def test_the_weight_of_the_peer_has_the_law_of_its_minimiser():
    scale, penalty = peer_rule(1.0, 20.0)
    b = np.random.default_rng(3).laplace(scale=scale, size=20_000)
    low, high = np.full(b.size, -50.0), np.full(b.size, 50.0)
    for _ in range(70):  # the slope of the noisy objective grows with the weight
        w = (low + high) / 2
        slope = -20 / (1 + np.exp(np.clip(20 * w, -700, 700))) + penalty * w + b
        low, high = np.where(slope < 0, w, low), np.where(slope < 0, high, w)
    for t in (-0.5, -0.02, 0.0, 0.1):
        assert np.mean(w <= t) == pytest.approx(
            float(peer_weight_below(t, 20.0, 20.0)), abs=0.02
        )


def plan_at(t):
    return t, chapter.runs_needed(*stats.laplace.sf([t - 1, t], scale=0.5), 1.0, 0.05)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "halfline": [(lambda: plan_at(0.8), None), (lambda: plan_at(1.0), "fewest")],
        "share": [
            (
                max(chapter.GUESSED, key=lambda g: chapter.ideal_limit(1.0, 1000, g)),
                None,
            ),
            (1.0, "elsewhere"),
        ],
        "bug": [
            (lambda rows, length: rows.sum(axis=0), None),
            (lambda rows, length: chapter.one_run.each_clipped(rows, length), "limit"),
            (chapter.one_run.after_averaging, "taken"),
        ],
    },
    chapter,
)


def test_the_published_formula_is_smaller_only_where_the_tail_is_near_one():
    """Both second terms over m delta, by their laws; the full search went to a thousand guesses."""
    smaller = []
    for r, epsilon in product((1, 2, 3, 4, 7, 15, 40, 100), np.linspace(0.0, 4.0, 21)):
        b = stats.binom.pmf(np.arange(r + 1), r, 1 / (1 + exp(-epsilon)))
        f = np.cumsum(b[::-1])[::-1]
        for v in np.flatnonzero(f[1:] > 1e-9) + 1:
            theirs = (
                2 * ((f[v - np.arange(1, v + 1)] - f[v]) / np.arange(1, v + 1)).max()
            )
            if theirs < f[v] * (1 - f[v]) / (v * b[v]) * (1 - 1e-6):
                smaller.append(f[v])
    assert min(smaller) >= 7 / 8 - 1e-9
