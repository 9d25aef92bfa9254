"""Decision stumps on the breast cancer records: the study of the mushrooms on small data."""

from collections.abc import Sequence

import pandas as pd

from privml import results
from privml.datasets import Dataset, load_breast_cancer
from privml.hypotheses import DecisionStumps
from privml.results.mushrooms_stumps import COLUMNS, accuracy, split_counts


def stump_accuracy(
    data: Dataset, *, epsilons: Sequence[float], n_cuts: int, n_splits: int, seed: int
) -> pd.DataFrame:
    """Accuracy on held-out records of a private stump, against epsilon.

    Parameters
    ----------
    data : Dataset
        Records with features in [0, 1].
    epsilons : sequence of float
        Privacy parameters in nats under ``REPLACE_ONE``.
    n_cuts : int
        Cut points for each feature, equally spaced inside [0, 1].
    n_splits, seed : int
        Number of splits and their seed.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``mean``, ``low`` and ``high`` (5 % and 95 % quantiles over splits and the exact
        law), ``erm``, ``majority``; accuracies are fractions of the records held out.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 1, 40)
    >>> data = Dataset(x[:, None], x >= 0.5, ("below", "above"), ("x",))
    >>> table = stump_accuracy(data, epsilons=[1e-6, 100.0], n_cuts=9, n_splits=5, seed=0)
    >>> table[["mean", "erm"]].round(3).to_numpy().tolist()
    [[0.5, 1.0], [0.967, 1.0]]
    """
    hypotheses = DecisionStumps.on_grid(data.X.shape[1], 0.0, 1.0, n_cuts)
    splits = split_counts(data, hypotheses, n_splits, seed)
    return pd.DataFrame([accuracy(splits, epsilon) for epsilon in epsilons], columns=list(COLUMNS))


def breast_cancer(epsilons: Sequence[float], *, n_cuts: int, n_splits: int, seed: int) -> pd.DataFrame:
    """Table of `stump_accuracy` on the breast cancer records that scikit-learn bundles.

    Examples
    --------
    >>> breast_cancer([1.0], n_cuts=16, n_splits=2, seed=0).shape
    (1, 6)
    """
    return stump_accuracy(
        load_breast_cancer(), epsilons=epsilons, n_cuts=n_cuts, n_splits=n_splits, seed=seed
    )


def committed_mushrooms() -> pd.DataFrame:
    """The committed table of the mushrooms."""
    return results.read("mushrooms-stumps")
