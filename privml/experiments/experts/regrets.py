"""Tables on regret without privacy: exact worst cases, fair coins, and the bounds they stay below."""

from collections.abc import Sequence
from math import exp, lgamma, log

import numpy as np
import pandas as pd

from privml.bounds.experts import best_eta, best_regret_bound, regret_bound
from privml.learners.experts import (
    action_probabilities,
    expected_regret,
    random_losses,
    rotating_losses,
    worst_losses,
    worst_losses_of_two,
)


def follow_the_leader(n_rounds: int, n_experts: int) -> pd.DataFrame:
    """Losses that punish the leader: total losses of the follower, the best expert and weighted majority.

    Parameters
    ----------
    n_rounds, n_experts : int
        At least 1 and 2.

    Returns
    -------
    DataFrame
        One row; weighted majority at the best rate, its loss in expectation.

    Examples
    --------
    >>> follow_the_leader(100, 5).round(1).to_numpy().tolist()
    [[100.0, 20.0, 23.0]]
    """
    losses = rotating_losses(n_rounds, n_experts)
    past = np.cumsum(losses, axis=0) - losses
    leader = past.argmin(axis=1)
    law = action_probabilities(losses, best_eta(n_experts, n_rounds))
    return pd.DataFrame(
        {
            "follow the leader": [float(losses[np.arange(n_rounds), leader].sum())],
            "best expert": [float(losses.sum(axis=0).min())],
            "weighted majority": [float((law * losses).sum())],
        }
    )


def worst_regrets(sizes: Sequence[tuple[int, int]], etas: Sequence[float]) -> pd.DataFrame:
    """Exact largest expected regret over all loss sequences, beside both bounds.

    Parameters
    ----------
    sizes : sequence of (n_experts, n_rounds)
        Small.
    etas : sequence of float
        Learning rates.

    Returns
    -------
    DataFrame
        Columns ``k``, ``T``, ``eta``, ``worst`` over losses 0 and 1, ``signs`` over losses -1 and +1, and the
        bounds ``hoeffding`` and ``dr11`` for losses in [0, 1].

    Examples
    --------
    >>> worst_regrets([(2, 5)], [0.5]).round(4).to_numpy().tolist()
    [[2.0, 5.0, 0.5, 0.2896, 0.4477, 0.3398, 0.7773]]
    """
    rows = []
    for k, n_rounds in sizes:
        for eta in etas:
            worst = worst_losses(n_rounds, k, eta).regret
            signs = worst_losses(n_rounds, k, eta, values=(-1, 1)).regret
            bounds = [regret_bound(eta, k, n_rounds, constant=c) for c in ("hoeffding", "dr11")]
            rows.append((k, n_rounds, eta, worst, signs, *bounds))
    return pd.DataFrame(rows, columns=["k", "T", "eta", "worst", "signs", "hoeffding", "dr11"])


def fair_coin_regret(n_rounds: int) -> float:
    """Expected regret of every learner on two experts whose losses are fair coins.

    Parameters
    ----------
    n_rounds : int
        At least 1.

    Returns
    -------
    float
        ``binomial(2 T, T) / (2 4^T)``.

    Examples
    --------
    >>> round(fair_coin_regret(1), 6), round(fair_coin_regret(2), 6)
    (0.25, 0.1875)
    """
    return exp(lgamma(2 * n_rounds + 1) - 2 * lgamma(n_rounds + 1) - 2 * n_rounds * log(2)) / 2


def regret_by_rounds(rounds: Sequence[int]) -> pd.DataFrame:
    """Regret for two experts at the best rate for each horizon: bounds, exact worst case, fair coins.

    Parameters
    ----------
    rounds : sequence of int
        Horizons.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``T``, ``regret``.

    Examples
    --------
    >>> regret_by_rounds([4]).round(3)["regret"].tolist()
    [0.833, 0.294, 0.25, 0.137]
    """
    rows = []
    for n_rounds in rounds:
        eta = best_eta(2, n_rounds)
        rows += [
            ("bound, DR11", n_rounds, best_regret_bound(2, n_rounds, constant="dr11")),
            ("bound, Hoeffding", n_rounds, best_regret_bound(2, n_rounds)),
            ("exact worst losses", n_rounds, worst_losses_of_two(n_rounds, eta).regret),
            ("fair coins, any learner", n_rounds, fair_coin_regret(n_rounds)),
        ]
    order = ["bound, DR11", "bound, Hoeffding", "exact worst losses", "fair coins, any learner"]
    table = pd.DataFrame(rows, columns=["curve", "T", "regret"])
    return table.sort_values(["curve", "T"], key=lambda c: c.map(order.index) if c.name == "curve" else c)


def many_experts(counts: Sequence[int], n_rounds: int, *, seed: int) -> pd.DataFrame:
    """Fair coins for many experts: exact expected regret of weighted majority on one sequence, and bounds.

    Parameters
    ----------
    counts : sequence of int
        Numbers of experts, at least 2.
    n_rounds : int
        Number of rounds.
    seed : int
        Seed of the coins.

    Returns
    -------
    DataFrame
        Columns ``k``, ``regret``, ``bound`` and ``share``.

    Examples
    --------
    >>> many_experts([2, 50], 500, seed=0)["share"].round(1).tolist()
    [0.5, 0.8]
    """
    rows = []
    for k, rng in zip(counts, np.random.default_rng(seed).spawn(len(counts)), strict=True):
        losses = random_losses(n_rounds, k, rng=rng)
        found = expected_regret(losses, best_eta(k, n_rounds))
        bound = best_regret_bound(k, n_rounds)
        rows.append((k, found, bound, found / bound))
    return pd.DataFrame(rows, columns=["k", "regret", "bound", "share"])
