"""Fast rates with every constant, against exact laws of empirical risk minimisation."""

from math import exp, log

import numpy as np
import pytest
from scipy.stats import binom

from privml.bounds.fast_rates import NoiseCondition, bernstein_from_tail
from privml.bounds.pate import pate_rate
from tests.refusals import refused


@pytest.mark.source("LZCW21-lem-38")
@pytest.mark.parametrize("tau", [0.0, 0.25, 0.5, 1.0])
def test_two_hypotheses_of_the_condition_are_confused_only_below_the_bound(tau):
    n, eta, beta = 400, 2.0, 0.05
    bound = NoiseCondition(tau=tau, eta=eta, n_hypotheses=2).excess(n, beta)
    worst = 0.0
    for excess in np.linspace(1.0001 * bound, 1, 15) if bound < 1 else []:
        distance = min(1.0, eta * excess**tau)  # the worst that the condition allows
        if distance < excess:
            continue
        a, b = (distance + excess) / 2, (distance - excess) / 2
        only_worse = binom.pmf(np.arange(n + 1), n, a)
        ahead = [
            binom.sf(k - 1, n - k, min(1.0, b / (1 - a)) if a < 1 else 0.0)
            for k in range(n + 1)
        ]
        worst = max(worst, float(only_worse @ ahead))
    assert worst <= beta / 2
    assert bound == 1 or worst > 0


@pytest.mark.source("LZCW21-lem-38")
@pytest.mark.erratum("LZCW21-lem-38")
def test_at_as_many_records_as_dimensions_the_printed_rate_is_false_for_every_constant():
    beta = 0.05
    for d in (100, 10_000, 1_000_000):
        error = (
            1 - 1 / d
        ) ** d  # d shattered points, equally likely, wrong where unseen: a mean
        assert error > 0.36
        printed, truncated = (
            log(1 / beta) / d,
            (d + log(1 / beta)) / d,
        )  # ln(n / d) is 0, or read as 1
        assert error / printed > d / 9  # grows without bound
        assert error < truncated


@pytest.mark.source("LZCW21-lem-13")
@pytest.mark.erratum("LZCW21-lem-13")
def test_for_small_failure_probabilities_the_printed_bound_is_false():
    # Two hypotheses at distance t, no noise, ties to the wrong one: K (1 - t)^(n / K) bounds P(some wrong).
    ratios = []
    for n, n_teachers, log_beta in [
        (10**6, 1000, -5),
        (10**6, 1000, -100),
        (10**6, 1000, -600),
    ]:
        confidence = log(n_teachers) - log_beta
        quantile = -np.expm1(-confidence * n_teachers / n)
        printed = (n_teachers * log(n) + confidence) / n
        corrected = n_teachers * (log(n / n_teachers) + confidence) / n
        ratios.append(quantile / printed)
        assert quantile <= corrected
    assert ratios[0] < 1 < ratios[1] < ratios[2]
    assert np.allclose(ratios[1:], [7.3, 31], rtol=0.03)


@pytest.mark.source("LZCW21-lem-13")
def test_the_bound_on_teachers_of_a_finite_class_has_the_stated_form():
    tau, eta, n, n_teachers, beta = 0.5, 3.0, 10**8, 100, 0.05
    condition = NoiseCondition(tau=tau, eta=eta, n_hypotheses=10)
    unit = n_teachers * (log(10) + log(n_teachers / beta)) / n
    stated = 2 ** (tau / (2 - tau)) * eta ** (2 / (2 - tau)) * unit ** (tau / (2 - tau))
    assert np.isclose(condition.teacher_disagreement(n, n_teachers, beta), stated)


test_bad_parameters_are_refused_by_name = refused(
    (lambda: NoiseCondition(tau=0.5, eta=0.5, vc_dimension=1), "eta"),
    (lambda: NoiseCondition(tau=0.5), "vc_dimension"),
    (lambda: bernstein_from_tail(0.0, 0.5), "constant"),
    (lambda: bernstein_from_tail(1.0, 1.0), "tau"),
    (
        lambda: NoiseCondition(tau=1, vc_dimension=1).teacher_disagreement(5, 6, 0.1),
        "n_teachers",
    ),
)


def test_without_noise_the_bound_is_that_of_realizable_learning():
    condition = NoiseCondition(tau=1.0, n_hypotheses=50)
    assert np.isclose(condition.excess(1000, 0.1), 2 * log(500) / 1000)
    assert exp(-1000 * condition.excess(1000, 0.1)) * 50 <= 0.1


@pytest.mark.source("LZCW21-tab-1")
def test_the_realizable_row_is_the_noise_row_at_tau_one():
    for algorithm in ("gaussian", "sparse_vector", "active"):
        common = {"vc_dimension": 3.0, "epsilon": 0.7, "disagreement_coefficient": 2.0}
        noisy = pate_rate(algorithm, "tsybakov", 1e6, 1e4, tau=1.0, **common)
        assert noisy == pate_rate(algorithm, "realizable", 1e6, 1e4, **common)


@pytest.mark.source("LZCW21-tab-1")
def test_known_exponents_are_read_off_the_table():
    common = {"vc_dimension": 2.0, "epsilon": 1.0}

    def slope(algorithm, setting, **more):
        values = [
            pate_rate(algorithm, setting, n, 1e30, **common, **more) for n in (1e6, 1e8)
        ]
        return np.log(values[1] / values[0]) / np.log(100)

    assert np.isclose(slope("gaussian", "realizable"), -2 / 3)
    assert np.isclose(slope("sparse_vector", "realizable"), -1)
    assert np.isclose(slope("sparse_vector_2018", "realizable"), -2 / 3)
    assert np.isclose(slope("sparse_vector", "tsybakov", tau=0.5), -1 / 3)
    assert np.isclose(slope("gaussian", "tsybakov", tau=0.5), -2 / 7)
    assert np.isclose(slope("sparse_vector_2018", "tsybakov", tau=0.5), -2 / 5)
    assert slope("active", "agnostic", best_error=0.1) == 0


@pytest.mark.source("LZCW21-tab-1")
def test_active_queries_gain_only_where_theta_is_below_the_dimension_of_the_passive_bound():
    common = {"vc_dimension": 4.0, "epsilon": 1.0}
    passive = pate_rate("sparse_vector", "realizable", 1e6, 1e9, **common)
    assert (
        pate_rate(
            "active", "realizable", 1e6, 1e9, disagreement_coefficient=1.0, **common
        )
        == passive
    )
    assert (
        pate_rate(
            "active", "realizable", 1e6, 1e9, disagreement_coefficient=9.0, **common
        )
        == 3 * passive
    )


test_bad_rates_are_refused_by_name = refused(
    (
        lambda: pate_rate(
            "active", "tsybakov", 1, 1, vc_dimension=1, epsilon=1, tau=0.0
        ),
        "tau",
    )
)
