r"""The exact composition of k equal steps of pure or approximate privacy.

Every epsilon-DP pair of laws can be produced from the two outcomes of *randomised response*, which have
privacy losses +epsilon and -epsilon, with probabilities ``e^epsilon / (1 + e^epsilon)`` and
``1 / (1 + e^epsilon)``; post-processing never hurts.  So k steps are never worse than k independent
randomised responses, even if chosen adaptively; these are epsilon-DP themselves, so the bound is attained.
With I the number of negative losses, binomial, the total loss is ``(k - 2 I) epsilon``, and

.. math:: \delta(\varepsilon_{total}) = E \max(0, 1 - e^{\varepsilon_{total} - (k - 2 I) \varepsilon}) .

A step with a delta of its own adds an outcome of infinite loss.
"""

from math import exp, expm1, log, log1p

import numpy as np

from privml import _check as check
from privml._search import last_crossing
from privml.composition.base import approximate
from privml.distributions.binomial import binomial_logpmf
from privml.divergences import PrivacyCurve
from privml.guarantee import Guarantee


def _curve(step_epsilon: float, k: int) -> PrivacyCurve:
    """The privacy curve of k-fold randomised response."""
    check.non_negative(step_epsilon=step_epsilon)
    check.positive_integer(k=k)
    rest = exp(-step_epsilon) / (1 + exp(-step_epsilon))
    return PrivacyCurve((k - 2 * np.arange(k + 1)) * step_epsilon, binomial_logpmf(k, rest))


def _log_no_accident(k: int, step_delta: float) -> float:
    """Log-probability that none of the k steps has an infinite loss."""
    check.probability_half_open(step_delta=step_delta)
    return k * log1p(-step_delta)


def optimal_delta(step_epsilon: float, k: int, epsilon: float, *, step_delta: float = 0.0) -> float:
    """Exact delta at epsilon of k adaptive (step_epsilon, step_delta)-DP steps.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of each step in nats, non-negative.
    k : int
        Number of steps, at least 1.
    epsilon : float
        Total in nats, non-negative.
    step_delta : float, default 0
        Delta of each step, in [0, 1).

    Returns
    -------
    float
        In [0, 1]; attained by randomised response, so no theorem can give less.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** Kairouz, Oh and Viswanath (2015), Theorem 3.3; the optimum behind DR11-thm-3.20.

    Examples
    --------
    >>> round(optimal_delta(0.05, 1000, 7.4928), 8)
    1e-05
    """
    check.non_negative(epsilon=epsilon)
    delta = _curve(step_epsilon, k).delta(epsilon)
    survived = _log_no_accident(k, step_delta)
    return -expm1(survived) + exp(survived) * delta


def optimal_epsilon(step_epsilon: float, k: int, delta: float, *, step_delta: float = 0.0) -> float:
    """Exact epsilon at delta of k adaptive (step_epsilon, step_delta)-DP steps.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of each step in nats, non-negative.
    k : int
        Number of steps, at least 1.
    delta : float
        Total, in [0, 1); 0 gives ``k step_epsilon``.
    step_delta : float, default 0
        Delta of each step, in [0, 1).

    Returns
    -------
    float
        The curve at this very float has been evaluated and is at most delta.

    Raises
    ------
    ValueError
        If a parameter is out of range; if delta is below ``1 - (1 - step_delta)^k``, which no epsilon cures.

    Notes
    -----
    **Source.** Inverse of Kairouz, Oh and Viswanath (2015), Theorem 3.3; the optimum behind DR11-thm-3.20.

    Examples
    --------
    >>> round(optimal_epsilon(0.05, 1000, 1e-5), 4)
    7.4928
    """
    check.probability_half_open(delta=delta)
    curve, survived = _curve(step_epsilon, k), _log_no_accident(k, step_delta)
    if step_delta == 0:
        return curve.epsilon(delta)
    # 1 - (1 - delta) / (1 - step_delta)^k, rounded down
    rest = -expm1(log1p(-delta) - survived) - 2.0**-51 * delta
    if rest < 0:
        raise ValueError(f"delta must be above {-expm1(survived):g}, the steps' own together, got {delta!r}")
    return curve.epsilon(rest)


def optimal_step_epsilon(epsilon: float, k: int, delta: float) -> float:
    """Largest epsilon of each of k pure steps for which the total is (epsilon, delta), exactly.

    Parameters
    ----------
    epsilon : float
        Total in nats, positive.
    k : int
        Number of steps, at least 1.
    delta : float
        Total, in (0, 1).

    Returns
    -------
    float
        The curve has been evaluated there and is at most delta at `epsilon`.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** Inverse of Kairouz, Oh and Viswanath (2015), Theorem 3.3; the optimum behind DR11-thm-3.20.

    Examples
    --------
    >>> round(optimal_step_epsilon(1.0, 1000, 1e-5), 6)
    0.008487
    """
    check.positive(epsilon=epsilon)
    check.positive_integer(k=k)
    check.probability_open(delta=delta)
    lower, target = epsilon / k * (1 - 1e-12), log(delta)
    return last_crossing(lambda step: max(_curve(step, k).log_delta(epsilon), -1e9) - target, lower=lower)


def optimal_composition(step: Guarantee, k: int, delta: float) -> Guarantee:
    """Guarantee of k adaptive steps, with the smallest possible epsilon at a chosen delta.

    Parameters
    ----------
    step : Guarantee
        Of each step, pure or approximate.
    k : int
        Number of steps, at least 1.
    delta : float
        Total, in [0, 1).

    Returns
    -------
    Guarantee

    Raises
    ------
    ValueError
        If a parameter is out of range or delta is out of reach.

    Notes
    -----
    **Privacy.** Attained: nothing smaller holds for all mechanisms with the guarantee `step`.
    **Source.** Kairouz, Oh and Viswanath (2015), Theorem 3.3; the optimum behind DR11-thm-3.20.

    Examples
    --------
    >>> print(optimal_composition(Guarantee(0.05), 1000, 1e-5))
    (7.49285, 1e-05)-differential privacy (replace-one)
    """
    check.instance(Guarantee, step=step)
    return approximate(step, optimal_epsilon(step.epsilon, k, delta, step_delta=step.delta), delta)
