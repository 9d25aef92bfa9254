"""PATE: teachers against scikit-learn's own fits of the same parts, and the aggregation of many votes."""

import numpy as np
import scipy.sparse as sparse
from sklearn.linear_model import LogisticRegression

from benchmarks.timing import Case
from privml.pate import (
    GaussianAggregator,
    SparseVectorAggregator,
    fit_teachers,
    independent_parts,
)

RNG = np.random.default_rng(0)
N_TEACHERS, PART, FEATURES = 390, 100, 123
X = sparse.random(
    N_TEACHERS * PART, FEATURES, density=0.11, format="csr", random_state=0
)
Y = (X @ RNG.normal(size=FEATURES) > 0).astype(int)
MODEL = LogisticRegression(solver="liblinear")
ORDER = np.argsort(independent_parts(X.shape[0], N_TEACHERS, rng=0), kind="stable")
ENDS = np.searchsorted(
    np.sort(independent_parts(X.shape[0], N_TEACHERS, rng=0)), np.arange(N_TEACHERS + 1)
)
PIECES = [
    (X[ORDER[a:b]], Y[ORDER[a:b]]) for a, b in zip(ENDS[:-1], ENDS[1:], strict=True)
]
VOTES = RNG.integers(2, size=(1000, 10_000)).astype(np.uint8)
GAUSSIAN = GaussianAggregator(n_queries=10_000, epsilon=1.0, delta=1e-6)
SPARSE = SparseVectorAggregator(cutoff=10_001, epsilon=1.0, delta=1e-6)


def floor() -> list:
    """scikit-learn's fits alone, each with a seed of its own, of parts that are cut beforehand."""
    models = [
        LogisticRegression(solver="liblinear", random_state=seed)
        for seed in range(N_TEACHERS)
    ]
    return [model.fit(*piece) for model, piece in zip(models, PIECES, strict=True)]


CASES = [
    Case(
        "390 teachers of 100 x 123 sparse records",
        lambda: fit_teachers(MODEL, X, Y, n_teachers=N_TEACHERS, classes=[0, 1], rng=0),
        floor,
        most_ratio=1.15,
        repeats=9,
    ),
    Case(
        "Gaussian votes, 1e4 points x 1e3 teachers",
        lambda: GAUSSIAN.answer(VOTES, rng=1),
        most_seconds=0.2,
    ),
    Case(
        "sparse vector of votes, the same",
        lambda: SPARSE.answer(VOTES, rng=1),
        most_seconds=0.2,
    ),
]
