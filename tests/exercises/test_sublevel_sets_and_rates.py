"""Each checker of the chapter on sublevel sets and rates takes the solution and refuses wrong answers."""

import numpy as np
import pytest

from privml.bounds.convex_sublevel import shrinking_condition
from privml.bounds.penalised_erm_rates import penalised_erm_sample_size
from privml.exercises import sublevel_sets_and_rates as exercises


def test_the_exponent_of_a_bowl_is_accepted_and_that_of_a_cone_is_not():
    exercises.check_bowl(lambda a, d: d / a)
    for wrong in (lambda a, d: d, lambda a, d: a * d, lambda a, d: 1 / a):
        with pytest.raises(AssertionError, match="volume t"):
            exercises.check_bowl(wrong)


def ratio(values, t):
    values = np.asarray(values)
    return len(values) / np.sum(values <= values.min() + t)


def test_the_ratio_is_accepted():
    exercises.check_ratio(ratio)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda values, t: 1 / ratio(values, t), "two of three"),
        (lambda values, t: len(values) / np.sum(np.asarray(values) <= t), "least value"),
        (lambda values, t: len(values) / np.sum(np.asarray(values) < min(values) + t), "closed"),
    ],
)
def test_a_wrong_ratio_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_ratio(wrong)


def test_the_worst_values_are_accepted_and_others_are_not():
    exercises.check_worst([0.0] + [3.598] * 99)
    for wrong in ([0.0] * 100, [0.0] + [3.0] * 99, np.linspace(0, 5, 100)):
        with pytest.raises(AssertionError, match="is possible"):
            exercises.check_worst(wrong)
    with pytest.raises(AssertionError, match="one of them 0"):
        exercises.check_worst([1.0] * 100)


def test_the_sizes_are_accepted_and_their_neighbours_are_not():
    size = penalised_erm_sample_size(0.1, 2.0, shrinking_condition(1))
    convex = 200
    exercises.check_sizes(size, convex)
    for wrong, hint in (
        ((size + 1, convex), "fewer are enough"),
        ((size - 1, convex), "too small"),
        ((size, convex + 1), "fewer than"),
        ((size, convex - 1), "too few"),
    ):
        with pytest.raises(AssertionError, match=hint):
            exercises.check_sizes(*wrong)


def test_a_thin_dip_is_accepted_and_a_wide_one_is_not():
    dip = np.r_[0.0, np.full(999, 0.05)]
    exercises.check_needle(dip)
    with pytest.raises(AssertionError, match="not 4 times"):
        exercises.check_needle(np.r_[np.zeros(30), np.full(970, 0.05)])
    with pytest.raises(AssertionError, match="in "):
        exercises.check_needle(dip - 0.1)
