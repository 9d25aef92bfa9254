r"""How far apart two finite output laws are: losses, privacy curves, moments and tests.

For laws p and q on the same outcomes the *privacy loss* of an outcome o is ``ln p(o) - ln q(o)``.  Its
largest value is the *max-divergence*: the smallest epsilon for which p is within a factor e^epsilon of q
on every event.  What remains above a given epsilon is the *hockey-stick divergence*
``sum_o max(0, p(o) - e^epsilon q(o))``, the smallest delta that goes with that epsilon.

The *Renyi divergence* of order alpha is ``ln E[exp((alpha - 1) loss)] / (alpha - 1)``, the loss drawn under
p.  It grows with alpha, from the Kullback-Leibler divergence (the mean loss) at order 1 to the
max-divergence at order infinity.  For independent pairs it adds up, which is why concentrated privacy
composes by addition.

An attacker sees one output and decides between p (the data set z) and q (its neighbour).  A *test* has a
level, its chance of a false alarm under p, and misses q with some chance.  The *trade-off function* gives the
least chance of a miss at each level.  It holds the same information as the privacy curve: a pair is
(epsilon, delta)-close both ways exactly when it stays above two straight lines (:func:`privacy_trade_off`).

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
    """Privacy loss ``ln p(o) - ln q(o)`` of every outcome, in nats, of shape (..., n_outcomes).

    Plus infinity where only q is zero; minus infinity where p is zero, since such an outcome cannot show up
    under p.

    >>> privacy_loss(np.log([0.5, 0.5]), np.log([0.25, 0.75])).round(4).tolist()
    [0.6931, -0.4055]
    """
    log_p, log_q = _aligned(p, q)
    with np.errstate(invalid="ignore"):
        loss = log_p - log_q
    return np.where(log_p == -np.inf, -np.inf, loss)


def max_divergence(p: Categorical | ArrayLike, q: Categorical | ArrayLike) -> NDArray[np.float64] | float:
    """Largest privacy loss: the smallest epsilon with p <= e^epsilon q on every event, possibly infinite."""
    return privacy_loss(p, q).max(axis=-1)


def hockey_stick(
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, epsilon: float
) -> NDArray[np.float64] | float:
    """Hockey-stick divergence: the smallest delta with p <= e^epsilon q + delta on every event.

    Computed as ``sum p(o) max(0, 1 - exp(epsilon - loss(o)))``, which loses no digits when p is close to
    e^epsilon q.  Epsilon is any real number.

    >>> round(float(hockey_stick(np.log([0.5, 0.5]), np.log([0.25, 0.75]), 0.0)), 6)
    0.25
    """
    log_p, log_q = _aligned(p, q)
    check.finite(epsilon=epsilon)
    excess = -np.expm1(np.minimum(epsilon - privacy_loss(log_p, log_q), 0.0))
    return (np.exp(log_p) * excess).sum(axis=-1)


def total_variation(p: Categorical | ArrayLike, q: Categorical | ArrayLike) -> NDArray[np.float64] | float:
    """Total variation distance, ``max_E |p(E) - q(E)|``: the hockey stick at epsilon = 0."""
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


def log_moment(log_p: NDArray, exponent: NDArray) -> NDArray[np.float64]:
    """Logarithm of sum p exp(exponent); for small exponents by way of sum p (exp(exponent) - 1)."""
    exponent = np.where(log_p == -np.inf, 0.0, exponent)  # such outcomes carry no weight
    largest = np.maximum(exponent.max(axis=-1, keepdims=True), 0.0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        small = np.log1p((np.exp(log_p) * np.expm1(exponent)).sum(axis=-1))
        large = np.log(np.exp(log_p + exponent - largest).sum(axis=-1)) + largest[..., 0]
    value = np.where(largest[..., 0] < 1, small, large)
    return np.where(largest[..., 0] == np.inf, np.inf, value)


def checked_order(order: float) -> None:
    """Raise unless the order of a Renyi divergence is at least 1."""
    check.positive(order=order)
    if order < 1:
        raise ValueError(f"order must be at least 1, got {order!r}")


def renyi_divergence(
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, order: float
) -> NDArray[np.float64] | float:
    """Renyi divergence of law p from law q, in nats; infinite if p can produce what q cannot.

    Order 1 is the Kullback-Leibler divergence, infinity the max-divergence.

    **Source.** LZCW21-def-50.

    >>> p, q = np.log([0.5, 0.5]), np.log([0.25, 0.75])
    >>> [round(float(renyi_divergence(p, q, order)), 6) for order in (1, 2, np.inf)]
    [0.143841, 0.287682, 0.693147]
    """
    if order != np.inf:
        checked_order(order)
    loss, log_p = privacy_loss(p, q), log_probabilities(p)
    if order == np.inf:
        value = loss.max(axis=-1)
    elif order == 1:
        loss = np.where(loss == -np.inf, 0.0, loss)
        value = np.where(log_p == -np.inf, 0.0, np.exp(log_p) * loss).sum(axis=-1)
    else:
        value = log_moment(np.broadcast_to(log_p, loss.shape), (order - 1) * loss) / (order - 1)
    return float(value) if np.ndim(value) == 0 else value


def kullback_leibler(p: Categorical | ArrayLike, q: Categorical | ArrayLike) -> NDArray[np.float64] | float:
    """Kullback-Leibler divergence of law p from law q: the mean privacy loss."""
    return renyi_divergence(p, q, 1)


def _levels(level: ArrayLike) -> NDArray[np.float64]:
    level = check.numbers(level=level)
    if not ((level >= 0) & (level <= 1)).all():
        raise ValueError(f"level must be in the closed interval [0, 1], got {level!r}")
    return level


def trade_off(p: Categorical | ArrayLike, q: Categorical | ArrayLike, level: ArrayLike) -> NDArray | float:
    """Least chance of missing law q for tests that raise a false alarm under p with chance `level`.

    Exact: by Neyman and Pearson the best tests reject where p / q is small, with a coin at the edge.

    **Source.** WLF16-def-27, as a test; Wasserman and Zhou (2010), Theorem 2.4.

    >>> trade_off(np.log([0.5, 0.5]), np.log([0.25, 0.75]), [0.0, 0.5, 1.0]).round(6).tolist()
    [1.0, 0.25, 0.0]
    """
    level = _levels(level)
    order = np.argsort(privacy_loss(p, q), kind="stable")
    false_alarms = np.concatenate([[0.0], np.cumsum(np.exp(log_probabilities(p)[order]))])
    caught = np.concatenate([[0.0], np.cumsum(np.exp(log_probabilities(q)[order]))])
    free = np.searchsorted(false_alarms, 0.0, side="right") - 1  # p cannot produce these: no false alarm
    missed = np.interp(level, false_alarms[free:], 1 - caught[free:] / caught[-1])
    return float(missed) if missed.ndim == 0 else missed


def privacy_trade_off(epsilon: float, delta: float, level: ArrayLike) -> NDArray | float:
    """Chance of a miss that (epsilon, delta)-differential privacy forces on every test of a level.

    The larger of ``1 - delta - e^epsilon level`` and ``e^-epsilon (1 - delta - level)``, at least 0.

    **Source.** WLF16-def-27, as a test; Wasserman and Zhou (2010), Theorem 2.4.

    At epsilon 1 a test with five percent false alarms misses at least 86 percent:

    >>> round(privacy_trade_off(1.0, 0.0, 0.05), 6)
    0.864086
    """
    check.non_negative(epsilon=epsilon)
    check.unit_interval(delta=delta)
    level = _levels(level)
    with np.errstate(over="ignore", divide="ignore"):
        steep = 1 - delta - np.exp(epsilon + np.log(level))
    missed = np.maximum(0.0, np.maximum(steep, np.exp(-epsilon) * (1 - delta - level)))
    return float(missed) if missed.ndim == 0 else missed
