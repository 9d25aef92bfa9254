"""Tables of disagreement coefficients: thresholds, intervals of several widths, singletons."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.hypotheses import Intervals, Thresholds
from privml.pate import disagreement_coefficient


def _interval(n_points: int, width: int) -> tuple[np.ndarray, int]:
    """All intervals of a line of points, and the index of one in the middle."""
    cuts = Intervals(np.arange(n_points + 1))
    table = cuts.predict(np.arange(n_points) + 0.5)
    start = (n_points - width) // 2
    wanted = np.zeros(n_points, dtype=bool)
    wanted[start : start + width] = True
    return table, int(np.flatnonzero((table == wanted).all(axis=1))[0])


def coefficient_curves(n_points: int, widths: Sequence[int], radii: Sequence[float]) -> pd.DataFrame:
    """Disagreement coefficient against the least radius that counts, exactly, under the uniform law.

    Parameters
    ----------
    n_points : int
        Points of the line.
    widths : sequence of int
        Numbers of points in the intervals that serve as centres.
    radii : sequence of float
        Radii r0.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``radius``, ``theta``.

    Examples
    --------
    >>> found = coefficient_curves(20, [4], [0.0, 0.25])
    >>> found.pivot(index="curve", columns="radius", values="theta").round(3).loc["singletons"].tolist()
    [10.0, 4.0]
    """
    line = Thresholds(np.arange(n_points + 1)).predict(np.arange(n_points))
    cases = [("thresholds", line, n_points // 2), ("singletons", np.eye(n_points, dtype=bool), 0)]
    cases += [(f"interval, p = {width / n_points:g}", *_interval(n_points, width)) for width in widths]
    rows = [
        (name, radius, disagreement_coefficient(table, centre, radius=radius))
        for name, table, centre in cases
        for radius in radii
    ]
    return pd.DataFrame(rows, columns=["curve", "radius", "theta"])
