"""What an exact draw costs, and what its time tells: run by command, since times differ between machines.

The table of costs holds ratios: an exact way beside the idealised one in floats, measured in turn.
"""

import time
from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate

import numpy as np

from privml.distributions import DiscreteGaussian, DiscreteLaplace, Gaussian, Laplace
from privml.mechanisms import (
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    LaplaceMechanism,
    PermuteAndFlip,
    RandomisedResponse,
)
from privml.results.runs import Study, main

__all__ = ["STUDY", "first_crossing", "rational_choice"]

MANY, EPSILON = 100_000, Fraction(1, 2)
SCORES = np.random.default_rng(0).integers(0, 100, 1000)


def rational_choice(scores, base, rng):
    """Index i with probability proportional to base^(largest score - score), exactly; base is a fraction."""
    largest = int(max(scores))
    gaps = [largest - int(score) for score in scores]
    top, bottom, most = base.numerator, base.denominator, max(gaps)
    weight = [top**gap * bottom ** (most - gap) for gap in range(most + 1)]
    steps = list(accumulate(weight[gap] for gap in gaps))
    n_bits = steps[-1].bit_length()
    uniform = steps[-1]
    while uniform >= steps[-1]:  # a uniform whole number below the sum, by rejection
        uniform = int.from_bytes(rng.bytes(-(-n_bits // 8)), "little") % 2**n_bits
    return bisect_right(steps, uniform)


def first_crossing(values, threshold, epsilon, rng):
    """Index of the first integer query that reaches a noisy threshold, or None: all noise on the integers."""
    bar = threshold + DiscreteLaplace(scale=2 / epsilon).rvs(rng=rng)
    noisy = DiscreteLaplace(np.asarray(values), scale=4 / epsilon).rvs(rng=rng)
    crossed = np.flatnonzero(noisy >= bar)
    return int(crossed[0]) if crossed.size else None


def floats_choice(rng):
    """Selection by a running sum in floats."""
    total = np.cumsum(np.exp((SCORES - SCORES.max()) / 4))
    return int(np.searchsorted(total, rng.random() * total[-1]))


def floats_crossing(rng):
    """A sparse vector with noise in floats."""
    noisy = Laplace(np.zeros(MANY), scale=8.0).rvs(rng=rng)
    return np.flatnonzero(noisy >= 1000 + Laplace(scale=4.0).rvs(rng=rng))


def tasks():
    """Name, idealised way, exact way; each a function of the generator."""
    whole = np.zeros(MANY, dtype=np.int64)
    half = {"epsilon": 0.5, "sensitivity": 1}
    laplace, integers = LaplaceMechanism(**half), DiscreteLaplaceMechanism(**half)
    lie, response = 1 / (1 + np.exp(0.5)), RandomisedResponse(0.5)
    select, flip = ExponentialMechanism(**half), PermuteAndFlip(**half)
    scores = SCORES.astype(float)
    return {
        "100,000 Laplace numbers": (
            Laplace(np.zeros(MANY), scale=1000.0).rvs,
            DiscreteLaplace(whole, scale=1000).rvs,
        ),
        "100,000 Gaussian numbers": (
            Gaussian(np.zeros(MANY), sigma=1000.0).rvs,
            DiscreteGaussian(whole, variance=10**6).rvs,
        ),
        "one Laplace number": (
            lambda rng: laplace.release(0.0, rng=rng),
            lambda rng: integers.release(0, rng=rng),
        ),
        "100,000 randomised responses": (
            lambda rng: (rng.random(MANY) < lie) ^ (whole > 0),
            lambda rng: response.release(whole, rng=rng),
        ),
        "one choice of 1,000": (
            floats_choice,
            lambda rng: select.release(scores, rng=rng),
        ),
        "one choice of 1,000, rational weights": (
            floats_choice,
            lambda rng: rational_choice(SCORES, Fraction(7, 9), rng),
        ),
        "permute and flip of 1,000": (
            lambda rng: int(np.argmax(scores + rng.exponential(4.0, scores.size))),
            lambda rng: flip.release(scores, rng=rng),
        ),
        "sparse vector, 100,000 queries": (
            floats_crossing,
            lambda rng: first_crossing(whole, 1000, EPSILON, rng),
        ),
    }


def seconds(draw, rng, repeats):
    """Processor time of one call, the least of a few repeats of about 20 ms each."""
    start, calls = time.process_time(), 0
    while time.process_time() - start < 0.02:
        call(draw, rng)
        calls += 1
    times = []
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(calls):
            call(draw, rng)
        times.append((time.process_time() - start) / calls)
    return min(times)


def call(draw, rng):
    """One draw; the methods of laws take the generator by name."""
    return draw(rng=rng) if draw.__name__ == "rvs" else draw(rng)


def measured(task, *, repeats=25, seed=0):
    """Seconds of both ways, and their ratio."""
    rng = np.random.default_rng(seed)
    ways = [seconds(draw, rng, repeats) for draw in tasks()[task]]
    return [(task, *ways, ways[1] / ways[0])]


STUDY = Study(
    name="exact-draws",
    columns=("task", "idealised", "exact", "ratio"),
    jobs=tuple((task,) for task in tasks()),
    work=measured,
    parameters={"tasks": list(tasks()), "repeats": 25, "seed": 0},
    digits=3,
)

if __name__ == "__main__":
    main(STUDY.name)
