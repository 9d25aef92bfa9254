"""Checkers for the exercises of the chapter on noise.

Each takes an answer, compares it with something computed from the library (an enumeration, an exact curve
or an exact law), returns None when it is right and raises AssertionError with a hint when it is not.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from privml.adjacency import Adjacency
from privml.distributions import DiscreteLaplace
from privml.distributions.binomial import binomial_logpmf
from privml.divergences import gaussian_log_delta
from privml.floats import equally_likely_answers
from privml.mechanisms import gaussian_sigma
from privml.queries import vector_sensitivity


def check_total_and_number(sensitivities: Callable[[int], tuple[float, float]]) -> None:
    """Check the sensitivities of (total, number of records) under ``ADD_OR_REMOVE_ONE``.

    Parameters
    ----------
    sensitivities : callable
        From the largest record to the L1 and the L2 sensitivity, records being 0, 1, ..., largest.

    Raises
    ------
    AssertionError
        When one differs from the enumeration of all neighbours.

    Examples
    --------
    >>> check_total_and_number(lambda largest: (largest + 1, np.hypot(largest, 1)))
    """
    relation = Adjacency.ADD_OR_REMOVE_ONE
    for largest in (1, 4, 7):
        given, universe = sensitivities(largest), np.arange(largest + 1)
        for order, value in zip((1, 2), given, strict=True):
            exact = vector_sensitivity(
                lambda z: [z.sum(), len(z)], universe, 3, order=order, adjacency=relation
            )
            where = f"for records up to {largest} the enumeration finds an L{order} sensitivity of"
            assert abs(value - exact) < 1e-9, f"{where} {exact:.4f}, not {value:.4f}"


def check_no_epsilon(sigma: Callable[[float], float]) -> None:
    """Check the least Gaussian noise for (0, delta), sensitivity 1.

    Parameters
    ----------
    sigma : callable
        From delta to the standard deviation.

    Raises
    ------
    AssertionError
        When it differs from the inverse of the exact curve.

    Examples
    --------
    >>> from statistics import NormalDist
    >>> check_no_epsilon(lambda delta: 1 / (2 * NormalDist().inv_cdf((1 + delta) / 2)))
    """
    for delta in (0.001, 0.05, 0.5):
        exact, given = gaussian_sigma(0.0, delta), float(sigma(delta))
        assert abs(given / exact - 1) < 1e-6, f"at delta = {delta} the least is {exact:.5f}, not {given:.5f}"


def _log_ratio(epsilon: float, delta: float) -> float:
    """Log of the exact delta of the bare classical formula over the claimed one."""
    sigma = np.sqrt(2 * np.log(1.25 / delta)) / epsilon
    return gaussian_log_delta(epsilon, 1 / sigma) - float(np.log(delta))


def check_last_valid(last_valid: Callable[[float], float]) -> None:
    """Check where the bare classical formula stops keeping its claim.

    Parameters
    ----------
    last_valid : callable
        From delta to the epsilon at which the exact delta passes the claimed one.

    Raises
    ------
    AssertionError
        When the exact curve says that it is earlier or later.

    Examples
    --------
    >>> check_last_valid(lambda delta: 8.42)
    Traceback (most recent call last):
    AssertionError: at delta = 0.001 the claim is already broken at epsilon = 8.42: exact delta 0.00161...
    """
    for delta in (1e-3, 1e-5, 1e-9):
        given = float(last_valid(delta))
        before, after = (_log_ratio(given * factor, delta) for factor in (0.999, 1.001))
        where = f"at delta = {delta:g} the claim is"
        broken = f"{where} already broken at epsilon = {given:.4g}: exact delta {delta * np.exp(before):.3g}"
        assert before <= 0, broken
        assert after > 0, (
            f"{where} still kept at epsilon = {given:.4g}: exact delta {delta * np.exp(after):.3g}"
        )


def _miss_probabilities(half_width: float, n_samples: int, epsilon: float, shares: NDArray) -> NDArray:
    """Chance that (count + discrete Laplace noise) / n is off by more than `half_width`, for each share."""
    counts = np.arange(n_samples + 1)
    misses = []
    for share in shares:
        slack = 1e-9
        high = np.floor(n_samples * (share + half_width) + slack)
        low = np.ceil(n_samples * (share - half_width) - slack)
        noise = DiscreteLaplace(counts, scale=1 / epsilon)
        held = noise.cdf(high) - noise.cdf(low - 1)
        misses.append(1 - float(np.exp(binomial_logpmf(n_samples, float(share))) @ held))
    return np.array(misses)


def check_share(half_width: Callable[[int, float, float], float]) -> None:
    """Check an interval for the share of a population, from a noisy count of a sample.

    Parameters
    ----------
    half_width : callable
        From ``(n_samples, epsilon, beta)`` to the half-width around (count + noise) / n_samples, the noise
        being discrete Laplace of scale 1 / epsilon.

    Raises
    ------
    AssertionError
        When for some share the interval misses it with probability above beta, or half the width would do.

    Examples
    --------
    >>> check_share(lambda n_samples, epsilon, beta: np.sqrt(np.log(2 / beta) / (2 * n_samples)))
    Traceback (most recent call last):
    AssertionError: 10 records, epsilon = 0.5: a share of 0.46 is missed with probability 0.179 > 0.05...
    """
    shares = np.linspace(0.02, 0.98, 49)
    for n_samples, epsilon, beta in ((10, 0.5, 0.05), (100, 1.0, 0.05), (400, 0.1, 0.01)):
        given = float(half_width(n_samples, epsilon, beta))
        where = f"{n_samples} records, epsilon = {epsilon}"
        misses = _miss_probabilities(given, n_samples, epsilon, shares)
        worst = int(misses.argmax())
        failed = f"{where}: a share of {shares[worst]:.2f} is missed with probability {misses[worst]:.3f}"
        assert misses[worst] <= beta, f"{failed} > {beta}"
        narrow = _miss_probabilities(given / 2, n_samples, epsilon, shares).max()
        assert narrow > beta, f"{where}: half of your width, {given / 2:.3f}, would do"


def check_crossover(n_counts: int, epsilon: float, delta: float) -> None:
    """Check from how many counts on Gaussian noise has a smaller deviation than pure Laplace noise.

    Parameters
    ----------
    n_counts : int
        The smallest such number, for counts that one person moves by 1 together.
    epsilon, delta : float
        Privacy parameters.

    Raises
    ------
    AssertionError
        When it is not the smallest.

    Examples
    --------
    >>> check_crossover(7, 1.0, 1e-5)
    """
    sigma = gaussian_sigma(epsilon, delta)

    def gain(k: int) -> float:
        return float(np.sqrt(2) * k / epsilon - np.sqrt(k) * sigma)

    whole = n_counts >= 1 and n_counts == int(n_counts)
    assert whole, f"a number of counts is wanted, got {n_counts!r}"
    assert gain(n_counts) > 0, f"with {n_counts} counts Laplace noise is smaller by {-gain(n_counts):.3f}"
    assert n_counts == 1 or gain(n_counts - 1) <= 0, f"{n_counts - 1} counts suffice"


def rounded_answers(count: int, epsilon: float) -> NDArray[np.int64]:
    """All answers of textbook Laplace noise in half precision, rounded to whole numbers; equally likely.

    Parameters
    ----------
    count : int
        The true count.
    epsilon : float
        Parameter that the author believes in, in nats.

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> answers = rounded_answers(2, 1.0)
    >>> len(answers), int(answers.min())
    (4096, -6)
    """
    return np.rint(equally_likely_answers(float(count), 1 / epsilon).astype(float)).astype(np.int64)


def check_rounded(witness: tuple[int, int, int], epsilon: float) -> None:
    """Check a rounded answer that is possible for one count and not for the next.

    Parameters
    ----------
    witness : tuple of int
        A count, its neighbour, and an answer that only the first one can give.
    epsilon : float
        Parameter of `rounded_answers`.

    Raises
    ------
    AssertionError
        When the counts are not neighbours, or the answer does not tell them apart.

    Examples
    --------
    >>> check_rounded((0, 1, -8), 1.0)
    """
    count, neighbour, answer = (int(entry) for entry in witness)
    assert abs(count - neighbour) == 1, f"neighbouring counts differ by 1, these by {abs(count - neighbour)}"
    times = [int((rounded_answers(c, epsilon) == answer).sum()) for c in (count, neighbour)]
    assert times[0] > 0, f"{answer} cannot come from {count} either"
    assert times[1] == 0, f"{answer} comes from {neighbour} too, in {times[1]} of 4096 cases"
