"""The sublevel-set condition computed: against enumeration, closed forms, and exact laws."""

from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.bounds import sublevel_curve as curves
from privml.bounds.penalised_erm import penalised_erm_utility_gap, penalised_erm_utility_gap_wlf16
from privml.bounds.sublevel import SublevelCondition
from privml.learnability import LearningProblem, count_vectors, sample_probabilities
from tests.measure_ratios import log_measure_ratio

HEIGHTS = [0.0, 0.05, 0.1, 0.3, 0.7]


def problem_values(seed, n_samples=6):
    """Empirical risks of five hypotheses on all data sets of three kinds of records, and their chances."""
    rng = np.random.default_rng(seed)
    problem = LearningProblem(rng.random((5, 3)))
    counts = count_vectors(3, n_samples)
    return problem.empirical_risk(counts), sample_probabilities(counts, [0.5, 0.3, 0.2]), rng.random(5) + 0.1


@pytest.mark.source("WLF16-cond-A2", "WLF16-eq-9")
@pytest.mark.parametrize("seed", range(4))
def test_the_left_side_is_that_of_the_definition(seed):
    values, chances, weights = problem_values(seed)
    curve = curves.measure_ratio_curve(values, HEIGHTS, base_weights=weights, probabilities=chances)
    for index, t in enumerate(HEIGHTS):
        ratios = []
        for row in values:
            inside = [w for v, w in zip(row, weights, strict=True) if v <= row.min() + t]
            ratios.append(weights.sum() / sum(inside))
        assert np.exp(curve.log_mean[index]) == pytest.approx(chances @ ratios)
        assert curve.mean_log[index] == pytest.approx(chances @ np.log(ratios), abs=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0, 1))
def test_one_data_set_agrees_with_the_function_for_one_height(values, t):
    curve = curves.measure_ratio_curve(values, [t])
    assert curve.log_mean[0] == pytest.approx(float(log_measure_ratio(values, t)), abs=1e-12)
    assert curve.mean_log[0] == pytest.approx(curve.log_mean[0], abs=1e-12)


@pytest.mark.source("WLF16-cond-A2")
@pytest.mark.parametrize("rho", [0.0, 0.4, 2.0])
def test_a_fitted_condition_holds_between_the_heights_and_no_smaller_constant_is_proved(rho):
    values, chances, weights = problem_values(7)
    curve = curves.measure_ratio_curve(values, HEIGHTS, base_weights=weights, probabilities=chances)
    condition = curves.fitted_condition(curve, rho)
    between = np.linspace(1e-6, 0.7, 400)[:-1]
    exact = curves.measure_ratio_curve(values, between, base_weights=weights, probabilities=chances)
    allowed = np.array([condition.log_ratio(t) for t in between])
    assert (exact.log_mean <= allowed + 1e-12).all()
    steps = curve.log_mean[:-1] + rho * np.log(curve.heights[1:])
    assert condition.log_constant == pytest.approx(steps.max())


def test_a_fitted_condition_says_where_it_is_known():
    curve = curves.RatioCurve(np.array([0.1, 0.2, 0.4]), np.array([inf, 1.0, 0.5]), np.array([inf, 1.0, 0.5]))
    condition = curves.fitted_condition(curve, 1.0)
    assert (condition.t_min, condition.t_max) == (0.2, 0.4)
    with pytest.raises(ValueError, match="t must be from t_min"):
        condition.log_ratio(0.1)
    late = penalised_erm_utility_gap(10**6, 1.0, condition)
    assert late == pytest.approx(0.2 + condition.log_ratio(0.2) / 5e5)
    with pytest.raises(ValueError, match="must lie in"):
        penalised_erm_utility_gap_wlf16(10**6, 1.0, condition)


@pytest.mark.source("WLF16-cond-A2")
@pytest.mark.parametrize("rho", [0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_is_found(rho):
    """F = |h|^(1/rho) on [0, 1] has the ratio t^-rho."""
    nodes, heights = np.linspace(0, 1, 20_001), np.geomspace(0.05, 0.9, 20)
    curve = curves.measure_ratio_curve(nodes ** (1 / rho), heights)
    assert curves.fitted_exponent(curve) == pytest.approx(rho, rel=0.02)


@pytest.mark.source("WLF16-cond-A2")
@pytest.mark.parametrize("place", [0.0, 0.3, 0.5037])
@pytest.mark.parametrize("cells", [40, 400])
def test_the_bounds_from_a_grid_hold_the_exact_ratio_of_a_cone(place, cells):
    """F = |h - place| on [0, 1]: the sublevel set is an interval, cut off at the ends."""
    nodes, heights = (np.arange(cells) + 0.5) / cells, np.linspace(0.0, 0.6, 37)
    lower, upper = curves.gridded_ratio_bounds(abs(nodes - place), heights, 0.5 / cells)
    with np.errstate(divide="ignore"):
        exact = -np.log(np.minimum(place + heights, 1) - np.maximum(place - heights, 0))
    assert (lower.log_mean <= exact + 1e-12).all()
    assert (exact <= upper.log_mean + 1e-12).all()
    wide = heights > 10 / cells
    assert (upper.log_mean - lower.log_mean)[wide].max() < (0.6 if cells == 40 else 0.35)


@pytest.mark.source("WLF16-lem-36")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("c", [0.5, 5.0, 60.0])
def test_the_bound_from_a_curve_holds_and_is_no_worse_than_through_the_condition(seed, c):
    values, chances, weights = problem_values(seed)
    heights = np.linspace(0, values.max(), 200)
    curve = curves.measure_ratio_curve(values, heights, base_weights=weights, probabilities=chances)
    law = weights * np.exp(-c * (values - values.min(axis=1, keepdims=True)))
    law /= law.sum(axis=1, keepdims=True)
    found = chances @ ((law * values).sum(axis=1) - values.min(axis=1))
    bound = curves.curve_utility_gap(curve, 100, c / 50)
    assert found <= bound
    for rho in (0.0, 0.5):
        condition = curves.fitted_condition(curve, rho)
        assert bound <= penalised_erm_utility_gap(100, c / 50, condition) + 0.01


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_for_a_power_the_curve_gives_the_bound_of_the_condition(factor):
    heights = np.geomspace(1e-4, 0.9, 4000)
    curve = curves.RatioCurve(heights, -3.0 * np.log(heights), -3.0 * np.log(heights))
    condition = SublevelCondition(log_constant=0.0, rho=3.0)
    found = curves.curve_utility_gap(curve, 500, 0.7, sensitivity_factor=factor)
    expected = penalised_erm_utility_gap(500, 0.7, condition, sensitivity_factor=factor)
    assert found == pytest.approx(expected, rel=1e-6)


def test_the_mean_of_the_logarithm_is_below_the_logarithm_of_the_mean():
    values, chances, _ = problem_values(3)
    curve = curves.measure_ratio_curve(values, HEIGHTS, probabilities=chances)
    assert (curve.mean_log <= curve.log_mean + 1e-12).all()
    assert (curve.mean_log[1:3] < curve.log_mean[1:3] - 1e-3).all()
    assert (np.diff(curve.log_mean) <= 1e-12).all()


def test_impossible_data_sets_do_not_count():
    values = [[0.0, 1.0], [0.5, 0.5]]
    curve = curves.measure_ratio_curve(values, [0.1], probabilities=[0.0, 1.0])
    assert curve.log_mean[0] == 0.0
    assert curves.measure_ratio_curve(values, [0.1], probabilities=[3.0, 0.0]).log_mean[0] == log(2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: curves.measure_ratio_curve([0.0, np.nan], [0.1]), "values must be finite"),
        (lambda: curves.measure_ratio_curve([0.0, 1.0], [0.2, 0.1]), "heights must be"),
        (lambda: curves.measure_ratio_curve([0.0, 1.0], [-0.1]), "heights must be"),
        (lambda: curves.measure_ratio_curve([0.0, 1.0], [0.1], base_weights=[1.0]), "base_weights must be"),
        (lambda: curves.measure_ratio_curve([0.0], [0.1], probabilities=[-1.0]), "probabilities must be"),
        (lambda: curves.gridded_ratio_bounds([0.0], [0.1], -1.0), "variation must be"),
        (lambda: curves.fitted_exponent(curves.measure_ratio_curve([0.0], [0.1, 0.2])), "two positive"),
        (lambda: curves.fitted_condition(curves.measure_ratio_curve([0.0], [0.1]), 1.0), "two heights"),
        (lambda: curves.fitted_condition(curves.measure_ratio_curve([0.0], [0, 1]), -1.0), "rho must be"),
        (lambda: curves.curve_utility_gap(curves.measure_ratio_curve([0.0], [0]), 0, 1.0), "n_samples must"),
        (
            lambda: curves.curve_utility_gap(curves.RatioCurve(*np.array([[0.1], [inf], [inf]])), 9, 1.0),
            "one height",
        ),
        (lambda: SublevelCondition(log_constant=0.0, rho=1.0, t_min=0.5, t_max=0.5), "above t_min"),
    ],
)
def test_bad_input_is_refused_with_a_reason(make, message):
    with pytest.raises(ValueError, match=message):
        make()
