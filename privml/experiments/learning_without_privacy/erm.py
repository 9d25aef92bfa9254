"""Tables on empirical risk minimisation: how often it fails, how many samples it needs, and why it works."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml import pac
from privml.bounds import uniform_convergence as bounds
from privml.experiments.learning_without_privacy.base import all_samples, clinic, coin, curves
from privml.learners.erm import erm_law


def erm_failure(noise: float, alpha: float, sizes: Sequence[int], enumerated: Sequence[int]) -> pd.DataFrame:
    """Probability that ERM misses the best rule by more than alpha: bound, hard population, clinic.

    Parameters
    ----------
    noise : float
        Probability that a label of the clinic is flipped.
    alpha : float
        Excess error that is still allowed.
    sizes : sequence of int
        Sizes of the sample for the bound and for the coin.
    enumerated : sequence of int
        Sizes of the sample for the clinic.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``curve``, ``probability``.

    Examples
    --------
    >>> erm_failure(0.2, 0.2, [60], [20]).round(4)
       n_samples          curve  probability
    0         60          bound       1.0000
    1         60    exact, coin       0.0646
    2         20  exact, clinic       0.0700
    """
    hypotheses, population = clinic(noise)
    law, rows = erm_law("uniform"), []
    for m in sizes:
        bound = bounds.uniform_convergence_failure(hypotheses.n_hypotheses, m, alpha / 2)
        rows.append((m, "bound", bound))
        rows.append((m, "exact, coin", pac.failure_probability(law, hypotheses, coin(alpha), m, alpha)))
    for m in enumerated:
        rows.append((m, "exact, clinic", pac.failure_probability(law, hypotheses, population, m, alpha)))
    return curves(rows)


def erm_sample_sizes(noise: float, alpha: float, beta: float, *, run: int = 8) -> pd.DataFrame:
    """Samples after which ERM fails with probability at most beta: promised, and exactly needed.

    Parameters
    ----------
    noise : float
        Probability that a label of the clinic is flipped.
    alpha : float
        Excess error that is still allowed.
    beta : float
        Failure probability that is still allowed.
    run : int, default 8
        The clinic's number is the first of that many consecutive sizes at which beta is met.

    Returns
    -------
    DataFrame
        Columns ``population``, ``n_samples``, ``share_of_bound``.

    Examples
    --------
    >>> erm_sample_sizes(0.2, 0.2, 0.05)["n_samples"].tolist()
    [240, 69, 24]
    """
    hypotheses, population = clinic(noise)
    promised = bounds.agnostic_erm_sample_size(hypotheses.n_hypotheses, alpha, beta)
    case = {"law": erm_law("uniform"), "hypotheses": hypotheses, "alpha": alpha, "beta": beta}
    hard = pac.smallest_sample_size(population=coin(alpha), upper=promised, **case)
    easy = pac.smallest_sample_size(population=population, upper=promised, run=run, **case)
    rows = [("any (theorem)", promised), ("coin (exact)", hard), ("clinic (exact)", easy)]
    table = pd.DataFrame(rows, columns=["population", "n_samples"])
    return table.assign(share_of_bound=table["n_samples"] / promised)


def erm_chain(noise: float, sizes: Sequence[int]) -> pd.DataFrame:
    """The deterministic half of the ERM theorem, on every sample and for every way to break ties.

    Parameters
    ----------
    noise : float
        Probability that a label of the clinic is flipped.
    sizes : sequence of int
        Sizes of the sample.

    Returns
    -------
    DataFrame
        Columns ``population``, ``n_samples``, ``n_datasets``, ``violations`` of "the excess is at most
        twice the largest gap", and ``largest_ratio`` of the excess to twice the largest gap.

    Examples
    --------
    >>> erm_chain(0.2, [2]).round(3)
      population  n_samples  n_datasets  violations  largest_ratio
    0     clinic          2         210           0            0.4
    1       coin          2           3           0            1.0
    """
    hypotheses, population = clinic(noise)
    rows = []
    for name, where in (("clinic", population), ("coin", coin(0.2))):
        errors = where.error_rates(hypotheses)
        for m in sizes:
            _, mistakes = all_samples(hypotheses, where, m)
            gap = np.abs(mistakes / m - errors).max(axis=1)
            minimal = mistakes == mistakes.min(axis=1, keepdims=True)
            excess = np.where(minimal, errors, -np.inf).max(axis=1) - errors.min()
            violations = int((excess > 2 * gap + pac.SLACK).sum())
            rows.append((name, m, len(mistakes), violations, float((excess / (2 * gap)).max())))
    names = ["population", "n_samples", "n_datasets", "violations", "largest_ratio"]
    return pd.DataFrame(rows, columns=names)
