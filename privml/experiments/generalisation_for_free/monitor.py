"""The monitor, run exactly."""

from collections.abc import Sequence
from math import log

import pandas as pd

from privml.learnability import (
    constant_law,
    erm_law,
    exact_privacy,
    expected_gap_from_privacy,
    exponential_law,
    monitor_privacy,
    monitor_tail,
    monitor_terms,
    monitored_gap,
    permute_and_flip_law,
)
from privml.learnability.problems import coin_problem


def monitored_by_runs(n_samples: int, epsilon: float, eta: float, runs: Sequence[int]) -> pd.DataFrame:
    """What the monitor finds against its number of runs, with the two bounds of the proof.

    Parameters
    ----------
    n_samples : int
        Records in each sample, of fair coins.
    epsilon : float
        Of the exponential mechanism, in nats.
    eta : float
        Of the monitor's choice, in nats.
    runs : sequence of int
        Numbers of runs.

    Returns
    -------
    DataFrame
        Columns ``learner`` ("private" or "ERM"), ``n_runs``, ``largest``, ``chosen``, ``lower``, ``upper``.

    Examples
    --------
    >>> monitored_by_runs(50, 0.1, 0.1, [10]).round(4)
       learner  n_runs  largest  chosen   lower  upper
    0  private      10   0.1188  0.0311 -0.3608   0.05
    1      ERM      10   0.1322  0.0607 -0.3473   0.05
    """
    coin, rows = coin_problem(), []
    for name, law in (("private", exponential_law(coin, epsilon)), ("ERM", erm_law(coin))):
        for n_runs in runs:
            found = monitored_gap(law, coin, [0.5, 0.5], n_samples, n_runs=n_runs, eta=eta)
            lower = found.largest - log(n_runs + 1) / (eta * n_samples)
            upper = expected_gap_from_privacy(epsilon + eta)
            rows.append((name, n_runs, found.largest, found.chosen, lower, upper))
    return pd.DataFrame(rows, columns=["learner", "n_runs", "largest", "chosen", "lower", "upper"])


def monitor_audit(n_samples: int, epsilon: float, etas: Sequence[float]) -> pd.DataFrame:
    """Exact epsilon of the monitor of two runs beside what is promised.

    Parameters
    ----------
    n_samples : int
        Records in each of the two samples, of fair coins.
    epsilon : float
        Of the learners that are monitored, in nats.
    etas : sequence of float
        Of the monitor's choice, in nats.

    Returns
    -------
    DataFrame
        Columns ``learner``, ``eta``, ``exact_epsilon``, ``promised``.

    Examples
    --------
    >>> monitor_audit(4, 1.0, [0.5]).round(4)[["exact_epsilon", "promised"]].values.tolist()
    [[0.4432, 0.5], [1.24, 1.3137], [1.433, 1.5]]
    """
    coin, rows = coin_problem(), []
    laws = {
        "constant": constant_law(coin, 0),
        "exponential": exponential_law(coin, epsilon),
        "permute and flip": permute_and_flip_law(coin, epsilon),
    }
    for name, law in laws.items():
        own = exact_privacy(law, 2, n_samples).value
        for eta in etas:
            spent = monitor_privacy(law, coin, [0.5, 0.5], n_samples, eta=eta)
            rows.append((name, eta, spent, own + eta))
    return pd.DataFrame(rows, columns=["learner", "eta", "exact_epsilon", "promised"])


def monitor_promises(epsilons: Sequence[float], beta: float) -> pd.DataFrame:
    """The monitor's theorem with round constants, beside the best T and eta for the same numbers.

    Parameters
    ----------
    epsilons : sequence of float
        In nats.
    beta : float
        Failure probability in one direction.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``tau``, ``n_samples``, ``delta`` and ``tail``, the optimised bound there.

    Examples
    --------
    >>> monitor_promises([0.125], 0.01).round(4)
       epsilon  tau  n_samples   delta    tail
    0    0.125  0.3        592  0.0003  0.0042
    """
    rows = []
    for epsilon in epsilons:
        tau, m, delta = monitor_terms(epsilon, beta)
        rows.append((epsilon, tau, m, delta, monitor_tail(m, epsilon, tau, delta, two_sided=False)))
    return pd.DataFrame(rows, columns=["epsilon", "tau", "n_samples", "delta", "tail"])
