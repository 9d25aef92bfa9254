r"""High probability from expectation: the monitor.

Suppose an (epsilon, delta)-DP learner publishes a query that overfits by tau with probability beta or
more.  Run it on T independent samples of m records.  A monitor that knows the population chooses one of the
T queries, or the query 0 that never overfits, with weights ``exp(eta m gap)``.  One record moves one gap by
at most 1 / m, so the choice is eta-DP and the whole is (epsilon + eta, delta)-DP.  Its expected gap is

* at least ``tau (1 - (1 - beta)^T) - ln(T + 1) / (eta m)``, since the largest of the T gaps is likely to be
  big;
* at most ``s + (1 - s) tanh((epsilon + eta) / 4)`` with ``s = min(1, T delta)``, by
  :func:`~privml.learnability.expected_gap_from_privacy`.

For any T and eta this bounds beta.
"""

from math import ceil, log
from typing import NamedTuple

import numpy as np

from privml import _check as check
from privml._search import smallest_integer

_LARGEST_RUNS = 1e15


def monitor_tail(
    n_samples: int, epsilon: float, tau: float, delta: float = 0.0, *, two_sided: bool = True
) -> float:
    """Probability that the query of an (epsilon, delta)-DP learner misses its mean by tau, at most.

    Parameters
    ----------
    two_sided : bool, default True
        Whether both directions count: twice the bound for one.

    Returns
    -------
    float
        The least bound of the monitor over a grid of numbers of runs T and budgets eta, never above 1.

    Notes
    -----
    **Source.** S16-rem-monitor, the plan carried out with all constants.

    Examples
    --------
    >>> f"{monitor_tail(100_000, 0.05, 0.1, 1e-9):.3g}, {monitor_tail(1000, 0.05, 0.1):.3g}"
    '5.24e-08, 0.00513'
    """
    check.flag(two_sided=two_sided)
    check.positive_integer(n_samples=n_samples)
    check.non_negative(epsilon=epsilon, delta=delta)
    check.probability_open(tau=tau)
    if delta > 1:
        raise ValueError(f"delta must be in the closed interval [0, 1], got {delta!r}")
    runs = np.unique(np.floor(np.geomspace(1, _LARGEST_RUNS, 240)))[:, None]
    eta = np.geomspace(tau * 1e-3, 4, 160)
    slack = np.minimum(1, runs * delta)
    bound = slack + (1 - slack) * np.tanh((epsilon + eta) / 4) + np.log(runs + 1) / (eta * n_samples)
    share = np.minimum(1, bound.min(axis=1) / tau)
    with np.errstate(divide="ignore"):
        failure = -np.expm1(np.log1p(-share) / runs[:, 0])
    return float(min(1.0, (1 + two_sided) * failure.min()))


def monitor_sample_size(
    tau: float, epsilon: float, beta: float, delta: float = 0.0, *, two_sided: bool = True
) -> int:
    """Smallest number of records at which :func:`monitor_tail` is at most beta.

    Parameters
    ----------
    two_sided : bool, default True
        Whether both directions count.

    Notes
    -----
    **Source.** S16-rem-monitor.

    Examples
    --------
    >>> monitor_sample_size(0.1, 0.05, 0.01, 1e-9)
    910
    """
    check.probability_open(beta=beta)
    tail = lambda n: monitor_tail(n, epsilon, tau, delta, two_sided=two_sided)  # noqa: E731
    if tail(10**15) > beta:
        raise ValueError(f"beta must be reachable, got {beta!r} with epsilon {epsilon!r} and delta {delta!r}")
    return smallest_integer(lambda n: tail(n) <= beta)


class MonitorTerms(NamedTuple):
    """Terms of the simple form of the monitor's theorem.

    Attributes
    ----------
    tau : float
        Deviation that is reached, in one direction, with probability below beta.
    n_samples : int
        Number of records that is enough.
    delta : float
        Largest delta that is allowed.
    """

    tau: float
    n_samples: int
    delta: float


def monitor_terms(epsilon: float, beta: float) -> MonitorTerms:
    """The monitor's theorem with round constants: tau = 12 epsilon / 5.

    Returns
    -------
    MonitorTerms
        ``tau = 12 epsilon / 5``, ``m >= 2 ln(2 + 1 / beta) / epsilon^2`` and ``delta <= epsilon beta / 4``.

    Notes
    -----
    From ``eta = epsilon`` and ``T = ceil(1 / beta)``; :func:`monitor_tail` is never above beta there.
    **Source.** S16-rem-monitor.

    Examples
    --------
    >>> monitor_terms(0.125, 0.01)
    MonitorTerms(tau=0.3, n_samples=592, delta=0.0003125)
    """
    check.positive(epsilon=epsilon)
    check.probability_open(beta=beta)
    if not 1e-100 < epsilon < 1e100:
        raise ValueError(f"epsilon must be in (1e-100, 1e100), got {epsilon!r}")
    return MonitorTerms(12 * epsilon / 5, ceil(2 * log(2 + 1 / beta) / epsilon**2), epsilon * beta / 4)
