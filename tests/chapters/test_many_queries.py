"""Answering many queries: each theorem against enumeration, with planted faults."""

from itertools import product
from math import ceil, exp, log, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.mechanisms import MWEM, ExponentialMechanism, marginals
from tests.chapters import many_queries_functions as more
from tests.chapters.checkers import checkers, several

chapter = chapter_module("many-queries")
QUESTIONS = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]])
SURVEY = [3, 0, 2, 3]


def test_the_tables_worked_by_hand_have_the_errors_of_the_text():
    tables = np.array([[1, 0, 0, 1], [1, 0, 1, 1]])
    assert chapter.errors(QUESTIONS, SURVEY, tables) == pytest.approx([1 / 8, 1 / 24])
    p = np.full(4, 0.25) * [1, 1, 1, 2]
    p /= p.sum()
    assert p == pytest.approx([1 / 5, 1 / 5, 1 / 5, 2 / 5])
    assert np.abs(QUESTIONS @ (p - np.array(SURVEY) / 8)) == pytest.approx(
        [1 / 40, 9 / 40, 1 / 40]
    )
    p *= [1, 0.5, 1, 0.5]
    p /= p.sum()
    assert p == pytest.approx([2 / 7, 1 / 7, 2 / 7, 2 / 7])
    assert np.abs(QUESTIONS @ (p - np.array(SURVEY) / 8)).max() == pytest.approx(5 / 56)


def worst_best(queries, n_samples, size):
    """Largest error over all data sets of the best table of that size."""
    tables = chapter.histograms(queries.shape[1], size)
    data = chapter.histograms(queries.shape[1], n_samples)
    return max(chapter.errors(queries, z, tables).min() for z in data)


@pytest.mark.parametrize("alpha", [0.6, 0.45, 0.35])
def test_a_table_of_the_size_of_the_theorem_is_good_for_every_data_set(alpha):
    size = chapter.table_size(len(QUESTIONS), alpha)
    assert size > log(6) / (2 * alpha**2) >= size - 1
    assert worst_best(QUESTIONS, 5, size) <= alpha


def test_a_size_with_a_smaller_constant_would_be_too_small():
    every = np.array([[q >> x & 1 for x in range(4)] for q in range(16)])
    alpha = 0.45
    small = int(log(2 * 16) / (8 * alpha**2))  # an exponent four times too large
    assert worst_best(every, 4, small) > alpha
    assert worst_best(every, 4, chapter.table_size(16, alpha)) <= alpha


@pytest.mark.parametrize(("n_samples", "size", "epsilon"), [(4, 2, 1.0), (5, 3, 6.0)])
def test_the_small_database_mechanism_keeps_its_promise_and_half_its_sensitivity_would_not(
    n_samples, size, epsilon
):
    def counts(z):
        return np.bincount(z, minlength=4)

    def law(z):
        return chapter.small_database(QUESTIONS, counts(z), size, epsilon)[1]

    assert (
        0.3 * epsilon
        < audit.exact(law, np.arange(4), n_samples).epsilon
        <= epsilon * (1 + 1e-9)
    )

    def broken(z):
        return chapter.small_database(QUESTIONS, counts(z), size, 8 * epsilon)[1]

    assert audit.exact(broken, np.arange(4), n_samples).epsilon > epsilon


def test_the_small_database_mechanism_is_as_accurate_as_its_theorem():
    alpha, beta, epsilon = 0.25, 0.1, 4.0
    size = chapter.table_size(3, alpha)
    m = ceil(2 / (epsilon * alpha) * (size * log(4) + log(1 / beta)))
    for shares in ([1, 0, 0, 0], [0.3, 0.2, 0.5, 0], [0.25, 0.25, 0.25, 0.25]):
        counts = np.floor(m * np.array(shares)).astype(int)
        counts[0] += m - counts.sum()
        off, chance = chapter.small_database(QUESTIONS, counts, size, epsilon)
        assert chance[off > 2 * alpha].sum() <= beta


def falls(constant):
    """How far the lemma on one update, with that constant, is kept in random cases: least slack."""
    rng, slack = np.random.default_rng(1), []
    for _ in range(2_000):
        p, h = rng.dirichlet(np.ones(5)), rng.dirichlet(np.full(5, 0.3))
        q, eta = (
            rng.integers(0, 2, 5) if rng.random() < 0.5 else rng.random(5),
            rng.normal(scale=2),
        )
        new = p * np.exp(eta * q)
        before, after = (
            chapter.relative_entropy(h, table) for table in (p, new / new.sum())
        )
        slack.append(before - eta * (q @ h - q @ p) + eta**2 * constant - after)
    return min(slack)


def test_one_update_lowers_the_relative_entropy_as_the_lemma_says_and_a_smaller_constant_fails():
    assert falls(1 / 8) > -1e-12
    assert falls(1 / 10) < 0


def test_the_mean_shortfall_of_a_choice_is_within_the_lemma_and_half_of_it_would_fail():
    form, worst = ExponentialMechanism(epsilon=1.0, sensitivity=1.0), 0.0
    for k, behind in product((2, 10, 10_000), np.linspace(0, 40, 81)):
        scores = np.r_[0.0, np.full(k - 1, -behind)]
        worst = max(
            worst,
            float(-scores @ form.output_distribution(scores).pmf()) / (2 * log(k)),
        )
    assert 0.5 < worst <= 1


def test_the_number_of_records_is_the_least_for_the_bound():
    m = chapter.records_for(1024, 1000, 0.1, 1.0)
    T = np.arange(1, 20_000)
    assert chapter.mean_bound(1024, 1000, m, T, 1.0).min() <= 0.1
    assert chapter.mean_bound(1024, 1000, m / 1.01, T, 1.0).min() > 0.1
    by_hand = sqrt(log(1024) / 40 + 8 * (20 / 500) ** 2) + 80 * log(1000) / 500
    assert chapter.mean_bound(1024, 1000, 500.0, 20, 1.0) == pytest.approx(by_hand)


def test_the_bound_with_probability_holds_in_runs_and_is_below_the_printed_one():
    arguments = 64, 40, 20_000, np.arange(1, 200), 1.0
    assert (more.sharper_bound(*arguments) < more.printed_bound(*arguments)).all()
    counts = chapter.make_survey(6, 20_000, np.random.default_rng(0))
    queries, rng = marginals((2,) * 6, 2), np.random.default_rng(1)
    bound = more.sharper_bound(64, len(queries), 20_000, 10, 1.0)
    mwem = MWEM(epsilon=1.0, queries=queries, n_rounds=10)
    tables = [mwem.release(counts, rng=rng).weights for _ in range(5)]
    off = [np.abs(queries @ (table - counts / 20_000)).max() for table in tables]
    assert max(off) <= bound


def test_a_fitted_table_answers_as_measured():
    counts = chapter.make_survey(4, 5_000, np.random.default_rng(3))
    queries = marginals((2,) * 4, 2)
    table = MWEM(epsilon=50.0, queries=queries, n_rounds=6).release(counts, rng=4)
    p = chapter.fitted(queries, table, 5_000, sweeps=200)
    assert p.sum() == pytest.approx(1)
    assert p.min() >= 0
    for q in set(table.chosen.tolist()):
        assert queries[q] @ p == pytest.approx(
            table.measured[table.chosen == q].mean() / 5_000, abs=2e-3
        )


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_best_private_table_of_two_points_is_randomised_response(epsilon):
    one = np.array([[0, 1]])
    assert more.best_tables(one, 1, 1, epsilon) == pytest.approx(
        1 / (1 + exp(epsilon)), abs=1e-8
    )


def test_no_mechanism_of_the_chapter_beats_the_best_private_table():
    for epsilon in (0.5, 2.0):
        best = more.best_tables(QUESTIONS, 3, 3, epsilon)
        assert best < more.worst_small(QUESTIONS, 3, 3, epsilon)
        assert best <= more.best_tables(QUESTIONS, 3, 3, epsilon / 2)
        assert best < more.worst_small(QUESTIONS, 3, 2, epsilon)
    uniform = max(
        chapter.errors(QUESTIONS, z, np.ones((1, 4)))[0]
        for z in chapter.histograms(4, 3)
    )
    assert more.worst_mwem(QUESTIONS, 3, 1, 5.0) == pytest.approx(uniform)


def test_the_error_of_the_histogram_agrees_with_draws():
    rng, n = np.random.default_rng(5), 40_000
    r = exp(-0.5)
    noise = rng.geometric(1 - r, size=(4, n)) - rng.geometric(1 - r, size=(4, n))
    off = np.abs(QUESTIONS @ noise).max(axis=0) / 4
    exact = more.histogram_error(QUESTIONS, 4, 1.0)
    assert exact == pytest.approx(off.mean(), abs=4 * off.std() / sqrt(n) + 1e-3)


def test_the_exact_loss_is_below_the_claim_and_above_its_half():
    for m, T, epsilon in ((3, 1, 1.0), (2, 2, 5.0)):
        assert epsilon / 2 < chapter.exact_loss(QUESTIONS, m, T, epsilon) <= epsilon


def rounds(N, k, m, epsilon):
    T = np.arange(1, 20_000)
    return int(T[chapter.mean_bound(N, k, m, T, epsilon).argmin()])


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "size": [
            (lambda s, alpha: ceil(exp(2 * s * alpha**2) / 2) - 1, None),
            (lambda s, alpha: int(exp(2 * s * alpha**2)), "queries are too many"),
            (lambda s, alpha: int(exp(s * alpha**2) / 2), "are allowed"),
            (lambda s, alpha: ceil(exp(2 * s * alpha**2) / 2), "queries are too many"),
            (lambda s, alpha: exp(2 * s * alpha**2) / 2, "a whole number"),
            (lambda s, alpha: 1, "are allowed"),
        ],
        "step": [
            (lambda a, b: log(a * (1 - b) / (b * (1 - a))), None),
            (lambda a, b: 4 * (a - b), "is better than"),
            (lambda a, b: log(a / b), "is better than"),
            (lambda a, b: log(b / (1 - b)) - log(a / (1 - a)), "is better than"),
            (lambda a, b: (a - b) / 2, "is better than"),
        ],
        "hides": [
            (several([3, 0, 2, 3], [3, 0, 2, 3]), "not in 0"),
            (several([8, 0, 0, 0], [0, 0, 0, 8]), "in one pupil"),
            (several([4, 0, 0, 4], [3, 1, 0, 4]), "both surveys"),
            (several([8, 0, 0, 0], [7, 0, 0, 0]), "survey of eight"),
            (several([2, 2, 2, 2], [1, 3, 2, 2]), "more than one"),
        ],
        "rounds": [
            (rounds, None),
            (lambda N, k, m, e: 1, "rounds are better"),
            (lambda N, k, m, e: 20, "rounds are better"),
            (lambda N, k, m, e: int(m ** (2 / 3)), "rounds are better"),
            (lambda N, k, m, e: 10.5, "a number of rounds"),
        ],
    },
    chapter,
)
