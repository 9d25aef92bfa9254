"""Tables on samplers in several dimensions: diagnostics, and distances from laws that are known."""

from collections.abc import Sequence
from math import log, sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.learners.penalised_erm import (
    Ball,
    Box,
    ExponentialERM,
    LogisticLoss,
    PenalisedRisk,
    QuadratureLaw,
    Run,
    hit_and_run,
    mala,
)

SAMPLERS = {"hit-and-run": hit_and_run, "MALA": mala}
LEVEL = 1e-3
RARE = 1e-4


def separate_law(dimension: int, per_feature: int, epsilon: float, radius: float) -> ExponentialERM:
    """A law on a box with independent coordinates: every record has one feature only.

    Examples
    --------
    >>> separate_law(3, 4, 1.0, 2.0).risk.X.sum(axis=0).tolist()
    [4.0, 4.0, 4.0]
    """
    X = np.repeat(np.eye(dimension), per_feature, axis=0)
    minus = [per_feature * (j + 1) // (2 * dimension + 2) for j in range(dimension)]
    y = np.concatenate([np.repeat([1.0, -1.0], [per_feature - k, k]) for k in minus])
    sides = np.full(dimension, float(radius))
    return ExponentialERM(PenalisedRisk(X, y, LogisticLoss(), Box(-sides, sides)), epsilon)


def _marginal(law: ExponentialERM, feature: int) -> QuadratureLaw:
    """Exact law of one coordinate: that of the records with the feature, at the same scale."""
    with_it = law.risk.X[:, feature] > 0
    one = Box(law.domain.lower[[feature]], law.domain.upper[[feature]])
    risk = PenalisedRisk(law.risk.X[with_it][:, [feature]], law.risk.y[with_it], law.risk.loss, one)
    H, weights = np.polynomial.legendre.leggauss(400)
    H = H[:, None] * one.upper
    total = risk.n_samples * risk.value(H)
    return QuadratureLaw(H, np.log(weights * one.upper[0]), -law.scale * total)


def _thinned(run: Run) -> NDArray[np.float64]:
    """Draws of all chains, thinned to about as many as they are worth."""
    size = max(1.0, min(run.diagnostics.effective_size, run.draws.shape[0] * run.draws.shape[1]))
    step = int(np.ceil(run.draws.shape[0] * run.draws.shape[1] / size))
    return run.draws[:, ::step].reshape(-1, run.draws.shape[2])


def _farthest(points: NDArray, exact: QuadratureLaw) -> float:
    """Kolmogorov-Smirnov distance of points from a law on a line."""
    points = np.sort(points)
    cdf, steps = exact.cdf([1.0], points), np.arange(points.size + 1) / points.size
    return float(max((cdf - steps[:-1]).max(), (steps[1:] - cdf).max()))


def sampler_evidence(
    dimensions: Sequence[int],
    per_feature: int,
    epsilon_per_feature: float,
    radius: float,
    n_draws: int,
    *,
    seed: int,
) -> pd.DataFrame:
    """Diagnostics of both samplers on laws with independent coordinates, and their distance from them.

    Parameters
    ----------
    dimensions : sequence of int
        Numbers of features.
    per_feature : int
        Records of each feature.
    epsilon_per_feature : float
        The privacy parameter is this times the root of the dimension, so that all marginal laws look alike.
    radius : float
        The box is [-radius, radius] to the power of the dimension.
    n_draws : int
        Kept draws of each of 8 chains.
    seed : int
        For the draws.

    Returns
    -------
    DataFrame
        Columns ``sampler``, ``dimension``, ``r_hat``, ``effective_size``, ``per_draw`` (effective size over
        draws), ``n_thinned``, ``distance`` (largest Kolmogorov-Smirnov distance of a coordinate), ``limit``
        (passed by an exact sampler with probability below 1/1000).

    Examples
    --------
    >>> sampler_evidence([2], 20, 2.0, 2.0, 60, seed=0).shape
    (2, 8)
    """
    rows = []
    for d in dimensions:
        law = separate_law(d, per_feature, epsilon_per_feature * sqrt(d), radius)
        marginals = [_marginal(law, feature) for feature in range(d)]
        for name, sampler in SAMPLERS.items():
            run = sampler(law, n_draws, n_chains=8, rng=seed)
            points = _thinned(run)
            distance = max(_farthest(points[:, j], marginals[j]) for j in range(d))
            limit = sqrt(log(2 * d / LEVEL) / 2 / len(points))
            found = run.diagnostics
            share = found.effective_size / (8 * n_draws)
            rows.append((name, d, found.r_hat, found.effective_size, share, len(points), distance, limit))
    columns = "sampler dimension r_hat effective_size per_draw n_thinned distance limit"
    return pd.DataFrame(rows, columns=columns.split())


def disc_law(n_samples: int, epsilon: float, radius: float, *, seed: int) -> ExponentialERM:
    """Logistic law on a disc for labels that mostly follow a direction."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-0.7, 0.7, size=(n_samples, 2))
    y = np.sign(X @ [1.0, 0.5] + 0.3 * rng.normal(size=n_samples))
    return ExponentialERM(PenalisedRisk(X, y, LogisticLoss(), Ball(2, radius)), epsilon)


def disc_differences(
    n_samples: int, epsilon: float, radius: float, n_draws: int, *, seed: int
) -> pd.DataFrame:
    """Empirical distribution function of the first weight less that of quadrature, for both samplers.

    Parameters
    ----------
    n_samples : int
        Number of records.
    epsilon : float
        Privacy parameter in nats.
    radius : float
        Of the disc.
    n_draws : int
        Kept draws of each of 8 chains.
    seed : int
        For records and draws.

    Returns
    -------
    DataFrame
        Columns ``sampler``, ``h`` (where the law has its mass), ``difference``, ``band`` (what exact draws
        leave with probability below 1/1000, for as many draws as the thinned ones).

    Examples
    --------
    >>> sorted(disc_differences(50, 4.0, 2.0, 40, seed=0)["sampler"].unique())
    ['MALA', 'hit-and-run']
    """
    law = disc_law(n_samples, epsilon, radius, seed=seed)
    exact, h = law.quadrature(400), np.linspace(-radius, radius, 401)
    cdf, tables = exact.cdf([1.0, 0.0], h), []
    inside = (cdf > RARE) & (cdf < 1 - RARE)
    h, cdf = h[inside], cdf[inside]
    for name, sampler in SAMPLERS.items():
        points = np.sort(_thinned(sampler(law, n_draws, n_chains=8, rng=seed))[:, 0])
        below = np.searchsorted(points, h, side="right") / points.size
        band = sqrt(log(2 / LEVEL) / 2 / points.size)
        tables.append(pd.DataFrame({"sampler": name, "h": h, "difference": below - cdf, "band": band}))
    return pd.concat(tables, ignore_index=True)
