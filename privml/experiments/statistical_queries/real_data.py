"""A stump on real records: one answer per cut point with noise, against the exponential mechanism."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.datasets import load_breast_cancer
from privml.hypotheses import DecisionStumps
from privml.learners.exponential import exponential_law
from privml.learners.statistical_queries import PrivateSQOracle
from privml.results.mushrooms_stumps import TEST_SHARE, split_counts

ORACLES = {"Laplace, ε": {"noise": "laplace"}, "Gauss, ρ = ε²/2": {"noise": "gaussian"}}


def _scale(name: str, n_samples: int, n_queries: int, epsilon: float) -> float:
    """Noise of the oracle, which depends on public numbers only."""
    budget = {"epsilon": epsilon} if name == "Laplace, ε" else {"rho": epsilon**2 / 2}
    records = np.zeros((n_samples, 1)), np.zeros(n_samples, dtype=bool)
    return PrivateSQOracle(*records, n_queries=n_queries, **ORACLES[name], **budget).scale


def chosen_stumps(
    mistakes: NDArray, n_samples: int, name: str, epsilon: float, n_draws: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Stumps that `StumpSQLearner` chooses in independent runs, given the mistakes of all stumps.

    Parameters
    ----------
    mistakes : ndarray of shape (n_hypotheses,)
        On the records behind the oracle, positive stumps first.
    n_samples : int
        Number of these records.
    name : str
        A key of `ORACLES`.
    epsilon : float
        Budget in nats.
    n_draws : int
        Number of runs.
    rng : numpy.random.Generator
        Source of the noise.

    Returns
    -------
    ndarray of int, shape (n_draws,)

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> chosen_stumps(np.array([40, 0, 10, 50]), 50, "Laplace, ε", 50.0, 3, rng).tolist()
    [1, 1, 1]
    """
    agreement = 1 - mistakes[: len(mistakes) // 2] / n_samples
    scale = _scale(name, n_samples, len(agreement), epsilon)
    draw = rng.laplace if name == "Laplace, ε" else rng.normal
    answers = agreement + draw(scale=scale, size=(n_draws, len(agreement)))
    return np.concatenate([answers, 1 - answers], axis=1).argmax(axis=1)


def tumours(
    epsilons: Sequence[float], *, n_cuts: int, n_splits: int, n_draws: int, seed: int
) -> pd.DataFrame:
    """Mean accuracy on held-out tumours of private stumps, by queries and by the exponential mechanism.

    Parameters
    ----------
    epsilons : sequence of float
        Budgets in nats under ``REPLACE_ONE``.
    n_cuts : int
        Cut points for each feature, equally spaced inside [0, 1].
    n_splits : int
        Number of splits, each of which holds out 30 % of the records.
    n_draws : int
        Runs with noise for each split and budget.
    seed : int
        Seed of splits and noise.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``curve``, ``accuracy`` and ``error`` (standard error over the noise; zero where
        the law is exact).

    Examples
    --------
    >>> table = tumours([1000.0], n_cuts=3, n_splits=2, n_draws=5, seed=0)
    >>> table.round(3)["accuracy"].tolist()
    [0.901, 0.901, 0.901, 0.901]
    """
    data = load_breast_cancer()
    stumps = DecisionStumps.on_grid(data.X.shape[1], 0.0, 1.0, n_cuts)
    splits = split_counts(data, stumps, n_splits, seed)
    n_training = len(data.y) - round(TEST_SHARE * len(data.y))
    rng = np.random.default_rng(seed)
    erm = np.mean([accuracies[mistakes.argmin()] for mistakes, accuracies, _ in splits])
    rows = []
    for epsilon in epsilons:
        exact = [float(exponential_law(epsilon)(mistakes[None])[0] @ right) for mistakes, right, _ in splits]
        rows.append((epsilon, "exponential mechanism, ε", float(np.mean(exact)), 0.0))
        for name in ORACLES:
            drawn = np.array(
                [right[chosen_stumps(m, n_training, name, epsilon, n_draws, rng)] for m, right, _ in splits]
            )
            error = float(np.sqrt(drawn.var(axis=1, ddof=1).mean() / drawn.size))
            rows.append((epsilon, f"queries, {name}", float(drawn.mean()), error))
        rows.append((epsilon, "no privacy", float(erm), 0.0))
    return pd.DataFrame(rows, columns=["epsilon", "curve", "accuracy", "error"])
