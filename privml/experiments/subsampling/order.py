"""A mechanism that reads its subsample in index order, against the lemmas that forget to forbid it."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml import audit, counterexamples
from privml.adjacency import Adjacency
from privml.composition import (
    amplified_epsilon,
    amplified_epsilon_wlf16,
    amplified_wlf16,
    subsampled_law,
    subsampled_with_replacement,
)
from privml.guarantee import Guarantee

KINDS = np.arange(4)


def audits_of_order(epsilon: float, n_samples: int, subsample_size: int) -> pd.DataFrame:
    """Exact epsilon of the place reader by how its subsample is handed over, all ordered data compared.

    Parameters
    ----------
    epsilon : float
        Of the mechanism on its subsample, in nats.
    n_samples, subsample_size : int
        Small: there are 4^n_samples data sets.

    Returns
    -------
    DataFrame
        Columns ``scheme``, ``formula`` (for draws the formula of draws) and ``exact``.

    Examples
    --------
    >>> audits_of_order(1.0, 3, 2).round(4)
                      scheme  formula   exact
    0  subset in index order   0.7634  0.8562
    1        shuffled subset   0.7634  0.5456
    2     draws with repeats   0.9057  0.4528
    """
    base, size = counterexamples.place_reader(epsilon, subsample_size), subsample_size
    subset = amplified_epsilon(epsilon, size / n_samples)
    draws = subsampled_with_replacement(Guarantee(epsilon), n_samples, size).epsilon
    cases = [
        ("subset in index order", counterexamples.index_ordered_subsample(epsilon, size), subset),
        ("shuffled subset", subsampled_law(base, size, scheme="shuffled subset"), subset),
        ("draws with repeats", subsampled_law(base, size, scheme="draws"), draws),
    ]
    rows = []
    for name, law, formula in cases:
        found = audit.exact(law, KINDS, n_samples, adjacency=Adjacency.REPLACE_ONE, ordered=True)
        rows.append((name, formula, found.epsilon))
    return pd.DataFrame(rows, columns=["scheme", "formula", "exact"])


def layout_loss(n_samples: int, second: np.ndarray | int, epsilon: float) -> np.ndarray:
    """Exact loss of the alarm in index order for subsamples of 2, in closed form.

    Parameters
    ----------
    n_samples : int
        Number of records.
    second : int or ndarray of int
        Records 2 to this one are liked in place 2.
    epsilon : float
        In nats.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> round(float(layout_loss(1000, 121, 4.0)), 4)
    0.3703
    """
    s, n, g = np.asarray(second, dtype=float), float(n_samples), np.expm1(epsilon)
    with_first = 1 + g * (s - 1) / (n - 1)
    without = 1 + g * (s - 1) * (s - 2) / ((n - 1) * (n - 2))
    rate = 2 / n
    high = rate * np.exp(epsilon) * with_first + (1 - rate) * without
    return np.log(high / (rate * with_first + (1 - rate) * without))


def best_layout(n_samples: int, epsilon: float) -> int:
    """The layout of :func:`privml.counterexamples.index_ordered_pair` with the largest loss, for pairs.

    Parameters
    ----------
    n_samples : int
        Number of records, at least 3.
    epsilon : float
        In nats.

    Returns
    -------
    int
        The value of `second`.

    Examples
    --------
    >>> best_layout(1000, 4.0)
    120
    """
    seconds = np.arange(1, n_samples + 1)
    return int(seconds[layout_loss(n_samples, seconds, epsilon).argmax()])


def _loss(n_samples: int, size: int, epsilon: float, second: int, others: int = 0) -> float:
    law = counterexamples.index_ordered_subsample(epsilon, size)
    here, there = counterexamples.index_ordered_pair(n_samples, second=second, others=others)
    return float(law(here).logpmf()[0] - law(there).logpmf()[0])


def index_order_losses(epsilon: float, n_samples: Sequence[int]) -> pd.DataFrame:
    """Exact loss in index order on subsamples of 2 of more and more records, against the bounds.

    Parameters
    ----------
    epsilon : float
        Of the mechanism on its subsample, in nats.
    n_samples : sequence of int
        Numbers of records, at least 3.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``second`` (the layout), ``index_order``, ``tight`` and ``lemma_34``.

    Examples
    --------
    >>> index_order_losses(4.0, [1000]).round(4)
       n_samples  second  index_order   tight  lemma_34
    0       1000     120       0.3703  0.1018    0.2183
    """
    rows = []
    for n in map(int, n_samples):
        second = best_layout(n, epsilon)
        bounds = amplified_epsilon(epsilon, 2 / n), amplified_epsilon_wlf16(epsilon, 2 / n)
        rows.append((n, second, _loss(n, 2, epsilon, second), *bounds))
    return pd.DataFrame(rows, columns=["n_samples", "second", "index_order", "tight", "lemma_34"])


def large_refutations() -> pd.DataFrame:
    """Exact losses in index order above what WLF16 prints, for larger subsamples.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``subsample_size``, ``epsilon``, ``index_order``, ``tight``, ``lemma_34`` and
        ``lemma_31``.

    Examples
    --------
    >>> large_refutations().round(4)[["index_order", "lemma_34", "lemma_31"]]
       index_order  lemma_34  lemma_31
    0       0.1105    0.0940    0.0893
    1       0.2230    0.0852    0.1450
    """
    rows = []
    for n, k, epsilon, second, others in ((2000, 40, 1.0, 16, 120), (10_000, 100, 1.5, 14, 200)):
        bounds = amplified_epsilon_wlf16(epsilon, k / n), amplified_wlf16(epsilon, 0.0, k / n).epsilon
        loss = _loss(n, k, epsilon, second, others)
        rows.append((n, k, epsilon, loss, amplified_epsilon(epsilon, k / n), *bounds))
    names = ["n_samples", "subsample_size", "epsilon", "index_order", "tight", "lemma_34", "lemma_31"]
    return pd.DataFrame(rows, columns=names)
