"""The checkers of the chapter on generalisation take right answers and refuse wrong ones."""

from math import comb, exp, tanh

import numpy as np
import pytest

from privml.exercises import generalisation_for_free as exercises


@pytest.mark.source("S16-rem-recap")
def test_randomised_response_among_many_kinds():
    exercises.check_response_gap(lambda K, epsilon: exp(epsilon) / (exp(epsilon) + K - 1) - 1 / K)
    with pytest.raises(AssertionError, match="the exact gap is"):
        exercises.check_response_gap(lambda K, epsilon: tanh(epsilon / 4))


def memory(laws, losses, p, tilt=True):
    c = np.arange(len(laws))
    m = len(laws) - 1
    weights = np.array([comb(m, k) for k in c]) * p**c * (1 - p) ** (m - c)
    joint = weights[:, None] * (laws if tilt else np.ones_like(laws))
    empirical = np.outer(1 - c / m, losses[:, 0]) + np.outer(c / m, losses[:, 1])
    return (joint * empirical).sum(axis=0) / joint.sum(axis=0)


@pytest.mark.source("WLF16-lem-38")
def test_what_an_output_tells():
    exercises.check_memory(memory)
    with pytest.raises(AssertionError, match="tells of"):
        exercises.check_memory(lambda laws, losses, p: memory(laws, losses, p, tilt=False))
    with pytest.raises(AssertionError, match="got shape"):
        exercises.check_memory(lambda laws, losses, p: memory(laws, losses, p)[:1])


@pytest.mark.source("S16-rem-monitor")
def test_how_many_runs():
    exercises.check_choose_runs(177, 400)
    with pytest.raises(AssertionError, match="not the smallest"):
        exercises.check_choose_runs(176, 400)
    with pytest.raises(AssertionError, match="lower bound does not exceed"):
        exercises.check_choose_runs(177, 5)
    with pytest.raises(AssertionError, match="must be positive"):
        exercises.check_choose_runs(177, 0)


def play(k, m, sigma, seed, reuse=False):
    rng = np.random.default_rng(seed)
    agree = rng.integers(0, 2, (m, k))
    noise = 0 if reuse else sigma
    signs = np.sign(agree.mean(axis=0) + noise * rng.standard_normal(k) - 0.5) + 1e-9
    return ((2 * agree - 1) @ signs > 0).mean() + sigma * rng.standard_normal() - 0.5


@pytest.mark.source("S16-rem-recap")
def test_a_noisy_analyst():
    exercises.check_noisy_analyst(play)
    with pytest.raises(AssertionError, match="the mean error is near"):
        exercises.check_noisy_analyst(lambda *arguments: play(*arguments, reuse=True))


@pytest.mark.source("S16-rem-monitor")
def test_stable_and_badly_wrong_once_in_a_while():
    def rare(counts, share=0.1):
        erm = np.eye(3)[(counts[:, 1] < counts[:, 0]).astype(int)]
        return share * erm + (1 - share) * np.eye(3)[2]

    exercises.check_stable_overfitter(rare)
    with pytest.raises(AssertionError, match="total variation is 0.2000"):
        exercises.check_stable_overfitter(lambda counts: rare(counts, 0.2))
    with pytest.raises(AssertionError, match="overfits by 1/4"):
        exercises.check_stable_overfitter(lambda counts: rare(counts, 0.05))
    swapped = lambda counts: rare(counts)[:, [1, 0, 2]]  # noqa: E731
    with pytest.raises(AssertionError, match="overfits by 1/4"):
        exercises.check_stable_overfitter(swapped)
