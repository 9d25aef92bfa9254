"""Claims of first statistics: exact laws on all neighbours of a small universe."""

from functools import reduce

import numpy as np

from privml import statistics
from privml.adjacency import Adjacency, neighbouring_datasets
from privml.distributions import Product
from tests.claims.claim import EPSILONS, Claim, grid

RELATIONS = tuple(Adjacency)
BITS = np.array([0.0, 1.0])


def joint_pair(one, other):
    """Log-probabilities, under both laws, of each coordinate to be at most its value in one, and above.

    Below the smaller and above the larger value the loss of a coordinate is what it moves, over the scale:
    the loss of an event below both is that of every answer in it.
    """
    p, q = [], []
    laws = [law.marginals if isinstance(law, Product) else law for law in (one, other)]
    for a, b in zip(
        *(np.atleast_1d(law.location).tolist() for law in laws), strict=True
    ):
        ends = [min(a, b), max(a, b)]
        for found, centre in ((p, a), (q, b)):
            noise = type(laws[0])(centre, scale=laws[0].scale)
            inside = (
                np.arange(ends[0] + 1, ends[1])
                if ends[1] - ends[0] < 50
                else np.array([], dtype=int)
            )
            parts = [
                noise.logcdf(ends[0]),
                *noise.logpmf(inside),
                noise.logsf(ends[1] - 1),
            ]
            found.append(
                np.array(parts)
                if a != b
                else np.array([noise.logcdf(a), noise.logsf(a)])
            )
    return tuple(reduce(np.add.outer, rows).ravel() for rows in (p, q))


def neighbours(statistic, universe, n_samples):
    first, second, pairs = neighbouring_datasets(
        universe, n_samples, adjacency=statistic.adjacency
    )
    for i, j in pairs:
        yield universe[first[i]], universe[second[j]]


def integers(make, universe):
    def case(epsilon, adjacency):
        statistic = make(epsilon=epsilon, adjacency=adjacency)
        laws = [
            joint_pair(*map(statistic.output_distribution, pair))
            for pair in neighbours(statistic, universe, 2)
        ]
        return statistic.guarantee, laws

    return case


def quantile(epsilon, adjacency, beta):
    statistic = statistics.PrivateQuantile(
        q=0.5, options=[0, 1], epsilon=epsilon, beta=beta, adjacency=adjacency
    )
    laws = []
    for pair in neighbours(statistic, BITS, 3):
        choices = [
            [law.logpmf() for law in statistic.output_distribution(records)]
            for records in pair
        ]
        laws.append(tuple(reduce(np.add.outer, rows).ravel() for rows in choices))
    return statistic.guarantee, laws


def released(epsilon, adjacency):
    statistic = statistics.PrivateCount(epsilon=epsilon, adjacency=adjacency)
    _, laws = integers(statistics.PrivateCount, BITS)(epsilon, adjacency)
    return statistic.release([1, 0], rng=0).guarantee, laws


def of_range(epsilon, adjacency):
    """What a range is promised is the promise of the whole release."""
    counts = statistics.PrivateRunningCounts(
        categories=[0, 1], epsilon=epsilon, adjacency=adjacency
    )
    promise, laws = integers(
        lambda **kw: statistics.PrivateRunningCounts(categories=[0, 1], **kw), BITS
    )(epsilon, adjacency)
    released = counts.release([1, 0], rng=0)
    assert released.guarantee == promise
    return released.range_count(1, 1).guarantee, laws


PUBLIC = {"epsilon": EPSILONS, "adjacency": RELATIONS}
HISTOGRAM = integers(
    lambda **kw: statistics.PrivateHistogram(categories=[0, 1], **kw), BITS
)
RUNNING = integers(
    lambda **kw: statistics.PrivateRunningCounts(categories=[0, 1, 2], **kw),
    np.array([0, 1, 2, 3]),
)
MEAN = integers(lambda **kw: statistics.PrivateMean(bounds=(0, 1), **kw), BITS)
SUM = integers(lambda **kw: statistics.PrivateSum(bounds=(0, 1), **kw), BITS)
CLAIMS = [
    Claim("PrivateSum", grid(SUM, **PUBLIC)),
    Claim("PrivateCount", grid(integers(statistics.PrivateCount, BITS), **PUBLIC)),
    Claim("PrivateHistogram", grid(HISTOGRAM, **PUBLIC)),
    Claim("PrivateMean", grid(MEAN, **PUBLIC)),
    Claim("PrivateQuantile", grid(quantile, **PUBLIC, beta=(None, 0.1))),
    Claim("PrivateRunningCounts", grid(RUNNING, **PUBLIC)),
    Claim("RunningCounts", grid(of_range, **PUBLIC)),
    Claim("PrivateEstimate", grid(released, **PUBLIC)),
]
