"""Checkers for the exercises of the chapter on composition.

Each takes an answer, compares it with something computed from the library (a law, an audit, a curve), returns
None when it is right and raises AssertionError with a hint when it is not.
"""

from collections.abc import Callable, Sequence
from itertools import product
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml.composition import optimal_delta, optimal_epsilon, optimal_step_epsilon
from privml.divergences import PrivacyCurve, gaussian_mu
from privml.guarantee.approximate import concentrated_epsilon
from privml.guarantee.rho import bounded_range_rho
from privml.mechanisms import RandomisedResponse

N_RANKS = 3


def check_guess(guess: Callable[[float, int], float]) -> None:
    """Check the chance of guessing a bit from an odd number of answers of randomised response.

    Parameters
    ----------
    guess : callable
        From ``(step_epsilon, k)`` to the chance that the best guess is right, from even odds before.

    Raises
    ------
    AssertionError
        When it is not one half plus half of delta at epsilon 0.

    Examples
    --------
    >>> check_guess(lambda step_epsilon, k: 1 / (1 + np.exp(-step_epsilon)))
    Traceback (most recent call last):
    AssertionError: with 3 answers of epsilon 0.05 one is right with probability 0.5187, not 0.5125...
    """
    for step_epsilon, k in product((0.05, 1.0), (1, 3, 101)):
        given, exact = guess(step_epsilon, k), (1 + optimal_delta(step_epsilon, k, 0.0)) / 2
        hint = f"one is right with probability {exact:.4f}, not {given:.4f}"
        assert abs(given - exact) < 1e-9, f"with {k} answers of epsilon {step_epsilon} {hint}"


def _every_sign(steps: Sequence[float]) -> PrivacyCurve:
    """The curve of independent randomised responses, over all patterns of true and untrue answers."""
    losses, log_p = np.zeros(1), np.zeros(1)
    for step in steps:
        losses = np.add.outer(losses, [step, -step]).ravel()
        log_p = np.add.outer(log_p, -np.logaddexp(0.0, [-step, step])).ravel()
    return PrivacyCurve(losses, log_p)


def check_two_kinds(two_kinds: Callable[[float, int, float, int, float], float]) -> None:
    """Check the exact delta of pure steps of two sizes.

    Parameters
    ----------
    two_kinds : callable
        From ``(first_epsilon, n_first, second_epsilon, n_second, epsilon)`` to the smallest delta that
        holds for all mechanisms with such steps.

    Raises
    ------
    AssertionError
        When it differs from the sum over all patterns of answers.

    Examples
    --------
    >>> check_two_kinds(lambda a, n, b, m, epsilon: optimal_delta((n * a + m * b) / (n + m), n + m, epsilon))
    Traceback (most recent call last):
    AssertionError: 2 steps of 0.1 and 1 of 1.0 have delta 0.4621 at 0.0, not 0.2922...
    """
    for (first, n), (second, m) in (((0.1, 2), (1.0, 1)), ((0.3, 4), (0.5, 5)), ((1.0, 1), (0.2, 6))):
        curve = _every_sign([first] * n + [second] * m)
        for epsilon in (0.0, 0.4, 1.1):
            given, exact = two_kinds(first, n, second, m, epsilon), curve.delta(epsilon)
            steps = f"{n} steps of {first} and {m} of {second}"
            hint = f"{steps} have delta {exact:.4f} at {epsilon}, not {given:.4f}"
            assert abs(given - exact) < 1e-9, hint


def _range_total(step_epsilon: float, k: int, delta: float) -> float:
    return min(concentrated_epsilon(k * bounded_range_rho(step_epsilon), delta), k * step_epsilon)


def check_budget(counts: Sequence[int], step_epsilon: float, epsilon: float, delta: float) -> None:
    """Check how many answers a budget pays for.

    Parameters
    ----------
    counts : sequence of two ints
        Largest number of pure answers, and of adaptively chosen exponential mechanisms.
    step_epsilon : float
        Epsilon of each answer in nats.
    epsilon, delta : float
        The budget.

    Raises
    ------
    AssertionError
        When a number is too large, or one more would do.

    Examples
    --------
    >>> check_budget((20, 20), 0.05, 1.0, 0.0001)
    Traceback (most recent call last):
    AssertionError: of pure answers one more than 20 costs 0.67 only...
    """
    kinds = {"pure answers": optimal_epsilon, "exponential mechanisms": _range_total}
    for (name, total), count in zip(kinds.items(), counts, strict=True):
        spent, more = (total(step_epsilon, k, delta) for k in (count, count + 1))
        assert spent <= epsilon, f"{count} {name} cost {spent:.2f}, more than {epsilon:g}"
        assert more > epsilon, f"of {name} one more than {count} costs {more:.2f} only"


def noise_deviations(k: int, epsilon: float, delta: float) -> tuple[float, float]:
    """Smallest standard deviations of the noise on each of k sums of sensitivity 1, Laplace and Gaussian.

    Parameters
    ----------
    k : int
        Number of sums.
    epsilon, delta : float
        Promise for all of them together.

    Returns
    -------
    tuple of float
        For Laplace noise by the optimal composition of pure steps; for Gaussian noise exactly.

    Examples
    --------
    >>> [round(deviation, 3) for deviation in noise_deviations(1, 1.0, 1e-5)]
    [1.414, 3.731]
    """
    laplace = sqrt(2) / optimal_step_epsilon(epsilon, k, delta)
    return laplace, sqrt(k) / gaussian_mu(epsilon, delta)


def check_crossing(k: int, epsilon: float, delta: float) -> None:
    """Check from how many sums on Gaussian noise is the smaller one.

    Parameters
    ----------
    k : int
        Smallest number of sums for which Gaussian noise has the smaller standard deviation.
    epsilon, delta : float
        Promise for all of them together.

    Raises
    ------
    AssertionError
        When Laplace noise is still smaller at k, or no longer smaller at k - 1.

    Examples
    --------
    >>> check_crossing(1, 1.0, 1e-5)
    Traceback (most recent call last):
    AssertionError: with 1 sums Laplace noise deviates by 1.41, Gaussian noise by 3.73...
    """
    for number, gaussian_wins in ((k, True), (k - 1, False)):
        if number < 1:
            continue
        laplace, gaussian = noise_deviations(number, epsilon, delta)
        hint = f"with {number} sums Laplace noise deviates by {laplace:.2f}, Gaussian noise by {gaussian:.2f}"
        assert (gaussian < laplace) == gaussian_wins, hint


def rank_groups_law(values: ArrayLike, epsilon: float) -> NDArray[np.float64]:
    """Three groups of equal size by rank, each asked whether its sum is odd, by randomised response.

    Parameters
    ----------
    values : array_like of int
        Records; their number is a multiple of 3.
    epsilon : float
        Of each answer, which the author claims for all three, in nats.

    Returns
    -------
    ndarray of shape (8,)

    Examples
    --------
    >>> rank_groups_law([5, 0, 3, 1, 2, 4], np.log(3)).round(4).tolist()
    [0.0156, 0.0469, 0.0469, 0.1406, 0.0469, 0.1406, 0.1406, 0.4219]
    """
    groups = np.sort(np.asarray(values, dtype=int)).reshape(N_RANKS, -1)
    response, law = RandomisedResponse(epsilon), np.ones(1)
    for group in groups:
        law = np.multiply.outer(law, response.output_distribution(int(group.sum() % 2)).pmf()).ravel()
    return law


def check_ranks(pair: tuple[ArrayLike, ArrayLike], epsilon: float = 1.0) -> None:
    """Check a witness against `rank_groups_law`.

    Parameters
    ----------
    pair : tuple of two array_like of int
        Neighbouring data sets under ``REPLACE_ONE`` whose laws differ as much as is possible at all.
    epsilon : float, default 1
        The claim, in nats.

    Raises
    ------
    AssertionError
        When the data sets are not neighbours or a larger loss is possible.

    Examples
    --------
    >>> check_ranks(([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 6]))
    Traceback (most recent call last):
    AssertionError: the largest privacy loss is 1 times the claim; 3 times is possible...
    """
    first, second = (np.sort(np.asarray(values, dtype=int)) for values in pair)
    assert first.shape == second.shape, "under replace-one both data sets have the same number of records"
    common = sum(min(np.sum(first == v), np.sum(second == v)) for v in np.unique(first))
    assert common == first.size - 1, f"neighbours differ in one record, these in {first.size - common}"
    laws = [np.log(rank_groups_law(values, epsilon)) for values in (first, second)]
    times = np.abs(laws[0] - laws[1]).max() / epsilon
    assert times > N_RANKS - 1e-9, (
        f"the largest privacy loss is {times:.0f} times the claim; {N_RANKS} times is possible"
    )
