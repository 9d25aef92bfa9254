r"""The exact privacy curves of Gaussian and Laplace noise on the reals.

**Gaussian noise** of standard deviation sigma on a value that moves by at most Delta makes the two output
distributions N(0, 1) and N(mu, 1) with ``mu = Delta / sigma``.  With ``a = epsilon / mu - mu / 2`` and ``b = a + mu``,

.. math::
    \delta(\varepsilon) = \Phi(-a) - e^{\varepsilon} \Phi(-b) = \Phi(-a) \bigl(1 - R(b) / R(a)\bigr),
    \qquad R(x) = e^{x^2 / 2} \int_x^\infty e^{-t^2 / 2} \, dt,

since ``epsilon = (b^2 - a^2) / 2``.  The first form overflows for large epsilon and cancels for small
delta; the second does neither as long as the Mills ratios R(a) and R(b) differ.  Where they are close,
their difference is the integral over [a, b] of ``-R'(x) = 1 - x R(x)``, a smooth positive function.

**Laplace noise** of scale b on a value that moves by s: the best event is everything on one side of a
threshold.  For vectors the curve is never worse than that of one number that moves by s = |s_1| + ... +
|s_p|, on the integers too: moves of one coordinate after the other chain, as the chapter on noise proves.
"""

from math import erfc, exp, log, log1p, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._search import crossing, last_crossing

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(
    12
)  # exact to rounding where the ratio is above _CLOSE
_CLOSE = 0.75  # R(b) / R(a) above this: integrate the difference instead of subtracting
_FAR = 8.0  # 1 - x R(x) by continued fraction from here on
_DEPTH = 24  # of that fraction; 1e-16 at _FAR
_TAIL_REACH = 30.0  # of standard deviations, whose tail is a float of full precision
_MOST_RATIO = 1 - 2.0**-8  # R(b) / R(a) up to which both tails are subtracted
_ROOT_HALF = sqrt(0.5)
_NEWTON_STEPS = 12  # each doubles the digits; four or five are enough as a rule


def checked_epsilons(epsilon: ArrayLike) -> NDArray[np.float64]:
    """Epsilon as an array, or raise unless all are non-negative and finite."""
    epsilon = check.numbers(epsilon=epsilon)
    if not (np.isfinite(epsilon).all() and (epsilon >= 0).all()):
        raise ValueError(
            f"epsilon must be non-negative and finite, but got {epsilon!r}."
        )
    return epsilon


def _mills_ratio(x: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.special import erfcx

    return np.sqrt(np.pi / 2) * erfcx(x / np.sqrt(2))


def _mills_slope(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """-R'(x) = 1 - x R(x), by Laplace's fraction R(x) = 1 / (x + 1 / (x + 2 / (x + ...))) for large x."""
    slope, is_far = 1 - x * _mills_ratio(x), x >= _FAR
    if is_far.any():
        rest = far = x[is_far]
        for k in range(_DEPTH, 1, -1):
            rest = far + k / rest
        slope[is_far] = 1 / (far * rest + 1)
    return slope


def _one_minus_ratio(
    a: NDArray[np.float64], mu: NDArray[np.float64]
) -> NDArray[np.float64]:
    """1 - R(a + mu) / R(a) for vectors, to full relative precision."""
    at_a = _mills_ratio(a)
    value = (
        1 - _mills_ratio(a + mu) / at_a
    )  # R(a) overflows to infinity for a < -37: then 1, as it should
    close = np.flatnonzero(value < 1 - _CLOSE)
    if close.size:
        half = mu[close, None] / 2
        slopes = _mills_slope(a[close, None] + half * (1 + _NODES))
        value[close] = (slopes * half) @ _WEIGHTS / at_a[close]
    return value


def _log_delta(a: NDArray[np.float64], mu: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curve at vectors a = epsilon / mu - mu / 2 and mu."""
    from scipy.special import log_ndtr

    return log_ndtr(-a) + np.log(_one_minus_ratio(a, mu))


def gaussian_log_delta(
    epsilon: ArrayLike, *, mu: ArrayLike
) -> NDArray[np.float64] | float:
    """Natural logarithm of :func:`gaussian_delta`; minus infinity where even that is out of range.

    Parameters
    ----------
    epsilon : array_like
        Privacy parameter in nats, non-negative.
    mu : array_like
        Shift of Gaussian noise in standard deviations, positive.

    Returns
    -------
    ndarray or float
        Of the shape to which both broadcast.

    Notes
    -----
    *Accuracy.* The absolute error is below four units of rounding times ``1 + a^2 + |a| (a + mu) + |ln
    delta|`` with ``a = epsilon / mu - mu / 2``.

    References
    ----------
    Balle and Wang (2018), Theorem 8.

    Examples
    --------
    >>> round(float(gaussian_log_delta(1.0, mu=0.5)), 6), round(float(gaussian_log_delta(100.0, mu=6.0)), 3)
    (-4.98649, -98.121)
    """
    epsilon, mu = checked_epsilons(epsilon), check.numbers(mu=mu)
    if not (np.isfinite(mu).all() and (mu > 0).all()):
        raise ValueError(f"mu must be positive and finite, but got {mu!r}.")
    shape = np.broadcast_shapes(epsilon.shape, mu.shape)
    epsilon, mu = (np.broadcast_to(x, shape).ravel() for x in (epsilon, mu))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        log_delta = _log_delta(np.minimum(epsilon / mu - mu / 2, 1e150), mu)
    return float(log_delta[0]) if shape == () else log_delta.reshape(shape)


def gaussian_delta(epsilon: ArrayLike, *, mu: ArrayLike) -> NDArray[np.float64] | float:
    """Exact delta(epsilon) between N(0, 1) and N(mu, 1), of numbers or arrays that broadcast.

    Parameters
    ----------
    epsilon : array_like
        Privacy parameter in nats, non-negative.
    mu : array_like
        Shift of Gaussian noise in standard deviations, positive.

    Returns
    -------
    ndarray or float
        Of the shape to which both broadcast.

    References
    ----------
    Balle and Wang (2018), Theorem 8.

    Examples
    --------
    >>> round(float(gaussian_delta(1.0, mu=1.0)), 6)
    0.126937
    """
    delta = np.exp(gaussian_log_delta(epsilon, mu=mu))
    return float(delta) if np.ndim(delta) == 0 else delta


def _tail_log_delta(epsilon: float, mu: float) -> tuple[float, float, float] | None:
    """The log of delta by its first form, a bound on its error, and the ratio R(b) / R(a), for one pair.

    A few functions of single floats, thirty times as fast as arrays.  Both arguments of erfc are off by two
    units of rounding, which changes it by a share of their squares, and the difference of both tails enlarges
    errors by the reciprocal of what is left.  None where a tail is too small, or too little is left.
    """
    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if not (abs(a) < _TAIL_REACH and b < _TAIL_REACH and epsilon < 700.0):
        return None
    tail = erfc(a * _ROOT_HALF)
    ratio = exp(epsilon) * erfc(b * _ROOT_HALF) / tail
    if not ratio < _MOST_RATIO:
        return None
    log_delta = log(tail / 2) + log1p(-ratio)
    error = 2.0**-52 * (16 + 4 * a * a + 4 * b * b - log_delta) / (1 - ratio)
    return log_delta, error, ratio


def _safe_log_delta(epsilon: float, mu: float) -> float:
    """:func:`gaussian_log_delta` plus a bound on its rounding error, without checks."""
    if (found := _tail_log_delta(epsilon, mu)) is not None:
        return found[0] + found[1]
    a, b = min(epsilon / mu - mu / 2, 1e150), epsilon / mu + mu / 2
    log_delta = float(_log_delta(np.array([a]), np.array([mu]))[0])
    return log_delta + 2.0**-50 * (1 + a * a + abs(a) * b + min(-log_delta, 1e9))


def gaussian_epsilon(*, delta: float, mu: float) -> float:
    """Smallest epsilon at which the exact Gaussian curve is at most delta.

    The curve at this very float has been evaluated in log space and lies at or below the target, a bound on
    the rounding error included.  For k releases mu is the root of the sum of squares.

    Parameters
    ----------
    delta : float
        Additive slack, in (0, 1).
    mu : float
        Shift of Gaussian noise in standard deviations, positive.

    References
    ----------
    Inverse of Balle and Wang (2018), Theorem 8, in epsilon.

    Examples
    --------
    A thousand releases with noise of standard deviation 50 on a value of sensitivity 1:

    >>> round(gaussian_epsilon(delta=1e-5, mu=1000**0.5 / 50), 4)
    2.5944
    """
    check.probability_open(delta=delta)
    check.positive(mu=mu)
    target = log(delta)
    upper = mu * (
        mu / 2 + sqrt(-2 * target) + 1
    )  # Phi(-a) <= delta once a >= sqrt(2 ln(1 / delta))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return crossing(
            lambda epsilon: _safe_log_delta(epsilon, mu) - target,
            lower=0.0,
            upper=upper,
        )


def gaussian_mu(epsilon: float, delta: float) -> float:
    """Largest mu whose exact Gaussian curve is at most delta at epsilon; noise of scale sensitivity / mu.

    Evaluated at this very float, as in :func:`gaussian_epsilon`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    delta : float
        Additive slack, in (0, 1).

    References
    ----------
    Inverse of Balle and Wang (2018), Theorem 8, in mu: their analytic calibration.

    Examples
    --------
    >>> round(1 / gaussian_mu(1.0, 1e-5), 3)
    3.731
    """
    check.non_negative(epsilon=epsilon)
    check.probability_open(delta=delta)
    target = log(delta)
    root = sqrt(-2 * target)
    lower = (
        2 * epsilon / (root + sqrt(root * root + 2 * epsilon))
    )  # where a = sqrt(2 ln(1 / delta))
    lower = max(lower, 2 * delta)  # the curve is at most 2 Phi(mu / 2) - 1 <= 0.4 mu
    if (found := _mu_by_tangents(epsilon, target, lower)) is not None:
        return found
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return last_crossing(
            lambda mu: _safe_log_delta(epsilon, mu) - target, lower=lower
        )


def _mu_by_tangents(epsilon: float, target: float, start: float) -> float | None:
    """The largest mu whose log of delta is at most a target, by Newton's method; None where that is slow.

    The derivative of delta in mu is the normal density at a.  What is returned has been evaluated, with the
    bound on its error, and is moved down by a few units of rounding until it is at most the target.
    """
    mu = start
    for _ in range(_NEWTON_STEPS):
        found = _tail_log_delta(epsilon, mu)
        if found is None:
            return None
        excess = found[0] + found[1] - target
        a = epsilon / mu - mu / 2
        slope = exp(-a * a / 2 - found[0]) / sqrt(2 * pi)
        step = excess / slope
        if not (slope > 0 and abs(step) < mu):
            return None
        mu -= step
        if abs(step) <= 2.0**-50 * mu:
            break
    step = mu * 2.0**-52
    for _ in range(_NEWTON_STEPS):
        if _safe_log_delta(epsilon, mu) <= target:
            return mu
        mu, step = mu - step, 2 * step
    return None


def laplace_delta(
    epsilon: ArrayLike, *, shift: float, scale: float
) -> NDArray[np.float64] | float:
    r"""Exact delta(epsilon) between two Laplace distributions `shift` apart.

    .. math:: \delta(\varepsilon) = \max\bigl(0,\; 1 - e^{(\varepsilon - s / b) / 2}\bigr) .

    For vectors the shift s is the L1 distance, and this is an upper bound.

    Parameters
    ----------
    epsilon : array_like
        Privacy parameter in nats, non-negative.
    shift : float
        Distance s of the centres, L1 for vectors, positive.
    scale : float
        Scale of the noise b, positive.

    Returns
    -------
    ndarray or float
        Of the shape of epsilon.

    References
    ----------
    LZCW21-lem-42, whose claim is delta(s / b) = 0.

    Examples
    --------
    >>> round(float(laplace_delta(0.5, shift=1.0, scale=1.0)), 4), laplace_delta(1.0, shift=1.0, scale=1.0)
    (0.2212, 0.0)
    """
    check.positive(shift=shift, scale=scale)
    delta = (
        -np.expm1(np.minimum(0.0, (checked_epsilons(epsilon) - shift / scale) / 2))
        + 0.0
    )
    return float(delta) if delta.ndim == 0 else delta


check.wrap_module(__name__)
