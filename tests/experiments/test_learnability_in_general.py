"""The tables of the chapter on learnability in general, against proofs, closed forms and enumeration."""

from itertools import product
from math import exp, sqrt

import numpy as np
import pytest

from privml.adjacency import sequences
from privml.experiments import learnability_in_general as experiments
from privml.learnability import (
    aerm_gaps,
    count_vectors,
    exact_privacy,
    expected_aerm_gap,
    expected_excess_risk,
    expected_risks,
    exponential_law,
)
from privml.learnability.problems import all_labellings_problem, coin_problem


def memory_law(n_samples, n_points):
    """The memory on a domain of n_points, as a law on all labellings, for data sets of n_samples records."""
    kept, epsilon = experiments.memory_size(n_samples), experiments.memory_epsilon(n_samples)
    labels = (np.arange(1 << n_points)[:, None] >> np.arange(n_points)) & 1

    def law(counts):
        lead = counts[:, n_points:] - counts[:, :n_points]
        one = np.where(np.arange(n_points) < kept, 1 / (1 + np.exp(-epsilon * lead / 2)), 0.0)
        return np.where(labels, one[:, None], 1 - one[:, None]).prod(axis=2)

    return law


@pytest.mark.source("WLF16-thm-7")
@pytest.mark.erratum("WLF16-thm-7", "WLF16-def-5")
@pytest.mark.parametrize("n", [1, 4, 7])
def test_the_memory_is_private_and_its_gap_is_the_one_computed(n):
    n_points = 3
    law, problem = memory_law(n, n_points), all_labellings_problem(n_points)
    assert exact_privacy(law, 2 * n_points, n).value <= experiments.memory_epsilon(n) + 1e-12
    tails = [0.0, 0.5, 0.2, 0.0]
    p = np.concatenate([np.zeros(n_points), [0.5, 0.3, 0.2]])
    found = experiments.memory_gap(n, lambda x: 1.0 if x == 0 else tails[x])
    assert found == pytest.approx(expected_aerm_gap(law, problem, p, n))


@pytest.mark.source("WLF16-thm-7")
def test_the_privacy_of_the_memory_is_tight_up_to_how_flat_the_logistic_function_is():
    spent = exact_privacy(memory_law(81, 1), 2, 81).value
    assert 0.9 * experiments.memory_epsilon(81) < spent <= experiments.memory_epsilon(81)


@pytest.mark.source("WLF16-thm-7")
@pytest.mark.erratum("WLF16-thm-7", "WLF16-def-5")
def test_the_gap_of_the_memory_vanishes_for_each_law_within_the_bound_but_not_uniformly():
    table = experiments.memory_numbers([10**k for k in range(2, 7)])
    assert (table["gap"] <= table["bound"]).all()
    assert table["gap"].is_monotonic_decreasing
    assert table["kept"].tolist() == [3, 5, 10, 17, 31]
    assert table["gap"].iloc[-1] < 1e-4
    gaps = experiments.memory_gaps([100, 10**6]).pivot(index="m", columns="curve", values="value")
    tails = [f"gap, tail {name}" for name in experiments.TAILS]
    assert (gaps.loc[10**6, tails] < gaps.loc[100, tails]).all()
    assert gaps["gap, uniform on 10 m points"].min() > 0.99


@pytest.mark.source("WLF16-thm-7")
@pytest.mark.erratum("WLF16-thm-7", "WLF16-def-5")
def test_no_learner_beats_hidden_labels_and_the_quoted_number_holds_from_six_records_on():
    for m, n in ((2, 3), (4, 2), (4, 3)):
        table = experiments.hidden_labels_average(m, n, 1.0)
        assert (table["excess"] >= table["no learner below"] - 1e-12).all()
        assert table["excess"][0] == pytest.approx(table["no learner below"][0])
    excess = {n: experiments.hidden_labels_excess(10 * n, n) for n in range(1, 500)}
    assert min(excess.values()) == excess[1] == pytest.approx(0.45)
    assert [n for n, value in excess.items() if value < 0.452] == [1, 2, 3, 4, 5]


def test_the_tails_are_tails_and_the_sums_are_cut_where_nothing_is_lost():
    for tail in experiments.TAILS.values():
        assert tail(0) == 1
    uniform = experiments.uniform_tail(4)
    assert [uniform(x) for x in (0, 1, 4, 9)] == [1, 0.75, 0, 0]
    # one instance: N = n records there, all labelled 1
    n = 10_000
    epsilon = experiments.memory_epsilon(n)
    assert experiments.memory_gap(n, lambda x: float(x == 0)) == pytest.approx(1 / (1 + exp(epsilon * n / 2)))


@pytest.mark.source("WLF16-rem-thm-7-scope")
@pytest.mark.erratum("WLF16-rem-thm-7-scope")
def test_the_forgetful_learner_is_private_and_consistent_but_not_always_aerm():
    table = experiments.forgetful_learner([40, 400, 4000], 1.0)
    assert (table["exact_epsilon"] <= 1 + 1e-12).all()
    assert (table["always_gap"] == 0.25).all()
    np.testing.assert_allclose(table["expected_gap"], [0.0916, 0.0323, 0.0104], atol=5e-5)
    assert experiments.slope(table["m"].tolist(), table["expected_gap"].tolist()) == pytest.approx(
        -0.5, abs=0.03
    )


@pytest.mark.source("WLF16-rem-thm-7-scope")
def test_the_forgetful_learner_agrees_with_the_general_functions():
    n, problem = 8, coin_problem()

    def law(counts):
        one = 1 / (1 + np.exp(-experiments.forgetful_odds(n, 1.0)[counts[:, 1]]))
        return np.stack([1 - one, one], axis=1)

    counts = count_vectors(2, n)
    gaps = experiments.forgetful_gaps(n, 1.0)[counts[:, 1]]
    np.testing.assert_allclose(aerm_gaps(law, problem, counts), gaps, atol=1e-15)
    assert exact_privacy(law, 2, n).value == pytest.approx(experiments.forgetful_epsilon(n, 1.0))
    grid = np.linspace(0, 1, 2001)
    laws = np.stack([1 - grid, grid], axis=1)
    table = experiments.forgetful_learner([n], 1.0)
    assert table["expected_gap"][0] == pytest.approx(expected_aerm_gap(law, problem, laws, n).max(), abs=1e-6)
    assert table["excess_risk"][0] == pytest.approx(
        expected_excess_risk(law, problem, laws, n).max(), abs=1e-6
    )


@pytest.mark.source("WLF16-def-consistency", "WLF16-def-1")
def test_worst_excess_risks_of_the_coin_against_direct_sums():
    table = experiments.coin_rates([2, 5], 1.0).pivot(index="m", columns="curve", values="excess")
    for n in (2, 5):
        samples = sequences(2, n)
        ones = samples.sum(axis=1)
        worst = 0.0
        for p in np.arange(401) / 400:
            weights = np.where(samples, p, 1 - p).prod(axis=1)
            worst = max(worst, abs(1 - 2 * p) * weights @ ((ones > n / 2) != (p > 0.5)))
        assert table.loc[n, "minimisation"] == pytest.approx(worst)
    assert (table["always 0"] == 1).all()


def test_the_private_learner_beats_minimisation_only_where_ties_favour_zero():
    table = experiments.coin_rates([64, 65], 1.0).pivot(index="m", columns="curve", values="excess")
    difference = table["exponential mechanism, ε = 1"] - table["minimisation"]
    assert difference[64] < 0 < difference[65]


@pytest.mark.source("WLF16-def-3", "WLF16-def-1")
def test_the_report_on_private_learnability_keeps_every_promise():
    report = experiments.private_learnability(0.5, 5)
    assert (report["exact epsilon"] <= 0.5).all()
    assert (report["excess risk"] <= report["promise"]).all()
    assert report["promise"][0] == pytest.approx(2 * np.log(2) / 2.5 + np.tanh(0.25))


@pytest.mark.source("WLF16-lem-10", "WLF16-thm-7")
def test_along_the_transformation_every_promise_of_the_circle_is_kept():
    table = experiments.transformed([1, 2, 3, 5], 1.0)
    assert (table["gap draws"] <= table["xi"] + 1e-12).all()
    assert (table["gap subset"] <= table["xi"] / table["no repeat"] + 1e-12).all()
    assert (table["epsilon subset"] <= table["epsilon draws"] + 1e-12).all()
    assert (table["epsilon draws"] <= table["printed"]).all()
    assert (table["excess"] <= table["xi"] + table["k"] / table["m"]).all()
    assert (table["excess"] <= table["bound"]).all()
    assert (table["no repeat"] > exp(-0.5)).all()


@pytest.mark.source("WLF16-lem-10")
@pytest.mark.erratum("WLF16-lem-10")
def test_the_construction_of_lemma_ten_misses_the_printed_rate_and_draws_with_replacement_meet_it():
    row = experiments.printed_rate(1.0).iloc[0]
    assert row["xi(2)"] < row["gap, subset"] <= row["sqrt(e) xi(2)"]
    assert row["gap, draws"] == pytest.approx(row["xi(2)"])
    assert exact_privacy(experiments.switching_law(1.0), 4, 2).value == pytest.approx(1.0)
    # the whole law, without the library: all draws from four distinct records
    high = 1 / (1 + exp(-1.0))
    draws = [high if a != b else 1 - high for a, b in product(range(4), repeat=2)]
    assert row["gap, draws"] == pytest.approx(np.mean(draws))
    assert row["sqrt(e) xi(2)"] == pytest.approx(sqrt(exp(1)) * row["xi(2)"])
    assert experiments.good_and_bad().n_records == 4


@pytest.mark.source("WLF16-rem-uniform-convergence")
def test_thresholds_and_minorants_tell_uniform_convergence_from_private_learning():
    table = experiments.grids_and_labellings([2, 4, 8], 4, 0.5)
    wide = table.pivot(index="points", columns="curve", values="value")
    assert (wide["thresholds: least private gap"] <= wide["thresholds: exponential mechanism"]).all()
    assert wide["thresholds: least private gap"].is_monotonic_increasing
    assert wide["thresholds: uniform deviation"].max() < 0.4
    assert wide["with a minorant: uniform deviation"].is_monotonic_increasing
    minorant = wide["with a minorant: uniform deviation"]
    for m in (2, 4, 8):  # the hypothesis that is right where the sample is and wrong elsewhere
        samples = sequences(m, 4)
        unseen = np.mean([1 - len(set(row)) / m for row in samples])
        assert minorant[m] >= unseen / 2 - 1e-12


@pytest.mark.source("WLF16-fig-1")
def test_the_landscape_puts_every_problem_where_its_sets_are():
    table = experiments.landscape(25, 1.0).set_index("name")
    boxes = table[table["kind"] == "set"]

    def inside(problem, box):
        point, frame = table.loc[problem], boxes.loc[box]
        return 0 < point["x"] - frame["x"] < frame["width"] and 0 < point["y"] - frame["y"] < frame["height"]

    _, learnable, uniform, private = boxes.index
    places = {name: [inside(name, box) for box in (learnable, uniform, private)] for name in table.index[4:]}
    assert places == {
        "coin": [True, True, True],
        "labellings with a minorant": [True, False, True],
        "thresholds on [0, 1]": [True, True, False],
        "all labellings of ℕ": [False, False, False],
        "finite subsets of [0, 1]": [False, False, False],
    }
    assert table.loc["coin", "value"] < 0.05
    assert table.loc["all labellings of ℕ", "value"] == pytest.approx((1 - 1 / 250) ** 25 / 2)
    assert table.loc["finite subsets of [0, 1]", "value"] == pytest.approx((1 - 1 / 75) ** 25)
    assert table.loc["thresholds on [0, 1]", "value"] == pytest.approx(12 / 25)


@pytest.mark.source("WLF16-thm-7")
@pytest.mark.erratum("WLF16-thm-7/2")
def test_at_a_constant_epsilon_risk_is_a_multiple_of_empirical_risk_and_not_close_to_it():
    """Labels are coins: E R = 1/2 for every learner, and E R <= e^eps E R-hat, but the difference stays."""
    epsilon, p = 1.0, np.full(8, 1 / 8)
    problem = all_labellings_problem(4)
    for n in (1, 2, 4):
        found = expected_risks(exponential_law(problem, epsilon), problem, p, n)
        assert found.risk == pytest.approx(0.5)
        assert found.risk <= exp(epsilon) * found.empirical_risk + 1e-12
        assert found.risk - found.empirical_risk > 0.05


@pytest.mark.source("WLF16-thm-7")
def test_a_private_learner_with_a_uniform_gap_cannot_exist_on_shattered_sets():
    """E R-hat >= e^-eps E R >= e^-eps (1 - 1/m)^n / 2 on average over labellings, though the least is 0."""
    epsilon, m, n = 1.0, 4, 3
    problem = all_labellings_problem(m)
    labellings = (1 - problem.losses) / m
    gap = expected_aerm_gap(exponential_law(problem, epsilon), problem, labellings, n).mean()
    assert gap >= exp(-epsilon) * experiments.hidden_labels_excess(m, n)
