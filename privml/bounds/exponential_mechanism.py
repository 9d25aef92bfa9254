"""How far below the best score the exponential mechanism falls.

Among k outcomes, k* of them best, the probability that the chosen score is at or below OPT - g is at most
``(k / k*) exp(-epsilon g / (2 Delta))``.  The three functions here solve that one equation for the
failure probability, the gap, and epsilon.  For the private learner, whose score is a number of correct
labels, the gap divided by the number of records is an excess empirical error.
"""

from math import exp, log

from privml import _check as check


def _check_counts(n_outcomes: int, n_optimal: int) -> None:
    check.positive_integer(n_outcomes=n_outcomes, n_optimal=n_optimal)
    if n_optimal > n_outcomes:
        raise ValueError(f"n_optimal must be at most n_outcomes ({n_outcomes}), got {n_optimal}")


def exponential_utility_failure(
    n_outcomes: int, epsilon: float, gap: float, *, sensitivity: float = 1.0, n_optimal: int = 1
) -> float:
    """Bound on the probability that the chosen score is at most OPT - gap.

    **Returns.** ``(k / k*) exp(-epsilon gap / (2 Delta))``, at most 1.
    **Source.** S16-thm-0.2 (L4-exp-mech-utility for ``n_optimal=1``).

    Parameters
    ----------
    gap : float
        Distance below the best score, in score units, non-negative.
    n_optimal : int, default 1
        Number k* of outcomes that attain the best score; 1 is always safe.

    Examples
    --------
    >>> round(exponential_utility_failure(16, 1.0, 12.0), 6)
    0.03966
    """
    _check_counts(n_outcomes, n_optimal)
    check.positive(epsilon=epsilon, sensitivity=sensitivity)
    check.non_negative(gap=gap)
    return min(1.0, n_outcomes / n_optimal * exp(-epsilon * gap / (2 * sensitivity)))


def exponential_utility_gap(
    n_outcomes: int, epsilon: float, beta: float, *, sensitivity: float = 1.0, n_optimal: int = 1
) -> float:
    """Distance below the best score that the chosen one exceeds only with probability beta.

    **Returns.** ``(2 Delta / epsilon) (ln(k / k*) + ln(1 / beta))``, in score units.
    **Source.** L4-exp-mech-utility with t = ln(1 / beta); S16-thm-0.2 for ``n_optimal > 1``.

    Parameters
    ----------
    n_optimal : int, default 1
        Number k* of outcomes that attain the best score; 1 is always safe.

    Examples
    --------
    >>> round(exponential_utility_gap(16, 1.0, 0.05), 6)
    11.536642
    """
    _check_counts(n_outcomes, n_optimal)
    check.positive(epsilon=epsilon, sensitivity=sensitivity)
    check.probability_open(beta=beta)
    return 2 * sensitivity / epsilon * (log(n_outcomes) - log(n_optimal) - log(beta))


def private_erm_gap(n_hypotheses: int, n_samples: int, epsilon: float, beta: float) -> float:
    """Excess empirical error of the private learner, except with probability beta.

    **Returns.** ``2 (ln|H| + ln(1 / beta)) / (m epsilon)``.
    **Source.** L4-private-erm-gap, inequality (1); DR11-lem-empirical-utility.

    Parameters
    ----------
    beta : float
        Failure probability in (0, 1), over the learner's coins only; the data are arbitrary.

    Examples
    --------
    >>> round(private_erm_gap(16, 500, 0.5, 0.05), 6)
    0.046147
    """
    check.positive_integer(n_samples=n_samples)
    return exponential_utility_gap(n_hypotheses, epsilon, beta) / n_samples
