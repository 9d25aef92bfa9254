"""Tables on how private to be: epsilon plus the optimum, its valleys, and what Theorem 18 needs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.learnability import (
    LearningProblem,
    always_aerm_gap,
    count_vectors,
    exponential_law,
    sample_probabilities,
    simplex_grid,
)
from privml.learnability.optimal import OptimalLearner, optimal_learner, optimal_tradeoff
from privml.learnability.problems import coin_problem, thresholds_problem
from privml.results.best_private_learner_times import reflection


def objective_curves(n_points: int, sizes: Sequence[int], epsilons: Sequence[float]) -> pd.DataFrame:
    """The objective of equation (6), epsilon plus the optimum, against epsilon, certified from below.

    Parameters
    ----------
    n_points : int
        Points of the grid of thresholds.
    sizes : sequence of int
        Numbers of records.
    epsilons : sequence of float
        Privacy parameters in nats.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``epsilon``, ``objective``, ``lower_bound``.

    Examples
    --------
    >>> objective_curves(2, [1], [0.0, 1.0])["objective"].round(4).tolist()
    [0.5, 1.2689]
    """
    problem, rows = thresholds_problem(n_points), []
    for n_samples in sizes:
        for epsilon in epsilons:
            found = optimal_learner(problem, n_samples, epsilon, symmetries=reflection(n_points))
            rows.append((n_samples, epsilon, epsilon + found.value, epsilon + found.lower_bound))
    return pd.DataFrame(rows, columns=["n_samples", "epsilon", "objective", "lower_bound"])


def worst_excess_risk(learner: OptimalLearner, resolution: int) -> float:
    """Largest expected excess risk of a learner over a grid of distributions on the records.

    Parameters
    ----------
    learner : OptimalLearner
        The learner.
    resolution : int
        Steps of the grid of distributions.

    Returns
    -------
    float

    Examples
    --------
    >>> learner = optimal_learner(coin_problem(), 1, 1.0)
    >>> round(worst_excess_risk(learner, 100), 4)
    0.2689
    """
    problem = learner.problem
    counts, laws = (
        count_vectors(problem.n_records, learner.n_samples),
        simplex_grid(problem.n_records, resolution),
    )
    chosen = sample_probabilities(counts, laws) @ learner.law(counts)
    return float((chosen * problem.excess_risk(laws)).sum(axis=1).max())


def tradeoff_chain(sizes: Sequence[int], resolution: int = 200) -> pd.DataFrame:
    """Equation (6) solved for two answers: objective, and the excess risk that Theorem 18 bounds by it.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records.
    resolution : int
        Steps of the grid of distributions.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``n_samples``, ``value``; curves: objective, gap + tanh(ε/2), exact excess risk,
        epsilon, and the limit law 2 / sqrt(e n).

    Examples
    --------
    >>> table = tradeoff_chain([20]).set_index("curve")["value"]
    >>> bool(table["exact excess risk"] < table["gap + tanh(ε/2)"] < table["objective"])
    True
    """
    rows = []
    for n_samples in sizes:
        best = optimal_tradeoff(coin_problem(), n_samples, tolerance=2e-3).learner
        found = {
            "objective": best.epsilon + best.value,
            "gap + tanh(ε/2)": best.value + np.tanh(best.epsilon / 2),
            "exact excess risk": worst_excess_risk(best, resolution),
            "epsilon": best.epsilon,
            "2 / √(e m)": 2 / np.sqrt(np.e * n_samples),
        }
        rows.extend((curve, n_samples, value) for curve, value in found.items())
    return pd.DataFrame(rows, columns=["curve", "n_samples", "value"])


def without_minimiser(sizes: Sequence[int]) -> pd.DataFrame:
    """Equation (6) for one record and k hedging hypotheses of loss 1/4 + 1/j: there is always a better one.

    Parameters
    ----------
    sizes : sequence of int
        Values of k, at least 4.

    Returns
    -------
    DataFrame
        Columns ``k``, ``objective``, ``epsilon``.

    Examples
    --------
    >>> without_minimiser([8]).round(6).to_numpy().tolist()
    [[8.0, 0.375, 0.0]]
    """
    rows = []
    for k in sizes:
        hedges = np.repeat(0.25 + 1 / np.arange(4, k + 1), 2).reshape(-1, 2)
        best = optimal_tradeoff(LearningProblem(np.vstack([1 - np.eye(2), hedges])), 1)
        rows.append((k, best.objective, best.learner.epsilon))
    return pd.DataFrame(rows, columns=["k", "objective", "epsilon"])


def _rotation(size: int) -> list[list[int]]:
    swapped = [1, 0, *range(2, size)]
    return [[*range(1, size), 0], swapped]


def point_masses(sizes: Sequence[int], n_samples: int) -> pd.DataFrame:
    """Equation (7) for the point masses on k records, loss 1 for naming the wrong one.

    Parameters
    ----------
    sizes : sequence of int
        Values of k, at least 2.
    n_samples : int
        Records in a data set.

    Returns
    -------
    DataFrame
        Columns ``k``, ``objective`` and ``epsilon`` of the best learner; ``constant``, the objective of the
        learner that ignores its data and names a random record.

    Examples
    --------
    >>> point_masses([3], 2).round(4).to_numpy().tolist()
    [[3.0, 0.6667, 0.0, 0.6667]]
    """
    rows = []
    for k in sizes:
        problem = LearningProblem(1 - np.eye(k))
        best = optimal_tradeoff(
            problem, n_samples, tolerance=5e-3, distributions=np.eye(k), symmetries=_rotation(k)
        )
        rows.append((k, best.objective, best.learner.epsilon, 1 - 1 / k))
    return pd.DataFrame(rows, columns=["k", "objective", "epsilon", "constant"])


def classes_of_distributions(n_points: int, n_samples: int, epsilons: Sequence[float]) -> pd.DataFrame:
    """Optima of (6) and (7) for thresholds: all data sets, all distributions of a grid, realizable ones.

    Parameters
    ----------
    n_points, n_samples : int
        Grid and sample size.
    epsilons : sequence of float
        Privacy parameters in nats.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``all data sets``, ``grid of distributions`` (shares of quarters) and
        ``realizable`` (those of them with labels from a threshold).

    Examples
    --------
    >>> classes_of_distributions(2, 2, [1.0]).round(4).to_numpy().tolist()
    [[1.0, 0.2392, 0.2178, 0.2178]]
    """
    problem, symmetries = thresholds_problem(n_points), reflection(n_points)
    grid = simplex_grid(problem.n_records, 4)
    classes = {
        "all data sets": None,
        "grid of distributions": grid,
        "realizable": grid[problem.best_risk(grid) < 1e-12],
    }
    rows = []
    for epsilon in epsilons:
        values = [
            optimal_learner(problem, n_samples, epsilon, distributions=laws, symmetries=symmetries).value
            for laws in classes.values()
        ]
        rows.append((epsilon, *values))
    return pd.DataFrame(rows, columns=["epsilon", *classes])


def more_records(n_points: int, sizes: Sequence[int], epsilon: float) -> pd.DataFrame:
    """The optimum and its certificate against the number of records: it need not fall.

    Parameters
    ----------
    n_points : int
        Points of the grid of thresholds.
    sizes : sequence of int
        Numbers of records.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``optimum``, ``lower_bound``, ``exponential``.

    Examples
    --------
    >>> more_records(3, [1, 2], 2.0)["optimum"].round(4).tolist()
    [0.1192, 0.1323]
    """
    problem, rows = thresholds_problem(n_points), []
    for n_samples in sizes:
        found = optimal_learner(problem, n_samples, epsilon, symmetries=reflection(n_points))
        other = always_aerm_gap(exponential_law(problem, epsilon), problem, n_samples).value
        rows.append((n_samples, found.value, found.lower_bound, other))
    return pd.DataFrame(rows, columns=["n_samples", "optimum", "lower_bound", "exponential"])
