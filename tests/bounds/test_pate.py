"""PATE under a noise condition: each step of the bounds against an exact quantity."""

from itertools import product
from math import floor, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom, norm

from privml.bounds.fast_rates import NoiseCondition, bernstein_count
from privml.bounds.pate import (
    _stable_teachers,
    gaussian_pate_bound,
    gaussian_teachers,
    sparse_vector_pate_bound,
)
from privml.guarantee import concentrated_rho
from privml.mechanisms import RestartingSparseVector
from tests.refusals import refused

MASSART = NoiseCondition(tau=1.0, eta=1.25, vc_dimension=1, n_hypotheses=101)


@pytest.mark.source("LZCW21-lem-14")
def test_some_teacher_makes_more_mistakes_with_probability_at_most_beta():
    for m, distance, n_teachers, beta in product(
        [20, 500], [0.0, 0.01, 0.2, 1.0], [1, 300], [0.05, 1e-4]
    ):
        bound = bernstein_count(m, distance, beta=beta / n_teachers)
        assert n_teachers * binom.sf(bound + 1e-9, m, distance) <= beta


@pytest.mark.source("LZCW21-lem-15")
@pytest.mark.erratum("LZCW21-lem-15/2")
def test_with_the_printed_cutoff_the_run_halts_before_the_last_point():
    mistakes = 4
    distances = np.array(
        [0.0] * 3 * mistakes + [50.0]
    )  # 3 B unstable points, then a stable one
    options = {"epsilon": 100.0, "delta": 1e-6, "threshold": 25.0, "side": "below"}
    printed = RestartingSparseVector(cutoff=3 * mistakes, sensitivity=1, **options).run(
        distances, rng=0
    )
    mended = RestartingSparseVector(
        cutoff=3 * mistakes + 1, sensitivity=1, **options
    ).run(distances, rng=0)
    assert (printed.halted, len(printed.crossings)) == (True, 12)
    assert (mended.halted, len(mended.crossings), mended.crossings[-1]) == (
        False,
        13,
        False,
    )


def two_laplace_tail(scale, reach):
    """P(X - Y > reach), X and Y Laplace of scales 2 scale and scale."""
    a, b = 2 * scale, scale
    return (a**2 * np.exp(-reach / a) - b**2 * np.exp(-reach / b)) / (2 * (a**2 - b**2))


@pytest.mark.source("LZCW21-lem-15")
def test_with_that_many_teachers_no_stable_point_is_called_unstable():
    for m, cutoff, epsilon, beta in product(
        [10, 10_000], [1, 100], [0.1, 1.0, 100.0], [0.3, 1e-3]
    ):
        n_teachers, delta = _stable_teachers(m, cutoff, epsilon, 1e-6, beta), 1e-6
        scale = sqrt(
            2 * cutoff / concentrated_rho(epsilon, delta / 2, conversion="simple")
        )
        threshold = 3 * scale * log(2 * (m + cutoff) / delta)
        reach = n_teachers / 6 - 1 - threshold
        assert reach > 0
        assert m * two_laplace_tail(scale, reach) <= beta


@pytest.mark.source("LZCW21-thm-10")
def test_the_parameters_are_a_fixed_point_and_the_least():
    n, m, epsilon, delta, beta = 10**10, 3000, 1.0, 1e-9, 0.1
    bound = sparse_vector_pate_bound(MASSART, n, m, epsilon, delta, beta=beta)
    part = beta / 4
    assert bound.n_teachers == _stable_teachers(m, bound.cutoff, epsilon, delta, part)
    mistakes = bernstein_count(m, bound.disagreement, beta=part / bound.n_teachers)
    assert bound.cutoff == floor(3 * mistakes) + 1
    complexity = (MASSART.log_growth(2 * m) + log(4 / part)) / m
    assert np.isclose(bound.excess, 4 * bound.wrong_labels / m + 5 * complexity)


@pytest.mark.source("LZCW21-thm-10")
@pytest.mark.erratum("LZCW21-thm-10")
def test_the_students_complexity_holds_the_logarithm_that_is_missing_in_print():
    m, beta = 1000, 0.1
    without_teachers = NoiseCondition(tau=1.0, vc_dimension=10)
    bound = sparse_vector_pate_bound(without_teachers, 10**13, m, 1.0, 1e-9, beta=beta)
    printed = 4 * bound.wrong_labels / m + 5 * (10 + log(16 / beta)) / m
    assert bound.excess > printed + 5 * 40 / m


@pytest.mark.source("LZCW21-thm-10")
@pytest.mark.parametrize("tau", [0.5, 1.0])
def test_more_private_records_never_hurt(tau):
    condition = NoiseCondition(tau=tau, n_hypotheses=101)
    sizes = 10 ** np.arange(9, 18)
    excess = [
        sparse_vector_pate_bound(condition, int(n), 1000, 1.0, 1e-9, beta=0.1).excess
        for n in sizes
    ]
    assert np.all(np.diff(excess) <= 1e-12)
    assert excess[-1] < 0.25


@pytest.mark.source("LZCW21-thm-28")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_number_of_teachers_is_the_printed_one(epsilon):
    n, m, delta = 10**5, 400, 1e-6
    root = sqrt(m * log(1 / delta)) + sqrt(m * log(1 / delta) + epsilon * m)
    assert gaussian_teachers(n, m, epsilon, delta) == np.ceil(
        6 * sqrt(log(2 * n)) * root / epsilon
    )


@pytest.mark.source("LZCW21-thm-28")
def test_the_exact_label_error_is_below_the_core_step_for_every_number_of_wrong_votes():
    n, m, epsilon, delta = 10**4, 100, 2.0, 1e-5
    n_teachers = gaussian_teachers(n, m, epsilon, delta)
    sigma = sqrt(m / (2 * concentrated_rho(epsilon, delta, conversion="simple")))
    wrong = np.arange(n_teachers + 1)
    exact = norm.cdf((wrong - n_teachers / 2) / sigma)
    assert np.all(exact <= 3 * wrong / n_teachers + 1 / n)
    assert (exact / (3 * wrong / n_teachers + 1 / n)).max() > 0.3


@pytest.mark.source("LZCW21-thm-28")
@pytest.mark.erratum("LZCW21-thm-28/2")
def test_the_confidence_of_all_teachers_is_multiplied_by_their_number():
    n, m, beta = 10**9, 1000, 0.1
    bound = gaussian_pate_bound(
        NoiseCondition(tau=1.0, n_hypotheses=101), n, m, 1.0, 1e-9, beta=beta
    )
    confidence = log(101) + log(3 * bound.n_teachers / beta)
    assert np.isclose(bound.disagreement, 2 * confidence / (n // bound.n_teachers))
    mean, unit = m * (3 * bound.disagreement + 1 / n), log(3 / beta)
    assert np.isclose(bound.wrong_labels, mean + sqrt(2 * mean * unit) + 2 * unit / 3)
    complexity = (log(101) + log(12 / beta)) / m
    assert np.isclose(bound.excess, 4 * bound.wrong_labels / m + 5 * complexity)


test_bad_parameters_are_refused_by_name = refused(
    (
        lambda: sparse_vector_pate_bound(MASSART, 10**9, 10, 0.0, 1e-9, beta=0.1),
        "epsilon",
    ),
    (
        lambda: sparse_vector_pate_bound(MASSART, 100, 1000, 1.0, 1e-9, beta=0.1),
        "teachers that are",
    ),
    (
        lambda: gaussian_pate_bound(MASSART, 100, 1000, 1.0, 1e-9, beta=0.1),
        "n_teachers",
    ),
)
