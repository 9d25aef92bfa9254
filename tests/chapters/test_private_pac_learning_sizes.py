"""Sizes, prices, lower bounds and dimensions of the chapter on private PAC learning, between the theorems."""

import math
from functools import partial

import numpy as np
import pandas as pd
import pytest

from privml import pac
from privml.bounds.fast_rates import sauer_shelah
from privml.datasets import load_breast_cancer
from privml.hypotheses import (
    DecisionStumps,
    Thresholds,
    boolean_cube,
    vc_dimension_by_brute_force,
)
from privml.learners import exponential_mistake_learner
from privml.populations import FinitePopulation
from privml.results.mushrooms_stumps import accuracy, split_counts
from tests.chapters import private_pac_learning_functions as functions


@pytest.mark.source("L4-private-agnostic-pac", "S16-thm-0.3", "DR11-thm-private-pac")
def test_promised_sizes_are_exact_inverses_and_enough_on_small_worlds():
    for name in functions.EXCESSES:
        m = functions.sample_size(name, 16, 0.5, 0.1, 0.05)
        at, below = (
            functions.EXCESSES[name](16, n, 0.5, beta=0.05) for n in (m, m - 1)
        )
        assert at <= 0.1 < below
    for world in functions.small_worlds(0.2).values():
        for name in ("DR11", "one moment"):
            m = functions.sample_size(name, world[0].n_hypotheses, 0.5, 0.2, 0.1)
            assert (
                pac.failure_probability(
                    exponential_mistake_learner(0.5), *world, m, 0.2
                )
                <= 0.1
            )


@pytest.mark.source("L4-private-agnostic-pac", "S16-thm-0.3", "DR11-thm-private-pac")
def test_the_exact_size_is_below_every_theorem_and_close_to_the_sharpest_for_small_epsilon():
    wide = functions.sample_sizes(16, [0.03, 0.5, 5.0], 0.2, 0.05).set_index("epsilon")
    order = ["exact, ERM", "exact, private", "one moment", "DR11", "S16", "L4"]
    assert (np.diff(wide[order].to_numpy(), axis=1) > 0).all()
    assert wide.loc[0.03, "one moment"] < 1.05 * wide.loc[0.03, "exact, private"]
    exact = int(wide.loc[0.5, "exact, private"])
    law, crowd = functions.crowd_law(0.5, math.log(15)), functions.crowd(0.2)
    failures = [
        pac.failure_probability(law, *crowd, m, 0.2) for m in (exact - 1, exact)
    ]
    assert failures[1] <= 0.05 < failures[0]


@pytest.mark.source("L4-rem-price-of-privacy")
def test_prices_fall_to_one_and_lecture_4_is_flat_from_its_knee_on():
    wide = functions.prices(
        16, [0.1, 0.199, 0.202, 1.0, 1.21, 50.0], 0.2, 0.05
    ).set_index("ratio")
    assert (np.diff(wide, axis=0) <= 1e-12).all()
    assert wide.loc[0.202, "L4"] == 1 < wide.loc[0.199, "L4"]
    assert wide.loc[1.21, "L4, Hoeffding"] == 1 < wide.loc[1.0, "L4, Hoeffding"]
    assert (
        wide.loc[50.0, ["exact, equal rivals", "exact, independent rivals"]] < 1.1
    ).all()
    assert (
        wide.loc[1.0, ["exact, equal rivals", "exact, independent rivals"]] > 3.5
    ).all()


@pytest.mark.source("L4-rem-price-of-privacy", "DR11-cor-pac-iff-private-pac")
def test_sizes_for_thresholds_grow_privately_and_stay_put_without_privacy():
    rows = [functions.threshold_sizes(k, 0.1, 0.1, 0.05) for k in (4, 16, 64)]
    wide = pd.DataFrame(rows).set_index("log2_size")
    enough, exact, low, erm = (wide[name] for name in wide)
    assert [low.name, erm.name] == [
        "not enough: any private learner",
        "exact: ERM, the same population",
    ]
    assert ((low < exact) & (exact <= enough)).all()
    assert low[64] > 15 * low[4]
    assert erm[64] == math.ceil(math.log(0.05) / math.log(0.9))


def test_the_thresholds_of_the_packing_make_the_crowd():
    """Written out for four thresholds: the first population, and the two columns that stand for it."""
    hypotheses, population = functions.crowd(0.1, realizable=True)
    mass = 0.1 + functions.HAIR
    real = FinitePopulation(
        [0.0, 1.0, 5.0], [False, True, True], [mass, mass, 1 - 2 * mass]
    )
    for m in (5, 40):
        crowded = pac.failure_probability(
            functions.crowd_law(0.5, math.log(3)), hypotheses, population, m, 0.1
        )
        cuts = Thresholds([1.0, 2.0, 3.0, 4.0])
        full = pac.failure_probability(
            exponential_mistake_learner(0.5), cuts, real, m, 0.1
        )
        assert full == pytest.approx(crowded, abs=1e-12)


@pytest.mark.source("DR11-cor-pac-iff-private-pac")
def test_shattered_sets_give_the_vc_dimension_and_no_class_exceeds_its_bounds():
    counts = functions.shattered_sets(3)
    labellings = boolean_cube(3)
    for code in range(1, 256):
        members = [label for label in range(8) if code >> label & 1]
        dimension = vc_dimension_by_brute_force(labellings[members])
        assert int(np.flatnonzero(counts[code - 1]).max()) == dimension
        assert len(members) <= counts[code - 1].sum() <= sauer_shelah(dimension, 3)
    cuts = counts[(1 << 0b111 | 1 << 0b110 | 1 << 0b100 | 1 << 0b000) - 1]
    assert cuts.tolist() == [
        1,
        3,
        0,
        0,
    ]  # the example of the text, as many sets as rules
    table = functions.sauer_shelah_check(4)
    assert table["n_classes"].sum() == 2**16 - 1
    assert (table["largest_class"] == table["sauer_shelah"]).all()
    assert (table["violations"] == 0).all()


def test_breast_cancer_is_learned_privately_almost_as_well_as_without_privacy():
    splits = split_counts(
        load_breast_cancer(), DecisionStumps.on_grid(30, 0.0, 1.0, 16), 4, 0
    )
    _, mean, _, _, erm, majority = accuracy(splits, 1.0)
    assert mean > erm - 0.02 > majority + 0.2


@pytest.mark.source("S16-thm-0.3")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("alpha", [0.1, 0.4])
def test_the_realizable_bound_holds_on_thresholds(epsilon, alpha):
    hypotheses = Thresholds([1.0, 2.0, 3.0])
    population = FinitePopulation(
        [0.0, 1.0, 2.0], [False, False, True], [0.2, 0.3, 0.5]
    )
    for n_samples in (1, 10, 60):
        law = exponential_mistake_learner(epsilon)
        exact = pac.failure_probability(law, hypotheses, population, n_samples, alpha)
        assert exact <= functions.realizable_failure(3, n_samples, epsilon, alpha)


def test_it_grows_with_the_logarithm_of_the_class_and_never_falls_below_zero():
    for k in (1, 11, 2001):
        size = functions.thresholds_packing(2**k, 0.5, 0.2, 0.1)
        assert size == pytest.approx((k * math.log(2) + math.log(0.8)) / 0.4)
    assert functions.thresholds_packing(1, 0.5, 0.2, 0.1) == 0


@pytest.mark.source("L4-rem-price-of-privacy")
@pytest.mark.parametrize(
    ("constant", "knee"), [("lecture", 0.201), ("hoeffding", 1.204)]
)
def test_the_knee_of_lecture_4_is_where_its_two_terms_meet(constant, knee):
    alpha, beta, size = 0.001, 0.05, partial(functions.sample_size, "L4", 16)
    ratio = functions.free_privacy_ratio(16, beta, constant)
    assert ratio == pytest.approx(knee, abs=5e-4)
    at, above, below = (
        size(ratio * alpha * k, alpha, beta, constant=constant) for k in (1, 10, 1 / 2)
    )
    assert above == pytest.approx(at, abs=1)
    assert below == pytest.approx(2 * at, rel=1e-6)


@pytest.mark.source("L4-rem-price-of-privacy")
def test_the_price_is_a_ratio_of_the_two_sample_sizes():
    arguments = 16, 0.1, 0.05, 0.05
    private, free = (
        functions.sample_size("DR11", *arguments),
        functions.erm_size(16, 0.05, 0.05),
    )
    assert functions.price_of_privacy(*arguments) == private / free
