"""What the chapter on the Tsybakov condition computes: exact rates, far teachers, runs of PATE, Table 1."""

from itertools import product
from math import exp

import numpy as np
import pandas as pd
import pytest

from book.tools.chapter_code import chapter_module
from privml.bounds.pate import pate_rate
from privml.pate import GaussianAggregator, SparseVectorAggregator
from privml.populations import TsybakovLine
from tests.chapters.checkers import checkers
from tests.chapters.tsybakov_condition_functions import (
    bernstein_constants,
    cut_law,
    equal_terms,
    far_teachers,
    margin_tails,
    pair_rate,
    printed_teachers,
    rate_terms,
    slopes,
    student,
    third_of_votes,
    threshold_rates,
)

chapter = chapter_module("tsybakov-condition")
VOTES = list(
    product(["gaussian", "sparse_vector"], [0.3, 0.5, 1.0], [1.0, 5.0], [5e6, 2e7])
)


@pytest.mark.source("LZCW21-def-8")
def test_tails_stay_below_the_bound_and_reach_it():
    table = margin_tails([0.3, 0.5], 64, np.logspace(-2, -0.31, 50))
    for name in ("τ = 0.3", "τ = 0.5"):
        assert (table[name] <= table[f"bound, {name}"] + 1e-12).all()
        assert (table[name] / table[f"bound, {name}"]).max() > 0.95


@pytest.mark.source("LZCW21-lem-9")
@pytest.mark.parametrize("tau", [0.25, 0.5, 0.75])
def test_the_least_constant_is_between_that_of_thresholds_and_the_proved_one(tau):
    _, least, thresholds, proved = bernstein_constants(tau, 8)
    assert thresholds <= least <= proved


@pytest.mark.source("LZCW21-rem-erm-fast-rate", "LZCW21-lem-38")
def test_exact_rates_of_thresholds_are_those_of_the_theorem_and_below_its_bound():
    table = threshold_rates([0.25, 0.5, 1.0], [64, 256], 2048, 0.1)
    assert (table["quantile"] <= table["bound"]).all()
    found = slopes(table)
    assert np.allclose(found["slope"], found["theorem"], atol=0.02)


@pytest.mark.source("LZCW21-rem-erm-fast-rate")
def test_the_worst_pair_has_the_rate_of_each_exponent_zero_included():
    rows = [
        (tau, n, pair_rate(tau, n)) for tau in (0.0, 0.5, 1.0) for n in (1000, 10_000)
    ]
    found = slopes(pd.DataFrame(rows, columns=["tau", "n_samples", "mean"]))
    assert np.allclose(found["slope"], found["theorem"], atol=0.02)
    assert np.isclose(pair_rate(1.0, 1000), 1 / (exp(1) * 1000), rtol=1e-3)


@pytest.mark.source("LZCW21-lem-13")
def test_the_farthest_teacher_stays_within_the_bound():
    table = far_teachers([0.5, 1.0], 100_000, [10, 100, 1000], 512, 0.1)
    assert (table["farthest"] <= table["bound"]).all()
    assert (table["mean"] < table["farthest"]).all()


@pytest.mark.source("LZCW21-lem-13")
@pytest.mark.erratum("LZCW21-lem-13")
@pytest.mark.parametrize(("log_beta", "exceeded"), [(-5.0, False), (-100.0, True)])
def test_the_printed_bound_on_teachers_is_exceeded_and_the_corrected_one_is_not(
    log_beta, exceeded
):
    quantile, printed, corrected = printed_teachers(10**6, 1000, log_beta)
    assert (quantile > printed) is exceeded
    assert quantile <= corrected


@pytest.mark.source("LZCW21-lem-15")
@pytest.mark.parametrize("mistakes", [5, 60, 100])
def test_the_pigeonhole_is_tight_and_chance_is_kinder(mistakes):
    at_random, at_worst = third_of_votes(30, 300, mistakes, np.random.default_rng(0))
    assert at_worst == 3 * mistakes > at_random


@pytest.mark.source("LZCW21-rem-agnostic-vacuous")
@pytest.mark.parametrize("rate", [0.2, 0.4])
def test_noisy_labels_hardly_hurt_the_student_though_the_old_bound_is_vacuous(rate):
    problem = TsybakovLine(tau=1.0, n_points=512, scale=1 - 2 * rate)
    service = GaussianAggregator(n_queries=1000, epsilon=1.0, delta=1e-6)
    law, rng = cut_law(problem, 1000), np.random.default_rng(1)
    lost, _ = student(problem, law, service, 1000, 1000, rng)
    assert 13 * rate > 1
    assert lost < 0.02


@pytest.mark.source("LZCW21-rem-16")
def test_the_student_takes_answers_as_they_come_and_coins_for_the_rest():
    problem = TsybakovLine(tau=1.0, n_points=64)
    law = cut_law(problem, 4000)
    good = GaussianAggregator(n_queries=300, epsilon=50.0, delta=1e-6)
    lost, wrong = student(problem, law, good, 500, 300, np.random.default_rng(0))
    assert lost < 0.02
    assert wrong <= 10 / 300
    halting = SparseVectorAggregator(cutoff=1, n_queries=300, epsilon=0.1, delta=1e-6)
    _, wrong = student(problem, law, halting, 50, 300, np.random.default_rng(1))
    same = np.random.default_rng(1)
    same.multinomial(50, law)
    assert (
        wrong != (same.integers(64, size=300) >= 32).mean()
    )  # not all labels are False
    assert abs(wrong - 1 / 2) < 5 / 2 / np.sqrt(300)


@pytest.mark.source("LZCW21-thm-10", "LZCW21-thm-28")
@pytest.mark.parametrize(("column", "rate"), [(1, -2 / 3), (2, -1)])
def test_rates_of_the_bounds_are_those_of_table_one(column, rate):
    excess = chapter.compare_bounds(1.0, 2.0, [12, 16]).iloc[:, column].to_numpy()
    assert abs(np.log10(excess[1] / excess[0]) / 4 - rate) < 0.08


def test_there_is_no_bound_without_enough_records_for_the_teachers():
    assert chapter.compare_bounds(1.0, 2.0, [3]).iloc[:, 1:].isna().all(axis=None)


@pytest.mark.source("LZCW21-rem-12", "LZCW21-rem-29")
@pytest.mark.parametrize(("votes", "tau", "d", "budget"), VOTES)
def test_at_the_best_number_of_public_points_the_two_terms_are_equal(
    votes, tau, d, budget
):
    best = equal_terms(votes, budget, d, tau)
    assert np.isclose(*rate_terms(votes, budget, best, d, tau))
    worst = [
        max(rate_terms(votes, budget, m, d, tau)) for m in best * np.logspace(-3, 3, 61)
    ]
    assert np.argmin(worst) == 30


@pytest.mark.source("LZCW21-tab-1")
@pytest.mark.parametrize(("votes", "tau", "d", "budget"), VOTES)
def test_an_entry_of_the_table_is_the_least_over_the_public_points_that_are_labelled(
    votes, tau, d, budget
):
    best = equal_terms(votes, budget, d, tau)
    for available in (best / 50, best, 50 * best):
        used = np.minimum(available, best * np.logspace(-3, 3, 601))
        least = min(max(rate_terms(votes, budget, m, d, tau)) for m in used)
        entry = pate_rate(
            votes, "tsybakov", budget, available, vc_dimension=d, epsilon=1.0, tau=tau
        )
        assert np.isclose(entry, least, rtol=0.02)


@pytest.mark.source("LZCW21-thm-10")
@pytest.mark.parametrize("tau", [0.2, 0.5, 1.0])
def test_the_private_term_comes_from_the_cutoff_that_solves_its_own_equation(tau):
    """T = m (d sqrt(T) / (n epsilon))^(tau / (2 - tau)), by iteration."""
    m, d, budget, T = 1e4, 3.0, 5e6, 1.0
    for _ in range(400):
        T = m * (d * np.sqrt(T) / budget) ** (tau / (2 - tau))
    assert np.isclose(T / m, rate_terms("sparse_vector", budget, m, d, tau)[0])


@pytest.mark.source("LZCW21-rem-11")
def test_with_bounded_noise_the_terms_are_those_of_the_remark():
    terms = rate_terms("sparse_vector", 1e6 * 0.5, 1e3, 2.0, 1.0)
    assert np.allclose(terms, (2.0**2 * 1e3 / (1e6 * 0.5) ** 2, 2e-3))


@pytest.mark.source("LZCW21-rem-contributions")
@pytest.mark.erratum("LZCW21-rem-contributions")
def test_gaussian_votes_need_more_private_records_than_the_list_of_contributions_says():
    listed, common = 4**1.5 / 0.01, {"vc_dimension": 4.0, "epsilon": 1.0}
    assert pate_rate("gaussian", "realizable", listed, 1e300, **common) > 4 * 0.01
    assert np.isclose(
        pate_rate("gaussian", "realizable", listed / 0.01**0.5, 1e300, **common), 0.01
    )
    assert np.isclose(
        pate_rate("sparse_vector", "realizable", listed, 1e300, **common), 0.01
    )


def least_eta(masses, margins, tau, descending=False, factor=2):
    order = np.argsort(-margins if descending else margins)
    distance = np.cumsum(masses[order])
    return max(
        1.0,
        (distance / np.cumsum(factor * masses[order] * margins[order]) ** tau).max(),
    )


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "least": [
            (least_eta, None),
            (lambda p, m, tau: least_eta(p, m, tau, descending=True), "is not"),
            (lambda p, m, tau: least_eta(p, m, tau, factor=1), "is not"),
            (lambda p, m, tau: max(1.0, 1 / (2 * m.min())), "is not"),
        ],
        "trap": [
            ([False, True, False], None),
            ([False, True, True], "realizable"),
            ([False, True, True, False], "rival"),
            ([0.0, 1.0], "truth values"),
            ([[True]], "truth values"),
        ],
    },
    chapter,
)
