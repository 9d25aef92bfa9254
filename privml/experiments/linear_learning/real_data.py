"""Linear classification of real records by LinearLearner, next to what it competes with.

Features are made by public maps: every feature of the data sets is in [0, 1] by a public range.  *Centred*
moves it to [-1, 1]; *stumps* replaces it by the signs at public cut points.  Rules are drawn, so accuracies
are means over seeds; a seed decides the order of the records, the split where there is none, and the draws.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.datasets import load_a9a, load_breast_cancer
from privml.experiments.results import RESULTS
from privml.hypotheses import DecisionStumps
from privml.learners import ExponentialPACLearner, LinearLearner

TEST_SHARE = 0.3
DELTA = 1e-5

A9A = {"epsilons": [0.1, 0.5, 1.0, 2.0], "n_seeds": 20, "weights": [0.316, 1.0]}
"""Parameters of the committed table, those of `a9a`."""

Split = tuple[NDArray, NDArray, NDArray, NDArray]


class Task(NamedTuple):
    """How records become features, and the public weights of the two classes."""

    name: str
    features: Callable[[NDArray], NDArray]
    weights: tuple[float, float] | None


def centred(X: NDArray) -> NDArray[np.float64]:
    """Features of [0, 1] moved to [-1, 1].

    Examples
    --------
    >>> centred(np.array([[0.0, 0.75]])).tolist()
    [[-1.0, 0.5]]
    """
    return 2 * np.asarray(X, dtype=float) - 1


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


def accuracies(predicted: NDArray, y: NDArray) -> tuple[float, float]:
    """Share of correct labels, and the mean of that share over the two classes.

    Examples
    --------
    >>> accuracies(np.array([True, True, True]), np.array([True, True, False]))
    (0.6666666666666666, 0.5)
    """
    right = predicted == y
    return float(right.mean()), float((right[y].mean() + right[~y].mean()) / 2)


def _summary(label: tuple, found: list[tuple[float, float]]) -> tuple:
    plain, balanced = np.array(found).T
    return (*label, plain.mean(), round(float(plain.std()), 12), balanced.mean())


COLUMNS = ["learner", "epsilon", "accuracy", "deviation", "balanced"]


def private_rows(
    task: Task, parts: Callable[[int], Split], epsilons: Sequence[float], n_seeds: int, method: str
) -> list[tuple]:
    """Accuracies of LinearLearner over seeds, one row for each epsilon.

    Parameters
    ----------
    task : Task
        Features and weights.
    parts : callable
        From a seed to training and test records, in the order of the rounds.
    epsilons : sequence of float
        Privacy parameters; delta is `DELTA`.
    n_seeds : int
        Number of seeds.
    method : str
        Learning rate.

    Returns
    -------
    list of tuple
        As the columns `COLUMNS`.
    """
    rows = []
    data = [parts(seed) for seed in range(n_seeds)]
    data = [(task.features(X), y, task.features(Z), v) for X, y, Z, v in data]
    for epsilon in epsilons:
        learner = LinearLearner(
            epsilon, DELTA, method=method, class_weights=task.weights, classes=(False, True)
        )
        found = [
            accuracies(learner.fit(X, y, rng=seed).predict(Z), v) for seed, (X, y, Z, v) in enumerate(data)
        ]
        rows.append(_summary((f"{task.name}, {method} rate", epsilon), found))
    return rows


def other_rows(
    parts: Callable[[int], Split], epsilons: Sequence[float], n_seeds: int, n_cuts: int
) -> list[tuple]:
    """One private stump by the exponential mechanism, logistic regression, and the majority label.

    Parameters
    ----------
    parts : callable
        From a seed to training and test records.
    epsilons : sequence of float
        Privacy parameters of the stump, with delta = 0.
    n_seeds : int
        Number of seeds.
    n_cuts : int
        Cut points of the stump for each feature.

    Returns
    -------
    list of tuple
        As the columns `COLUMNS`; epsilon is infinite where there is no privacy.
    """
    from sklearn.linear_model import LogisticRegression

    data = [parts(seed) for seed in range(n_seeds)]
    rows = []
    stumps = DecisionStumps.on_grid(data[0][0].shape[1], 0.0, 1.0, n_cuts)
    for epsilon in epsilons:
        learner = ExponentialPACLearner(epsilon, stumps, classes=(False, True))
        found = [
            accuracies(learner.fit(X, y, rng=seed).predict(Z), v) for seed, (X, y, Z, v) in enumerate(data)
        ]
        rows.append(_summary(("one stump, δ = 0", epsilon), found))
    model = LogisticRegression(max_iter=2000)
    found = [accuracies(model.fit(centred(X), y).predict(centred(Z)), v) for X, y, Z, v in data]
    rows.append(_summary(("logistic regression, not private", np.inf), found))
    found = [accuracies(np.full(len(v), 2 * y.sum() > len(y)), v) for _, y, _, v in data]
    rows.append(_summary(("majority label", np.inf), found))
    return rows


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
    plain, weighted = Task("centred", centred, None), Task("centred, weighted", centred, weights)
    stumps = Task("stumps, weighted", stump_signs, weights)
    runs = [(task, "concentrated") for task in (plain, weighted, stumps)]

    def parts(seed: int) -> Split:
        return splits(cancer.X, cancer.y, seed)

    rows = [
        row
        for task, method in [(stumps, "corrected"), *runs]
        for row in private_rows(task, parts, epsilons, n_seeds, method)
    ]
    return pd.DataFrame(rows + other_rows(parts, epsilons, n_seeds, 16), columns=COLUMNS)


def a9a(
    epsilons: Sequence[float] = A9A["epsilons"],
    n_seeds: int = A9A["n_seeds"],
    weights: Sequence[float] = A9A["weights"],
) -> pd.DataFrame:
    """Accuracy on the published test records of a9a, mean over seeds; computed from the records.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters, with delta = 1e-5 for LinearLearner.
    n_seeds : int
        Number of seeds: of the order of the training records and of the draws.
    weights : pair of float
        Public weights of low and high incomes, where weights are used.

    Returns
    -------
    DataFrame
        As `breast_cancer`.

    Raises
    ------
    FileNotFoundError, ValueError
        As :func:`privml.datasets.load_a9a`.
    """
    train, test = load_a9a("train"), load_a9a("test")
    X, Z = train.X.toarray(), test.X.toarray()

    def parts(seed: int) -> Split:
        order = np.random.default_rng(seed).permutation(len(X))
        return X[order], train.y[order], Z, test.y

    plain, weighted = Task("centred", centred, None), Task("centred, weighted", centred, tuple(weights))
    rows = [
        row
        for task, method in ((weighted, "corrected"), (plain, "concentrated"), (weighted, "concentrated"))
        for row in private_rows(task, parts, epsilons, n_seeds, method)
    ]
    return pd.DataFrame(rows + other_rows(parts, epsilons, n_seeds, 1), columns=COLUMNS)


def committed_a9a() -> pd.DataFrame:
    """The table of `a9a` that is committed under ``results/``.

    Returns
    -------
    DataFrame

    Raises
    ------
    FileNotFoundError
        If the package is not in its repository.

    Examples
    --------
    >>> committed_a9a().columns.tolist()
    ['learner', 'epsilon', 'accuracy', 'deviation', 'balanced']
    """
    return pd.read_csv(RESULTS / "a9a-linear.csv")


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
