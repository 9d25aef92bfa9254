"""Each checker of the chapter on active students takes the solution and refuses wrong answers."""

import numpy as np
import pytest

from privml.exercises import asking_fewer_questions as exercises


def test_the_coefficient_of_intervals_is_accepted():
    exercises.check_interval(lambda width, n_points: max(4.0, n_points / (width + 1)))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda width, n_points: n_points / width,
        lambda width, n_points: max(4.0, n_points / width),
        lambda width, n_points: max(2.0, n_points / (width + 1)),
    ],
)
def test_a_wrong_coefficient_is_refused(wrong):
    with pytest.raises(AssertionError, match="the coefficient is"):
        exercises.check_interval(wrong)


def inside(table, labels, asked, x, slack, more=0):
    mistakes = (table[:, asked] != labels[asked]).sum(axis=1)
    best = np.argmin(mistakes)
    forced = mistakes[table[:, x] != table[best, x]]
    return len(forced) > 0 and forced.min() <= mistakes[best] + slack + more


def test_two_minimisations_are_accepted():
    exercises.check_reduction(inside)


@pytest.mark.parametrize("more", [-1, 1])
def test_a_slack_that_is_off_by_one_is_refused(more):
    with pytest.raises(AssertionError, match="of the region"):
        exercises.check_reduction(lambda *case: inside(*case, more=more))


def test_the_largest_budget_is_accepted_and_its_neighbours_are_not():
    exercises.check_affordable(159)
    with pytest.raises(AssertionError, match="need 20"):
        exercises.check_affordable(160)
    with pytest.raises(AssertionError, match="need only"):
        exercises.check_affordable(158)


def test_a_lie_about_the_first_point_is_accepted_and_harmless_lies_are_not():
    exercises.check_lie(0)
    with pytest.raises(AssertionError, match="ends at an error"):
        exercises.check_lie(1)
    with pytest.raises(AssertionError, match="never asked"):
        exercises.check_lie(5)
