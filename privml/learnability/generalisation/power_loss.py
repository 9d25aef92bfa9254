"""Centres of numbers under the loss ``|x - h|^power``: the example at the end of WLF16, computed.

The source publishes the centre of numbers in [0, 1] for the power 10, with Laplace noise of scale ``2 /
(epsilon n)``.  For the power 2 the centre is the mean, one record moves it by at most ``1 / n``, and noise
of scale b costs ``2 b^2``.  For the power 10 one record can move the centre by much more, and the noise
costs terms of all even orders, the second among them.
"""

from math import comb, factorial, log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

_LARGEST_POWER = 100


def _power(power: int) -> None:
    check.positive_integer(power=power)
    if power % 2 or power > _LARGEST_POWER:
        raise ValueError(f"power must be even and at most {_LARGEST_POWER}, got {power!r}")


def _weighted(values: ArrayLike, weights: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x, w = check.finite_vector(values=values), check.finite_vector(weights=weights)
    if x.shape != w.shape or (w < 0).any() or not w.sum() > 0:
        raise ValueError(f"weights must be non-negative, one for each of {len(x)} values, got {weights!r}")
    return np.clip(x, 0, 1), w / w.sum()


def power_loss_centre(values: ArrayLike, weights: ArrayLike, power: int = 10) -> float:
    """The h that minimises the mean of ``|x - h|^power``.

    Parameters
    ----------
    values : array_like
        Numbers, clipped to [0, 1].
    weights : array_like
        How often each occurs, non-negative.
    power : int, default 10
        Even.

    Notes
    -----
    **Source.** WLF16-ex-appB-mean: what the source calls ERM.

    Examples
    --------
    >>> round(power_loss_centre([0, 1], [9, 1]), 6), round(power_loss_centre([0, 1], [9, 1], power=2), 6)
    (0.439267, 0.1)
    """
    from scipy.optimize import brentq

    _power(power)
    x, w = _weighted(values, weights)
    low, high = float(x[w > 0].min()), float(x[w > 0].max())
    return low if low == high else float(brentq(lambda h: w @ (h - x) ** (power - 1), low, high, xtol=1e-15))


def power_loss_sensitivity(n_samples: int, power: int = 10) -> float:
    """By how much one record moves the centre of n zeros when it becomes 1: a lower bound on the sensitivity.

    Parameters
    ----------
    power : int, default 10
        Even.

    Returns
    -------
    float
        ``r / (1 + r)`` with ``r = (n - 1)^(-1 / (power - 1))``; for the mean, power 2, it is 1 / n.

    Notes
    -----
    **Source.** WLF16-ex-appB-mean, its first erratum: not at most 2 / n.

    Examples
    --------
    >>> [round(power_loss_sensitivity(n), 3) for n in (10, 1000, 10**6)]
    [0.439, 0.317, 0.177]
    """
    _power(power)
    check.positive_integer(n_samples=n_samples)
    if n_samples < 2:
        raise ValueError(f"n_samples must be at least 2, got {n_samples!r}")
    r = (n_samples - 1) ** (-1 / (power - 1))
    return r / (1 + r)


def laplace_power_excess(values: ArrayLike, weights: ArrayLike, scale: float, power: int = 10) -> float:
    """Expected excess of the mean loss when the centre is published with Laplace noise, exactly.

    Parameters
    ----------
    values : array_like
        Numbers, clipped to [0, 1].
    weights : array_like
        How often each occurs, non-negative.
    power : int, default 10
        Even.

    Returns
    -------
    float
        ``sum over j >= 1 of C(power, 2 j) (2 j)! b^(2 j) mean |x - h|^(power - 2 j)``, without clipping.

    Notes
    -----
    The odd moments of the noise vanish, and ``E |Lap(b)|^i = i! b^i``.
    **Source.** WLF16-ex-appB-mean; the source keeps the last term only.

    Examples
    --------
    >>> round(laplace_power_excess([0, 1], [1, 1], 0.1, power=2), 6)
    0.02
    >>> f"{laplace_power_excess([0, 1], [1, 1], 2e-4):.3g}"
    '1.41e-08'
    """
    check.positive(scale=scale)
    _power(power)
    if scale > 1e120 ** (1 / power):
        raise ValueError(f"scale must be at most 1e120^(1 / power), got {scale!r}")
    centre = power_loss_centre(values, weights, power)
    x, w = _weighted(values, weights)
    orders = range(2, power + 1, 2)
    return sum(
        comb(power, i) * factorial(i) * scale**i * float(w @ (x - centre) ** (power - i)) for i in orders
    )


def high_probability_floor(n_samples: int, beta: float | None = None) -> float:
    """Bound on the expected gap that Lemma 38 gives at best, however small epsilon is.

    Parameters
    ----------
    beta : float, optional
        Failure probability, in (0, 1); ``1 / sqrt(n)`` by default.

    Returns
    -------
    float
        ``sqrt(12 ln(4 / beta) / n) + beta``, of order ``sqrt(ln n / n)``.

    Notes
    -----
    **Source.** WLF16-rem-appB; printed there: of order ``ln n / sqrt(n)``.

    Examples
    --------
    >>> round(high_probability_floor(10_000), 6)
    0.094792
    """
    check.positive_integer(n_samples=n_samples)
    if beta is None:
        beta = 1 / sqrt(max(n_samples, 2))
    check.probability_open(beta=beta)
    return sqrt(12 * log(4 / beta) / n_samples) + beta
