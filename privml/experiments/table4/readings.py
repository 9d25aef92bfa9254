"""The committed readings of Table 4, beside the printed accuracies."""

import pandas as pd

from privml import results
from privml.experiments.table4.published import published_cells


def committed_readings() -> pd.DataFrame:
    """Means of the committed readings, beside the printed accuracies of PSQ.

    Returns
    -------
    DataFrame
        Columns ``reading``, ``measure``, ``dataset``, ``epsilon``, ``mean``, ``printed``.

    Examples
    --------
    >>> sorted(committed_readings()["measure"].unique())
    ['accuracy', 'balanced']
    """
    table = results.read("table4-readings")
    means = table.groupby(["reading", "dataset", "epsilon"], sort=False)[["accuracy", "balanced"]].mean()
    tall = means.reset_index().melt(["reading", "dataset", "epsilon"], var_name="measure", value_name="mean")
    cells = published_cells()
    printed = cells[cells["method"] == "PSQ"][["dataset", "epsilon", "accuracy"]]
    return tall.merge(printed.rename(columns={"accuracy": "printed"}), on=["dataset", "epsilon"])


def distances(table: pd.DataFrame) -> pd.DataFrame:
    """Largest difference from a printed accuracy, for each reading and measure, on each data set.

    Parameters
    ----------
    table : DataFrame
        From `committed_readings`.

    Returns
    -------
    DataFrame
        Columns ``reading``, ``measure``, and one for each data set.

    Examples
    --------
    >>> table = pd.DataFrame({"reading": "x", "measure": "accuracy", "dataset": "a9a", "epsilon": [1.0, 2.0]})
    >>> distances(table.assign(mean=[0.5, 0.7], printed=[0.6, 0.5])).to_numpy().tolist()
    [['x', 'accuracy', 0.2]]
    """
    gaps = table.assign(gap=(table["mean"] - table["printed"]).abs())
    wide = gaps.pivot_table(
        index=["reading", "measure"], columns="dataset", values="gap", aggfunc="max", sort=False
    )
    wide.columns.name = None
    return wide.round(6).reset_index()
