"""Bounds on votes and on the student of the infinite ensemble."""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from privml.bounds.fast_rates import bernstein_count, log_sauer_shelah
from privml.bounds.students import high_margin_parameters, pate_agnostic_bound
from privml.pate import majority_probability


@pytest.mark.source("LZCW21-ex-2")
@pytest.mark.erratum("LZCW21-ex-2/1")
@pytest.mark.parametrize("xi", [0.01, 0.05, 0.2, 0.4, 0.5])
def test_the_exact_error_of_a_majority_is_within_hoeffdings_bound(xi):
    for n_teachers in range(1, 501):
        wrong = binom.sf(
            (n_teachers + 1) // 2 - 1, n_teachers, 0.5 - xi
        )  # at least K / 2 wrong votes
        assert wrong <= exp(-2 * n_teachers * xi**2) * (1 + 1e-12)
        assert majority_probability(0.5 - xi, n_teachers) == pytest.approx(wrong)


@pytest.mark.source("LZCW21-prop-30")
@pytest.mark.parametrize(("nu", "xi"), [(0.0, 0.05), (0.01, 0.1), (0.1, 0.02)])
def test_each_of_the_three_events_fails_with_at_most_a_third(nu, xi):
    m, beta, delta = 400, 0.05, 1e-6
    cutoff, teachers = high_margin_parameters(m, 1.0, delta, beta=beta, nu=nu, xi=xi)
    assert binom.sf(cutoff - 1, m, nu) <= beta / 3  # low-margin points
    short = binom.cdf((1 + xi) * teachers / 2, teachers, 0.5 + xi)  # margin below K xi
    assert m * short <= beta / 3
    logarithm = log(3 * m / beta)
    noise = m * 0.5 * exp(-logarithm) + cutoff * 0.5 * exp(-logarithm)
    assert noise <= beta / 3 * (1 + 1e-12)


@pytest.mark.source("LZCW21-prop-18")
def test_the_cut_off_exceeds_the_bound_on_low_margins_and_votes_outnumber_their_deviation():
    for nu in (0.0, 0.02, 0.3):
        cutoff, _ = high_margin_parameters(500, 1.0, 1e-6, beta=0.05, nu=nu, xi=0.1)
        assert cutoff > bernstein_count(500, nu, beta=0.05 / 3) >= cutoff - 1
    assert high_margin_parameters(500, 1.0, 1e-6, beta=0.05, nu=1.0, xi=0.1)[0] == 500
    _, teachers = high_margin_parameters(
        10, 1e4, 0.5, beta=0.05, nu=0.0, xi=1e-3
    )  # hardly any noise
    assert 2 * teachers * 1e-3 - sqrt(
        2 * teachers * log(3 * 10 / 0.05)
    ) >= teachers * 1e-3 * (1 - 1e-6)
    assert 10 * binom.cdf((1 + 1e-3) * teachers / 2, teachers, 0.5 + 1e-3) <= 0.05 / 3


@pytest.mark.source("LZCW21-thm-19")
def test_the_bound_is_the_least_distance_plus_two_cut_offs_plus_a_root():
    for m in (10**4, 10**6):
        growth = log_sauer_shelah(3, 2 * m)
        unit = (growth + log(8 / 0.05)) / m
        found = pate_agnostic_bound(0.1, 11, m, beta=0.05, log_growth=growth)
        assert 0.1 + 20 / m < found <= 0.1 + 20 / m + 4 * sqrt(unit) + 8 * unit
    assert pate_agnostic_bound(0.0, 1, 10**6, beta=0.05, log_growth=40.0) < 6e-4 / 3
    many = pate_agnostic_bound(0.1, 10**7 + 1, 10**8, beta=0.05, log_growth=1.0)
    assert many == pytest.approx(0.3, abs=2e-3)
    few = pate_agnostic_bound(0.0, 10**7 + 1, 10**8, beta=0.05, log_growth=1.0)
    assert few == pytest.approx(0.2, abs=2e-3)


@pytest.mark.source("LZCW21-thm-20")
@pytest.mark.erratum("LZCW21-thm-20/3")
def test_the_bound_for_votes_counts_labellings_and_not_the_wrong_dimension():
    m, d, teachers = 10**6, 2, 100
    growth = log_sauer_shelah(d, 2 * m)
    found = (16 + 5 * (teachers * growth + log(80))) / m  # the theorem at T = 5
    printed = (20 + 5 * (teachers * d + log(80))) / m
    assert found > 10 * printed
    assert growth <= d * log(2 * np.e * m / d)


@pytest.mark.source("LZCW21-thm-20")
@pytest.mark.erratum("LZCW21-thm-20/1")
def test_the_printed_order_loses_a_factor_of_one_over_epsilon():
    m, d, delta, beta = 10**9, 1, 1e-9, 0.05
    ratios = {"printed": [], "corrected": []}
    for epsilon in (1.0, 1e-2, 1e-4):
        cutoff, teachers = high_margin_parameters(
            m, epsilon, delta, beta=beta, nu=0.0, xi=0.5
        )
        found = 4 * cutoff / m + 5 * (teachers * d + log(4 / beta)) / m
        order = log(4 / beta) / m + d / (0.25 * m)
        ratios["printed"].append(found / order)
        ratios["corrected"].append(found / (order + d / (0.5 * epsilon * m)))
    assert ratios["printed"][-1] / ratios["printed"][0] > 500
    assert max(ratios["corrected"]) / min(ratios["corrected"]) < 6
    assert ratios["corrected"][2] / ratios["corrected"][1] < 1.1


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="xi must be at most 1/2"):
        high_margin_parameters(10, 1.0, 0.1, beta=0.1, nu=0.5, xi=0.6)
    with pytest.raises(ValueError, match="nu"):
        high_margin_parameters(10, 1.0, 0.1, beta=0.1, nu=1.5, xi=0.1)
    with pytest.raises(ValueError, match="min_disagreement"):
        pate_agnostic_bound(-0.1, 1, 10, beta=0.1, log_growth=1.0)
