"""Utility and excess risk of penalised private ERM, against exact expectations on finite problems."""

from math import inf, log, tanh

import numpy as np
import pytest

from privml.bounds import penalised_erm as bound
from privml.bounds import penalised_erm_rates as rates
from privml.bounds.sublevel import SublevelCondition, finite_class_condition, lipschitz_condition
from privml.learnability import LearningProblem, count_vectors, sample_probabilities

LAW = np.array([0.5, 0.3, 0.2])


def penalised_law(problem, counts, epsilon, regulariser, factor=1.0):
    """Law of the learner and its objective, written out anew."""
    objective = problem.empirical_risk(counts) + regulariser
    size = counts.sum(axis=1, keepdims=True)
    weights = np.exp(-epsilon * size * (objective - objective.min(axis=1, keepdims=True)) / (2 * factor))
    return weights / weights.sum(axis=1, keepdims=True), objective


def gaps(problem, n_samples, epsilon, regulariser=0.0, factor=1.0):
    """Exact expected utility gap, empirical gap and excess risk."""
    counts = count_vectors(problem.n_records, n_samples)
    law, objective = penalised_law(problem, counts, epsilon, regulariser, factor)
    weights = sample_probabilities(counts, LAW)
    utility = ((law * objective).sum(axis=1) - objective.min(axis=1)) @ weights
    empirical = (law * problem.excess_empirical_risk(counts)).sum(axis=1) @ weights
    return utility, empirical, weights @ law @ problem.excess_risk(LAW)


CASES = [(n, epsilon, seed) for n in (2, 6, 14) for epsilon in (0.1, 0.8, 3.0) for seed in range(4)]


@pytest.mark.source("WLF16-lem-36", "WLF16-lem-37", "WLF16-thm-19", "WLF16-ex-20")
@pytest.mark.parametrize(("n_samples", "epsilon", "seed"), CASES)
def test_the_bounds_hold_exactly_on_random_finite_problems(n_samples, epsilon, seed):
    rng = np.random.default_rng(seed)
    problem = LearningProblem(rng.random((5, 3)) ** (seed + 1))
    regulariser = rng.normal(0, 0.1, 5) * (seed > 1)
    width = float(np.ptp(regulariser))
    condition = finite_class_condition(5)
    utility, empirical, excess = gaps(problem, n_samples, epsilon, regulariser)
    assert utility <= bound.penalised_erm_utility_gap(n_samples, epsilon, condition, regulariser_width=width)
    assert empirical <= bound.penalised_erm_empirical_gap(
        n_samples, epsilon, condition, regulariser_width=width
    )
    assert excess <= bound.penalised_erm_excess_risk(n_samples, epsilon, condition, regulariser_width=width)


@pytest.mark.source("WLF16-lem-36")
def test_the_utility_bound_is_sharp_up_to_a_small_factor():
    """One good hypothesis among very many whose risk is the worst that the tail allows."""
    n_hypotheses, n_samples, epsilon = 10**6, 2000, 0.05
    c = epsilon * n_samples / 2
    risk = (log(n_hypotheses) - log(log(n_hypotheses))) / c
    bad = (n_hypotheses - 1) * np.exp(-c * risk)
    found = risk * bad / (1 + bad)
    limit = bound.penalised_erm_utility_gap(n_samples, epsilon, finite_class_condition(n_hypotheses))
    assert 0.7 * limit < found <= limit


@pytest.mark.source("WLF16-lem-36", "WLF16-ex-21")
@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_the_utility_bound_holds_for_a_cone_where_the_law_is_a_gamma(dimension):
    """F = |h| on the unit ball: the radius has density r^(d-1) exp(-c r), whose mean is known."""
    n_samples, epsilon = 400, 1.0
    c = epsilon * n_samples / 2
    r = (np.arange(200_000) + 0.5) / 200_000
    weights = r ** (dimension - 1) * np.exp(-c * r)
    found = (r * weights).sum() / weights.sum()
    condition = SublevelCondition(log_constant=0.0, rho=float(dimension), t_max=1.0)
    limit = bound.penalised_erm_utility_gap(n_samples, epsilon, condition)
    assert found == pytest.approx(dimension / c, rel=1e-3)
    assert found < limit < found * (1 + log(c))


def test_the_utility_bound_is_the_best_over_all_heights():
    condition = SublevelCondition(log_constant=1.5, rho=3.0, t_max=0.04)
    for n_samples in (50, 500, 5000):
        u = np.linspace(1e-5, condition.t_max, 40_000)
        heights = u + (1.5 - 3.0 * np.log(u)) / (n_samples / 2)
        limit = bound.penalised_erm_utility_gap(n_samples, 1.0, condition)
        assert limit == pytest.approx(min(1, heights.min()), rel=1e-6)


@pytest.mark.source("WLF16-thm-19")
def test_our_constants_are_less_than_two_ninths_of_the_source_s():
    for condition in (finite_class_condition(100), SublevelCondition(log_constant=2.0, rho=5.0, t_max=inf)):
        for n_samples, epsilon in ((10**4, 0.1), (10**6, 0.01), (10**6, 1.0)):
            ours = bound.penalised_erm_utility_gap(n_samples, epsilon, condition)
            printed = bound.penalised_erm_utility_gap_wlf16(n_samples, epsilon, condition)
            assert ours < printed / 4.5


@pytest.mark.erratum("WLF16-lem-36/1")
@pytest.mark.erratum("WLF16-thm-19/2")
def test_without_the_range_of_t_the_printed_bound_is_false():
    """1000 hypotheses, one of loss 0 and the rest 1/2; the condition holds below t_max only."""
    n_samples, epsilon, rho, t_max = 50, 0.05, 21.2, 0.01
    condition = SublevelCondition(log_constant=log(1000) + rho * log(t_max), rho=rho, t_max=t_max)
    c = epsilon * n_samples / 4
    bad = 999 * np.exp(-c / 2)
    found = 0.5 * bad / (1 + bad)
    bracket = (rho + 2) * log(n_samples) + condition.log_constant
    assert found > 2 * (9 * bracket / (n_samples * epsilon) + 2 * epsilon)
    with pytest.raises(ValueError, match="must lie in"):
        bound.penalised_erm_utility_gap_wlf16(n_samples, epsilon, condition)
    assert found <= bound.penalised_erm_utility_gap(n_samples, epsilon, condition, sensitivity_factor=2.0)


@pytest.mark.erratum("WLF16-thm-19/1")
@pytest.mark.erratum("WLF16-lem-37/2")
def test_a_regulariser_that_changes_sign_counts_twice():
    n_samples, epsilon, g = 10**8, 1e-3, 0.25
    risk, regulariser = np.array([0.0, 0.49]), np.array([g, -g])
    c = epsilon * n_samples / 4
    weights = np.exp(-c * (risk + regulariser - (risk + regulariser).min()))
    found = float(risk @ weights / weights.sum())
    condition = finite_class_condition(2)
    printed = bound.penalised_erm_utility_gap_wlf16(n_samples, epsilon, condition) + 2 * epsilon + g
    assert found > printed
    assert found > 1.9 * g
    assert found <= bound.penalised_erm_empirical_gap(
        n_samples, epsilon, condition, regulariser_width=2 * g, sensitivity_factor=2.0
    )
    assert found <= rates.penalised_erm_excess_risk_wlf16(
        n_samples, epsilon, condition, regulariser_width=2 * g
    )


@pytest.mark.erratum("WLF16-lem-37/1")
def test_with_the_logarithm_of_one_over_k_the_bound_would_be_negative():
    n_samples, n_hypotheses = 100, 10**5
    assert 2 * log(n_samples) + log(1 / n_hypotheses) < 0
    assert bound.penalised_erm_utility_gap_wlf16(n_samples, 1.0, finite_class_condition(n_hypotheses)) > 0


@pytest.mark.source("WLF16-ex-20")
@pytest.mark.erratum("WLF16-ex-20/1")
def test_the_rate_of_a_finite_class_is_of_the_order_of_the_root():
    ratios = []
    for exponent, n_samples in ((10, 10**4), (10, 10**6), (100, 10**6)):
        root = ((exponent + log(n_samples)) / n_samples) ** 0.5
        ratios.append(rates.finite_class_rate(2**exponent, n_samples) / root)
    assert ratios == pytest.approx([13.9, 15.1, 9.7], rel=0.01)
    assert rates.finite_class_rate(2**100, 10**6) < 0.91 * (100 + log(10**6)) / 10**3


@pytest.mark.source("WLF16-thm-19")
def test_the_best_epsilon_is_no_worse_than_any_other_and_respects_the_budget():
    condition = lipschitz_condition(1.0, 3, log_volume=log(8.0), regularity=0.125, t_max=1.0)
    best = rates.penalised_erm_best_epsilon(10**5, condition)
    others = [bound.penalised_erm_excess_risk(10**5, e, condition) for e in np.geomspace(1e-6, 2, 300)]
    assert best.excess_risk <= min(others) * (1 + 1e-6)
    small = rates.penalised_erm_best_epsilon(10**5, condition, largest_epsilon=best.epsilon / 10)
    assert small.epsilon == pytest.approx(best.epsilon / 10)


@pytest.mark.source("WLF16-thm-19")
@pytest.mark.parametrize(("alpha", "epsilon"), [(0.3, 1.0), (0.05, 0.5), (0.05, 0.01)])
def test_the_sample_size_is_the_inverse(alpha, epsilon):
    condition = finite_class_condition(64)
    size = rates.penalised_erm_sample_size(alpha, epsilon, condition)

    def least(n_samples):
        return rates.penalised_erm_best_epsilon(n_samples, condition, largest_epsilon=epsilon).excess_risk

    assert least(size) <= alpha < least(size - 1)


def test_no_bound_exceeds_the_trivial_one_by_more_than_stability():
    condition = finite_class_condition(10**9)
    assert bound.penalised_erm_utility_gap(1, 1e-3, condition, regulariser_width=0.5) == 1.5
    assert bound.penalised_erm_utility_gap(1, 1e-3, finite_class_condition(1)) == 0
    assert bound.penalised_erm_excess_risk(1, 1e-3, condition) == 1 + tanh(2.5e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_samples": 0}, "n_samples must be"),
        ({"epsilon": float("nan")}, "epsilon must be"),
        ({"condition": 16}, "condition must be"),
        ({"regulariser_width": -1.0}, "regulariser_width must be"),
        ({"sensitivity_factor": 0.0}, "sensitivity_factor must be"),
    ],
)
def test_bad_input_is_refused_with_a_reason(change, message):
    call = {"n_samples": 10, "epsilon": 1.0, "condition": finite_class_condition(4)} | change
    with pytest.raises(ValueError, match=message):
        bound.penalised_erm_excess_risk(**call)


def test_the_source_s_form_refuses_an_epsilon_above_its_range():
    with pytest.raises(ValueError, match="below ln n_samples"):
        bound.penalised_erm_utility_gap_wlf16(10, 3.0, finite_class_condition(4))
