"""What privacy promises of a published query with values in [0, 1], on m independent records.

Its mean on the sample is near its mean on the population.  Proofs are in the chapter *Generalisation for
free*.
"""

from math import exp, log, sqrt, tanh

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from privml import _check as check


def expected_gap_from_privacy(epsilon: float, delta: float = 0.0) -> float:
    """Largest expected generalisation gap of a private learner on independent records.

    Attained in the limit of large universes, for any number of records.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    delta : float
        Additive slack, in [0, 1].

    Returns
    -------
    float
        ``delta + (1 - delta) tanh(epsilon / 4)``: a bound on ``|E phi(z) - phi(D)|``.

    References
    ----------
    S16-rem-recap, generalisation in expectation, with a sharp constant; half of the stability constant that
    WLF16-thm-35 uses.

    Examples
    --------
    >>> round(expected_gap_from_privacy(1.0), 3), round(expected_gap_from_privacy(1.0, 0.03), 3)
    (0.245, 0.268)
    """
    check.non_negative(epsilon=epsilon)
    check.unit_interval(delta=delta)
    return delta + (1 - delta) * tanh(epsilon / 4)


def posterior_mean(mean: ArrayLike, epsilon: float) -> NDArray[np.float64]:
    """Largest chance that a record satisfies a 0-1 query, once an epsilon-DP learner has published the query.

    The log-odds of the mean move by epsilon.  For queries in [0, 1] it bounds the mean.

    Parameters
    ----------
    mean : float or array_like
        Population mean p of the query, in [0, 1].
    epsilon : float
        Here privacy parameter in nats, finite, of either sign: with ``-epsilon`` it is the least chance.

    Returns
    -------
    ndarray
        ``p e^epsilon / (1 - p + p e^epsilon)``.

    References
    ----------
    The step that proves WLF16-lem-38 with better constants.

    Examples
    --------
    >>> [round(float(posterior_mean(0.5, epsilon)), 6) for epsilon in (1.0, -1.0)]
    [0.731059, 0.268941]
    """
    check.finite(epsilon=epsilon)
    p = check.numbers(mean=mean)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(
            f"mean must be in the closed interval [0, 1], but got {mean!r}."
        )
    return expit(logit(p) + epsilon)


def generalisation_tail(
    n_samples: int, epsilon: float, *, tau: float, two_sided: bool = True
) -> float:
    """Probability that the query of an epsilon-DP learner misses its population mean by tau, at most.

    Parameters
    ----------
    n_samples : int
        Number m of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, non-negative.
    tau : float
        Here the deviation, in (0, 1).
    two_sided : bool
        Whether both tails are bounded, or one.

    Returns
    -------
    float
        ``2 exp(-2 m (tau - tanh(epsilon / 4))^2)`` for tau above tanh(epsilon / 4), at most 1; without the
        factor 2 for one side.

    References
    ----------
    WLF16-lem-38 (Lemma 38; Dwork et al. 2015, Theorem 7) with better constants.

    Examples
    --------
    >>> round(generalisation_tail(1000, 0.2, tau=0.1), 4)
    0.0134
    """
    check.flag(two_sided=two_sided)
    check.positive_integer(n_samples=n_samples)
    check.non_negative(epsilon=epsilon)
    check.probability_open(tau=tau)
    return min(
        1.0,
        (1 + two_sided) * exp(-2 * n_samples * max(0.0, tau - tanh(epsilon / 4)) ** 2),
    )


def generalisation_deviation(n_samples: int, epsilon: float, *, beta: float) -> float:
    """Deviation that the query of an epsilon-DP learner reaches with probability at most beta.

    Parameters
    ----------
    n_samples : int
        Number m of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, non-negative.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``tanh(epsilon / 4) + sqrt(ln(2 / beta) / (2 m))``, in both directions.

    References
    ----------
    WLF16-lem-38 with better constants: what privacy adds to Hoeffding's inequality is the first summand.
    Printed there: every tau above ``max(2 epsilon, sqrt(12 ln(4 / beta) / m))``.

    Examples
    --------
    >>> round(generalisation_deviation(1000, 0.2, beta=0.05), 5)
    0.09291
    """
    check.positive_integer(n_samples=n_samples)
    check.non_negative(epsilon=epsilon)
    check.probability_open(beta=beta)
    return tanh(epsilon / 4) + sqrt(log(2 / beta) / (2 * n_samples))


check.wrap_module(__name__)
