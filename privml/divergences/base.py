"""How far apart two output laws are, in the senses that privacy uses.

For laws p and q on the same outcomes the *privacy loss* of an outcome o is ``ln p(o) - ln q(o)``.  Its
largest value is the *max-divergence*: the smallest epsilon for which p is within a factor e^epsilon of q
on every event.  What remains above a given epsilon is the *hockey-stick divergence*
``sum_o max(0, p(o) - e^epsilon q(o))``, the smallest delta that goes with that epsilon.

Laws are :class:`~privml.distributions.Categorical` objects or arrays of log-probabilities whose last axis
runs over the outcomes; leading axes broadcast, so thousands of pairs are compared in one call.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical


def log_probabilities(law: Categorical | ArrayLike) -> NDArray[np.float64]:
    """Log-probabilities of a law, which may already be given as such an array."""
    return law.logpmf() if isinstance(law, Categorical) else check.numbers(law=law)


def _aligned(p: Categorical | ArrayLike, q: Categorical | ArrayLike) -> tuple[NDArray, NDArray]:
    log_p, log_q = log_probabilities(p), log_probabilities(q)
    if log_p.ndim == 0 or log_q.ndim == 0 or log_p.shape[-1] != log_q.shape[-1]:
        raise ValueError(f"p and q must have the same outcomes, got shapes {log_p.shape} and {log_q.shape}")
    if np.isnan(log_p).any() or np.isnan(log_q).any():
        raise ValueError("p and q must be free of NaN, got NaN among the log-probabilities")
    return log_p, log_q


def privacy_loss(p: Categorical | ArrayLike, q: Categorical | ArrayLike) -> NDArray[np.float64]:
    """Privacy loss ``ln p(o) - ln q(o)`` of every outcome.

    **Returns.** ndarray of shape (..., n_outcomes): in nats.  Plus infinity where only q is zero; minus
    infinity where p is zero, since such an outcome cannot show up under p.

    >>> privacy_loss(np.log([0.5, 0.5]), np.log([0.25, 0.75])).round(4).tolist()
    [0.6931, -0.4055]
    """
    log_p, log_q = _aligned(p, q)
    with np.errstate(invalid="ignore"):
        loss = log_p - log_q
    return np.where(log_p == -np.inf, -np.inf, loss)


def max_divergence(p: Categorical | ArrayLike, q: Categorical | ArrayLike) -> NDArray[np.float64] | float:
    """Largest privacy loss: the smallest epsilon with p <= e^epsilon q on every event.

    In nats, possibly infinite.

    >>> round(float(max_divergence(np.log([0.5, 0.5]), np.log([0.25, 0.75]))), 4)
    0.6931
    """
    return privacy_loss(p, q).max(axis=-1)


def hockey_stick(
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, epsilon: float
) -> NDArray[np.float64] | float:
    """Hockey-stick divergence: the smallest delta with p <= e^epsilon q + delta on every event.

    In [0, 1] for epsilon >= 0; at epsilon = 0 the total variation distance.

    Computed as ``sum p(o) max(0, 1 - exp(epsilon - loss(o)))``, which loses no digits when p is close to
    e^epsilon q.

    Parameters
    ----------
    epsilon : float
        In nats; any real number.

    Examples
    --------
    >>> round(float(hockey_stick(np.log([0.5, 0.5]), np.log([0.25, 0.75]), 0.0)), 6)
    0.25
    """
    log_p, log_q = _aligned(p, q)
    check.finite(epsilon=epsilon)
    excess = -np.expm1(np.minimum(epsilon - privacy_loss(log_p, log_q), 0.0))
    return (np.exp(log_p) * excess).sum(axis=-1)


def total_variation(p: Categorical | ArrayLike, q: Categorical | ArrayLike) -> NDArray[np.float64] | float:
    """Total variation distance, ``max_E |p(E) - q(E)|``.

    >>> round(float(total_variation(np.log([0.5, 0.5]), np.log([0.25, 0.75]))), 6)
    0.25
    """
    return hockey_stick(p, q, 0.0)


def after_channel(law: Categorical | ArrayLike, channel: ArrayLike) -> Categorical:
    """Law of what a randomised map makes of an outcome: post-processing, exactly.

    **Privacy.** No divergence of this package grows when both laws go through one channel: a test of the
    result is a (randomised) test of the outcome.
    **Source.** LZCW21-lem-40.

    Parameters
    ----------
    law : Categorical or array_like of shape (n_outcomes,)
        Law of the outcome, or its log-probabilities.
    channel : array_like of shape (n_outcomes, n_results)
        Row o is the law of the result when the outcome is o: non-negative, with sum 1.

    Returns
    -------
    Categorical

    Examples
    --------
    Outcomes 0 and 1 are lumped together, outcome 2 is kept with probability 0.9:

    >>> after_channel(np.log([0.2, 0.3, 0.5]), [[1, 0], [1, 0], [0.1, 0.9]]).pmf().round(6).tolist()
    [0.55, 0.45]
    """
    probabilities = np.exp(log_probabilities(law))
    channel = check.numbers(channel=channel)
    if channel.ndim != 2 or probabilities.shape != channel.shape[:1]:
        shapes = f"{channel.shape} for {probabilities.size} outcomes"
        raise ValueError(f"channel must have one row per outcome, got shape {shapes}")
    if not (channel >= 0).all() or (abs(channel.sum(axis=1) - 1) > 1e-9).any():
        raise ValueError("channel must have probability vectors as rows, got others")
    with np.errstate(divide="ignore"):
        return Categorical(np.log(probabilities @ channel))
