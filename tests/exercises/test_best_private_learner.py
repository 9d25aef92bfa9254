"""The checkers of the chapter on the best private learner take right answers and refuse wrong ones."""

import numpy as np
import pytest

from privml.exercises import best_private_learner as exercises
from privml.learnability import count_vectors, neighbours


def losing_share(n_for, n_against, epsilon):
    steps, odd = divmod(n_for - n_against, 2)
    return np.exp(-epsilon * steps) / (1 + np.exp(epsilon) if odd else 2)


def test_the_geometric_rule():
    exercises.check_losing_share(losing_share)
    with pytest.raises(AssertionError, match="the worst excess is"):
        exercises.check_losing_share(lambda a, b, epsilon: 1 / (1 + np.exp(epsilon * (a - b) / 2)))
    with pytest.raises(AssertionError, match="the audit finds"):
        exercises.check_losing_share(lambda a, b, epsilon: losing_share(a, b, 2 * epsilon))
    with pytest.raises(AssertionError, match="fair coin"):
        exercises.check_losing_share(lambda a, b, epsilon: losing_share(a, b, epsilon) if a > b else 0.4)
    with pytest.raises(AssertionError, match="a probability in"):
        exercises.check_losing_share(lambda a, b, epsilon: 1 - losing_share(a, b, epsilon))


def two_constants(n_points, epsilon):
    table = np.zeros((2 * n_points, n_points + 1))
    right = np.exp(epsilon) / (1 + np.exp(epsilon))
    table[:n_points, -1] = table[n_points:, 0] = right
    table[:n_points, 0] = table[n_points:, -1] = 1 - right
    return table


def test_one_record():
    exercises.check_one_record(two_constants)
    with pytest.raises(AssertionError, match="the exact ε is 2"):
        exercises.check_one_record(lambda n, epsilon: two_constants(n, 2 * epsilon))
    with pytest.raises(AssertionError, match="the worst excess is"):
        exercises.check_one_record(lambda n, epsilon: two_constants(n, epsilon / 2))
    with pytest.raises(AssertionError, match="is a probability law"):
        exercises.check_one_record(lambda n, epsilon: 2 * two_constants(n, epsilon))
    with pytest.raises(AssertionError, match="possible on some records only"):
        exercises.check_one_record(lambda n, epsilon: two_constants(n, 60.0).round(6))
    with pytest.raises(AssertionError, match="does not fit"):
        exercises.check_one_record(lambda n, epsilon: two_constants(n, epsilon).T)


def test_when_it_pays_to_spend():
    exercises.check_first_spender(5)
    with pytest.raises(AssertionError, match="costs at least what it saves"):
        exercises.check_first_spender(4)
    with pytest.raises(AssertionError, match=r"already \[5\] records"):
        exercises.check_first_spender(6)


def test_more_records_can_hurt():
    exercises.check_more_records((3, 1, 2.0))
    with pytest.raises(AssertionError, match="the optimum goes from"):
        exercises.check_more_records((3, 2, 2.0))
    with pytest.raises(AssertionError, match="at most 4"):
        exercises.check_more_records((9, 1, 2.0))


def test_a_rounded_table():
    counts = count_vectors(4, 3)
    pairs = counts[neighbours(4, 3)]
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log([exercises.rounded_law(pair, 1) for pair in pairs])
        losses = np.nan_to_num(np.abs(logs[:, 0] - logs[:, 1]), nan=0.0).max(axis=1)
    exercises.check_rounded(pairs[losses.argmax()])
    with pytest.raises(AssertionError, match="the largest loss on this pair"):
        exercises.check_rounded(pairs[losses.argmin()])
    with pytest.raises(AssertionError, match="differ in one record"):
        exercises.check_rounded([counts[0], counts[-1]])
    with pytest.raises(AssertionError, match="two count vectors"):
        exercises.check_rounded([[1, 1, 0, 0], [3, 0, 0, 0]])
