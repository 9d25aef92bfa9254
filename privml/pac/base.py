"""All samples from a finite population, with their probabilities and the mistakes made on them."""

from collections.abc import Callable, Iterator
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml.hypotheses import HypothesisClass
from privml.populations import FinitePopulation

MistakeLaw = Callable[[NDArray[np.int64]], NDArray[np.float64]]

SLACK = 1e-12
"""By how much a float may exceed its limit before it counts as exceeding it."""

LARGEST_ENUMERATION = 50_000_000
"""Most count vectors that are gone through."""

_BLOCK_ENTRIES = 1 << 21


class Kinds(NamedTuple):
    """The points of a population, merged by which hypotheses are wrong on them."""

    losses: NDArray[np.float64]  # (n_kinds, n_hypotheses), zeros and ones
    probabilities: NDArray[np.float64]  # (n_kinds,), positive
    errors: NDArray[np.float64]  # (n_hypotheses,)


def merged_points(hypotheses: HypothesisClass, population: FinitePopulation) -> Kinds:
    """Points that fool the same hypotheses become one kind; impossible points are left out."""
    possible = population.probabilities > 0
    losses = population.losses(hypotheses)[:, possible]
    distinct, kind = np.unique(losses, axis=1, return_inverse=True)
    probabilities = np.bincount(kind.ravel(), weights=population.probabilities[possible])
    return Kinds(distinct.T.astype(float), probabilities, population.error_rates(hypotheses))


def log_factorials(largest: int) -> NDArray[np.float64]:
    """Natural logarithms of 0!, 1!, ..., largest!."""
    from scipy.special import gammaln

    return gammaln(np.arange(largest + 1) + 1.0)


def _count_vectors(n_kinds: int, size: int, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count vectors with the given ranks, in the combinatorial number system.

    A count vector is n_kinds - 1 bars among size + n_kinds - 1 places; a set of places a_1 < a_2 < ...
    has rank C(a_1, 1) + C(a_2, 2) + ...  Ranks are below LARGEST_ENUMERATION, so larger binomial
    coefficients need not be told apart.
    """
    n_places = size + n_kinds - 1
    bars = np.empty((len(ranks), n_kinds + 1), dtype=np.int64)
    bars[:, 0], bars[:, -1] = -1, n_places
    for bar in range(n_kinds - 1, 0, -1):
        table = np.array([min(comb(place, bar), LARGEST_ENUMERATION) for place in range(n_places)])
        bars[:, bar] = np.searchsorted(table, ranks, side="right") - 1
        ranks = ranks - table[bars[:, bar]]
    return np.diff(bars, axis=1) - 1


def samples(kinds: Kinds, n_samples: int) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Blocks of (probabilities, mistakes) over all samples up to order and merging."""
    n_kinds, n_hypotheses = kinds.losses.shape
    total = comb(n_samples + n_kinds - 1, n_kinds - 1)
    if total > LARGEST_ENUMERATION:
        raise ValueError(
            f"n_samples must leave at most {LARGEST_ENUMERATION} samples up to order to enumerate, got "
            f"{total} for n_samples={n_samples} and {n_kinds} kinds of points; take fewer of either"
        )
    log_factorial, log_probabilities = log_factorials(n_samples), np.log(kinds.probabilities)
    step = max(1, _BLOCK_ENTRIES // (n_kinds + n_hypotheses))
    for start in range(0, total, step):
        counts = _count_vectors(n_kinds, n_samples, np.arange(start, min(start + step, total)))
        log_weights = log_factorial[-1] - log_factorial[counts].sum(axis=1) + counts @ log_probabilities
        yield np.exp(log_weights), (counts @ kinds.losses).astype(np.int64)
