"""A table on unknown horizons: bounds on the regret of private runs that do not know when they end."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.bounds.experts import best_eta, regret_bound
from privml.learners.experts import (
    decreasing_regret_bound,
    doubling_regret_bound,
    lasting_eta,
    private_eta,
    schedule_guarantee,
)


def unknown_horizon(rounds: Sequence[int], n_experts: int, epsilon: float, delta: float) -> pd.DataFrame:
    """Regret bounds of private runs: horizon known, epochs that double, rates that last forever.

    Parameters
    ----------
    rounds : sequence of int
        Horizons.
    n_experts : int
        Number of experts.
    epsilon, delta : float
        Promise.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``T``, ``regret``; all by concentrated privacy and Hoeffding's constant.

    Examples
    --------
    >>> unknown_horizon([1000], 10, 1.0, 1e-5)["regret"].round(2).tolist()
    [0.3, 0.69, 2.33]
    """
    lasting = lasting_eta(epsilon, delta, max(rounds))
    best = {
        n: private_eta(epsilon, delta, n)
        for n in {*rounds, *(2**m for m in range(1 + max(rounds).bit_length()))}
    }
    names = ("horizon known", "epochs that double", "rates that last")
    rows = []
    for n_rounds in rounds:
        rows += [
            (names[0], n_rounds, regret_bound(best[n_rounds], n_experts, n_rounds)),
            (names[1], n_rounds, doubling_regret_bound(n_rounds, n_experts, best.__getitem__)),
            (names[2], n_rounds, decreasing_regret_bound(lasting[:n_rounds], n_experts)),
        ]
    table = pd.DataFrame(rows, columns=["curve", "T", "regret"])
    return table.sort_values("curve", key=lambda c: c.map(names.index), kind="stable")


def schedule_costs(rounds: Sequence[int], n_experts: int) -> pd.DataFrame:
    """Concentrated cost of rates that fall like the root of the round, without and with the logarithm.

    Parameters
    ----------
    rounds : sequence of int
        Horizons.
    n_experts : int
        Number of experts, for the rate ``2 sqrt(ln(k) / t)``.

    Returns
    -------
    DataFrame
        Columns ``T``, ``best for regret`` and ``lasting, (1, 1e-5)``: rho.

    Examples
    --------
    >>> schedule_costs([100], 10).round(3).to_numpy().tolist()
    [[100.0, 18.076, 0.025]]
    """
    longest = max(rounds)
    falling = best_eta(n_experts, 1) / np.sqrt(2 * np.arange(1, longest + 1))
    lasting = lasting_eta(1.0, 1e-5, longest)
    rows = [(n, schedule_guarantee(falling[:n]).rho, schedule_guarantee(lasting[:n]).rho) for n in rounds]
    return pd.DataFrame(rows, columns=["T", "best for regret", "lasting, (1, 1e-5)"])
