r"""The exact composition of k bounded-range mechanisms that are fixed in advance.

**One step.**  If the privacy loss lies in [t - epsilon, t], the pair of laws can be produced from the two
outcomes of *skewed response*: loss t - epsilon with probability ``r = (e^t - 1) / (e^epsilon - 1)``, loss t
otherwise.  Ordinary randomised response of parameter epsilon / 2 is the case t = epsilon / 2.

**k steps.**  For two of them with ``t_1 + t_2`` fixed, let h_j be the mean of ``(1 - y e^(j epsilon))_+``
over the other steps, j being how many of the two had the small loss.  Then delta is
``h_0 + (r_1 + r_2)(h_1 - h_0) + r_1 r_2 (h_2 - 2 h_1 + h_0)``, affine in ``e^t_1 + e^t_2``, with slope
proportional to ``(e^epsilon + 1) h_1 - e^epsilon h_0 - h_2``; this is at most 0 because ``(1 - z)_+`` is
convex.  So delta is largest where the sum is smallest, at ``t_1 = t_2``: one t serves all steps.

**The best t.**  With j small losses the total is ``k t - j epsilon``.  Delta is the largest over l of

.. math:: F_l(t) = P_t(J \le l) - e^{\varepsilon_{total}} Q_t(J \le l),

J binomial under both laws.  Its derivative has one change of sign, at
``t = (epsilon_total + (l + 1) epsilon) / (k + 1)``: so k candidates, each in closed form, give the optimum.

Adaptively chosen steps can do worse: each may pick its t in the light of the losses so far.
"""

from math import log

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml._search import crossing, last_crossing
from privml.composition.base import approximate
from privml.distributions.binomial import binomial_logpmf
from privml.divergences import PrivacyCurve
from privml.guarantee import BoundedRangeGuarantee, Guarantee

LARGEST_RANGE_COMPOSITION = 200_000
"""Most steps for which all candidates are gone through."""

SMALLEST_DELTA = 1e-280
"""Probabilities below this are not resolved."""


def _shares(step_epsilon: float, t: NDArray | float) -> tuple[NDArray | float, NDArray | float]:
    """Probability of the small loss t - step_epsilon under the first and under the second law."""
    whole = -np.expm1(-step_epsilon)
    return np.exp(t - step_epsilon) * -np.expm1(-t) / whole, -np.expm1(-t) / whole


def skewed_response(step_epsilon: float, t: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The two laws that dominate all pairs with privacy loss in [t - step_epsilon, t].

    Parameters
    ----------
    step_epsilon : float
        Range in nats, positive.
    t : float
        Largest loss, in [0, step_epsilon].

    Returns
    -------
    tuple of ndarray of shape (2,)
        Log-probabilities of both laws; outcome 0 has loss t, outcome 1 has loss t - step_epsilon.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** Dong, Durfee and Rogers (2020), generalised randomised response.

    Examples
    --------
    >>> p, q = skewed_response(1.0, 0.25)
    >>> (p - q).round(6).tolist()
    [0.25, -0.75]
    """
    check.positive(step_epsilon=step_epsilon)
    check.non_negative(t=t)
    if t > step_epsilon:
        raise ValueError(f"t must be at most step_epsilon = {step_epsilon!r}, got {t!r}")
    p, q = _shares(step_epsilon, t)
    with np.errstate(divide="ignore"):
        return np.array([np.log1p(-p), np.log(p)]), np.array([np.log1p(-q), np.log(q)])


def _best_t(step_epsilon: float, k: int, epsilon: float) -> float | None:
    """The common t of the worst steps at a total epsilon; None where delta is below SMALLEST_DELTA."""
    from scipy.special import bdtr

    losses = np.arange(k)
    candidates = np.minimum((epsilon + (losses + 1) * step_epsilon) / (k + 1), step_epsilon)
    p, q = _shares(step_epsilon, candidates)
    with np.errstate(over="ignore", invalid="ignore"):
        gain = bdtr(losses, k, p) - np.exp(epsilon) * bdtr(losses, k, q)
    best = int(np.argmax(np.nan_to_num(gain, nan=-np.inf)))
    return float(candidates[best]) if gain[best] > SMALLEST_DELTA else None


def _log_delta(step_epsilon: float, k: int, epsilon: float) -> float:
    t = _best_t(step_epsilon, k, epsilon)
    if t is None:
        return log(SMALLEST_DELTA)
    share = min(float(_shares(step_epsilon, t)[0]), 1.0)
    return PrivacyCurve(k * t - np.arange(k + 1) * step_epsilon, binomial_logpmf(k, share)).log_delta(epsilon)


def _checked_steps(k: int) -> None:
    check.positive_integer(k=k)
    if k > LARGEST_RANGE_COMPOSITION:
        advice = "compose as concentrated privacy instead"
        raise ValueError(f"k must be at most {LARGEST_RANGE_COMPOSITION}, got {k!r}: {advice}")


def _checked_target(delta: float) -> float:
    """Logarithm of a target that the search can resolve."""
    check.probability_open(delta=delta)
    if delta <= 2 * SMALLEST_DELTA:
        raise ValueError(f"delta must be above {2 * SMALLEST_DELTA:g}, got {delta!r}")
    return log(delta)


def nonadaptive_range_delta(step_epsilon: float, k: int, epsilon: float) -> float:
    """Exact delta at epsilon of k bounded-range mechanisms that are fixed in advance.

    Parameters
    ----------
    step_epsilon : float
        Range of each step's privacy loss in nats, positive; the epsilon of an exponential mechanism.
    k : int
        Number of steps, at least 1.
    epsilon : float
        Total in nats, non-negative.

    Returns
    -------
    float
        In [0, 1]; attained by skewed responses, so no theorem can give less.  Below 1e-280 reported as that.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Privacy.** Not for mechanisms or queries chosen in the light of earlier answers.
    **Source.** Dong, Durfee and Rogers (2020), Theorem 3; for mechanisms of S16-thm-0.1.

    Examples
    --------
    >>> round(nonadaptive_range_delta(0.05, 1000, 3.3404), 8)
    1e-05
    """
    check.positive(step_epsilon=step_epsilon)
    check.non_negative(epsilon=epsilon)
    _checked_steps(k)
    return float(np.exp(_log_delta(step_epsilon, k, epsilon)))


def nonadaptive_range_epsilon(step_epsilon: float, k: int, delta: float) -> float:
    """Exact epsilon at delta of k bounded-range mechanisms that are fixed in advance.

    Parameters
    ----------
    step_epsilon : float
        Range of each step's privacy loss in nats, positive; the epsilon of an exponential mechanism.
    k : int
        Number of steps, at least 1.
    delta : float
        Total, in (0, 1), above 2e-280.

    Returns
    -------
    float
        The optimum at this very float has been evaluated in log space and is at most delta.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Privacy.** Not for mechanisms or queries chosen in the light of earlier answers; for those use
    :func:`~privml.composition.concentrated.bounded_range_composition`.
    **Source.** Inverse of Dong, Durfee and Rogers (2020), Theorem 3; for mechanisms of S16-thm-0.1.

    Examples
    --------
    >>> round(nonadaptive_range_epsilon(0.05, 1000, 1e-5), 4)
    3.3404
    """
    check.positive(step_epsilon=step_epsilon)
    _checked_steps(k)
    target = _checked_target(delta)
    return crossing(
        lambda epsilon: _log_delta(step_epsilon, k, epsilon) - target, lower=0.0, upper=k * step_epsilon
    )


def nonadaptive_range_step_epsilon(epsilon: float, k: int, delta: float) -> float:
    """Largest range of each of k mechanisms, fixed in advance, for which the total is (epsilon, delta).

    Parameters
    ----------
    epsilon : float
        Total in nats, positive.
    k : int
        Number of steps, at least 1.
    delta : float
        Total, in (0, 1), above 2e-280.

    Returns
    -------
    float
        The optimum has been evaluated there and is at most delta at `epsilon`.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** Inverse of Dong, Durfee and Rogers (2020), Theorem 3; for mechanisms of S16-thm-0.1.

    Examples
    --------
    >>> round(nonadaptive_range_step_epsilon(1.0, 1000, 1e-5), 6)
    0.016955
    """
    check.positive(epsilon=epsilon)
    _checked_steps(k)
    target = _checked_target(delta)
    lower = epsilon / k * (1 - 1e-12)
    return last_crossing(lambda step: _log_delta(step, k, epsilon) - target, lower=lower)


def nonadaptive_range_composition(step: BoundedRangeGuarantee, k: int, delta: float) -> Guarantee:
    """Guarantee of k bounded-range mechanisms fixed in advance, with the smallest possible epsilon.

    Parameters
    ----------
    step : BoundedRangeGuarantee
        Of each step.
    k : int
        Number of steps, at least 1.
    delta : float
        Total, in (0, 1), above 2e-280.

    Returns
    -------
    Guarantee

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Privacy.** Not for mechanisms or queries chosen in the light of earlier answers.
    **Source.** Dong, Durfee and Rogers (2020), Theorem 3; for mechanisms of S16-thm-0.1.

    Examples
    --------
    >>> print(nonadaptive_range_composition(BoundedRangeGuarantee(0.05), 1000, 1e-5))
    (3.34042, 1e-05)-differential privacy (replace-one)
    """
    check.instance(BoundedRangeGuarantee, step=step)
    epsilon = nonadaptive_range_epsilon(step.epsilon, k, delta) if step.epsilon > 0 else 0.0
    return approximate(step, epsilon, delta)
