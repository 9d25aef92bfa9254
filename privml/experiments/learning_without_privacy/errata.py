"""Tables on what two sources print: a goal for the empirical error, a sample size without confidence."""

from collections.abc import Sequence
from math import ceil, log, log2

import numpy as np
import pandas as pd

from privml import pac
from privml.bounds.uniform_convergence import agnostic_erm_sample_size
from privml.experiments.learning_without_privacy.base import all_samples, coin
from privml.hypotheses import Table
from privml.learners.erm import erm_law
from privml.populations import FinitePopulation


def printed_goal(n_points: int, sizes: Sequence[int], alpha: float) -> pd.DataFrame:
    """The goal printed in lecture 4, about the empirical error, beside the goal of PAC learning.

    The class labels `n_points` equally likely instances in all ways; every true label is True; ERM takes
    the first of the hypotheses with the fewest mistakes, in an order that starts with the constant False.

    Parameters
    ----------
    n_points : int
        Number of instances.
    sizes : sequence of int
        Sizes of the sample.
    alpha : float
        Excess error that is still allowed.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``printed_goal_fails``, ``pac_goal_fails``: exact probabilities.

    Examples
    --------
    >>> printed_goal(4, [2], 0.2).round(3)
       n_samples  printed_goal_fails  pac_goal_fails
    0          2                 0.0             1.0
    """
    labellings = (np.arange(1 << n_points)[:, None] >> np.arange(n_points)) & 1
    hypotheses, points = Table(labellings.astype(bool)), np.arange(n_points)
    population = FinitePopulation(points, points >= 0, np.full(n_points, 1 / n_points))
    law, best, rows = erm_law("first"), population.best(hypotheses).error, []
    for m in sizes:
        probabilities, mistakes = all_samples(hypotheses, population, m)
        printed = (law(mistakes) * (mistakes / m > best + alpha + pac.SLACK)).sum(axis=1)
        fails = pac.failure_probability(law, hypotheses, population, m, alpha)
        rows.append((m, float(probabilities @ printed), fails))
    return pd.DataFrame(rows, columns=["n_samples", "printed_goal_fails", "pac_goal_fails"])


def printed_sampling_bound(alphas: Sequence[float], beta: float) -> pd.DataFrame:
    """ERM over two constants on a hard coin: with ``log|C| / alpha**2`` samples, and with enough.

    Parameters
    ----------
    alphas : sequence of float
        Excess errors that are still allowed.
    beta : float
        Failure probability that the corrected sample size meets.

    Returns
    -------
    DataFrame
        Columns ``alpha``, ``logarithm`` ("natural", "binary", or "corrected" for the right sample size),
        ``n_samples``, ``failure`` (exact probability).

    Examples
    --------
    >>> printed_sampling_bound([0.1], 0.05).round(4)
       alpha  logarithm  n_samples  failure
    0    0.1    natural         70   0.2016
    1    0.1     binary        100   0.1587
    2    0.1  corrected        877   0.0015
    """
    constants, law, rows = Table([[False], [True]]), erm_law("uniform"), []
    for alpha in alphas:
        sizes = {
            "natural": ceil(log(2) / alpha**2),
            "binary": ceil(log2(2) / alpha**2 - 1e-9),
            "corrected": agnostic_erm_sample_size(2, alpha, beta),
        }
        for logarithm, n in sizes.items():
            failure = pac.failure_probability(law, constants, coin(alpha, 0.0), n, alpha)
            rows.append((alpha, logarithm, n, failure))
    return pd.DataFrame(rows, columns=["alpha", "logarithm", "n_samples", "failure"])
