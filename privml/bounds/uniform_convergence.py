"""How close all empirical errors of a finite class are to the true ones.

For one hypothesis the number of mistakes in an i.i.d. sample is binomial, and its deviation from the mean
has an exponentially small tail.  A union bound over the class makes this *uniform convergence*: with
probability at least 1 - beta, every empirical error is within alpha of its true error.  Then minimising
the empirical error nearly minimises the true one.

Two tails are kept apart by the keyword `constant`: ``"hoeffding"``, ``2 exp(-2 m a**2)``, and
``"lecture"``, ``2 exp(-m a**2 / 3)``, which lecture 4 prints under Hoeffding's name; both are true, and
the lecture's asks for six times as many samples.
"""

from math import exp, log, sqrt

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.tails import EXPONENTS


def _exponent(constant: str) -> float:
    check.one_of(tuple(EXPONENTS), constant=constant)
    return EXPONENTS[constant]


def uniform_convergence_failure(
    n_hypotheses: int, n_samples: int, alpha: float, *, constant: str = "hoeffding"
) -> float:
    """Union bound on the probability that some empirical error is more than alpha from its true error.

    **Source.** L4-thm-uniform-convergence.

    Parameters
    ----------
    constant : {"hoeffding", "lecture"}
        Which tail bound to use for one hypothesis.

    Examples
    --------
    >>> round(uniform_convergence_failure(16, 500, 0.1), 6)
    0.001453
    """
    check.positive_integer(n_hypotheses=n_hypotheses, n_samples=n_samples)
    check.positive(alpha=alpha)
    return min(1.0, 2 * n_hypotheses * exp(-_exponent(constant) * n_samples * (alpha * alpha)))


def uniform_convergence_radius(
    n_hypotheses: int, n_samples: int, beta: float, *, constant: str = "hoeffding"
) -> float:
    """Deviation that no hypothesis exceeds, except with probability beta.

    **Returns.** ``sqrt(ln(2 |H| / beta) / (2 m))`` with Hoeffding's constant.
    **Source.** L4-thm-uniform-convergence; DR11-lem-sampling-bound, which hides the constant in O(.).

    Parameters
    ----------
    constant : {"hoeffding", "lecture"}
        Which tail bound to use for one hypothesis.

    Examples
    --------
    >>> round(uniform_convergence_radius(16, 500, 0.05), 6)
    0.080383
    """
    check.positive_integer(n_hypotheses=n_hypotheses, n_samples=n_samples)
    check.probability_open(beta=beta)
    return sqrt((log(2 * n_hypotheses) - log(beta)) / (_exponent(constant) * n_samples))


def uniform_convergence_sample_size(
    n_hypotheses: int, alpha: float, beta: float, *, constant: str = "hoeffding"
) -> int:
    """Smallest number of samples at which :func:`uniform_convergence_radius` is at most alpha.

    **Returns.** About ``ln(2 |H| / beta) / (2 alpha**2)`` with Hoeffding's constant, and ``3 ln(2 |H| / beta)
    / alpha**2`` with the lecture's.
    **Source.** L4-thm-uniform-convergence.

    Parameters
    ----------
    constant : {"hoeffding", "lecture"}
        Which tail bound to use for one hypothesis.

    Examples
    --------
    >>> uniform_convergence_sample_size(16, 0.1, 0.05)
    324
    >>> uniform_convergence_sample_size(16, 0.1, 0.05, constant="lecture")
    1939
    """
    check.positive(alpha=alpha)
    radius = uniform_convergence_radius
    return smallest_integer(lambda m: radius(n_hypotheses, m, beta, constant=constant) <= alpha)


def agnostic_erm_excess_error(n_hypotheses: int, n_samples: int, beta: float) -> float:
    """Excess error of empirical risk minimisation over a finite class, except with probability beta.

    **Returns.** Twice :func:`uniform_convergence_radius`: once for the hypothesis chosen, once for the best
    one.
    **Source.** L4-thm-uc-implies-agnostic, for the true error (the printed chain ends at the empirical one).

    >>> round(agnostic_erm_excess_error(16, 500, 0.05), 6)
    0.160767
    """
    return 2 * uniform_convergence_radius(n_hypotheses, n_samples, beta)


def agnostic_erm_sample_size(n_hypotheses: int, alpha: float, beta: float) -> int:
    """Smallest number of samples at which :func:`agnostic_erm_excess_error` is at most alpha.

    **Returns.** About ``2 ln(2 |H| / beta) / alpha**2``.
    **Source.** L4-thm-uc-implies-agnostic; DR11-lem-sampling-bound, whose ``log|C| / alpha**2`` lacks the
    constant and the confidence.

    >>> agnostic_erm_sample_size(16, 0.1, 0.05)
    1293
    """
    check.positive(alpha=alpha)
    return smallest_integer(lambda m: agnostic_erm_excess_error(n_hypotheses, m, beta) <= alpha)
