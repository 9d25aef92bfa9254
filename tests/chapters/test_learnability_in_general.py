"""What the chapter on learnability in general computes in its cells, against proofs and enumeration."""

from itertools import product
from math import exp, inf, log, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.adjacency import sequences
from privml.composition import (
    amplified_epsilon,
    no_repeat_probability,
    root_subsample_epsilon_wlf16,
)
from privml.learnability import (
    LearningProblem,
    coin_problem,
    count_vectors,
    exact_privacy,
    excess_empirical_risks,
    expected_excess_risk,
    expected_risks,
    exponential_learner,
    mean_excess_empirical_risk,
    resampled_learner,
    subset_learner,
    thresholds_excess_risk,
    thresholds_problem,
    worst_excess_empirical_risk,
)
from tests.chapters import learnability_in_general_functions as functions

chapter = chapter_module("learnability-in-general")


def memory_law(n_samples, n_points):
    """The memory on a domain of n_points, as a law on all labellings, for data sets of n_samples records."""
    kept, epsilon = int(n_samples**0.25 + 1e-9), n_samples**-0.25
    labels = (np.arange(1 << n_points)[:, None] >> np.arange(n_points)) & 1

    def law(counts):
        lead = counts[:, n_points:] - counts[:, :n_points]
        one = np.where(
            np.arange(n_points) < kept, 1 / (1 + np.exp(-epsilon * lead / 2)), 0.0
        )
        return np.where(labels, one[:, None], 1 - one[:, None]).prod(axis=2)

    return law


@pytest.mark.source("WLF16-thm-7")
@pytest.mark.erratum("WLF16-thm-7", "WLF16-def-5")
@pytest.mark.parametrize("n", [1, 4, 7])
def test_the_memory_is_private_and_its_gap_is_the_one_computed(n):
    n_points = 3
    law, problem = memory_law(n, n_points), functions.all_labellings(n_points)
    assert exact_privacy(law, 2 * n_points, n).value <= n**-0.25 + 1e-12
    tails = [0.0, 0.5, 0.2, 0.0]
    p = np.concatenate([np.zeros(n_points), [0.5, 0.3, 0.2]])
    found = chapter.memory_gap(n, lambda x: 1.0 if x == 0 else tails[x])
    assert found == pytest.approx(mean_excess_empirical_risk(law, problem, p, n))


@pytest.mark.source("WLF16-thm-7")
def test_the_privacy_of_the_memory_is_tight_up_to_how_flat_the_logistic_function_is():
    assert 0.9 / 3 < exact_privacy(memory_law(81, 1), 2, 81).value <= 1 / 3


@pytest.mark.source("WLF16-thm-7")
@pytest.mark.erratum("WLF16-thm-7", "WLF16-def-5")
def test_the_gap_of_the_memory_vanishes_for_each_law_within_the_bound_but_not_uniformly():
    sizes, theta = [10**k for k in range(2, 7)], 0.2784645427610738
    gaps = [chapter.memory_gap(n, functions.TAILS["geometric"]) for n in sizes]
    kept = [3, 5, 10, 17, 31]
    bounds = [
        2 * theta * M / (n**-0.25 * n) + 2.0**-M
        for n, M in zip(sizes, kept, strict=True)
    ]
    assert (np.array(gaps) <= bounds).all()
    assert (np.diff(gaps) < 0).all()
    assert gaps[-1] < 1e-4
    for tail in functions.TAILS.values():
        assert tail(0) == 1
        assert chapter.memory_gap(10**6, tail) < chapter.memory_gap(100, tail)
    for n in (100, 10**6):
        assert chapter.memory_gap(n, lambda x, n=n: max(0.0, 1 - x / (10 * n))) > 0.99


@pytest.mark.source("WLF16-thm-7")
def test_the_sums_of_the_memory_are_cut_where_nothing_is_lost():
    for n in (5, 10_000):  # one instance: N = n records there, all labelled 1
        exact = 1 / (1 + exp(n**0.75 / 2))
        assert chapter.memory_gap(n, lambda x: float(x == 0)) == pytest.approx(
            exact, abs=1e-40
        )


@pytest.mark.source("WLF16-thm-7")
@pytest.mark.erratum("WLF16-thm-7", "WLF16-def-5")
def test_no_learner_beats_hidden_labels_and_the_quoted_number_holds_from_six_records_on():
    for m, n in ((2, 3), (4, 2), (4, 3)):
        problem, below = functions.all_labellings(m), functions.unavoidable(m, n)
        labellings = (1 - problem.losses) / m
        learners = (
            functions.erm_learner(problem),
            exponential_learner(problem, 1.0),
            functions.constant_learner(problem, 0),
        )
        found = [
            expected_excess_risk(law, problem, labellings, n).mean() for law in learners
        ]
        assert min(found) >= below - 1e-12
        assert found[0] == pytest.approx(below)
    excess = {n: functions.unavoidable(10 * n, n) for n in range(1, 500)}
    assert min(excess.values()) == excess[1] == pytest.approx(0.45)
    assert [n for n, value in excess.items() if value < 0.452] == [1, 2, 3, 4, 5]


@pytest.mark.source("WLF16-rem-thm-7-scope")
@pytest.mark.erratum("WLF16-rem-thm-7-scope")
def test_the_forgetful_learner_is_private_and_consistent_but_not_always_aerm():
    sizes = (40, 400, 4000)
    assert max(functions.forgetful_epsilon(m, 1.0) for m in sizes) <= 1 + 1e-12
    assert [functions.forgetful_gaps(m, 1.0).max() for m in sizes] == [0.25] * 3
    expected = [functions.forgetful_worst(m, 1.0)[0] for m in sizes]
    np.testing.assert_allclose(expected, [0.0916, 0.0323, 0.0104], atol=5e-5)
    assert log(expected[-1] / expected[0]) / log(100) == pytest.approx(-0.5, abs=0.03)


@pytest.mark.source("WLF16-rem-thm-7-scope")
def test_the_forgetful_learner_agrees_with_the_general_functions():
    n, problem = 8, coin_problem()

    def law(counts):
        one = 1 / (1 + np.exp(-functions.forgetful_odds(n, 1.0)[counts[:, 1]]))
        return np.stack([1 - one, one], axis=1)

    counts = count_vectors(2, n)
    gaps = functions.forgetful_gaps(n, 1.0)[counts[:, 1]]
    np.testing.assert_allclose(
        excess_empirical_risks(law, problem, counts), gaps, atol=1e-15
    )
    assert exact_privacy(law, 2, n).value == pytest.approx(
        functions.forgetful_epsilon(n, 1.0)
    )
    grid = np.linspace(0, 1, 2001)
    laws = np.stack([1 - grid, grid], axis=1)
    gap, excess = functions.forgetful_worst(n, 1.0)
    assert gap == pytest.approx(
        mean_excess_empirical_risk(law, problem, laws, n).max(), abs=1e-6
    )
    assert excess == pytest.approx(
        expected_excess_risk(law, problem, laws, n).max(), abs=1e-6
    )


@pytest.mark.source("WLF16-def-consistency", "WLF16-def-1")
@pytest.mark.parametrize("n", [2, 5])
def test_worst_excess_risks_of_the_coin_against_direct_sums(n):
    table = functions.coin_rates([n], 1.0)
    samples, worst = sequences(2, n), 0.0
    for p in np.arange(401) / 400:
        weights = np.where(samples, p, 1 - p).prod(axis=1)
        worst = max(
            worst,
            abs(1 - 2 * p) * weights @ ((samples.sum(axis=1) > n / 2) != (p > 0.5)),
        )
    assert table["minimisation"][0] == pytest.approx(worst)
    assert table["always 0"][0] == 1


def test_the_private_learner_beats_minimisation_only_where_ties_favour_zero():
    table = functions.coin_rates([64, 65], 1.0)
    even, odd = table.iloc[:, 2] - table["minimisation"]
    assert even < 0 < odd


@pytest.mark.source("WLF16-def-3", "WLF16-def-1")
@pytest.mark.parametrize("problem", [coin_problem(), thresholds_problem(2)])
def test_the_exponential_mechanism_keeps_the_promise_of_the_report(problem):
    law = exponential_learner(problem, 0.5)
    assert exact_privacy(law, problem.n_records, 5).value <= 0.5
    promise = 2 * log(problem.n_hypotheses) / 2.5 + np.tanh(0.25)
    assert functions.worst_risk(law, problem, 5) <= promise


@pytest.mark.source("WLF16-lem-10", "WLF16-thm-7")
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_along_the_transformation_every_promise_of_the_circle_is_kept(k):
    row, problem, m = chapter.around(k, 1.0), coin_problem(), k * k
    subset = worst_excess_empirical_risk(
        subset_learner(exponential_learner(problem, 1.0), k), problem, m
    ).value
    steps = m * max(1, 400 // m)
    rate = functions.worst_risk(exponential_learner(problem, 1.0), problem, k, steps)
    assert row["gap"] <= rate + 1e-12
    assert subset <= rate / no_repeat_probability(m, k) + 1e-12
    assert amplified_epsilon(1.0, k / m) <= row["epsilon draws"] + 1e-12
    assert row["epsilon draws"] <= root_subsample_epsilon_wlf16(1.0, m)
    assert row["excess"] <= min(rate + k / m, row["promise"])
    assert no_repeat_probability(m, k) > exp(-0.5)


@pytest.mark.source("WLF16-lem-10")
@pytest.mark.erratum("WLF16-lem-10")
def test_the_construction_of_lemma_ten_misses_the_printed_rate_and_draws_with_replacement_meet_it():
    law, problem = functions.switching(1.0), functions.GOOD_AND_BAD
    rate = functions.worst_risk(law, problem, 2)
    drawn = (subset_learner(law, 2), resampled_learner(law, 2))
    subset, draws = (
        worst_excess_empirical_risk(one, problem, 4).value for one in drawn
    )
    assert rate < subset <= sqrt(exp(1)) * rate
    assert draws == pytest.approx(rate)
    assert exact_privacy(law, 4, 2).value == pytest.approx(1.0)
    # the whole law, without the library: all draws from four distinct records
    high = 1 / (1 + exp(-1.0))
    pairs = [high if a != b else 1 - high for a, b in product(range(4), repeat=2)]
    assert draws == pytest.approx(np.mean(pairs))


@pytest.mark.source("WLF16-rem-uniform-convergence")
def test_thresholds_and_minorants_tell_uniform_convergence_from_private_learning():
    deviation, least, gap = np.transpose(
        [functions.threshold_numbers(k, 4, 0.5) for k in (2, 4, 8)]
    )
    assert (least <= gap).all()
    assert (np.diff(least) >= 0).all()
    assert deviation.max() < 0.4
    minorant = [functions.minorant_deviation(k, 4) for k in (2, 4, 8)]
    assert (np.diff(minorant) >= 0).all()
    for k, found in zip(
        (2, 4, 8), minorant, strict=True
    ):  # right where the sample is, wrong elsewhere
        assert (
            found
            >= np.mean([1 - len(set(row)) / k for row in sequences(k, 4)]) / 2 - 1e-12
        )


@pytest.mark.source("WLF16-fig-1")
def test_the_landscape_puts_every_problem_where_its_sets_are():
    def inside(problem, box):
        (x, y), (left, bottom, width, height) = (
            chapter.PLACES[problem],
            chapter.BOXES[box],
        )
        return 0 < x - left < width and 0 < y - bottom < height

    boxes = list(chapter.BOXES)[
        1:
    ]  # learnable, uniform convergence, privately learnable
    assert {name: [inside(name, box) for box in boxes] for name in chapter.PLACES} == {
        "coin": [True, True, True],
        "labellings with a minorant": [True, False, True],
        "thresholds on [0, 1]": [True, True, False],
        "all labellings of ℕ": [False, False, False],
        "finite subsets of [0, 1]": [False, False, False],
    }
    assert functions.coin_rates([25], 1.0).iloc[0, 2] < 0.05
    assert functions.unavoidable(250, 25) == pytest.approx((1 - 1 / 250) ** 25 / 2)
    assert 2 / 3 < (1 - 1 / 75) ** 25 < exp(-1 / 3)
    assert thresholds_excess_risk(inf, 25, 1.0) == pytest.approx(12 / 25)


@pytest.mark.source("WLF16-thm-7")
@pytest.mark.erratum("WLF16-thm-7/2")
def test_at_a_constant_epsilon_risk_is_a_multiple_of_empirical_risk_and_not_close_to_it():
    """Labels are coins: E R = 1/2 for every learner, and E R <= e^eps E R-hat, but the difference stays."""
    epsilon, p = 1.0, np.full(8, 1 / 8)
    problem = functions.all_labellings(4)
    for n in (1, 2, 4):
        found = expected_risks(exponential_learner(problem, epsilon), problem, p, n)
        assert found.risk == pytest.approx(0.5)
        assert found.risk <= exp(epsilon) * found.empirical_risk + 1e-12
        assert found.risk - found.empirical_risk > 0.05


@pytest.mark.source("WLF16-prop-11")
@pytest.mark.parametrize(
    ("problem", "make", "m", "branch"),
    [
        (thresholds_problem(3), functions.without_last, 4, "mixing"),
        (thresholds_problem(3), exponential_learner, 3, "conditioning"),
        (coin_problem(), exponential_learner, 5, "erm"),
        (
            LearningProblem([[0, 0.25], [0.5, 1]]),
            exponential_learner,
            5,
            "erm with mixing",
        ),
    ],
)
def test_every_branch_breaks_privacy_at_a_price_of_at_most_one_over_n(
    problem, make, m, branch
):
    found = functions.broken(problem, make(problem, 1.0), m)
    assert found[:3] == (branch, problem.n_hypotheses, m)
    before, after, change, most = found[3:]
    assert before <= 1
    assert after == inf
    assert change <= most + 1e-12
    assert functions.without_last(coin_problem(), 1.0)(np.array([[1, 0]])).tolist() == [
        [1, 0]
    ]
