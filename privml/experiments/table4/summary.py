"""Means and intervals of the rows, the source's cells beside ours, and its observations asked again."""

from collections.abc import Sequence
from math import inf, isinf, sqrt

import numpy as np
import pandas as pd

from privml import _check as check
from privml import results
from privml.divergences import gaussian_epsilon, gaussian_mu
from privml.experiments.table4.published import published_cells, published_sizes
from privml.results.table4 import split_sizes

QUANTILE = 1.96
"""Half width of an interval in standard errors: level 95 %, not the 98 % that the source prints."""

N_SAMPLES = {"mushrooms": 8124, "a9a": 48_842, "real-sim": 72_309, "news20-usenet": 18_846, "halfspace": 8000}
ODOMETERS = ("fixed", "union")


def half_width(values: Sequence[float]) -> float:
    """1.96 standard deviations over the root of the number of values; NaN for one value.

    Notes
    -----
    **Source.** LZCW21-tab-4, corrected: the source divides a standard error by the root once more.

    Examples
    --------
    >>> round(half_width([0.5, 0.6, 0.7]), 4)
    0.1132
    """
    values = np.asarray(values, dtype=float)
    return float(QUANTILE * values.std(ddof=1) / sqrt(len(values))) if len(values) > 1 else float("nan")


def ex_post(epsilon: float, delta: float, budget: int, used: float, method: str = "fixed") -> float:
    """Epsilon at delta of the first `used` of `budget` queries; `used` may be a mean.

    Parameters
    ----------
    epsilon, delta : float
        Of the whole budget.
    budget : int
        Number of queries that the noise is calibrated to.
    used : float
        Number of queries that were asked, or a mean of such numbers.
    method : {"fixed", "union"}
        The source's number, valid only if `used` does not depend on private data; or the same with
        delta / budget, valid at any stop.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    For whole numbers it is :func:`privml.pate.ex_post_epsilon`.
    **Source.** LZCW21-rem-ex-post.

    Examples
    --------
    >>> round(ex_post(0.5, 1 / 6499, 49, 40.1), 4)
    0.4463
    """
    check.one_of(ODOMETERS, method=method)
    check.positive(used=used)
    if isinf(epsilon):
        return inf
    level = delta if method == "fixed" else delta / budget
    return gaussian_epsilon(level, gaussian_mu(epsilon, delta) * sqrt(used / budget))


def reproduced_ex_post() -> pd.DataFrame:
    """The printed ex-post epsilons next to those of the printed mean numbers of queries.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``epsilon``, ``queries``, ``budget``, ``printed``, ``fixed``, ``union``.

    Notes
    -----
    **Source.** LZCW21-tab-4, LZCW21-rem-ex-post.

    Examples
    --------
    >>> reproduced_ex_post()["fixed"].round(4).tolist()
    [0.4463, 0.9271, 1.9402, 0.9958, 1.9896]
    """
    sizes = published_sizes().set_index("dataset")
    cells = published_cells()
    cells = cells[(cells["method"] == "ASQ") & (cells["ex_post"] < cells["epsilon"])]
    rows = []
    for cell in cells.itertuples():
        budget, delta = int(sizes.loc[cell.dataset, "budget"]), 1 / sizes.loc[cell.dataset, "private"]
        own = [ex_post(cell.epsilon, delta, budget, cell.queries, method) for method in ODOMETERS]
        rows.append((cell.dataset, cell.epsilon, cell.queries, budget, cell.ex_post, *own))
    columns = ["dataset", "epsilon", "queries", "budget", "printed", *ODOMETERS]
    return pd.DataFrame(rows, columns=columns)


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean accuracies with intervals, one row for each data set, method and epsilon.

    Parameters
    ----------
    rows : DataFrame
        From the study `privml.results.table4`.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``method``, ``epsilon`` (the certified one), ``n_teachers``, ``budget``,
        ``queries``, ``ex_post`` (the source's number, no guarantee), ``accuracy``, ``half_width``,
        ``balanced``, ``balanced_half_width``, ``repetitions``.

    Notes
    -----
    **Source.** LZCW21-tab-4.

    Examples
    --------
    >>> from privml.results.table4 import COLUMNS, repetition
    >>> rows = [row for k in (0, 1) for row in repetition("halfspace", k, epsilons=[1], methods=["PSQ"])]
    >>> found = summary(pd.DataFrame(rows, columns=COLUMNS))
    >>> found[["method", "queries", "repetitions"]].to_numpy().tolist()[0]
    ['PSQ', 160.0, 2]
    """
    found = []
    for (name, method, epsilon), group in rows.groupby(["dataset", "method", "epsilon"], sort=False):
        budget, queries = int(group["budget"].iloc[0]), float(group["queries"].mean())
        spent = epsilon
        if method in ("PSQ", "ASQ", "ASQ, closest first", "counts") and queries:
            spent = ex_post(epsilon, 1 / split_sizes(N_SAMPLES[name]).private, budget, queries)
        found.append(
            {
                "dataset": name,
                "method": method,
                "epsilon": epsilon,
                "n_teachers": int(group["n_teachers"].iloc[0]),
                "budget": budget,
                "queries": queries,
                "ex_post": spent,
                "accuracy": group["accuracy"].mean(),
                "half_width": half_width(group["accuracy"]),
                "balanced": group["balanced"].mean(),
                "balanced_half_width": half_width(group["balanced"]),
                "repetitions": len(group),
            }
        )
    return pd.DataFrame(found)


def committed_rows() -> pd.DataFrame:
    """The rows that are committed under ``results/``.

    Examples
    --------
    >>> int(committed_rows()["repetition"].max())
    29
    """
    return results.read("table4")


def committed() -> pd.DataFrame:
    """The summary of the committed rows.

    Examples
    --------
    >>> committed()["repetitions"].unique().tolist()
    [30]
    """
    return summary(committed_rows())
