"""Which norm to compete with, decided on synthetic populations before any real record is seen.

A population is two noisy classes in d dimensions. Its features have variances that decay like a power of
their number; the classes differ along a random direction, and both may be shifted away from the origin, as
features centred at the middle of their range are. Rows have length 1.
"""

from collections.abc import Sequence
from itertools import product
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml.results.private_erm import EPSILONS, METHODS, fitted, not_private
from privml.results.runs import Study, main

__all__ = ["STUDY"]

NORMS = (2.5, 5.0, 10.0, 20.0, 40.0)
SIZES = ((400, 30), (1250, 64))
N_DRAWS, SEED = 2, 0


class World(NamedTuple):
    """A population: decay of variances, distance from the origin, share of positives, contrast of classes."""

    decay: float
    shift: float
    share: float
    contrast: float


WORLDS = tuple(
    World(*w) for w in product((0.5, 1.5), (0.0, 1.5), (0.4, 0.5), (0.2, 0.35))
)


def sample(
    world: World,
    n_samples: int,
    dimension: int,
    n_test: int,
    *,
    rng: np.random.Generator,
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Training and test records of a population that is itself drawn."""
    spread = np.arange(1, dimension + 1) ** (-world.decay / 2)
    spread /= np.linalg.norm(spread)
    contrast = world.contrast * rng.normal(size=dimension) * spread
    middle = rng.normal(size=dimension)
    middle *= world.shift / np.linalg.norm(middle)
    n = n_samples + n_test
    y = rng.random(n) < world.share
    X = (
        middle
        + rng.normal(size=(n, dimension)) * spread
        + np.where(y, 1, -1)[:, None] * contrast
    )
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X[:n_samples], y[:n_samples], X[n_samples:], y[n_samples:]


def norms(n_draws: int, norms: Sequence[float], seed: int) -> list[tuple]:
    """Mean accuracy of the methods that have a norm, except for sampling, for each norm."""
    found: dict[tuple, list[float]] = {}
    for stream, world, (n, d) in product(
        np.random.default_rng(seed).spawn(n_draws), WORLDS, SIZES
    ):
        X, y, Z, v = sample(world, n, d, 1000, rng=stream)
        plain = not_private().fit(X, y).score(Z, v)
        found.setdefault(("not private", "none", inf), []).append(plain)
        for method, norm, epsilon in product(METHODS, norms, EPSILONS):
            if method.norm == inf or method.name == "exponential sampling":
                continue
            model = fitted(method, epsilon, X, y, int(stream.integers(2**31)), norm)
            found.setdefault((method.name, method.promise, norm), []).append(
                model.score(Z, v)
            )
    return [(*key, float(np.mean(scores))) for key, scores in found.items()]


STUDY = Study(
    name="private-erm-norms",
    columns=("method", "promise", "norm", "accuracy"),
    jobs=(
        (N_DRAWS, NORMS, SEED),
    ),  # one job, since one stream of randomness passes through all populations
    work=norms,
    parameters={"n_draws": N_DRAWS, "norms": list(NORMS), "seed": SEED},
)

if __name__ == "__main__":
    main(STUDY.name)
