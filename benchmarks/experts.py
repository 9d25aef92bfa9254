"""Experts: choices of many rounds, expected regret at many rates, and the exact privacy of a run.

The floor of a run is what it cannot do without: per round one cumulative sum over past losses, one
exponential per expert and one uniform number, nothing checked, in blocks of the same size.
"""

import numpy as np

from benchmarks.timing import Case
from privml.learners.experts import actions, expected_regret, private_eta, run_curves

RNG = np.random.default_rng(0)
ETA = private_eta(1.0, 1e-5, 1000, method="dr11")


def flips(n_rounds: int, n_experts: int) -> np.ndarray:
    """Fair losses of 0 and 1, one byte each."""
    losses = np.empty((n_rounds, n_experts), dtype=bool)
    for start in range(0, n_rounds, 1000):
        block = losses[start : start + 1000]
        block[:] = RNG.integers(0, 2, block.shape, dtype=np.uint8)
    return losses


LONG, WIDE = flips(100_000, 1000), flips(10_000, 100)
SMALL = flips(100_000, 10)
ETAS = np.geomspace(1e-3, 1.0, 100)
GENERAL = RNG.random((2, 1000, 10))
GENERAL[1, 1:] = GENERAL[0, 1:]
OPPOSITE = np.zeros((2, 1000, 10))
OPPOSITE[0, 0, :5] = OPPOSITE[1, 0, 5:] = 1


def floor_run(losses: np.ndarray) -> float:
    """One cumulative sum, one exponential and one uniform number per round, in blocks."""
    n_rounds, n_experts = losses.shape
    rows = max(1, (1 << 17) // n_experts)
    buffer, last = np.empty((rows, n_experts)), np.zeros(n_experts)
    for start in range(0, n_rounds, rows):
        block = buffer[: min(rows, n_rounds - start)]
        block[:] = losses[start : start + len(block)]
        block[0] += last
        np.cumsum(block, axis=0, out=block)
        last = block[-1] - block[-1].min()
        block *= -ETA
        np.exp(block, out=block)
        RNG.random(len(block))
    return float(last[0])


CASES = [
    Case(
        "choices, 1e5 rounds x 1e3 experts",
        lambda: actions(LONG, ETA, rng=0),
        lambda: floor_run(LONG),
        most_ratio=2.0,
        most_seconds=3.0,
        repeats=5,
    ),
    Case(
        "choices, 1e5 rounds x 10 experts",
        lambda: actions(SMALL, ETA, rng=0),
        lambda: floor_run(SMALL),
        repeats=5,
    ),
    Case(
        "expected regret, 1e4 rounds x 100 experts x 100 rates",
        lambda: expected_regret(WIDE, ETAS[:, None]),
        most_seconds=5.0,
        repeats=3,
    ),
    Case(
        "exact delta(epsilon), 1e3 rounds x 10 experts, any losses",
        lambda: run_curves(*GENERAL, ETA).delta(1.0),
        most_seconds=3.0,
        repeats=3,
    ),
    Case(
        "exact delta(epsilon), 1e3 rounds x 10 experts, losses 0 and 1",
        lambda: run_curves(*OPPOSITE, ETA).delta(1.0),
        most_seconds=0.5,
        repeats=5,
    ),
]
