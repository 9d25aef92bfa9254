"""Learnability as a computation: worst expected excess risk over distributions, and private learnability."""

from collections.abc import Sequence
from math import comb, log, tanh

import numpy as np
import pandas as pd

from privml.learnability import (
    CountLaw,
    LearningProblem,
    constant_law,
    erm_law,
    exact_privacy,
    expected_excess_risk,
    exponential_law,
    worst_distribution,
)
from privml.learnability.problems import coin_problem, finite_subsets_problem, rows, thresholds_problem

COIN_STEPS = 400
MOST_DISTRIBUTIONS = 3000


def simplex_steps(n_records: int) -> int:
    """Fineness of a grid of distributions with at most `MOST_DISTRIBUTIONS` of them.

    Examples
    --------
    >>> simplex_steps(2), simplex_steps(4)
    (400, 24)
    """
    fits = [s for s in range(1, COIN_STEPS + 1) if comb(n_records + s - 1, s) <= MOST_DISTRIBUTIONS]
    return fits[-1]


def universal_excess_risk(
    law: CountLaw, problem: LearningProblem, n_samples: int, *, steps: int | None = None
) -> float:
    """Largest expected excess risk over a grid of distributions, by default as fine as is practical.

    Examples
    --------
    >>> problem = coin_problem()
    >>> universal_excess_risk(constant_law(problem, 0), problem, 5)
    1.0
    """
    steps = simplex_steps(problem.n_records) if steps is None else steps
    return worst_distribution(expected_excess_risk, law, problem, n_samples, steps=steps).value


def coin_rates(sizes: Sequence[int], epsilon: float) -> pd.DataFrame:
    """Worst expected excess risk on the coin problem against the number of records.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records.
    epsilon : float
        Privacy parameter of the exponential mechanism in nats.

    Returns
    -------
    DataFrame
        Columns ``m``, ``curve``, ``excess``; three learners.

    Examples
    --------
    >>> coin_rates([1, 100], 1.0).round(3)["excess"].tolist()
    [0.125, 0.378, 1.0, 0.019, 0.018, 1.0]
    """
    problem = coin_problem()
    learners = {
        "minimisation": erm_law(problem),
        f"exponential mechanism, ε = {epsilon:g}": exponential_law(problem, epsilon),
        "always 0": constant_law(problem, 0),
    }
    lines = [
        (n, name, universal_excess_risk(law, problem, n)) for n in sizes for name, law in learners.items()
    ]
    return pd.DataFrame(lines, columns=["m", "curve", "excess"])


def _instances() -> dict[str, LearningProblem]:
    by_name = {row.name: row.problem() for row in rows()}
    return {
        "coin": coin_problem(),
        "thresholds, 2 points": thresholds_problem(2),
        "sets of at most 1 of 3": finite_subsets_problem(3, 1),
        "density estimation": by_name["density estimation"],
        "topic models": by_name["topic models"],
    }


def private_learnability(epsilon: float, n_samples: int) -> pd.DataFrame:
    """A report on the exponential mechanism: exact privacy, worst excess risk, and the promise.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    n_samples : int
        Number of records.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``exact epsilon``, ``excess risk`` (worst on a grid of distributions) and
        ``promise``: ``2 ln|H| / (m epsilon) + tanh(epsilon / 2)``, at most 1.

    Examples
    --------
    >>> report = private_learnability(0.5, 6)
    >>> bool((report["excess risk"] <= report["promise"]).all())
    True
    """
    lines = []
    for name, problem in _instances().items():
        law = exponential_law(problem, epsilon)
        spent = exact_privacy(law, problem.n_records, n_samples).value
        promise = 2 * log(problem.n_hypotheses) / (n_samples * epsilon) + tanh(epsilon / 2)
        lines.append((name, spent, universal_excess_risk(law, problem, n_samples), np.minimum(promise, 1)))
    return pd.DataFrame(lines, columns=["problem", "exact epsilon", "excess risk", "promise"])
