"""What the chapter on high confidence computes, against enumeration, closed forms, bounds, and simulation."""

import math
from itertools import product
from math import e, exp, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml.bounds import private_pac as boosting
from privml.bounds.private_pac import boosting_candidates
from privml.coins import exact_index
from privml.distributions import Categorical
from privml.learners import boosted_distribution
from tests.chapters import high_confidence_functions as functions
from tests.chapters.checkers import checkers, several

chapter = chapter_module("high-confidence")
LEVELS = np.array([0.0, 0.5, 1.0])


def by_hand(n, share, epsilon, asleep):
    """Law of the chosen level with two candidates: all lists of answers, all pairs of candidates."""
    m, total = n // 4, np.zeros(3)
    for bits in product((0, 1), repeat=n):
        z = np.array(bits)
        chance = share ** z.sum() * (1 - share) ** (n - z.sum())
        losses = [
            np.abs(LEVELS[:, None] - part).sum(axis=1)
            for part in (z[:m], z[m : 2 * m], z[2 * m :])
        ]
        laws = []
        for loss in losses[:2]:
            weights = np.exp(-epsilon / 2 * loss)
            laws.append((1 - asleep) * weights / weights.sum() + asleep / 3)
        for h, g in product(range(3), repeat=2):
            second = 1 / (1 + exp(epsilon / 2 * (losses[2][g] - losses[2][h])))
            total[h] += chance * laws[0][h] * laws[1][g] * (1 - second)
            total[g] += chance * laws[0][h] * laws[1][g] * second
    return total


@pytest.mark.source("WLF16-alg-boost")
@pytest.mark.parametrize("asleep", [0.0, 0.2])
def test_the_law_of_boosting_is_that_of_going_through_all_lists_of_records(asleep):
    found = chapter.chosen_law(8, 0.3, 1.5, asleep, 2, LEVELS)
    assert found == pytest.approx(by_hand(8, 0.3, 1.5, asleep), abs=1e-14)


@pytest.mark.source("WLF16-rem-markov", "WLF16-thm-25")
def test_boosting_hurts_the_one_with_a_light_tail_and_helps_the_one_with_a_heavy_tail():
    table = chapter.survival(300, 0.3, 1.0, 0.05, 5).set_index(
        ["learner", "boosted", "excess"]
    )
    chance = table["probability"].unstack("boosted")
    assert (chance.loc["awake", True] > 100 * chance.loc["awake", False]).all()
    assert (chance.loc["drowsy", False] > 15 * chance.loc["drowsy", True]).all()
    assert (table["probability"] <= table["markov"] + 1e-12).all()
    assert chance.loc["drowsy", False].iloc[-1] == pytest.approx(0.01, abs=1e-9)


def test_with_a_small_epsilon_boosting_hurts_both_learners_of_the_town():
    table = chapter.survival(300, 0.3, 0.1, 0.05, 5)
    chance = table.set_index(["learner", "excess", "boosted"])["probability"].unstack()
    assert (chance[True] > chance[False]).all()


@pytest.mark.source("WLF16-thm-25")
def test_the_exact_gap_is_below_the_bound_and_close_to_it_for_small_epsilon():
    table = chapter.choice_gaps(150, 0.02, [0.1, 0.2, 0.5, 2.0])
    assert (table["exact"] <= table["bound"]).all()
    assert table["exact"].iloc[0] > 0.95 * table["bound"].iloc[0]
    for epsilon, gap in zip(table["epsilon"], table["exact"], strict=True):
        at, below = (
            chapter.worse_chosen(150, epsilon, gap + step) for step in (1e-12, -1e-9)
        )
        assert at <= 0.02 < below
    assert (
        table.loc[table["epsilon"] >= table["free"], "bound"]
        == table["without"].iloc[0]
    ).all()


def test_the_worse_of_two_is_chosen_as_often_as_enumeration_says():
    v, epsilon, gap = 6, 0.7, 0.4
    total = 0.0
    for errs in product((0, 1), repeat=v):
        lead = 2 * sum(errs) - v
        chance = 0.7 ** sum(errs) * 0.3 ** (v - sum(errs))
        total += chance / (1 + exp(epsilon / 2 * lead))
    assert chapter.worse_chosen(v, epsilon, gap) == pytest.approx(total, rel=1e-12)


@pytest.mark.erratum("WLF16-thm-25/3")
def test_the_constant_of_the_printed_rate_grows_and_that_without_the_root_stays():
    betas = 10.0 ** -np.array([1, 2, 3, 10, 40, 150, 300])
    root = np.sqrt(log(3) - np.log(betas))
    needed = np.array([functions.claim_constant(beta, 1) for beta in betas])
    assert (np.diff(needed) > 0).all()
    assert needed[-1] > 26  # 52 with the sensitivity of the source
    assert functions.claim_constant(1e-300, 2) == pytest.approx(2 * needed[-1])
    assert (np.diff(needed / root) > 0).all()
    assert (needed / root < 1).all()
    a = np.array([boosting_candidates(beta / 3) for beta in betas])
    assert ((-np.log(betas) - np.log(2 * e * a)) / root <= needed).all()


@pytest.mark.source("WLF16-thm-25", "WLF16-rem-markov")
@pytest.mark.parametrize(
    ("beta", "whole", "quarter"), [(0.05, 12.1, 6.3), (1e-3, 17.1, 8.9)]
)
def test_the_table_of_bounds_is_that_of_the_theorem(beta, whole, quarter):
    a = boosting_candidates(beta / 2)
    choice = 2 * sqrt(log(2 * (a - 1) / beta))
    assert e * sqrt(2 * a) + choice == pytest.approx(whole, abs=0.05)
    assert e * sqrt(2 * a) / 4 + choice == pytest.approx(quarter, abs=0.05)


@pytest.mark.source("WLF16-thm-25")
def test_the_two_splits_of_six_thousand_records_add_what_the_chapter_says():
    equal, half = (
        boosting.boosting_blocks(6000, a, validation=split)
        for a, split in ((5, "equal"), (4, "half"))
    )
    assert (equal.learning, half.learning, half.validation) == (1000, 750, 3000)
    assert 11 / 4 * log(60) / sqrt(6000) < 0.15
    lam = log(2 * 3 / 0.05)
    assert 2 * sqrt(lam / 6000) < 0.06
    assert 4 * sqrt(lam / 6000) < 0.12


@pytest.mark.erratum("WLF16-thm-25/2")
def test_the_deviation_of_the_block_is_kept_and_the_printed_one_is_not():
    a = boosting_candidates(0.05 / 3)
    allotted = 0.05 / (3 * a)
    assert (a, 6000 // (a + 1)) == (5, 1000)
    tails = []
    for size in (6000, 1000):
        beyond = 500 + 1000 * sqrt(log(6 * a / 0.05) / (2 * size))
        tails.append(2 * binom.cdf(1000 - np.ceil(beyond), 1000, 0.5))
    assert tails[0] > 40 * allotted
    assert tails[1] <= allotted


def test_a_draw_of_the_library_goes_on_where_floats_end():
    """A candidate 74 errors behind keeps its probability, at which an inverted uniform number returns nothing."""
    assert Categorical([37.0, 0.0]).logpmf()[1] == pytest.approx(-37, abs=1e-12)
    found = [
        exact_index(np.array([37.0, 0.0]), 2**53 - 1, np.random.default_rng(k))
        for k in range(400)
    ]
    inside = 2**53 / (1 + exp(37))  # part of the last interval that is the second's
    assert abs(np.mean(found) - inside) < 5 * sqrt(inside * (1 - inside) / 400)


@pytest.mark.parametrize(("n", "beta"), [(200, 0.5), (400, 0.05), (2000, 1e-4)])
def test_the_simple_theorem_holds_exactly_for_rivals_that_err_where_the_best_does_not(
    n, beta
):
    a = boosting_candidates(beta / 2)
    share, v = log(2 * (a - 1) / beta), n - a * (n // (2 * a))
    errors, excess = np.arange(v + 1), 2 * sqrt(share / n)
    chance = binom.pmf(errors, v, (1 + min(1.0, excess)) / 2)
    assert exp(-a) <= beta / 2
    assert (a - 1) * chance @ (
        1 / (1 + np.exp(excess * (2 * errors - v)))
    ) <= beta / 2  # epsilon / 2


@pytest.mark.source("WLF16-thm-25")
def test_the_constant_for_equal_blocks_holds_for_every_failure_probability():
    for beta in np.geomspace(0.95, 1e-300, 1000):
        a = boosting_candidates(beta / 3)
        choice = 2 * log((a - 1) / (beta - exp(-a))) + (a + 1) / 4
        assert choice <= 11 / 4 * (log(3) - log(beta))


@pytest.mark.source("WLF16-rem-infinite-domain")
@pytest.mark.parametrize("radius", [1.0, 10.0, 1000.0])
def test_truncated_normalisers_grow_linearly_and_the_formula_is_right(radius):
    found = functions.constant_risk_normaliser(radius)
    assert found == pytest.approx(2 * radius * exp(-1))


@pytest.mark.source("WLF16-rem-infinite-domain")
@pytest.mark.parametrize("place", [2, 7, 100, 10**9])
def test_a_prior_on_the_integers_finds_any_threshold_within_the_bound(place):
    right, n, bound = functions.records_needed(place, 0.5, 0.2)
    assert n - 2 < bound < n + 8
    prior = 1 / np.arange(1, 200_001.0) / np.arange(2, 200_002.0)
    for size, enough in ((n, True), (n - 2, False)) if place < 1000 else ():
        weights = prior * np.exp(
            -0.25 * np.where(np.arange(1, 200_001) == place, 0, size / 2)
        )
        assert prior[place - 1] == right
        assert (1 - weights[place - 1] / weights.sum() <= 0.2) == enough


@pytest.mark.source("WLF16-rem-infinite-domain")
def test_the_bounds_for_two_cuts_are_those_of_the_chapter():
    assert functions.records_needed(2, 1.0, 0.1)[2] == pytest.approx(16.4, abs=0.05)
    assert functions.records_needed(10**9, 1.0, 0.1)[2] == pytest.approx(175, abs=0.5)


def test_the_delta_of_inexact_candidates_is_that_of_the_chapter():
    assert functions.inexact_delta(1.0, 1e-4) == pytest.approx(3.7e-4, abs=5e-6)


def gap(v, a, epsilon, beta):
    share = log((a - 1) / beta)
    free = sqrt(2 * share / v)
    return free if free <= epsilon / 2 else 2 * share / (v * epsilon) + epsilon / 4


def test_the_law_of_reused_records_is_the_product_of_its_steps():
    law = (
        chapter.reused_law(np.array([True, True, False, False, False, False]))
        .pmf()
        .reshape(2, 2, 2)
    )
    assert law.sum() == pytest.approx(1)
    first = 1 / (1 + exp(-(2 - 1) / 2))  # True for the first half: two right, one wrong
    second = 1 / (1 + exp(-(0 - 3) / 2))
    assert law[1].sum() == pytest.approx(first)
    assert law[:, 1].sum() == pytest.approx(second)
    assert law[1, 0, 0] / law[1, 0].sum() == pytest.approx(
        1 / (1 + exp(1))
    )  # two right, four wrong
    assert law[1, 1, 0] == pytest.approx(law[1, 1, 1])


SIZE = chapter.boosted_size(lambda m: 1 / sqrt(m), 0.1, 1e-3)
NONE, ONE = [False] * 12, [True] + [False] * 11
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "gap": [
            (gap, None),
            (
                lambda v, a, epsilon, beta: sqrt(2 * log((a - 1) / beta) / v),
                "below the free",
            ),
            (
                lambda v, a, epsilon, beta: gap(v, a, 2 * epsilon, beta),
                "below the free",
            ),
            (
                lambda v, a, epsilon, beta: max(gap(v, a, epsilon, beta), epsilon / 4),
                "above the free",
            ),
            (
                lambda v, a, epsilon, beta: gap(v, a if a > 2 else 3, epsilon, beta),
                "union is over one",
            ),
        ],
        "sizes": [
            (several(SIZE, 10**8), None),
            (several(SIZE + 1, 10**8), "fewer are enough"),
            (several(SIZE - 1, 10**8), "too few"),
            (several(SIZE, 10**6), "one run"),
        ],
        "reused": [
            (several(NONE, ONE), None),
            (several(ONE, NONE), None),
            (several([False, True] * 2, [True, True] + [False, True]), "not above"),
            (several(NONE, NONE), "different in one place"),
            (several(NONE, [True, True] + NONE[2:]), "different in one place"),
            (several(NONE[:3], [True] + NONE[1:3]), "different in one place"),
        ],
    },
    chapter,
)


@pytest.mark.erratum("WLF16-thm-25/3")
@pytest.mark.parametrize("delta", [0.1, 0.01, 1e-5])
def test_the_counterexample_is_a_run_of_the_algorithm(delta):
    """Loss l of the bad hypothesis, mistakes l on each validation record: the law, at the promised C."""
    n_candidates = boosting.boosting_candidates(delta / 3)
    n = (n_candidates + 1) * 10_000
    epsilon, v = (n_candidates + 1) / math.sqrt(n), 10_000
    constant = functions.claim_constant(delta, 1)
    loss = 2 * constant * math.sqrt(math.log(3 / delta) / n)
    bad = 1 / (2 * math.e)
    chosen = boosted_distribution(
        [[bad, 1 - bad]] * n_candidates, [-v * loss, 0.0], epsilon
    )[0]
    assert chosen == pytest.approx(delta, rel=1e-6)
    assert loss - math.e * bad * loss == pytest.approx(
        constant * math.sqrt(math.log(3 / delta) / n)
    )
