"""Statistical queries against their floors: one mean with one noise, and elimination modulo 2.

The floor of a query is plain numpy: evaluate the function, take the mean, draw one Laplace variable.
"""

import numpy as np

from benchmarks.timing import Case
from privml.learners.statistical_queries import (
    LinearSQLearner,
    PrivateSQOracle,
    SampleOracle,
    random_solution,
)

RNG = np.random.default_rng(0)
MANY = 1_000_000
X, Y = RNG.random((MANY, 1)), RNG.random(MANY) < 0.5
ORACLE = PrivateSQOracle(X, Y, n_queries=10**9, epsilon=1.0, rng=RNG)
WIDE, LABELS = RNG.uniform(-1, 1, (100_000, 20)), RNG.random(100_000) < 0.5
LEARNER = LinearSQLearner(20, 20)
EQUATIONS = RNG.random((3000, 1000)) < 0.5
SIDES = EQUATIONS[:, 0] ^ EQUATIONS[:, 7]


def real(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A query with real values."""
    return x[:, 0] * y


def floor_answer() -> float:
    """Plain numpy, with the clipping that privacy needs."""
    return float(np.clip(real(X, Y), 0.0, 1.0).mean() + RNG.laplace(scale=1 / MANY))


def floor_gradient() -> np.ndarray:
    """The same number of plain gradients, without queries."""
    w, signs = np.zeros(20), np.where(LABELS, 1.0, -1.0)
    for _ in range(20):
        pull = -signs / (1 + np.exp(signs * (WIDE @ w)))
        w = w - 0.1 * (pull @ WIDE) / len(WIDE)
    return w


CASES = [
    Case(
        "one private answer, 1e6 records",
        lambda: ORACLE.answer(real),
        floor_answer,
        most_ratio=3.0,
    ),
    Case(
        "20 steps of the gradient learner, 1e5 x 20",
        lambda: LEARNER.run(SampleOracle(WIDE, LABELS)),
        floor_gradient,
        repeats=3,
    ),
    Case(
        "elimination, 3000 equations in 1000 unknowns",
        lambda: random_solution(EQUATIONS, SIDES, rng=0),
        most_seconds=1.0,
        repeats=3,
    ),
]
