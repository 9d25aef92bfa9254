"""Students: passive ones, those that choose their questions, and those of infinitely many teachers' vote.

In PATE labels are those of the noisy vote, which errs on at most 3 b + 1 / n of the points if each teacher
errs on b; or, without a noise condition, those of the infinite ensemble, where most teachers agree.
"""

from collections.abc import Callable
from math import ceil, floor, log, log2, sqrt
from typing import NamedTuple

from privml import _check as check
from privml._search import ceiling, smallest_integer
from privml.bounds.fast_rates import (
    bernstein_count,
    finite_erm_error,
    uniform_bernstein_upper,
)
from privml.bounds.pate import (
    gaussian_teachers,
    passive_cutoff,
    source_sigma,
    sparse_vector_teachers,
)
from privml.bounds.tails import uniform_convergence_radius


class PassiveBound(NamedTuple):
    """Parameters of PATE, the error that no teacher exceeds, and the error of the student.

    Parameters
    ----------
    n_teachers, cutoff : int
        Number of teachers, a positive integer; number of unstable queries allowed, a positive integer.
    teacher_error, error : float
        Error that no teacher exceeds, in [0, 1]; bound on the error of the student, in [0, 1].
    """

    n_teachers: int
    cutoff: int
    teacher_error: float
    error: float


def passive_bound(
    n_samples: int,
    n_public: int,
    n_hypotheses: int,
    epsilon: float,
    delta: float,
    *,
    beta: float,
    best_error: float = 0.0,
) -> PassiveBound:
    """Error of a passive student with a sparse vector of votes, over a finite class, with every constant.

    Parameters
    ----------
    n_samples, n_public, n_hypotheses : int
        Numbers of records, public points and hypotheses, positive integers.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    beta : float
        Failure probability, in (0, 1).
    best_error : float
        Least error in the class, in [0, 1].

    Returns
    -------
    PassiveBound
        ``best_error + 2 (T - 1) / m + 2 sqrt(ln(8 |H| / beta) / (2 m))`` for the least T that fits.

    Raises
    ------
    ValueError
        If epsilon exceeds ``ln(2 / delta)``.

    References
    ----------
    LZCW21-thm-5 and LZCW21-thm-27, for a finite class, as corrected.

    Examples
    --------
    >>> bound = passive_bound(10**9, 10_000, 100, 1.0, 1e-6, beta=0.05)
    >>> bound.n_teachers, bound.cutoff, round(bound.error, 6)
    (585772, 1283, 0.300401)
    """
    check.positive_integer(
        n_samples=n_samples, n_public=n_public, n_hypotheses=n_hypotheses
    )
    check.unit_interval(best_error=best_error)
    check.probability_open(beta=beta)
    quarter = beta / 4

    def step(cutoff: int) -> tuple[int, float, int]:
        """Teachers that this cut-off needs, their error, and the cut-off that they need."""
        teachers = sparse_vector_teachers(
            n_public, cutoff, epsilon, delta, beta=quarter
        )
        size, failure = n_samples // teachers, quarter / teachers
        error = (
            finite_erm_error(size, n_hypotheses, failure, best_error=best_error)
            if size
            else 1.0
        )
        return teachers, error, passive_cutoff(error, n_public, teachers, beta=quarter)

    cutoff = smallest_integer(lambda c: c > n_public or step(c)[2] <= c)
    teachers, error, _ = step(cutoff)
    radius = uniform_convergence_radius(n_hypotheses, n_public, quarter)
    student = best_error + 2 * (cutoff - 1) / n_public + 2 * radius
    return PassiveBound(teachers, cutoff, error, min(1.0, student))


def _log_term(n_points: int, n_hypotheses: int, beta: float) -> float:
    """``L_j = ln(2 N / beta) + 2 ln log_2(2 j)`` for a number of points j, a power of two."""
    check.standard_ranges(n_points=n_points, n_hypotheses=n_hypotheses, beta=beta)
    return log(2 * n_hypotheses) - log(beta) + 2 * log(max(1.0, log2(2 * n_points)))


def active_slack(
    n_points: int, n_hypotheses: int, beta: float, *, best_error: float
) -> float:
    r"""Mistakes that a survivor may have in excess, with which a best hypothesis survives.

    Parameters
    ----------
    n_points, n_hypotheses : int
        Numbers of points and hypotheses, positive integers.
    beta : float
        Failure probability, in (0, 1).
    best_error : float
        Least error in the class, in [0, 1).

    Returns
    -------
    float
        :math:`\frac53 L_j + 2 \sqrt{\nu j L_j}`, which is ``j U(j)`` of the source.

    References
    ----------
    LZCW21-alg-4, the number U, with explicit constants for a finite class.

    Examples
    --------
    >>> round(active_slack(1024, 101, 0.1, best_error=0.05), 1)
    71.1
    """
    check.probability_half_open(best_error=best_error)
    size = _log_term(n_points, n_hypotheses, beta)
    return 5 / 3 * size + 2 * sqrt(best_error * n_points * size)


def active_excess_error(
    n_points: int, n_hypotheses: int, beta: float, *, best_error: float
) -> float:
    r"""Excess error that no survivor of the version space exceeds, with :func:`active_slack`.

    Parameters
    ----------
    n_points, n_hypotheses : int
        Numbers of points and hypotheses, positive integers.
    beta : float
        Failure probability, in (0, 1).
    best_error : float
        Least error in the class, in [0, 1).

    Returns
    -------
    float
        The largest e with :math:`j e \le s + \frac43 L + \sqrt{2 L j (e + 2 \nu)}` for the slack s.

    References
    ----------
    LZCW21-lem-33, with explicit constants for a finite class.

    Examples
    --------
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
    n_points: int,
    n_hypotheses: int,
    beta: float,
    *,
    best_error: float,
    theta: Callable[[float], float],
) -> float:
    r"""Labels that active learning asks for on average, while nothing has failed.

    Parameters
    ----------
    n_points, n_hypotheses : int
        Numbers of points and hypotheses, positive integers.
    beta : float
        Failure probability, in (0, 1).
    best_error : float
        Least error in the class, in [0, 1).
    theta : callable
        From a radius in (0, 1] to the disagreement coefficient there.

    Returns
    -------
    float
        1 and, for each power of two j below `n_points`, the number of points up to the next times
        :math:`\min\{1, \theta(r_j) r_j\}`, :math:`r_j = 2 \nu + e_j`; failures have probability at most
        beta.

    References
    ----------
    LZCW21-lem-39, for a finite class and with explicit constants.

    Examples
    --------
    >>> round(active_expected_queries(2**14, 101, 0.1, best_error=0.0, theta=lambda radius: 2.0))
    1251
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


def asq_realizable_parameters(
    n_samples: int,
    n_points: int,
    n_hypotheses: int,
    epsilon: float,
    delta: float,
    *,
    beta: float,
    theta: Callable[[float], float],
) -> tuple[float, int, int]:
    r"""Excess error, labels and teachers of active learning with votes, for a class that contains the truth.

    Parameters
    ----------
    n_samples, n_points, n_hypotheses : int
        Numbers of records, points and hypotheses, positive integers.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    beta : float
        Failure probability, in (0, 1).
    theta : callable
        From a radius in (0, 1] to the disagreement coefficient there.

    Returns
    -------
    tuple
        :math:`2 \nu` and :func:`active_excess_error` at beta / 4; a label budget, LZCW21-lem-39; and the
        least K for the noise that pays for it, where :math:`b \lfloor n / K \rfloor = \ln(2 K N / \beta)`.

    Raises
    ------
    ValueError
        If there are fewer records than teachers that are needed.

    References
    ----------
    LZCW21-thm-22 and LZCW21-thm-34; the constants are ours and proved in the chapter.

    Examples
    --------
    >>> asq_realizable_parameters(10**8, 2**14, 101, 1.0, 1e-6, beta=0.1, theta=lambda radius: 2.0)[1:]
    (2244, 9402)
    """
    check.standard_ranges(
        n_samples=n_samples, n_points=n_points, n_hypotheses=n_hypotheses, beta=beta
    )
    n_queries, n_teachers = 1, 0
    while (
        needed := gaussian_teachers(n_samples, n_queries, epsilon, delta)
    ) > n_teachers:
        n_teachers = needed
        if n_teachers > n_samples:
            rule = f"at least {n_teachers} for {n_queries} labels"
            raise ValueError(f"n_samples must be {rule}, but got {n_samples}.")
        wrong = log(2 * n_teachers * n_hypotheses / beta) / (n_samples // n_teachers)
        best = min(0.5, 3 * wrong + 1 / n_samples)
        mean = active_expected_queries(
            n_points, n_hypotheses, beta / 4, best_error=best, theta=theta
        )
        size = log(4 / beta)
        n_queries = min(n_points, ceil(mean + sqrt(2 * mean * size) + 2 / 3 * size))
    excess = active_excess_error(n_points, n_hypotheses, beta / 4, best_error=best)
    return min(1.0, 2 * best + excess), n_queries, n_teachers


def high_margin_parameters(
    n_public: int, epsilon: float, delta: float, *, beta: float, nu: float, xi: float
) -> tuple[int, int]:
    r"""Cut-off and number of teachers with which a sparse vector gives the labels of the infinite ensemble.

    Except with probability beta all but ``T - 1`` labels are those; if T is m, nothing is promised of them.

    Parameters
    ----------
    n_public : int
        Number of public points, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    beta : float
        Failure probability, in (0, 1).
    nu : float
        Mass in [0, 1] of the points whose margin is below xi.
    xi : float
        Margin, positive, at most 1/2.

    Returns
    -------
    tuple
        T and ``K >= max(2 L / xi**2, (2 / xi) (1 + 3 lambda (ln(4 m / delta) + L)))``, where ``L = ln(3 m /
        beta)`` and lambda is of the source's calibration.

    Notes
    -----
    *Privacy.* (epsilon, delta)-DP if one record changes one teacher.

    References
    ----------
    LZCW21-prop-18 and LZCW21-prop-30, where T is one smaller and the second K half as large.

    Examples
    --------
    >>> high_margin_parameters(1000, 1.0, 1e-10, beta=0.05, nu=0.0, xi=0.0072)
    (3, 850526)
    """
    check.unit_interval(nu=nu)
    check.positive(xi=xi, epsilon=epsilon)
    check.standard_ranges(n_public=n_public, delta=delta, beta=beta)
    if xi > 0.5:
        raise ValueError(f"xi must be at most 1/2, but got {xi!r}.")
    cutoff = min(n_public, floor(bernstein_count(n_public, nu, beta=beta / 3)) + 1)
    logarithm = log(3 * n_public / beta)
    scale = 2 * source_sigma(cutoff, epsilon, delta / 2)
    reach = 3 * scale * (log(4 * n_public) - log(delta) + logarithm)
    return cutoff, ceiling(max(2 * logarithm / xi / xi, 2 * (1 + reach) / xi))


def pate_agnostic_bound(
    min_disagreement: float,
    cutoff: int,
    n_public: int,
    *,
    beta: float,
    log_growth: float,
) -> float:
    """Distance of a student in H from the infinite ensemble, and so its excess error over it.

    Parameters
    ----------
    min_disagreement : float
        Least distance on the sample of a hypothesis from the ensemble, in [0, 1].
    cutoff : int
        Number of unstable queries T, a positive integer.
    n_public : int
        Number of public points, a positive integer.
    beta : float
        Failure probability, in (0, 1).
    log_growth : float
        Logarithm of the growth function at 2 m, non-negative.

    Returns
    -------
    float
        ``(sqrt(A) + sqrt(A + e))**2`` with ``A = (log_growth + ln(8 / beta)) / m`` and e the least distance
        on the sample plus ``2 (T - 1) / m``; at most 1.

    References
    ----------
    LZCW21-thm-19 and LZCW21-thm-31 with explicit constants, and fast where the distance is 0.

    Examples
    --------
    >>> round(pate_agnostic_bound(0.1, 20, 10_000, beta=0.05, log_growth=10.0), 4)
    0.1419
    """
    check.standard_ranges(
        min_disagreement=min_disagreement, cutoff=cutoff, n_public=n_public, beta=beta
    )
    nearest = bernstein_count(n_public, min_disagreement, beta=beta / 2)
    nearest = nearest if min_disagreement else 0.0
    empirical = min(1.0, (nearest + 2 * (cutoff - 1)) / n_public)
    return uniform_bernstein_upper(
        empirical, n_public, beta=beta / 2, log_growth=log_growth
    )


check.wrap_module(__name__)
