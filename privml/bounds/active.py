r"""Active learning by disagreement: what survives, how good it is, and how many labels it takes.

For a finite class H of size N everything has explicit constants.  Let :math:`\nu` be the least error, h* a
hypothesis that has it, and, for the first j points of the stream, :math:`D_j(h)` the mistakes of h less those
of h*.  Members of a version space differ on points of its region of disagreement only, so their mistakes
among the *queried* points differ by :math:`D_j`, although the other labels are never seen.  Now
:math:`D_j(h)` is a sum of j independent terms in {-1, 0, 1} whose mean is the excess error e and whose second
moment is at most :math:`e + 2 \nu`.  With :math:`L_j = \ln(2 N / \beta_j)`, Bernstein's inequality on both
sides, at each power of two j with :math:`\beta_j = \beta / \log_2^2(2 j)`, gives: with probability at least
1 - beta, for every such j,

* h* has at most :math:`s_j = \frac53 L_j + 2 \sqrt{\nu j L_j}` mistakes more than any other;
* who has at most :math:`s_j` more than h*, has excess error at most
  :math:`8 \big(\frac{L_j}{j} + \sqrt{\nu L_j / j}\big)` (the functions solve the quadratic exactly).

So h* survives, all survivors lie in a ball of radius :math:`2 \nu + e_j` around it, and the next j points are
asked with probability at most :math:`\theta (2 \nu + e_j)`: :func:`active_expected_queries`.
"""

from collections.abc import Callable
from math import ceil, log, log2, sqrt

from privml import _check as check


def _log_term(n_points: int, n_hypotheses: int, beta: float) -> float:
    """L_j for the largest power of two j up to the number of points."""
    check.positive_integer(n_points=n_points, n_hypotheses=n_hypotheses)
    check.probability_open(beta=beta)
    return log(2 * n_hypotheses) - log(beta) + 2 * log(max(1.0, log2(2 * n_points)))


def active_slack(n_points: int, n_hypotheses: int, beta: float, *, best_error: float) -> float:
    r"""Mistakes that a survivor may have in excess, with which a best hypothesis survives.

    :math:`\frac53 L_j + 2 \sqrt{\nu j L_j}`, which is ``j U(j)`` of the source.

    **Source.** LZCW21-alg-4, the number U, with explicit constants for a finite class.

    >>> round(active_slack(1024, 101, 0.1, best_error=0.05), 2)
    71.08
    """
    check.probability_half_open(best_error=best_error)
    size = _log_term(n_points, n_hypotheses, beta)
    return 5 / 3 * size + 2 * sqrt(best_error * n_points * size)


def active_excess_error(n_points: int, n_hypotheses: int, beta: float, *, best_error: float) -> float:
    r"""Excess error that no survivor of the version space exceeds, with :func:`active_slack`.

    The largest e with :math:`j e \le s + \frac43 L + \sqrt{2 L j (e + 2 \nu)}` for the slack s.
    **Source.** LZCW21-lem-33, with explicit constants for a finite class.

    >>> round(active_excess_error(4096, 101, 0.1, best_error=0.0), 4)
    0.0207
    """
    check.positive_integer(n_points=n_points)
    last = 1 << (n_points.bit_length() - 1)
    size = _log_term(last, n_hypotheses, beta)
    fixed = active_slack(last, n_hypotheses, beta, best_error=best_error) + 4 / 3 * size
    # u = j e: u - fixed <= sqrt(2 L (u + 2 nu j)) squares to u^2 - 2 (fixed + L) u + fixed^2 - 4 L nu j <= 0
    root = sqrt((fixed + size) ** 2 - fixed**2 + 4 * size * best_error * last)
    return min(1.0, (fixed + size + root) / last)


def active_expected_queries(
    n_points: int, n_hypotheses: int, beta: float, *, best_error: float, theta: Callable[[float], float]
) -> float:
    r"""Labels that active learning asks for on average, while nothing has failed.

    ``1 + sum over the powers of two j below n_points`` of the number of points up to the next one times
    :math:`\min\{1, \theta(r_j) r_j\}`, :math:`r_j = 2 \nu + e_j`.

    The expectation is of the number of labels on the event that no update has failed so far; that has
    probability at least 1 - beta.
    **Source.** LZCW21-lem-39, for a finite class and with explicit constants.

    >>> options = {"best_error": 0.0, "theta": lambda radius: 2.0}
    >>> round(active_expected_queries(2**14, 101, 0.1, **options), 1)
    1250.7
    """
    check.positive_integer(n_points=n_points)
    check.function(theta=theta)
    total, j = 1.0, 1
    while j < n_points:
        excess = active_excess_error(j, n_hypotheses, beta, best_error=best_error)
        radius = min(1.0, 2 * best_error + excess)
        total += (min(2 * j, n_points) - j) * min(1.0, theta(radius) * radius)
        j *= 2
    return total


def active_query_budget(
    n_points: int, n_hypotheses: int, beta: float, *, best_error: float, theta: Callable[[float], float]
) -> int:
    r"""Labels that active learning does not exceed, with high probability.

    :math:`\mu + \sqrt{2 \mu L} + \frac23 L` with the mean of :func:`active_expected_queries` at beta / 2
    and :math:`L = \ln(2 / \beta)`, rounded up, and at most `n_points`.

    Given the past, each request is a coin whose probability is bounded, and Chernoff's argument applies.
    **Source.** LZCW21-lem-39, for a finite class and with explicit constants.

    >>> active_query_budget(2**14, 101, 0.1, best_error=0.0, theta=lambda radius: 2.0)
    1397
    """
    check.probability_open(beta=beta)
    mean = active_expected_queries(n_points, n_hypotheses, beta / 2, best_error=best_error, theta=theta)
    size = log(2 / beta)
    return min(n_points, ceil(mean + sqrt(2 * mean * size) + 2 / 3 * size))
