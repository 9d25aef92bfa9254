"""The exact law of empirical risk minimisation over thresholds from Poisson many records; the condition."""

from math import exp, factorial, log, sqrt

import numpy as np
import pytest
from scipy.stats import poisson, skellam

from privml.bounds.fast_rates import NoiseCondition, finite_erm_error
from privml.hypotheses import Thresholds
from privml.pac import expected_excess_error
from privml.populations import TsybakovLine, bernstein_constant
from tests.chapters.tsybakov_condition_functions import (
    erm_error,
    rises,
    stated_error,
    threshold_erm_law,
)


def first_minimum(mistakes):
    return np.eye(mistakes.shape[1])[mistakes.argmin(axis=1)]


@pytest.mark.parametrize("tau", [0.5, 1.0])
def test_the_law_is_the_poisson_mixture_of_what_enumeration_gives(tau):
    line = TsybakovLine(tau=tau, n_points=4, scale=0.6)
    mean = 3.0
    rates = line.regression * mean / 4
    law = threshold_erm_law(rates, mean / 4 - rates)
    population, cuts = line.population, Thresholds(np.arange(5) / 4)
    total = exp(-mean) * line.excess[0]  # no record: the first cut
    for n in range(1, 16):
        weight = exp(-mean) * mean**n / factorial(n)
        total += weight * expected_excess_error(first_minimum, cuts, population, n)
    assert np.isclose(law @ line.excess, total, atol=2e-6)


def test_a_law_without_records_is_the_first_threshold():
    assert threshold_erm_law(np.zeros(2), np.zeros(2)).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("rate", [1e-6, 1e-3, 0.3, 1.0, 7.0, 100.0])
def test_counts_are_cut_off_where_they_hardly_ever_are(rate):
    steps = rises(np.array([rate / 2]), np.array([rate]))
    assert poisson.sf(steps.shape[1] // 2, rate) < 1e-15


def test_a_walk_that_comes_back_from_high_up_is_followed():
    """It climbs by 100 and falls by 99, on average: higher than the height that is tried first."""
    law = threshold_erm_law(np.array([100.0, 0.0]), np.array([0.0, 99.0]))
    stays = skellam.sf(-1, 100.0, 99.0)
    assert law == pytest.approx([stays, 0.0, 1 - stays], abs=1e-9)


def law_of(line, n):
    rates = line.regression * n / line.n_points
    return threshold_erm_law(rates, n / line.n_points - rates)


def exact_failure(line, n, limit):
    return law_of(line, n)[
        line.excess + line.population.best(line.hypotheses).error > limit + 1e-12
    ].sum()


@pytest.mark.source("LZCW21-lem-37")
@pytest.mark.parametrize("scale", [1.0, 0.8, 0.2])
@pytest.mark.parametrize("n", [100, 2000])
def test_thresholds_exceed_each_learning_bound_with_probability_at_most_beta(scale, n):
    line, beta = TsybakovLine(tau=1.0, n_points=200, scale=scale), 0.1
    best = (1 - scale) / 2
    for error, size in (
        (erm_error, 1),
        (stated_error, 1),
        (finite_erm_error, 201),
    ):
        assert exact_failure(line, n, error(n, size, beta, best_error=best)) <= beta


@pytest.mark.source("LZCW21-lem-37")
@pytest.mark.parametrize(("n", "p", "beta"), [(1000, 0.1, 0.05), (50_000, 0.001, 1e-6)])
def test_the_bounds_on_minimisers_have_the_stated_forms(n, p, beta):
    unit = log(16 / beta) / n
    assert np.isclose(
        finite_erm_error(n, 16, beta, best_error=p), p + 2 * sqrt(p * unit) + unit
    )
    half = log(2 / beta) / n
    of_best = p + sqrt(2 * p * half) + 2 * half / 3
    unit = (
        log(2 * n + 1) + log(8 / beta)
    ) / n  # thresholds label 2 n points in 2 n + 1 ways
    found = erm_error(n, 1, beta, best_error=p)
    assert np.isclose(found, of_best + 2 * unit + 2 * sqrt(unit * (unit + of_best)))


LINES = [(0.25, 1.0), (0.5, 1.0), (0.5, 0.3), (1.0, 0.5), (1.0, 1.0)]


def condition_of(line, **size):
    eta = bernstein_constant(line.hypotheses, line.population, line.tau)
    return NoiseCondition(tau=line.tau, eta=eta, **size)


@pytest.mark.source("LZCW21-lem-38")
@pytest.mark.parametrize(("tau", "scale"), LINES)
@pytest.mark.parametrize("n", [100, 2000])
def test_the_excess_error_exceeds_the_bound_with_probability_at_most_beta(
    tau, scale, n
):
    line, beta = TsybakovLine(tau=tau, n_points=200, scale=scale), 0.1
    for size in ({"n_hypotheses": 201}, {"vc_dimension": 1}):
        bound = condition_of(line, **size).excess(n, beta)
        assert law_of(line, n)[line.excess > bound + 1e-12].sum() <= beta


@pytest.mark.source("LZCW21-lem-13")
@pytest.mark.parametrize(("tau", "scale"), LINES)
def test_the_farthest_of_all_teachers_exceeds_the_bound_with_probability_at_most_beta(
    tau, scale
):
    line, beta, n_teachers = TsybakovLine(tau=tau, n_points=200, scale=scale), 0.1, 50
    n = 50_000
    bound = condition_of(line, n_hypotheses=201).teacher_disagreement(
        n, n_teachers, beta
    )
    distance = np.abs(np.arange(201) - 100) / 200
    assert (
        1 - law_of(line, n // n_teachers)[distance <= bound + 1e-12].sum() ** n_teachers
        <= beta
    )
