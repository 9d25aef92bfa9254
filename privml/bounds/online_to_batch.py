"""From regret to risk: what an online algorithm for losses in [-1, 1] promises on fresh examples.

Round t draws a coordinate a_t from a law p_t that depends on the earlier examples, then looks at an
example x_t in [-1, 1]^d, whose entries are the losses of the coordinates.  Regret compares the algorithm with
the best coordinate on the examples at hand; risk is the mean loss on a new example.  Three events can be
one: along a run, ``sum <a_t - e*, E x> - <p_t - e*, x_t>`` is a martingale with two steps a round, the draw
(range 2) and the example (range 4), so Azuma's inequality has ``2^2 + 4^2`` for each round.
"""

from math import sqrt

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.experts import regret_bound
from privml.bounds.tails import azuma_deviation

LOSS_RANGE = 2.0
"""Length of the interval [-1, 1] of the losses."""

ROUND_RANGE = sqrt(LOSS_RANGE**2 + (2 * LOSS_RANGE) ** 2)
"""Range of one round: the draw of a coordinate, then that of the example, added in squares."""


def linear_regret(eta: float, n_samples: int, n_features: int) -> float:
    """Regret per round of randomised weighted majority on losses in [-1, 1], in expectation.

    Returns
    -------
    float
        ``ln(d) / (eta T) + eta / 2``: over the draws, on every sequence of losses.

    Notes
    -----
    **Source.** DR11-red-erm-to-experts; for losses in [0, 1] the last term would be eta / 8.

    Examples
    --------
    >>> round(linear_regret(0.05, 1000, 10), 6)
    0.071052
    """
    check.positive_integer(n_samples=n_samples, n_features=n_features)
    return regret_bound(eta, n_features, n_samples, loss_range=LOSS_RANGE)


def online_excess_risk(regret: float, n_samples: int, beta: float) -> float:
    """Excess risk of the mean draw of any online algorithm, from its regret, except with probability beta.

    Parameters
    ----------
    regret : float
        Regret per round in expectation over the draws, on every sequence of losses in [-1, 1].

    Returns
    -------
    float
        ``regret + sqrt(10 ln(1 / beta) / T)``.

    Notes
    -----
    **Source.** DR11-red-erm-to-experts, with one martingale in place of three events.

    Examples
    --------
    >>> round(online_excess_risk(0.05, 1000, 0.05), 6)
    0.223082
    """
    check.finite(regret=regret)
    check.positive_integer(n_samples=n_samples)
    return regret + azuma_deviation(n_samples, beta, step_range=ROUND_RANGE, two_sided=False)


def online_sample_size(regret: float, alpha: float, beta: float) -> int:
    """Smallest number of rounds at which :func:`online_excess_risk` is at most alpha.

    Parameters
    ----------
    regret : float
        Regret per round, below alpha.

    Notes
    -----
    **Source.** DR11-red-erm-to-experts, inverted.

    Examples
    --------
    >>> online_sample_size(0.05, 0.1, 0.05)
    11983
    """
    check.positive(alpha=alpha)
    check.finite(regret=regret)
    if not regret < alpha:
        raise ValueError(f"regret must be below alpha = {alpha!r}, got {regret!r}")
    return smallest_integer(lambda n: online_excess_risk(regret, n, beta) <= alpha)
