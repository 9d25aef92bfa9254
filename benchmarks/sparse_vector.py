"""Sparse vectors: a long stream against one plain numpy pass over it."""

import numpy as np

from benchmarks.timing import Case
from privml.mechanisms import RestartingSparseVector, SparseVector

RNG = np.random.default_rng(0)
STREAM = np.full(100_000, -1e6)
ONCE = SparseVector(epsilon=1.0, cutoff=10, sensitivity=1)
RESTARTING = RestartingSparseVector(epsilon=1.0, delta=1e-6, cutoff=10, sensitivity=1)
SHORT = np.linspace(-3.0, 3.0, 8)


def floor() -> np.ndarray:
    """Plain numpy: Laplace noise for every query, one comparison."""
    return np.flatnonzero(
        STREAM + RNG.laplace(scale=40.0, size=STREAM.size) >= RNG.laplace(scale=10.0)
    )


CASES = [
    Case(
        "sparse vector, 1e5 queries, none crossing",
        lambda: ONCE.run(STREAM, rng=RNG),
        floor,
        most_seconds=2e-3,
    ),
    Case(
        "restarting sparse vector, the same",
        lambda: RESTARTING.run(STREAM, rng=RNG),
        floor,
        most_seconds=2e-3,
    ),
    Case(
        "exact law of the transcripts of 8 queries",
        lambda: ONCE.output_distribution(SHORT),
    ),
]
