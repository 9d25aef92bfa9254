"""Tables on what the sources print: a sample size without the class, a one-sided event, a reversed chain."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privml import pac
from privml.bounds import private_pac
from privml.experiments.private_pac_learning.base import MARGIN, crowd, crowd_law
from privml.pac import mistake_count_distribution


def size_without_class(epsilon: float, alpha: float, beta: float, constant: int = 1) -> int:
    """Sample size of lecture 4 as transcribed, without the size of the class.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    alpha, beta : float
        Excess error and failure probability.
    constant : int
        The factor that Theta(.) hides.

    Returns
    -------
    int
        ``constant * ceil(ln(1 / beta) (1 / alpha**2 + 1 / (alpha epsilon)))``.

    Examples
    --------
    >>> size_without_class(1.0, 0.25, 0.1)
    47
    """
    return constant * math.ceil(math.log(1 / beta) * (1 / alpha**2 + 1 / (alpha * epsilon)))


def crowd_failure(log_rivals: float, n_samples: int, epsilon: float, alpha: float) -> float:
    """Exact failure probability of the private learner on the realizable crowd.

    Parameters
    ----------
    log_rivals : float
        Natural logarithm of the number of rivals.
    n_samples : int
        Size of the sample.
    epsilon : float
        Privacy parameter in nats.
    alpha : float
        Error that is still allowed.

    Returns
    -------
    float
        At most 1.

    Examples
    --------
    >>> round(crowd_failure(math.log(1024), 47, 1.0, 0.25), 4)
    0.6826
    """
    law = crowd_law(epsilon, log_rivals)
    return min(1.0, pac.failure_probability(law, *crowd(alpha, realizable=True), n_samples, alpha))


def transcribed_size(
    exponents: Sequence[int], constants: Sequence[int], epsilon: float, alpha: float, beta: float
) -> pd.DataFrame:
    """Failure at the transcribed sample size, and at the corrected one, for growing classes.

    The class has one rule without error and 2**k rivals.

    Parameters
    ----------
    exponents : sequence of int
        Values of k.
    constants : sequence of int
        Factors that Theta(.) may hide.
    epsilon : float
        Privacy parameter in nats.
    alpha, beta : float
        Error and failure probability.

    Returns
    -------
    DataFrame
        Columns ``k``, then per constant ``m = ...`` with the exact failure probability, then
        ``corrected m`` (that of DR11) and ``failure there``.

    Examples
    --------
    >>> transcribed_size([100], [1], 1.0, 0.25, 0.1).round(4)
         k  m = 47  corrected m  failure there
    0  100     1.0         3395            0.0
    """
    rows = []
    for k in exponents:
        log_rivals = k * math.log(2)
        row: dict[str, float] = {"k": k}
        for constant in constants:
            m = size_without_class(epsilon, alpha, beta, constant)
            row[f"m = {m}"] = crowd_failure(log_rivals, m, epsilon, alpha)
        m = private_pac.private_pac_sample_size_dr11(2**k + 1, epsilon, alpha, beta)
        rows.append(row | {"corrected m": m, "failure there": crowd_failure(log_rivals, m, epsilon, alpha)})
    return pd.DataFrame(rows)


def proof_check(errors: ArrayLike, empirical: ArrayLike, chosen: int, radius: float) -> pd.Series:
    """Which premises of a generalisation proof hold for given errors, and the excess error in the end.

    Parameters
    ----------
    errors, empirical : array_like of shape (n_hypotheses,)
        True and empirical errors.
    chosen : int
        Index of the output.
    radius : float
        Radius of the uniform convergence event.

    Returns
    -------
    Series
        ``printed_event`` (every empirical error is at most the true one plus radius),
        ``two_sided_event``, ``empirical_gap``, ``excess_error``.

    Examples
    --------
    >>> proof_check([0.1, 0.6], [0.1, 0.0], 1, 0.1)["printed_event"]
    True
    """
    errors, empirical = np.asarray(errors, dtype=float), np.asarray(empirical, dtype=float)
    one_sided = (empirical <= errors + radius + pac.SLACK).all()
    found = {
        "printed_event": bool(one_sided),
        "two_sided_event": bool(one_sided and (empirical >= errors - radius - pac.SLACK).all()),
        "empirical_gap": empirical[chosen] - empirical.min(),
        "excess_error": errors[chosen] - errors.min(),
    }
    return pd.Series(found, dtype=object)


def one_sided_and_split(alpha: float) -> pd.DataFrame:
    """Three pairs of errors: against the printed event, against two slacks alpha/2, and the corrected split.

    Parameters
    ----------
    alpha : float
        Excess error, at most 1/5.

    Returns
    -------
    DataFrame
        One row a case: ``case`` and the columns of `proof_check`.

    Examples
    --------
    >>> one_sided_and_split(0.2)["excess_error"].round(6).tolist()
    [0.5, 0.3, 0.2]
    """
    half, quarter = alpha / 2, alpha / 4
    cases = {
        "as printed: one side, radius alpha/2": ((0.1, 0.6), (0.1, 0.0), half),
        "two sides, radius alpha/2, gap alpha/2": (
            (0.1, 0.1 + 3 * half),
            (0.1 + half, 0.1 + alpha),
            half,
        ),
        "two sides, radius alpha/4, gap alpha/2": (
            (0.1, 0.1 + alpha),
            (0.1 + quarter, 0.1 + alpha - quarter),
            quarter,
        ),
    }
    rows = [{"case": name} | dict(proof_check(e, s, 1, r)) for name, (e, s, r) in cases.items()]
    return pd.DataFrame(rows)


def printed_goal(sizes: Sequence[int], epsilon: float, alpha: float, n_hypotheses: int) -> pd.DataFrame:
    """What the chain of DR11 bounds, the empirical error of the output, beside the true error.

    Parameters
    ----------
    sizes : sequence of int
        Sizes of the sample.
    epsilon : float
        Privacy parameter in nats.
    alpha : float
        Excess error.
    n_hypotheses : int
        Size of the class: one best rule and its rivals, the agnostic crowd.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``empirical_error_too_large``, ``true_error_too_large``: exact probabilities
        that the error of the output exceeds the least true error by more than alpha.

    Examples
    --------
    >>> printed_goal([10], 1.0, 0.2, 1024).round(3)
       n_samples  empirical_error_too_large  true_error_too_large
    0         10                      0.626                 0.992
    """
    best, rivals, rows = (1 - alpha - MARGIN) / 2, math.log(n_hypotheses - 1), []
    law = crowd_law(epsilon, rivals)
    for m in sizes:
        wrong = np.arange(m + 1)  # mistakes of the best rule; its rivals make the others
        output = law(np.stack([wrong, m - wrong], axis=1))
        weights = mistake_count_distribution(best, m)
        large = np.stack([wrong, m - wrong], axis=1) / m > best + alpha + pac.SLACK
        empirical = float(weights @ (output * large).sum(axis=1))
        rows.append((m, empirical, pac.failure_probability(law, *crowd(alpha), m, alpha)))
    return pd.DataFrame(rows, columns=["n_samples", "empirical_error_too_large", "true_error_too_large"])


def arrows(
    n_hypotheses: int, n_optimal: int, epsilon: float, alpha: float, beta: float
) -> tuple[float, float]:
    """The two thresholds for the sensitivity between which the printed chain of S16 has its arrow.

    Parameters
    ----------
    n_hypotheses, n_optimal : int
        Size of the class, and how many of it are empirically best.
    epsilon : float
        Privacy parameter in nats.
    alpha, beta : float
        Excess error and failure probability.

    Returns
    -------
    tuple of two floats
        ``alpha epsilon / (4 (ln(|H| / |H*|) + ln(2 / beta)))`` and the same with ``|H*| = 1``.

    Examples
    --------
    >>> [round(value, 5) for value in arrows(10, 5, 0.5, 0.2, 0.05)]
    [0.00571, 0.00417]
    """
    logs = [math.log(n_hypotheses / best) + math.log(2 / beta) for best in (n_optimal, 1)]
    return alpha * epsilon / (4 * logs[0]), alpha * epsilon / (4 * logs[1])
