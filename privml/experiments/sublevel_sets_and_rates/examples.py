"""Small examples with numbers: what errata say, and where the condition fails though learning works."""

from collections.abc import Sequence
from math import exp, log

import numpy as np
import pandas as pd

from privml.bounds.penalised_erm import penalised_erm_utility_gap
from privml.bounds.sublevel import SublevelCondition, finite_class_condition

__all__ = ["beyond_t_max", "changing_sign", "negative_infimum", "spread", "thresholds_without_mean"]


def beyond_t_max(n_samples: Sequence[int], epsilon: float) -> pd.DataFrame:
    """One of 1000 hypotheses has loss 0 and the others 1/2; the condition is known below t = 1/100 only.

    Parameters
    ----------
    n_samples : sequence of int
        Numbers n of records.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``t`` (the height of the source's proof), ``exact`` (expected distance from the
        infimum with the source's sensitivity 2 / n), ``printed`` (Lemma 36), ``printed_risk`` (Theorem 19)
        and ``ours``, which stays below the largest height at which the condition is known.

    Examples
    --------
    >>> beyond_t_max([50], 0.05).round(3)
       n_samples      t  exact  printed  printed_risk  ours
    0         50  0.059  0.499    0.133         0.233   1.0
    """
    rho, t_max, size = 21.2, 0.01, 1000
    condition = SublevelCondition(log_constant=log(size) + rho * log(t_max), rho=rho, t_max=t_max)
    rows = []
    for n in n_samples:
        bad = (size - 1) * exp(-epsilon * n / 8)
        bracket = (rho + 2) * log(n) + condition.log_constant
        printed = 9 * bracket / (n * epsilon)
        ours = penalised_erm_utility_gap(n, epsilon, condition, sensitivity_factor=2.0)
        height = 4 * bracket / (n * epsilon)
        rows.append((n, height, 0.5 * bad / (1 + bad), printed, printed + 2 * epsilon, ours))
    names = ["n_samples", "t", "exact", "printed", "printed_risk", "ours"]
    return pd.DataFrame(rows, columns=names)


def changing_sign(size: float, n_samples: int, epsilon: float) -> pd.DataFrame:
    """Two hypotheses of risks 0 and nearly twice the size of a regulariser that prefers the wrong one.

    Parameters
    ----------
    size : float
        The regulariser is +size on the good hypothesis and -size on the other, of risk ``2 size - 1/100``.
    n_samples : int
        Number of records n.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``excess`` (exact), ``once`` (the source's rate with the regulariser's supremum once) and
        ``twice``.

    Examples
    --------
    >>> changing_sign(0.25, 10**8, 1e-3).round(4)
       excess    once   twice
    0    0.49  0.2554  0.5054
    """
    risk, penalty = np.array([0.0, 2 * size - 0.01]), np.array([size, -size])
    objective = risk + penalty
    weights = np.exp(-epsilon * n_samples / 4 * (objective - objective.min()))
    condition = finite_class_condition(2)
    rate = 9 * (2 * log(n_samples) + condition.log_constant) / (n_samples * epsilon) + 2 * epsilon
    excess = float(risk @ weights / weights.sum())
    return pd.DataFrame([(excess, rate + size, rate + 2 * size)], columns=["excess", "once", "twice"])


def negative_infimum(largest: float, t: float, chance: float) -> pd.DataFrame:
    """A step of the source's proof where the infimum of the objective is negative.

    Parameters
    ----------
    largest : float
        ``sup |g|``; the objective is ``-largest`` at its infimum.
    t : float
        Height.
    chance : float
        Probability p of the tail.

    Returns
    -------
    DataFrame
        Columns ``left`` (mean utility at least), ``printed`` and ``corrected`` lower bounds, with
        ``1 + sup|g|`` and ``1 + 2 sup|g|`` times p.

    Examples
    --------
    >>> negative_infimum(2.0, 0.1, 0.5).round(12)
       left  printed  corrected
    0  -0.6      0.3       -0.7
    """
    infimum = -largest
    left = (-infimum - 2 * t) * (1 - chance) - (1 + largest) * chance
    whole = -infimum - 2 * t
    row = (left, whole - (1 + largest) * chance, whole - (1 + 2 * largest) * chance)
    return pd.DataFrame([row], columns=["left", "printed", "corrected"])


def thresholds_without_mean(
    n_samples: Sequence[int], epsilon: float, *, n_draws: int = 400, seed: int = 0
) -> pd.DataFrame:
    """Thresholds on [0, 1], uniform readings labelled True: the mean ratio is infinite, its logarithm is not.

    Parameters
    ----------
    n_samples : sequence of int
        Numbers n of records.
    epsilon : float
        Privacy parameter in nats.
    n_draws : int
        Samples drawn for the last column.
    seed : int
        Of these samples.

    Returns
    -------
    DataFrame
        Columns ``n_samples``; ``truncated``: ``E min(r, 10^6)`` for the ratio r at heights below 1 / n;
        ``mean_log`` (exactly the harmonic number), ``any_labels`` (bound for all labels), ``bound`` (the
        utility gap that the first implies) and ``gap``, measured: the law given a sample is exact.

    Examples
    --------
    >>> thresholds_without_mean([10], 1.0).round(2)
       n_samples  truncated  mean_log  any_labels  bound   gap
    0         10     119.87      2.93        5.33   0.59  0.17
    """
    rng, rows = np.random.default_rng(seed), []
    for n in n_samples:
        mean_log = float((1 / np.arange(1, n + 1)).sum())
        spacings = rng.dirichlet(np.ones(n + 1), size=n_draws)
        errors = np.arange(n + 1) / n
        weights = spacings * np.exp(-epsilon * n / 2 * errors)
        gap = float(((weights * errors).sum(axis=1) / weights.sum(axis=1)).mean())
        truncated = _truncated_mean(n, 1e6)
        rows.append((n, truncated, mean_log, mean_log + log(n + 1), 2 * mean_log / (epsilon * n), gap))
    names = ["n_samples", "truncated", "mean_log", "any_labels", "bound", "gap"]
    return pd.DataFrame(rows, columns=names)


def _truncated_mean(n_samples: int, limit: float) -> float:
    """``E min(1 / x, limit)`` for the smallest x of uniform readings: the integral of its tail."""
    levels = np.geomspace(1.0, limit, 200_001)
    tail = -np.expm1(n_samples * np.log1p(-1 / levels[1:]))
    tail = np.concatenate([[1.0], tail])
    return 1.0 + float(((tail[1:] + tail[:-1]) / 2 * np.diff(levels)).sum())


def spread(power: float, dimension: int, rate: float) -> pd.DataFrame:
    """``F = |h|^power`` on a large ball: the law of c F is a gamma law, and the mean of F is d / (power c).

    Parameters
    ----------
    power : float
        Positive.
    dimension : int
        Dimension d.
    rate : float
        The factor c in the exponent.

    Returns
    -------
    DataFrame
        Columns ``power``, ``rho`` (the exponent of the measure ratio, d / power), ``mean`` (by quadrature of
        the radius), ``gamma`` (d / (power c)) and ``convex`` (d / c, proved for powers from 1 on).

    Examples
    --------
    >>> spread(2.0, 3, 50.0).round(4)
       power  rho  mean  gamma  convex
    0    2.0  1.5  0.03   0.03    0.06
    """
    x = (np.arange(400_000) + 0.5) / 400_000
    weights = x ** (dimension / power - 1) * np.exp(-rate * x)
    mean = float((x * weights).sum() / weights.sum())
    row = (power, dimension / power, mean, dimension / (power * rate), dimension / rate)
    return pd.DataFrame([row], columns=["power", "rho", "mean", "gamma", "convex"])
