"""Private sample sizes by one exponential moment, without uniform convergence.

The private learner picks a hypothesis h rather than the best one, h*, with probability at most
``min(1, exp(-epsilon (M_h - M_h*) / 2))``, where M counts mistakes; and ``min(1, w) <= w**s`` for every s
in [0, 1].  The mean of that power over an i.i.d. sample is a product of m equal factors, and a union bound
over the bad hypotheses finishes the proof.  Nothing is lost between two events, so these bounds need fewer
samples than those of :mod:`privml.bounds.private_pac`, by another proof of the same theorem.  With

    lambda = min(epsilon / 2, alpha)      and      L = ln(|H| / beta)

agnostic learning needs ``m >= L / (lambda alpha - lambda**2 / 2)``.  For ``epsilon >= 2 alpha`` this is
``2 L / alpha**2``, without epsilon: in this bound privacy costs nothing at all.
"""

from math import exp, log, log1p, sqrt

from privml import _check as check
from privml._search import smallest_integer


def private_pac_excess_error_direct(n_hypotheses: int, n_samples: int, epsilon: float, beta: float) -> float:
    """Excess error of the private learner by one exponential moment.

    **Returns.** With ``L = ln(|H| / beta)``: ``sqrt(2 L / m)`` where that is at most epsilon / 2, else ``2 L
    / (epsilon m) + epsilon / 4``.
    **Source.** Not in the sources: another proof of L4-private-agnostic-pac, given in the book.

    >>> round(private_pac_excess_error_direct(16, 2000, 0.5, 0.05), 6)
    0.075949
    """
    check.positive_integer(n_hypotheses=n_hypotheses, n_samples=n_samples)
    check.positive(epsilon=epsilon)
    check.probability_open(beta=beta)
    twice_exponent = 2 * (log(n_hypotheses) - log(beta)) / n_samples
    free = sqrt(twice_exponent)
    return free if free <= epsilon / 2 else twice_exponent / epsilon + epsilon / 4


def private_pac_sample_size_direct(n_hypotheses: int, epsilon: float, alpha: float, beta: float) -> int:
    """Smallest number of samples at which :func:`private_pac_excess_error_direct` is at most alpha.

    **Returns.** ``ln(|H| / beta) / (lambda alpha - lambda**2 / 2)`` with ``lambda = min(epsilon / 2,
    alpha)``, rounded up.
    **Source.** Not in the sources: another proof of L4-private-agnostic-pac, given in the book.

    >>> private_pac_sample_size_direct(16, 0.5, 0.1, 0.05)
    1154
    """
    check.positive(alpha=alpha)
    excess = private_pac_excess_error_direct
    return smallest_integer(lambda n_samples: excess(n_hypotheses, n_samples, epsilon, beta) <= alpha)


def private_realizable_failure(n_hypotheses: int, n_samples: int, epsilon: float, alpha: float) -> float:
    """Bound on the probability that the private learner's error exceeds alpha when the best error is 0.

    **Returns.** ``|H| (1 - alpha (1 - exp(-epsilon / 2)))**m``, at most 1.
    **Source.** Not in the sources: the realizable case of S16-thm-0.3, proved in the book.

    >>> round(private_realizable_failure(16, 500, 0.5, 0.1), 6)
    0.000222
    """
    check.positive_integer(n_hypotheses=n_hypotheses, n_samples=n_samples)
    check.positive(epsilon=epsilon)
    check.probability_open(alpha=alpha)
    exponent = log(n_hypotheses) + n_samples * log1p(-alpha * (1 - exp(-epsilon / 2)))
    return exp(min(0.0, exponent))


def private_realizable_sample_size(n_hypotheses: int, epsilon: float, alpha: float, beta: float) -> int:
    """Smallest number of samples at which :func:`private_realizable_failure` is at most beta.

    **Returns.** At most ``ln(|H| / beta) / (alpha (1 - exp(-epsilon / 2)))``, rounded up.
    **Source.** Not in the sources: the realizable case of S16-thm-0.3, proved in the book.

    >>> private_realizable_sample_size(16, 0.5, 0.1, 0.05)
    258
    """
    check.probability_open(beta=beta)
    failure = private_realizable_failure
    return smallest_integer(lambda n_samples: failure(n_hypotheses, n_samples, epsilon, alpha) <= beta)
