"""Proposition 11 branch by branch: what is broken, and what it costs."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.learnability import (
    CountLaw,
    LearningProblem,
    break_privacy,
    count_vectors,
    erm_law,
    exact_privacy,
    exponential_law,
)
from privml.learnability.problems import coin_problem, thresholds_problem


def without_last(problem: LearningProblem, epsilon: float) -> CountLaw:
    """The exponential mechanism on all hypotheses but the last, which it never returns.

    Examples
    --------
    >>> without_last(coin_problem(), 1.0)(np.array([[1, 1]])).tolist()
    [[1.0, 0.0]]
    """
    inner = exponential_law(LearningProblem(problem.losses[:-1]), epsilon)

    def law(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        laws = inner(counts)
        return np.hstack([laws, np.zeros((len(laws), 1))])

    return law


def dominated_problem() -> LearningProblem:
    """Two hypotheses, the first of which is better on both records: minimisation is constant.

    Examples
    --------
    >>> dominated_problem().losses.tolist()
    [[0.0, 0.25], [0.5, 1.0]]
    """
    return LearningProblem([[0.0, 0.25], [0.5, 1.0]])


def broken_learners(epsilon: float) -> pd.DataFrame:
    """One learner for each branch of the construction.

    Parameters
    ----------
    epsilon : float
        Privacy parameter of the private learners in nats.

    Returns
    -------
    DataFrame
        Columns ``branch``, ``hypotheses``, ``m``, ``before`` and ``after`` (exact epsilon), ``change`` (the
        largest change of any mean loss on any data set, against the private learner, or in the branches of
        minimisation against minimisation), ``1 / m``.

    Examples
    --------
    >>> broken_learners(1.0)["after"].tolist()
    [inf, inf, inf, inf]
    """
    grid, few, coin = thresholds_problem(3), dominated_problem(), coin_problem()
    cases = [
        (grid, without_last(grid, epsilon), 4),
        (grid, exponential_law(grid, epsilon), 3),
        (coin, exponential_law(coin, epsilon), 5),
        (few, exponential_law(few, epsilon), 5),
    ]
    lines = []
    for problem, law, n in cases:
        broken, counts = break_privacy(problem, law), count_vectors(problem.n_records, n)
        branch = broken.branch(n)
        reference = erm_law(problem) if branch.startswith("erm") else law
        change = np.abs((broken(counts) - reference(counts)) @ problem.losses).max()
        spent = [exact_privacy(each, problem.n_records, n).value for each in (law, broken)]
        lines.append((branch, problem.n_hypotheses, n, *spent, change, 1 / n))
    columns = ["branch", "hypotheses", "m", "before", "after", "change", "1 / m"]
    return pd.DataFrame(lines, columns=columns)
