"""LinearLearner against its floor: one cumulative sum, one exponential per entry, one uniform per row.

The floor makes the three in blocks that stay in the cache, as the learner does; it neither clips, nor draws,
nor keeps anything, and it ignores overflow.  Twice the floor is the target.
"""

import numpy as np

from benchmarks.timing import Case
from privml.learners import LinearLearner

N_SAMPLES, N_FEATURES = 100_000, 1000
ROWS = 128
RNG = np.random.default_rng(0)
RECORDS = RNG.uniform(-1, 1, size=(N_SAMPLES, N_FEATURES))
LABELS = RNG.random(N_SAMPLES) < 0.5
LEARNER = LinearLearner(1.0, signed=False, fit_intercept=False, classes=(False, True))
SIGNED = LinearLearner(1.0, fit_intercept=False, classes=(False, True))


def floor(records: np.ndarray = RECORDS) -> None:
    """One cumulative sum, one exponential per entry, one uniform per row."""
    buffer, past = np.empty((ROWS, records.shape[1])), np.zeros(records.shape[1])
    for start in range(0, len(records), ROWS):
        block = records[start : start + ROWS]
        sums = np.cumsum(block, axis=0, out=buffer[: len(block)])
        sums += past
        past = sums[-1].copy()
        np.exp(np.multiply(sums, -1e-3, out=sums), out=sums)
        RNG.random(len(block))


def floor_of_both_signs() -> None:
    """The floor for 1,000 features of both signs: 2,000 coordinates."""
    floor()
    floor()


CASES = [
    Case(
        "LinearLearner, 1e5 records of 1,000 coordinates",
        lambda: LEARNER.fit(RECORDS, LABELS, rng=1),
        floor,
        most_ratio=2.0,
        repeats=5,
    ),
    Case(
        "LinearLearner, 1e5 records of 1,000 features, both signs",
        lambda: SIGNED.fit(RECORDS, LABELS, rng=1),
        floor_of_both_signs,
        most_ratio=2.0,
        repeats=5,
    ),
]
