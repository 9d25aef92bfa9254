"""The cells of the chapter on composition, against definitions, brute force and other routes."""

from itertools import product
from math import comb, exp, expm1, inf, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.adjacency import Adjacency
from privml.composition import nonadaptive_range_delta, optimal_delta
from privml.divergences import PrivacyCurve, gaussian_delta
from tests.chapters import composition_functions as more
from tests.chapters.checkers import checkers

chapter = chapter_module("composition")


def test_the_best_guess_counts_votes():
    keep = exp(0.4) / (1 + exp(0.4))
    for n in (1, 3, 5):
        votes = [
            comb(n, i) * keep ** (n - i) * (1 - keep) ** i for i in range((n + 1) // 2)
        ]
        assert chapter.right_guess(0.4, n) == pytest.approx(sum(votes), abs=1e-12)
        assert chapter.right_guess(0.4, n) <= 1 / (1 + exp(-0.4 * n)) + 1e-12
    for n in (1, 2, 7, 10):
        assert chapter.right_guess(0.4, n) == pytest.approx(
            (1 + optimal_delta(0.4, n, 0.0)) / 2, abs=1e-12
        )


@pytest.mark.source("DR11-thm-3.20")
def test_adaptive_majorities_keep_every_promise_on_every_pair():
    for k in (1, 2, 3):
        found = audit.exact(more.adaptive_law(k, 1.0), more.FOUR_KINDS, 4)
        assert 0.75 * k < found.epsilon <= k
        assert 0 < found.delta(k / 2) <= optimal_delta(1.0, k, k / 2)


def test_the_questions_of_the_audit_depend_on_the_answers():
    law = more.adaptive_law(2, 1.0)(np.array([[1, 0], [1, 0], [1, 1]])).reshape(2, 2)
    second_after = law[:, 1] / law.sum(axis=1)
    assert law.sum() == pytest.approx(1.0)
    assert abs(second_after[0] - second_after[1]) > 0.1


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_disjoint_parts_cost_what_the_theorem_says(epsilon):
    add, replace = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
    cases = [
        (more.noisy_yes, more.by_record, add, 1, f"{epsilon:g}"),
        (more.noisy_yes, more.by_record, replace, 2, "refused"),
        (more.noisy_yes, more.by_position, replace, 1, f"{epsilon:g}"),
        (more.noisy_yes, more.by_position, add, 5, "refused"),
        (more.majority_and_size, more.by_record, replace, np.inf, "refused"),
    ]
    for release, split, relation, times, says in cases:
        ordered = split is more.by_position
        law = more.of_two_parts(release, split, epsilon, 5)
        universe = np.array([0, 1]) if ordered else more.FOUR_KINDS
        found = audit.exact(law, universe, 5, adjacency=relation, ordered=ordered)
        assert found.epsilon == pytest.approx(times * epsilon, rel=1e-9)
        assert (
            more.promised(epsilon, "index" if ordered else "record", relation) == says
        )


@pytest.mark.parametrize(
    ("k", "epsilon", "delta"),
    [(1000, 0.05, 1e-5), (3, 1.0, 0.3), (1, 4.0, 1e-9), (40, 0.2, 0.9)],
)
def test_so_few_untrue_answers_are_as_rare_as_advanced_composition_says(
    k, epsilon, delta
):
    total = chapter.advanced(epsilon, k, delta)
    fewer = np.ceil((k - total / epsilon) / 2) - 1  # a loss above the total
    assert (
        optimal_delta(epsilon, k, total)
        <= binom.cdf(fewer, k, 1 / (1 + exp(epsilon)))
        <= delta
    )
    if k == 1000:
        assert 0.5 * (1 - total / (k * epsilon)) == pytest.approx(0.412, abs=6e-4)


@pytest.mark.parametrize("epsilon", [0.05, log(3), 2.0])
def test_the_exact_delta_is_the_sum_of_the_unit(epsilon):
    for k, fraction in product((1, 3, 100), (0.0, 0.2, 2 / 3)):
        total = fraction * k * epsilon
        assert optimal_delta(epsilon, k, total) == pytest.approx(
            more.delta_by_the_sum(epsilon, k, total), rel=1e-9
        )


def test_the_instances_with_the_coin_of_three_quarters():
    coin = log(3)
    assert optimal_delta(coin, 3, coin) == pytest.approx(3 / 8)
    assert optimal_delta(coin, 3, 2 * coin) == pytest.approx(9 / 32)
    assert optimal_delta(coin, 3, 3 * coin) == pytest.approx(0, abs=1e-12)
    assert optimal_delta(coin, 4, 3 * coin) == pytest.approx(27 / 128)
    faulty = optimal_delta(coin, 3, 2 * coin, step_delta=0.01)
    assert faulty == pytest.approx(1 - 0.99**3 * 23 / 32)
    assert faulty == pytest.approx(0.303, abs=5e-4)


def test_unequal_steps_of_the_proof_problem():
    """One step of 0.1 and n of 0.01 for (1, 1e-6), by part (c): 249 fit, 250 do not."""
    for n, fits in ((249, True), (250, False)):
        squares = 0.1**2 + n * 0.01**2
        total = sqrt(2 * log(1e6) * squares) + squares / 2
        assert (total <= 1) == fits


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.parametrize("k", [1, 10, 1000, 100_000])
@pytest.mark.parametrize("delta", [0.5, 0.1, 1e-3, 1e-6])
def test_the_rule_of_thumb_holds_up_to_eight_times_the_logarithm(k, delta):
    assert (
        max(
            chapter.thumb(k, delta, multiple)[2] / delta
            for multiple in (0.1, 1, 2, 4, 6, 8)
        )
        < 0.134
    )


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.erratum("DR11-thm-3.20")
def test_the_rule_of_thumb_is_false_for_large_epsilon_and_many_steps():
    for delta, large in ((0.4, 0.700), (0.1, 0.835), (1e-5, 0.991)):
        for multiple in (16, 20):
            epsilon, step, exact = chapter.thumb(100_000, delta, multiple)
            assert exact > delta
            assert gaussian_delta(epsilon, mu=sqrt(100_000) * step) == pytest.approx(
                exact, rel=5e-3
            )
        assert exact == pytest.approx(large, abs=5e-4)


@pytest.mark.source("DR11-thm-3.20")
def test_the_smallest_false_multiple_falls_to_eight():
    deltas = [0.4, 0.1, 1e-5, 1e-50, 1e-300]
    multiples = [more.last_multiple(delta) for delta in deltas]
    assert multiples == sorted(multiples, reverse=True)
    assert 8 < multiples[-1] < 8.03
    assert multiples[0] < 16
    for delta, multiple in zip(deltas[:3], multiples[:3], strict=True):
        below, above = (
            chapter.thumb(1_000_000, delta, factor * multiple)[2]
            for factor in (0.99, 1.01)
        )
        assert below < delta < above


def test_adaptive_steps_beat_fixed_ones_and_not_the_pure_optimum():
    ratios = []
    for k, share in product((1, 2, 3), (0.1, 0.25)):
        adaptive = more.adaptive_delta(1.0, k, np.array(share * k), 401)
        ratios.append(adaptive / nonadaptive_range_delta(1.0, k, share * k))
        assert adaptive < optimal_delta(1.0, k, share * k)
    np.testing.assert_allclose(ratios[:2], 1.0, rtol=1e-12)
    assert min(ratios) > 1 - 1e-4
    assert max(ratios) > 1.05


def test_one_adaptive_choice_by_hand():
    """Two steps of range 1 at a total of 1/5: all choices for the first, and for the second by its answer."""
    grid, best = np.linspace(0.001, 0.999, 60), 0.0

    def law(t):
        low = expm1(t) / expm1(1.0)
        return np.log([1 - low, low]), np.array([t, t - 1])

    for first in grid:
        log_p, losses = law(first)
        branches = []
        for branch in (0, 1):
            options = [
                PrivacyCurve(losses[branch] + law(t)[1], law(t)[0]).delta(0.2)
                for t in grid
            ]
            branches.append(exp(log_p[branch]) * max(options))
        best = max(best, sum(branches))
    assert float(more.adaptive_delta(1.0, 2, np.array(0.2), 401)) == pytest.approx(
        best, rel=1e-3
    )


def majority(step_epsilon, k):
    keep = 1 / (1 + np.exp(-step_epsilon))
    return sum(
        comb(k, i) * keep ** (k - i) * (1 - keep) ** i for i in range((k + 1) // 2)
    )


def every_kind(first, n, second, m, epsilon):
    total = 0.0
    for i in range(n + 1):
        for j in range(m + 1):
            loss, ways = (
                (n - 2 * i) * first + (m - 2 * j) * second,
                comb(n, i) * comb(m, j),
            )
            weight = ways * np.exp((n - i) * first + (m - j) * second)
            total += weight * max(0.0, 1 - np.exp(epsilon - loss))
    return total / (1 + np.exp(first)) ** n / (1 + np.exp(second)) ** m


def needed(epsilon, delta):
    return inf if epsilon >= 2 else int(2 * log(1 / delta) / (1 - epsilon / 2) ** 2) + 1


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "four": [
            ((9 / 32, 75 / 128), None),
            ((9 / 32, 9 / 32), "at a total of 1.099"),
            ((27 / 64, 75 / 128), "at a total of 2.197"),
        ],
        "guess": [
            (majority, None),
            (lambda epsilon, k: majority(epsilon, 1), "one is right with probability"),
            (
                lambda epsilon, k: 1 / (1 + np.exp(-k * epsilon)),
                "one is right with probability",
            ),
        ],
        "two_kinds": [
            (every_kind, None),
            (
                lambda a, n, b, m, epsilon: optimal_delta(max(a, b), n + m, epsilon),
                "have delta",
            ),
            (
                lambda a, n, b, m, epsilon: every_kind(a, n, b, m, 2 * epsilon),
                "have delta",
            ),
        ],
        "helps": [
            (needed, None),
            (lambda e, delta: needed(e, delta) + 1, "are enough"),
            (lambda e, delta: needed(e, delta) - 1, "are too few"),
            (lambda e, delta: needed(min(e, 1.9), delta), "it never helps"),
            (lambda e, delta: inf, "it helps in the end"),
        ],
        "ranks": [
            (([0, 2, 3, 5, 6, 8], [9, 2, 3, 5, 6, 8]), None),
            (([0, 2, 3, 5, 6, 8], [1, 2, 3, 5, 6, 8]), "3 times is possible"),
            (([0, 2, 3, 5, 6, 8], [9, 2, 3, 5, 6, 9]), "these in 2"),
            (([0, 1, 2], [0, 1, 2, 3, 4, 5]), "same number of records"),
        ],
    },
    chapter,
)
