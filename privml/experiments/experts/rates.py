"""Tables on private learning rates: how far the printed one can grow, and where it is not private."""

from collections.abc import Sequence
from math import log, sqrt

import pandas as pd

from privml.experiments.experts.base import opposite_losses
from privml.learners.experts import four_times_excess, private_eta, run_curves


def rate_multiples(pairs: Sequence[tuple[float, float]], n_rounds: int) -> pd.DataFrame:
    """Private learning rates by four methods, as multiples of the printed rate, and the limit of one pair.

    Parameters
    ----------
    pairs : sequence of (epsilon, delta)
        Promises.
    n_rounds : int
        Number of rounds.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``delta``, ``simple``, ``concentrated``, ``oblivious`` and ``pair``, the rate at
        which the opposite losses alone exhaust delta.

    Examples
    --------
    >>> rate_multiples([(1.0, 1e-5)], 1000).round(2).to_numpy().tolist()
    [[1.0, 0.0, 3.92, 4.75, 5.15, 5.15]]
    """
    rows = []
    for epsilon, delta in pairs:
        printed = private_eta(epsilon, delta, n_rounds, method="dr11")
        rates = [
            private_eta(epsilon, delta, n_rounds, method=m) for m in ("simple", "concentrated", "oblivious")
        ]
        rates.append(_pair_limit(epsilon, delta, n_rounds, rates[-1]))
        rows.append((epsilon, delta, *(rate / printed for rate in rates)))
    columns = ["epsilon", "delta", "simple", "concentrated", "oblivious", "pair"]
    return pd.DataFrame(rows, columns=columns)


def multiples_by_epsilon(epsilons: Sequence[float], delta: float, n_rounds: int) -> pd.DataFrame:
    """Private learning rates against epsilon, as multiples of the printed rate.

    Parameters
    ----------
    epsilons : sequence of float
        Totals in nats.
    delta : float
        In (0, 1).
    n_rounds : int
        Number of rounds.

    Returns
    -------
    DataFrame
        Columns ``method``, ``epsilon`` and ``multiple``; "four times" only where it is proved.

    Examples
    --------
    >>> multiples_by_epsilon([1.0], 1e-5, 1000)["multiple"].round(2).tolist()
    [5.15, 4.75, 4.0, 3.92]
    """
    names = {
        "oblivious": "largest for fixed losses",
        "concentrated": "concentrated, tight",
        "four times": "four times, as proved",
        "simple": "concentrated, simple",
    }
    rows = []
    for method, name in names.items():
        for epsilon in epsilons:
            if method == "four times" and four_times_excess(epsilon, delta) > 0:
                continue
            printed = private_eta(epsilon, delta, n_rounds, method="dr11")
            multiple = private_eta(epsilon, delta, n_rounds, method=method) / printed
            rows.append((name, epsilon, multiple))
    return pd.DataFrame(rows, columns=["method", "epsilon", "multiple"])


def _pair_limit(epsilon: float, delta: float, n_rounds: int, start: float) -> float:
    """Largest rate at which the opposite losses keep (epsilon, delta), by bisection to 1e-6."""
    losses = opposite_losses(n_rounds)
    low, high = start * (1 - 1e-9), 2 * start
    while high / low > 1 + 1e-6:
        middle = sqrt(low * high)
        low, high = (middle, high) if run_curves(*losses, middle).delta(epsilon) <= delta else (low, middle)
    return low


def very_large_epsilon(cases: Sequence[tuple[float, float]], n_rounds: int) -> pd.DataFrame:
    """Where the printed rate is not private: exact delta of the opposite losses beside the claim.

    Parameters
    ----------
    cases : sequence of (epsilon, delta)
        Claims.
    n_rounds : int
        Number of rounds.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``claimed``, ``exact`` and ``over ln(1/delta)``.

    Examples
    --------
    >>> very_large_epsilon([(70.0, 0.4)], 10_000).round(2).to_numpy().tolist()
    [[70.0, 0.4, 0.83, 76.39]]
    """
    losses, rows = opposite_losses(n_rounds), []
    for epsilon, delta in cases:
        eta = epsilon / sqrt(-32 * n_rounds * log(delta))
        exact = run_curves(*losses, eta).delta(epsilon)
        rows.append((epsilon, delta, exact, -epsilon / log(delta)))
    return pd.DataFrame(rows, columns=["epsilon", "claimed", "exact", "over ln(1/delta)"])
