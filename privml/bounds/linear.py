"""LinearLearner's learning rates in closed form, and its excess risk: from regret to risk.

The risk of a point theta of the simplex is the mean of ``<theta, x>`` over examples x in [-1, 1]^d; the
excess compares with the best coordinate.  Round t draws a coordinate a_t from a law p_t that depends on the
earlier examples, then looks at an example x_t, whose entries are the losses of the coordinates.  Along a run
``sum <a_t - e*, E x> - <p_t - e*, x_t>`` is a martingale with two steps a round, the draw (range 2) and the
example (range 4), so Azuma's inequality has ``2^2 + 4^2`` for each round.

The learning rate is ``epsilon / sqrt(c T ln(1 / delta))``, with c = 32 as printed for losses in [0, 1], or
c = 128 as the same argument needs it for losses in [-1, 1].
"""

from math import log, sqrt

from privml import _check as check
from privml.bounds.experts import MOST_EPSILON, private_eta_dr11, regret_bound
from privml.bounds.tails import azuma_deviation

LOSS_RANGE = 2.0
"""Length of the interval [-1, 1] of the losses."""

ROUND_RANGE = sqrt(LOSS_RANGE**2 + (2 * LOSS_RANGE) ** 2)
"""Range of one round: the draw of a coordinate, then that of the example, added in squares."""

RANGES = {"corrected": LOSS_RANGE, "printed": 1.0}
"""The length of the interval of losses that each learning rate is made for."""

LARGEST_RATIO = {"corrected": MOST_EPSILON, "printed": 8.0}
"""Largest epsilon / ln(1 / delta) at which each rate is proved to be (epsilon, delta)-private."""


def linear_learning_rate(epsilon: float, delta: float, n_samples: int, *, rule: str = "corrected") -> float:
    """Learning rate of LinearLearner in closed form, for losses in [-1, 1].

    **Returns.** ``epsilon / sqrt(128 T ln(1 / delta))``, or with the printed 32.
    **Source.** DR11-alg-17 and DR11-thm-11.5.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive, at most 48 ln(1 / delta), or 8 ln(1 / delta) as printed.
    rule : {"corrected", "printed"}
        The source takes the rate of losses in [0, 1]; its own argument asks for half of that here.

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


def linear_regret(eta: float, n_samples: int, n_features: int) -> float:
    """Regret per round of randomised weighted majority on losses in [-1, 1], in expectation.

    **Returns.** ``ln(d) / (eta T) + eta / 2``: over the draws, on every sequence of losses.
    **Source.** DR11-red-erm-to-experts; for losses in [0, 1] the last term would be eta / 8.

    >>> round(linear_regret(0.05, 1000, 10), 6)
    0.071052
    """
    check.positive_integer(n_samples=n_samples, n_features=n_features)
    return regret_bound(eta, n_features, n_samples, loss_range=LOSS_RANGE)


def online_excess_risk(regret: float, n_samples: int, beta: float) -> float:
    """Excess risk of the mean draw of any online algorithm, from its regret, except with probability beta.

    **Returns.** ``regret + sqrt(10 ln(1 / beta) / T)``.
    **Source.** DR11-red-erm-to-experts, with one martingale in place of three events.

    Parameters
    ----------
    regret : float
        Regret per round in expectation over the draws, on every sequence of losses in [-1, 1].

    Examples
    --------
    >>> round(online_excess_risk(0.05, 1000, 0.05), 6)
    0.223082
    """
    check.finite(regret=regret)
    check.positive_integer(n_samples=n_samples)
    return regret + azuma_deviation(n_samples, beta, step_range=ROUND_RANGE, two_sided=False)


def linear_excess_risk(eta: float, n_samples: int, n_features: int, beta: float) -> float:
    """Excess risk of LinearLearner at a learning rate, except with probability beta.

    **Returns.** ``ln(d) / (eta T) + eta / 2 + sqrt(10 ln(1 / beta) / T)``.
    **Source.** DR11-thm-11.6 with constants; holds for every eta, so for every epsilon.

    >>> round(linear_excess_risk(0.05, 1000, 10, 0.05), 6)
    0.244134
    """
    return online_excess_risk(linear_regret(eta, n_samples, n_features), n_samples, beta)
