"""Renyi divergences: the privacy loss measured by its moments.

The Renyi divergence of order alpha is ``ln E[exp((alpha - 1) loss)] / (alpha - 1)``, the loss drawn under the
first law.  It grows with alpha, from the Kullback-Leibler divergence (the mean loss) at order 1 to the
max-divergence (the largest loss) at order infinity.  For independent pairs it adds up, which is why
concentrated privacy composes by addition.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.divergences.base import log_probabilities, privacy_loss


def _log_moment(log_p: NDArray, exponent: NDArray) -> NDArray[np.float64]:
    """Logarithm of sum p exp(exponent); for small exponents by way of sum p (exp(exponent) - 1)."""
    exponent = np.where(log_p == -np.inf, 0.0, exponent)  # such outcomes carry no weight
    largest = np.maximum(exponent.max(axis=-1, keepdims=True), 0.0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        small = np.log1p((np.exp(log_p) * np.expm1(exponent)).sum(axis=-1))
        large = np.log(np.exp(log_p + exponent - largest).sum(axis=-1)) + largest[..., 0]
    value = np.where(largest[..., 0] < 1, small, large)
    return np.where(largest[..., 0] == np.inf, np.inf, value)


def renyi_divergence(
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, order: float
) -> NDArray[np.float64] | float:
    """Renyi divergence of law p from law q.

    In nats; infinite if p can produce what q cannot.

    **Source.** LZCW21-def-50.

    Parameters
    ----------
    order : float
        At least 1; 1 is the Kullback-Leibler divergence, infinity the max-divergence.

    Examples
    --------
    >>> p, q = np.log([0.5, 0.5]), np.log([0.25, 0.75])
    >>> [round(float(renyi_divergence(p, q, order)), 6) for order in (1, 2, np.inf)]
    [0.143841, 0.287682, 0.693147]
    """
    if order != np.inf:
        check.positive(order=order)
        if order < 1:
            raise ValueError(f"order must be at least 1, got {order!r}")
    loss, log_p = privacy_loss(p, q), log_probabilities(p)
    if order == np.inf:
        value = loss.max(axis=-1)
    elif order == 1:
        value = np.where(log_p == -np.inf, 0.0, np.exp(log_p) * np.where(loss == -np.inf, 0.0, loss)).sum(
            axis=-1
        )
    else:
        value = _log_moment(np.broadcast_to(log_p, loss.shape), (order - 1) * loss) / (order - 1)
    return float(value) if np.ndim(value) == 0 else value


def kullback_leibler(p: Categorical | ArrayLike, q: Categorical | ArrayLike) -> NDArray[np.float64] | float:
    """Kullback-Leibler divergence of law p from law q: the mean privacy loss.

    >>> round(float(kullback_leibler(np.log([0.5, 0.5]), np.log([0.25, 0.75]))), 6)
    0.143841
    """
    return renyi_divergence(p, q, 1)


def gaussian_renyi_divergence(order: float, mu: float) -> float:
    """Renyi divergence between N(0, 1) and N(mu, 1): ``order mu^2 / 2``.

    **Source.** LZCW21-def-50.

    >>> gaussian_renyi_divergence(2.0, 0.5)
    0.25
    """
    check.positive(order=order)
    check.non_negative(mu=mu)
    if order < 1:
        raise ValueError(f"order must be at least 1, got {order!r}")
    return order * mu * mu / 2


def laplace_renyi_divergence(order: float, shift: float, scale: float) -> float:
    """Renyi divergence between two Laplace laws of one scale.

    ``ln((alpha e^((alpha - 1) s) + (alpha - 1) e^(-alpha s)) / (2 alpha - 1)) / (alpha - 1)`` with
    ``s = shift / scale``, and ``s + e^-s - 1`` at order 1.

    **Source.** Mironov (2017), Proposition 6; for LZCW21-def-50 of the mechanism in LZCW21-lem-42.

    Parameters
    ----------
    shift : float
        Distance of the centres, non-negative.

    Examples
    --------
    >>> [round(laplace_renyi_divergence(order, 1.0, 1.0), 6) for order in (1.0, 2.0, 100.0)]
    [0.367879, 0.619124, 0.993049]
    """
    check.positive(order=order, scale=scale)
    check.non_negative(shift=shift)
    if order < 1:
        raise ValueError(f"order must be at least 1, got {order!r}")
    s = shift / scale
    if order == 1:
        return float(s + np.expm1(-s))
    weights = np.log([order / (2 * order - 1), (order - 1) / (2 * order - 1)])
    return float(_log_moment(weights, np.array([(order - 1) * s, -order * s])) / (order - 1))
