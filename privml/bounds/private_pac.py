"""Private learning of a finite class by the exponential mechanism: how far from the best.

Of the excess error alpha the sources give the uniform convergence, used twice, and the mechanism: *l4* a
third each; *s16* a quarter, twice, and a half; *dr11* what each needs.  *Direct* is one exponential moment.
"""

from math import log, sqrt, tanh

from privml import _check as check
from privml.bounds.tails import uniform_convergence_radius


def exponential_utility_gap(
    n_outcomes: int, epsilon: float, beta: float, *, sensitivity: float = 1.0, n_optimal: int = 1
) -> float:
    """Distance below the best score that the chosen one exceeds only with probability beta.

    **Returns.** ``(2 Delta / epsilon) (ln(k / k*) + ln(1 / beta))``, in score units.
    **Source.** L4-exp-mech-utility with t = ln(1 / beta); S16-thm-0.2 for ``n_optimal > 1``.

    >>> round(exponential_utility_gap(16, 1.0, 0.05), 6)
    11.536642
    """
    check.ranges(
        n_outcomes=n_outcomes, n_optimal=n_optimal, epsilon=epsilon, sensitivity=sensitivity, beta=beta
    )
    if n_optimal > n_outcomes:
        raise ValueError(f"n_optimal must be at most n_outcomes ({n_outcomes}), got {n_optimal}")
    return 2 * sensitivity / epsilon * (log(n_outcomes) - log(n_optimal) - log(beta))


def private_erm_gap(n_hypotheses: int, n_samples: int, epsilon: float, beta: float) -> float:
    """Excess empirical error of the private learner on any data, except with probability beta.

    **Returns.** ``2 (ln|H| + ln(1 / beta)) / (m epsilon)``.
    **Source.** L4-private-erm-gap, inequality (1); DR11-lem-empirical-utility.

    >>> round(private_erm_gap(16, 500, 0.5, 0.05), 6)
    0.046147
    """
    check.positive_integer(n_samples=n_samples)
    return exponential_utility_gap(n_hypotheses, epsilon, beta) / n_samples


def private_pac_excess_error_l4(
    n_hypotheses: int, n_samples: int, epsilon: float, beta: float, *, constant: str = "lecture"
) -> float:
    """Excess error of the private learner with alpha split into three equal parts (lecture 4).

    **Returns.** Three times the larger of radius and gap, each at beta / 2.
    **Source.** L4-private-agnostic-pac.

    >>> round(private_pac_excess_error_l4(16, 20000, 0.5, 0.05), 6)
    0.098279
    """
    check.probability_open(beta=beta)
    radius = uniform_convergence_radius(n_hypotheses, n_samples, beta / 2, constant=constant)
    return 3 * max(radius, private_erm_gap(n_hypotheses, n_samples, epsilon, beta / 2))


def private_pac_excess_error_s16(n_hypotheses: int, n_samples: int, epsilon: float, beta: float) -> float:
    """Excess error of the private learner with half of alpha for the mechanism (Sorrell's lecture 16).

    **Returns.** The larger of four radii and two gaps, each at beta / 2.
    **Source.** S16-thm-0.3 (Kasiviswanathan et al. 2011), with radius alpha / 4 for the one-sided alpha / 2.

    >>> round(private_pac_excess_error_s16(16, 6000, 0.5, 0.05), 6)
    0.09767
    """
    check.probability_open(beta=beta)
    radius = uniform_convergence_radius(n_hypotheses, n_samples, beta / 2)
    return max(4 * radius, 2 * private_erm_gap(n_hypotheses, n_samples, epsilon, beta / 2))


def private_pac_excess_error_dr11(n_hypotheses: int, n_samples: int, epsilon: float, beta: float) -> float:
    """Excess error of the private learner as the plain sum of its parts (Dwork and Roth, section 11.1).

    **Returns.** ``2 sqrt(ln(4|C| / beta) / (2 n)) + 2 ln(2|C| / beta) / (epsilon n)``.
    **Source.** DR11-thm-private-pac, with constants and one more use of the sampling bound.

    >>> round(private_pac_excess_error_dr11(16, 3000, 0.5, 0.05), 6)
    0.077679
    """
    check.probability_open(beta=beta)
    radius = uniform_convergence_radius(n_hypotheses, n_samples, beta / 2)
    return 2 * radius + private_erm_gap(n_hypotheses, n_samples, epsilon, beta / 2)


def private_pac_excess_error_direct(n_hypotheses: int, n_samples: int, epsilon: float, beta: float) -> float:
    """Excess error of the private learner by one exponential moment.

    **Returns.** ``sqrt(2 L / m)`` up to epsilon / 2, else ``2 L / (epsilon m) + epsilon / 4``, where
    ``L = ln(|H| / beta)``.
    **Source.** Not in the sources: another proof of L4-private-agnostic-pac, given in the book.

    >>> round(private_pac_excess_error_direct(16, 2000, 0.5, 0.05), 6)
    0.075949
    """
    check.ranges(n_hypotheses=n_hypotheses, n_samples=n_samples, epsilon=epsilon, beta=beta)
    twice_exponent = 2 * (log(n_hypotheses) - log(beta)) / n_samples
    free = sqrt(twice_exponent)
    return free if free <= epsilon / 2 else twice_exponent / epsilon + epsilon / 4


def representation_excess_risk(
    n_samples: int, epsilon: float, log_size: float, *, approximation: float = 0.0
) -> float:
    """Expected excess risk of the exponential mechanism over a finite set chosen without the data.

    **Returns.** Approximation, ``2 ln K / (n e)`` for the best e up to epsilon (Gibbs), and the smaller of
    ``tanh(e / 4)`` (it is private) and ``sqrt(ln K / (2 n))`` (K means stay near their expectations).
    **Accuracy.** In expectation over set, sample and draw, for losses in [0, 1] and independent records.
    **Source.** WLF16-ex-23, WLF16-ex-24: the reduction to WLF16-ex-20, with constants.

    >>> round(representation_excess_risk(1000, 1.0, log(64), approximation=0.05), 4)
    0.1039
    """
    check.ranges(n_samples=n_samples, epsilon=epsilon, log_size=log_size, approximation=approximation)
    uniform = 2 * log_size / (n_samples * epsilon) + sqrt(log_size / (2 * n_samples))
    best = min(epsilon, sqrt(8 * log_size / n_samples)) if log_size else 0.0
    private = 2 * log_size / (n_samples * best) + tanh(best / 4) if best else 0.0
    return approximation + min(uniform, private)
