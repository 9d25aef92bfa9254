"""How good teachers, their majority and the released labels are, against the number of teachers."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.pate import GaussianAggregator, fit_teachers, vote_counts

N_FEATURES = 8
LABEL_NOISE = 0.5


class Wards(NamedTuple):
    """Records with eight readings; the label is a noisy linear rule, `truth` the rule itself."""

    X: NDArray[np.float64]
    y: NDArray[np.bool_]
    truth: NDArray[np.bool_]


def wards(n_records: int, seed: int) -> Wards:
    """Made-up records: normal readings, and a label that is a linear rule of them but for noise.

    Parameters
    ----------
    n_records : int
        Number of records.
    seed : int
        Seed of the draws.

    Returns
    -------
    Wards

    Examples
    --------
    >>> drawn = wards(4000, 0)
    >>> round(float((drawn.y == drawn.truth).mean()), 2)
    0.85
    """
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_records, N_FEATURES))
    score = X @ np.linspace(1, -1, N_FEATURES) / sqrt((np.linspace(1, -1, N_FEATURES) ** 2).sum())
    return Wards(X, score + LABEL_NOISE * rng.normal(size=n_records) > 0, score > 0)


def labels_by_teachers(
    n_records: int, n_teachers: Sequence[int], n_queries: int, epsilon: float, delta: float, seed: int
) -> pd.DataFrame:
    """Share of right labels of a teacher, of the majority and of what is released, by number of teachers.

    Parameters
    ----------
    n_records : int
        Number of private records, split among the teachers.
    n_teachers : sequence of int
        Numbers of teachers.
    n_queries : int
        Budget of the Gaussian aggregator.
    epsilon, delta : float
        Privacy of the run.
    seed : int
        Seed of records and splits.

    Returns
    -------
    DataFrame
        Columns ``n_teachers``, ``records`` of each, ``teacher`` (mean), ``majority``, ``released`` (exact
        expectation over the noise), on 2000 public points, and ``margin``: the mean margin over the teachers.

    Examples
    --------
    >>> labels_by_teachers(400, [10, 40], 20, 1.0, 1e-5, 0)[["n_teachers", "records"]].values.tolist()
    [[10, 40], [40, 10]]
    """
    from sklearn.linear_model import LogisticRegression

    private, public = wards(n_records, seed), wards(2000, seed + 1)
    aggregator = GaussianAggregator(n_queries=n_queries, epsilon=epsilon, delta=delta)
    options = {"classes": [False, True], "rng": seed}
    model = LogisticRegression(solver="liblinear")
    rows = []
    for number in n_teachers:
        teachers = fit_teachers(model, private.X, private.y, n_teachers=number, **options)
        votes = teachers.votes(public.X)
        counts = vote_counts(votes)
        right = public.truth.astype(int)
        released = aggregator.label_law(counts)[np.arange(len(right)), right].mean()
        majority = ((2 * counts[:, 1] >= number) == public.truth).mean()
        margin = np.abs(np.diff(counts, axis=1)).mean() / number
        rows.append((number, n_records // number, (votes == right).mean(), majority, released, margin))
    return pd.DataFrame(rows, columns=["n_teachers", "records", "teacher", "majority", "released", "margin"])
