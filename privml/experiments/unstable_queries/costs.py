"""What stable labels cost: constants, the margin that is needed, and the student's error."""

from collections.abc import Sequence
from math import log, sqrt

import pandas as pd

from privml.bounds.pate_labels import passive_bound, sparse_vector_teachers
from privml.experiments.unstable_queries.base import aggregator, reach
from privml.pate import vote_sigma


def constants(
    cutoffs: Sequence[int], n_queries: int, epsilon: float, delta: float, beta: float
) -> pd.DataFrame:
    """Threshold and reach of the source's constants and of the exact ones, in votes.

    Parameters
    ----------
    cutoffs : sequence of int
        Unstable queries at which the run halts.
    n_queries : int
        Length of the stream.
    epsilon, delta : float
        Privacy of the run.
    beta : float
        Failure probability of the reach.

    Returns
    -------
    DataFrame
        Columns ``cutoff``, ``source_threshold``, ``exact_threshold``, ``source_reach``, ``exact_reach``,
        ``ratio`` of the reaches, and ``lemma``: a sixth of the teachers of the printed lemma.

    Examples
    --------
    >>> constants([20], 1000, 1.0, 1e-6, 0.05).round(0).values.tolist()
    [[20.0, 3151.0, 1034.0, 4415.0, 1886.0, 0.0, 9694.0]]
    """
    rows = []
    for cutoff in cutoffs:
        runs = [aggregator(name, cutoff, n_queries, epsilon, delta) for name in ("source", "exact")]
        reaches = [reach(run, n_queries, beta) for run in runs]
        lemma = sparse_vector_teachers(n_queries, cutoff, epsilon, delta, beta) / 6
        thresholds = [run.threshold for run in runs]
        rows.append((cutoff, *thresholds, *reaches, reaches[1] / reaches[0], lemma))
    names = ["source_threshold", "exact_threshold", "source_reach", "exact_reach", "ratio", "lemma"]
    return pd.DataFrame(rows, columns=["cutoff", *names])


def margins_needed(
    n_queries: Sequence[int], cutoffs: Sequence[int], epsilon: float, delta: float, beta: float
) -> pd.DataFrame:
    """Margin with which all labels of a block are right, for Gaussian noise and for sparse vectors.

    Parameters
    ----------
    n_queries : sequence of int
        Numbers of labels.
    cutoffs : sequence of int
        Cut-offs of the sparse vectors.
    epsilon, delta : float
        Privacy of the run.
    beta : float
        Failure probability.

    Returns
    -------
    DataFrame
        Columns ``n_queries``, ``margin`` in votes, ``aggregator``.

    Examples
    --------
    >>> margins_needed([100], [5], 1.0, 1e-6, 0.05).round(0).values.tolist()
    [[100, 314.0, 'Gaussian'], [100, 904.0, 'sparse vector, T = 5']]
    """
    runs = {cutoff: aggregator("exact", cutoff, 1, epsilon, delta) for cutoff in cutoffs}
    single = vote_sigma(1, epsilon, delta)
    rows = []
    for number in n_queries:
        sigma = single * sqrt(number)
        rows.append((number, 2 * sigma * sqrt(2 * log(number / (2 * beta))), "Gaussian"))
        for cutoff, run in runs.items():  # their constants do not depend on the number of queries
            rows.append((number, 2 * (reach(run, number, beta) + 1), f"sparse vector, T = {cutoff}"))
    return pd.DataFrame(rows, columns=["n_queries", "margin", "aggregator"])


def bound_by_public(
    n_samples: Sequence[int], n_public: Sequence[int], best_error: float, delta: float
) -> pd.DataFrame:
    """Bound on the error of a passive student against the number of public points.

    Parameters
    ----------
    n_samples : sequence of int
        Numbers of private records.
    n_public : sequence of int
        Numbers of public points.
    best_error : float
        Least error in a class of 1000 hypotheses.
    delta : float
        Privacy parameter; epsilon is 1 and the failure probability 1/20.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``n_public``, ``bound``, ``n_teachers``, ``cutoff``.

    Examples
    --------
    >>> bound_by_public([10**9], [20_000], 0.0, 1e-6)["bound"].round(3).tolist()
    [0.292]
    """
    rows = []
    for records in n_samples:
        for points in n_public:
            found = passive_bound(records, points, 1000, 1.0, delta, 0.05, best_error=best_error)
            rows.append((records, points, found.error, found.n_teachers, found.cutoff))
    return pd.DataFrame(rows, columns=["n_samples", "n_public", "bound", "n_teachers", "cutoff"])
