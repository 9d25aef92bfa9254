"""Checkers for the exercises of the chapter on statistical queries.

Each recomputes what it asks for in another way than the chapter's solution, or tests what defines it.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml.learners.statistical_queries import PrivateSQOracle, SQOracle
from privml.learners.statistical_queries.base import StatisticalQuery

__all__ = [
    "Forgetful",
    "check_again",
    "check_doubling",
    "check_rounding",
    "check_second_chances",
]

N_TRIALS = 40
N_RECORDS = 200


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_second_chances(blocks: Callable[[float, float], int]) -> None:
    """Check how many blocks make the elimination learner give up on all of them rarely enough.

    Parameters
    ----------
    blocks : callable
        From (epsilon, beta) to the smallest r with ``f^r <= beta / 2``, f for the sharp choice.

    Raises
    ------
    AssertionError
        When a number of blocks is not enough, or more than enough.

    Examples
    --------
    >>> check_second_chances(lambda epsilon, beta: 1)
    Traceback (most recent call last):
    AssertionError: ε = 0.1, β = 0.5: all of 1 blocks give up with probability 0.32204, above β / 2
    """
    for epsilon, beta in ((0.1, 0.5), (0.1, 0.001), (1.0, 0.05), (3.0, 1e-9), (8.0, 0.9)):
        abort = 1 / (1 + 2 / (1 - math.tanh(epsilon / 2)))
        r = blocks(epsilon, beta)
        case = f"ε = {epsilon}, β = {beta}: all of {r} blocks give up with probability {abort**r:.5f}"
        _demand(abort**r <= beta / 2, f"{case}, above β / 2")
        _demand(r == 1 or abort ** (r - 1) > beta / 2, f"{case}; {r - 1} blocks would do")


def check_rounding(rule: Callable[[StatisticalQuery, float, float], float]) -> None:
    """Check a rule that answers with multiples of twice the tolerance.

    Parameters
    ----------
    rule : callable
        From (query, truth, tolerance) to the answer.

    Raises
    ------
    AssertionError
        When an answer is too far from the truth or no multiple of ``2 tolerance``.

    Examples
    --------
    >>> check_rounding(lambda query, truth, tolerance: truth)
    Traceback (most recent call last):
    AssertionError: truth 0.01, τ = 0.125: the answer 0.01 is no multiple of 2 τ
    """
    for tolerance in (0.125, 0.04):
        for truth in (0.0, 0.01, 0.3, 0.3725, 0.5, 0.99, 1.0):
            answer = rule(None, truth, tolerance)
            case = f"truth {truth}, τ = {tolerance}: the answer {answer:.4g} is"
            _demand(abs(answer - truth) <= tolerance + 1e-12, f"{case} further than τ from the truth")
            steps = answer / (2 * tolerance)
            _demand(abs(steps - round(steps)) < 1e-9, f"{case} no multiple of 2 τ")


def check_doubling(fixed: float, adaptive: float) -> None:
    """Check the smallest epsilon at which privacy at most doubles the number of records.

    Parameters
    ----------
    fixed, adaptive : float
        For 100 queries fixed in advance and for adaptive ones, with alpha = beta = 1 / 20.

    Raises
    ------
    AssertionError
        When an epsilon is no multiple of 1 / 10, too small, or larger than need be.

    Examples
    --------
    >>> check_doubling(1.0, 0.1)
    Traceback (most recent call last):
    AssertionError: fixed queries: at ε = 1.0 the error with 3318 records is still 0.2868, above 1 / 20
    """
    k, alpha, beta = 100, 0.05, 0.05
    batch = math.ceil(math.log(2 * k / beta) / (2 * alpha**2))

    def error(epsilon: float, shares: int) -> float:
        records = 2 * batch
        return math.sqrt(math.log(4 * k / beta) / (2 * records)) + shares * math.log(2 * k / beta) / (
            epsilon * records
        )

    for name, epsilon, shares in (("fixed queries", fixed, k), ("adaptive queries", adaptive, 1)):
        _demand(abs(10 * epsilon - round(10 * epsilon)) < 1e-9, f"{name}: {epsilon} is no multiple of 1 / 10")
        reached = error(epsilon, shares)
        hint = f"at ε = {epsilon} the error with {2 * batch} records is still {reached:.4f}, above 1 / 20"
        _demand(reached <= alpha, f"{name}: {hint}")
        fewer = epsilon - 0.1
        _demand(
            fewer < 0.05 or error(fewer, shares) > alpha, f"{name}: already ε = {fewer:.1f} would be enough"
        )


class Forgetful(SQOracle):
    """A private oracle that answers repeated queries again, with fresh noise and without charging them.

    Parameters
    ----------
    X : array_like of shape (n_samples, ...)
        Instances.
    y : array_like of bool, shape (n_samples,)
        Labels.
    n_queries : int
        How many different queries will be answered.
    epsilon : float
        What it believes to spend, in nats.
    rng : numpy.random.Generator or int, optional
        Source of the noise.

    Examples
    --------
    >>> oracle = Forgetful([[0], [1]], [True, False], n_queries=1, epsilon=1.0, rng=0)
    >>> ones = lambda X, y: y
    >>> oracle.answer(ones) == oracle.answer(ones), oracle.n_answered
    (False, 1)
    """

    def __init__(
        self, X: ArrayLike, y: ArrayLike, *, n_queries: int, epsilon: float, rng: object = None
    ) -> None:
        super().__init__(n_queries)
        self._oracle = PrivateSQOracle(X, y, n_queries=n_queries, epsilon=epsilon, rng=rng)
        self._rng = np.random.default_rng(rng).spawn(1)[0]
        self._seen: list[StatisticalQuery] = []

    def answer(self, query: StatisticalQuery) -> float:
        """Answer one query; a new one is counted, an old one is not."""
        if not any(query is old for old in self._seen):
            answer = super().answer(query)
            self._seen.append(query)
            return answer
        return float(self._respond(query, None)[0])

    def _respond(self, query: StatisticalQuery, n_answers: int | None) -> NDArray[np.float64]:
        means = self._oracle._means(query, n_answers)
        return means + self._rng.laplace(scale=self._oracle.scale, size=means.size)


def check_again(attack: Callable[[Forgetful], bool]) -> None:
    """Check an attack on the oracle that forgets to charge repeated queries.

    Parameters
    ----------
    attack : callable
        From the oracle to the label of the one record that is not known.

    Raises
    ------
    AssertionError
        When a label is wrong in one of the trials.

    Examples
    --------
    >>> check_again(lambda oracle: True)
    Traceback (most recent call last):
    AssertionError: 18 of 40 labels are right
    """
    right = 0
    for rng in np.random.default_rng(0).spawn(N_TRIALS):
        secret = bool(rng.random() < 0.5)
        y = np.append(np.arange(N_RECORDS - 1) < N_RECORDS // 2, secret)
        X = rng.random((N_RECORDS, 1))
        right += attack(Forgetful(X, y, n_queries=2, epsilon=1.0, rng=rng)) == secret
    _demand(right == N_TRIALS, f"{right} of {N_TRIALS} labels are right")
