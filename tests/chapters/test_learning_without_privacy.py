"""What the chapter on learning without privacy computes in its cells, and the claims that it makes."""

from fractions import Fraction
from itertools import product
from math import ceil, exp, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom, norm

from book.tools.chapter_code import chapter_module
from privml import pac
from privml.bounds import (
    agnostic_erm_excess_error,
    hoeffding_tail,
    required_sample_size,
    uniform_convergence_failure,
)
from privml.hypotheses import Table, Thresholds
from privml.learners.erm import erm_mistake_learner
from privml.populations import FinitePopulation
from tests.chapters.checkers import checkers
from tests.chapters.learning_without_privacy_functions import (
    both_goals,
    chain,
    erm_audit,
    printed_sizes,
)

chapter = chapter_module("learning-without-privacy")
NOISE, ALPHA, BETA = 0.2, 0.2, 0.05


@pytest.mark.source("L4-def-agnostic")
def test_label_noise_becomes_the_least_error_of_the_clinic_and_keeps_the_best_rule():
    hypotheses, population = chapter.clinic(NOISE)
    assert (
        population.best(hypotheses).index
        == chapter.clinic(0.0)[1].best(hypotheses).index
        == 1
    )
    assert population.best(hypotheses).error == pytest.approx(NOISE)


def test_a_coin_misleads_by_a_hair_more_than_alpha():
    hypotheses, _ = chapter.clinic(NOISE)
    excess = (
        chapter.coin(ALPHA).error_rates(hypotheses)
        - chapter.coin(ALPHA).best(hypotheses).error
    )
    assert excess == pytest.approx([0, ALPHA, ALPHA])
    assert (excess[1:] > ALPHA + pac.SLACK).all()


@pytest.mark.source("L4-lem-error-count-binomial", "L4-def-empirical-error")
def test_all_samples_give_each_hypothesis_binomially_many_mistakes():
    hypotheses, population = chapter.clinic(0.3)
    probabilities, mistakes = chapter.all_samples(hypotheses, population, 3)
    for error, column in zip(
        population.error_rates(hypotheses), mistakes.T, strict=True
    ):
        law = np.bincount(column, weights=probabilities, minlength=4)
        assert law == pytest.approx(pac.mistake_count_distribution(error, 3), abs=1e-12)


def test_all_samples_agree_with_ordered_samples_counted_one_by_one():
    hypotheses = Table([[False, True], [True, True]])
    population = FinitePopulation([0, 1], [True, False], [0.25, 0.75])
    probabilities, mistakes = chapter.all_samples(hypotheses, population, 3)
    slow = {}
    for indices in product(range(2), repeat=3):
        key = tuple(
            hypotheses.mistakes(
                population.X[list(indices)], population.y[list(indices)]
            ).tolist()
        )
        slow[key] = slow.get(key, 0) + float(
            np.prod(population.probabilities[list(indices)])
        )
    assert dict(
        zip(map(tuple, mistakes.tolist()), probabilities, strict=True)
    ) == pytest.approx(slow)


def test_a_deviation_probability_counts_only_what_is_strictly_outside():
    assert chapter.deviation_probability(0.5, 10, 0.2) == pytest.approx(
        2 * binom.cdf(2, 10, 0.5)
    )
    assert chapter.deviation_probability(0.1, 20, 0.1) == pytest.approx(
        binom.sf(4, 20, 0.1)
    )
    alone, die = Table([[False]]), FinitePopulation([0, 0], [False, True], [0.7, 0.3])
    for m in (1, 10, 31):
        exact = pac.uniform_deviation_probability(alone, die, m, 0.1)
        assert chapter.deviation_probability(0.3, m, 0.1) == pytest.approx(
            exact, abs=1e-12
        )


@pytest.mark.source("L4-thm-uniform-convergence", "DR11-lem-sampling-bound")
def test_the_exact_deviation_of_the_class_lies_below_every_bound():
    for m in (5, 15, 30):
        row = chapter.class_deviation(*chapter.clinic(NOISE), m, ALPHA, enumerated=True)
        weaker = uniform_convergence_failure(3, m, ALPHA, constant="lecture")
        order = ["exact", "sum of exact tails", "bound of the theorem"]
        assert (np.diff([*(row[name] for name in order), weaker]) >= 0).all()
        assert row["exact"] < row["sum of exact tails"]


@pytest.mark.source("L4-lem-hoeffding")
def test_no_exact_tail_lies_above_a_bound_and_the_printed_exponent_is_six_times_too_small():
    for error, m, a in product(
        np.linspace(0, 1, 21), (1, 7, 50, 199), (0.02, 0.1, 0.2, 0.4)
    ):
        exact = chapter.deviation_probability(error, m, a)
        assert exact <= hoeffding_tail(m, a) + 1e-9
        assert exact <= hoeffding_tail(m, a, constant="lecture") + 1e-9
    exponents = [
        -log(hoeffding_tail(1000, 0.1, constant=constant) / 2)
        for constant in ("hoeffding", "lecture")
    ]
    assert exponents[0] == pytest.approx(6 * exponents[1])


def test_the_numbers_of_the_units_that_are_worked_by_hand():
    assert 0.8**8 == pytest.approx(0.17, abs=0.005)
    assert binom.pmf(1, 8, 0.2) == pytest.approx(0.34, abs=0.005)
    assert binom.sf(3, 8, 0.2) == pytest.approx(0.056, abs=0.0005)
    assert 2 * exp(-4) == pytest.approx(0.037, abs=0.0005)
    assert 2 * exp(-8) == pytest.approx(0.0007, abs=0.00005)
    assert 2000 * exp(-8) == pytest.approx(0.67, abs=0.005)
    assert 2000 * exp(-12) == pytest.approx(0.012, abs=0.0005)
    assert (ceil(50 * log(120)), ceil(50 * log(120_000))) == (240, 585)
    readings = np.array([0, 2, 3, 4, 5, 6, 8, 9.0])
    notes = np.array([0, 0, 1, 0, 1, 1, 0, 1], dtype=bool)
    three = Thresholds([1.0, 5.0, 9.0])
    changed = notes.copy()
    changed[3] = True
    assert three.mistakes(readings, notes).tolist() == [3, 2, 3]
    assert three.mistakes(readings, changed).tolist() == [2, 3, 4]


def test_two_records_with_different_labels_attain_the_factor_2():
    always = Table([[False], [True]])
    for a in (0.1, 0.3, 0.49):
        labels = FinitePopulation([0, 0], [False, True], [0.5 - a, 0.5 + a])
        for m in (2, 4, 6):
            excess, allowed = chain(always, labels, m)
            assert max(excess) == pytest.approx(2 * a)
            # the sample in which half of the labels are True
            half = np.isclose(allowed, 2 * a)
            assert half.any()
            assert excess[half] == pytest.approx(2 * a)


def test_the_least_delta_of_erm_is_one_half_for_a_rule_and_its_opposite_only():
    opposites = Table([[False, True], [True, False]])
    apart_and_together = Table([[False, True], [True, True]])
    for m in (2, 4):
        found = erm_audit(opposites, [0, 1], "uniform", m)
        assert found.delta([0.0, 5.0]) == pytest.approx([0.5, 0.5])
        for tie_break in ("first", "uniform"):
            found = erm_audit(apart_and_together, [0, 1], tie_break, m)
            assert found.delta([0.0, 5.0]) == pytest.approx([1, 1])
            cuts = chapter.clinic(0.0)[0]
            found = erm_audit(cuts, [3.0, 9.0], tie_break, m)
            assert found.delta([0.0, 5.0]) == pytest.approx([1, 1])


@pytest.mark.source("L4-thm-uc-implies-agnostic", "L4-alg-erm")
def test_on_no_sample_is_the_excess_of_erm_above_twice_the_largest_gap():
    hypotheses, population = chapter.clinic(NOISE)
    largest = []
    for where, sizes in (
        (population, (20, 210, 1540, 8855)),
        (chapter.coin(0.2), (2, 3, 4, 5)),
    ):
        for m, n_datasets in zip((1, 2, 3, 4), sizes, strict=True):
            excess, allowed = chain(hypotheses, where, m)
            assert len(excess) == n_datasets
            assert (excess <= allowed + 1e-9).all()
            largest.append((excess / allowed).max())
    assert max(largest) == pytest.approx(1)


def coin_failure(m, alpha):
    """Failure on the coin in closed form: a lost majority, or a tie that falls on one of two wrong rules."""
    right = binom(m, 0.5 + (alpha + 1e-9) / 2)
    tie = right.pmf(m // 2) if m % 2 == 0 else 0.0
    return right.cdf(m // 2) - tie + tie * 2 / 3


@pytest.mark.source("L4-def-pac", "L4-thm-uc-implies-agnostic")
def test_the_failure_of_erm_on_the_coin_is_a_binomial_sum_and_below_the_bound():
    hypotheses, population = chapter.clinic(NOISE)
    for m in (9, 10, 69, 240):
        exact = chapter.erm_fails(hypotheses, chapter.coin(ALPHA), m, ALPHA)
        assert exact == pytest.approx(coin_failure(m, ALPHA), rel=1e-9)
        assert exact < uniform_convergence_failure(3, m, ALPHA / 2)
    assert chapter.erm_fails(hypotheses, population, 10, ALPHA) < coin_failure(
        10, ALPHA
    )
    assert uniform_convergence_failure(3, 240, ALPHA / 2) <= BETA


@pytest.mark.source("L4-def-pac")
def test_the_sample_sizes_are_those_at_which_the_failure_falls_below_beta_for_good():
    hypotheses, population = chapter.clinic(NOISE)
    promised = required_sample_size(
        lambda m: agnostic_erm_excess_error(3, m, BETA), ALPHA
    )
    goal = {"alpha": ALPHA, "beta": BETA, "upper": promised}
    hard = pac.smallest_sample_size(
        erm_mistake_learner("uniform"), hypotheses, chapter.coin(ALPHA), **goal
    )
    assert coin_failure(hard - 1, ALPHA) > BETA
    assert all(coin_failure(m, ALPHA) <= BETA for m in range(hard, promised + 1))
    easy = pac.smallest_sample_size(
        erm_mistake_learner("uniform"), hypotheses, population, run=8, **goal
    )
    fails = [
        chapter.erm_fails(hypotheses, population, m, ALPHA)
        for m in range(easy - 1, easy + 8)
    ]
    assert fails[0] > BETA >= max(fails[1:])


@pytest.mark.source("L4-thm-uc-implies-agnostic")
def test_the_goal_printed_in_l4_is_met_where_learning_fails():
    printed, pac_goal = zip(*(both_goals(6, m, ALPHA) for m in (1, 4, 16)), strict=True)
    assert printed == (0, 0, 0)
    assert pac_goal[:2] == pytest.approx([1, 1])
    # by inclusion and exclusion: at least 2 of 6 instances are missing among 16 draws
    seen = {0: Fraction(1)}
    for _ in range(16):
        seen = {
            k: (seen.get(k, 0) * k + seen.get(k - 1, 0) * (7 - k)) * Fraction(1, 6)
            for k in range(7)
        }
    assert pac_goal[2] == pytest.approx(float(sum(seen[k] for k in range(5))))


@pytest.mark.source("DR11-lem-sampling-bound")
def test_the_printed_sample_size_of_dr11_fails_about_one_time_in_five_however_small_alpha():
    constants = Table([[False], [True]])
    for alpha in (0.2, 0.02, 0.005):
        sizes = printed_sizes(alpha, BETA)
        coin = chapter.coin(alpha, 0.0)
        failure = {
            name: chapter.erm_fails(constants, coin, n, alpha)
            for name, n in sizes.items()
        }
        assert min(failure["natural"], failure["binary"]) > 3 * BETA
        assert failure["corrected"] <= BETA
    assert failure["natural"] == pytest.approx(norm.cdf(-sqrt(np.log(2))), abs=1e-3)
    assert failure["binary"] == pytest.approx(norm.cdf(-1), abs=1e-3)


@pytest.mark.source("L4-alg-erm")
@pytest.mark.parametrize("tie_break", ["first", "uniform"])
def test_erm_has_no_finite_epsilon_and_the_delta_that_the_proposition_says(tie_break):
    constants = Table([[False], [True]])
    for rules, points in (
        (constants, [0.0]),
        (chapter.clinic(0.0)[0], [0.0, 3.0, 7.0, 9.0]),
    ):
        for m in (1, 2, 3, 4):
            found = erm_audit(rules, points, tie_break, m)
            deltas = found.delta([0.0, 1.0, 20.0])
            assert np.isinf(found.epsilon)
            assert (deltas == deltas[0]).all(), "the same for every epsilon"
            assert deltas[0] >= (1.0 if m % 2 else 0.5)
            if rules is constants and tie_break == "uniform":
                assert deltas[0] == (1.0 if m % 2 else 0.5)


def deviation(error_rate, n_samples, allowed, slack=1e-12):
    counts = np.arange(n_samples + 1)
    law = pac.mistake_count_distribution(error_rate, n_samples)
    return law[np.abs(counts / n_samples - error_rate) > allowed + slack].sum()


def growing_class(tie_break="first"):
    found = {}
    for n_cuts in (3, 5, 9):
        points = np.arange(n_cuts + 1)
        rules = Thresholds(np.arange(n_cuts) + 0.5)
        truth = FinitePopulation(
            points, points > n_cuts // 2, np.full(n_cuts + 1, 1 / (n_cuts + 1))
        )
        found[n_cuts] = pac.failure_probability(
            erm_mistake_learner(tie_break), rules, truth, 10, 0.2
        )
    return found


def memoriser(n_points, n_samples, prefer_true=False):
    labels = (np.arange(1 << n_points)[:, None] >> np.arange(n_points)) & 1 == 1
    points = np.arange(n_points)
    truth = FinitePopulation(points, points >= 0, np.full(n_points, 1 / n_points))
    return Table(~labels if prefer_true else labels), truth, n_samples


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "realizable": [
            (lambda size, alpha, beta: ceil(log(size / beta) / alpha), None),
            (
                lambda size, alpha, beta: ceil(log(size / beta) / alpha**2),
                "one sample fewer",
            ),
            (lambda size, alpha, beta: ceil(log(1 / beta) / alpha), "still above beta"),
            (lambda size, alpha, beta: log(size / beta) / alpha, "whole number"),
        ],
        "deviation": [
            (deviation, None),
            (lambda *case: deviation(*case, slack=-1e-12), "must not count"),
            (lambda *case: deviation(*case, slack=0.0), "rounding"),
            (lambda error, m, a: 2 * exp(-2 * m * a**2), "is off by"),
        ],
        "growing_class": [
            (growing_class(), None),
            (growing_class("uniform"), "K = 3"),
            ({3: 0.1}, "3, 5, 9"),
        ],
        "memoriser": [
            (memoriser(8, 3), None),
            (memoriser(8, 1), "at least 2"),
            (memoriser(6, 3), "within 1/2"),
            (memoriser(8, 3, prefer_true=True), "within 1/2"),
            (
                (
                    Thresholds([0.5]),
                    FinitePopulation([0, 0], [False, True], [0.5, 0.5]),
                    2,
                ),
                "training error",
            ),
        ],
        "blurred_erm": [
            (lambda epsilon, size: size / (size + exp(epsilon) - 1), None),
            (lambda epsilon, size: 1 / (1 + exp(epsilon)), "more than"),
            (lambda epsilon, size: size / (size + exp(epsilon / 2) - 1), "less than"),
            (lambda epsilon, size: 0.0, "not 0"),
        ],
    },
    chapter,
)
