"""Tables on the optimal law itself: two answers in closed form, and which constraints thresholds exhaust."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import _check as check
from privml.learnability import (
    CountLaw,
    LearningProblem,
    aerm_gaps,
    count_vectors,
    exponential_law,
    neighbours,
    permute_and_flip_law,
)
from privml.learnability.optimal import OptimalLearner, optimal_learner
from privml.learnability.problems import coin_problem, thresholds_problem
from privml.results.best_private_learner_times import reflection


def geometric_rule(n_samples: int, epsilon: float) -> CountLaw:
    """The law for two answers that errs least on every data set at once.

    With m votes more for one answer than for the other, the less frequent answer has probability
    ``exp(-epsilon floor(m / 2))`` times 1/2 if the number of records is even, and ``1 / (1 + exp(epsilon))``
    if it is odd.

    Parameters
    ----------
    n_samples : int
        Records in a data set, at least 1.
    epsilon : float
        Privacy parameter in nats, non-negative.

    Returns
    -------
    callable
        From counts (n_datasets, 2) to probabilities (n_datasets, 2); for data sets of `n_samples` records.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Privacy.** epsilon-DP under ``REPLACE_ONE``.
    **Source.** WLF16-eq-6, for two answers.

    Examples
    --------
    >>> geometric_rule(2, 1.0)(np.array([[2, 0], [1, 1]])).round(4).tolist()
    [[0.8161, 0.1839], [0.5, 0.5]]
    """
    check.positive_integer(n_samples=n_samples)
    check.non_negative(epsilon=epsilon)
    centre = 1 / 2 if n_samples % 2 == 0 else 1 / (1 + np.exp(epsilon))

    def law(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        lead = np.asarray(counts)[:, 0] - np.asarray(counts)[:, 1]
        wrong = centre * np.exp(-epsilon * (np.abs(lead) // 2))
        first = np.where(lead >= 0, 1 - wrong, wrong)
        return np.stack([first, 1 - first], axis=1)

    return law


def geometric_value(n_samples: int, epsilon: float) -> float:
    """Worst excess of the geometric rule: the optimum for two answers.

    Parameters
    ----------
    n_samples, epsilon
        As in `geometric_rule`.

    Returns
    -------
    float

    Examples
    --------
    >>> round(geometric_value(1, 1.0), 4), round(geometric_value(2, 1.0), 4)
    (0.2689, 0.1839)
    """
    counts = count_vectors(2, n_samples)
    return float(aerm_gaps(geometric_rule(n_samples, epsilon), coin_problem(), counts).max())


def coin_laws(n_samples: int, epsilon: float) -> pd.DataFrame:
    """Probability of the answer with fewer votes, against the margin, under three laws.

    Parameters
    ----------
    n_samples : int
        Records in a data set.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``margin`` (votes more for the other answer) and ``probability``.

    Examples
    --------
    >>> coin_laws(2, 1.0).round(4).query("margin == 2")["probability"].tolist()
    [0.1839, 0.2689, 0.1839]
    """
    problem, counts = coin_problem(), count_vectors(2, n_samples)
    counts = counts[counts[:, 0] >= counts[:, 1]]
    laws = {
        "exponential": exponential_law(problem, epsilon),
        "permute-and-flip": permute_and_flip_law(problem, epsilon),
        "best": geometric_rule(n_samples, epsilon),
    }
    margins = counts[:, 0] - counts[:, 1]
    rows = [
        (name, m, p) for name, law in laws.items() for m, p in zip(margins, law(counts)[:, 1], strict=True)
    ]
    return pd.DataFrame(rows, columns=["curve", "margin", "probability"]).sort_values(
        ["curve", "margin"], ignore_index=True
    )


def three_laws(n_points: int, n_samples: int, epsilon: float) -> dict[str, CountLaw]:
    """The exponential mechanism, permute-and-flip and the optimum for thresholds on a grid."""
    problem = thresholds_problem(n_points)
    best = optimal_learner(problem, n_samples, epsilon, symmetries=reflection(n_points))
    return {
        "exponential": exponential_law(problem, epsilon),
        "permute-and-flip": permute_and_flip_law(problem, epsilon),
        "optimum": best.law,
    }


def constraint_use(n_points: int, n_samples: int, epsilon: float) -> pd.DataFrame:
    """How three laws for thresholds use the constraints of privacy, over all neighbours and hypotheses.

    Parameters
    ----------
    n_points, n_samples : int
        Grid and sample size.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``law``; ``worst_excess`` and ``mean_excess`` over data sets; ``exact_epsilon``; ``range``,
        the largest difference of privacy losses of two outputs on one pair of neighbours; ``tight``, the
        share of (pair, hypothesis) with a loss of epsilon in absolute value; ``equal_worst``, how many data
        sets attain the worst excess.

    Examples
    --------
    >>> constraint_use(2, 2, 1.0)["range"].round(3).tolist()
    [1.0, 1.549, 1.858]
    """
    problem, counts = thresholds_problem(n_points), count_vectors(2 * n_points, n_samples)
    pairs = neighbours(2 * n_points, n_samples)
    rows = []
    for name, law in three_laws(n_points, n_samples, epsilon).items():
        logs = np.log(law(counts))
        losses = logs[pairs[:, 0]] - logs[pairs[:, 1]]
        excess = aerm_gaps(law, problem, counts)
        rows.append(
            {
                "law": name,
                "worst_excess": excess.max(),
                "mean_excess": excess.mean(),
                "exact_epsilon": np.abs(losses).max(),
                "range": np.ptp(losses, axis=1).max(),
                "tight": float((np.abs(losses) > epsilon - 1e-6).mean()),
                "equal_worst": int((excess > excess.max() - 1e-6).sum()),
            }
        )
    return pd.DataFrame(rows)


def few_laws(n_points: int, datasets: Sequence[Sequence[tuple[int, int]]], epsilon: float) -> pd.DataFrame:
    """Laws of the exponential mechanism and of the optimum on a few data sets of thresholds.

    Parameters
    ----------
    n_points : int
        Points of the grid, numbered from 0.
    datasets : sequence of data sets
        Each a sequence of (point, label) pairs, all of one size.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        One row for each data set and law: ``data``, ``law``, one column for each threshold, ``excess``.

    Examples
    --------
    >>> few_laws(2, [[(0, 0)], [(0, 1)]], 1.0)["excess"].round(4).tolist()
    [0.2327, 0.2689, 0.5481, 0.2689]
    """
    problem = thresholds_problem(n_points)
    laws = three_laws(n_points, len(datasets[0]), epsilon)
    rows = []
    for data in datasets:
        counts = np.zeros((1, 2 * n_points), dtype=np.int64)
        for point, label in data:
            counts[0, point + label * n_points] += 1
        text = " ".join(f"{point}{'+' if label else '-'}" for point, label in data)
        for name in ("exponential", "optimum"):
            law = laws[name](counts)
            excess = float(aerm_gaps(laws[name], problem, counts)[0])
            rows.append((text, name, *law[0], excess))
    names = [f"from {cut}" for cut in range(n_points)] + ["never"]
    return pd.DataFrame(rows, columns=["data", "law", *names, "excess"])


def by_hand(problem: LearningProblem, n_samples: int, epsilon: float) -> tuple[NDArray, OptimalLearner]:
    """Optimum of the program written pair by pair, with dense matrices, and the library's learner.

    Parameters
    ----------
    problem : LearningProblem
        A small problem.
    n_samples : int
        Records in a data set.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    tuple of (float, OptimalLearner)

    Examples
    --------
    >>> value, learner = by_hand(coin_problem(), 2, 1.0)
    >>> bool(abs(value - learner.value) < 1e-9)
    True
    """
    from scipy.optimize import linprog

    gaps = problem.excess_empirical_risk(count_vectors(problem.n_records, n_samples))
    pairs = neighbours(problem.n_records, n_samples)
    data, one = np.eye(len(gaps)), np.eye(problem.n_hypotheses)
    both = [data[i] - np.exp(epsilon) * data[j] for a, b in pairs for i, j in ((a, b), (b, a))]
    privacy = np.kron(np.array(both), one)
    excess = np.array([np.kron(row, gap) for row, gap in zip(data, gaps, strict=True)])
    bound = np.concatenate([np.zeros(len(privacy)), -np.ones(len(excess))])[:, None]
    matrix = np.hstack([np.vstack([privacy, excess]), bound])
    total = np.hstack([np.kron(data, np.ones(problem.n_hypotheses)), np.zeros((len(gaps), 1))])
    cost = np.append(np.zeros(gaps.size), 1.0)
    found = linprog(cost, matrix, np.zeros(len(matrix)), total, np.ones(len(gaps)))
    return found.fun, optimal_learner(problem, n_samples, epsilon)
