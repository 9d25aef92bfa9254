"""What several tables of the chapter need: the clinic, a hard population, and all samples."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import multisets
from privml.hypotheses import HypothesisClass, Thresholds
from privml.populations import FinitePopulation

READINGS = tuple(float(reading) for reading in range(10))
ALL_CUTS = tuple(float(cut) for cut in range(11))
CUTS = (1.0, 5.0, 9.0)
TRUE_CUT = 5.0

MARGIN = 1e-9
"""How far above alpha the gap of the coin lies: only an excess above alpha is a failure."""


def clinic(noise: float, cuts: ArrayLike = CUTS) -> tuple[Thresholds, FinitePopulation]:
    """The clinic's candidate rules and its population.

    Parameters
    ----------
    noise : float
        Probability that a recorded label is flipped.
    cuts : array_like
        Cut points of the candidate rules.

    Returns
    -------
    hypotheses : Thresholds
    population : FinitePopulation

    Examples
    --------
    >>> hypotheses, population = clinic(0.25)
    >>> population.error_rates(hypotheses).round(12).tolist()
    [0.45, 0.25, 0.45]
    """
    x = np.array(READINGS)
    population = FinitePopulation(x, x >= TRUE_CUT, np.full(x.size, 1 / x.size))
    return Thresholds(cuts), population.with_label_noise(noise)


def coin(alpha: float, reading: float = 3.0) -> FinitePopulation:
    """One reading only, with a label that is True slightly more often than False.

    A rule that predicts False there is worse than one that predicts True by alpha and a hair, and all
    that a sample tells is the majority of its labels.

    Parameters
    ----------
    alpha : float
        Excess error that is still allowed, in (0, 1).
    reading : float
        The reading.

    Returns
    -------
    FinitePopulation

    Examples
    --------
    >>> coin(0.2).probabilities.round(6).tolist()
    [0.4, 0.6]
    """
    check.probability_open(alpha=alpha)
    gap = alpha + MARGIN
    return FinitePopulation([reading, reading], [False, True], [(1 - gap) / 2, (1 + gap) / 2])


def all_samples(
    hypotheses: HypothesisClass, population: FinitePopulation, n_samples: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Every sample up to order: its probability, and the mistakes of every hypothesis on it.

    Parameters
    ----------
    hypotheses : HypothesisClass
        The class.
    population : FinitePopulation
        Where the sample comes from.
    n_samples : int
        Size of the sample.

    Returns
    -------
    probabilities : ndarray of shape (n_datasets,)
    mistakes : ndarray of int, shape (n_datasets, n_hypotheses)

    Examples
    --------
    >>> probabilities, mistakes = all_samples(*clinic(0.25), 3)
    >>> len(probabilities), round(float(probabilities.sum()), 9)
    (1540, 1.0)
    """
    from scipy.stats import multinomial

    drawn = multisets(population.n_points, n_samples)
    counts = np.stack([(drawn == point).sum(axis=1) for point in range(population.n_points)], axis=1)
    mistakes = counts @ population.losses(hypotheses).T.astype(np.int64)
    return multinomial.pmf(counts, n_samples, population.probabilities), mistakes


def curves(rows: list[tuple[int, str, float]]) -> pd.DataFrame:
    """A table of several curves, one row a point: columns n_samples, curve, probability."""
    return pd.DataFrame(rows, columns=["n_samples", "curve", "probability"])
