"""The problems on a grid, each against its definition."""

import numpy as np
import pytest

from privml.learnability import coin_problem, count_vectors, finite_subsets_problem, thresholds_problem


@pytest.mark.source("WLF16-prop-12")
def test_thresholds_err_where_the_label_is_not_whether_the_point_reaches_the_cut():
    problem = thresholds_problem(5)
    x, y = problem.records.T
    expected = (x >= problem.hypotheses[:, None]) != (y == 1)
    assert (problem.losses == expected).all()
    assert problem.losses.shape == (6, 10)
    assert len(np.unique(problem.losses, axis=0)) == 6


@pytest.mark.source("WLF16-ex-16")
def test_subsets_lose_what_they_do_not_contain_and_cover_any_sample_that_is_small_enough():
    problem = finite_subsets_problem(4, 2)
    assert problem.n_hypotheses == 1 + 4 + 6
    assert (problem.losses.sum(axis=1) == 4 - problem.hypotheses.sum(axis=1)).all()
    assert problem.best_empirical_risk(count_vectors(4, 2)).max() == 0
    assert problem.best_empirical_risk([[1, 1, 1, 0]]) == pytest.approx(1 / 3)
    assert finite_subsets_problem(3, 3).n_hypotheses == 8
    assert finite_subsets_problem(3, 0).losses.tolist() == [[1, 1, 1]]


def test_the_coin_is_guessed_right_or_wrong():
    assert coin_problem().risk([0.3, 0.7]).tolist() == [0.7, 0.3]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: thresholds_problem(5000), "at most 5000000 entries, got 5001 hypotheses times 10000"),
        (lambda: finite_subsets_problem(3, 4), "largest must be at most n_points = 3, got 4"),
        (lambda: finite_subsets_problem(40, 20), "at most 5000000 entries"),
    ],
)
def test_bad_parameters_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
