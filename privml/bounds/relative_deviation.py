r"""Deviations relative to the error: small errors are estimated more sharply than large ones.

The number of mistakes of one hypothesis of true error p on n records has standard deviation
``sqrt(n p (1 - p))``, so that for small p Bernstein's inequality is far better than Hoeffding's.  The same
holds for all hypotheses of a class at once: with S the growth function of the class, and

.. math:: A = \frac{\ln S(2 n) + \ln(4 / \beta)}{n},

with probability at least ``1 - beta`` every true error p and empirical error e satisfy
``p <= e + 2 sqrt(A p)``.  Solving for the root of p gives the bounds here.
"""

from math import log, sqrt

from privml import _check as check
from privml.bounds.vc import log_sauer_shelah


def bernstein_count(n_samples: int, error: float, beta: float) -> float:
    """Number of mistakes of one hypothesis that is exceeded with probability at most beta.

    **Returns.** ``n p + sqrt(2 n p L) + 2 L / 3`` with ``L = ln(1 / beta)``, at most n.
    **Source.** LZCW21-lem-14 for one teacher; Bernstein's inequality, upper tail.

    Parameters
    ----------
    error : float
        True error p of the hypothesis, in [0, 1].

    Examples
    --------
    >>> round(bernstein_count(1000, 0.01, 0.05), 3)
    19.738
    """
    check.positive_integer(n_samples=n_samples)
    check.unit_interval(error=error)
    check.probability_open(beta=beta)
    mean, log_term = n_samples * error, log(1 / beta)
    return min(float(n_samples), mean + sqrt(2 * mean * log_term) + 2 * log_term / 3)


def bernstein_upper(empirical_error: float, n_samples: int, beta: float) -> float:
    """Upper bound on the true error of one hypothesis that fails with probability at most beta.

    **Returns.** The largest p with ``p <= e + sqrt(2 p L / n) + 2 L / (3 n)``, ``L = ln(1 / beta)``; at most
    1.
    **Source.** LZCW21-lem-35, solved for the true error.

    Parameters
    ----------
    empirical_error : float
        Its error e on n records, in [0, 1].

    Examples
    --------
    >>> round(bernstein_upper(0.0, 1000, 0.05), 6)
    0.009569
    """
    check.unit_interval(empirical_error=empirical_error)
    check.positive_integer(n_samples=n_samples)
    check.probability_open(beta=beta)
    unit = log(1 / beta) / n_samples
    root = sqrt(unit / 2) + sqrt(unit / 2 + empirical_error + 2 * unit / 3)
    return min(1.0, root**2)


def log_growth(vc_dimension: int, n_points: int) -> float:
    """Logarithm of the largest number of labellings of n points by a class of given VC dimension.

    **Returns.** Logarithm of :func:`~privml.bounds.vc.sauer_shelah`, at most ``d ln(e n / d)`` for ``1 <= d
    <= n``.
    **Source.** LZCW21-lem-36, its logarithmic factor.

    >>> round(log_growth(1, 2000), 6) == round(log(2001), 6)
    True
    """
    return log_sauer_shelah(vc_dimension, n_points)


def uniform_bernstein_upper(
    empirical_error: float, n_samples: int, beta: float, *, log_growth: float
) -> float:
    """Upper bound on the true errors of all hypotheses of a class at once.

    **Returns.** ``(sqrt(A) + sqrt(A + e))**2``, ``A = (ln S(2 n) + ln(4 / beta)) / n``; at most 1.  It is
    never more than ``e + 2 sqrt(A e) + 4 A``, the source's form.
    **Source.** LZCW21-lem-36, with ``ln S(2 n)`` where the VC dimension is printed, which is too small.

    Parameters
    ----------
    empirical_error : float
        Error e of a hypothesis on n records, in [0, 1].
    log_growth : float
        ``ln S(2 n)``, S the growth function of the class: :func:`log_growth`, or the logarithm of the size.

    Examples
    --------
    >>> round(uniform_bernstein_upper(0.0, 1000, 0.05, log_growth=log_growth(1, 2000)), 6)
    0.047934
    """
    check.unit_interval(empirical_error=empirical_error)
    check.positive_integer(n_samples=n_samples)
    check.non_negative(log_growth=log_growth)
    check.probability_open(beta=beta)
    unit = (log_growth + log(4 / beta)) / n_samples
    return min(1.0, (sqrt(unit) + sqrt(unit + empirical_error)) ** 2)


def uniform_bernstein_upper_printed(
    empirical_error: float, n_samples: int, vc_dimension: int, beta: float
) -> float:
    """The uniform bound as the source prints it, with the VC dimension in place of a logarithm.  It is false.

    **Returns.** ``e + 2 sqrt(B e) + 4 B`` with ``B = (d + ln(4 / beta)) / n``; at most 1.
    **Source.** LZCW21-lem-36 as printed.

    Parameters
    ----------
    empirical_error : float
        Error e of a hypothesis on n records, in [0, 1].

    Examples
    --------
    >>> round(uniform_bernstein_upper_printed(0.0, 1000, 1, 0.05), 6)
    0.021528
    """
    check.unit_interval(empirical_error=empirical_error)
    check.positive_integer(n_samples=n_samples)
    check.non_negative_integer(vc_dimension=vc_dimension)
    check.probability_open(beta=beta)
    unit = (vc_dimension + log(4 / beta)) / n_samples
    return min(1.0, empirical_error + 2 * sqrt(unit * empirical_error) + 4 * unit)
