"""Privacy profiles of the restarting sparse vector: exact, by composition, and as claimed."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.composition.optimal import optimal_delta
from privml.divergences import hockey_stick
from privml.guarantee.approximate import concentrated_delta
from privml.mechanisms import RestartingSparseVector

STARTS = np.linspace(-4, 4, 9)


def _laws(mechanism: RestartingSparseVector, n_queries: int, start: float) -> tuple[NDArray, NDArray]:
    """Log-laws of a stream of equal values, and of all its neighbours at distance 1 in every query."""
    moves = product((-1.0, 1.0), repeat=n_queries)
    moved = [mechanism.output_distribution(start + np.array(move)).logpmf() for move in moves]
    here = mechanism.output_distribution(np.full(n_queries, start)).logpmf()
    return np.broadcast_to(here, (len(moved), here.size)), np.array(moved)


def restarting_profile(
    epsilon: float, delta: float, cutoffs: Sequence[int], n_queries: int, grid: Sequence[float]
) -> pd.DataFrame:
    """Profiles of the restarting sparse vector: exact on short streams, by composition, concentrated.

    Parameters
    ----------
    epsilon, delta : float
        The claimed privacy parameters.
    cutoffs : sequence of int
        Numbers of crossings T.
    n_queries : int
        Length of the streams, at most 6.
    grid : sequence of float
        Values of the privacy parameter at which delta is computed.

    Returns
    -------
    DataFrame
        Columns ``cutoff``, ``epsilon`` (the grid), ``exact`` (largest over equal values on a grid and all
        moves by 1), ``composition`` (the most that T runs can have, each
        2 / lambda-DP) and ``concentrated`` (what T times 2 / lambda^2 gives as rho).

    Examples
    --------
    >>> table = restarting_profile(1.0, 1e-6, [1], 2, [0.0, 0.05])
    >>> table.round(4)[["exact", "composition", "concentrated"]].to_numpy().tolist()
    [[0.0083, 0.0475, 0.0576], [0.0, 0.0231, 0.0324]]
    """
    tables = []
    for cutoff in cutoffs:
        mechanism = RestartingSparseVector(epsilon=epsilon, delta=delta, cutoff=cutoff)
        per_run = 2 / mechanism.noise.threshold_scale
        exact = np.zeros(len(grid))
        for start in STARTS * mechanism.noise.threshold_scale:
            here, there = _laws(mechanism, n_queries, start)
            for index, x in enumerate(grid):
                both = hockey_stick(here, there, x).max(), hockey_stick(there, here, x).max()
                exact[index] = max(exact[index], *both)
        columns = {
            "cutoff": cutoff,
            "epsilon": np.asarray(grid, dtype=float),
            "exact": exact,
            "composition": [optimal_delta(per_run, cutoff, float(x)) for x in grid],
            "concentrated": [concentrated_delta(cutoff * per_run**2 / 2, float(x)) for x in grid],
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)
