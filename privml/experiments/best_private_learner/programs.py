"""Tables that take minutes: times of the linear program, and records needed on finer and finer grids."""

import json
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import count, takewhile
from pathlib import Path

import numpy as np
import pandas as pd

from privml._search import smallest_integer
from privml.adjacency import LARGEST_ENUMERATION, n_multisets
from privml.learnability import always_aerm_gap, exponential_law
from privml.learnability.impossibility import grid_packing
from privml.learnability.optimal import optimal_learner
from privml.learnability.problems import thresholds_problem

RESULTS = Path(__file__).resolve().parents[3] / "results"
"""Where committed tables live: beside the package, in the repository."""

COMMAND = "python -m privml.experiments.best_private_learner"

TIMES = {
    "cases": [(2, 2), (2, 4), (4, 2), (3, 3), (4, 3), (3, 5), (5, 3), (4, 4), (6, 3), (8, 3), (5, 4), (6, 4)],
    "epsilon": 1.0,
}
GRIDS = {"n_points": [1, 2, 3, 4, 6], "targets": [(1.0, 0.25), (2.0, 0.1)], "largest": 4}


def reflection(n_points: int) -> list:
    """The symmetry of thresholds on a grid: reflect the line, exchange the labels."""
    return [np.arange(2 * n_points)[::-1]]


def program_times(cases: Sequence[tuple[int, int]], epsilon: float) -> pd.DataFrame:
    """Processor time of the optimal learner for thresholds, with and without the reflection.

    Parameters
    ----------
    cases : sequence of (n_points, n_samples)
        Grids and sample sizes.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``n_points``, ``n_samples``, ``n_datasets``, ``rows`` (of privacy, before
        symmetries) and ``seconds``.

    Examples
    --------
    >>> program_times([(2, 2)], 1.0)[["n_datasets", "rows"]].to_numpy().tolist()
    [[10, 96], [10, 96]]
    """
    rows = []
    for n_points, n_samples in cases:
        problem = thresholds_problem(n_points)
        for curve, symmetries in (("as it is", []), ("with the reflection", reflection(n_points))):
            start = time.process_time()
            learner = optimal_learner(problem, n_samples, epsilon, symmetries=symmetries)
            seconds = time.process_time() - start
            n_datasets = len(learner.probabilities)
            rests = n_datasets * n_samples // (problem.n_records + n_samples - 1)
            size = 2 * rests * problem.n_records * problem.n_hypotheses
            rows.append((curve, n_points, n_samples, n_datasets, size, seconds))
    return pd.DataFrame(rows, columns=["curve", "n_points", "n_samples", "n_datasets", "rows", "seconds"])


def _smallest_optimum(n_points: int, epsilon: float, alpha: float, largest: int) -> int | None:
    """Fewest records at which the program reaches alpha; None if `largest` records do not."""
    problem, symmetries = thresholds_problem(n_points), reflection(n_points)
    for n_samples in range(1, largest + 1):
        if optimal_learner(problem, n_samples, epsilon, symmetries=symmetries).value <= alpha:
            return n_samples
    return None


def _smallest_of_law(law: Callable, n_points: int, alpha: float) -> int | None:
    """Fewest records at which a mechanism reaches alpha; None if there are too many data sets before."""
    problem = thresholds_problem(n_points)
    sizes = takewhile(lambda n: n_multisets(problem.n_records, n) <= LARGEST_ENUMERATION, count(1))
    return next((n for n in sizes if always_aerm_gap(law, problem, n).value <= alpha), None)


def grid_sizes(n_points: Sequence[int], targets: Sequence[tuple[float, float]], largest: int) -> pd.DataFrame:
    """Fewest records that reach an excess empirical risk alpha on every data set, for thresholds on grids.

    Parameters
    ----------
    n_points : sequence of int
        Points of the grids.
    targets : sequence of (epsilon, alpha)
        Privacy parameter in nats, and excess allowed.
    largest : int
        Records at which the linear program is given up; then its entry is missing.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``alpha``, ``n_points``, ``curve`` and ``n_samples``.

    Examples
    --------
    >>> grid_sizes([2], [(2.0, 0.1)], 4)[["curve", "n_samples"]].to_numpy().tolist()
    [['packing', 2], ['optimum', 3], ['exponential', 5], ['theorem', 11]]
    """
    rows = []
    for epsilon, alpha in targets:
        for points in n_points:
            problem = thresholds_problem(points)
            sizes = {
                "packing": _packing_size(points, epsilon, alpha),
                "optimum": _smallest_optimum(points, epsilon, alpha, largest),
                "exponential": _smallest_of_law(exponential_law(problem, epsilon), points, alpha),
                "theorem": int(np.ceil(2 * np.log(points + 1) / (epsilon * alpha))),
            }
            rows.extend((epsilon, alpha, points, curve, size) for curve, size in sizes.items())
    return pd.DataFrame(rows, columns=["epsilon", "alpha", "n_points", "curve", "n_samples"])


def _packing_size(n_points: int, epsilon: float, alpha: float) -> int | None:
    """Fewest records that the packing argument does not exclude."""
    if n_points < 2:
        return None
    return smallest_integer(lambda n: packing_bound(n_points, n, epsilon) <= alpha)


def packing_bound(n_points: int, n_samples: int, epsilon: float) -> float:
    """Best of the packing lower bounds for thresholds on a grid, over how many records are packed.

    Examples
    --------
    >>> packing_bound(3, 4, 3.0) > grid_packing(3, 4).excess_risk(3.0)
    True
    """
    distances = range(1, n_samples + 1)
    return max(grid_packing(n_points, n_samples, distance=d).excess_risk(epsilon) for d in distances)


def write(name: str, make: Callable[..., pd.DataFrame], parameters: dict, folder: Path = RESULTS) -> None:
    """Write a table as CSV and, beside it as JSON, the command, the version and the parameters."""
    folder.mkdir(exist_ok=True)
    text = make(**parameters).to_csv(index=False, float_format="%.4g", lineterminator="\n")
    (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    origin = {
        "command": f"{COMMAND} {name.removeprefix('best-private-learner-')}",
        "privml": version("privml"),
    }
    origin["parameters"] = parameters
    (folder / f"{name}.json").write_text(json.dumps(origin, indent=2) + "\n", encoding="utf-8")


def committed(name: str) -> pd.DataFrame:
    """A table of this chapter that is committed under ``results/``: ``times`` or ``grids``.

    Examples
    --------
    >>> committed("grids").columns.tolist()
    ['epsilon', 'alpha', 'n_points', 'curve', 'n_samples']
    """
    return pd.read_csv(RESULTS / f"best-private-learner-{name}.csv")
