"""The protocol of Table 4: data sets, sizes of the parts, and a source of randomness for every task.

Every random choice has a name, for example ``mushrooms/7/PSQ/0.5``, and its generator is seeded by that name
and the seed of the run.  So a row is the same whatever other rows are asked for, in whatever order and on
however many processes.
"""

from collections.abc import Callable
from functools import lru_cache
from math import ceil
from typing import NamedTuple
from zlib import crc32

import numpy as np

from privml import _check as check
from privml.datasets import Dataset, load_a9a, load_mushrooms, load_news20_usenet, load_real_sim

EPSILONS = (0.5, 1.0, 2.0, np.inf)
"""Those of the source; infinity stands for no noise."""

FRONTIER = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, np.inf)
"""Those of the committed run."""

TEACHER_SIZE = 100
QUERY_SHARE = 0.3
HALFSPACE = {"n_samples": 8000, "n_features": 20, "noise": 0.05}


class Sizes(NamedTuple):
    """Sizes of the parts of a data set: private, public and test records, and the label budget."""

    private: int
    public: int
    test: int
    budget: int

    @property
    def n_teachers(self) -> int:
        """Number of teachers of about a hundred records."""
        return max(1, round(self.private / TEACHER_SIZE))


def split_sizes(n_samples: int) -> Sizes:
    """80 % private, 2 % public, the rest for tests, and 30 % of the public points as label budget.

    Parameters
    ----------
    n_samples : int
        Number of records, at least 50.

    Returns
    -------
    Sizes

    Raises
    ------
    ValueError
        If there are fewer than 50 records.

    Notes
    -----
    Rounded down, rounded up and to the nearest number: so all rows of the source's table come out.
    **Source.** LZCW21-tab-3.

    Examples
    --------
    >>> split_sizes(8124)
    Sizes(private=6499, public=163, test=1462, budget=49)
    """
    check.positive_integer(n_samples=n_samples)
    if n_samples < 50:
        raise ValueError(f"n_samples must be at least 50, got {n_samples!r}")
    private, public = 4 * n_samples // 5, ceil(n_samples / 50)
    return Sizes(private, public, n_samples - private - public, max(1, round(QUERY_SHARE * public)))


def halfspace(n_samples: int, n_features: int, noise: float) -> Dataset:
    """Synthetic records: the sign of a linear function, flipped with one probability everywhere.

    Examples
    --------
    >>> halfspace(100, 3, 0.1).X.shape
    (100, 3)
    """
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_samples, n_features))
    y = (X @ rng.standard_normal(n_features) > 0) ^ (rng.random(n_samples) < noise)
    return Dataset(X, y, ("below", "above"), tuple(f"feature {j}" for j in range(n_features)))


def whole_a9a() -> Dataset:
    """Both published parts of a9a, joined."""
    from scipy.sparse import vstack

    train, test = load_a9a("train"), load_a9a("test")
    return train._replace(X=vstack([train.X, test.X]).tocsr(), y=np.concatenate([train.y, test.y]))


LOADERS: dict[str, Callable[[], Dataset]] = {
    "mushrooms": load_mushrooms,
    "a9a": whole_a9a,
    "real-sim": load_real_sim,
    "news20-usenet": load_news20_usenet,
    "halfspace": lambda: halfspace(**HALFSPACE),
}
"""Data sets by name; the last two are stand-ins and no part of the source's table."""


@lru_cache(maxsize=2)
def records(name: str) -> Dataset:
    """A data set, in sparse form, loaded once in a process.

    Raises
    ------
    ValueError
        If the name is unknown, or a file has another content than the published one.
    FileNotFoundError
        If the file is not there.

    Examples
    --------
    >>> records("halfspace").X.shape
    (8000, 20)
    """
    check.one_of(LOADERS, name=name)
    from scipy.sparse import csr_matrix

    data = LOADERS[name]()
    return data._replace(X=csr_matrix(data.X))


def source_of(seed: int, *names: object) -> np.random.Generator:
    """A generator for a random choice with a name.

    Examples
    --------
    >>> [int(source_of(1, "mushrooms", 0, "split").integers(100)) for _ in range(2)]
    [86, 86]
    """
    return np.random.default_rng([seed, crc32("/".join(map(str, names)).encode())])
