"""Uniform convergence and private learnability: neither follows from the other."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.learnability import always_aerm_gap, exponential_law, uniform_deviation
from privml.learnability.impossibility import grid_packing
from privml.learnability.problems import all_labellings_problem, thresholds_problem, with_minorant


def _thresholds(n_points: int, n_samples: int, epsilon: float) -> tuple[float, float, float]:
    """Deviation under the uniform law, what no private learner avoids, and the exponential mechanism."""
    problem = thresholds_problem(n_points)
    deviation = uniform_deviation(problem, np.full(2 * n_points, 0.5 / n_points), n_samples)
    distances = range(2, n_samples + 1, 2)
    lower = max(grid_packing(n_points, n_samples, distance=d).excess_risk(epsilon) for d in distances)
    upper = always_aerm_gap(exponential_law(problem, epsilon), problem, n_samples).value
    return deviation, lower, upper


def grids_and_labellings(points: Sequence[int], n_samples: int, epsilon: float) -> pd.DataFrame:
    """Two problems as their domain grows: thresholds, and all labellings with a minorant.

    Parameters
    ----------
    points : sequence of int
        Sizes of the domain, from 2 to 10.
    n_samples : int
        Number of records.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``points``, ``curve``, ``value``.  Deviations are those of uniform laws: on all labelled
        points for thresholds, on the points labelled True for the labellings.

    Examples
    --------
    >>> grids_and_labellings([2], 2, 1.0)["value"].round(3).tolist()
    [0.375, 0.193, 0.424, 0.125, 0.0]
    """
    lines = []
    for k in points:
        deviation, lower, upper = _thresholds(k, n_samples, epsilon)
        labellings = with_minorant(all_labellings_problem(k))
        law = np.repeat([0.0, 1 / k], k)
        lines += [
            (k, "thresholds: uniform deviation", deviation),
            (k, "thresholds: least private gap", lower),
            (k, "thresholds: exponential mechanism", upper),
            (k, "with a minorant: uniform deviation", uniform_deviation(labellings, law, n_samples)),
            (k, "with a minorant: private excess risk", 0.0),
        ]
    return pd.DataFrame(lines, columns=["points", "curve", "value"])
