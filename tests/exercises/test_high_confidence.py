"""Each checker of the chapter on high confidence takes the solution and refuses wrong answers."""

from math import exp, log, sqrt

import numpy as np
import pytest

from privml.bounds.boosting import boosted_sample_size
from privml.exercises import high_confidence as exercises


def gap(v, a, epsilon, beta):
    share = log((a - 1) / beta)
    free = sqrt(2 * share / v)
    return free if free <= epsilon / 2 else 2 * share / (v * epsilon) + epsilon / 4


def test_the_gap_is_accepted():
    exercises.check_gap(gap)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda v, a, epsilon, beta: sqrt(2 * log((a - 1) / beta) / v), "below the free"),
        (lambda v, a, epsilon, beta: gap(v, a, 2 * epsilon, beta), "below the free"),
        (lambda v, a, epsilon, beta: max(gap(v, a, epsilon, beta), epsilon / 4), "above the free"),
        (lambda v, a, epsilon, beta: gap(v, a if a > 2 else 3, epsilon, beta), "union is over one"),
    ],
)
def test_a_wrong_gap_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_gap(wrong)


def rounds(scores, epsilon):
    return len(scores) / sum(exp(-epsilon * (max(scores) - score) / 2) for score in scores)


def test_the_rounds_are_accepted():
    exercises.check_rounds(rounds)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda scores, epsilon: len(scores),
        lambda scores, epsilon: rounds(scores, 2 * epsilon),
        lambda scores, epsilon: rounds(scores, epsilon) / len(scores),
    ],
)
def test_wrong_rounds_are_refused(wrong):
    with pytest.raises(AssertionError, match="scores"):
        exercises.check_rounds(wrong)


def test_the_sizes_are_accepted_and_their_neighbours_are_not():
    size = boosted_sample_size(lambda m: 1 / sqrt(m), 0.1, 1.0, 1e-3, validation="half")
    exercises.check_sizes(size, 10**8)
    for wrong, hint in (
        ((size + 1, 10**8), "fewer are enough"),
        ((size - 1, 10**8), "too few"),
        ((size, 10**6), "one run"),
    ):
        with pytest.raises(AssertionError, match=hint):
            exercises.check_sizes(*wrong)


def test_the_law_of_reused_records_is_the_product_of_its_steps():
    bits = np.array([True, True, False, False, False, False])
    law = exercises.reused_law(bits).pmf().reshape(2, 2, 2)
    assert law.sum() == pytest.approx(1)
    first = 1 / (1 + exp(-(2 - 1) / 2))  # True for the first half: two right, one wrong
    second = 1 / (1 + exp(-(0 - 3) / 2))
    assert law[1].sum() == pytest.approx(first)
    assert law[:, 1].sum() == pytest.approx(second)
    assert law[1, 0, 0] / law[1, 0].sum() == pytest.approx(
        1 / (1 + exp((4 - 2) / 2))
    )  # two right, four wrong
    assert law[1, 1, 0] == pytest.approx(law[1, 1, 1])


def test_records_used_twice_are_caught_and_other_pairs_refused():
    first, second = [False] * 12, [True] + [False] * 11
    exercises.check_reused(first, second)
    exercises.check_reused(second, first)
    with pytest.raises(AssertionError, match="not above"):
        exercises.check_reused([False, True] * 2, [True, True] + [False, True])
    for wrong in ((first, first), (first, [True, True] + first[2:]), (first[:3], [True] + first[1:3])):
        with pytest.raises(AssertionError, match="different in one place"):
            exercises.check_reused(*wrong)
