"""Each checker of the chapter on sparse and kernel problems takes the solution and refuses wrong answers."""

from math import sqrt

import numpy as np
import pytest

from privml.exercises import sparse_and_kernel_problems as exercises
from privml.experiments.sparse_and_kernel_problems import points_by_bits


def best_split(a, b):
    return sqrt(a) / (sqrt(a) + sqrt(b))


def test_the_best_split_is_accepted():
    exercises.check_split(best_split)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda a, b: 0.5, "the least is"),
        (lambda a, b: a / (a + b), "the least is"),
        (lambda a, b: 1 - best_split(a, b), "the least is"),
        (lambda a, b: 1.0, "between 0 and 1"),
    ],
)
def test_another_split_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_split(wrong)


def test_the_best_number_of_buckets_is_accepted_and_others_are_not():
    sizes = list(range(2, 4000))
    errors = points_by_bits([30], 60, 1.0, sizes)["error"].to_numpy()[1:]
    best = sizes[int(np.argmin(errors))]
    exercises.check_buckets(best)
    for wrong in (2, best // 2, best - 5, best + 5, 2 * best):
        with pytest.raises(AssertionError, match="buckets: error"):
            exercises.check_buckets(wrong)


def test_a_law_between_two_members_is_accepted():
    found = []
    for target in range(1, 20):
        law = np.zeros(20)
        law[target - 1 : target + 1] = 0.5
        try:
            exercises.check_undominated(law, target)
            found.append(target)
        except AssertionError:
            pass
    assert found
    assert len(found) < 19


@pytest.mark.parametrize(
    ("law", "target", "hint"),
    [
        (np.full(20, 0.05), 10, "below 2/5"),
        (np.full(20, 0.06), 10, "sum to 1"),
        (np.full(19, 1 / 19), 10, "20 probabilities"),
        (np.full(20, 0.05), 0, "from 1 to 19"),
    ],
)
def test_a_dominated_law_is_refused(law, target, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_undominated(law, target)


def test_one_record_among_equal_ones_sets_the_scale():
    first = np.zeros((1000, 2))
    first[1] = 0.001
    second = first.copy()
    second[0] = 1.0
    exercises.check_scale((first, second))


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        ((np.eye(2), np.zeros((2, 2))), "these in 2"),
        ((np.eye(2), np.eye(2)), "these in 0"),
        ((np.eye(2), np.array([[1.0, 0.5], [0.0, 1.0]])), "only"),
        ((np.eye(2), np.array([[9.0, 0.0], [0.0, 1.0]])), "in \\[-1, 1\\]"),
        ((np.zeros((1, 2)), np.ones((1, 2))), "two records"),
        ((np.zeros((2, 3)), np.ones((2, 3))), "one shape"),
    ],
)
def test_data_that_show_nothing_are_refused(data, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_scale(data)
