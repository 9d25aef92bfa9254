"""Tables of the chapter on sparse and kernel problems: brute force, orders, and what the source claims."""

from math import ceil, log, sqrt

import numpy as np
import pytest

from privml.experiments import sparse_and_kernel_problems as experiments
from privml.hypotheses import Thresholds
from privml.learners import HashedPoints, PrivateBestSubset
from privml.learners.exponential import exponential_law
from privml.pac import expected_excess_error
from privml.populations import FinitePopulation


@pytest.mark.source("WLF16-ex-22")
def test_the_risks_on_tumours_are_those_of_the_estimator_and_one_stage_is_as_good_as_twice_epsilon():
    table = experiments.tumour_risks([0.5, 1.0, 2.0], cells=4)
    wide = table.pivot(index="epsilon", columns="curve", values="risk")
    assert (wide["one stage"] < wide["two stages"]).all()
    assert wide["two stages"][2.0] == pytest.approx(wide["one stage"][1.0], rel=0.03)
    assert (table["risk"] <= table["bound"]).all()
    assert (table["best"] <= table["risk"]).all()
    from privml.datasets import load_breast_cancer

    cancer = load_breast_cancer()
    X, y = 2 * cancer.X - 1, np.where(cancer.y, 1.0, -1.0)
    learner = PrivateBestSubset(1.0, 2, method="two-stage", cells=4)
    losses = []
    law = learner.output_distribution(X, y)
    fits = [learner.fit(X, y, rng=seed) and learner.predict(X) for seed in range(60)]
    losses = [((scores - y) ** 2).mean() for scores in fits]
    spread = np.std(losses) / sqrt(60)
    assert abs(np.mean(losses) - wide["two stages"][1.0]) < 5 * spread
    assert law.n_outcomes == 435 * 49


@pytest.mark.source("WLF16-ex-22")
def test_the_excess_grows_like_the_logarithm_of_the_number_of_features_and_below_its_bound():
    table = experiments.excess_by_features([4, 16, 64], 300, 1.0, n_seeds=2)
    assert (table["excess"] <= table["bound"]).all()
    assert (table["excess"] > 0).all()
    for _, curve in table.groupby("curve"):
        steps = np.diff(curve["excess"])
        assert (steps > 0).all()
        assert steps.max() < 0.2
    wide = table.pivot(index="n_features", columns="curve", values="excess")
    assert (wide["one stage"] < 0.5 * wide["two stages"]).all()


@pytest.mark.source("WLF16-ex-22")
def test_every_claim_survives_the_audit():
    table = experiments.audited([1.0, 10.0], 3)
    assert (table[["two_stages", "one_stage"]].max(axis=1) <= table["claim"] + 1e-12).all()
    assert (table["one_stage"] > table["two_stages"]).all()


@pytest.mark.erratum("WLF16-ex-22/2")
def test_the_printed_rate_grows_with_the_lipschitz_constant_and_the_corrected_one_with_its_logarithm():
    table = experiments.rate_forms([1.0, 10.0, 1000.0], 10**6)
    assert np.diff(table["printed"])[1] == pytest.approx(3 * 990 / 1000)
    assert np.diff(table["corrected"])[1] == pytest.approx(3 * log(100) / 1000)
    assert table["convex"].nunique() == 1
    assert (table["corrected"] <= table["printed"]).all()


@pytest.mark.source("WLF16-ex-23")
def test_the_error_of_points_is_that_of_the_exponential_mechanism_on_small_classes():
    """By enumeration of all samples of the two points, for 8 point functions."""
    from privml.hypotheses import PointFunctions

    for epsilon, n_samples in ((1.0, 6), (0.3, 11)):
        population = FinitePopulation(np.array([2, 5]), np.array([True, False]), [0.5, 0.5])
        exact = expected_excess_error(exponential_law(epsilon), PointFunctions(8), population, n_samples)
        table = experiments.points_by_bits([3], n_samples, epsilon, [4])
        assert table["error"][0] == pytest.approx(exact)
        buckets = expected_excess_error(exponential_law(epsilon), PointFunctions(6), population, n_samples)
        table = experiments.points_by_bits([3], n_samples, epsilon, [6])
        assert table["error"][1] == pytest.approx(5 / 6 * buckets + 1 / 12)


@pytest.mark.source("WLF16-ex-23")
def test_the_error_with_buckets_is_that_of_the_learner():
    n_samples, epsilon, k = 12, 1.0, 5
    population = FinitePopulation(np.array([2, 5]), np.array([True, False]), [0.5, 0.5])
    errors = []
    for seed in range(300):
        drawn = HashedPoints(k).draw(rng=seed)
        excess = expected_excess_error(exponential_law(epsilon), drawn, population, n_samples)
        errors.append(excess + population.error_rates(drawn).min())
    expected = experiments.points_by_bits([3], n_samples, epsilon, [k])["error"][1]
    assert abs(np.mean(errors) - expected) < 5 * np.std(errors) / sqrt(300)


@pytest.mark.source("WLF16-ex-23")
def test_records_for_thresholds_grow_with_the_bits_and_those_for_hashed_points_do_not():
    table = experiments.representation_sizes([4, 16, 64], 0.25, 1.0)
    assert (np.diff(table["thresholds"]) > 0).all()
    assert table["hashed_points"].nunique() == 1
    assert table["hashed_points"].iloc[0] < table["all_points"].iloc[1]


@pytest.mark.source("WLF16-ex-24")
def test_many_equal_thresholds_are_the_same_as_a_weight():
    table = experiments.counts_by_bits([5], 6, 1.0, 0.1, 2.0)
    readings = np.arange(5.0)
    population = FinitePopulation(readings, readings >= 2, [0.25, 0.25, 0.25, 0.15, 0.1])
    whole = Thresholds(np.arange(1, 33))
    exact = expected_excess_error(exponential_law(1.0), whole, population, 6)
    assert table["excess"][0] == pytest.approx(exact)
    assert table["size"].tolist() == [32.0, 4.0]


@pytest.mark.source("WLF16-ex-24")
def test_behind_the_cover_the_number_of_bits_does_not_matter():
    table = experiments.counts_by_bits([8, 64], 12, 1.0, 0.1, 2.0).pivot(
        index="bits", columns="curve", values="excess"
    )
    assert table["cover"].nunique() == 1
    assert table["all cuts"][64] > 0.49
    assert (table["cover"] < table["all cuts"]).all()


@pytest.mark.source("WLF16-ex-24")
def test_greedy_covers_of_thresholds_are_about_one_over_twice_the_radius():
    table = experiments.cover_sizes([51, 201], [0.2, 0.05])
    assert (table["greedy"] >= table["least"]).all()
    assert (table["greedy"] <= table["least"] + 2).all()
    assert (table["least"] >= [ceil(1 / (2 * r)) - 1 for r in table["radius"]]).all()
    assert (table["bound"] >= table["greedy"]).all()


@pytest.mark.source("WLF16-ex-24")
def test_the_promise_of_a_cover_is_kept_and_attained():
    table = experiments.narrow_laws([1.0, 0.3, 0.1, 0.01], 0.05)
    assert (table["loss"] <= table["promise"] + 1e-12).all()
    assert table["loss"].iloc[-1] == 0.5
    sizes = experiments.reference_sizes([1.0, 100.0], 0.1, 1.0)
    assert sizes["records"].iloc[1] < 4 * sizes["records"].iloc[0]
    assert (sizes["records"] < sizes["by_dimension"]).all()


@pytest.mark.source("WLF16-rem-infinite-domain")
def test_with_privacy_there_is_a_best_number_of_frequencies_and_the_draws_are_exact():
    table = experiments.risk_by_pairs([2, 20, 100], 1000, 1.0, n_seeds=4)
    private = table[table["curve"] == "private"]["risk"].to_numpy()
    plain = table[table["curve"] == "no privacy"]["risk"].to_numpy()
    assert private[1] < min(private[0], private[2])
    assert (np.diff(plain) < 0).all()
    assert (plain < private).all()
    assert (table["exact"] == 1).all()


def test_many_rows_with_phases_are_longer_than_one_and_no_row_of_pairs_is():
    table = experiments.row_lengths([20, 200])
    assert table["longer"].between(0.2, 0.9).all()
    assert (table["longest"] > 1.01).all()
    np.testing.assert_allclose(table["pairs"], 1.0)


def test_pairs_have_the_smaller_error_and_the_promise_falls_like_a_third_root():
    errors = experiments.kernel_errors([0.0, 0.5, 3.0], 40)
    assert (errors["pairs"] <= errors["phases"]).all()
    costs = experiments.feature_costs([10**5, 10**8], 1.0, 4.0)
    assert costs["product"].iloc[0] == pytest.approx(costs["product"].iloc[1], rel=1e-3)
