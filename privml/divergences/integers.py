r"""The exact privacy curves of discrete Laplace and discrete Gaussian noise, on the integers.

Discrete Gaussian noise with variance parameter v on integers that move by s = (s_1, ..., s_p) makes two laws
with the privacy loss :math:`(|s|^2 + 2 \langle s, Y \rangle) / (2 v)`, where Y is the noise.  So the curve is
a sum over the integer :math:`\langle s, Y \rangle`,

.. math:: \delta(\varepsilon) = \sum_t P(\langle s, Y \rangle = t)
          \max\bigl(0, 1 - e^{\varepsilon - (|s|^2 + 2 t) / (2 v)}\bigr) ,

of terms that are all positive: nothing cancels.  Shifts of one length have different curves; as longer shifts
of a number have larger ones, the worst of at most a given length leaves no room in any coordinate.
"""

from fractions import Fraction
from itertools import accumulate
from math import isqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import DiscreteGaussian, DiscreteLaplace
from privml.distributions.discrete_gaussian import NEGLIGIBLE
from privml.divergences.noise import checked_epsilons

MANY_LOSSES = (
    1 << 14
)  # of discrete Laplace noise, from here on two tails replace the sum
MANY_TERMS = (
    1 << 14
)  # of discrete Gaussian noise, likewise where the tails do not cancel
MOST_TERMS = 1 << 22  # of a sum over the integers: 32 MiB
MOST_PRODUCTS = 1 << 27  # of the convolutions for all shifts together
MOST_SHIFTS = 1000  # that are compared for the worst of a length
LARGEST_INTEGER_EPSILON = 1e9  # up to here all places are integers of 64 bits


def discrete_laplace_delta(
    epsilon: ArrayLike, *, shift: int, scale: int | float | Fraction
) -> NDArray[np.float64] | float:
    r"""Exact delta(epsilon) between two discrete Laplace laws `shift` apart.

    The sum of :math:`p(k) (1 - e^{\varepsilon - \ell(k)})` over the integers k of privacy loss
    :math:`\ell(k) > \varepsilon`.  Up to the first centre the loss is s / b, then (s - 2 k) / b.  For vectors
    the shift s is the L1 distance, and this is an upper bound.

    Parameters
    ----------
    epsilon : array_like
        Privacy parameter in nats, non-negative.
    shift : int
        Distance of the centres, L1 for vectors, a positive integer.
    scale : int or float or Fraction
        Scale of the noise b, positive, read as an exact fraction.

    Returns
    -------
    ndarray or float
        Of the shape of epsilon.

    References
    ----------
    LZCW21-lem-42, on the integers.

    Examples
    --------
    >>> round(float(discrete_laplace_delta(0.0, shift=1, scale=1)), 5), discrete_laplace_delta(1.0, shift=1, scale=1)
    (0.46212, 0.0)
    """
    check.positive_integer(shift=shift)
    distribution = DiscreteLaplace(0, scale=check.positive_rational(scale=scale))
    epsilon, scale = checked_epsilons(epsilon), float(distribution.scale)
    if (
        shift > MANY_LOSSES
    ):  # P(Y <= k) - e^epsilon P(Y <= k - s) at the last k whose loss exceeds epsilon
        last = np.maximum(np.ceil((float(shift) - epsilon * scale) / 2) - 1, 0)
        drop = (
            distribution.logcdf(last)
            - epsilon
            - distribution.logcdf(last - float(shift))
        )
        delta = distribution.cdf(last) * -np.expm1(np.minimum(0.0, -drop)) + 0.0
    else:
        between = np.arange(1, (shift + 1) // 2)
        loss = (shift - 2 * np.append(0, between)) / scale
        probability = np.append(
            distribution.cdf(0), np.exp(distribution.logpmf(between))
        )
        delta = (
            -np.expm1(np.minimum(0.0, np.subtract.outer(epsilon, loss))) @ probability
            + 0.0
        )
    return float(delta) if delta.ndim == 0 else delta


def _log_sum(log_terms: NDArray) -> float:
    largest = log_terms.max(initial=-np.inf)
    return (
        float(largest + np.log(np.exp(log_terms - largest).sum()))
        if np.isfinite(largest)
        else -np.inf
    )


def _log_excess(epsilon: float, loss: NDArray) -> NDArray[np.float64]:
    """Log of max(0, 1 - exp(epsilon - loss))."""
    with np.errstate(divide="ignore"):
        return np.log(-np.expm1(np.minimum(0.0, epsilon - loss)))


def _refuse_large(count: float, most: int) -> None:
    if count > most:
        raise ValueError(
            f"variance and shift must leave at most {most} terms to add up, but got {count:.3g}."
        )


def _log_delta_by_tails(
    epsilon: float, shift: int, distribution: DiscreteGaussian, first: float
) -> float:
    """Log of P(Y >= a) - e^epsilon P(Y >= a + shift), rounded up; NaN if the difference has lost its digits.

    This is delta at the first a whose loss exceeds epsilon, and less at every other a.
    """
    bounds = []
    for a in (first - 1, first, first + 1):
        upper, lower = distribution.logsf(a - 1), distribution.logsf(a + shift - 1)
        rounding = 2.0**-50 * (abs(upper) + abs(lower) + epsilon + 1)
        drop = upper - epsilon - lower
        if drop > 0:
            bounds.append(
                (upper + np.log(-np.expm1(-drop - rounding)), rounding / drop)
            )
    value, relative = max(bounds, default=(np.nan, 0.0))
    return float(value) if relative < 1e-9 else np.nan


def _log_delta_of_number(
    epsilon: float, shift: int, distribution: DiscreteGaussian
) -> float:
    variance = float(distribution.variance)
    reach = np.sqrt(2 * NEGLIGIBLE * variance) + 1
    above = np.floor(variance * epsilon / shift - shift / 2) + 1
    first = max(above, -reach)
    last = np.sqrt(max(first, 0.0) ** 2 + 2 * NEGLIGIBLE * variance) + 1
    if last - first > MANY_TERMS:
        by_tails = _log_delta_by_tails(epsilon, shift, distribution, above)
        if not np.isnan(by_tails):
            return by_tails
    _refuse_large(last - first, MOST_TERMS)
    noise = np.arange(np.floor(first), np.floor(last) + 1)
    return _log_sum(
        distribution.logpmf(noise)
        + _log_excess(epsilon, shift * (shift + 2 * noise) / (2 * variance))
    )


def _radius(variance: float) -> int:
    """How far from its mode the noise is followed."""
    return int(np.sqrt(2 * NEGLIGIBLE * variance)) + 2


def _n_products(shift: tuple[int, ...], variance: float) -> float:
    """How many products the convolutions for a vector take."""
    lengths = [2.0 * _radius(variance) * s + 1 for s in shift]
    return sum(
        so_far * length
        for so_far, length in zip(accumulate(lengths), lengths[1:], strict=False)
    )


def _log_delta_of_vector(
    epsilon: float, shift: tuple[int, ...], distribution: DiscreteGaussian
) -> float:
    """By convolution of the laws of s_i Y_i, each tilted towards the loss epsilon so that nothing underflows.

    Tilting multiplies probabilities by exp(tilt s_i Y_i), hence those of the sum t by exp(tilt t).
    """
    variance, squared = float(distribution.variance), sum(s * s for s in shift)
    threshold = max(
        0.0, variance * epsilon - squared / 2
    )  # the t whose loss is epsilon
    tilt, radius = threshold / (variance * squared), _radius(variance)
    total, lowest, log_scale = np.ones(1), 0, 0.0
    for s in shift:
        noise = np.arange(-radius, radius + 1) + round(s * threshold / squared)
        log_tilted = distribution.logpmf(noise) + tilt * s * noise
        spread = np.zeros(2 * radius * s + 1)
        spread[::s] = np.exp(log_tilted - log_tilted.max())
        total = np.convolve(total, spread)
        lowest += s * int(noise[0])
        log_scale += log_tilted.max()
    t = lowest + np.arange(total.size)
    with np.errstate(divide="ignore"):
        log_probability = np.log(total) + log_scale - tilt * t
        return _log_sum(
            log_probability + _log_excess(epsilon, (squared + 2 * t) / (2 * variance))
        )


def discrete_gaussian_log_delta(
    epsilon: float, shift: int | tuple[int, ...], variance: int | float | Fraction
) -> float:
    """Natural logarithm of the exact delta(epsilon) between two discrete Gaussian laws `shift` apart.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative, up to 10^9.
    shift : int or tuple of int
        Distance of the centres, not zero; of vectors one for each coordinate.
    variance : int, float or Fraction
        Variance parameter v of the noise, positive, read as an exact fraction.

    Raises
    ------
    ValueError
        If the sum would be too long.

    Notes
    -----
    *Accuracy.* Close to full relative precision, however small delta: what is left out is together below
    1e-12 of the sum.

    References
    ----------
    Canonne, Kamath and Steinke (2020), Theorem 7.

    Examples
    --------
    >>> [round(float(np.exp(discrete_gaussian_log_delta(1.0, *case))), 6) for case in ((1, 1), ((1, 1), 2))]
    [0.141351, 0.119612]
    """
    check.non_negative(epsilon=epsilon)
    check.at_most(LARGEST_INTEGER_EPSILON, epsilon=epsilon)
    distribution = DiscreteGaussian(
        0, variance=check.positive_rational(variance=variance)
    )
    steps = np.atleast_1d(check.integer_answer(shift=shift))
    parts = tuple(sorted((abs(int(s)) for s in steps if s), reverse=True))
    if not parts:
        raise ValueError(f"shift must not be zero, but got {shift!r}.")
    if len(parts) == 1:
        return _log_delta_of_number(float(epsilon), parts[0], distribution)
    _refuse_large(_n_products(parts, float(distribution.variance)), MOST_PRODUCTS)
    return _log_delta_of_vector(float(epsilon), parts, distribution)


def maximal_shifts(squared_length: int, n_coordinates: int) -> list[tuple[int, ...]]:
    """Integer vectors of at most a given length in which no coordinate can grow, up to order and signs.

    Each is in non-increasing order, without zeros.

    Examples
    --------
    >>> maximal_shifts(5, 3)
    [(2, 1), (1, 1, 1)]
    """
    check.positive_integer(squared_length=squared_length, n_coordinates=n_coordinates)
    shifts: list[tuple[int, ...]] = []

    def extend(shift: tuple[int, ...], rest: int) -> None:
        open_places = n_coordinates - len(shift)
        if open_places and rest:
            largest = min(isqrt(rest), shift[-1] if shift else rest)
            for s in range(largest, 0 if open_places > 1 else largest - 1, -1):
                if rest - open_places * s * s > 2 * s:
                    break  # coordinates of at most s cannot use up the rest
                extend((*shift, s), rest - s * s)
        elif all(2 * s + 1 > rest for s in shift):
            shifts.append(shift)
        if len(shifts) > MOST_SHIFTS:
            raise ValueError(
                f"squared_length must leave at most {MOST_SHIFTS} shifts, but got {squared_length}."
            )

    extend((), squared_length)
    return shifts


def worst_discrete_gaussian_log_delta(
    epsilon: float,
    squared_length: int,
    variance: int | float | Fraction,
    n_coordinates: int = 1,
) -> float:
    """Largest :func:`discrete_gaussian_log_delta` over all integer shifts of at most a given length.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative, up to 10^9.
    squared_length : int
        Squared Euclidean length that no shift exceeds, a positive integer.
    variance : int, float or Fraction
        Variance parameter v of the noise, positive, read as an exact fraction.
    n_coordinates : int
        Number of coordinates, a positive integer.

    Raises
    ------
    ValueError
        If the sums would be too long.

    References
    ----------
    Canonne, Kamath and Steinke (2020), Theorem 7, for every direction.

    Examples
    --------
    >>> round(worst_discrete_gaussian_log_delta(1.0, 2, 4, n_coordinates=9), 6)
    -3.270974
    """
    shifts = maximal_shifts(squared_length, n_coordinates)
    spread = DiscreteGaussian(
        0, variance=check.positive_rational(variance=variance)
    ).variance
    _refuse_large(
        sum(_n_products(shift, float(spread)) for shift in shifts), MOST_PRODUCTS
    )
    return max(
        discrete_gaussian_log_delta(epsilon, shift, variance) for shift in shifts
    )


check.wrap_module(__name__)
