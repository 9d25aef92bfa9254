"""The tables of the chapter on noise, against definitions, other formulas, many digits and brute force."""

import math

import mpmath
import numpy as np
import pytest

from privml.adjacency import Adjacency
from privml.distributions import DiscreteGaussian, DiscreteLaplace
from privml.divergences import PrivacyCurve, gaussian_delta, laplace_delta
from privml.divergences.discrete_gaussian import discrete_gaussian_log_delta
from privml.experiments import noise as experiments
from privml.floats import equally_likely_answers
from privml.mechanisms import gaussian_sigma

REPLACE, ADD = (str(relation) for relation in (Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE))


@pytest.mark.source("LZCW21-def-41", "LZCW21-def-43")
@pytest.mark.parametrize("largest", [1, 2, 4])
def test_sensitivities_are_those_of_the_proposition(largest):
    table = experiments.sensitivities(largest, 3).set_index(["statistic", "relation"])
    wanted = {
        ("count of the largest", REPLACE): (1, 1),
        ("count of the largest", ADD): (1, 1),
        ("total", REPLACE): (largest, largest),
        ("total", ADD): (largest, largest),
        ("histogram", REPLACE): (2, math.sqrt(2)),
        ("histogram", ADD): (1, 1),
        ("all counts of at least k", REPLACE): (largest, math.sqrt(largest)),
        ("all counts of at least k", ADD): (largest, math.sqrt(largest)),
    }
    assert set(table.index) == set(wanted)
    for place, values in wanted.items():
        np.testing.assert_allclose(table.loc[place], values)
    assert (table["l2"] <= table["l1"] + 1e-12).all()


@pytest.mark.erratum("LZCW21-def-43")
@pytest.mark.parametrize(("n_points", "m"), [(2, 1), (3, 4), (5, 2)])
def test_no_two_data_sets_of_one_size_are_neighbours_when_a_record_is_added(n_points, m):
    assert experiments.smallest_distance(n_points, m) == 2


@pytest.mark.source("LZCW21-lem-42", "LZCW21-def-41")
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_a_histogram_spends_its_change_over_the_declared_sensitivity(epsilon):
    table = experiments.histogram_audits(epsilon, 3, 3)
    change = table["relation"].map({REPLACE: 2, ADD: 1})
    np.testing.assert_allclose(table["exact_epsilon"], epsilon * change / table["declared"], atol=1e-9)


@pytest.mark.source("LZCW21-lem-42")
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_the_closed_laplace_curves_agree_with_quadrature(epsilon):
    table = experiments.laplace_curves(epsilon, np.linspace(0, 0.99, 12) * epsilon)
    np.testing.assert_allclose(table["number"], table["number_quadrature"], atol=2e-6)
    np.testing.assert_allclose(table["two"], table["two_quadrature"], atol=2e-6)
    assert (table["two"] < table["number"]).all()


@pytest.mark.source("LZCW21-lem-42")
def test_the_curve_of_two_cells_is_that_of_a_sum_over_the_plane():
    """Straight from the definition, on a grid of the plane."""
    loss = 0.5
    x = np.linspace(-13, 13.5, 1326) + 0.003
    step = x[1] - x[0]
    here, there = (np.exp(-np.abs(x - value)) / 2 for value in (0.0, loss))
    p, q = np.multiply.outer(here, here), np.multiply.outer(there, there)
    table = experiments.laplace_curves(2 * loss, [0.0, 0.4, 0.8])
    for epsilon, wanted in zip(table["epsilon"], table["two"], strict=True):
        assert np.maximum(0, p - np.exp(epsilon) * q).sum() * step**2 == pytest.approx(wanted, abs=2e-4)


@pytest.mark.source("LZCW21-lem-42")
@pytest.mark.parametrize("steps", [(1, 1), (2, 1), (1, 1, 1), (3, 2)])
@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_no_vector_of_integers_is_worse_than_one_number_that_moves_by_the_sum(steps, scale):
    """The lemma on steps, for both integer laws, by adding up the laws of the whole vectors."""
    points, grid = np.arange(-25, 29), np.linspace(0, sum(steps) / scale, 9)
    for law in (DiscreteLaplace(0, scale=scale), DiscreteGaussian(0, variance=scale)):
        joint = [np.zeros(1), np.zeros(1)]
        for step in steps:
            for k, shift in enumerate((0, step)):
                joint[k] = np.add.outer(joint[k], law.logpmf(points - shift)).ravel()
        vector = PrivacyCurve.between(*joint).delta(grid)
        number = PrivacyCurve.between(law.logpmf(points), law.logpmf(points - sum(steps))).delta(grid)
        assert (vector <= number + 1e-9).all()
        assert (vector < number - 1e-6).any()


def test_losses_are_those_of_the_formulas():
    answers = np.array([-3.0, -0.5, 0.25, 0.8, 4.0])
    table = experiments.losses(2.0, 1.5, answers).set_index("noise")
    laplace = (np.abs(answers - 1) - np.abs(answers)) / 2
    np.testing.assert_allclose(table.loc["Laplace", "privacy_loss"], laplace, atol=1e-12)
    gaussian = (1 - 2 * answers) / (2 * 1.5**2)
    np.testing.assert_allclose(table.loc["Gaussian", "privacy_loss"], gaussian, atol=1e-12)
    ratio = np.log(table["density"] / table["neighbour"])
    np.testing.assert_allclose(ratio, table["privacy_loss"], atol=1e-9)


def true_delta(epsilon, mu):
    with mpmath.workdps(60):
        epsilon, mu = mpmath.mpf(epsilon), mpmath.mpf(mu)
        below, above = (mpmath.ncdf(side * mu / 2 - epsilon / mu) for side in (1, -1))
        return below - mpmath.exp(epsilon) * above


@pytest.mark.source("LZCW21-lem-44")
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-5), (0.5, 1e-5), (0.9, 1e-9), (5.0, 1e-3)])
def test_the_three_calibrations_solve_what_they_say(epsilon, delta):
    row = experiments.calibrations(delta, [epsilon]).iloc[0]
    assert row["classical"] == pytest.approx(math.sqrt(2 * math.log(1.25 / delta)) / epsilon)
    mu = 1 / row["tail"]
    assert float(mpmath.ncdf(mu / 2 - epsilon / mu)) == pytest.approx(delta, rel=1e-9)
    assert float(true_delta(epsilon, 1 / row["exact"])) == pytest.approx(delta, rel=1e-9)
    assert row["exact"] < row["tail"]


@pytest.mark.source("LZCW21-lem-44")
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1, 0.73, 0.75, 0.9, 0.999])
def test_the_classical_formula_keeps_its_claim_up_to_epsilon_one_for_every_delta(delta):
    table = experiments.classical_deltas([delta], np.linspace(0.001, 1, 200))
    assert (table["ratio"] < 1).all()


@pytest.mark.erratum("LZCW21-lem-44")
def test_the_classical_formula_breaks_its_claim_beyond():
    table = experiments.classical_deltas([1e-5], [8.0, 8.41, 8.43, 10.0, 20.0]).set_index("epsilon")
    assert (table["ratio"] > 1).tolist() == [False, False, True, True, True]
    np.testing.assert_allclose(table.loc[[8.0, 10.0, 20.0], "exact"], [7.97e-6, 2.27e-5, 1.53e-3], rtol=3e-3)
    for epsilon, sigma, exact in zip(table.index, table["sigma"], table["exact"], strict=True):
        assert float(true_delta(epsilon, 1 / sigma)) == pytest.approx(exact, rel=1e-9)


@pytest.mark.erratum("LZCW21-lem-44")
@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.5])
def test_for_every_delta_the_formula_ends_in_no_privacy_at_all(delta):
    ratios = experiments.classical_deltas([delta], [100.0, 1000.0])
    assert ratios["exact"].iloc[-1] > 0.999
    assert ratios["exact"].is_monotonic_increasing


@pytest.mark.source("LZCW21-lem-44")
def test_the_curve_is_an_integral_and_typed_formulas_lose_it():
    claims = [(1.0, 1e-5), (1.0, 1e-30), (100.0, 1e-30), (800.0, 1e-5), (1e-6, 1e-12), (0.3, 0.2)]
    table = experiments.curve_in_floats(claims)
    np.testing.assert_allclose(table["integral"], 1, rtol=1e-9)
    np.testing.assert_allclose(table["log_space"], 1, rtol=1e-9)
    assert (table["log_space"] <= 1 + 1e-13).all()
    assert table["erf"].iloc[1] == 0
    assert np.isnan(table["erf"].iloc[3])
    assert np.isnan(table["erfc"].iloc[3])


def test_noise_curves_are_those_of_one_variance():
    table = experiments.noise_curves(0.5, [0.2, 1.0]).set_index(["noise", "epsilon"])["delta"]
    assert table["Gaussian", 1.0] == pytest.approx(gaussian_delta(1.0, 1 / math.sqrt(8)))
    assert table["Laplace", 0.2] == pytest.approx(laplace_delta(0.2, 1.0, 2.0))
    keep = math.exp(0.5) / (1 + math.exp(0.5))
    assert table["discrete Laplace", 0.2] == pytest.approx(keep - math.exp(0.2) * (1 - keep))
    points = np.arange(-200, 201)
    law = DiscreteGaussian(0, variance=8)
    curve = PrivacyCurve.between(law.logpmf(points), law.logpmf(points - 1))
    assert table["discrete Gaussian", 1.0] == pytest.approx(curve.delta(1.0), rel=1e-9)


def test_integer_noise_is_calibrated_to_its_own_curve():
    table = experiments.real_and_integer_noise(1e-5, [1.0, 3.0])
    for row in table.itertuples():
        at, below = (discrete_gaussian_log_delta(row.epsilon, 1, (f * row.integer) ** 2) for f in (1, 0.999))
        assert at <= math.log(1e-5) + 1e-9 < below
        assert row.ratio == pytest.approx(row.integer / gaussian_sigma(row.epsilon, 1e-5))
    assert table["ratio"].iloc[0] > 1 > table["ratio"].iloc[1]


def test_many_counts_get_the_noise_that_their_curves_allow():
    table = experiments.deviations([3], 1.0, 0.05).set_index("noise")["deviation"]
    assert table.iloc[0] == pytest.approx(math.sqrt(2) * 3)
    assert table.iloc[2] == pytest.approx(gaussian_sigma(1.0, 0.05, math.sqrt(3)))
    rate = 2 * math.asinh(1 / (math.sqrt(2) * table.iloc[1]))  # deviation = sqrt(2) / (2 sinh(rate / 2))
    law, points = DiscreteLaplace(0, scale=1 / rate), np.arange(-45, 47)
    assert np.sqrt(np.exp(law.logpmf(points)) @ points**2) == pytest.approx(table.iloc[1], rel=1e-4)
    joint = [np.zeros(1), np.zeros(1)]
    for _ in range(3):
        joint = [np.add.outer(j, law.logpmf(points - s)).ravel() for s, j in enumerate(joint)]
    assert PrivacyCurve.between(*joint).delta(1.0) == pytest.approx(0.05, rel=1e-3)


def test_the_worst_cell_exceeds_its_error_with_probability_beta():
    rng, p, n = np.random.default_rng(8), 20, 100_000
    row = experiments.largest_errors([p], 1.0, 1e-5, 0.05).iloc[0]
    sigma = gaussian_sigma(1.0, 1e-5, math.sqrt(2))
    for noise, error in (
        (rng.laplace(scale=2.0, size=(n, p)), row["laplace"]),
        (rng.normal(scale=sigma, size=(n, p)), row["gaussian"]),
    ):
        share = (np.abs(noise).max(axis=1) > error).mean()
        assert abs(share - 0.05) < 5 * math.sqrt(0.05 * 0.95 / n)


@pytest.mark.source("LZCW21-lem-42")
def test_the_window_holds_every_answer_of_half_precision():
    table = experiments.answers_in_half_precision(1.0, -1e9, 1e9)
    for value in (0, 1):
        chosen = table[table["value"] == value].set_index("answer")
        answers = equally_likely_answers(float(value), 1.0).astype(float).tolist()
        others = set(equally_likely_answers(1.0 - value, 1.0).astype(float).tolist())
        assert set(chosen.index) == set(answers)
        assert chosen["probability"].sum() == pytest.approx(1)
        for answer in list(chosen.index)[::97]:
            assert chosen.loc[answer, "probability"] == answers.count(answer) / 4096
            assert chosen.loc[answer, "excludes"] == (answer not in others)


@pytest.mark.source("LZCW21-lem-42")
def test_in_half_precision_the_curve_never_falls_and_on_the_integers_it_ends():
    table = experiments.curves_in_half_precision(1.0, 3, [0.0, 1.0, 20.0]).pivot(
        index="epsilon", columns="law", values="delta"
    )
    assert table.loc[20.0, "Laplace, half precision"] == pytest.approx(0.666259765625)
    assert table.loc[1.0, "discrete Laplace"] == 0
    assert table.loc[0.0, "Laplace, on paper"] == pytest.approx(1 - math.exp(-0.5))


@pytest.mark.source("LZCW21-lem-42")
def test_answers_in_doubles_exclude_the_neighbour_often_and_the_truth_never():
    table = experiments.excluded_neighbours([0, 3], 1.0, 1000, 5)
    assert (table["own_excluded"] == 0).all()
    assert 0.75 < table["doubles"].iloc[0] < 0.87
    assert table["doubles"].iloc[1] < table["doubles"].iloc[0]
    assert table["half_precision"].iloc[0] == 0.666259765625


@pytest.mark.source("LZCW21-lem-42", "LZCW21-lem-44")
@pytest.mark.parametrize("beta", [0.2, 0.05, 1e-6])
def test_intervals_hold_with_the_probability_they_say_and_nothing_narrower_does(beta):
    table = experiments.half_widths(1.0, 1e-5, beta, [1, 7])
    assert (table["coverage"] >= 1 - beta - 1e-12).all()
    assert (table["by_tail_bound"] >= table["half_width"] - 1e-9).all()
    real = table["noise"].isin(["Laplace", "Gaussian"])
    np.testing.assert_allclose(table["coverage"][real], 1 - beta, atol=1e-9)
    first = table[table["n_cells"] == 1].set_index("noise")
    assert first.loc["Laplace", "half_width"] == pytest.approx(math.log(1 / beta))
    r, width = math.exp(-1), first.loc["discrete Laplace", "half_width"]
    assert 2 * r ** (width + 1) / (1 + r) <= beta < 2 * r**width / (1 + r)


def test_released_cells_lie_in_their_intervals_as_often_as_they_should():
    records, misses, n = [0, 1, 1, 2], 0, 2000
    for seed in range(n):
        table = experiments.released_cells(records, 3, 1.0, 0.2, seed)
        assert table["truth"].tolist() == [1, 2, 1]
        misses += not table["truth"].between(table["from"], table["to"]).all()
    width = int(table["to"].iloc[0] - table["released"].iloc[0])
    r = math.exp(-0.5)
    expected = 1 - (1 - 2 * r ** (width + 1) / (1 + r)) ** 3
    assert expected <= 0.2
    assert abs(misses / n - expected) < 5 * math.sqrt(expected / n)
