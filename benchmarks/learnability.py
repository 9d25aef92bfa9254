"""Exact stability, gaps and subsampled laws over all data sets, against the plainest numpy that is right.

Before anything is timed, the constants are compared with those of the floor: a fast wrong answer is none.
"""

import numpy as np

from benchmarks.timing import Case
from privml.hypotheses import Thresholds
from privml.learnability import (
    LearningProblem,
    count_vectors,
    exact_privacy,
    expected_excess_risk,
    exponential_learner,
    neighbours,
    on_average_stability,
    replace_one_stability,
    simplex_grid,
    subset_learner,
)

EPSILON = 1.0
POINTS = np.linspace(0, 1, 5)
MEDIAN = LearningProblem(
    np.abs(np.linspace(0, 1, 11)[:, None] - POINTS)
)  # 15 records: 3,876 data sets
LABELLED = LearningProblem.of_class(
    Thresholds(np.arange(9) - 0.5), np.arange(8.0)
)  # 4 records: 3,876
LAWS = {
    problem: exponential_learner(problem, EPSILON) for problem in (MEDIAN, LABELLED)
}
FLAT = np.full(5, 0.2)


def floor_stability(problem: LearningProblem, n_samples: int) -> float:
    """Plain numpy: the neighbour list, all pairs at once, nothing checked and no witness."""
    losses = LAWS[problem](count_vectors(problem.n_records, n_samples)) @ problem.losses
    first, second = neighbours(problem.n_records, n_samples).T
    return float(np.abs(losses[first] - losses[second]).max())


for _problem, _size in ((MEDIAN, 15), (LABELLED, 4)):
    _found = replace_one_stability(LAWS[_problem], _problem, _size).value
    if abs(_found - floor_stability(_problem, _size)) > 1e-13:
        raise ValueError(
            f"stability must be {floor_stability(_problem, _size)!r}, got {_found!r}"
        )

CASES = [
    Case(
        "stability, 3,876 data sets of 15 records, 30,600 pairs",
        lambda: replace_one_stability(LAWS[MEDIAN], MEDIAN, 15),
        lambda: floor_stability(MEDIAN, 15),
        most_ratio=2.0,
        most_seconds=5.0,
        repeats=5,
    ),
    Case(
        "stability, 3,876 data sets of 4 records, 97,920 pairs",
        lambda: replace_one_stability(LAWS[LABELLED], LABELLED, 4),
        lambda: floor_stability(LABELLED, 4),
        most_ratio=2.0,
        most_seconds=5.0,
        repeats=5,
    ),
    Case(
        "exact epsilon on the same 30,600 pairs",
        lambda: exact_privacy(LAWS[MEDIAN], 5, 15),
        most_seconds=5.0,
        repeats=5,
    ),
    Case(
        "on-average stability on these",
        lambda: on_average_stability(LAWS[MEDIAN], MEDIAN, FLAT, 15),
        most_seconds=5.0,
        repeats=5,
    ),
    Case(
        "excess risk under 1,001 distributions, 3,876 data sets",
        lambda: expected_excess_risk(LAWS[MEDIAN], MEDIAN, simplex_grid(5, 10), 15),
        most_seconds=5.0,
        repeats=5,
    ),
    Case(
        "law on 3 of 15 records, all 3,876 data sets",
        lambda: subset_learner(LAWS[MEDIAN])(count_vectors(5, 15)),
        most_seconds=1.0,
        repeats=5,
    ),
]
