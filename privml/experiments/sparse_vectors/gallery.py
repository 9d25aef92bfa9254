"""Exact privacy losses of one transcript, for streams of any length, right and wrong."""

from collections.abc import Sequence
from math import inf

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from privml import counterexamples
from privml.distributions import Laplace
from privml.mechanisms import SparseVector
from privml.mechanisms.sparse_vector.base import Noise, threshold_quadrature


def transcript_log_probability(values: ArrayLike, crossed: ArrayLike, noise: Noise) -> float:
    """Log-probability of one transcript, the threshold's noise drawn once; the stream may be long.

    Parameters
    ----------
    values : array_like of shape (n_queries,)
        Query values minus the threshold.
    crossed : array_like of bool, shape (n_queries,)
        The answers.
    noise : Noise
        Scales of the Laplace noise, both positive.

    Returns
    -------
    float
        In nats.  The halting rule plays no part: the answers are taken as given.

    Examples
    --------
    >>> round(float(np.exp(transcript_log_probability([0, 0], [False, True], Noise(1.0, 2.0)))), 6)
    0.208333
    """
    kinds, counts = np.unique(np.stack([values, crossed], axis=1), axis=0, return_counts=True)
    points, weights = threshold_quadrature(np.unique(kinds[:, 0]), noise)
    query, total = Laplace(scale=noise.query_scale), np.log(weights)
    for (value, answer), count in zip(kinds, counts, strict=True):
        beyond = points - value
        total = total + count * (query.logsf(beyond) if answer else query.logcdf(beyond))
    return float(logsumexp(total))


def shifted_loss(n_quiet: int, n_crossing: int, noise: Noise) -> float:
    """Exact privacy loss of "quiet, ..., quiet, crossing, ..., crossing" for the worst moves of the queries.

    Parameters
    ----------
    n_quiet, n_crossing : int
        Numbers of queries, all at the threshold; on the neighbour the quiet ones are 1 above it and the
        crossing ones 1 below it.
    noise : Noise
        Scales of the Laplace noise.

    Returns
    -------
    float
        In nats.

    Examples
    --------
    >>> noise = SparseVector(epsilon=1.0).noise
    >>> [round(shifted_loss(n, 1, noise), 4) for n in (1, 10, 100)]
    [0.5007, 0.9986, 1.0]
    """
    crossed = np.repeat([False, True], [n_quiet, n_crossing])
    moves = np.where(crossed, -1.0, 1.0)
    here = transcript_log_probability(np.zeros(moves.size), crossed, noise)
    return here - transcript_log_probability(moves, crossed, noise)


def _reused_loss(n_quiet: int, epsilon: float) -> float:
    """Loss of a small released value after `n_quiet` quiet queries, by the exact law."""
    law = counterexamples.reused_query_noise(epsilon)
    here = law(np.append(np.zeros(n_quiet), 1.0)).logpmf()
    there = law(np.append(np.ones(n_quiet), 0.0)).logpmf()
    return float(here[2 * n_quiet] - there[2 * n_quiet])


def loss_by_length(epsilon: float, cutoff: int, lengths: Sequence[int]) -> pd.DataFrame:
    """Exact loss of five sparse vectors against the number of quiet queries, with what each can reach.

    Parameters
    ----------
    epsilon : float
        The privacy parameter that all of them claim, in nats.
    cutoff : int
        Number of crossings, for those that limit it.
    lengths : sequence of int
        Numbers of quiet queries, at most 1000.

    Returns
    -------
    DataFrame
        Columns ``mechanism``, ``n_quiet``, ``loss`` (nats) and ``limit`` for long streams.

    Examples
    --------
    >>> loss_by_length(1.0, 3, [8]).round(3)[["mechanism", "loss", "limit"]]
                       mechanism   loss  limit
    0                      right  0.953   1.00
    1  noise ignores the cut-off  4.736   4.75
    2                 no cut-off  7.348    inf
    3               reused noise  3.500    inf
    4             no query noise    inf    inf
    """
    right = SparseVector(epsilon=epsilon, cutoff=cutoff).noise
    fixed, single = Noise(4 / epsilon, 4 / (3 * epsilon)), Noise(2 / epsilon, 2 / epsilon)
    rows = []
    for n in lengths:
        rows += [
            ("right", n, shifted_loss(n, cutoff, right), epsilon),
            ("noise ignores the cut-off", n, shifted_loss(n, cutoff, fixed), (1 + 6 * cutoff) * epsilon / 4),
            ("no cut-off", n, shifted_loss(n, n, single), inf),
            ("reused noise", n, _reused_loss(n, epsilon), inf),
            ("no query noise", n, inf, inf),  # the second answer is impossible on the neighbour
        ]
    return pd.DataFrame(rows, columns=["mechanism", "n_quiet", "loss", "limit"])
