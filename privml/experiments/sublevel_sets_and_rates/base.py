"""Small problems on which everything about sublevel sets is exact, or bounded on both sides.

Two kinds of records, "no" and "yes", and an answer h in [0, 1]: the mean of n losses depends on the number of
yeses only, which is binomial.  And logistic regression on a square with four kinds of records.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from privml.learnability import count_vectors, sample_probabilities
from privml.learners.penalised_erm import Box, LogisticLoss


class Gridded(NamedTuple):
    """A problem on a box, held by the losses at the midpoints of equal cells, moved into [0, 1]."""

    name: str
    losses: NDArray[np.float64]
    chances: NDArray[np.float64]
    dimension: int
    lipschitz_times_diameter: float
    variation: float


def losses_of(name: str, h: NDArray) -> NDArray[np.float64]:
    """Losses of the records no and yes, one row a node."""
    if name == "absolute":
        return np.stack([h, 1 - h], axis=1)
    if name == "squared":
        return np.stack([h**2, (1 - h) ** 2], axis=1)
    if name == "needle":
        return np.stack([h, np.minimum(20 * abs(h - 0.9), 1.0)], axis=1)
    raise ValueError(f"name must be absolute, squared or needle, got {name!r}")


SLOPES = {"absolute": 1.0, "squared": 2.0, "needle": 20.0}


def segment(name: str, share: float, cells: int = 2000) -> Gridded:
    """A problem on [0, 1] with a share of yeses."""
    h = (np.arange(cells) + 0.5) / cells
    losses, slope = losses_of(name, h), SLOPES[name]
    return Gridded(name, losses, np.array([1 - share, share]), 1, slope, slope / (2 * cells))


def square(cells: int = 128) -> Gridded:
    """Logistic loss on the square inscribed in the unit disc; four kinds of records of length 1."""
    X = np.array([[1.0, 0.0], [1.0, 0.0], [0.6, 0.8], [0.6, 0.8]])
    y = np.array([1.0, -1.0, 1.0, -1.0])
    half = 0.5**0.5
    nodes = Box([-half, -half], [half, half]).grid(cells).H
    loss = LogisticLoss()
    values = loss.value(nodes @ X.T, y) - float(loss.value(np.array(1.0), np.array(1.0)))
    slope = loss.lipschitz(1.0)
    return Gridded(
        "logistic", values, np.array([0.4, 0.1, 0.2, 0.3]), 2, 2 * slope, slope * 2**0.5 * half / cells
    )


def samples(problem: Gridded, n_samples: int) -> tuple[NDArray, NDArray]:
    """Frequencies of the kinds of records in all samples that matter, and their probabilities.

    With two kinds, the counts within nine standard deviations: the others together have less than 1e-15.
    """
    if len(problem.chances) > 2:
        counts = count_vectors(len(problem.chances), n_samples)
        return counts / n_samples, sample_probabilities(counts, problem.chances)
    share = problem.chances[1]
    wide = 9 * (n_samples * share * (1 - share)) ** 0.5 + 9
    low, high = max(0, int(n_samples * share - wide)), min(n_samples, int(n_samples * share + wide))
    yes = np.arange(low, high + 1)
    return np.stack([1 - yes / n_samples, yes / n_samples], axis=1), binom.pmf(yes, n_samples, share)
