"""One repetition of the protocol: split, train and vote once, then all methods at all epsilons."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import _check as check
from privml.datasets import Dataset
from privml.experiments.table4.base import records, source_of, split_sizes
from privml.experiments.table4.methods import METHODS, RECIPES, Task, linear_model, predictions
from privml.pate import fit_teachers

COLUMNS = [
    *("dataset", "repetition", "method", "epsilon", "n_teachers", "budget", "queries"),
    *("accuracy", "balanced"),
]
BASELINES = ("all private records", "majority label")


def ensembles(data: Dataset, X: NDArray, seed: int, name: tuple) -> Callable[[int, float], NDArray[np.uint8]]:
    """Votes of an ensemble on public points, from its size and the C of its teachers, each trained once.

    Parameters
    ----------
    data : Dataset
        The private records.
    X : array or sparse matrix of shape (n_points, n_features)
        The public points.
    seed : int
        Seed of the run.
    name : tuple
        Of the repetition, for the randomness of the ensembles.

    Returns
    -------
    callable
        From (n_teachers, C) to votes of shape (n_teachers, n_points).
    """
    known: dict[tuple[int, float], NDArray[np.uint8]] = {}

    def votes(n_teachers: int, C: float) -> NDArray[np.uint8]:
        if (n_teachers, C) not in known:
            rng = source_of(seed, *name, "teachers", n_teachers, C)
            options = {"n_teachers": n_teachers, "classes": [False, True], "rng": rng}
            known[n_teachers, C] = fit_teachers(linear_model(C), data.X, data.y, **options).votes(X)
        return known[n_teachers, C]

    return votes


def scores(predicted: NDArray, y: NDArray[np.bool_]) -> tuple[float, float]:
    """Accuracy, and the mean of the accuracies in the two classes.

    Examples
    --------
    >>> scores(np.array([1, 1, 1]), np.array([True, True, False]))
    (0.6666666666666666, 0.5)
    """
    right = (predicted == 1) == y
    return float(right.mean()), float((right[y].mean() + right[~y].mean()) / 2)


def repetition(
    name: str,
    number: int,
    *,
    epsilons: Sequence[float],
    methods: Sequence[str] = METHODS,
    seed: int,
) -> pd.DataFrame:
    """All rows of one repetition on one data set.

    Parameters
    ----------
    name : str
        A data set of ``LOADERS``.
    number : int
        Number of the repetition.
    epsilons : sequence of float
        In nats; infinity is no noise.
    methods : sequence of str
        Of ``METHODS``.
    seed : int
        Seed of the run.

    Returns
    -------
    DataFrame
        Columns ``COLUMNS``: ``budget`` is the number of queries that the noise pays for, ``queries`` the
        number that was asked (SVT: answered).  Then two rows without privacy: logistic regression on
        all private records, and their majority label.

    Raises
    ------
    ValueError, FileNotFoundError
        If a name is unknown, a parameter out of range, or the data are not there.

    Notes
    -----
    **Source.** LZCW21-rem-experiment-setup.

    Examples
    --------
    >>> table = repetition("halfspace", 0, epsilons=[1.0], methods=["PSQ", "counts"], seed=0)
    >>> table["method"].tolist()
    ['PSQ', 'counts', 'all private records', 'majority label']
    """
    from sklearn import config_context

    check.non_negative_integer(number=number)
    for method in methods:
        check.one_of(METHODS, method=method)
    data = records(name)
    sizes = split_sizes(len(data.y))
    order = source_of(seed, name, number, "split").permutation(len(data.y))
    private, public, test = np.split(order, [sizes.private, sizes.private + sizes.public])
    train = data._replace(X=data.X[private], y=data.y[private])
    votes = ensembles(train, data.X[public], seed, (name, number))
    Z, v, rows = data.X[test], data.y[test], []
    with config_context(assume_finite=True, skip_parameter_validation=True):  # the files are checked already
        for epsilon in map(float, epsilons):
            for method in methods:
                task = Task(data.X[public], sizes, epsilon, votes)
                found = RECIPES[method](task, source_of(seed, name, number, method, epsilon))
                whole = method in ("PSQ", "SVT") or (method == "counts" and np.isinf(epsilon))
                budget = sizes.public if whole else sizes.budget
                label = (name, number, method, epsilon, found.n_teachers, budget, found.n_queries)
                rows.append((*label, *scores(predictions(found.model, Z), v)))
        constant = int(2 * train.y.sum() > len(train.y))
        for method, model in zip(BASELINES, (linear_model().fit(train.X, train.y), constant), strict=True):
            rows.append((name, number, method, np.inf, 0, 0, 0, *scores(predictions(model, Z), v)))
    return pd.DataFrame(rows, columns=COLUMNS)
