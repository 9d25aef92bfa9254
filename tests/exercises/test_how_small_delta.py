"""Each checker of the chapter on how small delta must be takes the solution and refuses wrong answers."""

from math import ceil, exp

import pytest

from privml.exercises import how_small_delta as exercises


def needed(alpha, n_samples, more=0):
    return (ceil(1 / alpha - 1 - 1e-9) + more) / n_samples


def test_the_needed_delta_is_accepted():
    exercises.check_needed(needed)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda alpha, n: needed(alpha, n, 1), "are enough"),
        (lambda alpha, n: needed(alpha, n, -1), "too few"),
        (lambda alpha, n: (1 / alpha - 1) / n, "whole number"),
    ],
)
def test_a_wrong_delta_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_needed(wrong)


def test_the_exponent_is_accepted_and_its_neighbours_are_not():
    exercises.check_exponent(11)
    with pytest.raises(AssertionError, match="below 0.1"):
        exercises.check_exponent(10)
    with pytest.raises(AssertionError, match="small enough, too"):
        exercises.check_exponent(12)


def test_three_laws_that_grow_as_fast_as_allowed_are_accepted():
    second = 0.1 * exp(1) + 0.1
    exercises.check_group(([1.0, 0.0], [0.9, 0.1], [1 - second, second]))


@pytest.mark.parametrize(
    ("laws", "hint"),
    [
        (([1.0, 0.0], [0.9, 0.1], [0.8, 0.2]), "not above 0.2"),
        (([1.0, 0.0], [0.9, 0.1], [0.5, 0.5]), "from law 2 to law 1"),
        (([1.0, 0.0], [0.9, 0.1]), "three laws"),
        (([1.0, 0.0], [0.9, 0.2], [0.8, 0.2]), "sum to 1"),
    ],
)
def test_laws_that_refute_nothing_are_refused(laws, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_group(laws)
