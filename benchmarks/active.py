"""Active learning through liblinear: 1e4 unlabelled points of 100 features and 300 queries."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.timing import Case
from privml.pate import active_learning

RNG = np.random.default_rng(1)
POINTS = RNG.normal(size=(10_000, 100))
LABELS = RNG.random(10_000) < 1 / (1 + np.exp(-POINTS @ RNG.normal(size=100)))
MODEL = LogisticRegression(solver="liblinear")


def run(order: str) -> None:
    """One run with all its trainings."""
    active_learning(
        MODEL, POINTS, lambda i: LABELS[i], n_queries=300, order=order, rng=0
    )


CASES = [
    Case(
        f"active_learning, 1e4 points, 300 queries, {order}",
        lambda o=order: run(o),
        most_seconds=30.0,
        repeats=3,
    )
    for order in ("closest", "stream")
]
