"""Whether a sparse vector of votes gets through its queries: exactly, if all points have one vote law."""

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.mechanisms.sparse_vector.base import Noise

_PANELS = (0.0, 1.0, 2.0, 4.0, 7.0, 11.0, 16.0, 24.0, 40.0)  # of the threshold's noise, in its scale
_NODES = 16
_BINOMIAL_DEVIATIONS = 12
LARGEST_ENSEMBLE = 10**8
LARGEST_RUN = 2 * 10**9  # products in the convolutions


def _threshold_nodes(scale: float) -> tuple[NDArray, NDArray]:
    """Nodes and weights for the law Lap(scale), whose density has a kink at 0."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    ends = np.array(_PANELS)
    half, middle = np.diff(ends) / 2, (ends[1:] + ends[:-1]) / 2
    places = (middle[:, None] + half[:, None] * nodes).ravel()
    masses = (half[:, None] * weights).ravel() * np.exp(-places) / 2
    return scale * np.concatenate([-places[::-1], places]), np.concatenate([masses[::-1], masses])


def _distance_law(vote_probability: float, n_teachers: int) -> tuple[NDArray, NDArray]:
    """Values of the distance to instability and their probabilities."""
    from scipy.special import gammaln, xlog1py, xlogy

    mean = n_teachers * vote_probability
    width = _BINOMIAL_DEVIATIONS * np.sqrt(n_teachers * vote_probability * (1 - vote_probability)) + 1
    votes = np.arange(max(0, int(mean - width)), min(n_teachers, int(mean + width) + 1) + 1)
    rest = n_teachers - votes
    log_law = gammaln(n_teachers + 1) - gammaln(votes + 1) - gammaln(rest + 1)
    log_law += xlogy(votes, vote_probability) + xlog1py(rest, -vote_probability)
    margin = np.abs(votes - rest)
    return np.maximum((margin + 1) // 2 - 1, 0), np.exp(log_law)


def unstable_probability(
    vote_probability: float, n_teachers: int, noise: Noise, threshold: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Probability that a point comes out unstable, for each value of the threshold's noise.

    At the nodes of a quadrature over the threshold's noise; ``probabilities @ weights`` is the
    probability for a point that is asked first or just after a refusal.

    **Source.** LZCW21-prop-18 and LZCW21-prop-30: their events, exactly.

    >>> chances, weights = unstable_probability(1.0, 101, Noise(1.0, 2.0), 50.0)
    >>> round(float(chances @ weights), 6)
    0.5
    """
    check.unit_interval(vote_probability=vote_probability)
    check.positive_integer(n_teachers=n_teachers)
    check.non_negative(threshold=threshold)
    check.instance(Noise, noise=noise)
    check.positive(threshold_scale=noise.threshold_scale, query_scale=noise.query_scale)
    if n_teachers > LARGEST_ENSEMBLE:
        raise ValueError(
            f"n_teachers must be at most {LARGEST_ENSEMBLE} for the exact law, got {n_teachers!r}"
        )
    nodes, weights = _threshold_nodes(noise.threshold_scale)
    distances, law = _distance_law(vote_probability, n_teachers)
    excess = (threshold + nodes[:, None] - distances) / noise.query_scale
    tail = np.exp(-np.abs(excess)) / 2
    return np.clip(np.where(excess < 0, tail, 1 - tail) @ law, 0.0, 1.0), weights


def finishing_probability(
    vote_probability: float, n_teachers: int, n_queries: int, cutoff: int, noise: Noise, threshold: float
) -> float:
    """Probability that a sparse vector of votes labels, or refuses, all its points before it halts.

    Between two unstable answers the points share the threshold's noise; the lengths of these stretches are
    independent, so the law of the time of the T-th is a T-fold convolution.
    **Source.** LZCW21-prop-18, checked exactly.

    >>> round(finishing_probability(0.9, 400, 20, 2, Noise(2.0, 4.0), 140.0), 4)
    0.9616
    """
    check.positive_integer(n_queries=n_queries, cutoff=cutoff)
    if cutoff * n_queries**2 + 256 * n_queries > LARGEST_RUN:
        raise ValueError(f"n_queries must be small enough for the exact law, got {n_queries!r}")
    chances, weights = unstable_probability(vote_probability, n_teachers, noise, threshold)
    steps = np.arange(n_queries - 1)
    stretch = (weights * chances) @ (1 - chances)[:, None] ** steps  # the end of a stretch, point by point
    arrival = np.zeros(n_queries)
    arrival[0] = 1.0
    for _ in range(cutoff):
        arrival = np.concatenate([[0.0], np.convolve(arrival, stretch)])[:n_queries]
    return float(min(1.0, max(0.0, 1 - arrival.sum())))
