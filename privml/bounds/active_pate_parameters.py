"""The parameters of PATE with active queries, which depend on one another (Theorem 22 of LZCW21, solved).

The number of labels sets the noise, the noise the number of teachers, that their size, that their error, and
that the number of labels: the parameters are a fixed point, and the functions here find it.
"""

from collections.abc import Callable
from math import inf, log
from typing import NamedTuple

from privml import _check as check
from privml._search import smallest_float
from privml.bounds.active import active_excess_error, active_query_budget
from privml.bounds.active_pate import asq_excess_error, asq_queries, asq_teachers

LARGEST_ALPHA = 0.3678  # just below 1 / e


class ActiveParameters(NamedTuple):
    """Excess error that is promised, label budget, and number of teachers."""

    alpha: float
    n_queries: int
    n_teachers: int


def asq_parameters(
    n_samples: int,
    n_points: int,
    vc_dimension: int,
    epsilon: float,
    delta: float,
    beta: float,
    *,
    tau: float,
    eta: float,
    theta: Callable[[float], float],
    constants: tuple[float, float],
) -> ActiveParameters:
    """Least excess error that Theorem 22 promises, with its label budget and number of teachers.

    A smaller alpha needs more labels, so more teachers, so that each errs more: the right-hand side falls as
    alpha grows, and the least alpha that is at least the right-hand side is found by bisection.
    **Source.** LZCW21-thm-22, LZCW21-thm-34.

    Parameters
    ----------
    constants : tuple of two float
        C_1 and C_2, which the source leaves open.

    Examples
    --------
    >>> setting = {"tau": 1.0, "eta": 1.0, "theta": lambda radius: 2.0, "constants": (1.0, 1.0)}
    >>> found = asq_parameters(10**6, 10**5, 1, 1.0, 1e-6, 0.1, **setting)
    >>> round(found.alpha, 5), found.n_queries, found.n_teachers
    (0.02801, 46, 1173)
    """
    check.function(theta=theta)
    if len(check.finite_vector(constants=constants)) != 2:
        raise ValueError(f"constants must be two numbers, got {constants!r}")
    first, second = constants

    def chosen(alpha: float) -> tuple[float, int, int]:
        labels = asq_queries(alpha, vc_dimension, beta, theta=theta, constant=second)
        teachers = asq_teachers(labels, n_samples, epsilon, delta)
        if teachers > n_samples:
            return inf, labels, teachers
        options = {"tau": tau, "eta": eta, "constant": first}
        return (
            asq_excess_error(n_samples, n_points, teachers, vc_dimension, beta, **options),
            labels,
            teachers,
        )

    alpha = smallest_float(lambda alpha: chosen(alpha)[0] <= alpha, lower=1e-12, upper=LARGEST_ALPHA)
    return ActiveParameters(alpha, *chosen(alpha)[1:])


def asq_realizable_parameters(
    n_samples: int,
    n_points: int,
    n_hypotheses: int,
    epsilon: float,
    delta: float,
    beta: float,
    *,
    theta: Callable[[float], float],
) -> ActiveParameters:
    r"""Theorem 22 with all constants, for a finite class that contains the truth.

    With :math:`b = \frac{1}{\lfloor n / K \rfloor} \ln(2 K N / \beta)` and :math:`\nu = 3 b + \frac1n`:
    alpha is :math:`2 \nu` and :func:`~privml.bounds.active.active_excess_error` at beta / 4, at most 1.

    beta / 2 is for the teachers, the rest for the student's updates and the number of labels.
    **Source.** LZCW21-thm-22; the constants are ours and proved in the chapter.

    >>> found = asq_realizable_parameters(10**8, 2**14, 101, 1.0, 1e-6, 0.1, theta=lambda radius: 2.0)
    >>> round(found.alpha, 4), found.n_queries, found.n_teachers
    (0.0225, 2244, 9402)
    """
    check.positive_integer(n_samples=n_samples, n_points=n_points, n_hypotheses=n_hypotheses)
    check.probability_open(beta=beta)
    options, n_queries, n_teachers = {"theta": theta}, 1, 0
    while (needed := asq_teachers(n_queries, n_samples, epsilon, delta)) > n_teachers:
        n_teachers = needed
        if n_teachers > n_samples:
            raise ValueError(
                f"n_samples must be at least {n_teachers} for {n_queries} labels, got {n_samples}"
            )
        wrong = log(2 * n_teachers * n_hypotheses / beta) / (n_samples // n_teachers)
        best = min(0.5, 3 * wrong + 1 / n_samples)
        n_queries = active_query_budget(n_points, n_hypotheses, beta / 2, best_error=best, **options)
    excess = active_excess_error(n_points, n_hypotheses, beta / 4, best_error=best)
    return ActiveParameters(min(1.0, 2 * best + excess), n_queries, n_teachers)
