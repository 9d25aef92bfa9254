"""How noisy a comparison is, how to split epsilon, and how far from the threshold answers are right."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from privml.adjacency import Adjacency
from privml.bounds.sparse_vector import above_threshold_margin, sparse_vector_margin
from privml.composition.optimal import optimal_step_epsilon
from privml.distributions import Laplace
from privml.mechanisms import RestartingSparseVector, SparseVector
from privml.mechanisms.sparse_vector.base import Noise, threshold_quadrature


def comparison_deviation(noise: Noise) -> float:
    """Standard deviation of query noise minus threshold noise.

    Parameters
    ----------
    noise : Noise
        Scales of the Laplace noise.

    Returns
    -------
    float
        In query units.

    Examples
    --------
    >>> round(comparison_deviation(Noise(1.0, 2.0)), 4)
    3.1623
    """
    return sqrt(2 * noise.threshold_scale**2 + 2 * noise.query_scale**2)


def split_table(cutoffs: Sequence[int], epsilon: float, shares: Sequence[float]) -> pd.DataFrame:
    """Noise of a comparison against the threshold's share of epsilon.

    Parameters
    ----------
    cutoffs : sequence of int
        Numbers of crossings allowed.
    epsilon : float
        Privacy parameter in nats.
    shares : sequence of float
        Fractions of epsilon for the threshold, in (0, 1).

    Returns
    -------
    DataFrame
        Columns ``cutoff``, ``share``, ``deviation``, and ``best_share`` and ``best_deviation`` of the
        cut-off.

    Examples
    --------
    >>> split_table([1], 1.0, [0.5]).round(4)
       cutoff  share  deviation  best_share  best_deviation
    0       1    0.5     6.3246      0.3865          5.8859
    """
    rows = []
    for cutoff in cutoffs:
        best = SparseVector(epsilon=epsilon, cutoff=cutoff).noise
        for share in shares:
            noise = SparseVector(epsilon=epsilon, cutoff=cutoff, threshold_share=float(share)).noise
            chosen = 1 / (epsilon * best.threshold_scale), comparison_deviation(best)
            rows.append((cutoff, float(share), comparison_deviation(noise), *chosen))
    return pd.DataFrame(rows, columns=["cutoff", "share", "deviation", "best_share", "best_deviation"])


def comparison_noise(cutoffs: Sequence[int], epsilon: float, delta: float) -> pd.DataFrame:
    """Noise of a comparison in the forms of the sparse vector, against the cut-off.

    Parameters
    ----------
    cutoffs : sequence of int
        Numbers of crossings allowed.
    epsilon, delta : float
        Privacy parameters; delta is used by the restarting form only.

    Returns
    -------
    DataFrame
        Columns ``cutoff``, ``form`` and ``deviation`` in query units.

    Examples
    --------
    >>> comparison_noise([1], 1.0, 1e-6).round(2)["deviation"].tolist()
    [6.32, 5.89, 4.0, 66.49, 6.32]
    """
    rows = []
    for cutoff in cutoffs:
        add = Adjacency.ADD_OR_REMOVE_ONE
        shape = {"epsilon": epsilon, "cutoff": int(cutoff)}
        forms = {
            "once, half and half": SparseVector(threshold_share=0.5, **shape),
            "once, best split": SparseVector(**shape),
            "once, best split, monotone": SparseVector(monotone=True, adjacency=add, **shape),
            "restarting": RestartingSparseVector(delta=delta, **shape),
        }
        noises = {name: form.noise for name, form in forms.items()}
        scale = 2 / optimal_step_epsilon(epsilon, int(cutoff), delta)
        noises["restarting, composed optimally"] = Noise(scale, 2 * scale)
        rows += [(int(cutoff), name, comparison_deviation(noise)) for name, noise in noises.items()]
    return pd.DataFrame(rows, columns=["cutoff", "form", "deviation"])


def quiet_failure(margin: float, n_queries: int, noise: Noise) -> float:
    """Exact probability that some of `n_queries` queries, all `margin` below the threshold, crosses.

    Parameters
    ----------
    margin : float
        Distance from the threshold, non-negative.
    n_queries : int
        Length of the stream.
    noise : Noise
        Scales of the Laplace noise.

    Returns
    -------
    float

    Examples
    --------
    >>> round(quiet_failure(0.0, 1, Noise(1.0, 2.0)), 6)
    0.5
    """
    points, weights = threshold_quadrature(np.array([-margin]), noise)
    quiet = Laplace(scale=noise.query_scale).logcdf(points + margin)
    return float(-np.expm1(n_queries * quiet) @ weights)


def exact_margins(stream_lengths: Sequence[int], epsilon: float, beta: float) -> pd.DataFrame:
    """Margins at which AboveThreshold answers "no" to all quiet queries: two bounds and the exact value.

    Parameters
    ----------
    stream_lengths : sequence of int
        Numbers of queries.
    epsilon : float
        Privacy parameter in nats, split evenly.
    beta : float
        Failure probability.

    Returns
    -------
    DataFrame
        Columns ``n_queries``, ``dwork_roth``, ``by_scales``, ``exact`` (all in query units) and ``ratio`` of
        the first to the last.

    Examples
    --------
    >>> exact_margins([1, 100], 1.0, 0.05).round(2)
       n_queries  dwork_roth  by_scales  exact  ratio
    0          1       29.51      22.13  10.28   2.87
    1        100       66.35      40.55  28.51   2.33
    """
    noise = SparseVector(epsilon=epsilon, threshold_share=0.5).noise
    rows = []
    for n_queries in stream_lengths:
        published = above_threshold_margin(n_queries, epsilon, beta)
        ours = sparse_vector_margin(n_queries, noise.threshold_scale, noise.query_scale, beta)
        misses = lambda margin, n=n_queries: quiet_failure(margin, n, noise) - beta  # noqa: E731
        exact = float(brentq(misses, 0.0, published, xtol=1e-10 * published))
        rows.append((n_queries, published, ours, exact, published / exact))
    return pd.DataFrame(rows, columns=["n_queries", "dwork_roth", "by_scales", "exact", "ratio"])
