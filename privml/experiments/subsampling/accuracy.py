"""What a subsample costs in accuracy when the privacy of the whole is fixed."""

from collections.abc import Sequence
from math import isqrt, sqrt

import numpy as np
import pandas as pd

from privml import pac
from privml.composition import root_subsample_epsilon, root_subsample_epsilon_wlf16, unamplified_epsilon
from privml.hypotheses import Table
from privml.learners.exponential import exponential_law
from privml.populations import FinitePopulation


def share_deviation(
    epsilon: float, n_samples: int, share: float, subsample_sizes: Sequence[int]
) -> pd.DataFrame:
    """Error of a private share of yes from a subset, when the whole has a given epsilon.

    Parameters
    ----------
    epsilon : float
        Of the whole under ``REPLACE_ONE``, in nats.
    n_samples : int
        Number of records.
    share : float
        Share of yes among them.
    subsample_sizes : sequence of int
        Sizes of the subset.

    Returns
    -------
    DataFrame
        Columns ``subsample_size``, ``inner_epsilon`` (on the subset), and the standard deviations ``noise``
        (Laplace noise on the share), ``sampling`` (subset without repeats) and ``total``.

    Examples
    --------
    >>> share_deviation(0.1, 1000, 0.3, [1000]).round(5)
       subsample_size  inner_epsilon    noise  sampling    total
    0            1000            0.1  0.01414       0.0  0.01414
    """
    rows = []
    for k in map(int, subsample_sizes):
        inner = unamplified_epsilon(epsilon, k / n_samples)
        noise = sqrt(2) / (k * inner)
        sampling = sqrt(share * (1 - share) / k * (n_samples - k) / (n_samples - 1))
        rows.append((k, inner, noise, sampling, float(np.hypot(noise, sampling))))
    names = ["subsample_size", "inner_epsilon", "noise", "sampling", "total"]
    return pd.DataFrame(rows, columns=names)


def learning_from_the_root(epsilon: float, noise: float, n_samples: Sequence[int]) -> pd.DataFrame:
    """Exact excess error of the private learner on floor(sqrt(n)) of n records, and on all of them.

    There are two constant rules and one point whose label is true but for noise.

    Parameters
    ----------
    epsilon : float
        Of the learner on its subsample under ``REPLACE_ONE``, in nats.
    noise : float
        Rate of false labels, below one half.
    n_samples : sequence of int
        Numbers of records.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``subsample_size``, ``tight`` and ``lemma_4`` (epsilon of the whole),
        ``excess`` (mean excess error of the whole) and ``excess_of_all`` (of the learner that spends
        ``tight`` on all records).

    Examples
    --------
    >>> learning_from_the_root(1.0, 0.3, [100]).round(4)[["tight", "lemma_4", "excess", "excess_of_all"]]
        tight  lemma_4  excess  excess_of_all
    0  0.1586   0.4701  0.0747         0.0201
    """
    rules = Table([[False], [True]])
    population = FinitePopulation([0], [True], [1.0]).with_label_noise(noise)
    rows = []
    for n in map(int, n_samples):
        k, tight = isqrt(n), root_subsample_epsilon(epsilon, n)
        part = pac.expected_excess_error(exponential_law(epsilon), rules, population, k)
        whole = pac.expected_excess_error(exponential_law(tight), rules, population, n)
        rows.append((n, k, tight, root_subsample_epsilon_wlf16(epsilon, n), part, whole))
    names = ["n_samples", "subsample_size", "tight", "lemma_4", "excess", "excess_of_all"]
    return pd.DataFrame(rows, columns=names)
