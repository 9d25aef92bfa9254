r"""What goes wrong when one sample answers adaptive queries: an example in closed form.

Let y be a fair coin and :math:`x_1, \dots, x_v` be fair coins independent of it.  Ask how often x_j agrees
with y, for each j; let s_j be the sign of the answer minus 1/2; then ask how often the sign of
:math:`\sum_j s_j x_j` (coins as signs) agrees with y.  All truths are 1/2.  On the m records that gave the
signs, record i has the votes :math:`v_{ij} = s_j u_{ij}`, where :math:`u_{ij}` says whether x_j agrees with y
there; each vote leans towards agreement by

.. math:: \mu = \mathbb E\, v_{ij} = \mathbb E\, |S| / m \approx \sqrt{2 / (\pi m)}, \qquad
          S = u_{1j} + \dots + u_{mj},

and the majority of v votes makes of that an error of nearly :math:`\frac1\pi \sqrt{v / m}`.  Two records vote
alike with probability 1/2, so that the variance of the last answer is a finite sum as well.
"""

from math import lgamma, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from privml import _check as check

LARGEST_NUMBER_OF_VOTES = 5000
LARGEST_SAMPLE = 10**9
_WINDOW = 12.0


def _log_binomial(n: int, successes: NDArray, probability: float) -> NDArray[np.float64]:
    """Log-probabilities of numbers of successes; the probability is strictly between 0 and 1."""
    from scipy.special import gammaln

    ways = lgamma(n + 1) - gammaln(successes + 1) - gammaln(n - successes + 1)
    return ways + successes * log(probability) + (n - successes) * log(1 - probability)


def vote_lean(n_samples: int, *, noise_scale: float = 0.0) -> float:
    """Mean vote of one record for what the sample that holds it has decided.

    With noise the sum is over the values within twelve standard deviations; the rest weighs below 1e-31.

    **Returns.** ``E |S| / m``, or ``E (|S| / m) (1 - exp(-|S| / (2 m b)))`` with noise, where S is a sum of m
    fair signs.
    **Source.** DR11-thm-private-sq-sample-complexity, its erratum on adaptive learners.

    Parameters
    ----------
    noise_scale : float, default 0
        Scale b of Laplace noise on the answers that give the signs, non-negative.

    Examples
    --------
    >>> round(vote_lean(450), 6), round(vote_lean(450, noise_scale=0.01), 6)
    (0.037592, 0.032928)
    """
    check.positive_integer(n_samples=n_samples)
    check.non_negative(noise_scale=noise_scale)
    if n_samples > LARGEST_SAMPLE:
        raise ValueError(f"n_samples must be at most {LARGEST_SAMPLE}, got {n_samples!r}")
    if noise_scale == 0:
        from scipy.special import poch

        # C(2 h, h) / 4^h with h the whole part of n / 2
        return float(poch(n_samples // 2 + 1, -0.5)) / sqrt(pi)
    width = int(_WINDOW * sqrt(n_samples) / 2) + 1
    middle = n_samples // 2
    successes = np.arange(max(0, middle - width), min(n_samples, middle + width) + 1)
    size = np.abs(2 * successes - n_samples) / n_samples
    weights = np.exp(_log_binomial(n_samples, successes, 0.5))
    return float(weights @ (size * -np.expm1(-size / (2 * noise_scale))))


def _checked_votes(n_votes: int) -> None:
    check.positive_integer(n_votes=n_votes)
    if n_votes % 2 == 0 or n_votes > LARGEST_NUMBER_OF_VOTES:
        raise ValueError(f"n_votes must be odd and at most {LARGEST_NUMBER_OF_VOTES}, got {n_votes!r}")


def overfitting_bias(n_votes: int, n_samples: int, *, noise_scale: float = 0.0) -> float:
    """Expected error of the last answer when one sample answers the adaptive example, exactly.

    **Returns.** ``P(Bin(v, (1 + mu) / 2) > v / 2) - 1/2`` with mu of :func:`vote_lean`; the truth is 1/2, and
    the mean absolute error is at least as large.
    **Source.** DR11-thm-private-sq-sample-complexity, its erratum on adaptive learners.

    Parameters
    ----------
    n_votes : int
        Number v of queries before the last, odd.
    noise_scale : float, default 0
        Scale of Laplace noise on every answer, non-negative.

    Examples
    --------
    The sample size for 202 queries of accuracy 0.1 that are fixed in advance:

    >>> round(overfitting_bias(201, 450), 4)
    0.2033
    """
    _checked_votes(n_votes)
    chance = (1 + vote_lean(n_samples, noise_scale=noise_scale)) / 2
    return _majority(n_votes, chance) - 0.5


def _majority(n_votes: int, chance: float) -> float:
    if chance >= 1:
        return 1.0
    ahead = np.arange(n_votes // 2 + 1, n_votes + 1)
    return float(np.exp(_log_binomial(n_votes, ahead, chance)).sum())


def _both_majorities(n_votes: int, lean: float) -> float:
    """Probability that two records both have a majority of votes for agreement.

    The votes lean by less than 1/2, as those of 8 or more records do.  Given that they are alike w times,
    their sums are X + Y and X - Y with X a sum of w leaning votes and Y a sum of v - w fair ones; both are
    positive where X > |Y|.
    """
    total = 0.0
    alike_chances = np.exp(_log_binomial(n_votes, np.arange(n_votes + 1), 0.5))
    for alike, weight in enumerate(alike_chances):
        if weight < 1e-18:
            continue
        together = np.exp(_log_binomial(alike, np.arange(alike + 1), 0.5 + lean))
        at_least = np.append(np.cumsum(together[::-1])[::-1], 0.0)
        apart = n_votes - alike
        counts = np.arange(apart + 1)
        needed = (alike + np.abs(2 * counts - apart)) // 2 + 1  # 2 A - alike > |2 B - apart|
        reached = at_least[np.minimum(needed, alike + 1)]
        total += weight * float(np.exp(_log_binomial(apart, counts, 0.5)) @ reached)
    return total


def overfitting_probability(n_votes: int, n_samples: int, alpha: float, *, noise_scale: float = 0.0) -> float:
    """Lower bound on the probability that the last answer of the adaptive example is off by more than alpha.

    **Returns.** By Cantelli's inequality from the exact mean and variance; 0 where the mean error is at most
    alpha.
    **Source.** DR11-thm-private-sq-sample-complexity, its erratum on adaptive learners: with this probability
    a sample that is reused breaks the promised accuracy.

    Parameters
    ----------
    n_votes : int
        Number v of queries before the last, odd.
    noise_scale : float, default 0
        Scale b of Laplace noise on every answer, non-negative.

    Examples
    --------
    >>> round(overfitting_probability(201, 450, 0.1), 3)
    0.973
    """
    _checked_votes(n_votes)
    check.non_negative(alpha=alpha)
    check.positive_integer(n_samples=n_samples)
    if n_samples < 8:
        raise ValueError(f"n_samples must be at least 8, got {n_samples!r}")
    lean = vote_lean(n_samples, noise_scale=noise_scale)
    mean = _majority(n_votes, (1 + lean) / 2)
    beyond = mean - 0.5 - alpha
    if beyond <= 0:
        return 0.0
    covariance = _both_majorities(n_votes, lean) - mean**2
    variance = (mean * (1 - mean) + (n_samples - 1) * covariance) / n_samples + 2 * noise_scale * noise_scale
    return float(beyond * beyond / (beyond * beyond + variance))
