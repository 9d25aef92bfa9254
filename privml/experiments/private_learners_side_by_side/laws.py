"""Exact privacy losses of objective perturbation on a line, and what a Gaussian tilt costs."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from math import expm1, log, log1p, sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.counterexamples import unsquared_tilt
from privml.divergences import gaussian_mu
from privml.learners.perturbation import (
    CutLogisticLoss,
    RadialLaplace,
    objective_logpdf,
    tilt_budget,
    tilted_gaussian_mu,
)

POINTS = np.concatenate([-np.logspace(2, -4, 800), [0.0], np.logspace(-4, 2, 800)])


def _laplace(scale: float, tilt: NDArray) -> NDArray[np.float64]:
    return RadialLaplace(1, scale).logpdf(tilt[:, None])


def worst_loss(
    rows: Sequence[float], others: Sequence[float], slope: float, total: float, scale: float
) -> float:
    """Largest privacy loss over all pairs of `rows` in the last place, on a grid of weights.

    Parameters
    ----------
    rows : sequence of float
        Signed rows on a line.
    others : sequence of float
        The other records.
    slope, total, scale : float
        Slope of the loss, total strength, scale of the Laplace tilt.

    Returns
    -------
    float

    Examples
    --------
    >>> worst_loss([0.5, 0.5], [1.0], 0.5, 1.0, 1.0)
    0.0
    """
    loss, noise = CutLogisticLoss(slope), partial(_laplace, scale)
    points = POINTS / max(1.0, max(map(abs, rows)))
    laws = [objective_logpdf(points, [*others, row], loss, total, noise) for row in rows]
    return max(float((p - q).max()) for p, q in product(laws, repeat=2))


def line_losses(epsilon: float, totals: Sequence[float], n_rows: int = 9) -> pd.DataFrame:
    """Claimed and exact privacy loss on a line, with the share of one determinant and of two.

    Parameters
    ----------
    epsilon : float
        What is claimed.
    totals : sequence of float
        Total strengths of the penalty; only those that need not be raised for either rule.
    n_rows : int
        Rows of the universe, equally spaced in [-1, 1].

    Returns
    -------
    DataFrame
        Columns ``curve``, ``total``, ``loss``.

    Examples
    --------
    >>> line_losses(1.0, [2.0]).shape
    (4, 3)
    """
    rows, found = np.linspace(-1, 1, n_rows), []
    for total in totals:
        for slope, label in ((0.5, "slope 1/2"), (1.0, "logistic")):
            cost = log1p(0.25 / total)
            for times, rule in ((1, "one determinant"), (2, "two, as published")):
                scale = 2 * slope / (epsilon - times * cost)
                loss = max(worst_loss(rows, others, slope, total, scale) for others in ([], [-1.0, 0.5]))
                found.append((f"{label}, {rule}", total, loss))
    return pd.DataFrame(found, columns=["curve", "total", "loss"])


def unsquared_losses(epsilon: float, radii: Sequence[float], total: float = 1.0) -> pd.DataFrame:
    """Exact privacy loss of two rules for long rows, two records on a line, logistic loss.

    Parameters
    ----------
    epsilon : float
        What both rules claim.
    radii : sequence of float
        Length R of the longest row.
    total : float
        Total strength of the penalty, where it need not be raised.

    Returns
    -------
    DataFrame
        Columns ``radius``, ``claimed``, ``without the square``, ``with the square``.

    Examples
    --------
    >>> unsquared_losses(1.0, [100.0]).round(2).to_numpy().tolist()
    [[100.0, 1.0, 3.26, 0.52]]
    """
    found = []
    for radius in radii:
        rows = np.linspace(-radius, radius, 9)
        wrong = unsquared_tilt(epsilon, total, radius)
        right = tilt_budget(epsilon, total, 0.25 * radius**2)
        pair = [
            worst_loss(rows, [0.0], 1.0, kappa, scale)
            for scale, kappa in (wrong, (2 * radius / right.epsilon, right.total))
        ]
        found.append((radius, epsilon, *pair))
    names = ["radius", "claimed", "without the square", "with the square"]
    return pd.DataFrame(found, columns=names)


def tilt_deviations(epsilons: Sequence[float], delta: float) -> pd.DataFrame:
    """Standard deviation of Gaussian noise, for a change of 1: of a vector, of a tilt, of a tilt by a tail
    bound.

    Parameters
    ----------
    epsilons : sequence of float
        What is left for the noise.
    delta : float
        The other parameter.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``vector``, ``tilt``, ``tilt by a tail bound``.

    Examples
    --------
    >>> tilt_deviations([1.0], 1e-5).round(3).to_numpy().tolist()
    [[1.0, 3.731, 4.251, 4.901]]
    """
    root = sqrt(-2 * log(delta))
    found = [
        (
            epsilon,
            1 / gaussian_mu(epsilon, delta),
            1 / tilted_gaussian_mu(epsilon, delta),
            (root + sqrt(root**2 + 2 * epsilon)) / (2 * epsilon),
        )
        for epsilon in epsilons
    ]
    return pd.DataFrame(found, columns=["epsilon", "vector", "tilt", "tilt by a tail bound"])


def least_total(epsilon: float) -> float:
    """Total strength from which on both rules of `line_losses` leave half of epsilon.

    Examples
    --------
    >>> round(least_total(1.0), 3)
    0.88
    """
    return 0.25 / expm1(epsilon / 4)
