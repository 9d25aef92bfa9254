"""Lemma 10 and the circle of Theorem 7, exactly: a private learner run on few records drawn from its data."""

from collections.abc import Sequence
from math import exp, isqrt, sqrt, tanh

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.composition import (
    no_repeat_probability,
    root_subsample_epsilon,
    root_subsample_epsilon_wlf16,
    subsampled_with_replacement,
)
from privml.experiments.learnability_in_general.rates import COIN_STEPS, universal_excess_risk
from privml.guarantee import Guarantee
from privml.learnability import (
    CountLaw,
    LearningProblem,
    always_aerm_gap,
    exponential_law,
    resampled_law,
    subsampled_law,
)
from privml.learnability.problems import coin_problem


def switching_law(epsilon: float) -> CountLaw:
    """A private learner from two records: bad with probability ``e^eps / (1 + e^eps)`` if they differ.

    Two hypotheses, good and bad.  If the two records are equal, bad has the other probability.

    Examples
    --------
    >>> switching_law(1.0)(np.array([[1, 1], [2, 0]])).round(4).tolist()
    [[0.2689, 0.7311], [0.7311, 0.2689]]
    """
    high = 1 / (1 + exp(-epsilon))

    def law(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        bad = np.where(np.asarray(counts).max(axis=1) == 1, high, 1 - high)
        return np.stack([1 - bad, bad], axis=1)

    return law


def good_and_bad() -> LearningProblem:
    """Four records, and two hypotheses whose loss is 0 on all of them and 1 on all of them.

    Examples
    --------
    >>> good_and_bad().losses.mean(axis=1).tolist()
    [0.0, 1.0]
    """
    return LearningProblem([[0.0] * 4, [1.0] * 4])


def printed_rate(epsilon: float) -> pd.DataFrame:
    """The rate of Lemma 10 against the gaps of its construction and of draws with replacement, n = 4.

    Parameters
    ----------
    epsilon : float
        Privacy parameter of the switching learner in nats.

    Returns
    -------
    DataFrame
        One row: ``xi(2)`` (worst excess risk from two records), ``gap, subset`` and ``gap, draws`` (worst
        over all data sets of four records), ``sqrt(e) xi(2)``.

    Examples
    --------
    >>> printed_rate(1.0).round(4).values.tolist()
    [[0.6155, 0.7311, 0.6155, 1.0148]]
    """
    problem, law = good_and_bad(), switching_law(epsilon)
    rate = universal_excess_risk(law, problem, 2)
    gaps = [always_aerm_gap(drawn(law, 2), problem, 4).value for drawn in (subsampled_law, resampled_law)]
    columns = ["xi(2)", "gap, subset", "gap, draws", "sqrt(e) xi(2)"]
    return pd.DataFrame([(rate, *gaps, sqrt(exp(1)) * rate)], columns=columns)


def transformed(roots: Sequence[int], epsilon: float) -> pd.DataFrame:
    """The exponential mechanism on the coin problem, run on k of ``m = k^2`` records.

    Parameters
    ----------
    roots : sequence of int
        Numbers k of records drawn.
    epsilon : float
        Privacy parameter of the mechanism in nats.

    Returns
    -------
    DataFrame
        Columns ``m``, ``k``, ``epsilon subset`` and ``epsilon draws`` (what is promised), ``printed``, ``xi``
        (worst excess risk from k records), ``gap subset`` and ``gap draws`` (worst over all data sets),
        ``no repeat``, ``excess`` (worst excess risk of the learner with draws), ``bound`` (its gap plus
        ``tanh(epsilon' / 2)``).

    Examples
    --------
    >>> table = transformed([2, 4], 1.0)
    >>> bool((table["gap draws"] <= table["xi"] + 1e-12).all())
    True
    """
    problem = coin_problem()
    law = exponential_law(problem, epsilon)
    lines = []
    for k in roots:
        n = k * k
        steps = n * max(1, COIN_STEPS // n)  # the grid holds all frequencies of n records
        xi = universal_excess_risk(law, problem, k, steps=steps)
        subset, draws = subsampled_law(law, k), resampled_law(law, k)
        shrunk = subsampled_with_replacement(Guarantee(epsilon), n, k).epsilon
        gap = always_aerm_gap(draws, problem, n).value
        line = {
            "m": n,
            "k": isqrt(n),
            "epsilon subset": root_subsample_epsilon(epsilon, n),
            "epsilon draws": shrunk,
            "printed": root_subsample_epsilon_wlf16(epsilon, n),
            "xi": xi,
            "gap subset": always_aerm_gap(subset, problem, n).value,
            "gap draws": gap,
            "no repeat": no_repeat_probability(n, k),
            "excess": universal_excess_risk(draws, problem, n, steps=steps),
            "bound": gap + tanh(shrunk / 2),
        }
        lines.append(line)
    return pd.DataFrame(lines)


CIRCLE = {
    "printed": "ε′ as printed",
    "epsilon draws": "ε′ of the draws",
    "bound": "gap + tanh(ε′/2)",
    "excess": "excess risk, worst law",
}


def circle(roots: Sequence[int], epsilon: float) -> pd.DataFrame:
    """The quantities of Theorem 7 along the transformation, for a figure.

    Parameters
    ----------
    roots : sequence of int
        Numbers k of records drawn from ``m = k^2``.
    epsilon : float
        Privacy parameter of the mechanism in nats.

    Returns
    -------
    DataFrame
        Columns ``m``, ``curve``, ``value``.

    Examples
    --------
    >>> circle([2], 1.0)["curve"].tolist() == list(CIRCLE.values())
    True
    """
    wide = transformed(roots, epsilon)
    long = wide.melt("m", list(CIRCLE), var_name="curve")
    return long.assign(curve=long["curve"].map(CIRCLE))
