"""Tables of the chapter on what voting learns."""

import numpy as np
import pytest

from privml.experiments import when_voting_wins as experiments
from privml.experiments.when_voting_wins.centres import ring_class, ring_population


@pytest.mark.source("LZCW21-fig-1")
def test_the_table_of_example_one_is_the_printed_one_and_ties_change_its_last_row():
    table = experiments.voting_table().set_index("classifier")
    assert table["error"].tolist() == [0, 0.5, 0.5, 0.5, 0.75, 0.5]
    rows = table[["x1", "x2", "x3", "x4"]].values.tolist()
    assert rows[1:5] == [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [1, 0, 0, 0]]
    assert rows[5] == [1, 1, 0, 0]


def test_majorities_are_worse_and_better_than_a_voter():
    table = experiments.majority_errors([1, 3, 21]).set_index("example")
    assert table.loc["voting fails", "majority"].is_monotonic_increasing
    assert table.loc["voting wins", "majority"].is_monotonic_decreasing
    assert table["majority"].iloc[[0, 3]].tolist() == pytest.approx([0.5, 1 / 3])


@pytest.mark.source("LZCW21-ex-2")
def test_tails_lie_below_their_bounds():
    table = experiments.majority_tails([0.05, 0.3], range(1, 100, 7))
    assert (table["exact"] <= table["bound"]).all()


@pytest.mark.source("LZCW21-rem-inconsistency")
def test_the_excess_is_half_of_the_best_error_with_the_fourth_hypothesis_only():
    table = experiments.inconsistency([0.5, 0.3, 0.05], 6)
    assert table["printed class"].tolist() == pytest.approx([0, 0, 0], abs=1e-12)
    assert table["share"].tolist() == pytest.approx([0.5] * 3)
    assert table["centre"].tolist() == pytest.approx([0.25 * (1 - 1.5 * e) ** 6 for e in (0.5, 0.3, 0.05)])


@pytest.mark.source("LZCW21-thm-20")
def test_a_voting_student_finds_the_ensemble_for_better_and_for_worse():
    table = experiments.students_by_class()
    assert table["distance"].tolist() == pytest.approx([0.25, 0, 1 / 3, 0])
    assert table["excess"].tolist() == pytest.approx([0, 0.25, 0, -1 / 3])


@pytest.mark.source("LZCW21-fig-2")
def test_distances_in_the_plane_are_within_those_of_the_teachers_and_the_centres_as_named():
    table = experiments.teacher_map(40, 2)
    assert (table["x"] ** 2 + table["y"] ** 2 <= table["distance"] + 1e-9).all()
    assert table.groupby("setting")["teachers"].sum().tolist() == [9, 9, 9]
    agnostic = table[table["setting"] == "agnostic"]
    assert agnostic["distance"].tolist() == pytest.approx([22 / 60 * 0.75] * len(agnostic))


@pytest.mark.source("LZCW21-fig-2")
def test_mean_distances_tell_the_three_centres_apart():
    table = experiments.centre_distances(40, 2000, 2).set_index("setting")
    assert table.loc["no noise", "y"] == pytest.approx(table.loc["no noise", "ensemble"])
    assert table.loc["bounded noise", "h*"] < 0.15 < table.loc["bounded noise", "y"]
    assert table.loc["agnostic", "ensemble"] < table.loc["agnostic", "h*"] < table.loc["agnostic", "y"]
    assert table.loc["agnostic", "ensemble error"] == pytest.approx(0.75)
    assert (table["ensemble error"] <= 2 * table["y"] + 1e-9).all()  # at most twice the mean error


def test_all_arcs_are_equally_good_where_all_labels_are_true():
    errors = ring_population("agnostic").error_rates(ring_class())
    assert errors == pytest.approx(np.full(60, 38 / 60 * 0.75))
    assert ring_class().predictions.sum(axis=1).tolist() == [23] * 60


@pytest.mark.source("LZCW21-def-17")
def test_profiles_rise_to_one_and_noise_moves_them_up():
    table = experiments.margin_profiles([0.1, 0.16, 0.17, 0.3, 0.5], 1).pivot(
        index="xi", columns="problem", values="nu"
    )
    assert (table.diff().dropna() >= 0).all(axis=None)
    assert table.loc[0.5].tolist() == pytest.approx([1] * 4)
    assert table["voting fails"].tolist() == pytest.approx([0, 0, 0.75, 0.75, 1])
    assert (table["noise, 300 records"] <= table["noise, 30 records"]).all()


@pytest.mark.source("LZCW21-rem-21")
def test_the_markov_bound_holds_and_falls():
    table = experiments.markov_steps([5, 20, 80], 1)
    assert (table[["low margins", "distance"]].max(axis=1) <= table["bound"]).all()
    assert table["bound"].is_monotonic_decreasing


@pytest.mark.source("LZCW21-prop-18")
def test_more_teachers_finish_more_often_and_the_printed_number_does_not_keep_the_claim():
    table = experiments.finishing_by_teachers([0.45, 0.6])
    assert table["finishes"].is_monotonic_increasing
    marks = table.set_index("statement")["finishes"]
    assert marks["printed"] < 0.2 < 0.95 <= marks["corrected"]


@pytest.mark.source("LZCW21-thm-19")
def test_private_students_are_within_the_bound_and_labels_within_the_cut_off():
    table = experiments.private_students(400, 1.0, 1e-6, 0.05, 3)
    assert (table["off"] <= table["T"] - 1).all()
    assert (table["student"] <= table["bound"]).all()
    assert table["excess"].tolist()[:2] == pytest.approx([0, 0.25])


@pytest.mark.source("LZCW21-fig-2")
def test_teachers_without_records_are_uniform_and_their_distance_is_the_mean_over_all_pairs():
    table, masses = ring_class().predictions, np.append(np.full(60, 0.75 / 60), 0.25)
    pairs = (table[:, None] != table).astype(float) @ masses
    found = experiments.centre_distances(0, 10, 0)
    assert found["colleague"].tolist() == pytest.approx([pairs.mean()] * 3)
    assert found["h*"].tolist() == pytest.approx([pairs[0].mean()] * 3)
