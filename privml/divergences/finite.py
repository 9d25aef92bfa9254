"""How far apart two finite output laws are: losses, their moments, and what post-processing leaves of them.

Laws are :class:`~privml.distributions.Categorical` objects or arrays of probabilities whose last axis runs
over the outcomes; leading axes broadcast, so thousands of pairs are compared in one call.  Arrays of natural
logarithms are announced by ``logs=True``.  Either way the probabilities sum to 1, up to 1e-9 for floats of 64
bits and 32 units of rounding for shorter ones; what does not is refused.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical

LOGS_ADVICE = " For logarithms of probabilities, pass logs=True."


def log_probabilities(
    distribution: Categorical | ArrayLike, *, logs: bool = False
) -> NDArray[np.float64]:
    """Log-probabilities of a law, or of each law of an array.

    Parameters
    ----------
    distribution : Categorical or array_like
        Law, or probabilities of shape (..., n_outcomes).
    logs : bool, default False
        Whether an array holds natural logarithms of probabilities.

    Returns
    -------
    ndarray
        Of shape (..., n_outcomes).

    Raises
    ------
    ValueError
        For a law that is not finite, such as that of noise, and for an array that does not sum to 1.

    Examples
    --------
    >>> log_probabilities([0.25, 0.75]).round(4).tolist()
    [-1.3863, -0.2877]
    """
    check.flag(logs=logs)
    return _logs("distribution", distribution, logs)


def _logs(
    name: str, distribution: Categorical | ArrayLike, logs: bool
) -> NDArray[np.float64]:
    if isinstance(distribution, Categorical):
        return distribution.logpmf()
    if hasattr(distribution, "rvs"):
        raise ValueError(
            f"{name} must be a distribution on finitely many outcomes, but got {type(distribution).__name__}. For "
            "noise, use the method privacy_curve of the mechanism."
        )
    named: dict[str, Any] = {name: distribution}
    if logs:
        return check.log_distributions(**named)
    with np.errstate(divide="ignore"):
        return np.log(check.distributions(LOGS_ADVICE, **named))


def _aligned(
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, logs: bool
) -> tuple[NDArray, NDArray]:
    check.flag(logs=logs)
    log_p, log_q = _logs("p", p, logs), _logs("q", q, logs)
    if log_p.shape[-1] != log_q.shape[-1]:
        raise ValueError(
            f"p and q must have the same outcomes, but got shapes {log_p.shape} and {log_q.shape}."
        )
    return log_p, log_q


def loss_of_logs(log_p: NDArray, log_q: NDArray) -> NDArray[np.float64]:
    """Privacy loss of log-probabilities that have been checked."""
    with np.errstate(invalid="ignore"):
        loss = log_p - log_q
    return np.where(log_p == -np.inf, -np.inf, loss)


def stick_of_logs(log_p: NDArray, log_q: NDArray, epsilon: float) -> NDArray:
    """Hockey-stick divergence of log-probabilities that have been checked."""
    rest = np.minimum(epsilon - loss_of_logs(log_p, log_q), 0.0)
    with np.errstate(under="ignore"):
        return (np.exp(log_p) * -np.expm1(rest)).sum(axis=-1)


def privacy_loss(
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, *, logs: bool = False
) -> NDArray[np.float64]:
    """Privacy loss ``ln p(o) - ln q(o)`` of every outcome, in nats, of shape (..., n_outcomes).

    Parameters
    ----------
    p, q : Categorical or array_like
        Laws, arrays as probabilities of shape (..., n_outcomes).
    logs : bool, default False
        Whether arrays hold natural logarithms of probabilities.

    Returns
    -------
    ndarray
        Plus infinity where only q is zero; minus infinity where p is zero, which cannot show up under p.

    Examples
    --------
    >>> privacy_loss([0.5, 0.5], [0.25, 0.75]).round(4).tolist()
    [0.6931, -0.4055]
    """
    return loss_of_logs(*_aligned(p, q, logs))


def max_divergence(
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, *, logs: bool = False
) -> NDArray[np.float64] | float:
    """Largest privacy loss: the smallest epsilon with p <= e^epsilon q on every event, possibly infinite.

    Parameters
    ----------
    p, q : Categorical or array_like
        Laws, arrays as probabilities of shape (..., n_outcomes).
    logs : bool, default False
        Whether arrays hold natural logarithms of probabilities.

    Returns
    -------
    ndarray or float
        Of shape (...), a number for one pair.

    Examples
    --------
    >>> round(float(max_divergence([0.5, 0.5], [0.25, 0.75])), 4)
    0.6931
    """
    return privacy_loss(p, q, logs=logs).max(axis=-1)


def hockey_stick(
    p: Categorical | ArrayLike,
    q: Categorical | ArrayLike,
    epsilon: float,
    *,
    logs: bool = False,
) -> NDArray[np.float64] | float:
    """Hockey-stick divergence: the smallest delta with p <= e^epsilon q + delta on every event.

    Computed as ``sum p(o) max(0, 1 - exp(epsilon - loss(o)))``, which loses no digits when p is close to
    e^epsilon q.

    Parameters
    ----------
    p, q : Categorical or array_like
        Laws, arrays as probabilities of shape (..., n_outcomes).
    epsilon : float
        Here any finite number, in nats.
    logs : bool, default False
        Whether arrays hold natural logarithms of probabilities.

    Returns
    -------
    ndarray or float
        Of shape (...), a number for one pair.

    Examples
    --------
    >>> round(float(hockey_stick([0.5, 0.5], [0.25, 0.75], 0.0)), 6)
    0.25
    """
    log_p, log_q = _aligned(p, q, logs)
    check.finite(epsilon=epsilon)
    return stick_of_logs(log_p, log_q, epsilon)


def total_variation(
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, *, logs: bool = False
) -> NDArray[np.float64] | float:
    """Total variation distance, ``max_E |p(E) - q(E)|``: the hockey stick at epsilon = 0.

    Parameters
    ----------
    p, q : Categorical or array_like
        Laws, arrays as probabilities of shape (..., n_outcomes).
    logs : bool, default False
        Whether arrays hold natural logarithms of probabilities.

    Returns
    -------
    ndarray or float
        Of shape (...), a number for one pair.

    Examples
    --------
    >>> round(float(total_variation([0.5, 0.5], [0.25, 0.75])), 6)
    0.25
    """
    return hockey_stick(p, q, 0.0, logs=logs)


def after_channel(
    distribution: Categorical | ArrayLike, channel: ArrayLike, *, logs: bool = False
) -> Categorical:
    """Law of what a randomised map makes of an outcome: post-processing, exactly.

    Parameters
    ----------
    distribution : Categorical or array_like of shape (n_outcomes,)
        Law of the outcome, or its probabilities.
    channel : array_like of shape (n_outcomes, n_results)
        Row o is the law of the result when the outcome is o: non-negative, with sum 1.
    logs : bool, default False
        Whether `distribution` is an array of natural logarithms of probabilities.

    Raises
    ------
    ValueError
        If the rows of the channel are no laws, or not one for each outcome.

    Notes
    -----
    *Privacy.* No divergence of this package grows when both laws go through one channel: a test of the
    result is a (randomised) test of the outcome.

    References
    ----------
    LZCW21-lem-40.

    Examples
    --------
    Outcomes 0 and 1 are lumped together, outcome 2 is kept with probability 0.9:

    >>> after_channel([0.2, 0.3, 0.5], [[1.0, 0.0], [1.0, 0.0], [0.1, 0.9]]).pmf().round(6).tolist()
    [0.55, 0.45]
    """
    probabilities = np.exp(log_probabilities(distribution, logs=logs))
    channel = check.distributions(channel=channel)
    if channel.ndim != 2 or probabilities.shape != channel.shape[:1]:
        shapes = f"{channel.shape} for {probabilities.size} outcomes"
        raise ValueError(
            f"channel must have one row per outcome, but got shape {shapes}."
        )
    with np.errstate(divide="ignore"):
        found = Categorical(np.log(probabilities @ channel))
    found._rounding = check.rounding(distribution)
    return found


def _log_moment(log_p: NDArray, exponent: NDArray) -> NDArray[np.float64]:
    """Logarithm of sum p exp(exponent); for small exponents by way of sum p (exp(exponent) - 1)."""
    exponent = np.where(
        log_p == -np.inf, 0.0, exponent
    )  # such outcomes carry no weight
    largest = np.maximum(exponent.max(axis=-1, keepdims=True), 0.0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        small = np.log1p((np.exp(log_p) * np.expm1(exponent)).sum(axis=-1))
        large = (
            np.log(np.exp(log_p + exponent - largest).sum(axis=-1)) + largest[..., 0]
        )
    return np.where(
        largest[..., 0] == np.inf, np.inf, np.where(largest[..., 0] < 1, small, large)
    )


def renyi_divergence(
    p: Categorical | ArrayLike,
    q: Categorical | ArrayLike,
    order: float,
    *,
    logs: bool = False,
) -> NDArray[np.float64] | float:
    """Renyi divergence of law p from law q, in nats; infinite if p can produce what q cannot.

    Parameters
    ----------
    p, q : Categorical or array_like
        Laws, arrays as probabilities of shape (..., n_outcomes).
    order : float
        Order, at least 1: 1 is the Kullback-Leibler divergence, infinity the max-divergence.
    logs : bool, default False
        Whether arrays hold natural logarithms of probabilities.

    Returns
    -------
    ndarray or float
        In nats, of shape (...), a number for one pair.

    References
    ----------
    LZCW21-def-50.

    Examples
    --------
    >>> p, q = [0.5, 0.5], [0.25, 0.75]
    >>> [round(float(renyi_divergence(p, q, order)), 6) for order in (1, 2, np.inf)]
    [0.143841, 0.287682, 0.693147]
    """
    if order != np.inf:
        check.positive(order=order)
        if order < 1:
            raise ValueError(f"order must be at least 1, but got {order!r}.")
    log_p, log_q = _aligned(p, q, logs)
    loss = loss_of_logs(log_p, log_q)
    if order == np.inf:
        value = loss.max(axis=-1)
    elif order == 1:
        loss = np.where(loss == -np.inf, 0.0, loss)
        value = np.where(log_p == -np.inf, 0.0, np.exp(log_p) * loss).sum(axis=-1)
    else:
        value = _log_moment(np.broadcast_to(log_p, loss.shape), (order - 1) * loss) / (
            order - 1
        )
    return float(value) if np.ndim(value) == 0 else value


def kullback_leibler(
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, *, logs: bool = False
) -> NDArray[np.float64] | float:
    """Kullback-Leibler divergence of law p from law q: the mean privacy loss.

    Parameters
    ----------
    p, q : Categorical or array_like
        Laws, arrays as probabilities of shape (..., n_outcomes).
    logs : bool, default False
        Whether arrays hold natural logarithms of probabilities.

    Returns
    -------
    ndarray or float
        In nats, of shape (...), a number for one pair.

    Examples
    --------
    >>> round(float(kullback_leibler([0.5, 0.5], [0.25, 0.75])), 6)
    0.143841
    """
    return renyi_divergence(p, q, 1, logs=logs)


check.wrap_module(__name__)
