"""What a run that stops early may say that it has spent."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
import pandas as pd

from privml.divergences import gaussian_mu
from privml.pate import ex_post_epsilon, stopping_delta

NAMES = {
    "fixed": "q fixed beforehand",
    "union": "odometer, union",
    "line": "odometer, line",
}


def spent_by_use(epsilon: float, delta: float, budget: int) -> pd.DataFrame:
    """Epsilon at the same delta against the number of queries used, by each way of counting.

    Parameters
    ----------
    epsilon, delta : float
        Privacy of the whole budget.
    budget : int
        Number of queries of the budget.

    Returns
    -------
    DataFrame
        Columns ``used``, ``epsilon``, ``count``: the source's number, two odometers, and the budget.

    Examples
    --------
    >>> spent_by_use(0.5, 1e-4, 3).pivot(index="used", columns="count", values="epsilon").shape
    (3, 4)
    """
    used = np.arange(1, budget + 1)
    tables = [
        pd.DataFrame(
            {
                "used": used,
                "epsilon": [ex_post_epsilon(epsilon, delta, budget, q, method=m) for q in used.tolist()],
                "count": name,
            }
        )
        for m, name in NAMES.items()
    ]
    tables.append(pd.DataFrame({"used": used, "epsilon": epsilon, "count": "the budget"}))
    return pd.concat(tables, ignore_index=True)


def worst_stops(settings: Sequence[tuple[float, int, int]]) -> pd.DataFrame:
    """Largest delta over all stopping rules, as a multiple of the claimed one.

    Parameters
    ----------
    settings : sequence of (float, int, int)
        Epsilon, number of records (delta is 1 over it), and budget.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``records``, ``budget``, and for each way of counting the multiple of delta.

    Examples
    --------
    >>> worst_stops([(0.5, 6499, 49)]).round(1).values.tolist()
    [[0.5, 6499.0, 49.0, 5.5, 0.2, 0.0]]
    """
    rows = []
    for epsilon, records, budget in settings:
        step = gaussian_mu(epsilon, 1 / records) / sqrt(budget)
        multiples = []
        for method in NAMES:
            used = range(1, budget + 1)
            claims = [ex_post_epsilon(epsilon, 1 / records, budget, q, method=method) for q in used]
            multiples.append(stopping_delta(claims, step) * records)
        rows.append((epsilon, records, budget, *multiples))
    return pd.DataFrame(rows, columns=["epsilon", "records", "budget", *NAMES])
