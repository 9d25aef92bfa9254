"""Tables on teachers: how far the farthest lies from h*, pigeonholes, and two errata with their numbers."""

from collections.abc import Sequence
from math import exp, expm1, log, log1p

import numpy as np
import pandas as pd

from privml.bounds.fast_rates import teacher_disagreement
from privml.bounds.pate_steps import unstable_cutoff
from privml.bounds.relative_deviation import (
    log_growth,
    uniform_bernstein_upper,
    uniform_bernstein_upper_printed,
)
from privml.experiments.tsybakov_condition.rates import condition_of, erm_law, scale_of
from privml.populations import TsybakovLine


def far_teachers(
    taus: Sequence[float], n_samples: int, n_teachers: Sequence[int], n_points: int, beta: float
) -> pd.DataFrame:
    """Exact quantile of the distance of the farthest teacher from h*, and the bound with every constant.

    Parameters
    ----------
    taus : sequence of float
        Exponents, in (0, 1].
    n_samples : int
        Number of private records n; each teacher gets a Poisson number of mean ``n // K``.
    n_teachers : sequence of int
        Numbers of teachers K.
    n_points : int
        Number of points of the line.
    beta : float
        The quantile and the bound are exceeded with probability at most beta.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``n_teachers``, ``mean`` (of one teacher), ``farthest`` (the quantile), ``bound``.

    Examples
    --------
    >>> far_teachers([1.0], 10_000, [10], 200, 0.1).round(4)
       tau  n_teachers    mean  farthest   bound
    0  1.0          10  0.0021      0.02  0.0793
    """
    rows = []
    for tau in taus:
        line = TsybakovLine(tau=tau, n_points=n_points, scale=scale_of(tau))
        condition = condition_of(line)
        distance = np.abs(np.arange(n_points + 1) - n_points // 2) / n_points
        order = np.argsort(distance, kind="stable")
        for n_voters in n_teachers:
            law = erm_law(line, n_samples // n_voters)
            within = np.cumsum(law[order]) ** n_voters
            farthest = distance[order][min(np.searchsorted(within, 1 - beta), n_points)]
            bound = teacher_disagreement(condition, n_samples, n_voters, beta)
            rows.append((tau, n_voters, law @ distance, farthest, bound))
    return pd.DataFrame(rows, columns=["tau", "n_teachers", "mean", "farthest", "bound"])


def printed_teachers(n_samples: int, n_teachers: int, log_betas: Sequence[float]) -> pd.DataFrame:
    """The printed bound on the farthest teacher against the exact quantile, for two hypotheses without noise.

    Parameters
    ----------
    n_samples, n_teachers : int
        Records n and teachers K.
    log_betas : sequence of float
        Natural logarithms of the failure probability.

    Returns
    -------
    DataFrame
        Columns ``ln beta``, ``quantile``, ``printed``, ``corrected`` (both with the constant 1).

    Examples
    --------
    >>> printed_teachers(10**6, 1000, [-100.0]).round(4)
       ln beta  quantile  printed  corrected
    0   -100.0    0.1014   0.0139     0.1138
    """
    rows = []
    for log_beta in log_betas:
        one_wrong = -expm1(log1p(-exp(log_beta)) / n_teachers)  # for one teacher
        quantile = -expm1(log(one_wrong) * n_teachers / n_samples)
        confidence = log(n_teachers) - log_beta
        printed = (n_teachers * log(n_samples) + confidence) / n_samples
        corrected = n_teachers * (log(n_samples / n_teachers) + confidence) / n_samples
        rows.append((log_beta, quantile, printed, corrected))
    return pd.DataFrame(rows, columns=["ln beta", "quantile", "printed", "corrected"])


def third_of_votes(n_teachers: int, n_public: int, mistakes: Sequence[int], seed: int) -> pd.DataFrame:
    """How many points get a third of wrong votes: at random, at worst, and the pigeonhole's bound.

    Parameters
    ----------
    n_teachers, n_public : int
        Teachers K, a multiple of 3, and public points m.
    mistakes : sequence of int
        Mistakes B of each teacher, at most ``n_public / 3``.
    seed : int
        For the points at which teachers err at random.

    Returns
    -------
    DataFrame
        Columns ``mistakes``, ``at random``, ``at worst``, ``bound`` (``3 B``).

    Examples
    --------
    >>> third_of_votes(30, 90, [5], 0)
       mistakes  at random  at worst  bound
    0         5          0        15     15
    """
    rng = np.random.default_rng(seed)
    rows = []
    for number in mistakes:
        wrong = np.argsort(rng.random((n_teachers, n_public)), axis=1) < number
        hostile = np.zeros((n_teachers, n_public), dtype=bool)
        for third, part in enumerate(np.split(np.arange(n_teachers), 3)):
            hostile[part, third * number : (third + 1) * number] = True
        found = [(3 * votes.sum(axis=0) >= n_teachers).sum() for votes in (wrong, hostile)]
        rows.append((number, *found, unstable_cutoff(number) - 1))
    return pd.DataFrame(rows, columns=["mistakes", "at random", "at worst", "bound"])


def unseen_points(vc_dimension: int, n_points: int, n_samples: int, beta: float, seed: int) -> pd.DataFrame:
    """Sets of d points that a sample misses: their error against the uniform bound, printed and corrected.

    Parameters
    ----------
    vc_dimension : int
        Size d of the sets.
    n_points : int
        Number of equally likely points.
    n_samples : int
        Size n of the sample.
    beta : float
        Failure probability of the bounds.
    seed : int
        For the sample.

    Returns
    -------
    DataFrame
        Columns ``unseen``, ``mean unseen``, ``true error``, ``printed``, ``corrected``; one row.

    Examples
    --------
    >>> unseen_points(2, 10, 20, 0.5, 0).round(2)
       unseen  mean unseen  true error  printed  corrected
    0       1         1.22         0.2     0.82        1.0
    """
    seen = np.unique(np.random.default_rng(seed).integers(n_points, size=n_samples)).size
    growth = log_growth(vc_dimension, 2 * n_samples)
    row = {
        "unseen": n_points - seen,
        "mean unseen": n_points * exp(n_samples * np.log1p(-1 / n_points)),
        "true error": vc_dimension / n_points,
        "printed": uniform_bernstein_upper_printed(0.0, n_samples, vc_dimension, beta),
        "corrected": uniform_bernstein_upper(0.0, n_samples, beta, log_growth=growth),
    }
    return pd.DataFrame([row])
