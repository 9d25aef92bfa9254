"""Tables 3 and 4 of LZCW21 as they are printed."""

import numpy as np
import pandas as pd

_SIZES = (
    ("mushrooms", 8124, 6499, 163, 49, 1462, 112),
    ("a9a", 48842, 39073, 977, 293, 8792, 123),
    ("real-sim", 72309, 57847, 1447, 434, 13015, 20958),
)

# data set, method, queries, epsilon, printed ex-post epsilon, accuracy, half width
_CELLS = (
    ("mushrooms", "PSQ", 163, np.inf, np.inf, 0.9773, 0.0006),
    ("mushrooms", "ASQ", 47.3, np.inf, np.inf, 0.9146, 0.0036),
    ("mushrooms", "PSQ", 163, 0.5, 0.5, 0.6416, 0.0036),
    ("mushrooms", "ASQ", 40.1, 0.5, 0.4461, 0.6418, 0.0091),
    ("mushrooms", "PSQ", 163, 1.0, 1.0, 0.7534, 0.0045),
    ("mushrooms", "ASQ", 42.9, 1.0, 0.9267, 0.7727, 0.0098),
    ("mushrooms", "PSQ", 163, 2.0, 2.0, 0.8974, 0.0027),
    ("mushrooms", "ASQ", 46.5, 2.0, 1.9410, 0.8858, 0.0059),
    ("a9a", "PSQ", 977, np.inf, np.inf, 0.5555, 0.0157),
    ("a9a", "ASQ", 225.6, np.inf, np.inf, 0.5461, 0.0160),
    ("a9a", "PSQ", 977, 0.5, 0.5, 0.5040, 0.0034),
    ("a9a", "ASQ", 293, 0.5, 0.5, 0.5212, 0.0088),
    ("a9a", "PSQ", 977, 1.0, 1.0, 0.5171, 0.0050),
    ("a9a", "ASQ", 290.8, 1.0, 0.9958, 0.5369, 0.0103),
    ("a9a", "PSQ", 977, 2.0, 2.0, 0.5176, 0.0070),
    ("a9a", "ASQ", 290.3, 2.0, 1.9896, 0.5543, 0.0089),
    ("real-sim", "PSQ", 1447, np.inf, np.inf, 0.8234, 0.0014),
    ("real-sim", "ASQ", 434, np.inf, np.inf, 0.8289, 0.0008),
    ("real-sim", "PSQ", 1447, 0.5, 0.5, 0.6355, 0.0065),
    ("real-sim", "ASQ", 434, 0.5, 0.5, 0.7389, 0.0014),
    ("real-sim", "PSQ", 1447, 1.0, 1.0, 0.7550, 0.0058),
    ("real-sim", "ASQ", 434, 1.0, 1.0, 0.8040, 0.0009),
    ("real-sim", "PSQ", 1447, 2.0, 2.0, 0.8025, 0.0037),
    ("real-sim", "ASQ", 434, 2.0, 2.0, 0.8231, 0.0009),
)


def published_sizes() -> pd.DataFrame:
    """Table 3 of the source.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``all``, ``private``, ``public``, ``budget``, ``test``, ``features``.

    Notes
    -----
    **Source.** LZCW21-tab-3.

    Examples
    --------
    >>> published_sizes()["all"].tolist()
    [8124, 48842, 72309]
    """
    columns = ["dataset", "all", "private", "public", "budget", "test", "features"]
    return pd.DataFrame(_SIZES, columns=columns)


def published_cells() -> pd.DataFrame:
    """Table 4 of the source; infinite epsilon are its rows -NP.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``method``, ``queries`` (mean), ``epsilon``, ``ex_post`` (as printed),
        ``accuracy``, ``half_width``.

    Notes
    -----
    **Source.** LZCW21-tab-4.

    Examples
    --------
    >>> len(published_cells())
    24
    """
    columns = ["dataset", "method", "queries", "epsilon", "ex_post", "accuracy", "half_width"]
    return pd.DataFrame(_CELLS, columns=columns)
