"""Tables on drawing: rounds of the rejection sampler, and permute-and-flip against the mechanism."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.distributions import expected_rejection_rounds, rejection_sample
from privml.mechanisms import ExponentialMechanism, PermuteAndFlip


def tie_and_neighbour(n_options: int, votes_each: int) -> tuple[list[int], list[int]]:
    """Votes with two leaders of equal rank, and the same votes after one voter changed sides.

    Parameters
    ----------
    n_options : int
        Number of options, at least 2.
    votes_each : int
        Votes of each leader, at least 1; the other options have none.

    Returns
    -------
    tie, neighbour : list of int

    Examples
    --------
    >>> tie_and_neighbour(3, 5)
    ([5, 5, 0], [6, 4, 0])
    """
    rest = [0] * (n_options - 2)
    return [votes_each, votes_each, *rest], [votes_each + 1, votes_each - 1, *rest]


def rejection_rounds(
    n_options: int, votes_each: int, epsilon: float, *, n_draws: int, largest: int, seed: int
) -> pd.DataFrame:
    """How long the rejection sampler runs on two neighbouring data sets, exactly and in simulation.

    Parameters
    ----------
    n_options, votes_each : int
        The data sets, see :func:`tie_and_neighbour`.
    epsilon : float
        Privacy parameter in nats.
    n_draws : int
        Number of simulated draws for each curve.
    largest : int
        Largest number of rounds in the table.
    seed : int
        Seed of the simulation.

    Returns
    -------
    DataFrame
        Columns ``envelope``, ``votes`` ("tie" or "neighbour"), ``rounds``, ``exact`` and ``observed``:
        the probability of more than that many rounds, and its frequency.

    Examples
    --------
    >>> table = rejection_rounds(3, 5, 1.0, n_draws=200, largest=2, seed=0)
    >>> table.query("envelope == 'normalised' and rounds == 2")["exact"].round(4).tolist()
    [0.4444, 0.4444]
    """
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    streams = iter(np.random.default_rng(seed).spawn(4))
    rows = []
    for envelope in ("normalised", "maximum"):
        for name, votes in zip(("tie", "neighbour"), tie_and_neighbour(n_options, votes_each), strict=True):
            law = mechanism.output_distribution(votes)
            stop = 1 / expected_rejection_rounds(law, envelope=envelope)
            counts = rejection_sample(law, n_draws, envelope=envelope, rng=next(streams)).rounds
            for r in range(largest + 1):
                rows.append((envelope, name, r, (1 - stop) ** r, float((counts > r).mean())))
    return pd.DataFrame(rows, columns=["envelope", "votes", "rounds", "exact", "observed"])


def selection_comparison(profiles: Sequence[Sequence[int]], epsilons: Sequence[float]) -> pd.DataFrame:
    """Expected shortfall of permute-and-flip relative to the exponential mechanism, exactly.

    Parameters
    ----------
    profiles : sequence of sequences of int
        Score vectors, for instance numbers of votes.
    epsilons : sequence of float
        Privacy parameters in nats.

    Returns
    -------
    DataFrame
        Columns ``profile`` (number, from 1), ``epsilon``, ``exponential`` and ``permute_and_flip`` (expected
        distance below the best score), ``ratio`` (1 when both are 0) and ``floor``, the proved lower bound of
        the ratio.

    Examples
    --------
    >>> selection_comparison([[0, 8]], [1.0]).round(4)
       profile  epsilon  exponential  permute_and_flip   ratio   floor
    0        1      1.0       0.1439            0.0733  0.5092  0.5045
    """
    rows = []
    for number, scores in enumerate(profiles, 1):
        shortfall = max(scores) - np.asarray(scores, dtype=float)
        for epsilon in epsilons:
            laws = [kind(epsilon=epsilon, sensitivity=1.0) for kind in (ExponentialMechanism, PermuteAndFlip)]
            gaps = [float(law.output_distribution(scores).pmf() @ shortfall) for law in laws]
            total = float(np.exp(-epsilon / 2 * shortfall).sum())
            ratio = gaps[1] / gaps[0] if gaps[0] > 0 else 1.0
            rows.append((number, float(epsilon), *gaps, ratio, total / (1 + total)))
    names = ["profile", "epsilon", "exponential", "permute_and_flip", "ratio", "floor"]
    return pd.DataFrame(rows, columns=names)
