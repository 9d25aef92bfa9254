"""Tables on a law with two wells: chains that stay in one, and what their first state gives away."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.divergences import total_variation
from privml.experiments.private_erm_by_sampling.stopped import largest_delta, logs_of
from privml.learners.penalised_erm import (
    Box,
    ExponentialERM,
    PenalisedRisk,
    RampLoss,
    chain_laws,
    diagnose,
    line_chain,
)


def two_wells(epsilon: float, n_samples: int, more: int = 0, *, n_points: int = 61) -> ExponentialERM:
    """A law with two wells on a line: ramp loss, 20 records that pull softly right for 11 that push left.

    `more` of the former are replaced by the latter.

    Examples
    --------
    >>> [round(float(two_wells(1.0, 31).risk.value([[h]])[0]), 4) for h in (-1.0, 1.0, 10.0)]
    [0.3548, 0.6452, 0.3548]
    """
    minus = n_samples * 11 // 31 + more
    X = np.repeat([[0.1], [1.0]], [n_samples - minus, minus], axis=0)
    y = np.repeat([1.0, -1.0], [n_samples - minus, minus])
    return ExponentialERM(PenalisedRisk(X, y, RampLoss(), Box([-10.0], [10.0]).grid(n_points)), epsilon)


def _paths(chain: NDArray, first: NDArray, n_steps: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """States of several chains after each step."""
    cumulative = np.cumsum(chain, axis=1)
    states = np.empty((len(first), n_steps), dtype=int)
    state = np.asarray(first)
    for step in range(n_steps):
        state = (rng.random(len(state))[:, None] > cumulative[state]).sum(axis=1).clip(max=len(chain) - 1)
        states[:, step] = state
    return states


def stuck(n_steps: int, epsilon: float, n_samples: int, *, n_points: int = 61, seed: int) -> pd.DataFrame:
    """Diagnostics and exact distance of chains on the two wells, from one start and from two.

    Parameters
    ----------
    n_steps : int
        Steps of warm-up, and as many kept.
    epsilon : float
        Privacy parameter in nats.
    n_samples : int
        Number of records, a multiple of 31.
    n_points : int, default 61
        Points of the grid on [-10, 10].
    seed : int
        For the four chains.

    Returns
    -------
    DataFrame
        Columns ``start``, ``r_hat``, ``effective_size``, ``mixed``, ``distance`` (exact total variation of
        the law of the released state from the target).

    Examples
    --------
    >>> stuck(50, 1.0, 62, seed=0).shape
    (2, 5)
    """
    target = two_wells(epsilon, n_samples, n_points=n_points).finite_law()
    chain, places = line_chain(target), np.linspace(-10, 10, 2 * n_points + 1)[1::2]
    left, right = int(np.argmin(abs(places + 1))), n_points - 1
    rows = []
    for name, first in (("left well", [left] * 4), ("both wells", [left, left, right, right])):
        states = _paths(chain, np.array(first), 2 * n_steps, np.random.default_rng(seed))
        found = diagnose(places[states[:, n_steps:, None]], 1.0)
        law = chain_laws(chain, np.eye(n_points)[first[0]], [2 * n_steps])[0]
        distance = float(total_variation(logs_of(law), target.logpmf()))
        rows.append((name, found.r_hat, found.effective_size, found.mixed, distance))
    return pd.DataFrame(rows, columns=["start", "r_hat", "effective_size", "mixed", "distance"])


def start_matters(n_steps: int, epsilon: float, n_samples: int, *, n_points: int = 61) -> pd.DataFrame:
    """What a stuck chain gives away, from a fixed first state and from the mode of its own target.

    Parameters
    ----------
    n_steps : int
        Number of steps.
    epsilon : float
        Privacy parameter of the target in nats, and the claim.
    n_samples : int
        Number of records, a multiple of 31.
    n_points : int, default 61
        Points of the grid on [-10, 10].

    Returns
    -------
    DataFrame
        Columns ``start``, ``delta`` (exact at the claimed epsilon, the largest over two pairs of neighbours
        around the tie of the wells).

    Examples
    --------
    >>> start_matters(100, 2.0, 62)["delta"].round(3).tolist()
    [0.0, 1.0]
    """
    places = np.linspace(-10, 10, 2 * n_points + 1)[1::2]
    left, laws = int(np.argmin(abs(places + 1))), {"left well": [], "mode": []}
    for more in (-1, 0, 1):
        target = two_wells(epsilon, n_samples, more, n_points=n_points).finite_law()
        chain = line_chain(target)
        for name, first in (("left well", left), ("mode", int(target.logpmf().argmax()))):
            laws[name].append(chain_laws(chain, np.eye(n_points)[first], [n_steps])[0])
    rows = [(name, largest_delta(np.array(found), epsilon)) for name, found in laws.items()]
    return pd.DataFrame(rows, columns=["start", "delta"])


def well_laws(steps: Sequence[int], epsilon: float, n_samples: int, *, n_points: int = 61) -> pd.DataFrame:
    """The law with two wells, and laws of the chain from the left well after some steps.

    Examples
    --------
    >>> well_laws([10], 1.0, 62).groupby("curve", sort=False)["probability"].sum().round(9).tolist()
    [1.0, 1.0]
    """
    target = two_wells(epsilon, n_samples, n_points=n_points).finite_law()
    places = np.linspace(-10, 10, 2 * n_points + 1)[1::2]
    start = np.eye(n_points)[int(np.argmin(abs(places + 1)))]
    laws = chain_laws(line_chain(target), start, steps)
    curves = {"target": target.pmf(), **{f"{n} steps": law for n, law in zip(steps, laws, strict=True)}}
    tables = [pd.DataFrame({"curve": name, "h": places, "probability": p}) for name, p in curves.items()]
    return pd.concat(tables, ignore_index=True)
