"""Claimed against exact epsilon of a sparse vector of votes, over the distances of two kinds of points.

The labels depend on the votes through the winners and the distances.  A neighbour moves each distance by at
most 1, and a winner may change only where both distances are 0.  So the audit needs no votes: it compares all
pairs of distances that are 0, 1 or near the threshold.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml._search import crossing
from privml.experiments.unstable_queries.base import aggregator
from privml.mechanisms.sparse_vector.base import transcript_probabilities, transcripts
from privml.pate import SparseVectorAggregator


def _pairs(values: list[int]) -> tuple[NDArray, NDArray]:
    """Distances of the two kinds of points, and all ordered pairs of neighbours among them."""
    states = np.array(list(product(values, repeat=2)))
    apart = np.abs(states[:, None] - states).max(axis=2)
    return states, np.argwhere(apart <= 1)


class DistanceAudit:
    """Exact delta of a run over some points of one distance, and one more of another.

    Parameters
    ----------
    run : SparseVectorAggregator
        What is audited.
    n_first : int
        Points of the first kind, asked first.
    width : int, default 8
        How far from the threshold the distances go; 0 and 1 are always among them.
    """

    def __init__(self, run: SparseVectorAggregator, n_first: int, width: int = 8) -> None:
        middle = round(run.threshold)
        values = sorted({0, 1, *range(max(0, middle - width), middle + width + 1)})
        states, self._rows = _pairs(values)
        distances = np.repeat(states, [n_first, 1], axis=1)
        self._laws = np.array(
            [
                transcript_probabilities(run.threshold - row, run.noise, run.cutoff, redraw=True)
                for row in distances.astype(float)
            ]
        )
        answers = [
            np.pad(~np.array(p), (0, n_first + 1 - len(p))) for p in transcripts(n_first + 1, run.cutoff)
        ]
        turned = (distances[self._rows] == 0).all(axis=1)
        self._betrays = (turned[:, None] & np.array(answers)).any(axis=2)

    def delta(self, epsilon: float) -> float:
        """Largest delta over all pairs: answers with a winner that changed betray it outright."""
        p, q = (self._laws[self._rows[:, side]] for side in (0, 1))
        excess = np.maximum(0.0, p - np.exp(epsilon) * np.where(self._betrays, 0.0, q))
        return float(excess.sum(axis=1).max())


def audit_of_stable_labels(
    n_first: int, cutoffs: Sequence[int], epsilons: Sequence[float], delta: float
) -> pd.DataFrame:
    """Exact epsilon of the labels at the claimed delta, by calibration, cut-off and claim.

    Parameters
    ----------
    n_first : int
        Points of the first kind; one of another follows.
    cutoffs : sequence of int
        Unstable queries at which the run halts.
    epsilons : sequence of float
        Claims.
    delta : float
        The same for all.

    Returns
    -------
    DataFrame
        Columns ``aggregator``, ``claimed``, ``exact``, ``ratio``.

    Examples
    --------
    >>> table = audit_of_stable_labels(2, [1], [2.0], 0.01)
    >>> bool((table["exact"] <= table["claimed"]).all())
    True
    """
    rows = []
    for claim, cutoff, name in product(epsilons, cutoffs, ("source", "exact")):
        audit = DistanceAudit(aggregator(name, cutoff, n_first + 1, claim, delta), n_first)
        exact = crossing(lambda level, audit=audit: audit.delta(level) - delta, lower=0.0, upper=claim)
        rows.append((f"{name}, T = {cutoff}", claim, exact, exact / claim))
    return pd.DataFrame(rows, columns=["aggregator", "claimed", "exact", "ratio"])
