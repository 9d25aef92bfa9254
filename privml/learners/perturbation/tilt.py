"""The random tilt of objective perturbation: what it may cost and how large it is."""

from math import expm1, log, log1p, pi, sqrt
from typing import NamedTuple

import numpy as np

from privml import _check as check
from privml._search import last_crossing
from privml.learners.perturbation.losses import CutLogisticLoss
from privml.learners.perturbation.noise import RadialLaplace

ROUNDING = 1e-12
LARGEST_SHARE = 600.0  # of epsilon for the determinant, in nats, so that its exponential is finite


class TiltBudget(NamedTuple):
    """What is left of epsilon for the tilt, and the total strength kappa, raised where it had to be."""

    epsilon: float
    total: float


def tilt_budget(epsilon: float, total: float, smoothness: float = 0.25) -> TiltBudget:
    r"""Split epsilon between the determinant and the tilt.

    Parameters
    ----------
    total : float
        Total strength kappa = n Lambda of the penalty, non-negative.
    smoothness : float, default 1/4
        Largest second derivative c of the loss.

    Returns
    -------
    TiltBudget
        ``epsilon - ln(1 + c / total)``; where that is less than half of epsilon, `total` is raised so that
        it is half.

    Notes
    -----
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, which spends twice as much, from a
    bound for matrices of rank two; see the chapter for the proof of this one.

    Examples
    --------
    >>> budget = tilt_budget(1.0, 2.0)
    >>> round(budget.epsilon, 4), budget.total
    (0.8822, 2.0)
    """
    check.positive(epsilon=epsilon, smoothness=smoothness)
    check.non_negative(total=total)
    total = max(total, smoothness / expm1(min(epsilon / 2, LARGEST_SHARE)))
    return TiltBudget(max(epsilon - log1p(smoothness / total), epsilon / 2), total)


def tilted_gaussian_delta(epsilon: float, mu: float) -> float:
    r"""Bound on delta for a Gaussian tilt, at the epsilon that is left for it.

    .. math:: \delta \le \mathbb E \big( 1 - e^{\varepsilon - \mu \chi - \mu^2 / 2} \big)_+
              = \sqrt{2 \pi} \, \mu \, e^{\varepsilon} \, \Phi(-\varepsilon / \mu - \mu / 2)

    with :math:`\chi` of the Rayleigh law; the equality for :math:`\varepsilon \ge \mu^2 / 2`.

    Notes
    -----
    **Source.** Redberg, Koskela and Wang (2023) for one added or removed record, whose change lies on a
    line; Kifer, Smith and Thakurta (2012) with a tail bound.  Under replace-one the change depends on the
    tilt, but stays in the plane of two records, in any dimension.

    Examples
    --------
    >>> float(f"{tilted_gaussian_delta(1.0, 0.2):.3g}")
    2.31e-07
    """
    check.non_negative(epsilon=epsilon)
    check.positive(mu=mu)
    return min(1.0, float(np.exp(_log_delta(epsilon, mu))))


def _log_delta(epsilon: float, mu: float) -> float:
    from scipy.special import log_ndtr

    tail = log(2 * pi) / 2 + log(mu) + epsilon
    if epsilon >= mu * mu / 2:
        return float(tail + log_ndtr(-epsilon / mu - mu / 2))
    return float(np.log(-expm1(epsilon - mu * mu / 2) + np.exp(tail + log_ndtr(-mu))))


def tilted_gaussian_mu(epsilon: float, delta: float) -> float:
    """Largest mu for which :func:`tilted_gaussian_delta` is at most delta; the noise is ``2 L / mu``.

    Notes
    -----
    **Source.** Inverse of :func:`tilted_gaussian_delta`; in place of Kifer, Smith and Thakurta (2012),
    Theorem 2.

    Examples
    --------
    >>> round(1 / tilted_gaussian_mu(1.0, 1e-5), 4)
    4.2514
    """
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    root = sqrt(-2 * log(delta))
    lower = 2 * epsilon / (root + sqrt(root * root + 2 * epsilon)) * (1 - 1e-9)
    return last_crossing(lambda mu: _log_delta(epsilon, mu) - log(delta) + ROUNDING, lower=lower)


def tilt_mean_square(dimension: int, epsilon: float, delta: float = 0.0, *, slope: float = 0.5) -> float:
    """Mean squared length of the tilt.

    Parameters
    ----------
    epsilon, delta : float
        What is left for the tilt; with delta = 0 radial Laplace, else Gaussian.

    Notes
    -----
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, for delta = 0.

    Examples
    --------
    >>> tilt_mean_square(30, 1.0), round(tilt_mean_square(30, 1.0, 1e-5), 1)
    (930.0, 542.2)
    """
    check.positive_integer(dimension=dimension)
    check.positive(epsilon=epsilon)
    check.probability_half_open(delta=delta)
    change = 2 * CutLogisticLoss(slope).slope
    if delta == 0:
        return RadialLaplace(dimension, change / epsilon).mean_square
    scale = change / tilted_gaussian_mu(epsilon, delta)
    check.finite(mean_square=dimension * scale * scale)
    return dimension * scale * scale
