"""The exact law of a sparse-vector transcript, by quadrature over the noise of the threshold.

A *transcript* is a tuple of booleans, one per answered query, True for a crossing; it ends with the crossing
that exhausts the cut-off, or with the stream.  Its probability is one integral over the threshold's noise,
smooth between the places where the threshold passes a query value; Gauss-Legendre panels give it to rounding.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.distributions import Laplace

PANEL_NODES = (
    24  # of Gauss-Legendre quadrature between two kinks, at most two scales apart
)
TAIL = 45.0  # scales beyond the outermost kink; what is cut off is below e**-45 of the integral
LARGEST_STREAM = 12  # queries: 4,096 transcripts
LARGEST_QUADRATURE = 200_000  # nodes of the threshold, each with all queries


@dataclass(frozen=True)
class Noise:
    """Scales of the Laplace noise on the threshold and on the queries (0 for none), in query units.

    A sparse vector has them as its attribute ``noise``; exact laws of transcripts take them.

    Parameters
    ----------
    threshold_scale : float
        Scale of the noise on the threshold, non-negative.
    query_scale : float
        Scale of the noise on each query, non-negative.

    Examples
    --------
    >>> from privml.mechanisms import SparseVector
    >>> SparseVector(epsilon=1.0, sensitivity=1, threshold_share=0.5).noise
    Noise(threshold_scale=2.0, query_scale=4.0)
    """

    threshold_scale: float
    query_scale: float

    def __post_init__(self) -> None:
        check.non_negative(
            threshold_scale=self.threshold_scale, query_scale=self.query_scale
        )


def transcripts(n_queries: int, cutoff: int | None) -> list[tuple[bool, ...]]:
    """All transcripts of a stream, in a fixed order; without a cut-off a run never halts.

    Parameters
    ----------
    n_queries : int
        Number of queries, a non-negative integer up to 12.
    cutoff : int or None
        Here the number of crossings after which a run halts, a positive integer; None never halts.

    Returns
    -------
    list of tuple
        Tuples of bools, True for a crossing.

    References
    ----------
    LZCW21-alg-6: the outputs of its loop.

    Examples
    --------
    >>> transcripts(2, 1)
    [(True,), (False, True), (False, False)]
    """
    check.non_negative_integer(n_queries=n_queries)
    check.at_most(LARGEST_STREAM, n_queries=n_queries)
    check.positive_integer(cutoff=1 if cutoff is None else cutoff)
    distinct: dict[tuple[bool, ...], None] = {}
    for pattern in product((True, False), repeat=n_queries):
        ends = [i for i, crossed in enumerate(pattern) if crossed]
        stop = (
            n_queries if cutoff is None or len(ends) < cutoff else ends[cutoff - 1] + 1
        )
        distinct[pattern[:stop]] = None
    return list(distinct)


def _log_tails(x: NDArray, scale: float) -> tuple[NDArray, NDArray]:
    """Log of P(noise < x) and of P(noise >= x) for Laplace noise of the given scale; steps for scale 0."""
    if scale == 0:
        return np.where(x > 0, 0.0, -np.inf), np.where(x <= 0, 0.0, -np.inf)
    distribution = Laplace(scale=scale)
    return distribution.logcdf(x), distribution.logsf(x)


def threshold_quadrature(
    values: NDArray, noise: Noise
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes for the threshold's noise, and the logs of weights that include its density.

    Parameters
    ----------
    values : ndarray of shape (n_queries,)
        Query values minus the threshold: the integrand may have kinks there and at 0.
    noise : Noise
        Scales of the Laplace noise.

    Returns
    -------
    tuple
        The nodes and the logarithms of their weights, two vectors of one length.

    Raises
    ------
    ValueError
        If the values are spread too far for the scales.

    References
    ----------
    The proof of LZCW21-lem-45, in which the threshold is integrated out.

    Examples
    --------
    >>> points, log_weights = threshold_quadrature(np.array([1.0]), Noise(1.0, 2.0))
    >>> round(float(np.exp(log_weights) @ points**2), 6)  # the variance of the noise
    2.0
    """
    values = check.finite_vector(values=values)
    check.instance(Noise, noise=noise)
    if noise.threshold_scale == 0:
        return np.zeros(1), np.zeros(1)
    kinks, reach = np.unique(np.append(values, 0.0)), TAIL * noise.threshold_scale
    ends = np.concatenate([[kinks[0] - reach], kinks, [kinks[-1] + reach]])
    longest = 2 * min(
        scale for scale in (noise.threshold_scale, noise.query_scale) if scale > 0
    )
    counts = np.ceil(np.diff(ends) / longest)
    if counts.sum() * PANEL_NODES > LARGEST_QUADRATURE:
        most = LARGEST_QUADRATURE * longest / PANEL_NODES
        raise ValueError(
            f"values must be within {most!r} of each other and of the threshold, but their spread is larger. Use "
            "more noise, or queries that are closer to the threshold."
        )
    panels = zip(ends[:-1], ends[1:], counts.astype(int), strict=True)
    edges = np.append(
        np.concatenate([np.linspace(a, b, n + 1)[:-1] for a, b, n in panels]), ends[-1]
    )
    nodes, weights = np.polynomial.legendre.leggauss(PANEL_NODES)
    half = np.diff(edges)[:, None] / 2
    points = (edges[:-1, None] + half * (1 + nodes)).ravel()
    log_density = -np.abs(points) / noise.threshold_scale - np.log(
        2 * noise.threshold_scale
    )
    return points, np.log(half * weights).ravel() + log_density


def _log_sum(log_terms: NDArray) -> NDArray[np.float64]:
    """Log of the sum of exp(terms) along the last axis."""
    largest = np.maximum(log_terms.max(axis=-1, keepdims=True), -1e300)
    return np.log(np.exp(log_terms - largest).sum(axis=-1)) + largest[..., 0]


def _log_leaves(log_terms: NDArray, factors: NDArray, left: float) -> list[NDArray]:
    """Of all transcripts with this beginning, which is added up once for all of them."""
    if left == 0 or not factors.shape[1]:
        return [_log_sum(log_terms)]
    quiet, crossing = log_terms + factors[:, 0]
    return _log_leaves(crossing, factors[:, 1:], left - 1) + _log_leaves(
        quiet, factors[:, 1:], left
    )


def _log_runs(
    log_weights: NDArray, quiet: NDArray, crossing: NDArray
) -> tuple[NDArray, NDArray]:
    """For a run from query i on: ``first[i, j]``, it first crosses at j, and ``none[i]``, it never does."""
    size = len(quiet)
    first, none = np.full((size, size), -np.inf), np.zeros(size + 1)
    for start in range(size):
        before = np.cumsum(np.vstack([log_weights, quiet[start:]]), axis=0)
        first[start, start:] = _log_sum(before[:-1] + crossing[start:])
        none[start] = _log_sum(before[-1])
    return first, none


def _sum_of_runs(pattern: tuple[bool, ...], first: NDArray, none: NDArray) -> float:
    """Runs between crossings have independent thresholds, so their log-probabilities add up."""
    ends = np.flatnonzero(pattern).tolist()
    starts = [0, *(end + 1 for end in ends)]
    total = sum(first[start, end] for start, end in zip(starts, ends, strict=False))
    return total if pattern and pattern[-1] else total + none[starts[-1]]


def transcript_log_probabilities(
    values: NDArray, noise: Noise, cutoff: int | None, *, redraw: bool
) -> NDArray[np.float64]:
    """Log-probability of each transcript of :func:`transcripts`, far below the smallest float too.

    Parameters
    ----------
    values : ndarray of shape (n_queries,)
        Query values minus the threshold, with the sign that makes large values cross; at most 12.
    noise : Noise
        Scales of the Laplace noise.
    cutoff : int or None
        Here the number of crossings after which a run halts, a positive integer; None never halts.
    redraw : bool
        Whether the threshold gets fresh noise after each crossing.

    Returns
    -------
    ndarray
        One entry for each of the :func:`transcripts`.

    References
    ----------
    LZCW21-alg-6, for any scales of the noise, right or wrong.

    Examples
    --------
    >>> law = transcript_log_probabilities(np.array([0.0, 0.0]), Noise(1.0, 2.0), 1, redraw=False)
    >>> np.exp(law).round(6).tolist()
    [0.5, 0.208333, 0.291667]
    """
    values = check.finite_vector(values=values)
    check.flag(redraw=redraw)
    if len(values) > LARGEST_STREAM:
        raise ValueError(
            f"values must hold at most {LARGEST_STREAM} queries, but got {len(values)}."
        )
    points, log_weights = threshold_quadrature(values, noise)
    factors = np.stack(_log_tails(points - values[:, None], noise.query_scale))
    patterns = transcripts(len(values), cutoff)
    with np.errstate(divide="ignore"):
        if not redraw:
            return np.array(_log_leaves(log_weights, factors, cutoff or np.inf))
        runs = _log_runs(log_weights, *factors)
    return np.array([_sum_of_runs(pattern, *runs) for pattern in patterns])


check.wrap_module(__name__)
