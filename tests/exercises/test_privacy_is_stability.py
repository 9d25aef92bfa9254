"""The checkers of the chapter on privacy and stability take right answers and refuse wrong ones."""

from math import comb, tanh

import numpy as np
import pytest

from privml.exercises import privacy_is_stability as exercises


@pytest.mark.source("WLF16-def-6")
def test_even_numbers():
    exercises.check_even_sizes(lambda epsilon: tanh(epsilon / 2) / 2)
    exercises.check_even_sizes(lambda epsilon: 1 / (1 + np.exp(-epsilon)) - 0.5)
    with pytest.raises(AssertionError, match="the exact constant is"):
        exercises.check_even_sizes(lambda epsilon: tanh(epsilon / 4))


@pytest.mark.source("WLF16-def-6")
def test_a_stability_meter():
    exercises.check_meter(lambda laws, losses: np.abs(np.diff(laws @ losses, axis=0)).max())
    with pytest.raises(AssertionError, match="the constant is"):
        exercises.check_meter(lambda laws, losses: np.abs(np.diff(laws, axis=0)).sum(axis=1).max() / 2)
    with pytest.raises(AssertionError, match="the constant is"):
        exercises.check_meter(lambda laws, losses: np.ptp(laws @ losses, axis=0).max())


def subsampled(laws, m, choose=comb):
    k = len(laws) - 1
    weights = [[choose(c, j) * choose(m - c, k - j) / comb(m, k) for j in range(k + 1)] for c in range(m + 1)]
    return np.array(weights) @ laws


@pytest.mark.source("WLF16-lem-29")
def test_the_law_of_a_subsample():
    exercises.check_subsampled_table(subsampled)

    def with_repeats(laws, m):
        k = len(laws) - 1
        share = np.arange(m + 1)[:, None] / m
        j = np.arange(k + 1)
        return np.array([comb(k, i) for i in j]) * share**j * (1 - share) ** (k - j) @ laws

    with pytest.raises(AssertionError, match="the law is off by"):
        exercises.check_subsampled_table(with_repeats)
    with pytest.raises(AssertionError, match="there are 4 laws"):
        exercises.check_subsampled_table(lambda laws, m: laws)


@pytest.mark.source("WLF16-cor-9")
def test_which_epsilon_is_best():
    exercises.check_best_epsilon(0.8, 4.0)
    with pytest.raises(AssertionError, match="for the bound another"):
        exercises.check_best_epsilon(1.0, 4.0)
    with pytest.raises(AssertionError, match="for the excess risk another"):
        exercises.check_best_epsilon(0.8, 0.8)
    with pytest.raises(AssertionError, match="multiple of 1/10"):
        exercises.check_best_epsilon(0.85, 4.0)


@pytest.mark.source("WLF16-rem-lem-8-converse")
def test_stable_and_not_private():
    exercises.check_stable_not_private(lambda counts: counts / 10)
    with pytest.raises(AssertionError, match="above 1/10"):
        exercises.check_stable_not_private(lambda counts: np.eye(11)[counts[:, 1]])
    with pytest.raises(AssertionError, match="it must be infinite"):
        exercises.check_stable_not_private(lambda counts: (counts + 1) / 12)
