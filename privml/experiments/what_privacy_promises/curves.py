"""Tables on privacy loss, privacy curves, post-processing, and what delta allows."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privml import audit
from privml.divergences import privacy_loss
from privml.experiments.what_privacy_promises.base import (
    answers_by_name_law,
    name_and_shame_law,
    yes_count_law,
)
from privml.mechanisms import ExponentialMechanism

BITS = np.array([0, 1])


def neighbouring_counts(epsilon: float, answers: Sequence[int]) -> pd.DataFrame:
    """Law of the number of yes after randomised response, for the answers and with the last one changed.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    answers : sequence of int
        True answers, bits.

    Returns
    -------
    DataFrame
        Columns ``n_yes``, ``here`` and ``neighbour`` (probabilities), ``privacy_loss`` in nats.

    Examples
    --------
    >>> neighbouring_counts(np.log(3), [0, 1]).round(4)
       n_yes    here  neighbour  privacy_loss
    0      0  0.1875     0.5625       -1.0986
    1      1  0.6250     0.3750        0.5108
    2      2  0.1875     0.0625        1.0986
    """
    law = yes_count_law(epsilon)
    here, there = law(answers), law([*answers[:-1], 1 - answers[-1]])
    table = pd.DataFrame({"n_yes": np.arange(len(here)), "here": here, "neighbour": there})
    return table.assign(privacy_loss=privacy_loss(np.log(here), np.log(there)))


def privacy_curves(epsilon: float, n_samples: int, delta: float, grid: ArrayLike) -> pd.DataFrame:
    """Exact curves delta(epsilon) under ``REPLACE_ONE`` of four releases about the same bits.

    Parameters
    ----------
    epsilon : float
        Parameter of randomised response and of the exponential mechanism, in nats.
    n_samples : int
        Number of records.
    delta : float
        Probability with which name-and-shame publishes a record.
    grid : array_like
        Where the curves are wanted, in nats, non-negative.

    Returns
    -------
    DataFrame
        Columns ``mechanism``, ``epsilon``, ``delta``.

    Notes
    -----
    Releases that treat records separately are audited on one record: the others cancel.

    Examples
    --------
    >>> privacy_curves(1.0, 5, 0.01, [0.5]).round(4)
                            mechanism  epsilon   delta
    0                 answers by name      0.5  0.2876
    1                number of yes      ...
    """
    vote = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    members = {
        "answers by name": (answers_by_name_law(epsilon), 1),
        "number of yes": (yes_count_law(epsilon), n_samples),
        "private majority": (lambda z: vote.output_distribution([len(z) - z.sum(), z.sum()]), n_samples),
        "name and shame": (name_and_shame_law(delta), 1),
    }
    tables = []
    for name, (law, size) in members.items():
        curve = audit.exact(law, BITS, size).delta(grid)
        tables.append(pd.DataFrame({"mechanism": name, "epsilon": np.asarray(grid, float), "delta": curve}))
    return pd.concat(tables, ignore_index=True)


def loss_tail(epsilon: float, n_samples: int, thresholds: ArrayLike) -> pd.DataFrame:
    """delta(t) of the number of yes against the probability of a privacy loss above t.

    Parameters
    ----------
    epsilon : float
        Parameter of randomised response in nats.
    n_samples : int
        Number of records.
    thresholds : array_like
        Values of t in nats.

    Returns
    -------
    DataFrame
        Columns ``threshold``, ``delta``, ``loss_probability``, for the pair of neighbours with no yes and
        with one yes.

    Examples
    --------
    >>> loss_tail(1.0, 12, [0.5]).round(4)
       threshold  delta  loss_probability
    0        0.5  0.003            0.0383
    """
    table = neighbouring_counts(epsilon, [0] * (n_samples - 1) + [1])
    rows = []
    for t in np.asarray(thresholds, dtype=float):
        above = table[table["privacy_loss"] > t + 1e-12]
        excess = above["here"] - np.exp(t) * above["neighbour"]
        rows.append((float(t), float(excess.sum()), float(above["here"].sum())))
    return pd.DataFrame(rows, columns=["threshold", "delta", "loss_probability"])


def maps_of_outcomes(epsilon: float, n_samples: int, grid: ArrayLike) -> pd.DataFrame:
    """Every map of the number of yes to as many values: what is left of the curve under ``REPLACE_ONE``.

    Parameters
    ----------
    epsilon : float
        Parameter of randomised response in nats.
    n_samples : int
        Number of records m; there are (m + 1)^(m + 1) maps.
    grid : array_like
        Where curves are compared, in nats.

    Returns
    -------
    DataFrame
        One row for each number of values: ``n_values``, ``n_maps``, ``smallest_epsilon`` and
        ``largest_epsilon`` over these maps, and ``largest_rise``, the largest amount by which a curve
        exceeds that of the number itself (negative zero or rounding if none does).

    Examples
    --------
    >>> maps_of_outcomes(1.0, 2, [0.0, 0.5]).round(3).iloc[:, :4]
       n_values  n_maps  smallest_epsilon  largest_epsilon
    0         1       3             0.000              0.0
    1         2      18             0.434              1.0
    2         3       6             1.000              1.0
    """
    law, size = yes_count_law(epsilon), n_samples + 1
    before = audit.exact(law, BITS, n_samples).delta(grid)
    rows = []
    for images in product(range(size), repeat=size):
        channel = np.eye(size)[list(images)]
        after = audit.exact(lambda z, channel=channel: law(z) @ channel, BITS, n_samples)
        rows.append((len(set(images)), after.epsilon, float((after.delta(grid) - before).max())))
    table = pd.DataFrame(rows, columns=["n_values", "epsilon", "rise"]).groupby("n_values")
    columns = {
        "n_maps": table["epsilon"].size(),
        "smallest_epsilon": table["epsilon"].min(),
        "largest_epsilon": table["epsilon"].max(),
        "largest_rise": table["rise"].max(),
    }
    return pd.DataFrame(columns).reset_index()


def exposures(sizes: Sequence[int]) -> pd.DataFrame:
    """How likely name-and-shame publishes somebody, for four choices of delta.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records m.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``delta`` (as text), ``probability`` that at least one record is published.

    Examples
    --------
    >>> exposures([100]).round(6)
       n_samples   delta  probability
    0        100   1 / m     0.633968
    1        100   0.001     0.095208
    2        100    1e-6     0.000100
    3        100  1 / m²     0.009951
    """
    choices = {"1 / m": lambda m: 1 / m, "0.001": lambda m: 1e-3, "1e-6": lambda m: 1e-6}
    choices["1 / m²"] = lambda m: 1 / m**2
    rows = [
        (m, name, float(-np.expm1(m * np.log1p(-delta(m))))) for name, delta in choices.items() for m in sizes
    ]
    return pd.DataFrame(rows, columns=["n_samples", "delta", "probability"])
