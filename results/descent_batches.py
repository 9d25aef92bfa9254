"""Noisy gradient descent on all records and on batches beside objective perturbation, under both relations.

The number of records that a learner with batches is told is that of the training records, as a public one.
Under replace-one it is calibrated to half of epsilon, so that group privacy gives the whole.
"""

from itertools import product
from math import exp, inf

from privml.datasets import load_a9a, load_breast_cancer, load_digits_below_five
from privml.learners import NoisyGradientDescent, ObjectivePerturbation
from privml.learners.perturbation.base import PerturbedClassifier
from privml.results.private_erm import DELTA, not_private, splits, summary
from privml.results.runs import Study, main

__all__ = ["STUDY"]

REPLACE, ADD, NONE = "replace one", "add or remove one", "none"
EPSILONS = (0.1, 0.5, 1.0, 2.0)
RATE = 0.1
N_DRAWS = {"breast cancer": 5, "digits": 5, "a9a": 10}
METHODS = (
    ("objective perturbation", REPLACE),
    ("all records", REPLACE),
    ("batches", REPLACE),
    ("all records", ADD),
    ("batches", ADD),
)


def learner(method: str, relation: str, epsilon: float, n: int) -> PerturbedClassifier:
    """One of the methods, for n records."""
    public = {"bounds": "unit", "classes": (False, True)}
    if method == "objective perturbation":
        return ObjectivePerturbation(epsilon, DELTA, **public)
    if method == "all records" and relation == REPLACE:
        return NoisyGradientDescent(epsilon, DELTA, **public)
    rate = RATE if method == "batches" else 1.0
    spent = (
        (epsilon, DELTA)
        if relation == ADD
        else (epsilon / 2, DELTA / (1 + exp(epsilon / 2)))
    )
    return NoisyGradientDescent(
        *spent, **public, batch_size=rate * n, sampling_rate=rate
    )


def work(task: str, method: str, relation: str, epsilon: float) -> list[tuple]:
    """One row: mean accuracy, its standard error, and the number of fits."""

    def scores(split: tuple, number: int) -> list[float]:
        X, y, Z, v = split
        if relation == NONE:
            return [not_private().fit(X, y).score(Z, v)]
        seeds = [1000 * number + draw for draw in range(N_DRAWS[task])]
        model = learner(method, relation, epsilon, len(X))
        return [model.fit(X, y, rng=seed).score(Z, v) for seed in seeds]

    return [(task, method, relation, epsilon, *summary(splits(task), scores))]


STUDY = Study(
    name="descent-batches",
    columns=("data", "method", "relation", "epsilon", "accuracy", "error", "n_fits"),
    jobs=tuple(
        (task, *method, epsilon)
        for task in N_DRAWS
        for method, epsilon in (
            *product(METHODS, EPSILONS),
            (("logistic regression", NONE), inf),
        )
    ),
    work=work,
    parameters={
        "epsilons": list(EPSILONS),
        "sampling_rate": RATE,
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
