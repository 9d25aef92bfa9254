"""How the measured times of a private run grow: of the study `privml.results.experts_cost`."""

import numpy as np
import pandas as pd

from privml import results


def committed_cost() -> pd.DataFrame:
    """The measured times.

    Examples
    --------
    >>> committed_cost().columns.tolist()
    ['task', 'k', 'T', 'seconds']
    """
    return results.read("experts-cost")


def growth(table: pd.DataFrame) -> pd.DataFrame:
    """Slopes of log time against log rounds, and time per round and expert, for each task and k.

    Parameters
    ----------
    table : DataFrame
        From `measured`.

    Returns
    -------
    DataFrame
        Columns ``task``, ``k``, ``slope`` (least squares) and ``nanoseconds`` per entry at the longest run.

    Examples
    --------
    >>> line = pd.DataFrame({"task": ["a"] * 2, "k": [10] * 2, "T": [100, 1000], "seconds": [1e-6, 1e-5]})
    >>> growth(line).round(6).to_numpy().tolist()
    [['a', 10, 1.0, 1.0]]
    """
    rows = []
    for (task, k), group in table.groupby(["task", "k"], sort=False):
        slope = float(np.polyfit(np.log(group["T"]), np.log(group["seconds"]), 1)[0])
        last = group.loc[group["T"].idxmax()]
        rows.append((task, k, slope, 1e9 * last["seconds"] / (last["T"] * k)))
    return pd.DataFrame(rows, columns=["task", "k", "slope", "nanoseconds"])
