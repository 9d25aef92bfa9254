"""A private learner whose AERM gap vanishes for every distribution, of a problem that nobody can learn.

Instances are 1, 2, 3, ..., hypotheses all functions from them to {0, 1}, the loss is 0-1.  With m records the
*memory* looks after the first ``M = floor(m^(1/4))`` instances: at each it says 1 with probability
``1 / (1 + exp(-epsilon (N1 - N0) / 2))``, where N1 and N0 count the records there by label and
``epsilon = m^(-1/4)``.  Elsewhere it says 0.
"""

from collections.abc import Callable, Sequence
from math import ceil, floor, isqrt, log2, sqrt

import numpy as np
import pandas as pd

from privml.learnability import constant_law, erm_law, expected_excess_risk, exponential_law
from privml.learnability.problems import all_labellings_problem

SPREAD = 12
"""Standard deviations (and `SPREAD ** 2` records) around the mean beyond which a binomial law is cut off."""

NEGLIGIBLE = 200
"""Epsilon times a number of records that is missed with probability below ``exp(-100)``."""

TAILS: dict[str, Callable[[int], float]] = {
    "geometric": lambda x: 2.0**-x,
    "1 / (x + 1)": lambda x: 1 / (x + 1),
    "1 / log₂(x + 2)": lambda x: 1 / log2(x + 2),
}
"""Laws of the instances, by the probability of an instance above x."""


def memory_size(n_samples: int) -> int:
    """How many instances the memory looks after: the integer part of the fourth root of m.

    Examples
    --------
    >>> [memory_size(n) for n in (1, 15, 16, 10_000)]
    [1, 1, 2, 10]
    """
    return isqrt(isqrt(n_samples))


def memory_epsilon(n_samples: int) -> float:
    """Privacy parameter of the memory, ``m^(-1/4)``.

    Examples
    --------
    >>> memory_epsilon(10_000)
    0.1
    """
    return n_samples**-0.25


def _mean_loss(n_samples: int, probability: float, epsilon: float) -> float:
    """Mean over N ~ Bin(n, p) of ``N / (1 + exp(epsilon N / 2))``: records at an instance that are missed."""
    from scipy.special import expit
    from scipy.stats import binom

    centre = n_samples * probability
    width = SPREAD * sqrt(centre) + SPREAD**2
    highest = min(n_samples, ceil(centre + width), ceil(NEGLIGIBLE / epsilon))
    counts = np.arange(max(0, floor(centre - width)), highest + 1)
    missed = counts * expit(-epsilon * counts / 2)
    return float(binom.pmf(counts, n_samples, probability) @ missed)


def memory_gap(n_samples: int, tail: Callable[[int], float]) -> float:
    """Expected AERM gap of the memory when every label is 1, exactly.

    Parameters
    ----------
    n_samples : int
        Number of records m.
    tail : callable
        From x to the probability that an instance is above x; ``tail(0) = 1``.

    Returns
    -------
    float
        The least empirical risk is 0, so this is the expected empirical risk of the output.

    Examples
    --------
    >>> round(memory_gap(100, TAILS["geometric"]), 3)
    0.145
    """
    epsilon, kept = memory_epsilon(n_samples), memory_size(n_samples)
    masses = [tail(x - 1) - tail(x) for x in range(1, kept + 1)]
    remembered = sum(_mean_loss(n_samples, mass, epsilon) for mass in masses) / n_samples
    return remembered + tail(kept)


def uniform_tail(n_points: int) -> Callable[[int], float]:
    """The tail of the uniform law on 1, ..., n_points."""
    return lambda x: max(0.0, 1 - x / n_points)


def hidden_labels_excess(n_points: int, n_samples: int) -> float:
    """Mean excess risk that no learner can undercut: uniform law on K points, labels drawn by fair coins.

    Parameters
    ----------
    n_points : int
        Number of points K.
    n_samples : int
        Number of records m.

    Returns
    -------
    float
        ``(1 - 1/K)^m / 2``: half of the probability that a fresh point has not been seen.

    Examples
    --------
    >>> round(hidden_labels_excess(1000, 100), 4)
    0.4524
    """
    return (1 - 1 / n_points) ** n_samples / 2


def hidden_labels_average(n_points: int, n_samples: int, epsilon: float) -> pd.DataFrame:
    """Mean excess risk over all labellings of the points, by enumeration, of three learners.

    Parameters
    ----------
    n_points : int
        Number of points K; there are ``2^K`` labellings and hypotheses.
    n_samples : int
        Number of records m.
    epsilon : float
        Privacy parameter of the exponential mechanism in nats.

    Returns
    -------
    DataFrame
        Columns ``learner``, ``excess``, ``no learner below``.

    Examples
    --------
    >>> hidden_labels_average(2, 2, 1.0).round(4)["excess"].tolist()
    [0.125, 0.381, 0.5]
    """
    problem = all_labellings_problem(n_points)
    labellings = 1 - problem.losses  # hypothesis h is right on the records (x, h(x))
    learners = {
        "minimisation": erm_law(problem),
        "exponential mechanism": exponential_law(problem, epsilon),
        "always 0": constant_law(problem, 0),
    }
    below = hidden_labels_excess(n_points, n_samples)
    lines = [
        (name, expected_excess_risk(law, problem, labellings / n_points, n_samples).mean(), below)
        for name, law in learners.items()
    ]
    return pd.DataFrame(lines, columns=["learner", "excess", "no learner below"])


def memory_gaps(sizes: Sequence[int]) -> pd.DataFrame:
    """AERM gaps of the memory under three laws, and at worst, and what every learner loses somewhere.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records.

    Returns
    -------
    DataFrame
        Columns ``m``, ``curve``, ``value``.  "uniform on 10 m points" is a gap for a law that changes with m.

    Examples
    --------
    >>> memory_gaps([100])["value"].round(3).tolist()
    [0.145, 0.278, 0.462, 0.998, 0.452]
    """
    rows = []
    for n in sizes:
        rows += [(n, f"gap, tail {name}", memory_gap(n, tail)) for name, tail in TAILS.items()]
        rows.append((n, "gap, uniform on 10 m points", memory_gap(n, uniform_tail(10 * n))))
        rows.append((n, "excess risk of every learner", hidden_labels_excess(10 * n, n)))
    return pd.DataFrame(rows, columns=["m", "curve", "value"])


def memory_numbers(sizes: Sequence[int]) -> pd.DataFrame:
    """The memory in numbers: what it keeps, its privacy, and its gap under the geometric law with its bound.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records.

    Returns
    -------
    DataFrame
        Columns ``m``, ``kept``, ``epsilon``, ``gap``, ``bound`` (``2 w kept / (epsilon m)`` plus the tail,
        w the solution of ``w e^w = 1 / e``), ``every learner``.

    Examples
    --------
    >>> memory_numbers([100, 10_000]).round(4)["gap"].tolist()
    [0.1451, 0.0025]
    """
    from scipy.special import lambertw

    constant, geometric = 2 * lambertw(np.exp(-1)).real, TAILS["geometric"]
    rows = []
    for n in sizes:
        kept, epsilon = memory_size(n), memory_epsilon(n)
        bound = constant * kept / (epsilon * n) + geometric(kept)
        rows.append((n, kept, epsilon, memory_gap(n, geometric), bound, hidden_labels_excess(10 * n, n)))
    return pd.DataFrame(rows, columns=["m", "kept", "epsilon", "gap", "bound", "every learner"])
