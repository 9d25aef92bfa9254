r"""Mean-square generalisation of concentrated learners, and adaptive queries with Gaussian noise.

For a query that does not look at the sample the deviation ``phi(z) - phi(D)`` is sub-Gaussian with variance
factor ``1 / (4 m)``.  A rho-concentrated learner has a mutual information of at most ``m rho`` with m
independent records, and the change of measure of Donsker and Varadhan gives

.. math:: \mathbb E (\phi(z) - \phi(D))^2 \le \frac{x}{4 m}, \qquad x - 1 - \ln x = 2 m \rho, \quad x \ge 1 .

With Gaussian noise of variance s / m on each of k adaptive answers, ``2 m rho = (k - 1) / s`` when the last
one is asked, so its mean-square error is at most ``(s + x / 4) / m``.  The best s does not depend on m.  A
fresh part of m / k records for each query has ``k / (4 m)``.
"""

from math import log, log1p, sqrt
from typing import NamedTuple

from privml import _check as check
from privml._search import crossing, smallest_integer

_HUGE = 1e300


def _excess(x: float) -> float:
    """``x - 1 - ln x``, without cancellation near 1."""
    step = x - 1
    return step - log1p(step) if step < 1 else step - log(x)


def variance_inflation(information: float) -> float:
    """By how much a mean-square deviation can grow if the query knows something about the sample.

    Parameters
    ----------
    information : float
        Mutual information of the query and the sample in nats, non-negative.

    Returns
    -------
    float
        The x of at least 1 with ``x - 1 - ln x = 2 information``.

    Raises
    ------
    ValueError
        If `information` is out of range.

    Notes
    -----
    **Source.** The change of measure in the module's docstring; for S16-rem-recap.

    Examples
    --------
    >>> variance_inflation(0.0), round(variance_inflation(1.0), 6)
    (1.0, 4.505241)
    """
    check.non_negative(information=information)
    if information == 0:
        return 1.0
    top = 2 + 4 * information + 4 * sqrt(information)
    return crossing(lambda x: 2 * information - _excess(x), lower=1.0, upper=top)


def mean_square_gap(rho: float, n_samples: int) -> float:
    """Mean-square generalisation gap of a rho-concentrated learner from m independent records, at most.

    Parameters
    ----------
    rho : float
        Non-negative, under ``REPLACE_ONE``; k adaptive answers add their rho.

    Returns
    -------
    float
        ``x / (4 m)`` with ``x = variance_inflation(m rho)``: 1 / (4 m) for rho = 0, about rho / 2 for large
        m.

    Notes
    -----
    **Source.** For S16-rem-recap: generalisation of adaptive queries, in mean square.

    Examples
    --------
    >>> mean_square_gap(0.0, 100), round(mean_square_gap(0.02, 1000), 6)
    (0.0025, 0.011201)
    """
    check.non_negative(rho=rho)
    check.positive_integer(n_samples=n_samples)
    return variance_inflation(n_samples * rho) / (4 * n_samples)


class GaussianAnswers(NamedTuple):
    """How to answer k adaptive queries with Gaussian noise.

    Attributes
    ----------
    sigma : float
        Standard deviation of the noise on each answer.
    rho : float
        Concentrated privacy of all k answers.
    root_mean_square : float
        Bound on the root-mean-square error of every answer.
    """

    sigma: float
    rho: float
    root_mean_square: float


def _noise_and_error(k: int) -> tuple[float, float]:
    """Best m sigma^2, and m times the mean-square error that it gives, for k queries."""
    if k == 1:
        return 0.0, 0.25
    from scipy.optimize import minimize_scalar

    error = lambda x: (k - 1) / _excess(x) + x / 4  # noqa: E731
    x = minimize_scalar(
        error, bounds=(1 + 1e-6, 10 + 4 * sqrt(k)), options={"xatol": 1e-10}, method="bounded"
    ).x
    return (k - 1) / _excess(x), error(x)


def gaussian_answers(n_samples: int, k: int) -> GaussianAnswers:
    """Noise for k adaptive queries in [0, 1] on one sample, with the error that is proved for each answer.

    Parameters
    ----------
    k : int
        Number of queries, at least 1; each may depend on all earlier answers.

    Returns
    -------
    GaussianAnswers
        With a root-mean-square error of about ``k^(1/4) / sqrt(m)`` for large k.

    Notes
    -----
    **Privacy.** rho-concentrated under ``REPLACE_ONE``; infinite rho for one query, which needs no noise.
    **Source.** For S16-rem-recap, with Gaussian noise and all constants.

    Examples
    --------
    >>> found = gaussian_answers(10_000, 1001)
    >>> round(found.sigma, 4), round(found.root_mean_square, 4), round(split_answers_error(10_000, 1001), 4)
    (0.0399, 0.0574, 0.1667)
    """
    check.positive_integer(n_samples=n_samples, k=k)
    noise, error = _noise_and_error(k)
    rho = k / (2 * noise * n_samples) if noise else float("inf")
    return GaussianAnswers(sqrt(noise / n_samples), rho, sqrt(error / n_samples))


def split_answers_error(n_samples: int, k: int) -> float:
    """Root-mean-square error of k adaptive queries when each gets its own part of the sample, at most.

    Returns
    -------
    float
        ``sqrt(1 / (4 floor(m / k)))``, attained by queries of mean 1/2.

    Notes
    -----
    **Source.** What the noise of S16-rem-recap has to beat.

    Examples
    --------
    >>> split_answers_error(10_000, 100)
    0.05
    """
    check.positive_integer(n_samples=n_samples, k=k)
    if k > n_samples:
        raise ValueError(f"k must be at most n_samples = {n_samples}, got {k}")
    return sqrt(1 / (4 * (n_samples // k)))


def queries_until_noise_pays() -> int:
    """Smallest number of adaptive queries at which the bound for Gaussian noise beats a split of the sample.

    Returns
    -------
    int
        The k from which on ``s + x / 4 < k / 4``; it does not depend on the number of records, as long as k
        divides it.

    Notes
    -----
    **Source.** For S16-rem-recap.

    Examples
    --------
    >>> queries_until_noise_pays()
    22
    """
    return smallest_integer(lambda k: _noise_and_error(k)[1] < k / 4)
