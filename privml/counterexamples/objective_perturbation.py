"""Objective perturbation for records longer than 1, with the square of their length forgotten.

For rows of length at most R the determinant changes by a factor of up to ``1 + c R^2 / kappa``, and the tilt
by up to ``2 L R``.  A rule with ``c R`` in place of ``c R^2`` is right for R = 1 only.
"""

from math import expm1, log1p
from typing import NamedTuple

from privml import _check as check


class Tilt(NamedTuple):
    """Scale of the radial Laplace tilt, and the total strength of the penalty."""

    scale: float
    total: float


def unsquared_tilt(epsilon: float, total: float, radius: float, *, smoothness: float = 0.25) -> Tilt:
    """The tilt of a rule that claims epsilon for logistic loss and rows of length at most `radius`.

    It spends ``2 ln(1 + c R / total)`` on the determinant, and where nothing is left it raises the strength
    to ``c R / (e^(epsilon / 4) - 1)`` and keeps half of epsilon.

    Parameters
    ----------
    total : float
        Total strength of the penalty, positive.
    radius : float
        Longest row R, positive.
    smoothness : float, default 1/4
        Largest second derivative c of the loss.

    Returns
    -------
    Tilt

    Examples
    --------
    >>> tilt = unsquared_tilt(1.0, 1.0, 100.0)
    >>> round(tilt.scale), round(tilt.total, 1)
    (400, 88.0)
    """
    check.positive(epsilon=epsilon, total=total, radius=radius, smoothness=smoothness)
    left = epsilon - 2 * log1p(smoothness * radius / total)
    if left <= 0:
        left, total = epsilon / 2, max(total, smoothness * radius / expm1(epsilon / 4))
    return Tilt(2 * radius / left, total)
