"""Tables on thresholds: what privacy must cost, however the learner works."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml import pac
from privml.bounds import direct_pac
from privml.bounds.packing import thresholds_packing_sample_size
from privml.experiments.private_pac_learning.base import crowd, crowd_erm_law, crowd_law, rivals_of
from privml.hypotheses import Thresholds
from privml.learners.erm import erm_law


def threshold_sizes(exponents: Sequence[int], epsilon: float, alpha: float, beta: float) -> pd.DataFrame:
    """Sample sizes for T = 2**k realizable thresholds against k.

    The exact sizes are for the first population of the packing: a part alpha of the records lies just above
    the first cut point, where every other threshold is wrong; on all other records all thresholds agree.

    Parameters
    ----------
    exponents : sequence of int
        Values of k, at least 1.
    epsilon : float
        Privacy parameter in nats.
    alpha, beta : float
        Error and failure probability, below 1/2.

    Returns
    -------
    DataFrame
        Columns ``log2_size``, ``curve``, ``n_samples``.

    Examples
    --------
    >>> threshold_sizes([4], 0.1, 0.1, 0.05).round(1)["n_samples"].tolist()
    [1180.0, 1154.0, 66.7, 28.0]
    """
    hypotheses, population = crowd(alpha, realizable=True)
    rows = []
    for k in exponents:
        size = 2**k
        upper = direct_pac.private_realizable_sample_size(size, epsilon, alpha, beta)
        law = crowd_law(epsilon, rivals_of(size))
        exact = pac.smallest_sample_size(law, hypotheses, population, alpha, beta, upper=upper)
        enough = math.ceil(math.log(1 / beta) / -math.log1p(-alpha))
        without = crowd_erm_law(size)
        erm = pac.smallest_sample_size(without, hypotheses, population, alpha, beta, upper=enough)
        lower = thresholds_packing_sample_size(size, epsilon, alpha, beta)
        rows.append((k, "enough: exponential mechanism, any population", upper))
        rows.append((k, "exact: exponential mechanism, one population", exact))
        rows.append((k, "not enough: any private learner", lower))
        rows.append((k, "exact: ERM, the same population", erm))
    return pd.DataFrame(rows, columns=["log2_size", "curve", "n_samples"])


def large_threshold_class(
    exponents: Sequence[int], n_samples: int, alpha: float, noise: float, runs: int, *, seed: int
) -> pd.DataFrame:
    """Failures of ERM over 2**d thresholds on 2**d points at one fixed sample size.

    Parameters
    ----------
    exponents : sequence of int
        Values of d.
    n_samples : int
        Size of the sample.
    alpha : float
        Excess error that is still allowed.
    noise : float
        Probability that a label is flipped.
    runs : int
        Number of simulated samples.
    seed : int
        Seed of the simulation.

    Returns
    -------
    DataFrame
        Columns ``d``, ``printed_size`` (``d ln 2 / alpha**2``), ``n_samples``, ``runs``, ``failures``.

    Examples
    --------
    >>> large_threshold_class([4], 120, 0.2, 0.2, 50, seed=0).round(1).to_numpy().tolist()
    [[4.0, 69.3, 120.0, 50.0, 0.0]]
    """
    law, rng, rows = erm_law("first"), np.random.default_rng(seed), []
    for d in exponents:
        n_points = 2**d
        hypotheses, truth = Thresholds(np.arange(n_points, dtype=float)), n_points // 2
        errors = noise + (1 - 2 * noise) * np.abs(np.arange(n_points) - truth) / n_points
        failures = 0
        for _ in range(runs):
            x = rng.integers(n_points, size=n_samples)
            y = (x >= truth) ^ (rng.random(n_samples) < noise)
            chosen = int(np.argmax(law(hypotheses.mistakes(x.astype(float), y))))
            failures += int(errors[chosen] > noise + alpha + pac.SLACK)
        rows.append((d, d * math.log(2) / alpha**2, n_samples, runs, failures))
    return pd.DataFrame(rows, columns=["d", "printed_size", "n_samples", "runs", "failures"])
