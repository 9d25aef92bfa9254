"""Tables on students, measured: runs of PATE with teachers drawn from the exact law of their cut."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.experiments.tsybakov_condition.rates import erm_law, scale_of
from privml.pate import GaussianAggregator, SparseVectorAggregator
from privml.pate.aggregation import VoteAggregator
from privml.populations import TsybakovLine

GRID = 8192
"""Points of the line on which students are measured."""

CUTOFFS = (4, 32)
"""Cut-offs of the sparse vector that are tried."""

NAMES = ("Gaussian", "sparse vector")


class StudentRun(NamedTuple):
    """What one run of PATE gave: the student's excess error, wrong labels, unanswered points, and whether all
    points were asked about."""

    excess: float
    wrong: int
    unanswered: int
    finished: bool


def student_run(
    line: TsybakovLine,
    law: NDArray[np.float64],
    aggregator: VoteAggregator,
    n_teachers: int,
    n_public: int,
    *,
    rng: np.random.Generator,
) -> StudentRun:
    """One run of PATE on a line, with teachers drawn from the exact law of their cut.

    Parameters
    ----------
    line : TsybakovLine
        The population.
    law : ndarray of shape (n_points + 1,)
        Law of a teacher's cut.
    aggregator : VoteAggregator
        How votes are made private; points without an answer get a fair coin.
    n_teachers, n_public : int
        Teachers K and public points m.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    StudentRun
    """
    n_points = line.n_points
    votes = np.cumsum(rng.multinomial(n_teachers, law))[:-1]  # for True, at each point
    public = rng.integers(n_points, size=n_public)
    counts = np.column_stack([n_teachers - votes[public], votes[public]])
    answers = aggregator.answer_counts(counts, rng=rng)
    answered = np.full(n_public, -1)
    answered[: len(answers.labels)] = answers.labels
    labels = np.where(answered < 0, rng.integers(2, size=n_public), answered)
    true = np.bincount(public[labels == 1], minlength=n_points)
    false = np.bincount(public[labels == 0], minlength=n_points)
    walk = np.concatenate([[0], np.cumsum(true - false)])
    lowest = np.flatnonzero(walk == walk.min())
    student = lowest[len(lowest) // 2]  # the middle one of the cuts that are as good
    wrong = int((labels != (public >= n_points // 2)).sum())
    return StudentRun(float(line.excess[student]), wrong, int((answered < 0).sum()), not answers.halted)


def noisy_students(
    rates: Sequence[float],
    n_samples: int,
    n_teachers: int,
    n_public: int,
    epsilon: float,
    delta: float,
    seed: int,
) -> pd.DataFrame:
    """PATE with Gaussian votes under label noise, beside the bound that counts the errors of the teachers.

    Parameters
    ----------
    rates : sequence of float
        Probabilities with which labels are flipped, below 1/2.
    n_samples, n_teachers, n_public : int
        Records n, teachers K, public points m.
    epsilon, delta : float
        Privacy.
    seed : int
        For the runs.

    Returns
    -------
    DataFrame
        Columns ``best error``, ``student`` (true error), ``wrong labels`` (share that differ from h*),
        ``13 err(h*)``.

    Examples
    --------
    >>> noisy_students([0.2], 10**5, 300, 100, 1.0, 1e-6, 0).round(2)
       best error  student  wrong labels  13 err(h*)
    0         0.2      0.2          0.01         2.6
    """
    rows = []
    for rate, rng in zip(rates, np.random.default_rng(seed).spawn(len(rates)), strict=True):
        line = TsybakovLine(tau=1.0, n_points=512, scale=1 - 2 * rate)
        aggregator = GaussianAggregator(n_queries=n_public, epsilon=epsilon, delta=delta)
        law = erm_law(line, n_samples // n_teachers)
        run = student_run(line, law, aggregator, n_teachers, n_public, rng=rng)
        rows.append((rate, rate + run.excess, run.wrong / n_public, 13 * rate))
    return pd.DataFrame(rows, columns=["best error", "student", "wrong labels", "13 err(h*)"])


def _settings(
    name: str, n: int, n_teachers: Sequence[int], n_public: Sequence[int], **privacy: float
) -> list[tuple[int, int, VoteAggregator]]:
    """What is tried for n records: teachers, public points, and cut-offs for the sparse vector."""
    pairs = [(voters, m) for voters, m in product(n_teachers, n_public) if n // voters >= 16]
    if name == "Gaussian":
        return [(voters, m, GaussianAggregator(n_queries=m, **privacy)) for voters, m in pairs]
    return [
        (voters, m, SparseVectorAggregator(cutoff=cutoff, n_queries=m, **privacy))
        for (voters, m), cutoff in product(pairs, CUTOFFS)
    ]


def _excesses(line: TsybakovLine, laws: dict, n: int, setting: tuple, rngs: list) -> list[float]:
    """Excess errors of one run for each generator."""
    voters, m, aggregator = setting
    law = laws[n // voters]
    return [student_run(line, law, aggregator, voters, m, rng=rng).excess for rng in rngs]


def tuned_students(
    taus: Sequence[float],
    sizes: Sequence[int],
    n_teachers: Sequence[int],
    n_public: Sequence[int],
    epsilon: float,
    delta: float,
    n_runs: int,
    seed: int,
) -> pd.DataFrame:
    """Measured excess error of the student at the best of several settings, in fresh runs.

    Parameters
    ----------
    taus : sequence of float
        Exponents, in (0, 1].
    sizes : sequence of int
        Numbers of private records n.
    n_teachers, n_public : sequence of int
        Numbers that are tried; teachers get at least 16 records each, and cut-offs are `CUTOFFS`.
    epsilon, delta : float
        Privacy of each run; the choice of the setting is not private.
    n_runs : int
        Runs for each setting, and four times as many fresh ones for the best.
    seed : int
        For the runs.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``aggregation``, ``n_samples``, ``n_teachers``, ``n_public``, ``cutoff`` (0 for
        Gaussian), ``mean``, ``error`` (standard error).

    Examples
    --------
    >>> table = tuned_students([1.0], [10**5], [256], [64, 256], 1.0, 1e-6, 3, 0)
    >>> table[["aggregation", "n_teachers"]]
         aggregation  n_teachers
    0       Gaussian         256
    1  sparse vector         256
    """
    rows, stream = [], np.random.default_rng(seed)
    for tau in taus:
        line = TsybakovLine(tau=tau, n_points=GRID, scale=scale_of(tau))
        laws = {n: erm_law(line, n) for n in {n // k for n in sizes for k in n_teachers if n // k >= 16}}
        for name, n in product(NAMES, sizes):
            tried = _settings(name, n, n_teachers, n_public, epsilon=epsilon, delta=delta)

            pilots = [np.mean(_excesses(line, laws, n, s, stream.spawn(n_runs))) for s in tried]
            best = tried[int(np.argmin(pilots))]
            found = _excesses(line, laws, n, best, stream.spawn(4 * n_runs))
            cutoff = getattr(best[2], "cutoff", 0)
            error = np.std(found, ddof=1) / np.sqrt(len(found))
            rows.append((tau, name, n, *best[:2], cutoff, np.mean(found), error))
    columns = ["tau", "aggregation", "n_samples", "n_teachers", "n_public", "cutoff", "mean", "error"]
    return pd.DataFrame(rows, columns=columns)
