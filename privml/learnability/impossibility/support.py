r"""Learning a finite support: hypotheses are finite sets h, and a record outside of h costs 1.

The learner that returns the records it saw pays the *missing mass*, the probability of what it has not seen.
For N equally likely records that is :math:`(1 - 1/N)^n`, and no learner that does not know the support does
better.  A private learner cannot even return the records it saw.
"""

from collections.abc import Callable
from math import exp, isqrt, log, log1p, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._search import smallest_integer


def missing_mass(probabilities: ArrayLike, n_samples: int) -> NDArray[np.float64] | float:
    """Expected probability of what a sample has not shown.

    Parameters
    ----------
    probabilities : array_like of shape (..., n_atoms)
        Distributions on finitely many records.

    Returns
    -------
    ndarray of shape (...) or float
        ``sum of p (1 - p)^n_samples``: the risk of the learner that returns the records it saw.

    Notes
    -----
    **Source.** WLF16-ex-16.

    Examples
    --------
    >>> missing_mass([0.5, 0.25, 0.25], 2)
    0.40625
    """
    check.positive_integer(n_samples=n_samples)
    law = check.numbers(probabilities=probabilities)
    if law.ndim == 0 or not ((law >= 0).all() and np.allclose(law.sum(axis=-1), 1, rtol=0, atol=1e-9)):
        raise ValueError(f"probabilities must be non-negative with sum 1, got {probabilities!r}")
    mass = (law * (1 - law) ** n_samples).sum(axis=-1)
    return mass if mass.ndim else float(mass)


def missing_mass_bound(n_atoms: int, n_samples: int) -> float:
    """Largest expected missing mass of a distribution on at most n_atoms records, or a bound on it.

    Parameters
    ----------
    n_atoms : int
        Number N of records, at least 1.

    Returns
    -------
    float
        ``(1 - 1/N)^n`` if n < N, which the uniform distribution attains; else ``N/(n+1) (n/(n+1))^n``, which
        is below ``N / (e n)``.

    Notes
    -----
    **Source.** WLF16-ex-16, which has N / n.

    Examples
    --------
    >>> [round(missing_mass_bound(10, n), 4) for n in (1, 9, 10, 1000)]
    [0.9, 0.3874, 0.3505, 0.0037]
    """
    check.positive_integer(n_atoms=n_atoms, n_samples=n_samples)
    if n_samples < n_atoms:
        return hidden_support_risk(n_atoms, n_samples)
    return n_atoms / (n_samples + 1) * exp(-n_samples * log1p(1 / n_samples))


def missing_mass_sample_size(n_atoms: int, alpha: float) -> int:
    """Number of records from which every distribution on n_atoms records shows all but alpha of its mass.

    Parameters
    ----------
    n_atoms : int
        Number of records, at least 1.

    Returns
    -------
    int
        The smallest n with ``missing_mass_bound(n_atoms, n) <= alpha``.

    Notes
    -----
    **Source.** WLF16-ex-16: inverse of :func:`missing_mass_bound`.

    Examples
    --------
    >>> missing_mass_sample_size(10, 0.05)
    74
    """
    check.positive_integer(n_atoms=n_atoms)
    check.probability_open(alpha=alpha)
    return smallest_integer(lambda n_samples: missing_mass_bound(n_atoms, n_samples) <= alpha)


def hidden_support_risk(n_support: int, n_samples: int) -> float:
    """Risk that no learner avoids on some uniform distribution over n_support points of [0, 1].

    Parameters
    ----------
    n_support : int
        Number N of points, at least 1.

    Returns
    -------
    float
        ``(1 - 1/N)^n``, the minimax risk: returning the records seen attains it.

    Notes
    -----
    **Source.** WLF16-ex-16: with N = 3 n it lies in [2/3, e^(-1/3)).

    Examples
    --------
    >>> [round(hidden_support_risk(3 * n, n), 3) for n in (1, 2, 10, 1000)]
    [0.667, 0.694, 0.712, 0.716]
    """
    check.positive_integer(n_support=n_support, n_samples=n_samples)
    return exp(n_samples * log1p(-1 / n_support)) if n_support > 1 else 0.0


def private_support_risk(n_points: int, output_size: int, epsilon: float) -> float:
    """Expected empirical risk that no private learner avoids on records drawn from a large universe.

    Parameters
    ----------
    n_points : int
        Size M of the universe, from which the records are drawn uniformly; at least 1.
    output_size : int
        Largest number s of points that the learner returns, from 1 to `n_points`.

    Returns
    -------
    float
        ``(M - s) / (M - s + s e^epsilon)``, for samples of any size; tends to 1 as M grows.

    Notes
    -----
    **Privacy.** For epsilon-DP under ``REPLACE_ONE``.  With one record subset selection attains it.
    **Source.** WLF16-ex-17; at least the inventory's ``1 - e^epsilon s / M``.

    Examples
    --------
    >>> [round(private_support_risk(M, 5, 1.0), 4) for M in (10, 1000, 10**6)]
    [0.2689, 0.9865, 1.0]
    """
    check.positive_integer(n_points=n_points, output_size=output_size)
    check.positive(epsilon=epsilon)
    if output_size > n_points:
        raise ValueError(f"output_size must be at most n_points = {n_points}, got {output_size!r}")
    if output_size == n_points:
        return 0.0
    odds = epsilon + log(output_size) - log(n_points - output_size)
    return 1 / (1 + exp(odds)) if odds < 700 else 0.0


def d_universal_aerm_rate(
    xi: Callable[[int], float], xi_prime: Callable[[int], float], n_samples: int, *, form: str = "direct"
) -> float:
    """Rate at which a subsampled learner minimises the empirical risk, on a class of distributions.

    Parameters
    ----------
    xi : callable
        From a sample size to the learner's excess risk on the class of distributions.
    xi_prime : callable
        From a sample size to the excess risk of some learner on all distributions.
    n_samples : int
        Number n of records, at least 1; the learner runs on floor(sqrt(n)) of them.
    form : {"direct", "printed"}
        ``xi(floor(sqrt n)) + xi'(floor(n^(1/4))) + 2 / sqrt n``, proved in the book, or the source's
        ``xi(sqrt n) + 12 xi'(n^(1/4)) + 37 / sqrt n``, with the roots rounded down.

    Notes
    -----
    **Source.** WLF16-lem-14, Lemma 14, whose (15) lacks the prime.

    Examples
    --------
    >>> rate = lambda k: 1 / k
    >>> [round(d_universal_aerm_rate(rate, rate, 10_000, form=form), 3) for form in ("direct", "printed")]
    [0.13, 1.58]
    """
    check.positive_integer(n_samples=n_samples)
    check.one_of(("direct", "printed"), form=form)
    check.function(xi=xi, xi_prime=xi_prime)
    root = isqrt(n_samples)
    times, constant = (1, 2) if form == "direct" else (12, 37)
    return xi(root) + times * xi_prime(isqrt(root)) + constant / sqrt(n_samples)
