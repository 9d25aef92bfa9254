"""Noise margins, the Tsybakov and Bernstein constants, and problems for which both are known."""

from itertools import product
from math import inf

import numpy as np
import pytest

from privml.bounds.fast_rates import bernstein_from_tail
from privml.hypotheses import Table, Thresholds
from privml.populations import (
    FinitePopulation,
    TsybakovLine,
    agnostic_line,
    bernstein_constant,
    noise_margins,
    regression_population,
    tsybakov_constant,
)
from tests.refusals import refused

TAUS = [0.2, 1 / 3, 0.5, 0.75, 0.9]


def labellings(n_points):
    return np.array(list(product([False, True], repeat=n_points)))


@pytest.mark.source("LZCW21-def-8")
@pytest.mark.parametrize("tau", TAUS)
@pytest.mark.parametrize("scale", [1.0, 0.3])
def test_the_tail_of_margins_on_the_line_is_met_with_equality_at_every_margin(
    tau, scale
):
    line = TsybakovLine(tau=tau, n_points=40, scale=scale)
    margins, masses = noise_margins(line.population)
    power = tau / (1 - tau)
    for t in np.linspace(0, 0.5, 101)[1:]:
        assert masses[margins <= t].sum() <= line.tail_constant * t**power + 1e-12
    for t in margins:
        assert np.isclose(
            masses[margins <= t + 1e-12].sum(), line.tail_constant * t**power
        )
    assert np.isclose(tsybakov_constant(line.population, tau), line.tail_constant)


@pytest.mark.source("LZCW21-def-8")
def test_at_tau_one_all_margins_are_the_same_and_without_noise_they_are_one_half():
    assert np.allclose(
        noise_margins(TsybakovLine(tau=1, n_points=6, scale=0.4).population).margins,
        0.2,
    )
    clean = TsybakovLine(tau=1, n_points=6)
    assert clean.population.best(clean.hypotheses).error == 0
    assert clean.tail_constant == inf


@pytest.mark.source("LZCW21-def-8")
@pytest.mark.erratum("LZCW21-def-8")
def test_the_printed_condition_excludes_clean_negatives_and_admits_fair_coins():
    clean = regression_population([0, 1], [0.5, 0.5], [0.0, 1.0])
    coins = regression_population([0], [1.0], [0.5])
    r_clean, r_coins = np.array([0.0, 1.0]), np.array([0.5])
    for t in (1e-9, 1e-3, 0.1):
        assert (
            r_clean <= t
        ).mean() == 0.5  # printed: Pr[|r| <= t], which no C t^a bounds as t falls
        assert (
            r_coins <= t
        ).mean() == 0.0  # printed: satisfied, though every label is a fair coin
    assert tsybakov_constant(clean, 0.5) == 2.0
    assert tsybakov_constant(coins, 0.5) == inf


def test_a_finer_line_has_the_same_constant_but_a_wrong_exponent_has_not():
    sizes = [10, 100, 1000]
    right = [
        tsybakov_constant(TsybakovLine(tau=0.5, n_points=n).population, 0.5)
        for n in sizes
    ]
    wrong = [
        tsybakov_constant(TsybakovLine(tau=0.5, n_points=n).population, 0.6)
        for n in sizes
    ]
    assert np.ptp(right) < 1e-9
    assert wrong[2] > 3 * wrong[1] ** 1.0 / 2 > wrong[0]


@pytest.mark.source("LZCW21-lem-9")
@pytest.mark.parametrize("tau", TAUS)
def test_the_tail_implies_the_bernstein_condition_for_every_labelling(tau):
    line = TsybakovLine(tau=tau, n_points=10)
    eta = bernstein_from_tail(line.tail_constant, tau)
    everything = Table(labellings(10))
    indexed = FinitePopulation(
        np.tile(np.arange(10), 2), line.population.y, line.population.probabilities
    )
    assert bernstein_constant(everything, indexed, tau) <= eta * (1 + 1e-12)


@pytest.mark.source("LZCW21-lem-9")
@pytest.mark.parametrize("tau", TAUS)
def test_the_constant_of_the_bernstein_condition_is_reached_as_the_line_gets_finer(tau):
    line = TsybakovLine(tau=tau, n_points=4000, scale=0.4)
    margins, masses = noise_margins(line.population)
    order = np.argsort(margins)
    distance = np.cumsum(masses[order])  # of flipping the labels of the least margins
    ratio = distance / np.cumsum(2 * margins[order] * masses[order]) ** tau
    eta = bernstein_from_tail(line.tail_constant, tau)
    assert 0.995 * eta < ratio[-1] <= eta


def tail_constant(eta, tau):
    """C of the tail of noise margins that follows from the Bernstein condition for all functions."""
    return eta ** (1 / (1 - tau)) * 2 ** (tau / (1 - tau))


@pytest.mark.source("LZCW21-lem-9")
def test_the_bernstein_condition_for_all_labellings_implies_the_tail():
    rng = np.random.default_rng(0)
    everything = Table(labellings(6))
    for tau in TAUS:
        for _ in range(20):
            masses = rng.dirichlet(np.ones(6))
            population = regression_population(
                np.arange(6), masses, rng.uniform(0.02, 0.98, 6)
            )
            eta = bernstein_constant(everything, population, tau)
            assert tsybakov_constant(population, tau) <= tail_constant(eta, tau) * (
                1 + 1e-9
            )


def test_there_and_back_the_tail_constant_grows_by_a_known_factor():
    for tau in TAUS:
        back = tail_constant(bernstein_from_tail(1e4, tau), tau)
        assert np.isclose(back / 1e4, tau ** (-tau / (1 - tau)))
        assert back / 1e4 < np.e


@pytest.mark.source("LZCW21-rem-massart")
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.4])
def test_with_bounded_noise_distance_is_proportional_to_excess_for_every_hypothesis(
    rate,
):
    cuts = Thresholds(np.arange(6) - 0.5)
    population = FinitePopulation(
        np.arange(5.0), np.arange(5) >= 2, np.full(5, 0.2)
    ).with_label_noise(rate)
    errors = population.error_rates(cuts)
    distance = np.abs(np.arange(6) - 2) * 0.2
    assert np.allclose(distance, (errors - errors.min()) / (1 - 2 * rate))
    assert np.isclose(bernstein_constant(cuts, population, 1.0), 1 / (1 - 2 * rate))


def test_the_excess_of_the_line_is_the_difference_of_errors():
    for tau in (0.3, 1.0):
        line = TsybakovLine(tau=tau, n_points=12, scale=0.7)
        errors = line.population.error_rates(line.hypotheses)
        assert np.allclose(line.excess, errors - errors.min())


def test_two_hypotheses_have_the_stated_constant():
    for mass, margin, tau in product([1.0, 0.2], [0.5, 0.1], [0.0, 0.5, 1.0]):
        pair = Table(
            [[False, True], [True, True]]
        )  # they differ on a mass, the second is better by a margin
        population = regression_population(
            [0, 1], [mass, 1 - mass], [0.5 + margin, 1.0]
        )
        eta = max(1, mass / (2 * margin * mass) ** tau)
        assert np.isclose(bernstein_constant(pair, population, tau), eta)


@pytest.mark.source("LZCW21-rem-agnostic-vacuous")
def test_on_the_agnostic_line_no_noise_condition_holds_though_labels_have_no_noise():
    cuts = Thresholds(np.arange(10) / 9)
    tied = agnostic_line(9, 0.0)
    assert np.allclose(noise_margins(tied).margins, 0.5)
    assert bernstein_constant(cuts, tied, 0.5) == inf
    assert bernstein_constant(cuts, tied, 0.0) == 1.0
    for gap in (0.1, 0.01):
        assert np.isclose(bernstein_constant(cuts, agnostic_line(9, gap), 1.0), 1 / gap)
    assert 13 * tied.best(cuts).error > 0.5


test_bad_parameters_are_refused_by_name = refused(
    (lambda: TsybakovLine(tau=0.0, n_points=4), "tau"),
    (lambda: TsybakovLine(tau=0.5, n_points=5), "n_points"),
    (lambda: agnostic_line(4, 0.1), "n_points"),
    (lambda: agnostic_line(3, 0.9), "gap"),
    (lambda: regression_population([0, 1], [0.5, 0.5], [0.5]), "regression"),
    (lambda: regression_population([0, 1], [0.5, 0.5], [0.5, 1.5]), "regression"),
    (lambda: tsybakov_constant(agnostic_line(3, 0.1), 1.0), "tau"),
)
