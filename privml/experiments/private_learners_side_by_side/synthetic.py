"""Which norm to compete with: chosen on synthetic populations, which are public.

A population is two noisy classes in d dimensions.  Its features have variances that decay like a power of
their number; the classes differ along a random direction, and both may be shifted away from the origin, as
features centred at the middle of their range are.  Rows have length 1.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.experiments.private_learners_side_by_side.methods import (
    EPSILONS,
    METHODS,
    NORMS,
    fitted,
    not_private,
)
from privml.experiments.results import RESULTS

SIZES = ((400, 30), (1250, 64))
NORM_RUN = {"n_draws": 2, "norms": list(NORMS), "seed": 0}
"""Parameters of the committed table."""


class World(NamedTuple):
    """A population: decay of variances, distance from the origin, share of positives, contrast of classes."""

    decay: float
    shift: float
    share: float
    contrast: float


WORLDS = tuple(World(*w) for w in product((0.5, 1.5), (0.0, 1.5), (0.4, 0.5), (0.2, 0.35)))


def sample(
    world: World, n_samples: int, dimension: int, n_test: int, *, rng: np.random.Generator
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Training and test records of a population that is itself drawn.

    Examples
    --------
    >>> parts = sample(WORLDS[0], 5, 3, 2, rng=np.random.default_rng(0))
    >>> [part.shape for part in parts]
    [(5, 3), (5,), (2, 3), (2,)]
    """
    spread = np.arange(1, dimension + 1) ** (-world.decay / 2)
    spread /= np.linalg.norm(spread)
    contrast = world.contrast * rng.normal(size=dimension) * spread
    middle = rng.normal(size=dimension)
    middle *= world.shift / np.linalg.norm(middle)
    n = n_samples + n_test
    y = rng.random(n) < world.share
    X = middle + rng.normal(size=(n, dimension)) * spread + np.where(y, 1, -1)[:, None] * contrast
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X[:n_samples], y[:n_samples], X[n_samples:], y[n_samples:]


def norms(n_draws: int, norms: Sequence[float], seed: int) -> pd.DataFrame:
    """Mean accuracy of the methods that have a norm, except for sampling, for each norm.

    Parameters
    ----------
    n_draws : int
        Populations of each kind and size.
    norms : sequence of float
        Norms to try.
    seed : int
        Seed of everything.

    Returns
    -------
    DataFrame
        Columns ``method``, ``promise``, ``norm``, ``accuracy``: over populations, sizes and epsilons.

    Examples
    --------
    >>> norms(0, [1.0], 0).columns.tolist()
    ['method', 'promise', 'norm', 'accuracy']
    """
    rows = []
    streams = np.random.default_rng(seed).spawn(n_draws)
    for stream, world, (n, d) in product(streams, WORLDS, SIZES):
        X, y, Z, v = sample(world, n, d, 1000, rng=stream)
        rows.append(("not private", "none", np.inf, not_private().fit(X, y).score(Z, v)))
        for method, norm, epsilon in product(METHODS, norms, EPSILONS):
            if method.norm == np.inf or method.name == "exponential sampling":
                continue
            model = fitted(method, epsilon, X, y, int(stream.integers(2**31)), norm)
            rows.append((method.name, method.promise, norm, model.score(Z, v)))
    table = pd.DataFrame(rows, columns=["method", "promise", "norm", "accuracy"])
    return table.groupby(["method", "promise", "norm"], sort=False, as_index=False)["accuracy"].mean()


def committed_norms() -> pd.DataFrame:
    """The table of `norms` that is committed under ``results/``.

    Returns
    -------
    DataFrame

    Raises
    ------
    FileNotFoundError
        If the package is not in its repository.

    Examples
    --------
    >>> committed_norms().columns.tolist()
    ['method', 'promise', 'norm', 'accuracy']
    """
    return pd.read_csv(RESULTS / "private-erm-norms.csv")


def chosen_norm(table: pd.DataFrame) -> float:
    """The norm with the best mean accuracy over all private methods: one for all.

    Parameters
    ----------
    table : DataFrame
        From `norms`.

    Returns
    -------
    float

    Examples
    --------
    >>> found = pd.DataFrame({"norm": [1.0, 2.0, np.inf], "accuracy": [0.7, 0.8, 0.9]})
    >>> chosen_norm(found)
    2.0
    """
    private = table[np.isfinite(table["norm"])]
    return float(private.groupby("norm")["accuracy"].mean().idxmax())
