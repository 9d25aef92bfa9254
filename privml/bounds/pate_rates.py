"""The rates of PATE without constants and logarithms: Table 1 of LZCW21, what it comes from, and the best m.

In d (VC dimension), n (private records), m (public points that are labelled), epsilon and the noise exponent
tau.  A rate is not a bound: it says how a bound scales, for delta polynomially small in n and epsilon below
``ln(1 / delta)``.
"""

from math import sqrt

from privml import _check as check
from privml._search import power, smallest_float

ALGORITHMS = ("gaussian", "sparse_vector", "active", "sparse_vector_2018")
"""Gaussian votes; the sparse vector; it with active queries; it as analysed by Bassily et al. (2018)."""

SETTINGS = ("realizable", "tsybakov", "agnostic")


def _check_problem(n_samples: float, vc_dimension: float, epsilon: float, tau: float) -> None:
    check.positive(n_samples=n_samples, vc_dimension=vc_dimension, epsilon=epsilon, tau=tau)
    check.positive(budget=n_samples * epsilon)
    check.unit_interval(tau=tau)


def _private_exponent(algorithm: str, tau: float) -> float:
    return 2 * tau / (4 - tau) if algorithm == "gaussian" else tau / (2 - tau)


def pate_rate(
    algorithm: str,
    setting: str,
    n_samples: float,
    n_public: float,
    *,
    vc_dimension: float,
    epsilon: float,
    tau: float = 1.0,
    disagreement_coefficient: float = 1.0,
    best_error: float = 0.0,
) -> float:
    """An entry of Table 1: the rate of the excess error, with teachers and labelled public points optimised.

    Parameters
    ----------
    algorithm : {"gaussian", "sparse_vector", "active", "sparse_vector_2018"}
        Column of the table.
    setting : {"realizable", "tsybakov", "agnostic"}
        Row of the table; agnostic is relative to the best hypothesis.
    n_samples, n_public : float
        Private records n and available public points m.
    vc_dimension, epsilon : float
        Size d of the class, and privacy.
    tau : float, default 1
        Noise exponent, in (0, 1]; used in the setting "tsybakov" only.
    disagreement_coefficient : float, default 1
        theta, at least 1; used by "active" only.
    best_error : float, default 0
        Least true error in the class; used in the agnostic setting only.

    Returns
    -------
    float
        Without constants and logarithms.  In the agnostic setting the excess error that cannot be avoided
        in general, ``best_error``, or the bound of 2018, whose ``13 err(h*)`` counts from 0.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** LZCW21-tab-1.

    Examples
    --------
    >>> round(pate_rate("sparse_vector", "realizable", 1e6, 1e6, vc_dimension=4, epsilon=1.0), 9)
    8e-06
    >>> round(pate_rate("gaussian", "realizable", 1e6, 1e6, vc_dimension=4, epsilon=1.0), 9)
    0.0004
    """
    check.one_of(ALGORITHMS, algorithm=algorithm)
    check.one_of(SETTINGS, setting=setting)
    check.positive(n_public=n_public, disagreement_coefficient=disagreement_coefficient)
    check.unit_interval(best_error=best_error)
    _check_problem(n_samples, vc_dimension, epsilon, tau)
    old = algorithm == "sparse_vector_2018"
    public = vc_dimension / n_public
    budget = n_samples * epsilon
    if old and setting != "realizable":
        return 13 * best_error + max(power(power(vc_dimension, 1.5) / budget, 0.4), sqrt(public))
    if setting == "agnostic":
        return best_error
    if old:
        return max(vc_dimension / power(budget, 2 / 3), sqrt(public))
    theta = disagreement_coefficient if algorithm == "active" else 1.0
    exponent = _private_exponent(algorithm, 1.0 if setting == "realizable" else tau)
    return max(power(power(vc_dimension, 1.5) * sqrt(theta) / budget, exponent), public)


def pate_rate_terms(
    algorithm: str, n_samples: float, n_public: float, *, vc_dimension: float, epsilon: float, tau: float
) -> tuple[float, float]:
    """The two terms of the rate when all m public points are labelled: of the private and the public data.

    Parameters
    ----------
    algorithm : {"gaussian", "sparse_vector"}
        How votes are made private.
    n_samples, n_public : float
        Private records n and labelled public points m.
    vc_dimension, epsilon, tau : float
        Size d of the class, privacy, noise exponent in (0, 1].

    Returns
    -------
    private, public : float
        ``(d sqrt(m) / (n eps))**(tau / (2 - tau))`` or ``(m d**2 / (n eps)**2)**(tau / (4 - 3 tau))``,
        growing with m, and ``d / m``.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** The rates of LZCW21-thm-28 and LZCW21-thm-10.

    Examples
    --------
    >>> pate_rate_terms("sparse_vector", 1e4, 100, vc_dimension=2, epsilon=1.0, tau=1.0)
    (4e-06, 0.02)
    """
    check.one_of(ALGORITHMS[:2], algorithm=algorithm)
    check.positive(n_public=n_public)
    _check_problem(n_samples, vc_dimension, epsilon, tau)
    noise = vc_dimension * sqrt(n_public) / (n_samples * epsilon)
    exponent = tau / (2 - tau) if algorithm == "gaussian" else 2 * tau / (4 - 3 * tau)
    return power(noise, exponent), vc_dimension / n_public


def pate_cutoff_rate(
    n_samples: float, n_public: float, *, vc_dimension: float, epsilon: float, tau: float
) -> float:
    """How the cut-off of the sparse vector scales: the solution of its own equation.

    Parameters
    ----------
    n_samples, n_public, vc_dimension, epsilon, tau
        As for :func:`pate_rate_terms`.

    Returns
    -------
    float
        ``(m**(2 - tau) d**tau / (n eps)**tau)**(2 / (4 - 3 tau))``, the T with
        ``T = m (d sqrt(T) / (n eps))**(tau / (2 - tau))``.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** LZCW21-thm-10.

    Examples
    --------
    >>> round(pate_cutoff_rate(1e4, 1e4, vc_dimension=2, epsilon=1.0, tau=1.0), 9)
    4.0
    """
    check.positive(n_public=n_public)
    _check_problem(n_samples, vc_dimension, epsilon, tau)
    base = power(n_public, 2 - tau) * power(vc_dimension / (n_samples * epsilon), tau)
    return power(base, 2 / (4 - 3 * tau))


def optimal_public_size(
    algorithm: str, n_samples: float, *, vc_dimension: float, epsilon: float, tau: float
) -> float:
    """Number of public points to label at which the two terms of the rate are equal.

    Parameters
    ----------
    algorithm, n_samples, vc_dimension, epsilon, tau
        As for :func:`pate_rate_terms`.

    Returns
    -------
    float
        With more public points than that, a random part of this size should be labelled.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** LZCW21-rem-12: ``(d**(4 - 5 tau) (n eps)**(2 tau))**(1 / (4 - 2 tau))`` for the sparse vector;
    LZCW21-rem-29: ``(d**(2 - 2 tau) (n eps)**tau)**(2 / (4 - tau))`` for Gaussian votes.

    Examples
    --------
    >>> round(optimal_public_size("sparse_vector", 1e4, vc_dimension=4, epsilon=1.0, tau=1.0), 6)
    5000.0
    """
    check.one_of(ALGORITHMS[:2], algorithm=algorithm)
    _check_problem(n_samples, vc_dimension, epsilon, tau)
    d, budget = vc_dimension, n_samples * epsilon
    if algorithm == "gaussian":
        return power(power(d, 2 - 2 * tau) * budget**tau, 2 / (4 - tau))
    return power(power(d, 4 - 5 * tau) * power(budget, 2 * tau), 1 / (4 - 2 * tau))


def pate_private_rate(
    algorithm: str, alpha: float, *, vc_dimension: float, epsilon: float, tau: float = 1.0
) -> float:
    """How the number of private records grows for excess error alpha, public points in plenty.

    Parameters
    ----------
    algorithm : {"gaussian", "sparse_vector"}
        How votes are made private.
    alpha : float
        Excess error, in (0, 1).
    vc_dimension, epsilon, tau : float
        As for :func:`pate_rate_terms`.

    Returns
    -------
    float
        The least n at which the entry of Table 1 is at most alpha, up to rounding.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** LZCW21-rem-11 for ``tau = 1``: ``d**1.5 / (alpha eps)``; LZCW21-rem-29 for Gaussian votes;
    LZCW21-rem-contributions, which prints the former for both.

    Examples
    --------
    >>> round(pate_private_rate("sparse_vector", 0.01, vc_dimension=4, epsilon=1.0), 6)
    800.0
    """
    check.probability_open(alpha=alpha)
    options = {"vc_dimension": vc_dimension, "epsilon": epsilon, "tau": tau}
    check.one_of(ALGORITHMS[:2], algorithm=algorithm)
    _check_problem(1.0, vc_dimension, epsilon, tau)
    exponent = _private_exponent(algorithm, tau)
    start = power(vc_dimension, 1.5) / epsilon * power(alpha, -1 / exponent)

    def reached(n_samples: float) -> bool:
        return pate_rate(algorithm, "tsybakov", n_samples, 1e300, **options) <= alpha

    return smallest_float(reached, lower=start / 2, upper=2 * start)
