"""What could have been measured: the printed accuracies of a9a under other learners and measures.

The passive method is run again with other linear learners for teachers and student, and with votes coded -1
and +1 whose sum is compared with K/2 (that is, with three quarters of the votes).  Each reading is scored by
plain and by balanced accuracy.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.experiments.results import RESULTS
from privml.experiments.table4.base import records, source_of, split_sizes
from privml.experiments.table4.methods import linear_model, predictions
from privml.experiments.table4.protocol import scores
from privml.experiments.table4.published import published_cells
from privml.pate import fit_teachers, vote_sigma

READINGS_RUN = {"names": ["mushrooms", "a9a"], "n_repetitions": 5, "seed": 0}
"""Parameters of the committed table, those of `readings`."""


def _online() -> Any:
    from sklearn.linear_model import SGDClassifier

    return SGDClassifier(loss="log_loss", max_iter=1, tol=None)


def _perceptron() -> Any:
    from sklearn.linear_model import Perceptron

    return Perceptron(max_iter=1, tol=None)


# name of the reading: base learner, and the share of votes that counts as a majority
LEARNERS: dict[str, tuple[Callable[[], Any], float]] = {
    "logistic regression, C = 10": (lambda: linear_model(10.0), 0.5),
    "logistic regression, C = 1": (linear_model, 0.5),
    "logistic regression, C = 0.1": (lambda: linear_model(0.1), 0.5),
    "logistic regression, C = 0.03": (lambda: linear_model(0.03), 0.5),
    "logistic regression, C = 0.01": (lambda: linear_model(0.01), 0.5),
    "one pass of stochastic gradients": (_online, 0.5),
    "one pass of a perceptron": (_perceptron, 0.5),
    "C = 1, votes -1 and +1 against K/2": (linear_model, 0.75),
}


def _student(model: Any, X: Any, labels: NDArray[np.bool_]) -> Any:
    return int(labels[0]) if (labels == labels[0]).all() else model.fit(X, labels.astype(int))


def one_reading(reading: str, name: str, number: int, seed: int) -> list[tuple]:
    """Scores of the passive method in one repetition, for each printed epsilon.

    Parameters
    ----------
    reading : str
        Of ``LEARNERS``.
    name : str
        Data set.
    number : int
        Number of the repetition; the split is that of the table.
    seed : int
        Seed of the run.

    Returns
    -------
    list of tuple
        Reading, data set, epsilon, repetition, accuracy, balanced accuracy.
    """
    data, (factory, majority) = records(name), LEARNERS[reading]
    sizes = split_sizes(len(data.y))
    order = source_of(seed, name, number, "split").permutation(len(data.y))
    private, public, test = np.split(order, [sizes.private, sizes.private + sizes.public])
    rng = source_of(seed, name, number, "reading", reading)
    options = {"n_teachers": sizes.n_teachers, "classes": [False, True], "rng": rng}
    teachers = fit_teachers(factory(), data.X[private], data.y[private], **options)
    counts, rows = teachers.votes(data.X[public]).sum(axis=0, dtype=int), []
    for epsilon in (0.5, 1.0, 2.0, np.inf):
        sigma = 0.0 if np.isinf(epsilon) else vote_sigma(sizes.public, epsilon, 1 / sizes.private)
        labels = counts + sigma * rng.standard_normal(len(counts)) >= majority * sizes.n_teachers
        model = factory()
        model = model.set_params(random_state=int(rng.integers(2**31)))
        found = predictions(_student(model, data.X[public], labels), data.X[test])
        rows.append((reading, name, epsilon, number, *scores(found, data.y[test])))
    return rows


def readings(names: list[str], n_repetitions: int, seed: int) -> pd.DataFrame:
    """Scores of the passive method under every reading, from the records.

    Parameters
    ----------
    names : list of str
        Data sets.
    n_repetitions : int
        Repetitions.
    seed : int
        Seed of the run.

    Returns
    -------
    DataFrame
        Columns ``reading``, ``dataset``, ``epsilon``, ``repetition``, ``accuracy``, ``balanced``.
    """
    rows = [
        row
        for name in names
        for reading in LEARNERS
        for number in range(n_repetitions)
        for row in one_reading(reading, name, number, seed)
    ]
    columns = ["reading", "dataset", "epsilon", "repetition", "accuracy", "balanced"]
    return pd.DataFrame(rows, columns=columns)


def committed_readings() -> pd.DataFrame:
    """Means of the committed run of `readings`, beside the printed accuracies of PSQ.

    Returns
    -------
    DataFrame
        Columns ``reading``, ``measure``, ``dataset``, ``epsilon``, ``mean``, ``printed``.

    Examples
    --------
    >>> sorted(committed_readings()["measure"].unique())
    ['accuracy', 'balanced']
    """
    table = pd.read_csv(RESULTS / "table4-readings.csv").assign(epsilon=lambda t: t["epsilon"].astype(float))
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
