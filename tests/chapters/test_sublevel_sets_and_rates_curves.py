"""The sublevel-set condition computed: against enumeration, closed forms, and exact laws."""

from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from book.tools.chapter_code import chapter_module
from privml.bounds import (
    SublevelCondition,
    finite_class_condition,
    penalised_erm_excess_risk,
    penalised_erm_utility_gap,
)
from privml.learnability import LearningProblem, count_vectors, sample_probabilities
from tests.measure_ratios import log_measure_ratio

curves = chapter_module("sublevel-sets-and-rates")
HEIGHTS = [0.0, 0.05, 0.1, 0.3, 0.7]


def problem_values(seed, n_samples=6):
    """Empirical risks of five hypotheses on all data sets of three kinds of records, and their chances."""
    rng = np.random.default_rng(seed)
    problem = LearningProblem(rng.random((5, 3)))
    counts = count_vectors(3, n_samples)
    return (
        problem.empirical_risk(counts),
        sample_probabilities(counts, [0.5, 0.3, 0.2]),
        rng.random(5) + 0.1,
    )


@pytest.mark.source("WLF16-cond-A2", "WLF16-eq-9")
@pytest.mark.parametrize("seed", range(4))
def test_the_left_side_is_that_of_the_definition(seed):
    values, chances, weights = problem_values(seed)
    curve = curves.measure_ratio_curve(
        values, HEIGHTS, weights=weights, chances=chances
    )
    for index, t in enumerate(HEIGHTS):
        ratios = []
        for row in values:
            inside = [
                w for v, w in zip(row, weights, strict=True) if v <= row.min() + t
            ]
            ratios.append(weights.sum() / sum(inside))
        assert np.exp(curve.log_mean[index]) == pytest.approx(chances @ ratios)
        assert curve.mean_log[index] == pytest.approx(
            chances @ np.log(ratios), abs=1e-12
        )


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0, 1))
def test_one_data_set_agrees_with_the_function_for_one_height(values, t):
    curve = curves.measure_ratio_curve(values, [t])
    assert curve.log_mean[0] == pytest.approx(
        float(log_measure_ratio(values, t)), abs=1e-12
    )
    assert curve.mean_log[0] == pytest.approx(curve.log_mean[0], abs=1e-12)


@pytest.mark.source("WLF16-cond-A2")
@pytest.mark.parametrize("rho", [0.0, 0.4, 2.0])
def test_a_fitted_condition_holds_between_the_heights_and_no_smaller_constant_is_proved(
    rho,
):
    values, chances, weights = problem_values(7)
    curve = curves.measure_ratio_curve(
        values, HEIGHTS, weights=weights, chances=chances
    )
    condition = curves.fitted_condition(curve, rho)
    between = np.linspace(1e-6, 0.7, 400)[:-1]
    exact = curves.measure_ratio_curve(
        values, between, weights=weights, chances=chances
    )
    assert (
        exact.log_mean <= np.array([condition.log_ratio(t) for t in between]) + 1e-12
    ).all()
    steps = curve.log_mean[:-1] + rho * np.log(curve.heights[1:])
    assert condition.log_constant == pytest.approx(steps.max())


def test_a_fitted_condition_says_where_it_is_known():
    curve = curves.RatioCurve(
        np.array([0.1, 0.2, 0.4]), np.array([inf, 1.0, 0.5]), np.array([inf, 1.0, 0.5])
    )
    condition = curves.fitted_condition(curve, 1.0)
    assert (condition.t_min, condition.t_max) == (0.2, 0.4)
    with pytest.raises(ValueError, match="t must be from t_min"):
        condition.log_ratio(0.1)
    late = penalised_erm_utility_gap(10**6, 1.0, condition)
    assert late == pytest.approx(0.2 + condition.log_ratio(0.2) / 5e5)
    with pytest.raises(ValueError, match="is out of range"):
        curves.printed_gap(10**6, 1.0, condition)


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
    assert (upper.log_mean - lower.log_mean)[heights > 10 / cells].max() < (
        0.6 if cells == 40 else 0.35
    )


@pytest.mark.source("WLF16-lem-36")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("c", [0.5, 5.0, 60.0])
def test_the_bound_from_a_curve_holds_and_is_no_worse_than_through_the_condition(
    seed, c
):
    values, chances, weights = problem_values(seed)
    heights = np.linspace(0, values.max(), 200)
    curve = curves.measure_ratio_curve(
        values, heights, weights=weights, chances=chances
    )
    law = weights * np.exp(-c * (values - values.min(axis=1, keepdims=True)))
    law /= law.sum(axis=1, keepdims=True)
    found = chances @ ((law * values).sum(axis=1) - values.min(axis=1))
    bound = curves.curve_utility_gap(curve, 100, c / 50)
    assert found <= bound
    for rho in (0.0, 0.5):
        assert (
            bound
            <= penalised_erm_utility_gap(
                100, c / 50, curves.fitted_condition(curve, rho)
            )
            + 0.01
        )


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_for_a_power_the_curve_gives_the_bound_of_the_condition(factor):
    heights = np.geomspace(1e-4, 0.9, 4000)
    curve = curves.RatioCurve(heights, -3.0 * np.log(heights), -3.0 * np.log(heights))
    condition = SublevelCondition(log_constant=0.0, rho=3.0)
    found = curves.curve_utility_gap(curve, 500, 0.7, s=factor)
    expected = penalised_erm_utility_gap(500, 0.7, condition, sensitivity_factor=factor)
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.erratum("WLF16-lem-37/1")
def test_with_the_logarithm_of_one_over_k_the_bound_would_be_negative():
    n_samples, n_hypotheses = 100, 10**5
    assert 2 * log(n_samples) + log(1 / n_hypotheses) < 0
    assert curves.printed_gap(n_samples, 1.0, finite_class_condition(n_hypotheses)) > 0


@pytest.mark.source("WLF16-ex-20")
@pytest.mark.erratum("WLF16-ex-20/1")
def test_the_rate_of_a_finite_class_is_of_the_order_of_the_root():
    ratios = []
    for exponent, n_samples in ((10, 10**4), (10, 10**6), (100, 10**6)):
        root = ((exponent + log(n_samples)) / n_samples) ** 0.5
        rate = (
            curves.printed_gap(n_samples, root, finite_class_condition(2**exponent))
            + 2 * root
        )
        ratios.append(rate / root)
    assert ratios == pytest.approx([13.9, 15.1, 9.7], rel=0.01)
    assert rate < 0.91 * (100 + log(10**6)) / 10**3


@pytest.mark.source("WLF16-thm-19")
def test_the_best_epsilon_is_no_worse_than_any_other_and_respects_the_budget():
    condition = curves.shrinking_condition(3, 2.0)
    epsilon, least = curves.best_epsilon(10**5, condition)
    others = [
        penalised_erm_excess_risk(10**5, e, condition)
        for e in np.geomspace(1e-6, 2, 300)
    ]
    assert least <= min(others) * (1 + 1e-6)
    assert curves.best_epsilon(10**5, condition, epsilon / 10)[0] == pytest.approx(
        epsilon / 10
    )


@pytest.mark.source("WLF16-thm-19")
@pytest.mark.parametrize(("alpha", "epsilon"), [(0.3, 1.0), (0.05, 0.5), (0.05, 0.01)])
def test_the_sample_size_is_the_inverse(alpha, epsilon):
    condition = finite_class_condition(64)
    size = curves.records_needed(alpha, epsilon, condition)

    def least(n_samples):
        return curves.best_epsilon(n_samples, condition, epsilon)[1]

    assert least(size) <= alpha < least(size - 1)


def test_the_source_s_form_refuses_an_epsilon_above_its_range():
    with pytest.raises(ValueError, match="is out of range"):
        curves.printed_gap(10, 3.0, finite_class_condition(4))


def mean(x):
    weights = np.exp(-(x - x.min()))
    return float((x - x.min()) @ weights / weights.sum())


@pytest.mark.source("WLF16-lem-36", "WLF16-ex-20")
@pytest.mark.parametrize("n_hypotheses", [2, 3, 16, 1000])
def test_two_values_attain_the_bound_and_no_other_class_exceeds_it(n_hypotheses):
    w = curves.finite_utility_gap(n_hypotheses, 2, 1.0)
    worst = np.r_[0.0, np.full(n_hypotheses - 1, 1 + w)]
    assert mean(worst) == pytest.approx(w, rel=1e-12)
    rng = np.random.default_rng(n_hypotheses)
    for _ in range(300):
        assert (
            mean(
                rng.gamma(
                    rng.choice([0.3, 1, 5]), rng.choice([0.3, 1, 2]), n_hypotheses
                )
            )
            <= w + 1e-12
        )
        assert (
            mean(
                np.r_[
                    0.0, np.maximum(worst[1:] + rng.normal(0, 0.2, n_hypotheses - 1), 0)
                ]
            )
            <= w + 1e-12
        )


@pytest.mark.source("WLF16-ex-20")
def test_the_sharp_bound_solves_its_equation_and_is_less_than_the_entropy():
    for n_hypotheses in (2, 5, 100, 10**6, 2**60):
        found = curves.finite_utility_gap(n_hypotheses, 100, 0.5)
        assert 25 * found + log(25 * found) == pytest.approx(
            log(n_hypotheses - 1) - 1, rel=1e-12
        )
        assert found < log(n_hypotheses) / 25
        assert min(found, 1) <= penalised_erm_utility_gap(
            100, 0.5, finite_class_condition(n_hypotheses)
        )
    assert curves.finite_utility_gap(1, 10, 1.0) == 0
    assert curves.finite_utility_gap(
        9, 10, 1.0, s=2.0
    ) == 2 * curves.finite_utility_gap(9, 10, 1.0)
