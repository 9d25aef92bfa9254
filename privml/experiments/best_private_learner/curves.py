"""Tables that set the optimum beside mechanisms and bounds, in epsilon and in the number of records."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.experiments.best_private_learner.laws import geometric_value
from privml.learnability import always_aerm_gap, count_vectors, exponential_law, permute_and_flip_law
from privml.learnability.optimal import optimal_learner
from privml.learnability.problems import coin_problem, thresholds_problem
from privml.results.best_private_learner_grids import packing_bound
from privml.results.best_private_learner_times import reflection

PRIORS = np.linspace(-12, 4, 321)
"""Log-weights of each inner threshold, those of the two constant rules being 0."""


def best_prior_excess(n_points: int, n_samples: int, epsilon: float) -> float:
    """Worst excess of the exponential mechanism with the best of many public priors on the thresholds.

    The two constant rules have prior weight 1 and every other threshold the same weight; the best of 321 such
    weights is taken.

    Parameters
    ----------
    n_points, n_samples : int
        Grid and sample size.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    float

    Examples
    --------
    >>> round(best_prior_excess(3, 2, 1.0), 3), round(best_prior_excess(1, 2, 1.0), 4)
    (0.395, 0.2689)
    """
    problem, counts = thresholds_problem(n_points), count_vectors(2 * n_points, n_samples)
    gaps = problem.excess_empirical_risk(counts)
    inner = np.ones(n_points + 1)
    inner[[0, -1]] = 0.0
    worst = np.inf
    for weight in PRIORS:
        logs = weight * inner - epsilon * n_samples * gaps / 2
        law = np.exp(logs - logs.max(axis=1, keepdims=True))
        worst = min(worst, float(((law * gaps).sum(axis=1) / law.sum(axis=1)).max()))
    return worst


def _all_curves(n_points: int, n_samples: int, epsilon: float) -> dict[str, float]:
    problem = thresholds_problem(n_points)
    best = optimal_learner(problem, n_samples, epsilon, symmetries=reflection(n_points))
    return {
        "theorem": min(1.0, 2 * np.log(n_points + 1) / (n_samples * epsilon)),
        "exponential": always_aerm_gap(exponential_law(problem, epsilon), problem, n_samples).value,
        "permute-and-flip": always_aerm_gap(permute_and_flip_law(problem, epsilon), problem, n_samples).value,
        "best prior": best_prior_excess(n_points, n_samples, epsilon),
        "optimum": best.value,
        "packing": packing_bound(n_points, n_samples, epsilon),
    }


def excess_by_epsilon(n_points: int, n_samples: int, epsilons: Sequence[float]) -> pd.DataFrame:
    """Worst excess empirical risk against epsilon: bounds, mechanisms and the optimum.

    Parameters
    ----------
    n_points, n_samples : int
        Grid and sample size.
    epsilons : sequence of float
        Privacy parameters in nats.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``epsilon``, ``excess``; curves theorem, exponential, permute-and-flip, best prior,
        optimum, packing.

    Examples
    --------
    >>> table = excess_by_epsilon(2, 2, [1.0])
    >>> table["excess"].is_monotonic_decreasing
    False
    >>> table.set_index("curve")["excess"].round(4)["optimum"]
    np.float64(0.2392)
    """
    rows = [(c, e, x) for e in epsilons for c, x in _all_curves(n_points, n_samples, e).items()]
    return pd.DataFrame(rows, columns=["curve", "epsilon", "excess"])


def excess_by_samples(n_points: int, sizes: Sequence[int], epsilon: float) -> pd.DataFrame:
    """Worst excess empirical risk against the number of records: bounds, mechanisms and the optimum.

    Parameters
    ----------
    n_points : int
        Points of the grid.
    sizes : sequence of int
        Numbers of records.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``n_samples``, ``excess``; curves as in `excess_by_epsilon`.

    Examples
    --------
    >>> excess_by_samples(2, [1], 1.0).set_index("curve")["excess"].round(4)["optimum"]
    np.float64(0.2689)
    """
    rows = [(c, n, x) for n in sizes for c, x in _all_curves(n_points, n, epsilon).items()]
    return pd.DataFrame(rows, columns=["curve", "n_samples", "excess"])


def shares(table: pd.DataFrame) -> pd.DataFrame:
    """The optimum as a share of each mechanism's worst excess, from a table against epsilon.

    Parameters
    ----------
    table : DataFrame
        From `excess_by_epsilon`.

    Returns
    -------
    DataFrame
        Columns ``curve`` (the mechanism), ``epsilon``, ``share``.

    Examples
    --------
    >>> shares(excess_by_epsilon(2, 2, [1.0]))["share"].round(3).tolist()
    [0.564, 0.741, 0.674]
    """
    wide = table.pivot(index="epsilon", columns="curve", values="excess")
    rows = []
    for name in ("exponential", "permute-and-flip", "best prior"):
        rows.extend((name, epsilon, share) for epsilon, share in (wide["optimum"] / wide[name]).items())
    return pd.DataFrame(rows, columns=["curve", "epsilon", "share"])


def two_answer_shares(n_samples: Sequence[int], epsilons: Sequence[float]) -> NDArray[np.float64]:
    """Optimum over exponential mechanism for two answers, shape (n_sizes, n_epsilons).

    Examples
    --------
    >>> two_answer_shares([2], [1.0]).round(4).tolist()
    [[0.6839]]
    """
    problem = coin_problem()
    optima = np.array([[geometric_value(n, e) for e in epsilons] for n in n_samples])
    laws = [exponential_law(problem, epsilon) for epsilon in epsilons]
    return optima / [[always_aerm_gap(law, problem, n).value for law in laws] for n in n_samples]
