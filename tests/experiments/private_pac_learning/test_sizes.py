"""Sample sizes, prices, lower bounds and dimensions: exact quantities between the theorems."""

import math

import numpy as np
import pytest

from privml import pac
from privml.bounds.vc import sauer_shelah
from privml.experiments import private_pac_learning as experiments
from privml.experiments.private_pac_learning import base
from privml.hypotheses import Thresholds, boolean_cube, vc_dimension_by_brute_force
from privml.learners import exponential_law
from privml.populations import FinitePopulation


@pytest.mark.source("L4-private-agnostic-pac", "S16-thm-0.3", "DR11-thm-private-pac")
def test_promised_sizes_are_exact_inverses_and_enough_on_small_worlds():
    table = experiments.promised_sizes(16, 0.5, 0.1, 0.05)
    assert (table["bound_at_m"] <= 0.1).all()
    assert (table["bound_at_m_minus_1"] > 0.1).all()
    failures = experiments.failures_at_promised_sizes(0.5, 0.2, 0.1)
    assert (failures["failure"] <= 0.1).all()
    assert failures.loc[0, "failure"] == pytest.approx(2.287e-4, rel=1e-3)


@pytest.mark.source("L4-private-agnostic-pac", "S16-thm-0.3", "DR11-thm-private-pac")
def test_the_exact_size_is_below_every_theorem_and_close_to_the_sharpest_for_small_epsilon():
    table = experiments.sample_sizes(16, [0.03, 0.5, 5.0], 0.2, 0.05)
    wide = table.pivot(index="epsilon", columns="curve", values="n_samples")
    order = ["exact, ERM", "exact, private", "one moment", "DR11", "S16", "L4"]
    assert (np.diff(wide[order].to_numpy(), axis=1) > 0).all()
    assert wide.loc[0.03, "one moment"] < 1.05 * wide.loc[0.03, "exact, private"]
    exact = int(wide.loc[0.5, "exact, private"])
    law, crowd = base.crowd_law(0.5, math.log(15)), base.crowd(0.2)
    failures = [pac.failure_probability(law, *crowd, m, 0.2) for m in (exact - 1, exact)]
    assert failures[1] <= 0.05 < failures[0]


@pytest.mark.source("L4-rem-price-of-privacy")
def test_prices_fall_to_one_and_lecture_4_is_flat_from_its_knee_on():
    table = experiments.prices(16, [0.1, 0.199, 0.202, 1.0, 1.21, 50.0], 0.2, 0.05)
    wide = table.pivot(index="ratio", columns="curve", values="price")
    assert (np.diff(wide, axis=0) <= 1e-12).all()
    assert wide.loc[0.202, "L4"] == 1 < wide.loc[0.199, "L4"]
    assert wide.loc[1.21, "L4, Hoeffding"] == 1 < wide.loc[1.0, "L4, Hoeffding"]
    assert (wide.loc[50.0, ["exact, equal rivals", "exact, independent rivals"]] < 1.1).all()
    assert (wide.loc[1.0, ["exact, equal rivals", "exact, independent rivals"]] > 3.5).all()


@pytest.mark.source("L4-rem-price-of-privacy", "DR11-cor-pac-iff-private-pac")
def test_sizes_for_thresholds_grow_privately_and_stay_put_without_privacy():
    table = experiments.threshold_sizes([4, 16, 64], 0.1, 0.1, 0.05)
    wide = table.pivot(index="log2_size", columns="curve", values="n_samples")
    low, exact = wide["not enough: any private learner"], wide["exact: exponential mechanism, one population"]
    enough, erm = (
        wide["enough: exponential mechanism, any population"],
        wide["exact: ERM, the same population"],
    )
    assert (low < exact).all()
    assert (exact <= enough).all()
    assert low[64] > 15 * low[4]
    assert erm[64] == math.ceil(math.log(0.05) / math.log(0.9))


def test_the_thresholds_of_the_packing_make_the_crowd():
    """Written out for four thresholds: the first population, and the two columns that stand for it."""
    hypotheses, population = base.crowd(0.1, realizable=True)
    mass = 0.1 + base.MARGIN
    real = FinitePopulation([0.0, 1.0, 5.0], [False, True, True], [mass, mass, 1 - 2 * mass])
    for m in (5, 40):
        crowded = pac.failure_probability(base.crowd_law(0.5, math.log(3)), hypotheses, population, m, 0.1)
        full = pac.failure_probability(exponential_law(0.5), Thresholds([1.0, 2.0, 3.0, 4.0]), real, m, 0.1)
        assert full == pytest.approx(crowded, abs=1e-12)


@pytest.mark.source("DR11-cor-pac-iff-private-pac")
def test_shattered_sets_give_the_vc_dimension_and_no_class_exceeds_its_bounds():
    counts = experiments.shattered_sets(3)
    labellings = boolean_cube(3)
    for code in range(1, 256):
        members = [label for label in range(8) if code >> label & 1]
        dimension = vc_dimension_by_brute_force(labellings[members])
        assert int(np.flatnonzero(counts[code - 1]).max()) == dimension
        assert len(members) <= counts[code - 1].sum() <= sauer_shelah(dimension, 3)
    table = experiments.sauer_shelah_check(4)
    assert table["n_classes"].sum() == 2**16 - 1
    assert (table["largest_class"] == table["sauer_shelah"]).all()
    assert (table["violations"] == 0).all()


def test_samples_grow_with_the_dimension_and_weights_with_its_exponential():
    table = experiments.samples_and_weights([10, 20, 40], 1.0, 0.1, 0.05).set_index(["class", "d"])
    for name, base_ in (("parities", 2), ("conjunctions", 3)):
        rows = table.loc[name]
        assert rows.loc[40, "m"] - rows.loc[20, "m"] < 2.1 * (rows.loc[20, "m"] - rows.loc[10, "m"])
        assert rows.loc[40, "log10_weights"] == pytest.approx(40 * math.log10(base_), abs=1e-4)
