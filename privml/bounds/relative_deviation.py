r"""Deviations relative to the error: small errors are estimated more sharply than large ones.

The number of mistakes of one hypothesis of true error p on n records has standard deviation
``sqrt(n p (1 - p))``, so that for small p Bernstein's inequality is far better than Hoeffding's.  For all
hypotheses of a class with growth function S at once, ``p <= e + 2 sqrt(A p)`` for true and empirical errors
p and e, ``A = (ln S(2 n) + ln(4 / beta)) / n``, with probability at least 1 - beta.  So the excess error of
empirical risk minimisation is of order ``1 / sqrt(n)`` where the least error is large, ``1 / n`` where small.
"""

from math import log, sqrt

from privml import _check as check
from privml.bounds.uniform_convergence import log_sauer_shelah


def bernstein_count(n_samples: int, error: float, *, beta: float) -> float:
    """Number of mistakes of one hypothesis that is exceeded with probability at most beta.

    **Returns.** ``n p + sqrt(2 n p L) + 2 L / 3`` with ``L = ln(1 / beta)``, at most n.
    **Source.** LZCW21-lem-14 for one teacher; Bernstein's inequality, upper tail.

    >>> round(bernstein_count(1000, 0.01, beta=0.05), 3)
    19.738
    """
    check.positive_integer(n_samples=n_samples)
    check.unit_interval(error=error)
    check.probability_open(beta=beta)
    mean, log_term = n_samples * error, log(1 / beta)
    return min(float(n_samples), mean + sqrt(2 * mean * log_term) + 2 * log_term / 3)


def bernstein_upper(empirical_error: float, n_samples: int, beta: float) -> float:
    """Upper bound on the true error of one hypothesis that fails with probability at most beta.

    **Returns.** The largest p with ``p <= e + sqrt(2 p L / n) + 2 L / (3 n)``, ``L = ln(1 / beta)``.
    **Source.** LZCW21-lem-35, solved for the true error.

    >>> round(bernstein_upper(0.0, 1000, 0.05), 6)
    0.009569
    """
    check.unit_interval(empirical_error=empirical_error)
    check.positive_integer(n_samples=n_samples)
    check.probability_open(beta=beta)
    unit = log(1 / beta) / n_samples
    return min(1.0, (sqrt(unit / 2) + sqrt(unit / 2 + empirical_error + 2 * unit / 3)) ** 2)


def uniform_bernstein_upper(
    empirical_error: float, n_samples: int, beta: float, *, log_growth: float
) -> float:
    """Upper bound on the true errors of all hypotheses of a class at once.

    **Returns.** ``(sqrt(A) + sqrt(A + e))**2``, ``A = (ln S(2 n) + ln(4 / beta)) / n``, at most 1; never more
    than ``e + 2 sqrt(A e) + 4 A``, the source's form.
    **Source.** LZCW21-lem-36, with ``ln S(2 n)`` where the VC dimension is printed, which is too small.

    >>> round(uniform_bernstein_upper(0.0, 1000, 0.05, log_growth=log_sauer_shelah(1, 2000)), 6)
    0.047934
    """
    check.unit_interval(empirical_error=empirical_error)
    check.positive_integer(n_samples=n_samples)
    check.non_negative(log_growth=log_growth)
    check.probability_open(beta=beta)
    unit = (log_growth + log(4 / beta)) / n_samples
    return min(1.0, (sqrt(unit) + sqrt(unit + empirical_error)) ** 2)


def erm_error(n_samples: int, vc_dimension: int, beta: float, *, best_error: float) -> float:
    """Error of empirical risk minimisation over a class of given VC dimension, by two steps of beta / 2 each.

    **Returns.** The uniform bound at the empirical error that the best hypothesis does not exceed.
    **Source.** LZCW21-lem-37 with constants that the chapter proves.

    >>> round(erm_error(1000, 1, 0.05, best_error=0.1), 4)
    0.2399
    """
    check.probability_open(beta=beta)
    empirical = bernstein_count(n_samples, best_error, beta=beta / 2) / n_samples
    growth = log_sauer_shelah(vc_dimension, 2 * n_samples)
    return uniform_bernstein_upper(empirical, n_samples, beta / 2, log_growth=growth)


def finite_erm_error(n_samples: int, n_hypotheses: int, beta: float, *, best_error: float) -> float:
    """Error of empirical risk minimisation over a finite class.

    **Returns.** ``(sqrt(p) + sqrt(L / n))**2 = p + 2 sqrt(p L / n) + L / n``, ``L = ln(|H| / beta)``; at most
    1.
    **Source.** LZCW21-lem-37 for a finite class, with the constant 1 in place of 4.

    >>> round(finite_erm_error(1000, 16, 0.05, best_error=0.1), 4)
    0.1538
    """
    check.positive_integer(n_samples=n_samples, n_hypotheses=n_hypotheses)
    check.unit_interval(best_error=best_error)
    check.probability_open(beta=beta)
    return min(1.0, (sqrt(best_error) + sqrt(log(n_hypotheses / beta) / n_samples)) ** 2)
