r"""What privacy promises about generalisation in the mean.

Let z be m independent records, phi the query in [0, 1] that a learner publishes, ``phi(z)`` its mean on the
sample and ``phi(D)`` its mean under the population.

**One record in, one record out.**  Put ``u = E phi(z_i) (1 - phi(w))`` and ``v = E phi(w) (1 - phi(z_i))``
with a fresh record w.  Then ``E phi(z) - phi(D)`` is the mean of ``u - v``, and exchanging z_i with w turns
the second integrand into the first.  For a pure guarantee this gives ``u <= e^epsilon v`` *for every
output*, while ``sqrt(u) + sqrt(v) <= 1``; so ``u - v <= tanh(epsilon / 4)``.  With a delta the chapter
*Generalisation for free* proves ``delta + (1 - delta) tanh(epsilon / 4)``.  It is half of what stability
alone would give, and sharp.

**A monitor** that runs the learner on T samples and publishes one of the queries with the number of its
sample pays delta once for each sample.
"""

from math import atanh, exp, inf, nextafter, sqrt, tanh

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check


def _checked(epsilon: float, delta: float, n_runs: int) -> None:
    check.non_negative(epsilon=epsilon, delta=delta)
    check.positive_integer(n_runs=n_runs)
    if delta > 1:
        raise ValueError(f"delta must be in the closed interval [0, 1], got {delta!r}")


def expected_gap_from_privacy(epsilon: float, delta: float = 0.0, *, n_runs: int = 1) -> float:
    """Largest expected generalisation gap of a private learner on independent records.

    Parameters
    ----------
    n_runs : int, default 1
        Number T of samples among which a monitor chooses.

    Returns
    -------
    float
        ``T delta + (1 - T delta) tanh(epsilon / 4)``, at most 1: a bound on ``|E phi(z) - phi(D)|``.

    Notes
    -----
    For one run it is attained in the limit of large universes, for any number of records:
    :func:`memoriser_gap`.
    **Source.** S16-rem-recap, generalisation in expectation, with a sharp constant; half of the stability
    constant that WLF16-thm-35 uses.

    Examples
    --------
    >>> round(expected_gap_from_privacy(1.0), 6), round(expected_gap_from_privacy(1.0, 0.01, n_runs=3), 6)
    (0.244919, 0.267571)
    """
    _checked(epsilon, delta, n_runs)
    slack = min(1.0, n_runs * delta)
    return slack + (1 - slack) * tanh(epsilon / 4)


def privacy_for_expected_gap(gap: float, delta: float = 0.0, *, n_runs: int = 1) -> float:
    """Largest epsilon at which :func:`expected_gap_from_privacy` is at most a given gap.

    Parameters
    ----------
    gap : float
        Wanted, in (0, 1) and at least ``n_runs * delta``.
    n_runs : int, default 1
        Number T of samples among which a monitor chooses.

    Returns
    -------
    float
        ``4 artanh((gap - T delta) / (1 - T delta))``; the bound there has been evaluated.

    Notes
    -----
    **Source.** Inverse of the bound behind S16-rem-recap.

    Examples
    --------
    >>> round(privacy_for_expected_gap(0.1), 6)
    0.401341
    """
    check.probability_open(gap=gap)
    _checked(0.0, delta, n_runs)
    slack = n_runs * delta
    if slack > gap:
        raise ValueError(f"n_runs * delta must be at most gap = {gap!r}, got {slack!r}")
    epsilon = 4 * atanh((gap - slack) / (1 - slack))
    while epsilon > 0 and expected_gap_from_privacy(epsilon, delta, n_runs=n_runs) > gap:
        epsilon = max(0.0, nextafter(epsilon, -inf))
    return epsilon


def posterior_mean(mean: ArrayLike, epsilon: float) -> NDArray[np.float64] | float:
    """Largest chance that a record satisfies a 0-1 query, once an epsilon-DP learner has published the query.

    Parameters
    ----------
    mean : array_like
        Means p of queries under the population, in [0, 1].
    epsilon : float
        In nats, of either sign; with ``-epsilon`` it is the least chance.

    Returns
    -------
    float or ndarray
        ``p e^epsilon / (1 - p + p e^epsilon)``: the log-odds move by epsilon.

    Notes
    -----
    Given the published query and all other records.  For queries in [0, 1] it bounds the mean.
    **Source.** The step that proves WLF16-lem-38 with better constants.

    Examples
    --------
    >>> round(posterior_mean(0.5, 1.0), 6), round(posterior_mean(0.5, -1.0), 6)
    (0.731059, 0.268941)
    """
    check.finite(epsilon=epsilon)
    p = check.numbers(mean=mean)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"mean must be in the closed interval [0, 1], got {mean!r}")
    ratio = exp(-abs(epsilon))
    inside, outside = (p, (1 - p) * ratio) if epsilon >= 0 else (p * ratio, 1 - p)
    q = np.divide(inside, inside + outside, where=inside + outside > 0, out=p.copy())
    return q if np.ndim(q) else float(q)


def expected_gap_from_concentration(rho: float) -> float:
    """Largest expected generalisation gap of a rho-concentrated learner: ``sqrt(rho / 2)``.

    Parameters
    ----------
    rho : float
        Non-negative, under ``REPLACE_ONE``; k adaptive answers add their rho.

    Notes
    -----
    The Kullback-Leibler divergence between neighbours is at most rho, their total variation by Pinsker's
    inequality at most ``sqrt(rho / 2)``, and the gap at most that.
    **Source.** S16-rem-recap: k answers with Laplace noise, each epsilon_0-DP, have a gap of at most
    ``sqrt(k) epsilon_0 / 2``.

    Examples
    --------
    >>> expected_gap_from_concentration(0.02)
    0.1
    """
    check.non_negative(rho=rho)
    return sqrt(rho / 2)


def laplace_answer_epsilon(tau: float, k: int) -> float:
    """Privacy of each of k adaptive Laplace answers that keeps the expected generalisation gap at tau.

    Returns
    -------
    float
        ``2 tau / sqrt(k)`` in nats; the noise on a mean of m records has the scale ``sqrt(k) / (2 tau m)``.

    Notes
    -----
    An epsilon_0-DP answer is ``epsilon_0^2 / 2``-concentrated, so k of them have a gap of at most
    ``sqrt(k) epsilon_0 / 2``, see :func:`expected_gap_from_concentration`.
    **Source.** S16-rem-recap; printed there: of order ``tau / sqrt(k m)`` up to logarithms.

    Examples
    --------
    >>> laplace_answer_epsilon(0.1, 100)
    0.02
    """
    check.probability_open(tau=tau)
    check.positive_integer(k=k)
    return 2 * tau / sqrt(k)
