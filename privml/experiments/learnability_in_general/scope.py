"""A private, universally consistent learner that is not always AERM: exact on two hypotheses.

Records are 0 or 1, the loss is ``1(h != z)``, c is the number of ones among m records, ``c0 = floor(m / 4)``.
The log-odds of h = 1 are ``-epsilon min(|c - c0|, m/2 - c)`` for ``c <= m / 2`` and ``epsilon (c - m / 2)``
above: near c0, and only there, the learner does not know what it is doing.
"""

from collections.abc import Sequence
from math import log

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.distributions.binomial import binomial_logpmf

COARSE_GRID = 41


def forgetful_odds(n_samples: int, epsilon: float) -> NDArray[np.float64]:
    """Log-odds of h = 1 for c = 0, 1, ..., m ones.

    Examples
    --------
    >>> forgetful_odds(4, 1.0).tolist()
    [-1.0, -0.0, -0.0, 1.0, 2.0]
    """
    ones, special = np.arange(n_samples + 1), n_samples // 4
    below = -np.minimum(np.abs(ones - special), n_samples / 2 - ones)
    return epsilon * np.where(ones <= n_samples / 2, below, ones - n_samples / 2)


def forgetful_epsilon(n_samples: int, epsilon: float) -> float:
    """Exact privacy loss of the learner under replace-one: neighbours differ by 1 in the number of ones.

    Examples
    --------
    >>> round(forgetful_epsilon(4, 1.0), 4)
    0.8137
    """
    odds = forgetful_odds(n_samples, epsilon)
    logs = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    return float(max(np.abs(np.diff(values)).max() for values in logs))


def forgetful_gaps(n_samples: int, epsilon: float) -> NDArray[np.float64]:
    """AERM gap on data sets with c = 0, 1, ..., m ones.

    Examples
    --------
    >>> forgetful_gaps(4, 1.0).round(4).tolist()
    [0.2689, 0.25, -0.0, 0.1345, 0.1192]
    """
    from scipy.special import expit

    lead = 1 - 2 * np.arange(n_samples + 1) / n_samples  # risk of h = 1 minus risk of h = 0
    odds = forgetful_odds(n_samples, epsilon)
    return np.where(lead > 0, lead * expit(odds), -lead * expit(-odds))


def _means(n_samples: int, epsilon: float, p: float) -> tuple[float, float]:
    """Expected AERM gap and expected excess risk when a record is 1 with probability p."""
    from scipy.special import expit

    weights = np.exp(binomial_logpmf(n_samples, p))
    odds = forgetful_odds(n_samples, epsilon)
    wrong = weights @ (expit(odds) if p < 0.5 else expit(-odds))
    return float(weights @ forgetful_gaps(n_samples, epsilon)), float(abs(1 - 2 * p) * wrong)


def _largest(n_samples: int, epsilon: float) -> list[float]:
    """Largest expected gap and excess risk over p: a grid, then a bounded search around its best point."""
    from scipy.optimize import minimize_scalar

    grid = np.linspace(0, 1, COARSE_GRID)
    found = []
    for place, values in enumerate(np.transpose([_means(n_samples, epsilon, p) for p in grid])):
        best = int(np.argmax(values))
        bounds = grid[max(best - 1, 0)], grid[min(best + 1, COARSE_GRID - 1)]

        def loss(p: float, place: int = place) -> float:
            return -_means(n_samples, epsilon, p)[place]

        refined = minimize_scalar(loss, bounds=bounds, method="bounded")
        found.append(max(float(values[best]), -float(refined.fun)))
    return found


def forgetful_learner(sizes: Sequence[int], epsilon: float) -> pd.DataFrame:
    """Privacy, AERM gaps and excess risk of the learner: only the gap on the worst data set stays.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records, multiples of 4.
    epsilon : float
        Its parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``m``, ``exact_epsilon``, ``always_gap``, ``expected_gap`` and ``excess_risk``, the last two
        at the worst distribution found: every multiple of 1 / 40, then a search near the best of these.

    Examples
    --------
    >>> forgetful_learner([40], 1.0).round(4).values.tolist()
    [[40.0, 1.0, 0.25, 0.0916, 0.0955]]
    """
    rows = []
    for n in sizes:
        worst = float(forgetful_gaps(n, epsilon).max())
        rows.append((n, forgetful_epsilon(n, epsilon), worst, *_largest(n, epsilon)))
    columns = ["m", "exact_epsilon", "always_gap", "expected_gap", "excess_risk"]
    return pd.DataFrame(rows, columns=columns)


def forgetful_curves(sizes: Sequence[int], epsilon: float) -> pd.DataFrame:
    """The gaps and the excess risk of :func:`forgetful_learner`, one row a point, for a figure.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records, multiples of 4.
    epsilon : float
        Its parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``m``, ``curve``, ``value``.

    Examples
    --------
    >>> forgetful_curves([8], 1.0)["curve"].tolist()
    ['AERM gap, worst data set', 'expected AERM gap, worst law', 'excess risk, worst law']
    """
    names = {
        "always_gap": "AERM gap, worst data set",
        "expected_gap": "expected AERM gap, worst law",
        "excess_risk": "excess risk, worst law",
    }
    long = forgetful_learner(sizes, epsilon).melt("m", list(names), var_name="curve")
    return long.assign(curve=long["curve"].map(names))


def slope(sizes: Sequence[int], values: Sequence[float]) -> float:
    """Slope of the line through the first and the last point in logarithmic coordinates.

    Examples
    --------
    >>> round(slope([1, 100], [1.0, 0.1]), 12)
    -0.5
    """
    return log(values[-1] / values[0]) / log(sizes[-1] / sizes[0])
