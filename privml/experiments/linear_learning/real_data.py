"""Linear classification of tumours: the study of the incomes on small data, and how tables are laid out."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import results
from privml.datasets import load_breast_cancer
from privml.results.a9a_linear import COLUMNS, Split, Task, centred, other_rows, private_row, stump_row

TEST_SHARE = 0.3


def stump_signs(X: NDArray, n_cuts: int = 16) -> NDArray[np.float64]:
    """Signs of every feature at equally spaced public cut points inside of [0, 1].

    Examples
    --------
    >>> stump_signs(np.array([[0.4, 1.0]]), n_cuts=3).tolist()
    [[1.0, -1.0, -1.0, 1.0, 1.0, 1.0]]
    """
    cuts = np.linspace(0.0, 1.0, n_cuts + 2)[1:-1]
    return np.where(X[:, :, None] >= cuts, 1.0, -1.0).reshape(len(X), -1)


def splits(X: NDArray, y: NDArray, seed: int) -> Split:
    """Training records, training labels, test records and test labels; 30 % are held out.

    Examples
    --------
    >>> [len(part) for part in splits(np.zeros((10, 1)), np.zeros(10), 0)]
    [7, 7, 3, 3]
    """
    test, train = np.split(np.random.default_rng(seed).permutation(len(y)), [round(TEST_SHARE * len(y))])
    return X[train], y[train], X[test], y[test]


def breast_cancer(
    epsilons: Sequence[float], n_seeds: int, weights: tuple[float, float] = (0.6, 1.0)
) -> pd.DataFrame:
    """Accuracy on held-out tumours, mean over seeds.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters, with delta = 1e-5 for LinearLearner.
    n_seeds : int
        Number of seeds.
    weights : pair of float
        Public weights of benign and malignant tumours, where weights are used.

    Returns
    -------
    DataFrame
        Columns ``learner``, ``epsilon``, ``accuracy``, ``deviation`` (over seeds), ``balanced``.

    Examples
    --------
    >>> breast_cancer([1.0], 2).shape
    (7, 5)
    """
    cancer = load_breast_cancer()
    parts = [splits(cancer.X, cancer.y, seed) for seed in range(n_seeds)]
    plain, weighted = Task("centred", centred, None), Task("centred, weighted", centred, weights)
    stumps = Task("stumps, weighted", stump_signs, weights)
    runs = [(stumps, "corrected"), *((task, "concentrated") for task in (plain, weighted, stumps))]
    rows = [private_row(task, parts, epsilon, method) for task, method in runs for epsilon in epsilons]
    rows += [stump_row(parts, epsilon, cancer.X.shape[1], 16) for epsilon in epsilons]
    return pd.DataFrame(rows + other_rows(parts), columns=list(COLUMNS))


def committed_a9a() -> pd.DataFrame:
    """The committed table of the incomes."""
    return results.read("a9a-linear")


def by_epsilon(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """One column of a table of accuracies, spread out over epsilon.

    Parameters
    ----------
    table : DataFrame
        From `breast_cancer` or `a9a`.
    column : str
        "accuracy", "deviation" or "balanced".

    Returns
    -------
    DataFrame
        Columns ``learner`` and one for each epsilon; the last one is for no privacy.

    Examples
    --------
    >>> rows = pd.DataFrame({"learner": ["x", "x"], "epsilon": [0.5, np.inf], "accuracy": [0.6, 0.7]})
    >>> by_epsilon(rows, "accuracy").to_numpy().tolist()
    [['x', 0.6, 0.7]]
    """
    wide = table.pivot_table(index="learner", columns="epsilon", values=column, sort=False)
    wide = wide[sorted(wide.columns)]
    wide.columns = ["not private" if np.isinf(e) else f"ε = {e:g}" for e in wide.columns]
    return wide.reset_index()
