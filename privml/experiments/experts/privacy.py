"""Tables on the privacy of a round and of a run: rare experts, audits, and curves."""

from collections.abc import Sequence
from itertools import product
from math import exp

import numpy as np
import pandas as pd

from privml import audit
from privml.composition import advanced_epsilon, nonadaptive_range_delta
from privml.divergences import max_divergence
from privml.experiments.experts.base import opposite_losses
from privml.guarantee.approximate import concentrated_delta
from privml.learners.experts import action_sequence_law, concentrated_run, run_curves
from privml.mechanisms import ExponentialMechanism


def rare_expert(counts: Sequence[int], eta: float) -> pd.DataFrame:
    """Largest privacy loss of one round when one expert of k is the only one with a changed order.

    Parameters
    ----------
    counts : sequence of int
        Numbers of experts.
    eta : float
        Learning rate.

    Returns
    -------
    DataFrame
        Columns ``k`` and, in units of eta, ``losses in [0, 1]`` and ``losses in [-1, 1]``.

    Examples
    --------
    >>> rare_expert([2, 1000], 0.001).round(3).to_numpy().tolist()
    [[2.0, 1.0, 2.0], [1000.0, 1.998, 3.996]]
    """
    mechanism = ExponentialMechanism(epsilon=2 * eta, sensitivity=1.0)
    rows = []
    for k in counts:
        row = [k]
        for lower in (0.0, -1.0):
            losses = np.full((2, k), lower)
            losses[0, 0], losses[1, 1:] = 1.0, 1.0
            p, q = (mechanism.output_distribution(-vector) for vector in losses)
            row.append(max(float(max_divergence(p, q)), float(max_divergence(q, p))) / eta)
        rows.append(row)
    return pd.DataFrame(rows, columns=["k", "losses in [0, 1]", "losses in [-1, 1]"])


def run_delta_curves(eta: float, n_rounds: int, delta: float, epsilons: Sequence[float]) -> pd.DataFrame:
    """delta(epsilon) of a run: exact for the opposite losses, the optimum, and the accountants.

    Parameters
    ----------
    eta : float
        Learning rate.
    n_rounds : int
        Number of rounds.
    delta : float
        Smallest delta of interest, which sets where the curves end.
    epsilons : sequence of float
        Where to evaluate, in nats.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``epsilon``, ``delta``; smaller deltas are left out.

    Examples
    --------
    >>> run_delta_curves(0.01, 100, 1e-9, [0.2]).round(5)["delta"].tolist()
    [0.72732, 0.00241, 0.00092, 0.0009]
    """
    exact = run_curves(*opposite_losses(n_rounds), eta)
    rho = concentrated_run(eta, n_rounds).rho
    curves = {
        "advanced composition": lambda e: _advanced_delta(2 * eta, n_rounds, e),
        "concentrated": lambda e: concentrated_delta(rho, e),
        "all fixed losses, any k": lambda e: nonadaptive_range_delta(2 * eta, n_rounds - 1, e),
        "exact, opposite losses": exact.delta,
    }
    rows = [(name, e, curve(e)) for name, curve in curves.items() for e in epsilons]
    table = pd.DataFrame(rows, columns=["curve", "epsilon", "delta"])
    return table[table["delta"] >= delta].reset_index(drop=True)


def _advanced_delta(step: float, k: int, epsilon: float) -> float:
    """Least delta at which advanced composition gives epsilon; 1 where it gives nothing."""
    rest = epsilon - advanced_epsilon(step, k, 1 - 1e-15)
    return min(1.0, exp(-(rest**2) / (2 * k * step * step))) if rest > 0 else 1.0


def run_audits(cases: Sequence[tuple[int, int, int]], eta: float) -> pd.DataFrame:
    """Exact audits of whole runs over all loss sequences on a grid and all neighbours.

    Parameters
    ----------
    cases : sequence of (n_experts, n_rounds, n_values)
        Small; losses take that many equally spaced values in [0, 1].
    eta : float
        Learning rate.

    Returns
    -------
    DataFrame
        Columns ``k``, ``T``, ``losses``, ``pairs``, ``exact epsilon``, ``2 eta (T - 1)``, ``exact delta`` at
        epsilon = eta / 2, and the ``optimum`` there for fixed losses.

    Examples
    --------
    >>> run_audits([(2, 2, 2)], 0.5).round(4).iloc[0, 3:].tolist()
    [48.0, 0.5, 1.0, 0.1377, 0.1547]
    """
    rows = []
    for k, n_rounds, n_values in cases:
        vectors = np.array(list(product(np.linspace(0, 1, n_values), repeat=k)))
        found = audit.exact(lambda z: action_sequence_law(z, eta), vectors, n_rounds, ordered=True)
        optimum = nonadaptive_range_delta(2 * eta, n_rounds - 1, eta / 2)
        whole = 2 * eta * (n_rounds - 1)
        rows.append(
            (k, n_rounds, n_values, found.n_pairs, found.epsilon, whole, found.delta(eta / 2), optimum)
        )
    columns = ["k", "T", "losses", "pairs", "exact epsilon", "2 eta (T - 1)", "exact delta", "optimum"]
    return pd.DataFrame(rows, columns=columns)


def favoured_share(counts: Sequence[int], eta: float, n_rounds: int, epsilon: float) -> pd.DataFrame:
    """How close the best share of favoured experts comes to the optimum for fixed losses.

    Parameters
    ----------
    counts : sequence of int
        Numbers of experts k.
    eta : float
        Learning rate.
    n_rounds : int
        Number of rounds.
    epsilon : float
        Total in nats.

    Returns
    -------
    DataFrame
        Columns ``k``, ``favoured``, ``delta`` and ``share`` of the optimum.

    Examples
    --------
    >>> favoured_share([2, 60], 0.1, 60, 0.8)["share"].round(3).tolist()
    [0.997, 1.0]
    """
    optimum = nonadaptive_range_delta(2 * eta, n_rounds - 1, epsilon)
    rows = []
    for k in counts:
        numbers = range(max(1, k // 2 - k // 25), k // 2 + 1)
        deltas = [run_curves(*opposite_losses(n_rounds, k, n), eta).delta(epsilon) for n in numbers]
        best = int(np.argmax(deltas))
        rows.append((k, numbers[best], deltas[best], deltas[best] / optimum))
    return pd.DataFrame(rows, columns=["k", "favoured", "delta", "share"])


def resolution_check(
    n_rounds: int, n_experts: int, eta: float, resolutions: Sequence[int], *, seed: int
) -> pd.DataFrame:
    """Exact accounting off the grid: epsilon at delta = 1e-5 for losses drawn uniformly, by resolution.

    Parameters
    ----------
    n_rounds, n_experts : int
        Size of the run.
    eta : float
        Learning rate.
    resolutions : sequence of int
        Points of the grid of one round.
    seed : int
        Seed of the losses.

    Returns
    -------
    DataFrame
        Columns ``resolution`` and ``epsilon``, an upper bound that closes in.

    Examples
    --------
    >>> resolution_check(50, 4, 0.05, [4, 16], seed=0)["epsilon"].is_monotonic_decreasing
    True
    """
    rng = np.random.default_rng(seed)
    first = rng.random((n_rounds, n_experts))
    second = first.copy()
    second[0] = rng.random(n_experts)
    curves = [run_curves(first, second, eta, resolution=r) for r in resolutions]
    return pd.DataFrame({"resolution": list(resolutions), "epsilon": [c.epsilon(1e-5) for c in curves]})
