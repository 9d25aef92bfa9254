"""How many samples private agnostic learning of a finite class needs.

The private learner draws a hypothesis by the exponential mechanism with the number of correct labels as
score.  Two things can go wrong, each with probability at most beta / 2: an empirical error is far from its
true error (uniform convergence), or the mechanism falls far below the best score (its utility theorem).
The three sources divide the excess error alpha between these differently:

===== =============================== ====================== =================================
name  uniform convergence, radius     mechanism's gap        tail bound
===== =============================== ====================== =================================
l4    alpha / 3, used twice           alpha / 3              lecture's (or Hoeffding's)
s16   alpha / 4, used twice           alpha / 2              Hoeffding's
dr11  whatever is left, used twice    whatever it needs      Hoeffding's; the sum is inverted
===== =============================== ====================== =================================

Each sample size is the exact inverse of the excess error next to it: with n samples the bound is at most
alpha, with n - 1 it is not.
"""

from collections.abc import Callable
from functools import partial

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.exponential_mechanism import private_erm_gap
from privml.bounds.uniform_convergence import uniform_convergence_radius


def _smallest(excess: Callable, n_hypotheses: int, epsilon: float, alpha: float, beta: float) -> int:
    check.positive(alpha=alpha)
    return smallest_integer(lambda n_samples: excess(n_hypotheses, n_samples, epsilon, beta) <= alpha)


def private_pac_excess_error_l4(
    n_hypotheses: int, n_samples: int, epsilon: float, beta: float, *, constant: str = "lecture"
) -> float:
    """Excess error of the private learner with alpha split into three equal parts (lecture 4).

    **Returns.** Three times the larger of the convergence radius and the mechanism's gap, each at beta / 2.
    **Source.** L4-private-agnostic-pac.

    Parameters
    ----------
    constant : {"lecture", "hoeffding"}
        Tail bound for one hypothesis; "lecture" is what the notes print.

    Examples
    --------
    >>> round(private_pac_excess_error_l4(16, 20000, 0.5, 0.05), 6)
    0.098279
    """
    check.probability_open(beta=beta)
    radius = uniform_convergence_radius(n_hypotheses, n_samples, beta / 2, constant=constant)
    return 3 * max(radius, private_erm_gap(n_hypotheses, n_samples, epsilon, beta / 2))


def private_pac_sample_size_l4(
    n_hypotheses: int, epsilon: float, alpha: float, beta: float, *, constant: str = "lecture"
) -> int:
    """Smallest number of samples at which :func:`private_pac_excess_error_l4` is at most alpha.

    **Returns.** The larger of ``27 ln(4|H| / beta) / alpha**2`` (9/2 in place of 27 with Hoeffding's
    constant) and ``6 ln(2|H| / beta) / (alpha epsilon)``, rounded up.
    **Source.** L4-private-agnostic-pac, with log|H| where the notes print log(1/delta).

    Parameters
    ----------
    constant : {"lecture", "hoeffding"}
        Tail bound for one hypothesis.

    Examples
    --------
    >>> private_pac_sample_size_l4(16, 0.5, 0.1, 0.05)
    19318
    """
    excess = partial(private_pac_excess_error_l4, constant=constant)
    return _smallest(excess, n_hypotheses, epsilon, alpha, beta)


def private_pac_excess_error_s16(n_hypotheses: int, n_samples: int, epsilon: float, beta: float) -> float:
    """Excess error of the private learner with half of alpha for the mechanism (Sorrell's lecture 16).

    **Returns.** The larger of four convergence radii and twice the mechanism's gap, each at beta / 2.
    **Source.** S16-thm-0.3, with radius alpha / 4 in both directions in place of the printed one-sided
    alpha / 2, which leaves nothing for the comparison with the best hypothesis.

    >>> round(private_pac_excess_error_s16(16, 6000, 0.5, 0.05), 6)
    0.09767
    """
    check.probability_open(beta=beta)
    radius = uniform_convergence_radius(n_hypotheses, n_samples, beta / 2)
    return max(4 * radius, 2 * private_erm_gap(n_hypotheses, n_samples, epsilon, beta / 2))


def private_pac_sample_size_s16(n_hypotheses: int, epsilon: float, alpha: float, beta: float) -> int:
    """Smallest number of samples at which :func:`private_pac_excess_error_s16` is at most alpha.

    **Returns.** The larger of ``8 ln(4|H| / beta) / alpha**2`` and ``4 ln(2|H| / beta) / (alpha epsilon)``,
    rounded up.
    **Source.** S16-thm-0.3 (Kasiviswanathan et al. 2011), with the constants of the corrected proof.

    >>> private_pac_sample_size_s16(16, 0.5, 0.1, 0.05)
    5724
    """
    return _smallest(private_pac_excess_error_s16, n_hypotheses, epsilon, alpha, beta)


def private_pac_excess_error_dr11(n_hypotheses: int, n_samples: int, epsilon: float, beta: float) -> float:
    """Excess error of the private learner as the plain sum of its parts (Dwork and Roth, section 11.1).

    **Returns.** ``2 sqrt(ln(4|C| / beta) / (2 n)) + 2 ln(2|C| / beta) / (epsilon n)``.
    **Source.** DR11-thm-private-pac, with explicit constants and one more use of the sampling bound (the
    printed chain ends at the empirical error of the output).

    >>> round(private_pac_excess_error_dr11(16, 3000, 0.5, 0.05), 6)
    0.077679
    """
    check.probability_open(beta=beta)
    radius = uniform_convergence_radius(n_hypotheses, n_samples, beta / 2)
    return 2 * radius + private_erm_gap(n_hypotheses, n_samples, epsilon, beta / 2)


def private_pac_sample_size_dr11(n_hypotheses: int, epsilon: float, alpha: float, beta: float) -> int:
    """Smallest number of samples at which :func:`private_pac_excess_error_dr11` is at most alpha.

    **Source.** DR11-thm-private-pac.

    >>> private_pac_sample_size_dr11(16, 0.5, 0.1, 0.05)
    1913
    """
    return _smallest(private_pac_excess_error_dr11, n_hypotheses, epsilon, alpha, beta)
