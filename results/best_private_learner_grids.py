"""Fewest records that reach an excess empirical risk on every data set, for thresholds on finer grids."""

from collections.abc import Callable
from itertools import count, takewhile
from math import ceil, log

from privml._search import smallest_integer
from privml.adjacency import LARGEST_ENUMERATION, n_multisets
from privml.learnability import (
    exponential_learner,
    grid_packing,
    optimal_learner,
    thresholds_problem,
    worst_excess_empirical_risk,
)
from privml.results.best_private_learner_times import reflection
from privml.results.runs import Study, main

__all__ = ["STUDY"]

POINTS = (1, 2, 3, 4, 6)
TARGETS = ((1.0, 0.25), (2.0, 0.1))  # epsilon, alpha
LARGEST = 4  # records at which the linear program is given up


def packing_bound(n_points: int, n_samples: int, epsilon: float) -> float:
    """Best of the packing lower bounds for thresholds on a grid, over how many records are packed."""
    distances = range(1, n_samples + 1)
    return max(
        grid_packing(n_points, n_samples, distance=d).excess_risk(epsilon)
        for d in distances
    )


def _of_packing(n_points: int, epsilon: float, alpha: float) -> int | None:
    if n_points < 2:
        return None
    return smallest_integer(lambda n: packing_bound(n_points, n, epsilon) <= alpha)


def _of_optimum(n_points: int, epsilon: float, alpha: float) -> int | None:
    """Fewest records at which the program reaches alpha; None if the largest number does not."""
    problem, options = (
        thresholds_problem(n_points),
        {"symmetries": reflection(n_points)},
    )
    sizes = range(1, LARGEST + 1)
    return next(
        (
            n
            for n in sizes
            if optimal_learner(problem, n, epsilon, **options).value <= alpha
        ),
        None,
    )


def _of_law(law: Callable, n_points: int, alpha: float) -> int | None:
    """Fewest records at which a mechanism reaches alpha; None if there are too many data sets before."""
    problem = thresholds_problem(n_points)
    sizes = takewhile(
        lambda n: n_multisets(problem.n_records, n) <= LARGEST_ENUMERATION, count(1)
    )
    return next(
        (
            n
            for n in sizes
            if worst_excess_empirical_risk(law, problem, n).value <= alpha
        ),
        None,
    )


def grid_sizes(n_points: int, epsilon: float, alpha: float) -> list[tuple]:
    """Four rows: what packing allows, the optimum, the exponential mechanism, and its theorem."""
    law = exponential_learner(thresholds_problem(n_points), epsilon)
    sizes = {
        "packing": _of_packing(n_points, epsilon, alpha),
        "optimum": _of_optimum(n_points, epsilon, alpha),
        "exponential": _of_law(law, n_points, alpha),
        "theorem": ceil(2 * log(n_points + 1) / (epsilon * alpha)),
    }
    return [(epsilon, alpha, n_points, curve, size) for curve, size in sizes.items()]


STUDY = Study(
    name="best-private-learner-grids",
    columns=("epsilon", "alpha", "n_points", "curve", "n_samples"),
    jobs=tuple((points, *target) for target in TARGETS for points in POINTS),
    work=grid_sizes,
    parameters={
        "n_points": list(POINTS),
        "targets": [list(t) for t in TARGETS],
        "largest": LARGEST,
    },
    digits=4,
)

if __name__ == "__main__":
    main(STUDY.name)
