"""What the printed form of LZCW21's Algorithm 6 promises and what it keeps, in exact numbers."""

from collections.abc import Sequence
from itertools import product
from math import exp, inf, log, sqrt

import numpy as np
import pandas as pd

from privml.divergences import hockey_stick
from privml.mechanisms.sparse_vector.base import Noise, transcript_probabilities


def _law(values: np.ndarray, scale: float) -> np.ndarray:
    """Log-law of the transcripts of one run with the algorithm's two scales."""
    with np.errstate(divide="ignore"):
        return np.log(transcript_probabilities(values, Noise(scale, 2 * scale), 1, redraw=True))


def worst_delta(n_queries: int, scale: float, epsilon: float) -> float:
    """Largest delta(epsilon) of one run over equal query values and all moves of the queries by 1.

    Parameters
    ----------
    n_queries : int
        Length of the stream.
    scale : float
        Scale of the threshold's noise; the queries' is twice that.
    epsilon : float
        In nats.

    Returns
    -------
    float
        The values are taken from a grid, so this is a lower bound of the worst case.

    Examples
    --------
    >>> worst_delta(1, 1.0, 2.0), round(worst_delta(1, 1.0, 0.0), 4)
    (0.0, 0.1638)
    """
    worst = 0.0
    for start in np.linspace(-4, 4, 17) * scale:
        here = _law(np.full(n_queries, start), scale)
        moved = [_law(start + np.array(moves), scale) for moves in product((-1.0, 1.0), repeat=n_queries)]
        there = np.array(moved)
        both = (
            hockey_stick(np.broadcast_to(here, there.shape), there, epsilon),
            hockey_stick(there, np.broadcast_to(here, there.shape), epsilon),
        )
        worst = max(worst, float(both[0].max()), float(both[1].max()))
    return worst


def printed_scale(epsilons: Sequence[float], delta: float, n_queries: int) -> pd.DataFrame:
    """Exact delta of one run (T = 1) with epsilon inside the root of lambda, as printed, and outside it.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters in nats.
    delta : float
        The claimed delta.
    n_queries : int
        Length of the stream, at most 6.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``printed_scale``, ``printed_delta``, ``corrected_scale``, ``corrected_delta``.

    Examples
    --------
    >>> table = printed_scale([1e-4], 1e-6, 1)
    >>> round(float(table["printed_delta"].iloc[0]) * 1e5, 2), float(table["corrected_delta"].iloc[0])
    (3.36, 0.0)
    """
    rows = []
    for epsilon in epsilons:
        scales = sqrt(32 * log(1 / delta) / epsilon), sqrt(32 * log(1 / delta)) / epsilon
        deltas = [worst_delta(n_queries, scale, epsilon) for scale in scales]
        rows.append((float(epsilon), scales[0], deltas[0], scales[1], deltas[1]))
    names = ["epsilon", "printed_scale", "printed_delta", "corrected_scale", "corrected_delta"]
    return pd.DataFrame(rows, columns=names)


def refresh_bound(epsilon: float, scale: float, cutoff: int) -> float:
    """Log10 of the delta that the proposition on the printed refresh gives at epsilon, 0 if it gives none.

    Parameters
    ----------
    epsilon : float
        In nats.
    scale : float
        Scale lambda of the threshold's noise.
    cutoff : int
        The printed T.

    Returns
    -------
    float

    Examples
    --------
    >>> round(refresh_bound(1.0, 21.0271, 1), 1)
    -9.1
    """
    step = 1 / (2 * scale)
    total = (epsilon - 2 / scale - cutoff * step) / (exp(step / log(2)) - 1)
    return 0.0 if total <= cutoff else (cutoff - total + cutoff * log(total / cutoff)) / log(10)


def refresh_event(epsilon: float, scale: float) -> tuple[int, float]:
    """The run of quiet answers at the threshold that shows most against the printed refresh.

    Parameters
    ----------
    epsilon : float
        In nats.
    scale : float
        Scale lambda of the threshold's noise.

    Returns
    -------
    tuple
        Number of quiet answers, and log10 of the delta(epsilon) that they show.

    Examples
    --------
    >>> n_quiet, log_delta = refresh_event(1.0, 21.0271)
    >>> n_quiet, round(log_delta, 1)
    (44, -14.6)
    """
    step, best = 1 / (2 * scale), (0, -inf)
    first = int(epsilon / step) + 1
    for n_quiet in range(first, first + int(4 / step) + 4):
        gain = -np.expm1(epsilon - n_quiet * step)
        if gain > 0:
            best = max(best, (n_quiet, (np.log(gain) - n_quiet * log(2)) / log(10)), key=lambda pair: pair[1])
    return best[0], float(best[1])


def printed_refresh(epsilon: float, deltas: Sequence[float], cutoffs: Sequence[int]) -> pd.DataFrame:
    """The printed loop (threshold w + 1 without noise, T + 1 crossings) between an event and a proof.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    deltas : sequence of float
        Claimed deltas.
    cutoffs : sequence of int
        Values of T.

    Returns
    -------
    DataFrame
        Columns ``delta``, ``cutoff``, ``scale``, ``n_quiet`` (length of the worst run of quiet answers),
        ``event`` and ``bound``, log10 of the delta(epsilon) that the event shows and that the proof allows.

    Examples
    --------
    >>> printed_refresh(1.0, [1e-6], [1]).round(1)[["n_quiet", "event", "bound"]]
       n_quiet  event  bound
    0       44  -14.6   -9.1
    """
    rows = []
    for delta in deltas:
        for cutoff in cutoffs:
            scale = sqrt(32 * cutoff * log(1 / delta)) / epsilon
            event = refresh_event(epsilon, scale)
            rows.append((delta, cutoff, scale, *event, refresh_bound(epsilon, scale, cutoff)))
    return pd.DataFrame(rows, columns=["delta", "cutoff", "scale", "n_quiet", "event", "bound"])
