"""Tables on noise: tails of margins, and the constants of both forms of the condition."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from privml.bounds.noise_condition import bernstein_from_tail
from privml.hypotheses import Table, Thresholds
from privml.populations import (
    FinitePopulation,
    TsybakovLine,
    agnostic_line,
    bernstein_constant,
    noise_margins,
)


def margin_tails(taus: Sequence[float], n_points: int, distances: Sequence[float]) -> pd.DataFrame:
    """Probability of a noise margin of at most t on the line, and the bound of the condition.

    Parameters
    ----------
    taus : sequence of float
        Exponents, in (0, 1).
    n_points : int
        Number of points of the line, even.
    distances : sequence of float
        Values of t.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``t``, ``probability``, ``bound``.

    Examples
    --------
    >>> margin_tails([0.5], 8, [0.25, 0.3])
       tau     t  probability  bound
    0  0.5  0.25          0.5    0.5
    1  0.5  0.30          0.5    0.6
    """
    rows = []
    for tau in taus:
        line = TsybakovLine(tau=tau, n_points=n_points)
        margins, masses = noise_margins(line.population)
        for t in distances:
            probability = masses[margins <= t + 1e-12].sum()
            rows.append((tau, t, probability, min(1.0, line.tail_constant * t ** (tau / (1 - tau)))))
    return pd.DataFrame(rows, columns=["tau", "t", "probability", "bound"])


def bernstein_constants(taus: Sequence[float], n_points: int) -> pd.DataFrame:
    """Least constant of the Bernstein condition over all labellings of a line, and the one that is proved.

    Parameters
    ----------
    taus : sequence of float
        Exponents, in (0, 1).
    n_points : int
        Number of points, even; all ``2**n_points`` labellings are gone through.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``tail constant``, ``least eta`` (all labellings), ``thresholds`` (these only),
        ``proved``.

    Examples
    --------
    >>> bernstein_constants([0.5], 8).round(3)
       tau  tail constant  least eta  thresholds  proved
    0  0.5            2.0      1.265         1.0   1.414
    """
    labellings = Table(np.array(list(product([False, True], repeat=n_points))))
    rows = []
    for tau in taus:
        line = TsybakovLine(tau=tau, n_points=n_points)
        population = line.population
        indexed = FinitePopulation(np.tile(np.arange(n_points), 2), population.y, population.probabilities)
        least = bernstein_constant(labellings, indexed, tau)
        cuts = bernstein_constant(line.hypotheses, population, tau)
        proved = bernstein_from_tail(line.tail_constant, tau)
        rows.append((tau, line.tail_constant, least, cuts, proved))
    return pd.DataFrame(rows, columns=["tau", "tail constant", "least eta", "thresholds", "proved"])


def agnostic_constants(gaps: Sequence[float], n_points: int) -> pd.DataFrame:
    """What becomes of the constant for thresholds when the best classifier is no threshold.

    Parameters
    ----------
    gaps : sequence of float
        Probability of the label True in the last third.
    n_points : int
        Number of points, a multiple of 3.

    Returns
    -------
    DataFrame
        Columns ``gap``, ``best error``, ``margin`` (the least), ``eta at tau 1``, ``eta at tau 1/2``.

    Examples
    --------
    >>> agnostic_constants([0.1], 9).round(3)
       gap  best error  margin  eta at tau 1  eta at tau 1/2
    0  0.1         0.3     0.4          10.0           2.582
    """
    cuts = Thresholds(np.arange(n_points + 1) / n_points)
    rows = []
    for gap in gaps:
        population = agnostic_line(n_points, gap)
        etas = [bernstein_constant(cuts, population, tau) for tau in (1.0, 0.5)]
        rows.append((gap, population.best(cuts).error, noise_margins(population).margins.min(), *etas))
    return pd.DataFrame(rows, columns=["gap", "best error", "margin", "eta at tau 1", "eta at tau 1/2"])
