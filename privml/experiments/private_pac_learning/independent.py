"""Exact failure probabilities when the hypotheses err independently of each other.

An instance is a vector of independent bits, every true label is True, and hypothesis j predicts bit j.  The
numbers of mistakes are then independent binomials, and no enumeration of samples is needed.  Empirical risk
minimisation picks the best hypothesis with the probability of a race; for the exponential mechanism

    w_0 / (w_0 + ... + w_k)  =  integral over s > 0 of  w_0 exp(-s w_0) ... exp(-s w_k) ds,

whose mean over the sample is a product under one integral.  With s = exp(u) the integrand is smooth and
vanishes doubly exponentially, so that the trapezoidal rule gives it to many digits.
"""

import numpy as np

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.uniform_convergence import agnostic_erm_sample_size
from privml.experiments.private_pac_learning.base import MARGIN
from privml.pac import SLACK, mistake_count_distribution

STEP = 0.1
_NEGLIGIBLE = 1e-18


def _laws(n_samples: int, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Laws of the mistakes of the best hypothesis and of a rival: errors a hair more than alpha apart."""
    check.probability_open(alpha=alpha)
    errors = (1 - alpha - MARGIN) / 2, (1 + alpha + MARGIN) / 2
    best, rival = (mistake_count_distribution(error, n_samples) for error in errors)
    return best, rival


def private_failure(n_hypotheses: int, n_samples: int, epsilon: float, alpha: float) -> float:
    """Failure probability of the private learner with independent rivals.

    Parameters
    ----------
    n_hypotheses : int
        Size of the class, at least 2.
    n_samples : int
        Size of the sample.
    epsilon : float
        Privacy parameter in nats under ``REPLACE_ONE``.
    alpha : float
        Excess error that is still allowed; that of every rival is a hair larger.

    Returns
    -------
    float
        By quadrature, to about 12 digits.

    Examples
    --------
    >>> round(private_failure(4, 10, 0.7, 0.2), 6)
    0.610688
    """
    best, rival = _laws(n_samples, alpha)
    likely = (best > _NEGLIGIBLE) | (rival > _NEGLIGIBLE)
    best, rival, mistakes = best[likely], rival[likely], np.flatnonzero(likely)
    log_weights = -epsilon / 2 * (mistakes - mistakes[0])
    u = np.arange(-40.0, 5.0 - log_weights[-1], STEP)
    weights = np.exp(np.minimum(u[:, None] + log_weights, 7.0))  # exp(-exp(7)) is 0
    survival = np.exp(-weights)
    rivals = (survival @ rival) ** (n_hypotheses - 1)
    return 1 - float(((survival * weights) @ best) @ rivals) * STEP


def erm_failure(n_hypotheses: int, n_samples: int, alpha: float) -> float:
    """Failure probability of empirical risk minimisation with independent rivals and uniform tie-break.

    Parameters
    ----------
    n_hypotheses : int
        Size of the class, at least 2.
    n_samples : int
        Size of the sample.
    alpha : float
        Excess error that is still allowed; that of every rival is a hair larger.

    Returns
    -------
    float

    Examples
    --------
    >>> round(erm_failure(4, 10, 0.2), 6)
    0.36678
    """
    best, rival = _laws(n_samples, alpha)
    at_least = np.cumsum(rival[::-1])[::-1]
    tied = np.clip(rival / at_least, 1e-300, 1 - 1e-16)  # a rival's chance of a tie, given no win
    wins = -np.expm1(n_hypotheses * np.log1p(-tied)) / (n_hypotheses * tied)
    return 1 - float(best @ (at_least ** (n_hypotheses - 1) * wins))


def independent_size(n_hypotheses: int, epsilon: float, alpha: float, beta: float, *, upper: int) -> int:
    """Least sample size at which the failure probability with independent rivals is at most beta.

    Parameters
    ----------
    n_hypotheses : int
        Size of the class, at least 2.
    epsilon : float
        Privacy parameter in nats; infinity stands for empirical risk minimisation.
    alpha, beta : float
        Excess error and failure probability.
    upper : int
        A sample size that is enough for the private learner.

    Returns
    -------
    int
        For empirical risk minimisation the least size from which on it holds, all sizes looked at; for the
        private learner by bisection, which takes for granted that more records fail less often.

    Examples
    --------
    >>> [independent_size(16, epsilon, 0.2, 0.05, upper=289) for epsilon in (1.0, np.inf)]
    [106, 81]
    """
    if np.isinf(epsilon):
        enough = agnostic_erm_sample_size(n_hypotheses, alpha, beta)
        fails = (n for n in range(enough, 0, -1) if erm_failure(n_hypotheses, n, alpha) > beta + SLACK)
        return next(fails, 0) + 1

    def holds(n_samples: int) -> bool:
        return private_failure(n_hypotheses, n_samples, epsilon, alpha) <= beta + SLACK

    return smallest_integer(holds, upper=upper)
