"""Checkers for the exercises of the chapter on teachers and votes."""

from collections.abc import Callable
from math import sqrt

import numpy as np

from privml.divergences import gaussian_epsilon
from privml.pate import ConfidentAggregator, GaussianAggregator

__all__ = ["check_queries", "check_share", "check_stop"]

STOP_DELTA = 0.01


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_queries(most_queries: Callable[[int, float, float, float], int]) -> None:
    """Check the largest budget at which a unanimous point gets its label with probability 1 - beta.

    Parameters
    ----------
    most_queries : callable
        From (n_teachers, epsilon, delta, beta) to a number of queries.

    Raises
    ------
    AssertionError
        If a budget is too large or too small.

    Examples
    --------
    >>> check_queries(lambda n_teachers, epsilon, delta, beta: 10)
    Traceback (most recent call last):
    AssertionError: K = 100, ε = 1.0, β = 0.05: 10 queries are fewer than possible
    """
    for n_teachers, epsilon, beta in ((100, 1.0, 0.05), (400, 0.5, 0.01), (1000, 2.0, 0.2)):
        budget = most_queries(n_teachers, epsilon, 1e-5, beta)
        case = f"K = {n_teachers}, ε = {epsilon}, β = {beta}: {budget} queries"
        chances = []
        for number in (budget, budget + 1):
            aggregator = GaussianAggregator(n_queries=number, epsilon=epsilon, delta=1e-5)
            chances.append(aggregator.label_law([[0, n_teachers]])[0, 1])
        _demand(chances[0] >= 1 - beta, f"{case} are too many")
        _demand(chances[1] < 1 - beta, f"{case} are fewer than possible")


def check_share(share: float) -> None:
    """Check the share of the checks that gives a confident aggregator equal noises.

    Parameters
    ----------
    share : float
        For 1000 queries and 50 answers.

    Raises
    ------
    AssertionError
        If the two standard deviations differ.

    Examples
    --------
    >>> check_share(0.5)
    Traceback (most recent call last):
    AssertionError: at a share of 0.5 the noise of a check is 166.84 and that of an answer 52.76
    """
    options = {"n_classes": 2, "threshold": 250, "epsilon": 1.0, "delta": 1e-5}
    maker = ConfidentAggregator(n_queries=1000, n_answers=50, check_share=share, **options)
    noises = f"noise of a check is {maker.check_sigma:.2f} and that of an answer {maker.sigma:.2f}"
    equal = abs(maker.check_sigma / maker.sigma - 1) < 1e-6
    _demand(equal, f"at a share of {share:g} the {noises}")


def check_stop(rule: Callable[[float], bool]) -> None:
    """Check a stopping rule that breaks the claims for a fixed number of queries.

    Parameters
    ----------
    rule : callable
        From the privacy loss after the first of two queries to whether to stop.

    Raises
    ------
    AssertionError
        If its sum does not exceed delta by a fifth.

    Examples
    --------
    >>> check_stop(lambda loss: True)
    Traceback (most recent call last):
    AssertionError: the sum is 1.00 times δ, 1.20 times are wanted
    """
    from scipy.special import ndtr

    first, second = gaussian_epsilon(STOP_DELTA, 1.0), gaussian_epsilon(STOP_DELTA, sqrt(2))
    loss = np.linspace(-9.5, 10.5, 20_001)
    density = np.exp(-((loss - 0.5) ** 2) / 2) / sqrt(2 * np.pi) * (loss[1] - loss[0])
    stopped = np.maximum(0.0, -np.expm1(first - loss))
    going = ndtr(loss + 0.5 - second) - np.exp(second - loss) * ndtr(loss - 0.5 - second)
    stops = np.array([bool(rule(place)) for place in loss.tolist()])
    total = float((density * np.where(stops, stopped, going)).sum()) / STOP_DELTA
    _demand(total >= 1.2, f"the sum is {total:.2f} times δ, 1.20 times are wanted")
