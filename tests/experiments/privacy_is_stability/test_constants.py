"""The chapter's tables of constants: exact where it says so, and within every promise."""

from math import tanh

import numpy as np
import pytest

from privml.experiments import privacy_is_stability as experiments
from privml.experiments.privacy_is_stability.memory import _wrong_per_point
from privml.learnability import (
    count_vectors,
    exponential_law,
    generalisation_gap,
    stability_from_bounded_range,
    stability_from_privacy,
)
from privml.learnability.problems import all_labellings_problem


@pytest.mark.source("WLF16-lem-8", "WLF16-def-6")
@pytest.mark.parametrize("m", [3, 4])
def test_all_learners_keep_all_promises_on_all_problems(m):
    table = experiments.stability_table(m, 1.0)
    assert len(table) == 15
    assert (table["stability"] <= table["total_variation"] + 1e-13).all()
    assert (table["total_variation"] <= table["promised"] + 1e-13).all()
    exponential = table[table["learner"] == "exponential"]
    assert (exponential["total_variation"] <= stability_from_bounded_range(1.0) + 1e-13).all()
    flip = table[table["learner"] == "permute and flip"]
    assert (flip["total_variation"] > stability_from_bounded_range(1.0)).any()
    assert (flip["exact_epsilon"] <= 1 + 1e-12).all()
    parts = table[table["learner"] == "ERM on a subsample"]["total_variation"]
    assert parts.tolist() == pytest.approx([int(m**0.5) / m] * 3)


@pytest.mark.source("WLF16-lem-8")
def test_the_points_of_the_figure_lie_on_their_curves_and_the_printed_curves_above():
    table = experiments.bounds_by_epsilon([0.2, 0.9, 2.5], 7)
    np.testing.assert_allclose(table["response"], table["tight"], rtol=1e-12)
    np.testing.assert_allclose(table["exponential"], table["range"], rtol=1e-12)
    assert (table["tight"] < table["printed"]).all()
    assert table["linear"].isna().tolist() == [False, False, True]
    assert experiments.bounds_by_epsilon([1.0], 6)["exponential"].iloc[0] == pytest.approx(tanh(0.5) / 2)


@pytest.mark.source("WLF16-lem-30")
def test_the_extremal_pair_of_the_table_attains_the_bound_with_delta():
    table = experiments.bounds_with_delta(0.7, [0.0, 0.2, 0.9])
    np.testing.assert_allclose(table["exact"], table["tight"], rtol=1e-12)
    assert (table["printed"] > table["tight"]).all()


def test_divergences_are_below_their_promise_and_above_pinsker():
    table = experiments.divergences(4, 1.5)
    assert (table["divergence"] <= table["promised"] + 1e-13).all()
    assert (table["total_variation"] <= table["pinsker"] + 1e-13).all()


@pytest.mark.source("WLF16-rem-lem-8-converse")
def test_the_mean_is_as_stable_as_it_should_be_and_not_private():
    table = experiments.stable_but_not_private([2, 10, 50])
    np.testing.assert_allclose(table["stability"], 1 / table["m"], rtol=1e-12)
    assert np.isinf(table["exact_epsilon"]).all()


@pytest.mark.source("WLF16-lem-4")
def test_the_whole_on_a_root_keeps_both_promises():
    table = experiments.subsampled_constants([4, 9], 2.0)
    assert (table["exact_epsilon"] <= table["promised_epsilon"]).all()
    assert (table["stability"] <= table["promised_stability"] + 1e-14).all()
    detour = [stability_from_privacy(epsilon) for epsilon in table["promised_epsilon"]]
    assert (table["k"] / table["m"] * stability_from_privacy(2.0) <= detour).all()


@pytest.mark.erratum("WLF16-lem-4", "WLF16-lem-34/2")
def test_order_matters_for_privacy_and_not_for_stability():
    table = experiments.order_and_stability(3.0, 5, 2).set_index("order")
    assert table["exact_epsilon"]["index order"] > table["promised_epsilon"]["index order"]
    assert table["exact_epsilon"]["shuffled"] <= table["promised_epsilon"]["shuffled"]
    assert (table["stability"] <= table["promised_stability"] + 1e-12).all()


@pytest.mark.parametrize("epsilon", [0.5, 3.0, np.inf])
def test_the_memorising_class_agrees_with_enumeration(epsilon):
    """Three points with fair coins as labels, all eight rules, four records."""
    problem, m = all_labellings_problem(3), 4
    fair = np.full(6, 1 / 6)
    law = exponential_law(problem, min(epsilon, 500.0))
    gap = generalisation_gap(law, problem, fair, m)
    assert experiments.memorising_error(epsilon, 3, m) == pytest.approx(0.5 - gap, rel=1e-10)


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_one_record_at_a_point_is_wrong_with_the_chance_of_one_lost_vote(epsilon):
    assert _wrong_per_point(epsilon, 1) == pytest.approx(1 / (1 + np.exp(epsilon / 2)), rel=1e-13)
    assert _wrong_per_point(np.inf, 1) == 0
    assert _wrong_per_point(np.inf, 2) == pytest.approx(0.5)


@pytest.mark.source("WLF16-thm-35")
def test_the_gap_of_the_memorising_class_is_below_the_bound_and_above_two_fifths_of_it():
    table = experiments.memorising([0.1, 1.0, 3.0], 10_000, 1000)
    assert (table["gap"] <= table["bound"]).all()
    assert (table["gap"] > 0.4 * table["bound"]).all()
    assert table["bound"].tolist() == [stability_from_bounded_range(e) for e in (0.1, 1.0, 3.0)]


def test_splits_of_tumours_show_gaps_within_their_errors_of_the_bound():
    table = experiments.tumour_gaps([0.01, 1.0, np.inf], n_cuts=8, n_splits=12, seed=1)
    assert (table["gap"] <= table["bound"] + 4 * table["standard_error"]).all()
    assert (table["training_error"].diff().dropna() < 0).all()
    np.testing.assert_allclose(table["gap"], table["held_out_error"] - table["training_error"], atol=1e-12)


def test_the_problems_are_what_the_chapter_says():
    problems = experiments.problems()
    shapes = {name: problem.losses.shape for name, problem in problems.items()}
    assert shapes == {"coin": (2, 2), "median": (11, 5), "thresholds": (4, 6)}
    for law in experiments.learners(problems["median"], 1.0).values():
        np.testing.assert_allclose(law(count_vectors(5, 4)).sum(axis=1), 1, rtol=1e-12)
