r"""Active learning for classes of finite VC dimension: the forms of the literature, constants as keywords.

The shape is that of :mod:`privml.bounds.active`, with :math:`d \ln \theta` in place of the logarithm of the
number of hypotheses.  The constants are not given by LZCW21, nor is their best value known, so they are
required keywords.
"""

from collections.abc import Callable
from math import log, sqrt

from privml import _check as check
from privml._search import ceiling


def _vc_checks(
    vc_dimension: int, beta: float, best_error: float, constant: float, theta: Callable[[float], float]
) -> None:
    check.function(theta=theta)
    check.positive_integer(vc_dimension=vc_dimension)
    check.probability_open(beta=beta)
    check.probability_half_open(best_error=best_error)
    check.positive(constant=constant)


def active_excess_error_vc(
    n_points: int,
    vc_dimension: int,
    beta: float,
    *,
    best_error: float,
    theta: Callable[[float], float],
    constant: float,
) -> float:
    r"""Excess error of active learning after m points, for a VC class, up to a constant.

    Parameters
    ----------
    best_error : float
        Least error :math:`\nu` of the class, in [0, 1).
    theta : callable
        Disagreement coefficient as a function of the radius.
    constant : float
        The constant that the source leaves open, positive.

    Returns
    -------
    float
        ``constant`` times :math:`\frac{d \ln \theta(d/m) + \ln(1/\beta)}{m}` plus the root of
        :math:`\frac{\nu (d \ln \theta(\nu) + \ln(1/\beta))}{m}`.

    Notes
    -----
    **Source.** LZCW21-lem-33, Lemma 33, with the parentheses as corrected; Hanneke (2014), Lemma 3.1.

    Examples
    --------
    >>> options = {"best_error": 0.0, "theta": lambda radius: 2.0, "constant": 1.0}
    >>> round(active_excess_error_vc(1000, 1, 0.1, **options), 6)
    0.002996
    """
    _vc_checks(vc_dimension, beta, best_error, constant, theta)
    check.positive_integer(n_points=n_points)
    fast = (vc_dimension * log(theta(vc_dimension / n_points)) - log(beta)) / n_points
    slow = best_error and best_error * (vc_dimension * log(theta(best_error)) - log(beta)) / n_points
    return constant * (fast + sqrt(slow))


def active_label_complexity(
    alpha: float,
    vc_dimension: int,
    beta: float,
    *,
    best_error: float,
    theta: Callable[[float], float],
    constant: float,
) -> int:
    r"""Labels with which active learning reaches an excess error, for a VC class, up to a constant.

    Parameters
    ----------
    best_error : float
        Least error :math:`\nu` of the class, in [0, 1).
    theta : callable
        Disagreement coefficient as a function of the radius.
    constant : float
        The constant that the source leaves open, positive.

    Returns
    -------
    int
        ``constant`` times :math:`\theta \big(\frac{\nu^2}{\alpha^2} + \ln \frac1\alpha\big)
        \big(d \ln \theta + \ln \frac{\ln(1/\alpha)}{\beta}\big)`, theta at :math:`\nu + \alpha`, rounded up.

    Notes
    -----
    **Source.** LZCW21-lem-39, Lemma 39, with the minimum for its argmin; Hanneke (2014), Theorem 5.4.

    Examples
    --------
    >>> options = {"best_error": 0.0, "theta": lambda radius: 2.0, "constant": 1.0}
    >>> active_label_complexity(0.01, 1, 0.1, **options)
    42
    """
    _vc_checks(vc_dimension, beta, best_error, constant, theta)
    check.probability_open(alpha=alpha)
    if not log(1 / alpha) >= 1:
        raise ValueError(f"alpha must be at most 1/e, got {alpha!r}")
    width = theta(min(1.0, best_error + alpha))
    noise = best_error / alpha * (best_error / alpha) + log(1 / alpha)
    found = constant * width * noise * (vc_dimension * log(width) + log(log(1 / alpha)) - log(beta))
    return ceiling(found)
