"""Tables of the chapter on what cannot be learned: orders, brute force, and the errata they show."""

import numpy as np
import pytest

from privml.experiments import what_cannot_be_learned as experiments
from privml.experiments.what_cannot_be_learned import domains, readings, thresholds
from privml.learnability import LearningProblem, count_vectors, erm_law, sample_probabilities
from privml.learnability.impossibility import grid_packing, private_support_risk, thresholds_excess_risk


@pytest.mark.source("WLF16-prop-12")
@pytest.mark.parametrize(("n_points", "n_samples", "epsilon"), [([2, 3, 4], 2, 1.0), ([2, 3], 3, 0.5)])
def test_lower_bound_optimum_mechanism_and_theorem_are_in_this_order(n_points, n_samples, epsilon):
    table = experiments.between(n_points, n_samples, epsilon).pivot(
        index="n_points", columns="curve", values="excess"
    )
    order = ["packing bound", "best private learner", "exponential mechanism", "theorem for the mechanism"]
    assert (np.diff(table[order], axis=1) > 0).all()
    assert (np.diff(table, axis=0) > 0).all()


def test_the_reflection_is_a_symmetry_of_the_problem():
    problem = grid_packing(3, 2).problem
    np.testing.assert_array_equal(problem.losses[::-1][:, thresholds.reflection(3)], problem.losses)


def test_expected_error_by_gaps_is_that_of_all_cuts():
    rng = np.random.default_rng(0)
    for bits in (1, 3, 7):
        x, y = rng.random(20).round(2), rng.random(20) < 0.5
        x[0] = 1.0
        places = np.floor(x * 2**bits)
        mistakes = np.array([((places >= cut) != y).sum() for cut in range(2**bits + 1)])
        weights = np.exp(-0.4 * mistakes / 2)
        brute = weights @ mistakes / weights.sum() / 20
        assert readings.expected_error(x, y, bits, 0.4) == pytest.approx(brute, rel=1e-12)


def test_packed_data_are_packed():
    places = np.repeat([3, 4], 5)
    y = places == 4
    mistakes = np.array([((places >= cut) != y).sum() for cut in range(2**3 + 1)])
    weights = np.exp(-0.7 * mistakes / 2)
    brute = weights @ mistakes / weights.sum() / 10
    assert readings.packed_error(10, 3, 0.7) == pytest.approx(brute, rel=1e-12)


def test_digits_cost_nothing_on_tumours_and_everything_on_packed_data():
    table = experiments.digits([10, 40, 100], 0.1, 568).pivot(index="bits", columns="curve", values="error")
    tumours, packed = table["tumours, exponential mechanism"], table["packed data, exponential mechanism"]
    bound = table["no private learner, worst data"]
    assert np.ptp(tumours) < 1e-3
    assert packed[100] > 0.499999
    assert (bound[[40, 100]] <= packed[[40, 100]]).all()
    assert bound[100] > 0.4999


@pytest.mark.source("WLF16-prop-12")
def test_not_enough_is_below_enough_and_the_ratio_tends_to_four():
    table = experiments.crossing_sizes([8, 64, 4096], 0.1, 0.1).pivot(
        index="bits", columns="curve", values="n_samples"
    )
    least, most = table["not enough, any private learner"], table["enough, exponential mechanism"]
    assert (table["not enough, all records at the cut"] <= least).all()
    assert (least < most).all()
    assert 4 < most[4096] / least[4096] < 4.1
    for bits, size in least.items():
        assert thresholds_excess_risk(2**bits, int(size), 0.1) >= 0.1
        assert thresholds_excess_risk(2**bits, int(size) + 1, 0.1) < 0.1


@pytest.mark.erratum("WLF16-prop-12")
def test_a_risk_of_a_tenth_leaves_a_fifth_outside():
    table = experiments.mass_inside(3, 8, 0.1)
    assert table["least_mass_inside"].tolist() == [0.9, 0.8]


@pytest.mark.erratum("WLF16-prop-12/2")
def test_one_term_less_is_less_than_one():
    table = experiments.union_of_intervals([0.7, 3.0, 9.0])
    assert (table["one_less"] < 1).all()
    assert (table["K_terms"] >= 1).all()


@pytest.mark.source("WLF16-ex-16")
def test_missing_masses_are_in_order():
    table = experiments.missing_masses(20, [5, 19, 20, 400]).pivot(
        index="n_samples", columns="curve", values="mass"
    )
    assert (table["uniform law"] <= table["bound"] + 1e-12).all()
    assert (table["worst law found"] <= table["bound"] + 1e-12).all()
    assert (table["bound"] <= table["source, N / m"]).all()
    assert (table["uniform law on 3m points"] >= 2 / 3).all()


@pytest.mark.source("WLF16-ex-17")
@pytest.mark.parametrize("n_samples", [1, 2, 3])
def test_subset_selection_does_not_beat_the_bound(n_samples):
    risk = experiments.subset_selection_risk(6, n_samples, 2, 1.0)
    assert risk >= private_support_risk(6, 2, 1.0) - 1e-12
    assert (experiments.private_supports([100], 5, 1.0)["risk"].diff().dropna() <= 0).all()


@pytest.mark.source("WLF16-lem-14")
def test_the_expected_least_risk_is_as_close_as_the_direct_bound_says():
    table = experiments.best_risk_gap([16, 100])
    assert (table["exact"] <= table["direct"]).all()
    assert (table["direct"] <= table["fourth_root"]).all()
    assert (table["fourth_root"] < table["printed"] / 12).all()
    problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    counts, laws = count_vectors(2, 5), np.stack([np.linspace(0, 1, 201), np.linspace(1, 0, 201)], axis=1)
    chosen = sample_probabilities(counts, laws) @ erm_law(problem)(counts)
    assert domains.erm_rate(5) == pytest.approx((chosen * problem.excess_risk(laws)).sum(axis=1).max())
