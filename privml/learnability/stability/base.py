"""All neighbouring data sets of a finite universe, with the laws of a learner on them."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.adjacency import replacement_pairs, sequences
from privml.learnability.base import CountLaw, LearningProblem, OrderedLaw
from privml.learnability.counts import count_vectors, neighbours

_BLOCK_ENTRIES = 1 << 20
_SUM_TOLERANCE = 1e-9


class Neighbourhood(NamedTuple):
    """Data sets, which of them are neighbours, and the law of a learner on each."""

    datasets: NDArray  # count vectors, or rows of record indices where the order matters
    pairs: NDArray[np.intp]  # (n_pairs, 2)
    laws: NDArray[np.float64]  # (n_datasets, n_hypotheses)


def probabilities_on(law: CountLaw | OrderedLaw, datasets: NDArray) -> NDArray[np.float64]:
    """The laws of a learner on data sets, after a check that they are laws."""
    check.function(law=law)
    laws = check.numbers(law=law(datasets))
    if laws.ndim != 2 or len(laws) != len(datasets):
        raise ValueError(f"law must return one row for each of {len(datasets)} data sets, got {laws.shape}")
    if not ((laws >= 0).all() and np.allclose(laws.sum(axis=1), 1, rtol=0, atol=_SUM_TOLERANCE)):
        raise ValueError("law must return probabilities with sum 1, got others")
    return laws


def fitting(laws: NDArray[np.float64], problem: LearningProblem) -> NDArray[np.float64]:
    """The laws, after a check that they are on the hypotheses of the problem."""
    if laws.shape[1] != problem.n_hypotheses:
        raise ValueError(f"law must be on {problem.n_hypotheses} hypotheses, got {laws.shape[1]}")
    return laws


def neighbourhood(
    law: CountLaw | OrderedLaw, n_records: int, n_samples: int, *, ordered: bool = False
) -> Neighbourhood:
    """All data sets of one size, all neighbours under ``REPLACE_ONE``, and the laws of a learner."""
    check.positive_integer(n_records=n_records, n_samples=n_samples)
    check.flag(ordered=ordered)
    if n_records < 2:
        raise ValueError(f"n_records must be at least 2 for there to be neighbours, got {n_records}")
    if ordered:
        datasets = sequences(n_records, n_samples)
        pairs = replacement_pairs(datasets)
    else:
        datasets, pairs = count_vectors(n_records, n_samples), neighbours(n_records, n_samples)
    return Neighbourhood(datasets, pairs, probabilities_on(law, datasets))


def pair_blocks(table: NDArray, pairs: NDArray[np.intp]) -> Iterator[tuple[int, NDArray, NDArray]]:
    """Position of the first pair, and rows of a table for both sides of the pairs, in bounded blocks."""
    step = max(1, _BLOCK_ENTRIES // table.shape[1])
    for start in range(0, len(pairs), step):
        block = pairs[start : start + step]
        yield start, table[block[:, 0]], table[block[:, 1]]
