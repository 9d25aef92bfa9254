"""What the chapter on high confidence computes, against enumeration, closed forms, bounds, and simulation."""

import math
from fractions import Fraction
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
def test_the_constant_of_the_claim_grows_and_that_of_half_validation_stays():
    table = chapter.claim_constants([10.0**-k for k in (1, 2, 3, 10, 40, 150, 300)])
    assert (np.diff(table["needed"]) > 0).all()
    assert np.allclose(table["needed_wlf16"], 2 * table["needed"], rtol=1e-9)
    assert table["needed"].iloc[-1] > 26
    assert (np.diff(table["needed_log"]) > 0).all()
    assert (table["needed_log"] < 1).all()
    assert (table["proved_half"] < 2.22).all()
    a = np.array([boosting_candidates(beta / 3) for beta in table["beta"]])
    lower = (table["log"] - np.log(2 * e * a)) / np.sqrt(log(3) + table["log"])
    assert (lower <= table["needed"]).all()


@pytest.mark.parametrize("constant", [0.25, 20.0])
def test_markov_wins_for_large_failure_probabilities_and_loses_below_the_crossing(
    constant,
):
    beta = chapter.crossing(constant, 10**6, 1.0)
    assert (beta < 0.05) == (constant < 1)
    below = chapter.markov_or_boost(constant, 10**6, 1.0, np.geomspace(beta, 1e-4, 30))
    assert (below[["equal", "half"]].min(axis=1) < below["markov"]).all()
    above = chapter.markov_or_boost(constant, 10**6, 1.0, [beta * 1.01]).iloc[0]
    assert above["markov"] <= min(above["equal"], above["half"])


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


def test_floats_give_nothing_where_the_law_gives_something():
    counted = {lead: chapter.steps_of_second(lead, 1.0) for lead in (10, 12, 72, 74)}
    assert counted[72] > 0 == counted[74]
    assert float(chapter.logistic(Fraction(37))) > 0
    assert log(counted[10] / counted[12]) == pytest.approx(
        log((1 + exp(6)) / (1 + exp(5))), rel=1e-10
    )
    for lead, steps in counted.items():
        assert (
            abs(steps / 2**53 - float(chapter.logistic(Fraction(lead, 2))))
            < 4 * 2.0**-53
        )
        total = 1 + exp(-lead / 2)
        assert (
            2**53 - steps - 1
        ) / 2**53 * total < 1  # the next smaller number gives the first
        assert steps == 0 or (2**53 - steps) / 2**53 * total >= 1


def test_the_library_goes_on_where_these_floats_end():
    """At a lead of 74 the second candidate keeps its probability: a draw of the library can give it."""
    assert Categorical([37.0, 0.0]).logpmf()[1] == pytest.approx(-37, abs=1e-12)
    found = [
        exact_index(np.array([37.0, 0.0]), 2**53 - 1, np.random.default_rng(k))
        for k in range(400)
    ]
    inside = 2**53 * float(
        chapter.logistic(Fraction(37))
    )  # share of the last interval that is the second's
    assert abs(np.mean(found) - inside) < 5 * sqrt(inside * (1 - inside) / 400)


@pytest.mark.source("WLF16-alg-boost")
def test_exact_choices_follow_the_law():
    counts, proposals = chapter.exact_choices(
        [4, 7, 6], Fraction(1, 2), 3000, np.random.default_rng(5)
    )
    weights = np.exp([1.0, 1.75, 1.5])
    law, rounds = weights / weights.sum(), 3 / np.exp([-0.75, 0, -0.25]).sum()
    assert (np.abs(counts - 3000 * law) < 5 * np.sqrt(3000 * law * (1 - law))).all()
    assert proposals / 3000 == pytest.approx(rounds, abs=5 * rounds / sqrt(3000))


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
def test_the_constants_of_the_corollaries_hold_for_every_failure_probability():
    for beta in np.geomspace(0.95, 1e-300, 1000):
        share, b = log(3) - log(beta), boosting_candidates(beta / 3)
        half = boosting.boosted_excess_risk(
            lambda m: 0.0, 10**12, math.inf, beta=beta, validation="half"
        )
        assert half * 1e6 <= 20 / 9 * sqrt(share)
        assert (
            b == 1
            or 2 * log((b - 1) / (beta - exp(-b))) + (b + 1) / 4 <= 11 / 4 * share
        )


@pytest.mark.source("WLF16-rem-infinite-domain")
@pytest.mark.parametrize("radius", [1.0, 10.0, 1000.0])
def test_truncated_normalisers_grow_linearly_and_the_formula_is_right(radius):
    risk = chapter.PenalisedRisk(
        [[0.0]] * 4, [1.0] * 4, chapter.RampLoss(), chapter.Box([-radius], [radius])
    )
    found = exp(chapter.ExponentialERM(risk, 1.0).quadrature(20).log_normaliser)
    assert found == pytest.approx(2 * radius * exp(-1))


@pytest.mark.source("WLF16-rem-infinite-domain")
@pytest.mark.parametrize("place", [2, 7, 100, 10**9])
def test_a_prior_on_the_integers_finds_any_threshold_within_the_bound(place):
    _, right, n, bound = chapter.records_needed(place, 0.5, 0.2)
    assert n - 2 < bound < n + 8
    prior = 1 / np.arange(1, 200_001.0) / np.arange(2, 200_002.0)
    for size, enough in ((n, True), (n - 2, False)) if place < 1000 else ():
        weights = prior * np.exp(
            -0.25 * np.where(np.arange(1, 200_001) == place, 0, size / 2)
        )
        assert prior[place - 1] == right
        assert (1 - weights[place - 1] / weights.sum() <= 0.2) == enough


def gap(v, a, epsilon, beta):
    share = log((a - 1) / beta)
    free = sqrt(2 * share / v)
    return free if free <= epsilon / 2 else 2 * share / (v * epsilon) + epsilon / 4


def rounds(scores, epsilon):
    return len(scores) / sum(
        exp(-epsilon * (max(scores) - score) / 2) for score in scores
    )


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
        "rounds": [
            (rounds, None),
            (lambda scores, epsilon: len(scores), "scores"),
            (lambda scores, epsilon: rounds(scores, 2 * epsilon), "scores"),
            (lambda scores, epsilon: rounds(scores, epsilon) / len(scores), "scores"),
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
    constant = chapter.claim_constant(delta, 1)
    loss = 2 * constant * math.sqrt(math.log(3 / delta) / n)
    bad = 1 / (2 * math.e)
    chosen = boosted_distribution(
        [[bad, 1 - bad]] * n_candidates, [-v * loss, 0.0], epsilon
    )[0]
    assert chosen == pytest.approx(delta, rel=1e-6)
    assert loss - math.e * bad * loss == pytest.approx(
        constant * math.sqrt(math.log(3 / delta) / n)
    )
