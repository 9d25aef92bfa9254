"""Accuracy of every private method on real records, over splits and draws; nothing is chosen by private data.

The splits are scikit-learn's stratified ones with the seeds 0, 1, ...: those of the quoted numbers. Rows are
made from public ranges only.
"""

from collections.abc import Callable
from functools import lru_cache
from math import inf, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from privml.datasets import (
    Dataset,
    load_a9a,
    load_breast_cancer,
    load_digits_below_five,
)
from privml.divergences import gaussian_mu
from privml.learners import (
    ExponentialLogisticRegression,
    MeanClassifier,
    NoisyGradientDescent,
    ObjectivePerturbation,
    OutputPerturbation,
    centred_rows,
)
from privml.results.runs import Study, main

__all__ = ["STUDY"]

DELTA, EPSILONS = 1e-5, (0.1, 0.5, 1.0, 2.0)
NORM = 10.0  # one for all methods: the best of `private_erm_norms` on synthetic populations
PURE, APPROXIMATE, NONE = "ε", "(ε, δ)", "none"
N_SPLITS = 20
N_DRAWS = {"breast cancer": 10, "digits": 10, "a9a": 3}

Split = tuple[NDArray, NDArray, NDArray, NDArray]


class Method(NamedTuple):
    """A way to learn: its name, its guarantee, and an estimator for each epsilon and norm."""

    name: str
    promise: str
    estimator: Callable[[float, float], BaseEstimator]
    norm: float = inf


def _sampler(delta: float) -> Callable[[float, float], BaseEstimator]:
    return lambda epsilon, norm: ExponentialLogisticRegression(
        epsilon, delta, radius=norm, bounds="unit", classes=(False, True)
    )


def _learner(kind: type, delta: float) -> Callable[[float, float], BaseEstimator]:
    return lambda epsilon, norm: kind(
        epsilon, delta, norm=norm, bounds="unit", classes=(False, True)
    )


def _mean(delta: float) -> Callable[[float, float], BaseEstimator]:
    return lambda epsilon, norm: MeanClassifier(
        epsilon, delta, bounds="unit", classes=(False, True)
    )


class Yardstick(BaseEstimator):
    """The noisy gradient descent that the quoted numbers come from: logistic loss, 20 steps of rate 8."""

    def __init__(self, epsilon: float) -> None:
        self.epsilon = epsilon

    def fit(
        self, X: NDArray, y: NDArray, *, rng: np.random.Generator | int | None = None
    ):
        """Mean of the last ten iterates."""
        rng, n, w = np.random.default_rng(rng), len(X), np.zeros(X.shape[1])
        deviation = 2 * np.sqrt(20) / gaussian_mu(self.epsilon, DELTA)
        self.weights_ = np.zeros(X.shape[1])
        for step in range(20):
            gradient = X.T @ (0.5 + 0.5 * np.tanh(X @ w / 2) - y)
            w = w - 8 / n * (gradient + deviation * rng.standard_normal(w.size))
            self.weights_ += w * (step >= 10)
        return self

    def score(self, X: NDArray, y: NDArray) -> float:
        """Share of correct labels."""
        return float(((X @ self.weights_ > 0) == y).mean())


METHODS = (
    Method("mean", PURE, _mean(0.0)),
    Method("output perturbation", PURE, _learner(OutputPerturbation, 0.0), NORM),
    Method("objective perturbation", PURE, _learner(ObjectivePerturbation, 0.0), NORM),
    Method("exponential sampling", PURE, _sampler(0.0), NORM),
    Method("mean", APPROXIMATE, _mean(DELTA)),
    Method(
        "output perturbation", APPROXIMATE, _learner(OutputPerturbation, DELTA), NORM
    ),
    Method(
        "objective perturbation",
        APPROXIMATE,
        _learner(ObjectivePerturbation, DELTA),
        NORM,
    ),
    Method(
        "noisy gradient descent",
        APPROXIMATE,
        _learner(NoisyGradientDescent, DELTA),
        NORM,
    ),
    Method("exponential sampling", APPROXIMATE, _sampler(DELTA), NORM),
    Method(
        "yardstick, measured anew",
        APPROXIMATE,
        lambda epsilon, norm: Yardstick(epsilon),
    ),
)


def not_private() -> BaseEstimator:
    """Logistic regression of scikit-learn, without an intercept as the others."""
    return LogisticRegression(C=100.0, fit_intercept=False, max_iter=5000)


def fitted(
    method: Method, epsilon: float, X, y, seed: int, norm: float | None = None
) -> BaseEstimator:
    """One fit."""
    return method.estimator(epsilon, method.norm if norm is None else norm).fit(
        X, y, rng=seed
    )


def _stratified(data: Dataset, *, flipped: bool, n_splits: int) -> list[Split]:
    """Splits of scikit-learn, which depend on which label it calls 1."""
    rows, found = centred_rows(data.X), []
    for seed in range(n_splits):
        options = {"test_size": 0.3, "random_state": seed, "stratify": data.y ^ flipped}
        X, Z, y, v = train_test_split(rows, data.y, **options)
        found.append((X, y, Z, v))
    return found


@lru_cache(maxsize=1)
def splits(task: str, n_splits: int = N_SPLITS) -> list[Split]:
    """Training and test records; of a9a the published parts, where a row has at most 14 ones."""
    if task == "a9a":
        train, test = load_a9a("train"), load_a9a("test")
        return [
            (train.X.toarray() / sqrt(14), train.y, test.X.toarray() / sqrt(14), test.y)
        ]
    load = load_breast_cancer if task == "breast cancer" else load_digits_below_five
    return _stratified(load(), flipped=task == "breast cancer", n_splits=n_splits)


def summary(
    parts: list[Split], scores: Callable[[Split, int], list[float]]
) -> tuple[float, float, int]:
    """Mean accuracy, its standard error over the means of splits, and the number of fits."""
    found = [scores(split, number) for number, split in enumerate(parts)]
    flat = np.concatenate(found)
    means = np.array([np.mean(f) for f in found]) if len(found) > 1 else flat
    error = means.std(ddof=1) / sqrt(len(means)) if len(means) > 1 else 0.0
    return float(flat.mean()), float(error), len(flat)


def private_row(
    task: str, method: Method, epsilon: float, parts: list[Split], n_draws: int
) -> tuple:
    """One row of the table for one private method and one epsilon."""

    def scores(split: Split, number: int) -> list[float]:
        X, y, Z, v = split
        seeds = [1000 * number + draw for draw in range(n_draws)]
        return [fitted(method, epsilon, X, y, seed).score(Z, v) for seed in seeds]

    norm = method.norm if method.norm < inf else nan
    return (task, method.name, method.promise, epsilon, norm, *summary(parts, scores))


def reference_rows(task: str, parts: list[Split]) -> list[tuple]:
    """Logistic regression without privacy, and the majority label."""

    def plain(split: Split, number: int) -> list[float]:
        return [not_private().fit(split[0], split[1]).score(split[2], split[3])]

    def majority(split: Split, number: int) -> list[float]:
        return [float((split[3] == (2 * split[1].sum() > len(split[1]))).mean())]

    names = {"logistic regression": plain, "majority label": majority}
    return [
        (task, name, NONE, inf, nan, *summary(parts, scores))
        for name, scores in names.items()
    ]


def work(task: str, name: str, promise: str, epsilon: float) -> list[tuple]:
    """The rows of one job."""
    if promise == NONE:
        return reference_rows(task, splits(task))
    [method] = [m for m in METHODS if (m.name, m.promise) == (name, promise)]
    return [private_row(task, method, epsilon, splits(task), N_DRAWS[task])]


def _jobs(task: str) -> list[tuple]:
    sampled = (
        APPROXIMATE if task == "a9a" else PURE
    )  # exact draws where their tries are few
    kept = [
        m for m in METHODS if m.name != "exponential sampling" or m.promise == sampled
    ]
    return [(task, m.name, m.promise, e) for m in kept for e in EPSILONS] + [
        (task, "references", NONE, inf)
    ]


STUDY = Study(
    name="private-erm",
    columns=(
        "data",
        "method",
        "promise",
        "epsilon",
        "norm",
        "accuracy",
        "error",
        "n_fits",
    ),
    jobs=tuple(job for task in N_DRAWS for job in _jobs(task)),
    work=work,
    parameters={
        "epsilons": list(EPSILONS),
        "norm": NORM,
        "n_splits": N_SPLITS,
        "n_draws": N_DRAWS,
        "seed": 0,
    },
    data={
        "breast cancer": load_breast_cancer,
        "digits": load_digits_below_five,
        "a9a": load_a9a,
    },
)

if __name__ == "__main__":
    main(STUDY.name)
