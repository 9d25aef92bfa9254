"""Tables of the chapter on how small delta must be: orders, brute force, and the errata they show."""

from itertools import combinations
from math import e, exp, log

import numpy as np
import pytest

from privml.experiments import how_small_delta as experiments
from privml.learnability.impossibility import grid_packing
from privml.learnability.optimal import optimal_approximate_learner


def published_cut(x, y):
    """The largest reading labelled False, or 0."""
    return max((xi for xi, yi in zip(x, y, strict=True) if not yi), default=0.0)


@pytest.mark.source("WLF16-prop-33")
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_published_cut_errs_on_packed_data_as_the_table_says(k):
    x, y = [0.5] * 3 + [0.6] * 3, [False] * 3 + [True] * 3
    errors = []
    for chosen in combinations(range(6), k):
        cut = published_cut([x[i] for i in chosen], [y[i] for i in chosen])
        errors.append(np.mean([(xi > cut) != yi for xi, yi in zip(x, y, strict=True)]))
    table = experiments.published(6, [k], 10, 1.0)
    assert np.mean(errors) == pytest.approx(table.loc[0, "packed"])
    assert np.mean(errors) <= table.loc[0, "worst"]


@pytest.mark.parametrize("k", [1, 4])
def test_the_risk_of_the_published_cut_is_at_most_one_over_k_plus_one(k):
    """Populations on five readings, the first `n_false` of them labelled False: exact over all samples."""
    weights = np.array([0.1, 0.3, 0.25, 0.15, 0.2])
    for n_false in range(6):
        risk = 0.0
        for top in range(-1, n_false):  # the largest False reading in the sample
            below = 1 - weights[top + 1 : n_false].sum()
            chance = below**k - ((below - weights[top]) ** k if top >= 0 else 0.0)
            risk += chance * weights[top + 1 : n_false].sum()
        assert risk <= 1 / (k + 1)


@pytest.mark.source("WLF16-prop-33", "WLF16-fig-4")
def test_the_bound_is_below_the_optimum_and_the_optimum_below_the_simple_learners():
    deltas = [0.001, 0.05, 0.3, 0.7]
    table = experiments.optimum_by_delta(2, 3, 0.7, deltas).pivot(
        index="delta", columns="curve", values="excess"
    )
    best = table["best learner"]
    assert (table["packing bound"] < best + 1e-6).all()
    for name in ("best learner for ε = 0", "ERM on a few records", "exponential mechanism, δ = 0"):
        assert (best <= table[name] + 1e-6).all()
    assert (np.diff(best) < 0).all()
    problem = grid_packing(2, 3).problem
    pure = optimal_approximate_learner(problem, 3, 0.7, 0.0).value
    assert best[0.001] == pytest.approx(pure, rel=0.02)


@pytest.mark.source("WLF16-prop-33")
def test_the_bound_by_delta_vanishes_at_its_limit_only_with_all_records_at_the_cut():
    table = experiments.bound_by_delta([10, 40], 1.0, [-30, -18, -10, -3])
    vanished = table["log10_delta"] > table["limit"]
    assert (table.loc[vanished, "all"] == 0).all()
    assert (table.loc[~vanished, "all"] > 0).all()
    assert (table["best"] > 0.02).all()
    assert (table["best"] >= table["all"]).all()


@pytest.mark.source("WLF16-rem-phase-transition")
def test_the_risk_that_lasts_approaches_its_limit_from_below():
    table = experiments.lasting_risk([0.5, 4.0], [40, 300], 1.0)
    assert (table["risk"] <= table["limit"] + 1e-12).all()
    assert table.loc[1, "risk"] > 0.8 * 0.25
    assert table.loc[3, "risk"] == pytest.approx(0.5)


@pytest.mark.erratum("WLF16-rem-phase-transition", "WLF16-prop-33")
def test_the_borders_are_in_order_and_the_source_is_linear_in_m():
    table = experiments.exponents([1000, 10_000], 1.0, 0.05).pivot(
        index="n_samples", columns="curve", values="exponent"
    )
    order = ["1 / m", "1 / (m² ln m)", "exp(−c m)", "WLF16, one ε", "exp(−m ln m)", "exp(−m² ln m)"]
    assert (np.diff(table[order], axis=1) > 0).all()
    slope = table["WLF16, one ε"] * log(10) / table.index
    np.testing.assert_allclose(slope, e * (e - 1), rtol=0.01)


@pytest.mark.erratum("WLF16-prop-33/2", "WLF16-prop-33/3")
def test_the_constants_of_the_proof_with_and_without_correction():
    terms = experiments.subtracted_terms([10, 100], 0.5)
    np.testing.assert_allclose(terms["printed"], 0.4 * exp(-0.5) * np.array([100, 10_000]))
    np.testing.assert_allclose(terms["corrected"], 0.4 * exp(-0.5))
    assert (terms["bound_printed"] == 0).all()
    assert (terms["bound_corrected"] > 0.45).all()
    chain = experiments.chain_constants([1.0, 3.0])
    assert (chain["outside"] < chain["printed"]).all()
    assert chain.loc[1, "risk"] > 0.1 > chain.loc[0, "risk"]


@pytest.mark.source("WLF16-thm-32", "WLF16-def-28", "WLF16-def-negligible")
def test_a_family_of_deltas_is_kept_and_epsilon_vanishes():
    table = experiments.aerm_parameters(1.0, 1.5, [100, 10_000, 1_000_000])
    assert (np.diff(table["epsilon"]) < 0).all()
    assert table["epsilon"].iloc[-1] < 0.002
    assert (np.diff(table["scaled"]) < 0).all()
    assert (table["delta"] <= table["delta_printed"]).all()
    kept = experiments.aerm_parameters(1.0, 1.0, [10_000])  # delta(k) = 1/k is not o(1/k), nor is the new one
    assert kept.loc[0, "scaled"] == pytest.approx(1.0)
