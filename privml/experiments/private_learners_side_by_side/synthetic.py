"""Which norm the synthetic populations choose."""

import numpy as np
import pandas as pd

from privml import results


def committed_norms() -> pd.DataFrame:
    """The committed table of norms.

    Examples
    --------
    >>> committed_norms().columns.tolist()
    ['method', 'promise', 'norm', 'accuracy']
    """
    return results.read("private-erm-norms")


def chosen_norm(table: pd.DataFrame) -> float:
    """The norm with the best mean accuracy over all private methods: one for all.

    Parameters
    ----------
    table : DataFrame
        From `committed_norms`.

    Returns
    -------
    float

    Examples
    --------
    >>> found = pd.DataFrame({"norm": [1.0, 2.0, np.inf], "accuracy": [0.7, 0.8, 0.9]})
    >>> chosen_norm(found)
    2.0
    """
    private = table[np.isfinite(table["norm"])]
    return float(private.groupby("norm")["accuracy"].mean().idxmax())
