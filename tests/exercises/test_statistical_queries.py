"""Each checker of the chapter on statistical queries takes the solution and refuses wrong answers."""

import math

import numpy as np
import pytest

from privml.bounds.parities import parity_plan
from privml.exercises import statistical_queries as exercises


def blocks(epsilon, beta, share=2):
    return max(1, math.ceil(math.log(beta / share) / math.log(parity_plan(epsilon).abort)))


def test_the_number_of_blocks_is_accepted():
    exercises.check_second_chances(blocks)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda e, b: blocks(e, b) + 1, "would do"),
        (lambda e, b: blocks(e, b, share=1), "above β / 2"),
        (lambda e, b: max(1, math.ceil(math.log(b / 2) / math.log(1 / 2))), "would do"),
    ],
)
def test_a_wrong_number_of_blocks_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_second_chances(wrong)


def test_rounding_to_multiples_of_twice_the_tolerance_is_accepted():
    exercises.check_rounding(lambda query, truth, tolerance: 2 * tolerance * round(truth / (2 * tolerance)))


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda q, t, tau: tau * round(t / tau), "no multiple"),
        (lambda q, t, tau: 2 * tau * math.floor(t / (2 * tau)), "further than"),
        (lambda q, t, tau: round(t, 1), "no multiple|further"),
    ],
)
def test_wrong_rounding_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_rounding(wrong)


def test_the_doubling_budgets_are_accepted_and_their_neighbours_are_not():
    exercises.check_doubling(19.0, 0.2)
    for pair, hint in (
        ((18.9, 0.2), "still"),
        ((19.1, 0.2), "already"),
        ((19.0, 0.1), "still"),
        ((19.0, 0.3), "already"),
        ((19.05, 0.2), "multiple"),
    ):
        with pytest.raises(AssertionError, match=hint):
            exercises.check_doubling(*pair)


def ones(X, y):
    return y


def test_averaging_repeated_answers_finds_the_label_and_one_answer_does_not():
    exercises.check_again(lambda oracle: np.mean([oracle.answer(ones) for _ in range(700)]) > 100.5 / 200)
    with pytest.raises(AssertionError, match="of 40 labels are right"):
        exercises.check_again(lambda oracle: oracle.answer(ones) > 100.5 / 200)


def test_the_forgetful_oracle_charges_new_queries_only():
    oracle = exercises.Forgetful([[0], [1]], [True, False], n_queries=2, epsilon=1.0, rng=0)
    for _ in range(5):
        oracle.answer(ones)
    oracle.answer(lambda X, y: ~y)
    assert oracle.n_answered == 2
    with pytest.raises(ValueError, match="n_queries must be at least 3"):
        oracle.answer(lambda X, y: y)
