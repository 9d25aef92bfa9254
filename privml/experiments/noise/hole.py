"""The floating-point hole: Laplace noise in half precision, exactly, and in double precision, by draws."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privml import audit
from privml.divergences import discrete_laplace_delta, laplace_delta
from privml.floats import equally_likely_answers, impossible_mass, is_possible, naive_laplace
from privml.mechanisms import DiscreteLaplaceMechanism

BITS = np.array([0, 1])
ON_PAPER, IN_FLOATS, ON_INTEGERS = "Laplace, on paper", "Laplace, half precision", "discrete Laplace"


def answers_in_half_precision(scale: float, lower: float, upper: float) -> pd.DataFrame:
    """Every answer of textbook Laplace noise in half precision within a window, for the values 0 and 1.

    Parameters
    ----------
    scale : float
        Scale of the noise.
    lower, upper : float
        Ends of the window.

    Returns
    -------
    DataFrame
        Columns ``value``, ``answer``, ``probability`` (exact), ``excludes`` (whether the other value cannot
        give this answer).

    Examples
    --------
    >>> answers_in_half_precision(1.0, 0.999, 1.001)
       value    answer  probability  excludes
    0      0  0.999023     0.000244     False
    1      0  1.000977     0.000244     False
    2      1  0.999023     0.000244     False
    3      1  0.999512     0.000244      True
    4      1  1.000000     0.000732      True
    5      1  1.000977     0.000244     False
    """
    tables = []
    for value in (0, 1):
        both = (equally_likely_answers(float(v), scale) for v in (value, 1 - value))
        (answers, times), (others, _) = (np.unique(a.astype(float), return_counts=True) for a in both)
        columns = {"value": value, "answer": answers, "probability": times / times.sum()}
        table = pd.DataFrame(columns | {"excludes": ~np.isin(answers, others)})
        tables.append(table[table["answer"].between(lower, upper)])
    return pd.concat(tables, ignore_index=True)


def curves_in_half_precision(epsilon: float, n_samples: int, grid: ArrayLike) -> pd.DataFrame:
    """Exact curve of a count of ones with textbook noise in half precision, by audit, beside two others.

    Parameters
    ----------
    epsilon : float
        Claimed parameter in nats.
    n_samples : int
        Number of records.
    grid : array_like
        Where the curves are wanted, in nats.

    Returns
    -------
    DataFrame
        Columns ``law``, ``epsilon``, ``delta``: Laplace noise on paper, the same in half precision, and
        discrete Laplace noise.

    Examples
    --------
    >>> curves_in_half_precision(1.0, 2, [0.5, 2.0]).round(4)
                           law  epsilon   delta
    0        Laplace, on paper      0.5  0.2212
    1        Laplace, on paper      2.0  0.0000
    2  Laplace, half precision      0.5  0.6...
    """
    grid = np.asarray(grid, dtype=float)
    found = audit.exact(naive_laplace(epsilon), BITS, n_samples)
    curves = {
        ON_PAPER: laplace_delta(grid, 1.0, 1 / epsilon),
        IN_FLOATS: found.delta(grid),
        ON_INTEGERS: discrete_laplace_delta(
            grid, 1, DiscreteLaplaceMechanism(epsilon=epsilon, sensitivity=1).scale
        ),
    }
    tables = [pd.DataFrame({"law": n, "epsilon": grid, "delta": delta}) for n, delta in curves.items()]
    return pd.concat(tables, ignore_index=True)


def excluded_neighbours(values: ArrayLike, epsilon: float, n_draws: int, seed: int) -> pd.DataFrame:
    """How often an answer with textbook Laplace noise excludes the neighbouring count.

    Parameters
    ----------
    values : array_like of int
        True counts; the neighbour's is one more.
    epsilon : float
        Claimed parameter in nats.
    n_draws : int
        Number of answers in double precision.
    seed : int
        Of the draws.

    Returns
    -------
    DataFrame
        Columns ``count``, ``half_precision`` (exact probability), ``doubles`` (share of the draws),
        ``own_excluded`` (share of the draws that would exclude the true count itself; 0 if the
        test is right).

    Examples
    --------
    >>> excluded_neighbours([0], 1.0, 200, 1)["own_excluded"].tolist()
    [0.0]
    """
    rng, scale, rows = np.random.default_rng(seed), 1 / epsilon, []
    for count in np.asarray(values, dtype=int).tolist():
        answers = rng.laplace(float(count), scale, size=n_draws)
        shares = (1 - float(is_possible(answers, float(v), scale).mean()) for v in (count + 1, count))
        rows.append((count, impossible_mass(count, count + 1, scale), *shares))
    return pd.DataFrame(rows, columns=["count", "half_precision", "doubles", "own_excluded"])
