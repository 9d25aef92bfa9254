"""The rates of PATE without constants and logarithms: Table 1 of LZCW21.

In d (VC dimension), n (private records), m (public points that are labelled), epsilon and the noise exponent
tau.  A rate is not a bound: it says how a bound scales, for delta polynomially small in n and epsilon below
``ln(1 / delta)``.
"""

from math import sqrt

from privml import _check as check
from privml._search import power

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

    **Returns.** Without constants and logarithms.  In the agnostic setting the excess error that cannot be
    avoided in general, ``best_error``, or the bound of 2018, whose ``13 err(h*)`` counts from 0.
    **Source.** LZCW21-tab-1.

    Parameters
    ----------
    algorithm : {"gaussian", "sparse_vector", "active", "sparse_vector_2018"}
        Column of the table.
    setting : {"realizable", "tsybakov", "agnostic"}
        Row of the table; agnostic is relative to the best hypothesis.
    tau : float, default 1
        Noise exponent, in (0, 1]; used in the setting "tsybakov" only.
    disagreement_coefficient : float, default 1
        theta, at least 1; used by "active" only.
    best_error : float, default 0
        Least true error in the class; used in the agnostic setting only.

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
