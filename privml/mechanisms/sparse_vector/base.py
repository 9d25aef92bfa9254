"""The exact law of a sparse-vector transcript, by quadrature over the noise of the threshold.

Given the noisy threshold, the queries of a run cross it independently; so the probability of any pattern
of crossings is one integral over the threshold's noise.  The integrand is smooth between the places where
the threshold passes a query value, and Gauss-Legendre panels between those places give it to rounding.

A transcript is a tuple of booleans, one per answered query, True for a crossing; it ends with the crossing
that exhausts the cut-off, or with the stream.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from privml.distributions import Laplace

PANEL_NODES = 24
TAIL = 45.0  # scales beyond the outermost kink; what is cut off is below e**-45 of the integral
LARGEST_STREAM = 12
LARGEST_QUADRATURE = 200_000


@dataclass(frozen=True)
class Noise:
    """Scales of the Laplace noise on the threshold and on the queries (0 for none), in query units."""

    threshold_scale: float
    query_scale: float


def transcripts(n_queries: int, cutoff: int | None) -> list[tuple[bool, ...]]:
    """All transcripts of a stream, in a fixed order.

    **Source.** LZCW21-alg-6: the outputs of its loop.

    Parameters
    ----------
    cutoff : int or None
        Number of crossings after which the run halts; None never halts.

    Returns
    -------
    list of tuple of bool

    Examples
    --------
    >>> transcripts(2, 1)
    [(True,), (False, True), (False, False)]
    """
    found: dict[tuple[bool, ...], None] = {}
    for pattern in product((True, False), repeat=n_queries):
        ends = [i for i, crossed in enumerate(pattern) if crossed]
        stop = n_queries if cutoff is None or len(ends) < cutoff else ends[cutoff - 1] + 1
        found[pattern[:stop]] = None
    return list(found)


def _log_tails(x: NDArray, scale: float) -> tuple[NDArray, NDArray]:
    """Log of P(noise < x) and of P(noise >= x) for Laplace noise of the given scale; steps for scale 0."""
    if scale == 0:
        return np.where(x > 0, 0.0, -np.inf), np.where(x <= 0, 0.0, -np.inf)
    law = Laplace(scale=scale)
    return law.logcdf(x), law.logsf(x)


def _log_quadrature(values: NDArray, noise: Noise) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes for the threshold's noise, and the logs of weights that include its density."""
    kinks = np.unique(np.concatenate([values, [0.0]]))
    ends = np.concatenate(
        [[kinks[0] - TAIL * noise.threshold_scale], kinks, [kinks[-1] + TAIL * noise.threshold_scale]]
    )
    longest = 2 * min(scale for scale in (noise.threshold_scale, noise.query_scale) if scale > 0)
    counts = np.ceil(np.diff(ends) / longest)
    if counts.sum() * PANEL_NODES > LARGEST_QUADRATURE:
        raise ValueError(
            f"values must be within {LARGEST_QUADRATURE * longest / PANEL_NODES:g} of the threshold for the "
            f"exact law, got a spread of {float(np.ptp(kinks)):g}"
        )
    panels = zip(ends[:-1], ends[1:], counts.astype(int), strict=True)
    edges = np.append(np.concatenate([np.linspace(a, b, n + 1)[:-1] for a, b, n in panels]), ends[-1])
    nodes, weights = np.polynomial.legendre.leggauss(PANEL_NODES)
    half = np.diff(edges)[:, None] / 2
    points = (edges[:-1, None] + half * (1 + nodes)).ravel()
    log_density = -np.abs(points) / noise.threshold_scale - np.log(2 * noise.threshold_scale)
    return points, np.log(half * weights).ravel() + log_density


def threshold_quadrature(values: NDArray, noise: Noise) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes for the threshold's noise, and weights that include its density.

    Parameters
    ----------
    values : ndarray of shape (n_queries,)
        Query values minus the threshold: the integrand may have kinks there and at 0.
    noise : Noise
        Scales of the Laplace noise; the threshold's must be positive.

    Returns
    -------
    points, weights : ndarray of shape (n_nodes,)

    Raises
    ------
    ValueError
        If the values are too far apart.
    """
    points, log_weights = _log_quadrature(values, noise)
    return points, np.exp(log_weights)


def _log_table(values: NDArray, noise: Noise) -> tuple[NDArray, NDArray]:
    """Log-weights of the threshold nodes; log P(query i is quiet) and P(it crosses), given each node."""
    if noise.threshold_scale == 0:
        points, log_weights = np.zeros(1), np.zeros(1)
    else:
        points, log_weights = _log_quadrature(values, noise)
    return log_weights, np.stack(_log_tails(points - values[:, None], noise.query_scale))


def _log_sum(log_terms: NDArray) -> NDArray[np.float64]:
    """Log of the sum of exp(terms) along the last axis."""
    largest = np.maximum(log_terms.max(axis=-1), -1e300)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(log_terms - largest[..., None]).sum(axis=-1)) + largest


def _log_runs(values: NDArray, noise: Noise) -> tuple[NDArray, NDArray]:
    """For a run from query i on: ``first[i, j]``, it first crosses at j, and ``none[i]``, it never does."""
    log_weights, (quiet, crossing) = _log_table(values, noise)
    size = len(values)
    first, none = np.full((size, size), -np.inf), np.zeros(size + 1)
    for start in range(size):
        before = np.cumsum(np.vstack([log_weights, quiet[start:]]), axis=0)
        first[start, start:] = _log_sum(before[:-1] + crossing[start:])
        none[start] = _log_sum(before[-1])
    return first, none


def transcript_log_probabilities(
    values: NDArray, noise: Noise, cutoff: int | None, *, redraw: bool
) -> NDArray[np.float64]:
    """Log-probability of each transcript of :func:`transcripts`, far below the smallest float too.

    **Source.** LZCW21-alg-6, for any scales of the noise, right or wrong.

    Parameters
    ----------
    values : ndarray of shape (n_queries,)
        Query values minus the threshold, with the sign that makes large values cross.
    noise : Noise
        Scales of the Laplace noise.
    cutoff : int or None
        Number of crossings after which the run halts.
    redraw : bool
        Whether the threshold gets fresh noise after each crossing.

    Returns
    -------
    ndarray of shape (n_transcripts,)

    Raises
    ------
    ValueError
        If the stream is longer than `LARGEST_STREAM` or its values are too far apart for the quadrature.

    Examples
    --------
    >>> law = transcript_log_probabilities(np.array([0.0, 0.0]), Noise(1.0, 2.0), 1, redraw=False)
    >>> np.exp(law).round(6).tolist()
    [0.5, 0.208333, 0.291667]
    """
    if len(values) > LARGEST_STREAM:
        raise ValueError(f"values must hold at most {LARGEST_STREAM} queries, got {len(values)}")
    patterns = transcripts(len(values), cutoff)
    if redraw:
        first, none = _log_runs(values, noise)
        return np.array([_sum_of_runs(pattern, first, none) for pattern in patterns])
    log_weights, factors = _log_table(values, noise)
    terms = (
        sum((factors[int(crossed), i] for i, crossed in enumerate(pattern)), start=log_weights)
        for pattern in patterns
    )
    return np.array([_log_sum(term) for term in terms])


def transcript_probabilities(
    values: NDArray, noise: Noise, cutoff: int | None, *, redraw: bool
) -> NDArray[np.float64]:
    """Probability of each transcript: the exponential of :func:`transcript_log_probabilities`."""
    return np.exp(transcript_log_probabilities(values, noise, cutoff, redraw=redraw))


def _sum_of_runs(pattern: tuple[bool, ...], first: NDArray, none: NDArray) -> float:
    """Runs between crossings have independent thresholds, so their log-probabilities add up."""
    total, start = 0.0, 0
    for position, crossed in enumerate(pattern):
        if crossed:
            total += first[start, position]
            start = position + 1
    return total if pattern and pattern[-1] else total + none[start]
