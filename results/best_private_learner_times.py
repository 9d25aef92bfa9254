"""Processor time of the linear program for the best private learner of thresholds on a grid."""

import time

import numpy as np

from privml.learnability import optimal_learner, thresholds_problem
from privml.results.runs import Study, main

__all__ = ["STUDY"]

EPSILON = 1.0
CASES = (
    *((2, 2), (2, 4), (4, 2), (3, 3), (4, 3), (3, 5)),
    *((5, 3), (4, 4), (6, 3), (8, 3), (5, 4), (6, 4)),
)


def reflection(n_points: int) -> list:
    """The symmetry of thresholds on a grid: reflect the line, exchange the labels."""
    return [np.arange(2 * n_points)[::-1]]


def program_times(
    n_points: int, n_samples: int, epsilon: float = EPSILON
) -> list[tuple]:
    """Times with and without the reflection; `rows` counts those of privacy, before symmetries."""
    problem, found = thresholds_problem(n_points), []
    for curve, symmetries in (
        ("as it is", []),
        ("with the reflection", reflection(n_points)),
    ):
        start = time.process_time()
        learner = optimal_learner(problem, n_samples, epsilon, symmetries=symmetries)
        seconds = time.process_time() - start
        n_datasets = len(learner.probabilities)
        rests = n_datasets * n_samples // (problem.n_records + n_samples - 1)
        rows = 2 * rests * problem.n_records * problem.n_hypotheses
        found.append((curve, n_points, n_samples, n_datasets, rows, seconds))
    return found


STUDY = Study(
    name="best-private-learner-times",
    columns=("curve", "n_points", "n_samples", "n_datasets", "rows", "seconds"),
    jobs=CASES,
    work=program_times,
    parameters={"cases": [list(case) for case in CASES], "epsilon": EPSILON},
    digits=4,
)

if __name__ == "__main__":
    main(STUDY.name)
