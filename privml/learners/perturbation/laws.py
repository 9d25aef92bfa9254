"""Exact laws of the released weight in one dimension, to check the promises against."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learners.perturbation.losses import CutLogisticLoss


def _signed(rows: ArrayLike) -> NDArray[np.float64]:
    return check.finite_vector(rows=rows)


def objective_logpdf(
    weights: ArrayLike,
    rows: ArrayLike,
    loss: CutLogisticLoss,
    total: float,
    log_noise: Callable[[NDArray], NDArray],
) -> NDArray[np.float64]:
    """Log density of the weight that objective perturbation releases, for records on a line.

    Parameters
    ----------
    weights : array_like of shape (n_points,)
        Where.
    rows : array_like of shape (n_samples,)
        Signed rows: label times record.  They may be longer than 1.
    total : float
        Total strength of the penalty, positive.
    log_noise : callable
        Log density of the tilt.

    Notes
    -----
    **Source.** Change of variables in Chaudhuri, Monteleoni and Sarwate (2011), Theorem 9.

    Examples
    --------
    With no pull at all the weight is minus the tilt over the strength:

    >>> density = objective_logpdf([2.0], [0.0], CutLogisticLoss(), 0.5, lambda b: -abs(b))
    >>> round(float(density[0]), 6), round(float(-1 + np.log(0.5)), 6)
    (-1.693147, -1.693147)
    """
    check.positive(total=total)
    w, a = np.asarray(weights, dtype=float)[:, None], _signed(rows)
    margins = w * a
    tilt = loss.pull(margins) @ a - total * w[:, 0]
    return log_noise(tilt) + np.log(loss.bend(margins) @ a**2 + total)


def line_minimiser(rows: ArrayLike, loss: CutLogisticLoss, total: float) -> float:
    """Minimiser of the penalised risk for records on a line.

    Parameters
    ----------
    rows : array_like of shape (n_samples,)
        Signed rows.
    total : float
        Total strength of the penalty, positive.

    Notes
    -----
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), equation 3, in one dimension.

    Examples
    --------
    >>> line_minimiser([1.0, -1.0], CutLogisticLoss(), 1.0)
    0.0
    """
    from scipy.optimize import brentq

    check.positive(total=total)
    a = _signed(rows)
    force = loss.pull(np.zeros_like(a)) @ a
    if force == 0:
        return 0.0
    bound = (loss.slope * abs(a).sum() + 1) / total
    return float(brentq(lambda w: loss.pull(w * a) @ a - total * w, -bound, bound, xtol=1e-13))
