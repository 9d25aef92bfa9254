"""The exact composition of k equal steps of pure or approximate privacy.

The worst steps are independent *randomised responses*, of losses +epsilon and -epsilon.  With I the number
of negative ones, binomial, ``delta = E max(0, 1 - e^(total - (k - 2 I) epsilon))``; a step with a delta of
its own adds an outcome of infinite loss.
"""

from math import ceil, exp, expm1, inf, log1p

from privml import _check as check
from privml._rounding import product
from privml._search import crossing, last_crossing
from privml.composition.sums import _approximate, _log_target
from privml.distributions.binomial import log_excess
from privml.guarantee import Guarantee

LARGEST_OPTIMAL = 10**8  # most steps whose binomial sum is formed


def _log_delta(step_epsilon: float, k: int, epsilon: float) -> float:
    """Logarithm of delta at a total epsilon of k-fold randomised response."""
    if epsilon >= (total := product(k, step_epsilon)):
        return -inf
    most = max(
        0, ceil((k - epsilon / step_epsilon) / 2) - 1
    )  # negative losses that leave more than epsilon
    while most and (k - 2 * most) * step_epsilon - epsilon <= 0:
        most -= 1
    gap = (k - 2 * most) * step_epsilon - epsilon if most else total - epsilon
    log_rest = -log1p(exp(-step_epsilon))
    return min(
        0.0,
        log_excess(k, log_rest - step_epsilon, log_rest, most, gap, 2 * step_epsilon),
    )


def _log_no_accident(k: int, step_delta: float) -> float:
    """Log-probability that none of the k steps has an infinite loss."""
    check.positive_integer(k=k)
    check.at_most(LARGEST_OPTIMAL, k=k)
    check.probability_half_open(step_delta=step_delta)
    return k * log1p(-step_delta)


def optimal_delta(
    step_epsilon: float, k: int, epsilon: float, *, step_delta: float = 0.0
) -> float:
    """Exact delta at epsilon of k adaptive (step_epsilon, step_delta)-DP steps.

    Parameters
    ----------
    step_epsilon : float
        Privacy parameter in nats of a step, non-negative.
    k : int
        Number of steps, a positive integer up to 10^8.
    epsilon : float
        Privacy parameter in nats, non-negative.
    step_delta : float
        Additive slack of a step, in [0, 1).

    Notes
    -----
    *Privacy.* Randomised response attains the bound, so no theorem can give less.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), Theorem 3.3; the optimum behind DR11-thm-3.20.

    Examples
    --------
    >>> round(optimal_delta(0.05, 1000, 7.4928), 11)
    1.000152e-05
    """
    check.non_negative(epsilon=epsilon, step_epsilon=step_epsilon)
    survived = _log_no_accident(k, step_delta)
    return -expm1(survived) + exp(survived + _log_delta(step_epsilon, k, epsilon))


def optimal_epsilon(
    step_epsilon: float, k: int, delta: float, *, step_delta: float = 0.0
) -> float:
    """Exact epsilon at delta of k adaptive (step_epsilon, step_delta)-DP steps; at delta = 0 the sum.

    Parameters
    ----------
    step_epsilon : float
        Privacy parameter in nats of a step, non-negative.
    k : int
        Number of steps, a positive integer up to 10^8.
    delta : float
        Additive slack, in [0, 1).
    step_delta : float
        Additive slack of a step, in [0, 1).

    Raises
    ------
    ValueError
        If delta is below ``1 - (1 - step_delta)^k``.

    References
    ----------
    Inverse of Kairouz, Oh and Viswanath (2015), Theorem 3.3; the optimum behind DR11-thm-3.20.

    Examples
    --------
    >>> round(optimal_epsilon(0.05, 1000, 1e-5), 5)
    7.49285
    """
    check.probability_half_open(delta=delta)
    check.non_negative(step_epsilon=step_epsilon)
    survived = _log_no_accident(k, step_delta)
    # 1 - (1 - delta) / (1 - step_delta)^k, rounded down
    rest = (
        -expm1(min(log1p(-delta) - survived, 1.0)) - 2.0**-51 * delta
        if step_delta
        else delta
    )
    if rest < 0:
        raise ValueError(
            f"delta must be above {-expm1(survived)!r}, which is what the steps spend together, but got {delta!r}."
        )
    if rest == 0:
        return product(k, step_epsilon)
    upper, target = product(k, step_epsilon), _log_target(rest)
    return crossing(
        lambda total: _log_delta(step_epsilon, k, total) - target,
        lower=0.0,
        upper=upper,
    )


def optimal_step_epsilon(epsilon: float, k: int, delta: float) -> float:
    """Largest epsilon of each of k pure steps for which the total is (epsilon, delta), exactly.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    k : int
        Number of steps, a positive integer up to 10^8.
    delta : float
        Additive slack, in (0, 1).

    References
    ----------
    Inverse of Kairouz, Oh and Viswanath (2015), Theorem 3.3; the optimum behind DR11-thm-3.20.

    Examples
    --------
    >>> round(optimal_step_epsilon(1.0, 1000, 1e-5), 6)
    0.008487
    """
    check.positive(epsilon=epsilon)
    check.positive_integer(k=k)
    check.at_most(LARGEST_OPTIMAL, k=k)
    check.probability_open(delta=delta)
    lower, target = epsilon / k * (1 - 1e-12), _log_target(delta)
    return last_crossing(
        lambda step: _log_delta(step, k, epsilon) - target, lower=lower
    )


def optimal_composition(step: Guarantee, k: int, delta: float) -> Guarantee:
    """Guarantee of k adaptive steps at a chosen delta: :func:`optimal_epsilon`, which is attained.

    Parameters
    ----------
    step : Guarantee
        Promise of each step.
    k : int
        Number of steps, a positive integer up to 10^8.
    delta : float
        Additive slack, in [0, 1).

    Raises
    ------
    ValueError
        If delta is below ``1 - (1 - step.delta)^k``.

    References
    ----------
    Kairouz, Oh and Viswanath (2015), Theorem 3.3; the optimum behind DR11-thm-3.20.

    Examples
    --------
    >>> print(optimal_composition(Guarantee(0.05), 1000, 1e-5))
    (7.49285, 1e-05)-differential privacy (replace-one)
    """
    check.instance(Guarantee, step=step)
    return _approximate(
        step, optimal_epsilon(step.epsilon, k, delta, step_delta=step.delta), delta
    )


check.wrap_module(__name__)
