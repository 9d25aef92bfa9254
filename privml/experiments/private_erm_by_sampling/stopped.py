"""Tables on small chains, exactly by powers of their matrices: stopping early, wells, and rules that look."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.distributions import Categorical
from privml.divergences import hockey_stick, total_variation
from privml.guarantee import Guarantee
from privml.learners.penalised_erm import (
    Box,
    ExponentialERM,
    LogisticLoss,
    PenalisedRisk,
    chain_laws,
    early_stopping_guarantee,
    line_chain,
    spectral_distance,
)


def line_laws(n_samples: int, epsilon: float, n_points: int, radius: float) -> list[Categorical]:
    """Laws on a grid for 0, 1, ..., n records with label -1 among n of one feature, with logistic loss."""
    grid, laws = Box([-radius], [radius]).grid(n_points), []
    for minus in range(n_samples + 1):
        y = np.repeat([1.0, -1.0], [n_samples - minus, minus])
        risk = PenalisedRisk(np.ones((n_samples, 1)), y, LogisticLoss(), grid)
        laws.append(ExponentialERM(risk, epsilon).finite_law())
    return laws


def logs_of(probabilities: NDArray) -> NDArray[np.float64]:
    """Logarithms, minus infinity where rounding left nothing.

    Examples
    --------
    >>> logs_of(np.array([1.0, -1e-20])).tolist()
    [0.0, -inf]
    """
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(probabilities, 0.0))


def largest_delta(laws: NDArray, epsilon: float) -> float:
    """Largest hockey-stick divergence of laws that follow each other, both ways.

    Examples
    --------
    >>> largest_delta(np.array([[0.5, 0.5], [0.4, 0.6], [0.1, 0.9]]), 0.0).__round__(9)
    0.3
    """
    logs = logs_of(laws)
    both = [hockey_stick(logs[:-1], logs[1:], epsilon), hockey_stick(logs[1:], logs[:-1], epsilon)]
    return float(np.max(both))


def _starts(targets: list[Categorical]) -> dict[str, list[NDArray[np.float64]]]:
    """First laws of the chains of all data sets: the middle state, or the mode of each target."""
    states = np.eye(targets[0].n_outcomes)
    modes = [states[int(target.logpmf().argmax())] for target in targets]
    return {"middle": [states[len(states) // 2]] * len(targets), "mode": modes}


def stopped(
    steps: Sequence[int], n_samples: int, epsilon: float, *, n_points: int = 25, radius: float = 3.0
) -> pd.DataFrame:
    """A chain on a grid that is stopped: distance, its proved bound, and three deltas.

    Parameters
    ----------
    steps : sequence of int
        Increasing numbers of steps.
    n_samples : int
        Number of records, of one feature and two labels; all data sets are covered.
    epsilon : float
        Privacy parameter of the target in nats.
    n_points : int, default 25
        Points of the grid.
    radius : float, default 3
        The grid covers [-radius, radius].

    Returns
    -------
    DataFrame
        Columns ``start`` (the middle state, or the mode of each data set's own target), ``steps``,
        ``distance`` (largest total variation from the target), ``proved`` (its spectral bound),
        ``delta_exact`` (largest over neighbours), ``delta_distance`` and ``delta_proved`` (by
        ``early_stopping_guarantee``).

    Examples
    --------
    >>> stopped([0, 1000], 4, 1.0, n_points=9)["delta_exact"].round(6).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    targets = line_laws(n_samples, epsilon, n_points, radius)
    chains = [line_chain(target) for target in targets]
    rows = []
    for name, firsts in _starts(targets).items():
        cases = list(zip(chains, targets, firsts, strict=True))
        laws = np.array([chain_laws(chain, first, steps) for chain, _, first in cases])
        for index, n_steps in enumerate(steps):
            reached = laws[:, index]
            pairs = zip(reached, targets, strict=True)
            distance = max(float(total_variation(logs_of(p), target.logpmf())) for p, target in pairs)
            proved = max(spectral_distance(*case, n_steps) for case in cases)
            deltas = [early_stopping_guarantee(Guarantee(epsilon), eta).delta for eta in (distance, proved)]
            rows.append((name, n_steps, distance, proved, largest_delta(reached, epsilon), *deltas))
    columns = "start steps distance proved delta_exact delta_distance delta_proved"
    return pd.DataFrame(rows, columns=columns.split())


def looking(
    heights: Sequence[float], n_steps: int, n_samples: int, epsilon: float, *, n_points: int = 25
) -> pd.DataFrame:
    """A chain that stops as soon as its state is good on the data, or after a number of steps.

    Parameters
    ----------
    heights : sequence of float
        It stops where the excess empirical risk is at most this; infinity: at the first state.
    n_steps : int
        Largest number of steps.
    n_samples : int
        As in `stopped`.
    epsilon : float
        Privacy parameter of the target in nats, and the claim.
    n_points : int, default 25
        Points of the grid.

    Returns
    -------
    DataFrame
        Columns ``height``, ``delta`` (exact at the claimed epsilon), ``delta_ten`` (at ten times that),
        ``excess`` (mean excess empirical risk, the largest of all data sets).

    Examples
    --------
    >>> looking([np.inf], 10, 4, 1.0)["delta"].tolist()
    [0.0]
    """
    targets, start = line_laws(n_samples, epsilon, n_points, 3.0), np.full(n_points, 1 / n_points)
    exponent = epsilon * n_samples / (2 * LogisticLoss().oscillation(3.0 * (1 - 1 / n_points)))
    rows = []
    for height in heights:
        laws, excesses = [], []
        for target in targets:
            excess = (target.logpmf().max() - target.logpmf()) / exponent
            chain = line_chain(target)
            chain[excess <= height] = np.eye(n_points)[excess <= height]
            laws.append(chain_laws(chain, start, [n_steps])[0])
            excesses.append(laws[-1] @ excess)
        deltas = largest_delta(np.array(laws), epsilon), largest_delta(np.array(laws), 10 * epsilon)
        rows.append((height, *deltas, max(excesses)))
    return pd.DataFrame(rows, columns=["height", "delta", "delta_ten", "excess"])
