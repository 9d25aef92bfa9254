"""Private logistic regression by exponential sampling: 5e4 records of 123 features, to a proved distance.

The records are like a9a: 14 ones among 123 indicators, scaled to length 1.
"""

import numpy as np

from benchmarks.timing import Case
from privml.learners import ExponentialLogisticRegression
from privml.learners.penalised_erm import largest_sampler_cost

N_SAMPLES, N_FEATURES, ONES = 50_000, 123, 14
RNG = np.random.default_rng(0)
POPULARITY = RNG.dirichlet(np.full(N_FEATURES, 0.5))
SHIFTS = RNG.gumbel(size=(N_SAMPLES, N_FEATURES)) + np.log(POPULARITY)
RECORDS = (SHIFTS >= np.sort(SHIFTS, axis=1)[:, [-ONES]]) / np.sqrt(ONES)
SCORES = np.sqrt(ONES) * RECORDS @ RNG.normal(size=N_FEATURES)
LABELS = RNG.random(N_SAMPLES) < 1 / (1 + np.exp(np.median(SCORES) - SCORES))
LEARNER = ExponentialLogisticRegression(
    1.0, radius=8.0, bounds="unit", classes=(False, True)
)
LAW = LEARNER.output_distribution(RECORDS, LABELS)

CASES = [
    Case(
        "ExponentialLogisticRegression, 5e4 records of 123 features",
        lambda: LEARNER.fit(RECORDS, LABELS, rng=1),
        most_seconds=30.0,
        repeats=1,
    ),
    Case(
        "its public bound of work",
        lambda: largest_sampler_cost(LAW),
        most_seconds=0.1,
        repeats=3,
    ),
]
