"""The error of empirical risk minimisation when the best error is small: between 1 / sqrt(n) and 1 / n."""

from math import log, sqrt

from privml import _check as check
from privml.bounds.relative_deviation import (
    bernstein_count,
    log_growth,
    uniform_bernstein_upper,
)


def erm_error_printed(n_samples: int, vc_dimension: int, best_error: float, beta: float) -> float:
    """Error of empirical risk minimisation over a class of given VC dimension, as the source states it.

    Neither proved nor refuted here with these constants; :func:`erm_error` and :func:`finite_erm_error` are
    proved.
    **Returns.** ``p + 2 sqrt(p B) + 4 B`` with p the least error and ``B = (d ln n + ln(4 / beta)) / n``; at
    most 1.
    **Source.** LZCW21-lem-37.

    Parameters
    ----------
    best_error : float
        Least true error in the class, in [0, 1].

    Examples
    --------
    >>> round(erm_error_printed(1000, 1, 0.1, 0.05), 4)
    0.2124
    """
    check.positive_integer(n_samples=n_samples)
    check.non_negative_integer(vc_dimension=vc_dimension)
    check.unit_interval(best_error=best_error)
    check.probability_open(beta=beta)
    unit = (vc_dimension * log(n_samples) + log(4 / beta)) / n_samples
    return min(1.0, best_error + 2 * sqrt(best_error * unit) + 4 * unit)


def erm_error(n_samples: int, vc_dimension: int, best_error: float, beta: float) -> float:
    """Error of empirical risk minimisation over a class of given VC dimension, by two steps of beta / 2 each.

    **Returns.** :func:`uniform_bernstein_upper` at the empirical error that the best hypothesis does not
    exceed.
    **Source.** LZCW21-lem-37 with constants that the chapter proves.

    Parameters
    ----------
    n_samples, vc_dimension, best_error, beta
        As for :func:`erm_error_printed`.

    Examples
    --------
    >>> round(erm_error(1000, 1, 0.1, 0.05), 4)
    0.2399
    """
    check.probability_open(beta=beta)
    empirical = bernstein_count(n_samples, best_error, beta / 2) / n_samples
    growth = log_growth(vc_dimension, 2 * n_samples)
    return uniform_bernstein_upper(empirical, n_samples, beta / 2, log_growth=growth)


def finite_erm_error(n_samples: int, n_hypotheses: int, best_error: float, beta: float) -> float:
    """Error of empirical risk minimisation over a finite class.

    **Returns.** ``(sqrt(p) + sqrt(L / n))**2 = p + 2 sqrt(p L / n) + L / n`` with ``L = ln(|H| / beta)``; at
    most 1.
    **Source.** LZCW21-lem-37 for a finite class, with the constant 1 in place of 4.

    Parameters
    ----------
    best_error : float
        Least true error p in the class, in [0, 1].

    Examples
    --------
    >>> round(finite_erm_error(1000, 16, 0.1, 0.05), 4)
    0.1538
    """
    check.positive_integer(n_samples=n_samples, n_hypotheses=n_hypotheses)
    check.unit_interval(best_error=best_error)
    check.probability_open(beta=beta)
    return min(1.0, (sqrt(best_error) + sqrt(log(n_hypotheses / beta) / n_samples)) ** 2)
