"""Decision stumps on real records: exact laws of the learned rule, averaged over fixed splits.

The cut points are public numbers in public ranges.  For each split of the records the law of the private
rule is computed exactly, and so are the mean and the quantiles of its accuracy on the records held out:
no rule is drawn, the only randomness left is the choice of the splits, and that is seeded.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.datasets import Dataset, load_breast_cancer, load_mushrooms
from privml.experiments.results import RESULTS
from privml.hypotheses import DecisionStumps
from privml.learners.exponential import exponential_law

TEST_SHARE = 0.3

MUSHROOMS = {
    "epsilons": [float(f"{10**k:.3g}") for k in np.linspace(-4, 0, 17)],
    "n_cuts": 1,
    "n_splits": 20,
    "seed": 0,
}
"""Parameters of the committed table, those of `stump_accuracy`."""


def split_counts(
    data: Dataset, hypotheses: DecisionStumps, n_splits: int, seed: int
) -> list[tuple[NDArray[np.int64], NDArray[np.float64], float]]:
    """For each split: training mistakes and test accuracies of all stumps, and that of the majority label.

    Parameters
    ----------
    data : Dataset
        Records.
    hypotheses : DecisionStumps
        The class.
    n_splits : int
        Number of splits; each holds out 30 % of the records, chosen uniformly.
    seed : int
        Seed of the splits.

    Returns
    -------
    list of (mistakes, accuracies, majority)

    Examples
    --------
    >>> data = Dataset(np.array([[0.1], [0.9]] * 10), np.array([False, True] * 10), ("a", "b"), ("x",))
    >>> (mistakes, accuracies, majority), = split_counts(data, DecisionStumps([[0.5]]), 1, 0)
    >>> mistakes.tolist(), accuracies.tolist()
    ([0, 14], [1.0, 0.0])
    """
    found = []
    n_test = round(TEST_SHARE * len(data.y))
    for rng in np.random.default_rng(seed).spawn(n_splits):
        test, train = np.split(rng.permutation(len(data.y)), [n_test])
        accuracies = 1 - hypotheses.mistakes(data.X[test], data.y[test]) / n_test
        majority = 2 * np.count_nonzero(data.y[train]) > len(train)
        found.append(
            (
                hypotheses.mistakes(data.X[train], data.y[train]),
                accuracies,
                float((data.y[test] == majority).mean()),
            )
        )
    return found


def weighted_quantiles(values: NDArray, weights: NDArray, levels: Sequence[float]) -> list[float]:
    """Least values at which the distribution function reaches each level.

    Examples
    --------
    >>> weighted_quantiles(np.array([3.0, 1.0, 2.0]), np.array([0.2, 0.5, 0.3]), [0.5, 0.6, 0.95])
    [1.0, 2.0, 3.0]
    """
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    places = np.searchsorted(reached, np.array(levels) * reached[-1] * (1 - 1e-12))
    return values[order][places].tolist()


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
    >>> x = np.linspace(0, 1, 40)
    >>> data = Dataset(x[:, None], x >= 0.5, ("below", "above"), ("x",))
    >>> table = stump_accuracy(data, epsilons=[1e-6, 100.0], n_cuts=9, n_splits=5, seed=0)
    >>> table[["mean", "erm"]].round(3).to_numpy().tolist()
    [[0.5, 1.0], [0.967, 1.0]]
    """
    hypotheses = DecisionStumps.on_grid(data.X.shape[1], 0.0, 1.0, n_cuts)
    splits = split_counts(data, hypotheses, n_splits, seed)
    accuracies = np.concatenate([accuracy for _, accuracy, _ in splits])
    erm = float(np.mean([accuracy[mistakes.argmin()] for mistakes, accuracy, _ in splits]))
    majority = float(np.mean([share for *_, share in splits]))
    rows = []
    for epsilon in epsilons:
        law = exponential_law(epsilon)
        weights = np.concatenate([law(mistakes) for mistakes, *_ in splits]) / n_splits
        low, high = weighted_quantiles(accuracies, weights, (0.05, 0.95))
        rows.append((epsilon, float(weights @ accuracies), low, high, erm, majority))
    return pd.DataFrame(rows, columns=["epsilon", "mean", "low", "high", "erm", "majority"])


def breast_cancer(epsilons: Sequence[float], *, n_cuts: int, n_splits: int, seed: int) -> pd.DataFrame:
    """Table of `stump_accuracy` on the breast cancer records that scikit-learn bundles.

    Parameters
    ----------
    epsilons, n_cuts, n_splits, seed
        As in `stump_accuracy`.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> breast_cancer([1.0], n_cuts=16, n_splits=2, seed=0).shape
    (1, 6)
    """
    return stump_accuracy(
        load_breast_cancer(), epsilons=epsilons, n_cuts=n_cuts, n_splits=n_splits, seed=seed
    )


def mushrooms() -> pd.DataFrame:
    """Table of `stump_accuracy` on the mushrooms, computed from the records.

    Returns
    -------
    DataFrame

    Raises
    ------
    FileNotFoundError, ValueError
        As :func:`privml.datasets.load_mushrooms`.
    """
    return stump_accuracy(load_mushrooms(), **MUSHROOMS)


def committed_mushrooms() -> pd.DataFrame:
    """The table of `mushrooms` that is committed under ``results/``.

    Returns
    -------
    DataFrame

    Raises
    ------
    FileNotFoundError
        If the package is not in its repository.

    Examples
    --------
    >>> committed_mushrooms().columns.tolist()
    ['epsilon', 'mean', 'low', 'high', 'erm', 'majority']
    """
    return pd.read_csv(RESULTS / "mushrooms-stumps.csv")
