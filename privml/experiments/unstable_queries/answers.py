"""How likely a point is to be answered: by its margin, at distance 0, and all points of a block at once."""

from collections.abc import Sequence
from math import ceil, log, sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.distributions import Laplace
from privml.experiments.unstable_queries.base import VARIANTS, aggregator
from privml.mechanisms.sparse_vector.base import Noise, threshold_quadrature
from privml.pate import NO_ANSWER, SparseVectorAggregator


def answer_by_margin(
    margins: Sequence[int], cutoff: int, n_queries: int, epsilon: float, delta: float
) -> pd.DataFrame:
    """Probability that a point is answered, asked first in a run, against its margin.

    Parameters
    ----------
    margins : sequence of int
        Even margins.
    cutoff, n_queries : int
        Cut-off and length of the stream.
    epsilon, delta : float
        Privacy of the run.

    Returns
    -------
    DataFrame
        Columns ``margin``, ``answered``, ``variant``.

    Examples
    --------
    >>> table = answer_by_margin([0, 4000], 5, 1000, 1.0, 1e-6)
    >>> table.groupby("variant")["answered"].max().round(3).to_dict()["exact"]
    1.0
    """
    margins = np.asarray(margins)
    counts = np.stack([np.zeros_like(margins), margins], axis=1) + (margins.max() - margins[:, None]) // 2
    tables = []
    for name in VARIANTS:
        law = aggregator(name, cutoff, n_queries, epsilon, delta).label_law(counts)
        tables.append(pd.DataFrame({"margin": margins, "answered": 1 - law[:, NO_ANSWER], "variant": name}))
    return pd.concat(tables, ignore_index=True)


def chance_of_a_slip(n_points: Sequence[int], epsilon: float, delta: float) -> pd.DataFrame:
    """Probability that a run of cut-off 1 answers some point of distance 0, exactly and by a union bound.

    Parameters
    ----------
    n_points : sequence of int
        Numbers of such points, at most 8.
    epsilon, delta : float
        Privacy of the run, with the exact calibration.

    Returns
    -------
    DataFrame
        Columns ``n_points``, ``exact`` and ``union``, both over delta / 2.

    Examples
    --------
    >>> chance_of_a_slip([1, 2], 1.0, 0.01).round(6).values.tolist()
    [[1.0, 1.0, 1.0], [2.0, 1.0, 2.0]]
    """
    one = SparseVectorAggregator(cutoff=1, epsilon=epsilon, delta=delta)
    rows = []
    for number in n_points:
        law = one.output_distribution(np.repeat([[0], [1]], number, axis=1)).pmf()
        answered = (one.label_sequences(number) != NO_ANSWER).any(axis=1)
        rows.append((number, law[answered].sum() / (delta / 2), float(number)))
    return pd.DataFrame(rows, columns=["n_points", "exact", "union"])


def _all_pass(ahead: float, n_points: int, noise: Noise) -> float:
    """Probability that all points this far above the threshold pass it, with one draw of its noise."""
    points, weights = threshold_quadrature(np.array([-ahead]), noise)
    passes: NDArray = Laplace(scale=noise.query_scale).cdf(ahead - points)
    return float(weights @ np.exp(n_points * np.log(np.maximum(passes, 1e-300))))


def all_answered(
    n_teachers: Sequence[int], n_queries: int, cutoff: int, epsilon: float, delta: float
) -> pd.DataFrame:
    """Probability that all points are answered when every margin is a third of the teachers.

    Parameters
    ----------
    n_teachers : sequence of int
        Numbers of teachers.
    n_queries, cutoff : int
        Points asked, and the cut-off.
    epsilon, delta : float
        Privacy of the run.

    Returns
    -------
    DataFrame
        Columns ``n_teachers``, ``probability``, ``variant``.

    Examples
    --------
    >>> all_answered([60_000], 1000, 20, 1.0, 1e-6)["probability"].round(6).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    rows = []
    for name in VARIANTS:
        run = aggregator(name, cutoff, n_queries, epsilon, delta)
        for number in n_teachers:
            ahead = max(0, ceil(ceil(number / 3) / 2) - 1) - run.threshold
            rows.append((number, _all_pass(ahead, n_queries, run.noise), name))
    return pd.DataFrame(rows, columns=["n_teachers", "probability", "variant"])


def failing_lemma(epsilons: Sequence[float]) -> pd.DataFrame:
    """Chance of a refusal with the teachers of the printed lemma, for 100 points with margins of K / 3.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters; the cut-off is 5, delta 1/1000, and the lemma promises 1/10.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``n_teachers``, ``refused``.

    Examples
    --------
    >>> failing_lemma([100.0]).round(2).values.tolist()
    [[100.0, 122.0, 0.18]]
    """
    rows = []
    for epsilon in epsilons:
        n_teachers = ceil(136 * log(4 * 100 * 5 / 1e-3) * sqrt(5 * log(2 / 1e-3)) / epsilon)
        run = aggregator("source", 5, 100, epsilon, 1e-3)
        ahead = max(0, ceil(ceil(n_teachers / 3) / 2) - 1) - run.threshold
        rows.append((epsilon, n_teachers, 1 - _all_pass(ahead, 100, run.noise)))
    return pd.DataFrame(rows, columns=["epsilon", "n_teachers", "refused"])
