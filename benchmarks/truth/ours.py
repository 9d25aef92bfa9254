"""Our own releases, and twins of them that are broken on purpose: what the bench can catch, and what it cannot.

A twin makes the claim of the right mechanism and draws another one.  A few are *hidden*: the fault is real, and
too rare, or on another pair, so that the draws cannot show it; only a law or a replay of the code would.
"""

from collections.abc import Iterator

import numpy as np

from benchmarks.truth.release import (
    Release,
    discrete_laplace,
    laplace,
    of_cdf,
    of_values,
    permute_and_flip,
    softmax,
)

WHOLE, VALUES = np.arange(-12, 15) - 0.5, np.arange(-400, 401)
REAL = np.linspace(-8, 9, 35) + 1e-3
SCORES = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0]])
STREAM = np.array([[0.0, 1.0, -1.0, 0.0], [1.0, 0.0, 0.0, 1.0]])


def ours() -> Iterator[Release]:
    """Mechanisms of `privml`, with the laws that they expose."""
    from privml import mechanisms as m
    from privml.hypotheses import Thresholds
    from privml.learners import ExponentialPACLearner

    rng = np.random.default_rng(5)

    def made(name, kind, mechanism, values, edges, law, read=lambda x: x):
        def draw(side: int, n: int) -> np.ndarray:
            return np.array(
                [read(mechanism.release(values[side], rng=rng)) for _ in range(n)],
                float,
            )

        claim = mechanism.guarantee.epsilon, mechanism.guarantee.delta
        return Release("privml", name, kind, claim, draw, edges, law, size=4000)

    def numbers(mechanism, edges=REAL, whole=False):
        def law(side):
            found = mechanism.output_distribution(side if whole else float(side))
            return (
                of_values(VALUES, np.exp(found.logpmf(VALUES)), edges)
                if whole
                else of_cdf(found.cdf, edges)
            )

        return law

    one = {"epsilon": 1.0, "sensitivity": 1}
    yield made(
        "LaplaceMechanism",
        "noise",
        m.LaplaceMechanism(**one),
        (0.0, 1.0),
        REAL,
        numbers(m.LaplaceMechanism(**one)),
    )
    gaussian = m.GaussianMechanism(delta=0.01, **one)
    yield made(
        "GaussianMechanism", "noise", gaussian, (0.0, 1.0), REAL, numbers(gaussian)
    )
    discrete = m.DiscreteLaplaceMechanism(**one)
    yield made(
        "DiscreteLaplaceMechanism",
        "noise",
        discrete,
        (0, 1),
        WHOLE,
        numbers(discrete, WHOLE, whole=True),
    )
    response = m.RandomisedResponse(1.0, 3)
    options = np.array([0.5, 1.5])
    yield made(
        "RandomisedResponse",
        "noise",
        response,
        (0, 1),
        options,
        lambda side: np.exp(response.output_distribution(side).logpmf()),
    )
    for kind in (m.ExponentialMechanism, m.PermuteAndFlip):
        chosen = kind(**one)
        yield made(
            kind.__name__,
            "selection",
            chosen,
            SCORES,
            options,
            lambda side, c=chosen: np.exp(c.output_distribution(SCORES[side]).logpmf()),
        )
    sparse = m.SparseVector(epsilon=1.0, cutoff=1, sensitivity=1)
    first = np.arange(4) + 0.5

    def crossing(flags) -> int:
        return int(np.argmax(flags)) if np.any(flags) else 4

    yield made("SparseVector", "sparse vectors", sparse, STREAM, first, None, crossing)
    stable = m.DistanceToInstability(epsilon=1.0, delta=0.01)
    values = ((0, 0), (1, 0))
    yield made(
        "DistanceToInstability",
        "thresholds",
        stable,
        values,
        np.array([-0.5, 0.5]),
        None,
        lambda x: -1 if x is None else x,
    )

    data = np.array([[-0.9], [-0.2], [0.3], [0.6]]), np.array([0, 0, 1, 1])
    other = data[0], np.array([0, 1, 1, 1])
    cuts = Thresholds([-0.5, 0.0, 0.5])
    learner = ExponentialPACLearner(1.0, cuts, classes=(0, 1))

    def learned(side: int) -> np.ndarray:
        return np.exp(learner.output_distribution(*(data, other)[side]).logpmf())

    def fits(side: int, n: int) -> np.ndarray:
        rows = (data, other)[side]
        return np.array(
            [learner.fit(*rows, rng=rng).hypothesis_index_ for _ in range(n)], float
        )

    size = learned(0).size
    yield Release(
        "privml",
        "ExponentialPACLearner, thresholds",
        "learners",
        (1.0, 0.0),
        fits,
        np.arange(size - 1) + 0.5,
        learned,
        size=1000,
    )


def twins() -> Iterator[Release]:
    """Broken on purpose: the claim is the right mechanism's."""
    rng = np.random.default_rng(6)
    found = []

    def twin(name, kind, edges, claim=(1.0, 0.0), law=None, **more):
        """A decorator that makes a twin of a function of a side and a number of draws."""

        def keep(draw):
            found.append(
                Release("twin", name, kind, claim, draw, edges, law, twin=True, **more)
            )
            return draw

        return keep

    @twin(
        "Laplace, sensitivity of one record for two",
        "noise",
        REAL,
        law=lambda side: of_cdf(lambda x: laplace(x, side, 0.5), REAL),
    )
    def half(side, n):
        return side + rng.laplace(0, 0.5, n)

    def twice(side):
        zero_twice = np.where(side == VALUES, 2.0, 1.0)
        masses = discrete_laplace(VALUES, side, 1.0) * zero_twice
        return of_values(VALUES, masses / masses.sum(), WHOLE)

    @twin("discrete Laplace, zero drawn twice", "noise", WHOLE, law=twice)
    def zeros(side, n):  # both signs of zero are kept
        signs = np.where(rng.random(n) < 0.5, 1, -1)
        return side + signs * (rng.geometric(1 - np.exp(-1.0), n) - 1)

    options = np.array([0.5, 1.5])

    def forgotten(side):
        return softmax(SCORES[side])

    @twin(
        "exponential mechanism, the factor 2 forgotten",
        "selection",
        options,
        law=forgotten,
    )
    def exponential(side, n):
        return rng.choice(3, size=n, p=forgotten(side))

    def flipped(side):
        return permute_and_flip(SCORES[side] / 2)

    @twin(
        "permute-and-flip, claimed as concentrated like the exponential mechanism",
        "selection",
        options,
        claim=(2.1661, 1e-5),
        law=flipped,
        rho=0.125,
    )
    def flips(side, n):
        return rng.choice(3, size=n, p=flipped(side))

    @twin("sparse vector, queries without noise", "sparse vectors", np.arange(4) + 0.5)
    def late(side, n):  # noise on the threshold alone
        crossed = STREAM[side] >= rng.laplace(0, 2.0, (n, 1))
        return np.where(crossed.any(axis=1), crossed.argmax(axis=1), 4)

    @twin(
        "threshold without its margin",
        "thresholds",
        np.array([-0.5, 0.5]),
        claim=(1.0, 0.01),
    )
    def bare(side, n):
        return np.where(side + rng.laplace(0, 1, n) > 1, side, -1)

    def kept(side):  # the boundary belongs to what is kept
        p = discrete_laplace(np.arange(5, 500), 1, 1.0).sum() if side else 0.0
        return np.array([1 - p, p])

    @twin(
        "threshold, its boundary counted once too few",
        "thresholds",
        np.array([0.5]),
        claim=(1.0, 0.00493),
        law=kept,
        size=40_000,
    )
    def boundary(side, n):
        return (rng.random(n) < kept(side)[1]).astype(float)

    @twin(
        "sum, clipped after the noise was scaled to another bound",
        "clipped sums",
        np.arange(-20, 30) - 0.5,
    )
    def total(side, n):
        return 3 * side + np.rint(rng.laplace(0, 1.0, n))

    @twin(
        "mean, scale from the number of records",
        "clipped sums",
        np.linspace(-8, 8, 65),
    )
    def mean(side, n):  # the size of the data set is used as if it were public
        return side / (1 + side) + rng.laplace(0, 1 / (1 + side), n)

    @twin(
        "median, four times its epsilon",
        "quantiles",
        np.arange(4) + 0.5,
        claim=(0.5, 0.0),
    )
    def median(side, n):  # utilities by rank with the weight of one record forgotten
        middle = 3.0 if side else 2.0
        weights = np.exp(-np.abs(np.arange(5) - middle) * 2.0)
        return rng.choice(5, size=n, p=weights / weights.sum())

    @twin(
        "regression, second moment without noise",
        "learners",
        np.linspace(-40, 40, 41),
    )
    def ridge(side, n):  # the second moment is released as it is
        return rng.laplace(0, 6.0, n) / (1.01 if side else 0.02)

    @twin(
        "Laplace that shows the value with chance 1e-6",
        "noise",
        np.array([-50.0, 0.5, 99.0]),
        hidden=True,
    )
    def seldom(side, n):
        shown = rng.random(n) < 1e-6
        return np.where(shown, 100.0 * side, side + rng.laplace(0, 1.0, n))

    @twin(
        "Laplace with delta of 1e-9 for a claim of 1e-12",
        "noise",
        REAL,
        claim=(1.0, 1e-12),
        hidden=True,
    )
    def cut(side, n):
        return side + np.clip(rng.laplace(0, 1.0, n), -20, 20)

    yield from found
    right = next(iter(ours()))
    yield replace_draw(
        right, "Laplace without noise on negative values, asked for 0 and 1", rng
    )


def replace_draw(right: Release, name: str, rng: np.random.Generator) -> Release:
    """Wrong on a pair that is not asked for: on this one it is the right mechanism."""
    return right._replace(
        library="twin",
        name=name,
        draw=lambda side, n: side + rng.laplace(0, 1.0, n),
        law=None,
        twin=True,
        hidden=True,
    )
