"""Checkers for the exercises of the chapter on learning from experts.

Each recomputes what it asks for in another way than the chapter's solution, or tests what defines it.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from privml.bounds.experts import regret_bound
from privml.learners.experts import private_eta, run_curves

__all__ = [
    "CARRIED",
    "carried_delta",
    "check_carried_weights",
    "check_choice_law",
    "check_enough_rounds",
    "check_fair_coins",
]

CARRIED = (0.2, 0.2)
"""The promise (epsilon, delta) that each epoch of the friend keeps."""


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_choice_law(law: Callable[[ArrayLike, float], ArrayLike]) -> None:
    """Check choice probabilities of weighted majority, with large losses and large rates.

    Parameters
    ----------
    law : callable
        From losses of shape (n_rounds, n_experts) and a rate to probabilities of that shape; the round's
        own losses must not be used, and nothing may overflow.

    Raises
    ------
    AssertionError
        When a probability is wrong, with the round in which it is.

    Examples
    --------
    >>> check_choice_law(lambda losses, eta: np.full(np.shape(losses), 0.5))
    Traceback (most recent call last):
    AssertionError: eta = 0.5: round 2 must be about [0.3775 0.6225], got [0.5 0.5]
    """
    rng = np.random.default_rng(1)
    cases = [(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.0]]), 0.5), (rng.random((5, 4)), 3.0)]
    cases.append((np.tile([[1.0, 0.999]], (3000, 1)), 2.0))
    for losses, eta in cases:
        given = np.asarray(law(losses, eta), dtype=float)
        _demand(given.shape == losses.shape, f"give an array of shape {losses.shape}, got {given.shape}")
        for t in (0, 1, 2, len(losses) - 1):
            past = np.array([math.fsum(column[:t]) for column in losses.T])
            odds = np.exp(-eta * (past - past.min()))
            expected = odds / odds.sum()
            close = np.abs(given[t] - expected).max() < 1e-9
            hint = f"eta = {eta}: round {t + 1} must be about {expected.round(4)}, got {given[t].round(4)}"
            _demand(bool(close), hint)


def check_fair_coins(regret: Callable[[int], float]) -> None:
    """Check the expected regret of a learner on two experts with fair coins.

    Parameters
    ----------
    regret : callable
        From the number of rounds T to the expected average regret, for T up to a thousand.

    Raises
    ------
    AssertionError
        When it differs from the mean over all differences of the two totals.

    Examples
    --------
    >>> check_fair_coins(lambda n_rounds: 0.25)
    Traceback (most recent call last):
    AssertionError: for T = 2 rounds the regret is 0.187500, got 0.250000
    """
    for n_rounds in (1, 2, 5, 40, 1000):
        law = np.ones(1)
        for _ in range(n_rounds):
            law = np.convolve(law, [0.25, 0.5, 0.25])
        exact = float(law @ np.abs(np.arange(-n_rounds, n_rounds + 1))) / (2 * n_rounds)
        given = float(regret(n_rounds))
        hint = f"for T = {n_rounds} rounds the regret is {exact:.6f}, got {given:.6f}"
        _demand(abs(given - exact) < 1e-9, hint)


def check_enough_rounds(
    answer: int, n_experts: int = 60, epsilon: float = 1.0, delta: float = 1e-5, alpha: float = 0.1
) -> None:
    """Check the smallest horizon at which a private run is promised a regret of at most alpha.

    Parameters
    ----------
    answer : int
        Number of rounds, for the concentrated rate and Hoeffding's constant.
    n_experts, epsilon, delta, alpha : optional
        The setting.

    Raises
    ------
    AssertionError
        When it is not enough, or not the smallest.

    Examples
    --------
    >>> check_enough_rounds(1000)
    Traceback (most recent call last):
    AssertionError: at T = 1000 the bound is 0.5245, which is more than 0.1
    """

    def bound(n_rounds: int) -> float:
        return regret_bound(private_eta(epsilon, delta, n_rounds), n_experts, n_rounds)

    at = bound(int(answer))
    _demand(at <= alpha, f"at T = {answer} the bound is {at:.4f}, which is more than {alpha}")
    _demand(answer == 1 or bound(int(answer) - 1) > alpha, f"already T = {answer - 1} is enough")


def carried_delta(first: ArrayLike, second: ArrayLike) -> float:
    """Exact delta of the friend's run: epochs of 1, 2, 4, ... rounds with their own rates, weights kept.

    Parameters
    ----------
    first, second : array_like of shape (n_rounds, 2)
        Losses in [0, 1].

    Returns
    -------
    float
        At the epsilon of `CARRIED`; larger than its delta where the promise fails.

    Examples
    --------
    >>> carried_delta([[0, 1]] * 3, [[0, 1]] * 3)
    0.0
    """
    epsilon, delta = CARRIED
    lengths = [2 ** ((t + 1).bit_length() - 1) for t in range(len(np.asarray(first)))]
    rates = [private_eta(epsilon, delta, length, method="oblivious") for length in lengths]
    return run_curves(first, second, np.array(rates), resolution=400).delta(epsilon)


def check_carried_weights(pair: tuple[ArrayLike, ArrayLike]) -> None:
    """Check neighbours on which the friend's run breaks the promise that each epoch keeps.

    Parameters
    ----------
    pair : tuple of two array_like of shape (n_rounds, 2)
        Loss sequences that differ in one round, of at most 31 rounds.

    Raises
    ------
    AssertionError
        When they are no neighbours, or the promise holds for them.

    Examples
    --------
    >>> check_carried_weights(([[0, 1], [0, 0]], [[1, 0], [0, 0]]))
    Traceback (most recent call last):
    AssertionError: delta is 0.1906 on this pair, and 0.2 was promised
    """
    first, second = (np.asarray(losses, dtype=float) for losses in pair)
    shapes = first.shape == second.shape and first.ndim == 2 and first.shape[1] == 2
    _demand(shapes and 1 <= len(first) <= 31, "give two arrays of one shape (T, 2), T at most 31")
    changed = int((first != second).any(axis=1).sum())
    _demand(changed == 1, f"neighbours differ in one round, these differ in {changed}")
    found = carried_delta(first, second)
    _demand(found > CARRIED[1], f"delta is {found:.4f} on this pair, and {CARRIED[1]} was promised")
