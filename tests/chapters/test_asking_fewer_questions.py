"""What the chapter on active students computes in its cells: against brute force, theory and each other."""

from math import log, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.divergences import gaussian_delta
from privml.hypotheses import Thresholds
from tests.chapters.asking_fewer_questions_functions import (
    asked_points,
    contingency,
    worst_delta,
    worst_excess,
)
from tests.chapters.checkers import checkers

chapter = chapter_module("asking-fewer-questions")


def cuts(n):
    return Thresholds(np.arange(1, n + 1) / (n + 1))


@pytest.mark.source("LZCW21-alg-4")
def test_every_asked_point_splits_the_cuts_that_are_left_and_the_truth_stays():
    stream = np.random.default_rng(1).uniform(size=512)
    table = asked_points(stream, cuts(127), 0.375)
    assert ((table["lower"] < table["x"]) & (table["x"] <= table["upper"])).all()
    assert ((table["lower"] <= 0.375) & (table["upper"] >= 0.375)).all()
    assert table["lower"].is_monotonic_increasing
    assert table["upper"].is_monotonic_decreasing
    assert (table["label"] == (table["x"] >= 0.375)).all()


@pytest.mark.source("LZCW21-def-disagreement-coefficient")
def test_coefficients_have_their_closed_forms():
    table = chapter.coefficient_curves(40, [4], [0.0, 0.03, 0.3, 1.0])
    assert table["thresholds"].tolist() == pytest.approx([2, 2, 2, 1])
    assert table["singletons"].tolist() == pytest.approx([20, 20, 1 / 0.3, 1])
    assert table["interval of 4 points"][0] == pytest.approx(8)


@pytest.mark.source("LZCW21-lem-33", "LZCW21-lem-39")
def test_measured_labels_and_errors_stay_below_their_bounds():
    sizes = [64, 512, 2048]
    for seed in range(4):
        for m in sizes:
            asked, bound = chapter.noisy_run(0.1, m, cuts(63), seed)
            assert asked <= bound
        assert 100 < asked < 2048
        for noise in (0.0, 0.1):
            errors = worst_excess(noise, sizes, cuts(63), seed)
            assert (errors["excess"] <= errors["bound"]).all()


@pytest.mark.source("LZCW21-alg-5")
def test_the_audit_lies_below_the_promise_and_active_is_no_worse_than_passive():
    epsilons = [0.0, 0.5, 1.5]
    promise = np.array([gaussian_delta(e, mu=sqrt(2) / 1.5) for e in epsilons])
    active, passive = (
        worst_delta(1.5, epsilons, active=kind) for kind in (True, False)
    )
    for found in (active, passive):
        assert (found < promise).all()
        assert found[0] > 0.6 * promise[0]
    np.testing.assert_allclose(active, passive, atol=1e-12)


@pytest.mark.source("LZCW21-thm-22")
def test_the_active_student_asks_few_labels_and_errs_less():
    table = chapter.line_students(
        [20_000, 200_000], 2**13, (1.0, 1e-6), n_queries=40, n_runs=20, seed=1
    )
    wide = table.pivot(index="n", columns="student", values=["error", "queries"])
    assert (wide["error", "active"] < wide["error", "passive"] / 1.5).all()
    assert (wide["queries", "active"] < 40).all()
    slopes = np.log(wide["error"].iloc[1] / wide["error"].iloc[0]) / np.log(10)
    assert -1.35 < slopes["active"] < -0.7
    assert -0.95 < slopes["passive"] < -0.4


def test_the_line_students_are_what_they_say():
    """Bisection ends around the truth; the passive cut has fewest mistakes, by brute force."""
    rng = np.random.default_rng(0)
    public = rng.uniform(size=2000)
    cut, asked = chapter.active_student(public, lambda x: x >= 0.3, 100)
    assert abs(cut - 0.3) <= np.diff(np.sort(public)).max()
    assert asked < 8 * log(2000)
    few = rng.uniform(size=30)
    labels = (np.sort(few) >= 0.6) ^ (rng.random(30) < 0.2)
    cut = chapter.passive_student(few, lambda x: labels)
    mistakes = [((np.sort(few) >= c) != labels).sum() for c in np.linspace(0, 1, 5001)]
    assert ((np.sort(few) >= cut) != labels).sum() == min(mistakes)


def test_teachers_on_the_line_are_the_middles_of_their_gaps():
    """The share of votes at 1/2 is one half; k records leave a cut within about 1/k."""
    ask = chapter.noisy_votes(10**6, 50, (1.0, 1e-6), np.random.default_rng(2))
    votes = [np.mean([ask(np.array([x]))[0] for _ in range(60)]) for x in (0.49, 0.51)]
    assert votes == [0.0, 1.0]


SMALL = chapter.world(4, 2.0, n_teachers=500, cutoff=2, seed=0)


@pytest.mark.source("LZCW21-rem-25")
@pytest.mark.erratum("LZCW21-rem-25/1")
def test_the_method_that_selects_is_algorithm_5_and_its_choice_overlaps_with_unstable_points():
    counts, test = contingency(SMALL.unstable, chapter.chosen(SMALL, 0))
    assert counts.sum() == 500
    assert counts[0].sum() == 104
    assert counts[:, 0].sum() == SMALL.unstable.sum()
    assert test.statistic > 3
    assert test.pvalue < 1e-3
    rounds = chapter.overlap_by_round([SMALL])
    assert rounds["asked"].mean() == pytest.approx(counts[0, 0] / 104)
    assert rounds["asked"].max() > 5 * rounds["all"].iloc[0]


def test_unstable_points_have_the_smallest_margins():
    margins = np.abs(SMALL.votes.sum(axis=0).astype(int) - 250)
    assert margins[SMALL.unstable].max() <= margins[~SMALL.unstable].min() + 1


def inside(table, labels, asked, x, slack, more=0):
    mistakes = (table[:, asked] != labels[asked]).sum(axis=1)
    best = np.argmin(mistakes)
    forced = mistakes[table[:, x] != table[best, x]]
    return len(forced) > 0 and forced.min() <= mistakes[best] + slack + more


def test_honest_labels_stay_below_the_simple_bound_and_all_labels_do_not():
    sizes = [256, 1024, 4096]
    asked = [
        chapter.labels_asked(m, cuts(63), 8, np.random.default_rng(5)) for m in sizes
    ]
    bounds = [chapter.clean_bound(m, 63, 2.0, 0.1) for m in sizes]
    assert all(np.array(asked) < bounds)
    assert asked[-1] < 40
    assert bounds[-1] < sizes[-1] / 8


def test_the_promise_fulfils_its_hypotheses_and_improves_with_the_records():
    privacy, beta, N = (1.0, 1e-6), 0.02, 101
    found = [chapter.promise(n, N, 2.0, privacy, beta) for n in (10**8, 10**9, 10**10)]
    for n, (m, labels, teachers, error) in zip(
        (10**8, 10**9, 10**10), found, strict=True
    ):
        b = log(teachers * N / beta) / (n // teachers)
        sigma = chapter.vote_sigma(labels, *privacy)
        assert m <= beta / (3 * b) < 2.5 * m
        assert teachers >= 6 * sigma * sqrt(2 * log(labels / beta))
        assert labels >= chapter.clean_bound(m, N, 2.0, beta)
        assert error == pytest.approx(log(N * np.log2(2 * m) / beta) / m)
    assert found[0][3] > 5 * found[1][3] > 25 * found[2][3]


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "interval": [
            (lambda width, n_points: max(4.0, n_points / (width + 1)), None),
            (lambda width, n_points: n_points / width, "the coefficient is"),
            (lambda width, n_points: max(4.0, n_points / width), "the coefficient is"),
            (
                lambda width, n_points: max(2.0, n_points / (width + 1)),
                "the coefficient is",
            ),
        ],
        "reduction": [
            (inside, None),
            (lambda *case: inside(*case, more=-1), "of the region"),
            (lambda *case: inside(*case, more=1), "of the region"),
        ],
        "lie": [(0, None), (1, "ends at an error"), (5, "never asked")],
    },
    chapter,
)
