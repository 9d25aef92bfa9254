"""The source's Table 4 beside ours, and its five observations asked of our runs."""

from math import hypot

import numpy as np
import pandas as pd

from privml.experiments.table4.published import published_cells

EPSILONS = (0.5, 1.0, 2.0, np.inf)


def _cell(table: pd.DataFrame, name: str, method: str, epsilon: float) -> pd.Series:
    chosen = (table["dataset"] == name) & (table["method"] == method) & (table["epsilon"] == epsilon)
    return table[chosen].iloc[0]


def side_by_side(table: pd.DataFrame) -> pd.DataFrame:
    """Each printed cell of a data set that we have, next to the mean accuracies of our runs.

    Parameters
    ----------
    table : DataFrame
        From `summary`.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``epsilon``, ``method`` (of the source), ``printed``, ``printed_half_width``,
        ``ours`` (the same method), ``half_width``, ``counts``, ``counts_half_width`` and ``queries``.

    Notes
    -----
    **Source.** LZCW21-tab-4.

    Examples
    --------
    >>> from privml.experiments.table4 import committed
    >>> found = side_by_side(committed())
    >>> private = found[np.isfinite(found["epsilon"])]
    >>> len(private), bool((private["counts"] > private["printed"]).all())
    (12, True)
    """
    rows = []
    for cell in published_cells().itertuples():
        if cell.dataset in set(table["dataset"]):
            same = _cell(table, cell.dataset, cell.method, cell.epsilon)
            best = _cell(table, cell.dataset, "counts", cell.epsilon)
            row = (cell.dataset, cell.epsilon, cell.method, cell.accuracy, cell.half_width)
            rows.append((*row, same.accuracy, same.half_width, best.accuracy, best.half_width, same.queries))
    columns = ["dataset", "epsilon", "method", "printed", "printed_half_width"]
    columns += ["ours", "half_width", "counts", "counts_half_width", "queries"]
    return pd.DataFrame(rows, columns=columns)


def paired_leads(rows: pd.DataFrame, method: str, others: tuple[str, ...]) -> pd.DataFrame:
    """How far one method leads another, with intervals from the same repetitions and from separate ones.

    Parameters
    ----------
    rows : DataFrame
        From `run`.
    method : str
        The method.
    others : tuple of str
        What it is compared with.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``epsilon``, ``other``, ``lead`` (mean difference of accuracies), ``paired``
        (half width for differences within repetitions), ``separate`` (half width that ignores the pairs).

    Examples
    --------
    >>> from privml.experiments.table4 import committed_rows
    >>> leads = paired_leads(committed_rows(), "counts", ("PSQ",))
    >>> bool((leads["lead"] > leads["paired"]).mean() > 0.8)
    True
    """
    found = []
    for (name, epsilon), group in rows.groupby(["dataset", "epsilon"], sort=False):
        wide = group.pivot_table(index="repetition", columns="method", values="accuracy")
        for other in others:
            difference, root = wide[method] - wide[other], len(wide) ** 0.5
            paired = 1.96 * difference.std(ddof=1) / root
            separate = 1.96 * hypot(wide[method].std(ddof=1), wide[other].std(ddof=1)) / root
            found.append((name, epsilon, other, difference.mean(), paired, separate))
    return pd.DataFrame(found, columns=["dataset", "epsilon", "other", "lead", "paired", "separate"])


def observations(table: pd.DataFrame) -> pd.DataFrame:
    """What the source's five observations compare, cell by cell, from a summary.

    Parameters
    ----------
    table : DataFrame
        From `summary`.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``epsilon``, ``gain`` (ASQ over PSQ), ``half_width`` (of the gain, ignoring that
        the repetitions are the same), ``gain_closest`` (ASQ closest first over PSQ), ``queries`` and
        ``budget`` of ASQ, ``labels_of_psq``, ``ex_post`` of ASQ.

    Notes
    -----
    **Source.** LZCW21-rem-observations.

    Examples
    --------
    >>> from privml.experiments.table4 import committed
    >>> observations(committed())["epsilon"].unique().tolist()
    [0.5, 1.0, 2.0, inf]
    """
    rows = []
    for name in table["dataset"].unique():
        for epsilon in EPSILONS:
            psq, asq, near = (_cell(table, name, m, epsilon) for m in ("PSQ", "ASQ", "ASQ, closest first"))
            width = hypot(psq.half_width, asq.half_width)
            gains = (asq.accuracy - psq.accuracy, width, near.accuracy - psq.accuracy)
            rows.append((name, epsilon, *gains, asq.queries, asq.budget, psq.queries, asq.ex_post))
    columns = ["dataset", "epsilon", "gain", "half_width", "gain_closest"]
    return pd.DataFrame(rows, columns=[*columns, "queries", "budget", "labels_of_psq", "ex_post"])
