"""The Vapnik-Chervonenkis dimension and the size of a class."""

from math import comb, log

import numpy as np

from privml import _check as check

LARGEST_COUNT = 10_000
"""Largest VC dimension of which labellings are counted exactly."""

_EXACT = 1_000
_SUMMED = 100_000


def sauer_shelah(vc_dimension: int, n_points: int) -> int:
    """Largest number of labellings that a class of given VC dimension gives to n points.

    **Returns.** ``C(n, 0) + C(n, 1) + ... + C(n, d)``.
    **Source.** Sauer (1972), Shelah (1972); the step that makes DR11-cor-pac-iff-private-pac true: over
    {0, 1}^d a class of VC dimension v has at most ``(e 2**d / v)**v`` members, so log|C| is at most of
    order d v.

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


def log_binomial_coefficient(n: int, k: int) -> float:
    """Logarithm of the number of ways to choose k of n, of any size.

    **Source.** For WLF16-ex-24 and DR11-cor-pac-iff-private-pac, where the number itself is too long.

    Parameters
    ----------
    n, k : int
        With ``0 <= k <= n``.

    Examples
    --------
    >>> round(log_binomial_coefficient(10**20, 10**5), 3)
    3553870.964
    """
    from scipy.special import betaln

    check.non_negative_integer(n=n, k=k)
    if k > n:
        raise ValueError(f"k must be at most n = {n!r}, got {k!r}")
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
    bound = (log_binomial_coefficient(n_points, last) + log(total)) * (1 + 1e-9)
    return min(everything, bound)
