r"""PATE with active queries: how many teachers, how many labels, and what error (Theorem 22 of LZCW21).

Four steps.  The teachers are good: all of them disagree with h* on a share b of the points at most.  The
noisy vote is as good up to a factor: with K teachers, noise sigma and a share p of wrong votes at x, the
label is wrong with probability :math:`\Phi((p - 1/2) K / \sigma)`, and if
:math:`K \ge 6 \sigma \sqrt{2 \ln(2 n)}` that is at most 3 p + 1/n for every p.  So the student's problem
is nearly realizable, with least error at most :math:`\nu = 3 b + 1 / n`, and active learning solves it with
few labels.  Last, disagreements add up.
"""

from collections.abc import Callable
from math import log, sqrt

from privml import _check as check
from privml._search import ceiling, power
from privml.bounds.pate import source_sigma


def noisy_vote_error(wrong_share: float, n_teachers: int, sigma: float) -> float:
    r"""Probability that the noisy majority is wrong at a point where a share of the teachers is.

    :math:`\Phi((p - \frac12) K / \sigma)`, exactly, if the right label is 1; ties do not matter.

    **Source.** LZCW21-thm-34, step 2, before any inequality.

    Parameters
    ----------
    wrong_share : float
        Share p of the teachers that are wrong, in [0, 1].

    Examples
    --------
    >>> round(noisy_vote_error(0.25, 100, 10.0), 5)
    0.00621
    """
    from scipy.special import ndtr

    check.positive_integer(n_teachers=n_teachers)
    check.positive(sigma=sigma)
    check.finite(wrong_share=wrong_share)
    if not 0 <= wrong_share <= 1:
        raise ValueError(f"wrong_share must be in [0, 1], got {wrong_share!r}")
    return float(ndtr((wrong_share - 0.5) * n_teachers / sigma))


def noisy_vote_disagreement(
    mean_disagreement: float, n_teachers: int, sigma: float, tail: float, *, sides: int = 2
) -> float:
    r"""Bound on the disagreement of the noisy vote with h*, from the mean one of the teachers.

    ``mean / (1/2 - sigma sqrt(2 ln(sides / tail)) / K) + tail``, at most 1; 1 if the denominator is not
    positive.

    **Source.** LZCW21-thm-34, step 2; LZCW21-thm-28 has it with m for l.

    Parameters
    ----------
    mean_disagreement : float
        Mean over the teachers of the probability of disagreement with h*, in [0, 1].
    tail : float
        Probability that the noise is larger than is allowed for, in (0, 1); 1/n in the source.
    sides : {2, 1}
        The source bounds the noise on both sides; only one can do harm.

    Examples
    --------
    >>> round(noisy_vote_disagreement(0.01, 234, 10.0, 1 / 1000), 5)
    0.031
    """
    check.positive_integer(n_teachers=n_teachers)
    check.positive(sigma=sigma)
    check.probability_open(tail=tail)
    check.one_of((1, 2), sides=sides)
    check.non_negative(mean_disagreement=mean_disagreement)
    room = 0.5 - sigma * sqrt(2 * log(sides / tail)) / n_teachers
    return 1.0 if room <= 0 else min(1.0, mean_disagreement / room + tail)


def asq_teachers(n_queries: int, n_samples: int, epsilon: float, delta: float) -> int:
    r"""Number of teachers with which the noise that pays for the queries does little harm.

    :math:`6 \sqrt{\ln(2n)} \, \big(\sqrt{l \ln(1/\delta)} + \sqrt{l \ln(1/\delta) + \varepsilon l}\big)
    / \varepsilon = 6 \sigma \sqrt{2 \ln(2 n)}`, rounded up.

    **Source.** LZCW21-thm-22, with the noise of LZCW21-alg-1.

    >>> asq_teachers(100, 10_000, 1.0, 1e-6)
    1429
    """
    check.positive_integer(n_queries=n_queries, n_samples=n_samples)
    return ceiling(6 * source_sigma(n_queries, epsilon, delta) * sqrt(2 * log(2 * n_samples)))


def asq_queries(
    alpha: float, vc_dimension: int, beta: float, *, theta: Callable[[float], float], constant: float
) -> int:
    r"""Label budget of active PATE for an excess error, up to a constant.

    :math:`C_2 \theta(\alpha) (1 + \ln \frac1\alpha)
    \big(d \ln \theta(\alpha) + \ln \frac{\ln(1/\alpha)}{\beta / 2}\big)`, rounded up, at least 1.

    **Source.** LZCW21-thm-22.

    >>> asq_queries(0.01, 1, 0.1, theta=lambda radius: 2.0, constant=1.0)
    59
    """
    check.positive_integer(vc_dimension=vc_dimension)
    check.probability_open(alpha=alpha, beta=beta)
    check.function(theta=theta)
    check.positive(constant=constant)
    if not log(1 / alpha) >= 1:
        raise ValueError(f"alpha must be at most 1/e, got {alpha!r}")
    width = theta(alpha)
    found = width * (1 + log(1 / alpha)) * (vc_dimension * log(width) + log(log(1 / alpha) / (beta / 2)))
    return max(1, ceiling(constant * found))


def asq_excess_error(
    n_samples: int,
    n_points: int,
    n_teachers: int,
    vc_dimension: int,
    beta: float,
    *,
    tau: float,
    eta: float,
    constant: float,
) -> float:
    r"""Least excess error that active PATE promises for a number of teachers, up to a constant.

    C_1 times the larger of
    :math:`\eta^{\frac{2}{2 - \tau}} \big(\frac{K}{n}
    (d \ln \frac nd + \ln \frac{2K}{\beta})\big)^{\frac{\tau}{2 - \tau}}`
    and :math:`\frac{d \ln((m + n)/d) + \ln(2/\beta)}{m}`.

    **Source.** LZCW21-thm-22, with K in front of the second logarithm as corrected, and the first at least 1.

    >>> found = asq_excess_error(10**6, 10**4, 1000, 1, 0.1, tau=1.0, eta=1.0, constant=1.0)
    >>> round(found, 5)
    0.02372
    """
    check.positive_integer(n_samples=n_samples, n_points=n_points, n_teachers=n_teachers)
    check.positive_integer(vc_dimension=vc_dimension)
    check.probability_open(beta=beta)
    check.positive(eta=eta, constant=constant)
    check.non_negative(tau=tau)
    if tau > 1 or n_samples < max(n_teachers, vc_dimension):
        raise ValueError(f"tau must be at most 1 and n_samples at least {n_teachers}, got {tau}, {n_samples}")
    d, n, k = vc_dimension, n_samples, n_teachers
    teachers = k * (d * max(1.0, log(n / d)) + log(2 * k / beta)) / n
    student = (d * log((n_points + n) / d) + log(2 / beta)) / n_points
    return constant * max(power(eta, 2 / (2 - tau)) * teachers ** (tau / (2 - tau)), student)
