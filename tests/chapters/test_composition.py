"""The cells of the chapter on composition, against definitions, brute force and other routes."""

from itertools import product
from math import comb, exp, expm1, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.adjacency import Adjacency
from privml.composition import nonadaptive_range_delta, optimal_delta, optimal_epsilon
from privml.divergences import PrivacyCurve, gaussian_delta, renyi_divergence
from tests.chapters.checkers import checkers, several

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
        found = audit.exact(chapter.adaptive_law(k, 1.0), chapter.FOUR_KINDS, 4)
        assert 0.75 * k < found.epsilon <= k
        assert 0 < found.delta(k / 2) <= optimal_delta(1.0, k, k / 2)


def test_the_questions_of_the_audit_depend_on_the_answers():
    law = chapter.adaptive_law(2, 1.0)(np.array([[1, 0], [1, 0], [1, 1]])).reshape(2, 2)
    second_after = law[:, 1] / law.sum(axis=1)
    assert law.sum() == pytest.approx(1.0)
    assert abs(second_after[0] - second_after[1]) > 0.1


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_disjoint_parts_cost_what_the_theorem_says(epsilon):
    add, replace = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
    cases = [
        (chapter.noisy_yes, chapter.by_record, add, 1, f"{epsilon:g}"),
        (chapter.noisy_yes, chapter.by_record, replace, 2, "refused"),
        (chapter.noisy_yes, chapter.by_position, replace, 1, f"{epsilon:g}"),
        (chapter.noisy_yes, chapter.by_position, add, 5, "refused"),
        (chapter.majority_and_size, chapter.by_record, replace, np.inf, "refused"),
    ]
    for release, split, relation, times, says in cases:
        ordered = split is chapter.by_position
        law = chapter.of_two_parts(release, split, epsilon, 5)
        universe = np.array([0, 1]) if ordered else chapter.FOUR_KINDS
        found = audit.exact(law, universe, 5, adjacency=relation, ordered=ordered)
        assert found.epsilon == pytest.approx(times * epsilon, rel=1e-9)
        assert (
            chapter.promised(epsilon, "index" if ordered else "record", relation)
            == says
        )


@pytest.mark.source("DR11-thm-3.20", "LZCW21-lem-51", "LZCW21-lem-52")
def test_the_rules_by_their_formulas_in_the_order_of_their_size():
    step, k, delta = 0.05, 1000, 1e-5
    found = chapter.totals_by_rule(step, k, delta)
    root = sqrt(2 * k * log(1 / delta)) * step
    assert found["basic"] == pytest.approx(50.0)
    assert found["advanced"] == pytest.approx(root + k * step * expm1(step))
    assert found["concentrated, simple"] == pytest.approx(root + k * step**2 / 2)
    assert found["optimum"] == pytest.approx(optimal_epsilon(step, k, delta))
    rules = list(found.values())
    assert sorted(rules[:-1], reverse=True) == rules[:-1]
    assert rules[-1] > rules[0]
    assert found["range, fixed in advance"] < 0.5 * found["optimum"]


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.parametrize(("step", "k"), [(0.05, 1000), (0.5, 20), (1.0, 5)])
def test_the_curves_of_all_bounds_lie_above_the_optimum(step, k):
    grid = np.linspace(0, k * step, 23)
    curves = {
        rule: np.array([f(e) for e in grid])
        for rule, f in chapter.bound_curves(step, k).items()
    }
    rules = ["optimum", "concentrated, tight", "concentrated, simple", "advanced"]
    for lower, upper in zip(rules, rules[1:], strict=False):
        assert (curves[lower] <= curves[upper] * (1 + 1e-9)).all()
    for upper in ("range, concentrated", "optimum"):
        assert (curves["range, fixed in advance"] <= curves[upper] * (1 + 1e-9)).all()


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


@pytest.mark.parametrize("epsilon", [0.1, log(3), 5.0])
def test_the_moments_of_a_pure_step_are_below_the_bound_by_hoeffdings_lemma(epsilon):
    p = np.log([1 / (1 + exp(-epsilon)), 1 / (1 + exp(epsilon))])
    for order in (1.0001, 2.0, 10.0, 1000.0):
        assert renyi_divergence(p, p[::-1], order, logs=True) <= order * epsilon**2 / 2
    if epsilon == log(3):  # the coin of the unit
        assert renyi_divergence(p, p[::-1], 2.0, logs=True) == pytest.approx(log(7 / 3))


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
    multiples = [chapter.last_multiple(delta) for delta in deltas]
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
        adaptive = chapter.adaptive_delta(1.0, k, np.array(share * k), 401)
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
    assert float(chapter.adaptive_delta(1.0, 2, np.array(0.2), 401)) == pytest.approx(
        best, rel=1e-3
    )


def test_the_worst_rule_for_stopping_agrees_with_all_stopping_rules_of_three_steps():
    step, k = 1.0, 3
    keep, claims = (
        exp(step) / (1 + exp(step)),
        [0.0] + [optimal_epsilon(1.0, j, 0.2) for j in (1, 2, 3)],
    )
    prefixes = [p for j in range(k) for p in product((1, -1), repeat=j)]
    worst = 0.0
    for stops in product((False, True), repeat=len(prefixes)):
        stopping, total = dict(zip(prefixes, stops, strict=True)), 0.0
        for path in product((1, -1), repeat=k):
            j = next((j for j in range(k) if stopping[path[:j]]), k)
            weight = np.prod([keep if sign > 0 else 1 - keep for sign in path])
            total += weight * max(0.0, 1 - exp(claims[j] - step * sum(path[:j])))
        worst = max(worst, total)
    assert chapter.worst_stop(step, claims) == pytest.approx(worst, abs=1e-12)


def test_stopping_early_breaks_the_claim_and_a_fixed_number_does_not():
    claims = [0.0] + [optimal_epsilon(0.05, j, 1e-5) for j in range(1, 201)]
    ratios = [chapter.worst_stop(0.05, claims[: k + 1]) / 1e-5 for k in (1, 30, 200)]
    assert ratios[0] == pytest.approx(1.0, rel=1e-6)
    assert ratios == sorted(ratios)
    assert ratios[-1] > 5


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


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
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
        "budget": [
            (several((26, 77), 0.05, 1.0, 1e-6), None),
            (several((27, 77), 0.05, 1.0, 1e-6), "27 pure answers cost"),
            (several((26, 70), 0.05, 1.0, 1e-6), "one more than 70 costs"),
        ],
        "crossing": [
            (several(7, 1.0, 1e-5), None),
            (several(1, 1.0, 1e-5), "Laplace noise deviates"),
            (several(6, 1.0, 1e-5), "Laplace noise deviates"),
            (several(8, 1.0, 1e-5), "Laplace noise deviates"),
            (several(100, 1.0, 1e-5), "Laplace noise deviates"),
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
