"""How many teachers a sparse vector of votes needs, and what a student learns from its labels.

The steps of a bound without any noise condition: a teacher that errs on few points, few points with many
wrong votes, a cut-off above their number, teachers that outvote the noise, and a student that minimises the
empirical risk on labels of which few are wrong.
"""

from math import floor, log, sqrt
from typing import NamedTuple

from privml import _check as check
from privml._search import ceiling, smallest_integer
from privml.bounds.erm_error import finite_erm_error
from privml.bounds.uniform_convergence import uniform_convergence_radius


def sparse_vector_teachers(n_queries: int, cutoff: int, epsilon: float, delta: float, beta: float) -> int:
    """Number of teachers in the source's closed form, with which all stable queries are answered.

    ``136 ln(4 l T / min(delta, beta / 2)) sqrt(T ln(2 / delta)) / epsilon``, rounded up.  If fewer than T
    queries have a margin below K / 3, then with probability at least 1 - beta the aggregator with the
    source's calibration and split answers all others with their majority and does not halt.

    **Source.** LZCW21-lem-3, with fewer than T where it prints at most T, and with the condition on epsilon
    that it lacks.

    >>> sparse_vector_teachers(1000, 20, 1.0, 1e-6, 0.05)
    58162
    """
    check.positive_integer(n_queries=n_queries, cutoff=cutoff)
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta, beta=beta)
    if epsilon > log(2 / delta):
        raise ValueError(f"epsilon must be at most ln(2/delta) = {log(2 / delta):g}, got {epsilon!r}")
    logarithm = log(4 * n_queries * cutoff) - log(min(delta, beta / 2))
    return ceiling(136 * logarithm * sqrt(cutoff * log(2 / delta)) / epsilon)


def passive_cutoff(teacher_error: float, n_public: int, n_teachers: int, beta: float) -> int:
    """Cut-off above the number of public points that K / 3 teachers get wrong.

    ``floor(3 (m e + sqrt(m ln(K / beta) / 2))) + 1``, at most m + 1.

    **Source.** LZCW21-thm-5, with the largest error of a teacher where it prints the expected one, which is
    not enough, with K for m in the logarithm, and with 1 more, since the run halts at T.

    >>> passive_cutoff(0.01, 1000, 300, 0.05)
    228
    """
    check.unit_interval(teacher_error=teacher_error)
    check.positive_integer(n_public=n_public, n_teachers=n_teachers)
    check.probability_open(beta=beta)
    mistakes = n_public * teacher_error + sqrt(n_public * (log(n_teachers) - log(beta)) / 2)
    return min(floor(3 * mistakes), n_public) + 1


class PassiveBound(NamedTuple):
    """Parameters for a passive student without a noise condition, and the error that they prove.

    Attributes
    ----------
    n_teachers : int
        Number of teachers K.
    cutoff : int
        Number of unstable queries T at which the run halts.
    teacher_error : float
        What the error of no teacher exceeds.
    error : float
        Bound on the error of the student, at most 1.
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
    beta: float,
    *,
    best_error: float = 0.0,
) -> PassiveBound:
    """Error of a passive student with a sparse vector of votes, over a finite class, with every constant.

    With ``error = best_error + 2 (T - 1) / m + 2 sqrt(ln(8 |H| / beta) / (2 m))``, for the smallest
    cut-off that its own number of teachers allows.

    **Source.** LZCW21-thm-5 and LZCW21-thm-27, for a finite class, as corrected; in the agnostic case the
    error is ``best_error`` times ``7 + eta`` and more, where the source has 13.

    >>> bound = passive_bound(10**9, 10_000, 100, 1.0, 1e-6, 0.05)
    >>> bound.n_teachers, bound.cutoff, round(bound.error, 2)
    (585772, 1283, 0.3)
    """
    check.positive_integer(n_samples=n_samples, n_public=n_public, n_hypotheses=n_hypotheses)
    check.unit_interval(best_error=best_error)
    check.probability_open(beta=beta)
    quarter = beta / 4

    def step(cutoff: int) -> tuple[int, float, int]:
        """Teachers that this cut-off needs, their error, and the cut-off that they need."""
        teachers = sparse_vector_teachers(n_public, cutoff, epsilon, delta, quarter)
        size, failure = n_samples // teachers, quarter / teachers
        error = finite_erm_error(size, n_hypotheses, best_error, failure) if size else 1.0
        return teachers, error, passive_cutoff(error, n_public, teachers, quarter)

    cutoff = smallest_integer(lambda c: c > n_public or step(c)[2] <= c)
    teachers, error, _ = step(cutoff)
    radius = uniform_convergence_radius(n_hypotheses, n_public, quarter)
    student = best_error + 2 * (cutoff - 1) / n_public + 2 * radius
    return PassiveBound(teachers, cutoff, error, min(1.0, student))
