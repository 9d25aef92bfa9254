"""The committed table of the margins on Adult."""

import pandas as pd

from privml import _check as check
from privml import results


def committed_adult(split: str = "random") -> pd.DataFrame:
    """One split of the committed table, see `privml.results.margins_adult`.

    Examples
    --------
    >>> committed_adult().columns.tolist()
    ['share', 'best', 'label']
    """
    check.one_of(("random", "published"), split=split)
    table = results.read("margins-adult")
    return table[table["split"] == split].drop(columns="split").reset_index(drop=True)
