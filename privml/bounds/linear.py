"""Learning rates of LinearLearner in closed form, and its excess risk with every constant.

The risk of a point theta of the simplex is the mean of ``<theta, x>`` over examples x in [-1, 1]^d; the
excess compares with the best coordinate.  It is bounded through the regret
(:mod:`privml.bounds.online_to_batch`).

The learning rate is ``epsilon / sqrt(c T ln(1 / delta))``, with c = 32 as printed for losses in [0, 1], or
c = 128 as the same argument needs it for losses in [-1, 1].
"""

from math import log, sqrt

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.experts import MOST_EPSILON, private_eta_dr11
from privml.bounds.exponential_mechanism import exponential_utility_gap
from privml.bounds.online_to_batch import LOSS_RANGE, linear_regret, online_excess_risk
from privml.bounds.tails import azuma_deviation

RANGES = {"corrected": LOSS_RANGE, "printed": 1.0}
"""The length of the interval of losses that each learning rate is made for."""

LARGEST_RATIO = {"corrected": MOST_EPSILON, "printed": 8.0}
"""Largest epsilon / ln(1 / delta) at which each rate is proved to be (epsilon, delta)-private."""

CLOSED_FORM = 13.0
"""Constant of :func:`linear_excess_risk_closed`: above sqrt(128) + 1 / (2 sqrt(128)) + sqrt(10) / 2."""


def linear_learning_rate(epsilon: float, delta: float, n_samples: int, *, rule: str = "corrected") -> float:
    """Learning rate of LinearLearner in closed form, for losses in [-1, 1].

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive, at most 48 ln(1 / delta), or 8 ln(1 / delta) as printed.
    rule : {"corrected", "printed"}
        The source takes the rate of losses in [0, 1]; its own argument asks for half of that here.

    Returns
    -------
    float
        ``epsilon / sqrt(128 T ln(1 / delta))``, or with the printed 32.

    Notes
    -----
    **Source.** DR11-alg-17 and DR11-thm-11.5.

    Examples
    --------
    >>> rates = [linear_learning_rate(1.0, 1e-5, 1000, rule=rule) for rule in RANGES]
    >>> [round(rate, 6) for rate in rates]
    [0.000824, 0.001648]
    """
    check.one_of(RANGES, rule=rule)
    check.positive_integer(n_samples=n_samples)
    eta = private_eta_dr11(epsilon, delta, n_samples, loss_range=RANGES[rule])
    largest = -LARGEST_RATIO[rule] * log(delta)
    if epsilon > largest:
        times = f"{LARGEST_RATIO[rule]:g} ln(1 / delta)"
        raise ValueError(f"epsilon must be at most {times} = {largest!r} for this rate, got {epsilon!r}")
    return eta


def linear_excess_risk(eta: float, n_samples: int, n_features: int, beta: float) -> float:
    """Excess risk of LinearLearner at a learning rate, except with probability beta.

    Returns
    -------
    float
        ``ln(d) / (eta T) + eta / 2 + sqrt(10 ln(1 / beta) / T)``.

    Notes
    -----
    **Source.** DR11-thm-11.6 with constants; holds for every eta, so for every epsilon.

    Examples
    --------
    >>> round(linear_excess_risk(0.05, 1000, 10, 0.05), 6)
    0.244134
    """
    return online_excess_risk(linear_regret(eta, n_samples, n_features), n_samples, beta)


def linear_excess_risk_dr11(eta: float, n_samples: int, n_features: int, beta: float) -> float:
    """Excess risk of LinearLearner as the source's proof gives it, with its three events kept apart.

    Returns
    -------
    float
        ``ln(d) / (eta T) + eta + 2 sqrt(2 ln(4 / beta) / T) + sqrt(2 ln(4 d / beta) / T)``.

    Notes
    -----
    **Source.** DR11-thm-11.6: what its O(.) hides when the proof is followed for losses in [-1, 1].

    Examples
    --------
    >>> round(linear_excess_risk_dr11(0.05, 1000, 10, 0.05), 6)
    0.39891
    """
    regret = linear_regret(eta, n_samples, n_features) + eta / 2
    check.probability_open(beta=beta)
    draws = azuma_deviation(n_samples, beta / 4, step_range=2.0, two_sided=False)
    return (
        regret
        + 2 * draws
        + azuma_deviation(n_samples, beta / (4 * n_features), step_range=2.0, two_sided=False)
    )


def linear_excess_risk_closed(
    epsilon: float, delta: float, n_samples: int, n_features: int, beta: float
) -> float:
    """Excess risk of LinearLearner at the corrected rate, in the form of the source.

    Returns
    -------
    float
        ``13 sqrt(ln(1 / delta)) ln(d / beta) / (epsilon sqrt(T))``, never below
        :func:`linear_excess_risk` at the corrected rate.

    Notes
    -----
    **Source.** DR11-thm-11.6, with 13 for what its O(.) hides and with the condition that it lacks.

    Examples
    --------
    >>> round(linear_excess_risk_closed(1.0, 1e-5, 10**6, 10, 0.05), 6)
    0.233708
    """
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta, beta=beta)
    check.positive_integer(n_samples=n_samples, n_features=n_features)
    largest = sqrt(-log(delta) * log(n_features))
    if epsilon > largest:
        raise ValueError(f"epsilon must be at most sqrt(ln(1/delta) ln(d)) = {largest!r}, got {epsilon!r}")
    return CLOSED_FORM * sqrt(-log(delta) / n_samples) * log(n_features / beta) / epsilon


def linear_sample_size(
    epsilon: float, delta: float, n_features: int, alpha: float, beta: float, *, rule: str = "corrected"
) -> int:
    """Smallest number of examples at which the excess risk of LinearLearner is at most alpha.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, in the range of :func:`linear_learning_rate`.
    rule : {"corrected", "printed"}
        Learning rate.

    Notes
    -----
    **Source.** DR11-thm-11.6, inverted.

    Examples
    --------
    >>> linear_sample_size(1.0, 1e-5, 10, 0.1, 0.05)
    881317
    """
    check.positive(alpha=alpha)

    def holds(n_samples: int) -> bool:
        eta = linear_learning_rate(epsilon, delta, n_samples, rule=rule)
        return linear_excess_risk(eta, n_samples, n_features, beta) <= alpha

    return smallest_integer(holds)


def one_draw_excess_risk(epsilon: float, n_samples: int, n_features: int, beta: float) -> float:
    """Excess risk of one coordinate by the exponential mechanism, except with probability beta.

    Coordinate i is released with probability proportional to ``exp(-epsilon sum_t x_{t,i} / 4)``, once.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive; delta is 0.

    Returns
    -------
    float
        ``4 ln(2 d / beta) / (epsilon T) + 2 sqrt(2 ln(2 (d + 1) / beta) / T)``.

    Notes
    -----
    **Source.** What DR11-thm-11.6 competes with; DR11-alg-exp-mech-learner for a sum of sensitivity 2.

    Examples
    --------
    >>> round(one_draw_excess_risk(1.0, 10**4, 10, 0.05), 6)
    0.072178
    """
    check.positive_integer(n_samples=n_samples)
    check.probability_open(beta=beta)
    gap = exponential_utility_gap(n_features, epsilon, beta / 2, sensitivity=LOSS_RANGE)
    tail = beta / (2 * (n_features + 1))
    return gap / n_samples + 2 * azuma_deviation(n_samples, tail, step_range=LOSS_RANGE, two_sided=False)
