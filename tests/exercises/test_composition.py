"""The checkers of the chapter on composition take right answers and refuse wrong ones."""

from math import comb

import numpy as np
import pytest

from privml.composition import optimal_delta
from privml.exercises import composition as exercises


def majority(step_epsilon, k):
    keep = 1 / (1 + np.exp(-step_epsilon))
    return sum(comb(k, i) * keep ** (k - i) * (1 - keep) ** i for i in range((k + 1) // 2))


def every_kind(first, n, second, m, epsilon):
    total = 0.0
    for i in range(n + 1):
        for j in range(m + 1):
            loss, ways = (n - 2 * i) * first + (m - 2 * j) * second, comb(n, i) * comb(m, j)
            weight = ways * np.exp((n - i) * first + (m - j) * second)
            total += weight * max(0.0, 1 - np.exp(epsilon - loss))
    return total / (1 + np.exp(first)) ** n / (1 + np.exp(second)) ** m


def test_the_best_guess_from_many_answers():
    exercises.check_guess(majority)
    for wrong in (lambda epsilon, k: majority(epsilon, 1), lambda epsilon, k: 1 / (1 + np.exp(-k * epsilon))):
        with pytest.raises(AssertionError, match="one is right with probability"):
            exercises.check_guess(wrong)


@pytest.mark.source("DR11-thm-3.20")
def test_steps_of_two_kinds():
    exercises.check_two_kinds(every_kind)
    with pytest.raises(AssertionError, match="have delta"):
        exercises.check_two_kinds(lambda a, n, b, m, epsilon: optimal_delta(max(a, b), n + m, epsilon))
    with pytest.raises(AssertionError, match="have delta"):
        exercises.check_two_kinds(lambda a, n, b, m, epsilon: every_kind(a, n, b, m, 2 * epsilon))


def test_how_many_answers_a_budget_pays_for():
    exercises.check_budget((26, 77), 0.05, 1.0, 1e-6)
    with pytest.raises(AssertionError, match="27 pure answers cost"):
        exercises.check_budget((27, 77), 0.05, 1.0, 1e-6)
    with pytest.raises(AssertionError, match="one more than 70 costs"):
        exercises.check_budget((26, 70), 0.05, 1.0, 1e-6)


def test_where_gaussian_noise_overtakes():
    exercises.check_crossing(7, 1.0, 1e-5)
    for wrong in (1, 6, 8, 100):
        with pytest.raises(AssertionError, match="Laplace noise deviates"):
            exercises.check_crossing(wrong, 1.0, 1e-5)


def test_groups_by_rank():
    exercises.check_ranks(([0, 2, 3, 5, 6, 8], [9, 2, 3, 5, 6, 8]))
    with pytest.raises(AssertionError, match="3 times is possible"):
        exercises.check_ranks(([0, 2, 3, 5, 6, 8], [1, 2, 3, 5, 6, 8]))
    with pytest.raises(AssertionError, match="these in 2"):
        exercises.check_ranks(([0, 2, 3, 5, 6, 8], [9, 2, 3, 5, 6, 9]))
    with pytest.raises(AssertionError, match="same number of records"):
        exercises.check_ranks(([0, 1, 2], [0, 1, 2, 3, 4, 5]))
