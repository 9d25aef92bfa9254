"""Tables on sublevel sets: how their measure falls with the height, and what is proved about it."""

from collections.abc import Sequence
from math import exp, inf, log

import numpy as np
import pandas as pd

from privml.bounds.convex_sublevel import shrinking_condition
from privml.bounds.sublevel import lipschitz_condition, log_ball_volume
from privml.bounds.sublevel_curve import fitted_condition, fitted_exponent, gridded_ratio_bounds
from privml.experiments.sublevel_sets_and_rates.base import Gridded, samples, segment, square

__all__ = ["certificates", "curves", "printed_volumes", "room_by_hand"]


FINE = 20_000


def _problems(share: float) -> list[Gridded]:
    return [*(segment(name, share, FINE) for name in ("absolute", "squared", "needle")), square()]


def _bounds(problem: Gridded, n_samples: int, heights: Sequence[float]) -> tuple:
    frequencies, chances = samples(problem, n_samples)
    values = frequencies @ problem.losses.T
    return gridded_ratio_bounds(values, heights, problem.variation, probabilities=chances)


def curves(n_samples: int, share: float, heights: Sequence[float]) -> pd.DataFrame:
    """Bounds on both sides of the expected measure ratio of four problems, against the height.

    Parameters
    ----------
    n_samples : int
        Number of records n.
    share : float
        Probability of a yes in the problems with two kinds of records.
    heights : sequence of float
        Heights t, increasing.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``t``, ``lower`` and ``upper``: bounds on ``ln E mu(H) / mu(S_t)``; and
        ``convex``: ``d ln(1 / t)``, which no convex problem exceeds.

    Examples
    --------
    >>> curves(5, 0.3, [0.1, 0.3]).round(2).head(2)
        problem    t  lower  upper  convex
    0  absolute  0.1   1.59   1.59     2.3
    1  absolute  0.3   0.58   0.58     1.2
    """
    rows = []
    for problem in _problems(share):
        lower, upper = _bounds(problem, n_samples, heights)
        for t, low, high in zip(heights, lower.log_mean, upper.log_mean, strict=True):
            rows.append((problem.name, t, low, high, -problem.dimension * log(t)))
    return pd.DataFrame(rows, columns=["problem", "t", "lower", "upper", "convex"])


def certificates(n_samples: int, share: float, heights: Sequence[float]) -> pd.DataFrame:
    """Constants of the sublevel condition: fitted exponent, certified K, and K from general arguments.

    Parameters
    ----------
    n_samples : int
        Number of records n.
    share : float
        Probability of a yes in the problems with two kinds of records.
    heights : sequence of float
        Heights of the curve, increasing.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``d``, ``rho`` (fitted), ``K`` (certified for it between the least and the
        largest height), ``K_d`` (certified for the exponent d), ``K_convex`` (from shrinking; NaN if the
        problem is not convex) and ``K_lipschitz`` (from the Lipschitz constant times the diameter).

    Examples
    --------
    >>> certificates(5, 0.3, [0.05, 0.1, 0.2, 0.4]).round(2).head(2)
        problem  d   rho     K   K_d  K_convex  K_lipschitz
    0  absolute  1  0.93  1.16  0.98       1.0          1.0
    1   squared  1  0.39  1.09  0.60       1.0          2.0
    """
    rows = []
    for problem in _problems(share):
        _, upper = _bounds(problem, n_samples, heights)
        rho = round(fitted_exponent(upper), 2)
        found = [exp(fitted_condition(upper, value).log_constant) for value in (rho, problem.dimension)]
        d = problem.dimension
        convex = float("nan") if problem.name == "needle" else exp(shrinking_condition(d).log_constant)
        general = exp(shrinking_condition(d, problem.lipschitz_times_diameter).log_constant)
        rows.append((problem.name, d, rho, *found, convex, general))
    names = ["problem", "d", "rho", "K", "K_d", "K_convex", "K_lipschitz"]
    return pd.DataFrame(rows, columns=names)


def printed_volumes(dimensions: Sequence[int], orders: Sequence[float], height: float) -> pd.DataFrame:
    """A cone with its apex inside the unit ball: its sublevel set, and what Example 21 prints about it.

    Parameters
    ----------
    dimensions : sequence of int
        Dimensions d.
    orders : sequence of float
        Orders p of the norm of the cone.
    height : float
        Height t, with slope L = 1.

    Returns
    -------
    DataFrame
        Columns ``d``, ``p``, ``volume`` (of the sublevel set over ``t^d``: the volume of the unit ball of the
        norm), ``printed`` (the source's lower bound over ``t^d``, with the largest possible regularity 1/2),
        ``holds``, and the logarithms of both constants K, ``log_K_printed`` and ``log_K``.

    Examples
    --------
    >>> printed_volumes([4, 5], [1.0], 0.1)[["d", "volume", "holds"]].round(3)
       d  volume  holds
    0  4   0.667   True
    1  5   0.267  False
    """
    rows = []
    for p in orders:
        for d in dimensions:
            volume = exp(log_ball_volume(d, height, order=p) - d * log(height))
            whole = log_ball_volume(d)
            condition = lipschitz_condition(1.0, d, log_volume=whole, regularity=0.5, order=p, t_max=inf)
            printed = whole + log(2)
            rows.append((d, p, volume, 0.5, volume >= 0.5, printed, condition.log_constant))
    return pd.DataFrame(rows, columns=["d", "p", "volume", "printed", "holds", "log_K_printed", "log_K"])


def room_by_hand(frequency: float, heights: Sequence[float]) -> pd.DataFrame:
    """Sublevel sets of the squared loss on [0, 1] for one data set: intervals around the share of yeses.

    Parameters
    ----------
    frequency : float
        Share of yeses among the records, in [0, 1].
    heights : sequence of float
        Heights t.

    Returns
    -------
    DataFrame
        Columns ``t``, ``low``, ``high`` and ``ratio``, one over the length.

    Examples
    --------
    >>> room_by_hand(0.3, [0.01, 0.16])
          t  low  high     ratio
    0  0.01  0.2   0.4  5.000000
    1  0.16  0.0   0.7  1.428571
    """
    half = np.sqrt(np.asarray(heights, dtype=float))
    low, high = np.maximum(frequency - half, 0.0).round(12), np.minimum(frequency + half, 1.0).round(12)
    return pd.DataFrame({"t": heights, "low": low, "high": high, "ratio": 1 / (high - low)})
