"""The problems on a grid, each against its definition."""

import numpy as np
import pytest

from privml.learnability import LearningProblem, constant_law, count_vectors, uniform_deviation
from privml.learnability.problems import (
    all_labellings_problem,
    coin_problem,
    finite_subsets_problem,
    power_mean_problem,
    thresholds_problem,
    with_minorant,
)


@pytest.mark.source("WLF16-prop-12")
def test_thresholds_err_where_the_label_is_not_whether_the_point_reaches_the_cut():
    problem = thresholds_problem(5)
    x, y = problem.records.T
    expected = (x >= problem.hypotheses[:, None]) != (y == 1)
    assert (problem.losses == expected).all()
    assert problem.losses.shape == (6, 10)
    assert len(np.unique(problem.losses, axis=0)) == 6


def test_all_labellings_are_all_of_them():
    problem = all_labellings_problem(3)
    assert len(np.unique(problem.losses, axis=0)) == 8
    assert (problem.losses[:, :3] + problem.losses[:, 3:] == 1).all()
    assert (problem.losses[5] == [1, 0, 1, 0, 1, 0]).all()


@pytest.mark.source("WLF16-ex-16")
def test_subsets_lose_what_they_do_not_contain_and_cover_any_sample_that_is_small_enough():
    problem = finite_subsets_problem(4, 2)
    assert problem.n_hypotheses == 1 + 4 + 6
    assert (problem.losses.sum(axis=1) == 4 - problem.hypotheses.sum(axis=1)).all()
    assert problem.best_empirical_risk(count_vectors(4, 2)).max() == 0
    assert problem.best_empirical_risk([[1, 1, 1, 0]]) == pytest.approx(1 / 3)
    assert finite_subsets_problem(3, 3).n_hypotheses == 8
    assert finite_subsets_problem(3, 0).losses.tolist() == [[1, 1, 1]]


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.erratum("WLF16-ex-appB-mean")
def test_one_record_moves_the_centre_of_the_tenth_power_far():
    """All x = 0 but one x = 1: the minimiser is r / (1 + r), r = (n - 1)^(-1/9), not within 2 / n of 0."""
    problem = power_mean_problem(2, 100_001)
    for n in (10, 1000, 10**6):
        best = problem.hypotheses[problem.empirical_risk([n - 1, 1]).argmin()]
        r = (n - 1) ** (-1 / 9)
        assert best == pytest.approx(r / (1 + r), abs=1e-5)
        assert best > 2 / n
        assert problem.empirical_risk([n, 0]).argmin() == 0


def test_the_mean_is_the_case_of_exponent_two():
    problem = power_mean_problem(5, 101, exponent=2.0)
    counts = [1, 0, 2, 0, 1]
    assert problem.hypotheses[problem.empirical_risk(counts).argmin()] == pytest.approx(0.5)


@pytest.mark.source("WLF16-rem-uniform-convergence")
def test_a_minorant_is_best_for_every_law_and_leaves_the_deviations_of_the_others():
    labellings = all_labellings_problem(3)
    problem = with_minorant(labellings, 0.25)
    np.testing.assert_allclose(problem.losses[1:], 0.75 + labellings.losses / 4)
    laws = np.random.default_rng(0).dirichlet(np.ones(6), size=20)
    assert (problem.excess_risk(laws)[:, 0] == 0).all()
    law = constant_law(problem, 0)(count_vectors(6, 2))
    assert (law[:, 0] == 1).all()
    for p in laws[:3]:
        assert uniform_deviation(problem, p, 3) == pytest.approx(0.25 * uniform_deviation(labellings, p, 3))


def test_the_coin_is_guessed_right_or_wrong():
    assert coin_problem().risk([0.3, 0.7]).tolist() == [0.7, 0.3]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: thresholds_problem(0), "n_points must be a positive integer, got 0"),
        (lambda: thresholds_problem(5000), "at most 5000000 entries, got 5001 hypotheses times 10000"),
        (lambda: all_labellings_problem(30), "at most 5000000 entries, got 1073741824 hypotheses"),
        (lambda: finite_subsets_problem(3, 4), "largest must be at most n_points = 3, got 4"),
        (lambda: finite_subsets_problem(40, 20), "at most 5000000 entries"),
        (lambda: power_mean_problem(1, 5), "must be at least 2, got 1, 5"),
        (lambda: power_mean_problem(5, 5, exponent=-1.0), "exponent must be positive"),
        (lambda: with_minorant(coin_problem(), 1.0), r"scale must be in the open interval \(0, 1\)"),
        (lambda: with_minorant(LearningProblem([[0.0]]), float("nan")), "scale must be"),
    ],
)
def test_bad_parameters_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
