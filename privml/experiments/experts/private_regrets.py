"""Tables on the regret of private runs: the printed chain, exact regret, quantiles, and the price."""

from collections.abc import Sequence
from math import log, sqrt

import numpy as np
import pandas as pd

from privml.bounds.experts import best_eta, best_regret_bound, private_eta_dr11, regret_bound
from privml.bounds.private_experts import most_epsilon_closed, private_regret_bound
from privml.bounds.regret_tails import regret_deviation
from privml.learners.experts import private_eta, random_losses, total_loss_law, worst_losses_of_two


def printed_chain(cases: Sequence[tuple[float, int]], delta: float) -> pd.DataFrame:
    """The chain of inequalities of Theorem 11.3 for two experts, beside the exact worst regret.

    Parameters
    ----------
    cases : sequence of (epsilon, n_rounds)
        Promises and horizons.
    delta : float
        In (0, 1).

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``T``, ``first line``, ``second line``, ``exact`` and ``most epsilon``.

    Examples
    --------
    >>> printed_chain([(5.0, 100)], 0.5).round(4).to_numpy().tolist()
    [[5.0, 100.0, 0.1715, 0.1306, 0.0744, 3.921]]
    """
    rows = []
    for epsilon, n_rounds in cases:
        eta = private_eta_dr11(epsilon, delta, n_rounds)
        first = private_regret_bound(epsilon, delta, n_rounds, 2)
        second = 2 * log(2) / (eta * n_rounds)
        exact = worst_losses_of_two(n_rounds, eta).regret
        rows.append((epsilon, n_rounds, first, second, exact, most_epsilon_closed(delta, 2)))
    columns = ["epsilon", "T", "first line", "second line", "exact", "most epsilon"]
    return pd.DataFrame(rows, columns=columns)


def private_regret_by_rounds(rounds: Sequence[int], epsilon: float, delta: float) -> pd.DataFrame:
    """Two experts, exact worst regret at private and at non-private rates, and Theorem 11.3.

    Parameters
    ----------
    rounds : sequence of int
        Horizons.
    epsilon, delta : float
        Promise.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``T``, ``regret``.

    Examples
    --------
    >>> private_regret_by_rounds([100], 1.0, 1e-5)["regret"].round(3).tolist()
    [2.661, 1.336, 0.436, 0.235, 0.056]
    """
    rows = []
    for n_rounds in rounds:
        printed = private_eta_dr11(epsilon, delta, n_rounds)
        oblivious = private_eta(epsilon, delta, n_rounds, method="oblivious")
        rows += [
            (
                "bound, DR11 closed",
                n_rounds,
                private_regret_bound(epsilon, delta, n_rounds, 2, form="closed"),
            ),
            ("bound, DR11 sum", n_rounds, private_regret_bound(epsilon, delta, n_rounds, 2)),
            ("exact, printed rate", n_rounds, worst_losses_of_two(n_rounds, printed).regret),
            ("exact, largest private rate", n_rounds, worst_losses_of_two(n_rounds, oblivious).regret),
            ("exact, no privacy", n_rounds, worst_losses_of_two(n_rounds, best_eta(2, n_rounds)).regret),
        ]
    table = pd.DataFrame(rows, columns=["curve", "T", "regret"])
    return table.sort_values("curve", key=lambda c: c.map([r[0] for r in rows[:5]].index), kind="stable")


def prices(n_experts: int, epsilons: Sequence[float], delta: float, n_rounds: int) -> pd.DataFrame:
    """Quotients of regret bounds with and without privacy, as printed and as sharp as we have them.

    Parameters
    ----------
    n_experts : int
        Number of experts.
    epsilons : sequence of float
        Promises, with `delta`.
    delta : float
        In (0, 1).
    n_rounds : int
        Horizon.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``printed`` (closed form over the source's bound) and ``sharp`` (the sum with
        Hoeffding's constant at the largest private rate, or at the best rate where that is smaller).

    Examples
    --------
    >>> prices(10, [1.0], 1e-5, 10_000).round(2).to_numpy().tolist()
    [[1.0, 29.13, 8.04]]
    """
    rows = []
    for epsilon in epsilons:
        printed = private_regret_bound(epsilon, delta, n_rounds, n_experts, form="closed")
        eta = min(private_eta(epsilon, delta, n_rounds, method="oblivious"), best_eta(n_experts, n_rounds))
        sharp = regret_bound(eta, n_experts, n_rounds) / best_regret_bound(n_experts, n_rounds)
        rows.append((epsilon, printed / best_regret_bound(n_experts, n_rounds, constant="dr11"), sharp))
    return pd.DataFrame(rows, columns=["epsilon", "printed", "sharp"])


def regret_quantiles(
    n_rounds: int, n_experts: int, eta: float, betas: Sequence[float], *, seed: int
) -> pd.DataFrame:
    """Exact quantiles of the regret on fair coins, less its mean, beside the deviations of the theorems.

    Parameters
    ----------
    n_rounds, n_experts : int
        Size of the run.
    eta : float
        Learning rate.
    betas : sequence of float
        Failure probabilities.
    seed : int
        Seed of the coins.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``beta`` and ``deviation``.

    Examples
    --------
    >>> regret_quantiles(200, 3, 0.05, [0.01], seed=0)["deviation"].round(3).tolist()
    [0.169, 0.107, 0.069]
    """
    losses = random_losses(n_rounds, n_experts, rng=seed)
    law = total_loss_law(losses, eta)
    mean, tail = float(law @ np.arange(n_rounds + 1)), law[::-1].cumsum()[::-1]
    rows = []
    for beta in betas:
        exact = (np.flatnonzero(tail > beta).max() - mean) / n_rounds  # exceeded with at most beta
        rows += [
            ("DR11", beta, regret_deviation(n_rounds, beta, n_experts, deviation="dr11")),
            ("Azuma", beta, regret_deviation(n_rounds, beta, n_experts)),
            ("exact", beta, float(exact)),
        ]
    table = pd.DataFrame(rows, columns=["curve", "beta", "deviation"])
    return table.sort_values("curve", key=lambda c: c.map(["DR11", "Azuma", "exact"].index), kind="stable")


def signed_losses(betas: Sequence[float], n_rounds: int) -> pd.DataFrame:
    """Two experts with losses +1 and -1: how often a run exceeds its mean by the printed deviation.

    Parameters
    ----------
    betas : sequence of float
        Failure probabilities.
    n_rounds : int
        Even number of rounds.

    Returns
    -------
    DataFrame
        Columns ``beta``, ``printed`` and ``correct``, exact probabilities that the deviation with and without
        the factor for losses of range 2 is exceeded.

    Examples
    --------
    >>> signed_losses([1e-3], 2000).round(5).to_numpy().tolist()
    [[0.001, 0.00297, 9e-05]]
    """
    fair = total_loss_law(np.tile([[0, 1], [1, 0]], (n_rounds // 2, 1)), 1e-12)
    mean = (2 * np.arange(n_rounds + 1) - n_rounds) / n_rounds
    rows = []
    for beta in betas:
        printed = sqrt(log(2 / beta) / n_rounds)
        correct = 2 * regret_deviation(n_rounds, beta, 2)
        rows.append((beta, float(fair[mean > printed].sum()), float(fair[mean > correct].sum())))
    return pd.DataFrame(rows, columns=["beta", "printed", "correct"])
