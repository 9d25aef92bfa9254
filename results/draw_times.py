"""What the time of one exact draw tells about the noise: run by command, since times differ between machines.

One number at a time is drawn and timed; then times of draws with large noise are compared with the others.
"""

import time

import numpy as np
from scipy.stats import rankdata

from privml.distributions import DiscreteGaussian, DiscreteLaplace, Laplace
from privml.results.runs import Study, main

__all__ = ["STUDY", "ranked"]

LAWS = {
    "discrete Laplace": DiscreteLaplace(scale=1000),
    "discrete Gaussian": DiscreteGaussian(variance=10**6),
    "Laplace in floats": Laplace(scale=1000.0),
}


def ranked(times, large):
    """Probability that a draw with large noise took longer than one without; ties count half."""
    ranks = rankdata(times)[large]
    n, others = len(ranks), len(times) - len(ranks)
    return float((ranks.sum() - n * (n + 1) / 2) / (n * others))


def measured(law, *, draws=40_000, shares=(0.5, 0.1, 0.02), seed=0):
    """Median times with and without large noise, and how well the time ranks them."""
    rng, noise, times = np.random.default_rng(seed), np.empty(draws), np.empty(draws)
    for i in range(draws):
        start = time.perf_counter_ns()
        noise[i] = LAWS[law].rvs(rng=rng)
        times[i] = time.perf_counter_ns() - start
    size = np.abs(noise)
    rows = []
    for share in shares:
        large = size >= np.quantile(size, 1 - share)
        medians = (np.median(times[large]) / 1e3, np.median(times[~large]) / 1e3)
        rows.append((law, share, *medians, ranked(times, large)))
    return rows


STUDY = Study(
    name="draw-times",
    columns=("law", "share", "large_microseconds", "other_microseconds", "ranked"),
    jobs=tuple((law,) for law in LAWS),
    work=measured,
    parameters={
        "laws": list(LAWS),
        "draws": 40_000,
        "shares": [0.5, 0.1, 0.02],
        "seed": 0,
    },
    digits=3,
)

if __name__ == "__main__":
    main(STUDY.name)
