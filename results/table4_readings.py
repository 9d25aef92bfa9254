"""What could have been measured in Table 4: the passive method under other learners and measures.

Other linear learners for teachers and student, and votes coded -1 and +1 whose sum is compared with K/2 (that
is, with three quarters of the votes). Each reading is scored by plain and by balanced accuracy.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from privml.pate import fit_teachers, vote_sigma
from privml.results.runs import Study, main
from privml.results.table4 import (
    EPSILONS,
    linear_model,
    parts,
    predictions,
    scores,
    source_of,
)

__all__ = ["STUDY"]

NAMES, REPETITIONS, SEED = ("mushrooms", "a9a"), 5, 0


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


def one_reading(name: str, reading: str, number: int, seed: int = SEED) -> list[tuple]:
    """Scores of the passive method in one repetition, for each printed epsilon; the split is the table's."""
    factory, majority = LEARNERS[reading]
    train, public, test = parts(name, number, seed)
    rng = source_of(seed, name, number, "reading", reading)
    n_teachers = max(1, round(len(train.y) / 100))
    options = {"n_teachers": n_teachers, "classes": [False, True], "rng": rng}
    teachers = fit_teachers(factory(), train.X, train.y, **options)
    counts, rows = teachers.votes(public.X).sum(axis=0, dtype=int), []
    for epsilon in EPSILONS:
        sigma = (
            0.0
            if np.isinf(epsilon)
            else vote_sigma(len(public.y), epsilon, 1 / len(train.y))
        )
        labels = (
            counts + sigma * rng.standard_normal(len(counts)) >= majority * n_teachers
        )
        model = factory().set_params(random_state=int(rng.integers(2**31)))
        constant = (labels == labels[0]).all()
        student = (
            int(labels[0]) if constant else model.fit(public.X, labels.astype(int))
        )
        rows.append(
            (
                reading,
                name,
                epsilon,
                number,
                *scores(predictions(student, test.X), test.y),
            )
        )
    return rows


STUDY = Study(
    name="table4-readings",
    columns=("reading", "dataset", "epsilon", "repetition", "accuracy", "balanced"),
    jobs=tuple(
        (name, r, number)
        for name in NAMES
        for r in LEARNERS
        for number in range(REPETITIONS)
    ),
    work=one_reading,
    parameters={"names": list(NAMES), "n_repetitions": REPETITIONS, "seed": SEED},
)

if __name__ == "__main__":
    main(STUDY.name)
