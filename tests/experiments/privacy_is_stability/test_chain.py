"""The chapter's tables of the chain, of rates, and of the map of implications."""

from math import log, sqrt

import numpy as np
import pytest

from privml.experiments import privacy_is_stability as experiments
from privml.experiments.privacy_is_stability.implications import NODES
from privml.learnability import (
    always_aerm_gap,
    count_vectors,
    expected_excess_risk,
    exponential_law,
)


@pytest.mark.source("WLF16-thm-35")
@pytest.mark.parametrize(("name", "m"), [("coin", 7), ("median", 5), ("thresholds", 4)])
@pytest.mark.parametrize("epsilon", [0.3, 3.0])
def test_every_link_holds_on_every_problem(name, m, epsilon):
    table = experiments.chain_links(name, m, epsilon)
    assert (table["slack"] >= 0).all()
    assert (table[table["relation"] == "="]["slack"] == 0).all()
    np.testing.assert_allclose(table["right_value"] - table["left_value"], table["slack"], atol=1e-12)


@pytest.mark.source("WLF16-thm-35")
def test_both_sides_of_the_identity_agree():
    left, right = experiments.identity_by_hand(8, 1.7)
    assert left == pytest.approx(right, rel=1e-11)
    assert left > 0.01


@pytest.mark.source("WLF16-thm-35")
def test_no_random_learner_is_above_the_diagonal():
    table = experiments.random_learners(3, 120, 4)
    assert (table["excess"] <= table["bound"]).all()
    assert table["kind"].value_counts().tolist() == [60, 60]


@pytest.mark.source("WLF16-cor-9")
def test_the_bounds_of_the_rates_are_in_order_and_above_the_truth():
    table = experiments.rates("median", 4, [0.2, 1.0, 5.0], 3)
    columns = ["excess", "stable", "range", "tight", "printed"]
    assert (np.diff(table[columns], axis=1) >= -1e-12).all()
    assert (table["gap"].diff().dropna() < 0).all()


@pytest.mark.source("WLF16-def-5")
def test_gaps_by_size_are_in_order_and_halve_when_the_records_grow_fourfold():
    table = experiments.gaps_by_size("coin", [16, 64, 256], 100)
    assert (table["universal"] <= table["always"]).all()
    assert (table["excess"] <= table["bound"]).all()
    halved = table["always"].to_numpy()[:-1] / table["always"].to_numpy()[1:]
    np.testing.assert_allclose(halved, 2, rtol=0.05)


@pytest.mark.source("WLF16-cor-9")
@pytest.mark.parametrize("name", ["coin", "median", "thresholds"])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 6.0])
def test_the_gap_of_the_exponential_mechanism_is_at_most_that_of_the_entropy(name, epsilon):
    problem = experiments.problems()[name]
    gap = always_aerm_gap(exponential_law(problem, epsilon), problem, 4).value
    assert gap <= 2 * log(problem.n_hypotheses) / (4 * epsilon)


@pytest.mark.source("WLF16-cor-9")
def test_a_finite_class_is_learned_within_the_bound():
    table = experiments.finite_class_table([4, 25, 100], 50)
    assert (table["excess"] <= table["bound"]).all()
    assert (table["bound"] <= table["simple"]).all()
    assert table["simple"].tolist() == pytest.approx([sqrt(2 * log(2) / m) for m in (4, 25, 100)])
    best = table["epsilon"][2]
    near = [experiments.finite_class_bound(2, 100, epsilon) for epsilon in (0.9 * best, 1.1 * best)]
    assert min(near) >= table["bound"][2]


@pytest.mark.source("WLF16-rem-lem-10-alternative")
def test_the_optimism_is_below_its_bound():
    table = experiments.optimism_table([4, 6])
    assert (table["optimism"] <= table["bound"]).all()
    assert (table["optimism"] > 0).all()


@pytest.mark.source("WLF16-fig-2")
@pytest.mark.parametrize(("name", "m", "steps"), [("coin", 9, 6), ("median", 4, 3), ("thresholds", 4, 2)])
def test_every_arrow_of_the_map_stands_for_an_inequality_that_holds(name, m, steps):
    table = experiments.implications(name, m, 1.0, steps)
    arrows = table[table["kind"] != "node"]
    kept = arrows[arrows["kind"] != "refuted"]
    assert (kept["left"] <= kept["right"] + 1e-12).all()
    assert set(arrows["name"]) | set(arrows["to"]) == set(NODES)
    refuted = arrows[arrows["kind"] == "refuted"].iloc[0]
    assert (refuted["left"], refuted["right"]) == (pytest.approx(1 / m), np.inf)
    for _, arrow in arrows.iterrows():
        assert (arrow["x"], arrow["y"]) == NODES[arrow["name"]]
        assert (arrow["to_x"], arrow["to_y"]) == NODES[arrow["to"]]


@pytest.mark.source("WLF16-fig-2", "WLF16-lem-10")
def test_the_arrow_of_the_subsample_pays_for_repeats():
    table = experiments.implications("coin", 9, 1.0, 3)
    coin = experiments.problems()["coin"]
    uniform = count_vectors(2, 9) / 9
    excess = expected_excess_risk(exponential_law(coin, 1.0), coin, uniform, 3).max()
    arrows = table[table["kind"] == "subsample"]
    assert arrows["right"].tolist() == pytest.approx([excess / (8 / 9 * 7 / 9)] * 2)


def test_the_grid_has_the_size_that_the_chapter_says():
    assert experiments.grid_size("median", 6) == 210
