"""Tails of one mean, and how close all empirical errors of a class are to the true ones.

The exponent of a tail has the constant 2 by Hoeffding's inequality, and 1/3 where lecture 4 prints it: both
are true.  A union bound over a finite class turns a tail into *uniform convergence*, and then minimising the
empirical error nearly minimises the true one.  Of an infinite class only the labellings count.
"""

from math import comb, exp, log, sqrt

import numpy as np

from privml import _check as check

EXPONENTS = {"hoeffding": 2.0, "lecture": 1.0 / 3.0}

LARGEST_COUNT = 10_000
"""Largest VC dimension of which labellings are counted exactly."""

_EXACT = 1_000
_SUMMED = 100_000


def _exponent(constant: str) -> float:
    check.one_of(tuple(EXPONENTS), constant=constant)
    return EXPONENTS[constant]


def _sides(two_sided: bool) -> int:
    check.instance(bool, two_sided=two_sided)
    return 2 if two_sided else 1


def hoeffding_tail(
    n_samples: int, alpha: float, *, constant: str = "hoeffding", two_sided: bool = True
) -> float:
    """Bound on the probability that a mean of [0, 1] variables deviates by more than alpha.

    **Returns.** ``2 exp(-2 m alpha**2)``, or half of it, at most 1; "lecture" has 1/3 in the exponent.
    **Source.** L4-lem-hoeffding, as printed with "lecture"; Hoeffding (1963), Theorem 1.

    >>> round(hoeffding_tail(100, 0.1), 6), round(hoeffding_tail(1000, 0.1, constant="lecture"), 6)
    (0.270671, 0.071348)
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(alpha=alpha)
    return min(1.0, _sides(two_sided) * exp(-_exponent(constant) * n_samples * (alpha * alpha)))


def azuma_deviation(n_steps: int, beta: float, *, step_range: float = 1.0, two_sided: bool = True) -> float:
    """Deviation of the mean step of a martingale that is exceeded with probability at most beta.

    Each step has mean 0 given the past, and then lies in an interval of length r, which may move.
    **Returns.** ``r sqrt(ln(2 / beta) / (2 n))``, or with 1 in place of the first 2.
    **Source.** The step that the proof of DR11-thm-11.6 takes twice; Azuma (1967) and Hoeffding (1963).

    >>> round(azuma_deviation(1000, 0.05, step_range=2.0, two_sided=False), 6)
    0.077405
    """
    check.positive_integer(n_steps=n_steps)
    check.probability_open(beta=beta)
    check.positive(step_range=step_range)
    return step_range * sqrt(log(_sides(two_sided) / beta) / (EXPONENTS["hoeffding"] * n_steps))


def uniform_convergence_failure(
    n_hypotheses: int, n_samples: int, alpha: float, *, constant: str = "hoeffding"
) -> float:
    """Union bound on the probability that some empirical error is more than alpha from its true error.

    **Source.** L4-thm-uniform-convergence.

    >>> round(uniform_convergence_failure(16, 500, 0.1), 6)
    0.001453
    """
    check.positive_integer(n_hypotheses=n_hypotheses, n_samples=n_samples)
    check.positive(alpha=alpha)
    return min(1.0, 2 * n_hypotheses * exp(-_exponent(constant) * n_samples * (alpha * alpha)))


def uniform_convergence_radius(
    n_hypotheses: int, n_samples: int, beta: float, *, constant: str = "hoeffding"
) -> float:
    """Deviation that no hypothesis exceeds, except with probability beta.

    **Returns.** ``sqrt(ln(2 |H| / beta) / (c m))``; c is 2, or the lecture's 1/3.
    **Source.** L4-thm-uniform-convergence; DR11-lem-sampling-bound, which hides the constant in O(.).

    >>> round(uniform_convergence_radius(16, 500, 0.05), 6)
    0.080383
    """
    check.positive_integer(n_hypotheses=n_hypotheses, n_samples=n_samples)
    check.probability_open(beta=beta)
    return sqrt((log(2 * n_hypotheses) - log(beta)) / (_exponent(constant) * n_samples))


def agnostic_erm_excess_error(n_hypotheses: int, n_samples: int, beta: float) -> float:
    """Excess error of empirical risk minimisation over a finite class, except with probability beta.

    **Returns.** Two radii: one for the hypothesis chosen, one for the best.
    **Source.** L4-thm-uc-implies-agnostic, for the true error (the printed chain ends at the empirical one).

    >>> round(agnostic_erm_excess_error(16, 500, 0.05), 6)
    0.160767
    """
    return 2 * uniform_convergence_radius(n_hypotheses, n_samples, beta)


def sauer_shelah(vc_dimension: int, n_points: int) -> int:
    """Largest number of labellings that a class of given VC dimension gives to n points.

    **Returns.** ``C(n, 0) + C(n, 1) + ... + C(n, d)``.
    **Source.** Sauer (1972), Shelah (1972); the step that makes DR11-cor-pac-iff-private-pac true.

    >>> sauer_shelah(1, 8), sauer_shelah(3, 3)
    (9, 8)
    """
    check.non_negative_integer(vc_dimension=vc_dimension)
    check.positive_integer(n_points=n_points)
    last = min(vc_dimension, n_points)
    if last > LARGEST_COUNT:
        rule = f"at most {LARGEST_COUNT} for an exact count"
        raise ValueError(f"vc_dimension must be {rule}, got {vc_dimension!r}")
    total = term = 1
    for size in range(1, last + 1):
        term = term * (n_points - size + 1) // size
        total += term
    return total


def _log_binomial_coefficient(n: int, k: int) -> float:
    """Logarithm of the number of ways to choose k of n, of any size."""
    from scipy.special import betaln

    if min(k, n - k) <= _EXACT:
        return log(comb(n, k))
    return -float(betaln(n - k + 1.0, k + 1.0)) - log(n + 1)


def log_sauer_shelah(vc_dimension: int, n_points: int) -> float:
    """Logarithm of :func:`sauer_shelah`; for more than a thousand summands in floats, rounded up.

    **Source.** As :func:`sauer_shelah`.

    >>> round(log_sauer_shelah(10**5, 10**7), 2)
    560008.68
    """
    check.non_negative_integer(vc_dimension=vc_dimension)
    check.positive_integer(n_points=n_points)
    last = min(vc_dimension, n_points)
    if last <= _EXACT:
        return log(sauer_shelah(last, n_points))
    everything = n_points * log(2)
    if 2 * last >= n_points:
        return everything
    # C(n, last) times the sum of products of the ratios C(n, j - 1) / C(n, j), which fall with j.
    j = np.arange(last, max(0, last - _SUMMED), -1.0)
    ratios = j / (n_points - j + 1)
    products = np.cumprod(ratios)
    total = 1 + products.sum() + products[-1] * ratios[-1] / (1 - ratios[-1])
    bound = (_log_binomial_coefficient(n_points, last) + log(total)) * (1 + 1e-9)
    return min(everything, bound)
