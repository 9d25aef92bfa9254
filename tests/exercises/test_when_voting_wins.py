"""Each checker of the chapter on what voting learns takes the solution and refuses wrong answers."""

from math import ceil, log

import numpy as np
import pytest

from privml.exercises import when_voting_wins as exercises
from privml.pate import majority_probability


def least(xi, beta, step=2):
    number = 1
    while majority_probability(0.5 - xi, number) > beta:
        number += step
    return number


def test_the_least_number_of_voters_is_accepted():
    exercises.check_voters(least)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda xi, beta: 2 * (ceil(log(1 / beta) / (2 * xi**2)) // 2) + 1, "more than needed"),
        (lambda xi, beta: least(xi, beta) - 2, "err with probability"),
        (lambda xi, beta: least(xi, beta) + 1, "not an odd number"),
    ],
)
def test_a_wrong_number_of_voters_is_refused(answer, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_voters(answer)


def test_the_least_share_is_accepted_and_its_neighbours_are_not():
    exercises.check_share(0.55)
    with pytest.raises(AssertionError, match="only"):
        exercises.check_share(0.54)
    with pytest.raises(AssertionError, match="more than needed"):
        exercises.check_share(0.6)


@pytest.mark.parametrize("r", [9, 10, 30])
def test_arcs_just_below_a_half_are_accepted(r):
    exercises.check_ring(np.arange(2 * r + 1) < r)


@pytest.mark.parametrize(("true", "size"), [(8, 17), (11, 21), (1, 3), (0, 5)])
def test_other_arcs_are_refused(true, size):
    with pytest.raises(AssertionError, match="the excess"):
        exercises.check_ring(np.arange(size) < true)


def test_a_pattern_without_error_or_of_numbers_is_refused():
    with pytest.raises(AssertionError, match="no error"):
        exercises.check_ring(np.ones(5, dtype=bool))
    with pytest.raises(AssertionError, match="vector of bools"):
        exercises.check_ring([0, 1, 0])
