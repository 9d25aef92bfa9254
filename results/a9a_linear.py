"""Linear classification of incomes by LinearLearner, next to what it competes with, on the records of a9a.

Features are made by public maps: every feature of the data is in [0, 1] by a public range. *Centred* moves it
to [-1, 1]. Rules are drawn, so accuracies are means over seeds; a seed decides the order of the training
records and the draws.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml.datasets import load_a9a
from privml.hypotheses import DecisionStumps
from privml.learners import ExponentialPACLearner, LinearLearner
from privml.results.runs import Study, main

__all__ = ["STUDY"]

DELTA = 1e-5
EPSILONS, N_SEEDS, WEIGHTS = (0.1, 0.5, 1.0, 2.0), 20, (0.316, 1.0)
COLUMNS = ("learner", "epsilon", "accuracy", "deviation", "balanced")

Split = tuple[NDArray, NDArray, NDArray, NDArray]


class Task(NamedTuple):
    """How records become features, and the public weights of the two classes."""

    name: str
    features: Callable[[NDArray], NDArray]
    weights: tuple[float, float] | None


def centred(X: NDArray) -> NDArray[np.float64]:
    """Features of [0, 1] moved to [-1, 1]."""
    return 2 * np.asarray(X, dtype=float) - 1


def accuracies(predicted: NDArray, y: NDArray) -> tuple[float, float]:
    """Share of correct labels, and the mean of that share over the two classes."""
    right = predicted == y
    return float(right.mean()), float((right[y].mean() + right[~y].mean()) / 2)


def summary(name: str, epsilon: float, found: list[tuple[float, float]]) -> tuple:
    """A row: means over seeds, and the deviation of the accuracy."""
    plain, balanced = np.array(found).T
    return (name, epsilon, plain.mean(), round(float(plain.std()), 12), balanced.mean())


def private_row(
    task: Task, splits: Iterable[Split], epsilon: float, method: str
) -> tuple:
    """LinearLearner, with a draw for each split."""
    public = {"class_weights": task.weights, "classes": (False, True), "bounds": "unit"}
    learner = LinearLearner(epsilon, DELTA, method=method, **public)
    found = [
        accuracies(
            learner.fit(task.features(X), y, rng=seed).predict(task.features(Z)), v
        )
        for seed, (X, y, Z, v) in enumerate(splits)
    ]
    return summary(f"{task.name}, {method} rate", epsilon, found)


def stump_row(
    splits: Iterable[Split], epsilon: float, n_features: int, n_cuts: int
) -> tuple:
    """One private stump by the exponential mechanism."""
    stumps = DecisionStumps.on_grid(n_features, 0.0, 1.0, n_cuts)
    learner = ExponentialPACLearner(epsilon, stumps, classes=(False, True))
    found = [
        accuracies(learner.fit(X, y, rng=seed).predict(Z), v)
        for seed, (X, y, Z, v) in enumerate(splits)
    ]
    return summary("one stump, δ = 0", epsilon, found)


def other_rows(splits: Iterable[Split]) -> list[tuple]:
    """Logistic regression and the majority label, without privacy."""
    from sklearn.linear_model import LogisticRegression

    model, found = LogisticRegression(max_iter=2000), []
    for X, y, Z, v in splits:
        fitted = accuracies(model.fit(centred(X), y).predict(centred(Z)), v)
        found.append((fitted, accuracies(np.full(len(v), 2 * y.sum() > len(y)), v)))
    names = ("logistic regression, not private", "majority label")
    return [
        summary(name, inf, list(part))
        for name, part in zip(names, zip(*found, strict=True), strict=True)
    ]


@lru_cache(maxsize=1)
def records() -> Split:
    """Training records and labels, test records and labels, as they are published."""
    train, test = load_a9a("train"), load_a9a("test")
    return train.X.toarray(), train.y, test.X.toarray(), test.y


def published(n_seeds: int = N_SEEDS) -> Iterator[Split]:
    """The published parts, the training records in another order for each seed."""
    X, y, Z, v = records()
    for seed in range(n_seeds):
        order = np.random.default_rng(seed).permutation(len(X))
        yield X[order], y[order], Z, v


TASKS = {
    name: Task(name, centred, w)
    for name, w in (("centred", None), ("centred, weighted", WEIGHTS))
}


def work(kind: str, method: str, epsilon: float) -> list[tuple]:
    """The rows of one job."""
    if kind in TASKS:
        return [private_row(TASKS[kind], published(), epsilon, method)]
    return (
        other_rows(published())
        if kind == "others"
        else [stump_row(published(), epsilon, 123, 1)]
    )


RUNS = (
    ("centred, weighted", "corrected"),
    ("centred", "concentrated"),
    ("centred, weighted", "concentrated"),
)
STUDY = Study(
    name="a9a-linear",
    columns=COLUMNS,
    jobs=(
        *((*run, e) for run in (*RUNS, ("stump", "")) for e in EPSILONS),
        ("others", "", inf),
    ),
    work=work,
    parameters={
        "epsilons": list(EPSILONS),
        "n_seeds": N_SEEDS,
        "weights": list(WEIGHTS),
    },
    data={"a9a": lambda: load_a9a("train")},
)

if __name__ == "__main__":
    main(STUDY.name)
