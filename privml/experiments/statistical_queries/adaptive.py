"""Tables on adaptive queries: how far off the last answer is when one sample answers all of them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.bounds import statistical_queries as bounds
from privml.bounds.adaptive_queries import overfitting_bias, overfitting_probability
from privml.experiments.statistical_queries.base import fair_coins
from privml.learners.statistical_queries import PrivateSQOracle, SampleOracle, SignedMajoritySQLearner


def _mean_size(n_records: int, scale: float) -> float:
    """Mean of |A + L| with A the error of a fair coin's mean over the records and L Laplace noise."""
    off = np.abs(np.arange(n_records + 1) / n_records - 0.5)
    noisy = off + scale * np.exp(-off / scale) if scale else off
    return float(fair_coins(n_records) @ noisy)


def last_answers(n_queries: int, sizes: Sequence[int], epsilon: float, beta: float) -> pd.DataFrame:
    """Error of the last answer to the signed majority against the number of records.

    Parameters
    ----------
    n_queries : int
        Number of queries k, even.
    sizes : sequence of int
        Numbers of records, at least k.
    epsilon : float
        Budget of the private oracles, in nats.
    beta : float
        Failure probability in what is promised for queries fixed in advance.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``curve``, ``error``: exact mean absolute errors with batches, exact lower
        bounds on them where one sample is used again, and the accuracy promised for fixed queries.

    Examples
    --------
    >>> last_answers(22, [10_000], 1.0, 0.05).round(4)["error"].tolist()
    [0.0184, 0.0148, 0.0128, 0.0187, 0.0189]
    """
    rows = []
    for n in sizes:
        scale, batch = n_queries / (epsilon * n), n // n_queries
        hidden = overfitting_bias(n_queries - 1, n, noise_scale=scale)
        rows += [
            (n, "promised for fixed queries", bounds.sq_accuracy(n_queries, n, beta)),
            (n, "one sample", overfitting_bias(n_queries - 1, n)),
            (n, "one sample, private", hidden + scale * float(np.exp(-hidden / scale))),
            (n, "batches", _mean_size(batch, 0.0)),
            (n, "batches, private", _mean_size(batch, 1 / (epsilon * batch))),
        ]
    return pd.DataFrame(rows, columns=["n_samples", "curve", "error"])


CASES = ((202, "1/10", False), (1002, "1/10", False), (202, "1/k", False), (402, "1/k", True))


def violations(beta: float) -> pd.DataFrame:
    """The promise for fixed queries broken at its own sample size, exactly.

    Parameters
    ----------
    beta : float
        Failure probability of the promise.

    Returns
    -------
    DataFrame
        Columns ``queries``, ``alpha``, ``private``, ``records``, ``mean error``, ``error / alpha`` and
        ``P(error > alpha) at least``; the private case has epsilon 1 and the explicit size of the theorem.

    Examples
    --------
    >>> violations(0.05).round(4)["mean error"].tolist()
    [0.2033, 0.3636, 0.0105, 0.003]
    """
    rows = []
    for k, name, private in CASES:
        alpha = 0.1 if name == "1/10" else 1 / k
        n = bounds.sq_sample_size(k, alpha, beta)
        if private:
            n = bounds.private_sq_sample_size(k, alpha, 1.0, beta, form="halves")
        how = {"noise_scale": k / n if private else 0.0}
        bias = overfitting_bias(k - 1, n, **how)
        chance = overfitting_probability(k - 1, n, alpha, **how)
        rows.append((k, name, "yes" if private else "no", n, bias, bias / alpha, chance))
    columns = ["queries", "alpha", "private", "records", "mean error", "error / alpha"]
    return pd.DataFrame(rows, columns=[*columns, "P(error > alpha) at least"])


def simulated_runs(
    n_queries: int, n_samples: int, *, n_runs: int, mode: str, epsilon: float | None = None, seed: int
) -> np.ndarray:
    """Errors of the last answer in simulated runs of the signed majority on fair coins.

    Parameters
    ----------
    n_queries : int
        Number of queries k, even.
    n_samples : int
        Number of records.
    n_runs : int
        Number of runs, each on records of its own.
    mode : {"reuse", "split"}
        As for the oracles.
    epsilon : float, optional
        Budget in nats; None for an oracle that is not private.
    seed : int
        Seed of records and noise.

    Returns
    -------
    ndarray of shape (n_runs,)

    Examples
    --------
    >>> simulated_runs(22, 100, n_runs=2, mode="reuse", seed=0).round(2).tolist()
    [0.13, 0.14]
    """
    learner = SignedMajoritySQLearner(n_queries - 1)
    errors = []
    for rng in np.random.default_rng(seed).spawn(n_runs):
        data = rng.integers(0, 2, size=(n_samples, n_queries - 1), dtype=np.int8), rng.random(n_samples) < 0.5
        how = {"n_queries": n_queries, "mode": mode, "rng": rng}
        oracle = SampleOracle(*data, **how)
        if epsilon is not None:
            oracle = PrivateSQOracle(*data, epsilon=epsilon, **how)
        errors.append(learner.run(oracle).claimed_agreement - 0.5)
    return np.array(errors)
