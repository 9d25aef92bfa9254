"""Tables on students of PATE on the line: error against the number of private records, active and passive."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.bounds.active_pate import asq_teachers
from privml.pate import vote_sigma


def _service(n_samples: int, n_queries: int, privacy: tuple, rng: np.random.Generator):
    """Noisy votes of teachers that are midpoints of the gaps around 1/2, as a function of the points."""
    n_teachers = asq_teachers(n_queries, n_samples, *privacy)
    gaps = rng.exponential(size=(2, n_teachers)) * n_teachers / n_samples
    cuts = np.sort(0.5 + (gaps[0] - gaps[1]) / 2)
    sigma = vote_sigma(n_queries, *privacy, calibration="source")

    def ask(points: np.ndarray) -> np.ndarray:
        votes = np.searchsorted(cuts, points, side="right")
        return votes + rng.normal(scale=sigma, size=np.shape(points)) >= n_teachers / 2

    return ask


def _active(public: np.ndarray, ask, n_queries: int) -> tuple[float, int]:
    """Cut and number of labels of the version space learner with slack 0, updated after every label."""
    lower, upper, asked = 0.0, 1.0, 0
    while asked < n_queries and (left := np.flatnonzero((public > lower) & (public < upper))).size:
        x, public = float(public[left[0]]), public[left[1:]]
        asked += 1
        lower, upper = (lower, x) if ask(x) else (x, upper)
    return (lower + upper) / 2, asked


def _passive(public: np.ndarray, ask) -> float:
    """Middle of the first cell of cuts that make fewest mistakes."""
    points = np.sort(public)
    labels = ask(points)
    mistakes = np.r_[0, np.cumsum(labels)] + np.r_[np.cumsum(~labels[::-1])[::-1], 0]
    cell = int(np.argmin(mistakes))
    edges = np.r_[0.0, points, 1.0]
    return float(edges[cell] + edges[cell + 1]) / 2


def line_students(
    sizes: Sequence[int],
    n_public: int,
    privacy: tuple[float, float],
    *,
    n_queries: int,
    n_runs: int,
    seed: int,
) -> pd.DataFrame:
    """Mean error of a student that learns a threshold from noisy votes, active or passive.

    Parameters
    ----------
    sizes : sequence of int
        Numbers n of private records, uniform on the unit interval, labelled by the cut 1/2.
    n_public : int
        Public points.
    privacy : tuple of two float
        Epsilon and delta.
    n_queries : int
        Budget of the active student.
    n_runs : int
        Runs to average over.
    seed : int
        For all runs.

    Returns
    -------
    DataFrame
        Columns ``n``, ``student``, ``error`` (mean), ``queries`` (mean number of labels), ``budget``,
        ``n_teachers``.  The passive student has, for every n, the budget that is best in hindsight among
        powers of two.  The number of teachers is that of Theorem 22 for the budget.

    Examples
    --------
    >>> found = line_students([10**6], 1024, (1.0, 1e-6), n_queries=40, n_runs=20, seed=0)
    >>> bool(found["error"].iloc[0] < found["error"].iloc[1])
    True
    """
    rows = []
    for n, rng in zip(sizes, np.random.default_rng(seed).spawn(len(sizes)), strict=True):
        found = []
        for _ in range(n_runs):
            public = rng.uniform(size=n_public)
            cut, asked = _active(public, _service(n, n_queries, privacy, rng), n_queries)
            found.append((abs(cut - 0.5), asked))
        error, asked = np.mean(found, axis=0)
        rows.append((n, "active", error, asked, n_queries, asq_teachers(n_queries, n, *privacy)))
        best = min(_passive_errors(n, n_public, privacy, n_runs, rng))
        rows.append((n, "passive", best[0], best[1], best[1], asq_teachers(best[1], n, *privacy)))
    return pd.DataFrame(rows, columns=["n", "student", "error", "queries", "budget", "n_teachers"])


def _passive_errors(n: int, n_public: int, privacy: tuple, n_runs: int, rng: np.random.Generator):
    """Mean error and budget of the passive student, for each power of two that leaves teachers a record."""
    expected = 12 * int(n ** (2 / 3))  # far beyond the best budget
    for power in range(8, min(n_public, expected).bit_length()):
        budget = 2**power
        if asq_teachers(budget, n, *privacy) <= n:
            errors = [
                abs(_passive(rng.uniform(size=budget), _service(n, budget, privacy, rng)) - 0.5)
                for _ in range(n_runs)
            ]
            yield float(np.mean(errors)), budget


def slopes(table: pd.DataFrame) -> pd.DataFrame:
    """Slope of the logarithm of the error against that of the number of records, by least squares.

    Parameters
    ----------
    table : DataFrame
        From :func:`line_students`.

    Returns
    -------
    DataFrame
        Columns ``student``, ``slope``.

    Examples
    --------
    >>> table = pd.DataFrame({"n": [10, 100], "student": ["a", "a"], "error": [0.1, 0.001]})
    >>> slopes(table).round(6)
      student  slope
    0       a   -2.0
    """
    rows = []
    for name, curve in table.groupby("student", sort=False):
        rows.append((name, float(np.polyfit(np.log(curve["n"]), np.log(curve["error"]), 1)[0])))
    return pd.DataFrame(rows, columns=["student", "slope"])
