"""Tables on deviations: of one empirical error, and of the worst of a class."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml import pac
from privml.bounds import tails
from privml.bounds import uniform_convergence as bounds
from privml.experiments.learning_without_privacy.base import ALL_CUTS, clinic, curves


def errors_on_one_sample(n_samples: int, noise: float, beta: float, *, seed: int) -> pd.DataFrame:
    """True and empirical error of every threshold on one sample, with the uniform convergence radius.

    Parameters
    ----------
    n_samples : int
        Size of the sample.
    noise : float
        Probability that a label is flipped.
    beta : float
        Failure probability that the radius allows.
    seed : int
        Seed of the sample.

    Returns
    -------
    DataFrame
        Columns ``cut``, ``true_error``, ``empirical_error``, ``radius``.

    Examples
    --------
    >>> errors_on_one_sample(40, 0.2, 0.05, seed=4)["true_error"].round(2).tolist()
    [0.5, 0.44, 0.38, 0.32, 0.26, 0.2, 0.26, 0.32, 0.38, 0.44, 0.5]
    """
    hypotheses, population = clinic(noise, ALL_CUTS)
    X, y = population.sample(n_samples, rng=seed)
    table = {
        "cut": hypotheses.cuts,
        "true_error": population.error_rates(hypotheses),
        "empirical_error": hypotheses.mistakes(X, y) / n_samples,
        "radius": bounds.uniform_convergence_radius(hypotheses.n_hypotheses, n_samples, beta),
    }
    return pd.DataFrame(table)


def deviation_probability(error_rate: float, n_samples: int, deviation: float) -> float:
    """Exact probability that one empirical error is further than `deviation` from the true error.

    Parameters
    ----------
    error_rate : float
        True error.
    n_samples : int
        Size of the sample.
    deviation : float
        Allowed deviation; one that equals it up to rounding (``pac.SLACK``) is within.

    Returns
    -------
    float
        A sum of binomial probabilities.

    Examples
    --------
    >>> round(deviation_probability(0.5, 2, 0.4), 12)
    0.5
    """
    distance = np.abs(np.arange(n_samples + 1) / n_samples - error_rate)
    law = pac.mistake_count_distribution(error_rate, n_samples)
    return float(law[distance > deviation + pac.SLACK].sum())


def single_tails(
    deviation: float, sizes: Sequence[int], error_rates: Sequence[float] = (0.5, 0.1)
) -> pd.DataFrame:
    """Probability that one empirical error deviates: exact, Hoeffding's bound, the bound that L4 prints.

    Parameters
    ----------
    deviation : float
        Allowed deviation.
    sizes : sequence of int
        Sizes of the sample.
    error_rates : sequence of float
        True errors for the exact curves.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``curve``, ``probability``.

    Examples
    --------
    >>> single_tails(0.2, [50], [0.5]).round(4)
       n_samples                 curve  probability
    0         50   bound printed in L4       1.0000
    1         50     Hoeffding's bound       0.0366
    2         50  exact, true error 50%       0.0026
    """
    rows = []
    for m in sizes:
        rows.append((m, "bound printed in L4", tails.lecture_tail(m, deviation)))
        rows.append((m, "Hoeffding's bound", tails.hoeffding_tail(m, deviation)))
        for error in error_rates:
            rows.append((m, f"exact, true error {error:.0%}", deviation_probability(error, m, deviation)))
    return curves(rows)


def tail_check(
    sizes: Sequence[int], error_rates: Sequence[float], deviations: Sequence[float]
) -> pd.DataFrame:
    """Both tail bounds against the exact tail, on a grid.

    Parameters
    ----------
    sizes : sequence of int
        Sizes of the sample.
    error_rates : sequence of float
        True errors.
    deviations : sequence of float
        Allowed deviations.

    Returns
    -------
    DataFrame
        One row per bound: ``bound``, ``cases``, ``violations``, and ``largest_ratio`` of the exact tail to
        the bound where the bound is below 1.

    Examples
    --------
    >>> tail_check([10, 20], [0.1, 0.5], [0.1, 0.3])["violations"].tolist()
    [0, 0]
    """
    grid = [(error, m, a) for error in error_rates for m in sizes for a in deviations]
    exact = np.array([deviation_probability(*case) for case in grid])
    rows = []
    for name, tail in (("Hoeffding", tails.hoeffding_tail), ("printed in L4", tails.lecture_tail)):
        bound = np.array([tail(m, a) for _, m, a in grid])
        violations = int((exact > bound + pac.SLACK).sum())
        rows.append((name, len(grid), violations, float((exact / bound)[bound < 1].max(initial=0.0))))
    return pd.DataFrame(rows, columns=["bound", "cases", "violations", "largest_ratio"])


def class_deviation(
    noise: float, deviation: float, sizes: Sequence[int], enumerated: Sequence[int]
) -> pd.DataFrame:
    """Probability that some rule of the clinic deviates: three upper bounds, and exact.

    Parameters
    ----------
    noise : float
        Probability that a label is flipped.
    deviation : float
        Allowed deviation.
    sizes : sequence of int
        Sizes of the sample for the bounds.
    enumerated : sequence of int
        Sizes for the exact probability, by enumeration of all samples.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``curve``, ``probability``.

    Examples
    --------
    >>> class_deviation(0.2, 0.2, [20], [20]).round(3)
       n_samples                  curve  probability
    0         20  bound, constant of L4        1.000
    1         20       bound, Hoeffding        1.000
    2         20   union of exact tails        0.153
    3         20                  exact        0.132
    """
    hypotheses, population = clinic(noise)
    errors, rows = population.error_rates(hypotheses), []
    for m in sizes:
        for curve, constant in (("bound, constant of L4", "lecture"), ("bound, Hoeffding", "hoeffding")):
            bound = bounds.uniform_convergence_failure(errors.size, m, deviation, constant=constant)
            rows.append((m, curve, bound))
        one_by_one = sum(deviation_probability(error, m, deviation) for error in errors)
        rows.append((m, "union of exact tails", min(1.0, one_by_one)))
    for m in enumerated:
        exact = pac.uniform_deviation_probability(hypotheses, population, m, deviation)
        rows.append((m, "exact", exact))
    return curves(rows)
