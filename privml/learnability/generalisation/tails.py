r"""Generalisation with high probability, for pure privacy.

Once an epsilon-DP learner has published a query with mean p under the population, the records of the sample
are no longer independent draws, but not far from it: whatever the other records are, the next one satisfies
the query with a chance q between the two numbers with ``logit q = logit p -+ epsilon``
(:func:`~privml.learnability.generalisation.expectation.posterior_mean`).  So its count on the sample lies
between two binomials, and since ``q - p <= tanh(epsilon / 4)``, Hoeffding's inequality gives

.. math:: \Pr[|\phi(z) - \phi(D)| \ge \tau] \le 2 \exp(-2 m (\tau - \tanh(\varepsilon / 4))^2) .
"""

from math import atanh, exp, inf, log, nextafter, sqrt, tanh

from privml import _check as check
from privml._search import smallest_integer


def generalisation_tail(n_samples: int, epsilon: float, tau: float, *, two_sided: bool = True) -> float:
    """Probability that the query of an epsilon-DP learner misses its population mean by tau, at most.

    Parameters
    ----------
    two_sided : bool, default True
        Whether both directions count.

    Returns
    -------
    float
        ``2 exp(-2 m (tau - tanh(epsilon / 4))^2)`` for tau above tanh(epsilon / 4), and never above 1;
        without the factor 2 for one side.

    Notes
    -----
    **Source.** WLF16-lem-38 (Lemma 38; Dwork et al. 2015, Theorem 7) with better constants.

    Examples
    --------
    >>> round(generalisation_tail(1000, 0.2, 0.1), 6)
    0.013364
    """
    check.flag(two_sided=two_sided)
    check.positive_integer(n_samples=n_samples)
    check.non_negative(epsilon=epsilon)
    check.probability_open(tau=tau)
    beyond = max(0.0, tau - tanh(epsilon / 4))
    return min(1.0, (1 + two_sided) * exp(-2 * n_samples * beyond**2))


def generalisation_deviation(n_samples: int, epsilon: float, beta: float) -> float:
    """Deviation that the query of an epsilon-DP learner reaches with probability at most beta.

    Returns
    -------
    float
        ``tanh(epsilon / 4) + sqrt(ln(2 / beta) / (2 m))``, in both directions.

    Notes
    -----
    **Source.** WLF16-lem-38 with better constants: what privacy adds to Hoeffding's inequality is the first
    summand.

    Examples
    --------
    >>> round(generalisation_deviation(1000, 0.2, 0.05), 6)
    0.092905
    """
    check.positive_integer(n_samples=n_samples)
    check.non_negative(epsilon=epsilon)
    check.probability_open(beta=beta)
    return tanh(epsilon / 4) + sqrt(log(2 / beta) / (2 * n_samples))


def generalisation_sample_size(tau: float, epsilon: float, beta: float) -> int:
    """Smallest number of records at which :func:`generalisation_deviation` is at most tau.

    Notes
    -----
    **Source.** WLF16-lem-38 with better constants.

    Examples
    --------
    >>> generalisation_sample_size(0.1, 0.05, 0.05), generalisation_sample_size_wlf16(0.1, 0.05)
    (241, 5259)
    """
    check.probability_open(tau=tau)
    check.non_negative(epsilon=epsilon)
    if tanh(epsilon / 4) >= tau:
        raise ValueError(f"tau must be above tanh(epsilon / 4) = {tanh(epsilon / 4):.4g}, got {tau!r}")
    return smallest_integer(lambda n: generalisation_deviation(n, epsilon, beta) <= tau)


def generalisation_epsilon(tau: float, n_samples: int, beta: float) -> float:
    """Largest epsilon at which :func:`generalisation_deviation` is at most tau.

    Returns
    -------
    float
        ``4 artanh(tau - sqrt(ln(2 / beta) / (2 m)))``; the deviation there has been evaluated.

    Notes
    -----
    **Source.** WLF16-lem-38 with better constants.

    Examples
    --------
    >>> round(generalisation_epsilon(0.1, 1000, 0.05), 6)
    0.22846
    """
    check.probability_open(tau=tau)
    least = generalisation_deviation(n_samples, 0.0, beta)
    if least > tau:
        raise ValueError(f"tau must be at least {least:.4g}, the deviation of fixed queries, got {tau!r}")
    epsilon = 4 * atanh(tau - least)
    while epsilon > 0 and generalisation_deviation(n_samples, epsilon, beta) > tau:
        epsilon = max(0.0, nextafter(epsilon, -inf))
    return epsilon


def generalisation_deviation_wlf16(n_samples: int, epsilon: float, beta: float) -> float:
    """Deviation of the query of an epsilon-DP learner as WLF16 states it.

    Returns
    -------
    float
        ``max(2 epsilon, sqrt(12 ln(4 / beta) / m))``: every larger tau is allowed.

    Notes
    -----
    **Source.** WLF16-lem-38, Lemma 38, solved for tau; never below :func:`generalisation_deviation`.

    Examples
    --------
    >>> round(generalisation_deviation_wlf16(1000, 0.2, 0.05), 6)
    0.4
    """
    check.positive_integer(n_samples=n_samples)
    check.non_negative(epsilon=epsilon)
    check.probability_open(beta=beta)
    return max(2 * epsilon, sqrt(12 * log(4 / beta) / n_samples))


def generalisation_sample_size_wlf16(tau: float, beta: float) -> int:
    """Number of records that WLF16 asks for: at least ``12 ln(4 / beta) / tau^2``, with epsilon below tau /
    2.

    Notes
    -----
    The lemma also wants epsilon below tau / 2.
    **Source.** WLF16-lem-38, Lemma 38.

    Examples
    --------
    >>> generalisation_sample_size_wlf16(0.1, 0.05)
    5259
    """
    check.probability_open(tau=tau, beta=beta)
    return smallest_integer(lambda n: generalisation_deviation_wlf16(n, 0.0, beta) <= tau)
