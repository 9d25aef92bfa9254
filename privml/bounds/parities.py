r"""Parities: out of reach of statistical queries, and privately learnable all the same.

Under the uniform law on {0, 1}^d the parity of a set S of features has the sign
:math:`\chi_S(x) = (-1)^{\sum_{i \in S} x_i}`, and these 2^d signs are orthonormal.  A query phi then has the
mean

.. math:: \bar\varphi + \tfrac12 \hat f(S), \qquad f(x) = \varphi(x, 0) - \varphi(x, 1), \quad
          \hat f(S) = \mathbb E\, f(x) \chi_S(x),

if the labels are the parity of S, where :math:`\bar\varphi` is its mean under fair coins as labels.  By
Parseval :math:`\sum_S \hat f(S)^2 \le 1`: the answer :math:`\bar\varphi` is wrong by more than tau for fewer
than :math:`1 / (4 \tau^2)` of the parities.

The private learner of Kasiviswanathan et al. solves linear equations modulo 2 on a random subsample.
"""

from fractions import Fraction
from math import ceil, exp, expm1, floor, inf, log, log1p, tanh
from typing import NamedTuple

from privml import _check as check
from privml._search import smallest_integer

LARGEST_DIMENSION = 1 << 14
"""Largest dimension whose parities are counted."""

SMALLEST_FLOAT = 2.0**-1074

VARIANTS = ("sharp", "source")

GRID = 2.0**-53
"""Step of numpy's uniform floats: they are below a multiple of it with exactly that probability."""


class ParityPlan(NamedTuple):
    """Probability with which a record is used, and probability of giving up without a look at the data."""

    sampling_rate: float
    abort: float


def _checked_features(n_features: int) -> None:
    check.positive_integer(n_features=n_features)
    if n_features > LARGEST_DIMENSION:
        raise ValueError(f"n_features must be at most {LARGEST_DIMENSION}, got {n_features!r}")


def parities_ruled_out(tolerance: float) -> int:
    """Most parities that one answer of a given tolerance can be made to rule out.

    **Returns.** Largest whole number below ``1 / (4 tau^2)``.
    **Source.** DR11-rem-parity; Kearns (1998), Blum et al. (1994), with the constant 1/4 for queries with
    values in [0, 1].

    Parameters
    ----------
    tolerance : float
        Tolerance tau of the oracle, positive.

    Examples
    --------
    >>> parities_ruled_out(0.1), parities_ruled_out(0.5)
    (24, 0)
    """
    check.positive(tolerance=tolerance)
    return ceil(1 / (4 * Fraction(tolerance) ** 2)) - 1


def parity_sq_success(n_features: int, n_queries: int, tolerance: float) -> float:
    """Bound on the probability that a learner finds a random parity by statistical queries.

    **Returns.** ``(1 + k N) / 2^d`` with N of :func:`parities_ruled_out`, at most 1: no learner has an error
    below 1/4 with a larger probability, over its coins and a uniformly random target.
    **Source.** DR11-rem-parity, proved in the book.

    Parameters
    ----------
    tolerance : float
        Tolerance tau of the oracle, positive.

    Examples
    --------
    >>> round(parity_sq_success(30, 1000, 0.001), 4)
    0.2328
    """
    _checked_features(n_features)
    check.non_negative_integer(n_queries=n_queries)
    bound = Fraction(1 + n_queries * parities_ruled_out(tolerance), 1 << n_features)
    return max(SMALLEST_FLOAT, float(min(Fraction(1), bound)))


def parity_sq_queries(n_features: int, tolerance: float, beta: float) -> int | float:
    """Fewest queries with which :func:`parity_sq_success` allows a failure probability of beta.

    **Returns.** Int or float: every learner needs at least as many; infinity if no number of queries is
    enough.
    **Source.** DR11-rem-parity, inverted.

    Parameters
    ----------
    tolerance : float
        Tolerance tau of the oracle, positive.

    Examples
    --------
    >>> parity_sq_queries(30, 0.001, 0.05)
    4081
    """
    _checked_features(n_features)
    check.probability_open(beta=beta)
    ruled_out = parities_ruled_out(tolerance)
    missing = (1 - Fraction(beta)) * (1 << n_features) - 1
    if missing <= 0:
        return 0
    return ceil(missing / ruled_out) if ruled_out else inf


def parity_plan(epsilon: float, *, variant: str = "sharp") -> ParityPlan:
    """How the private parity learner samples records and how often it gives up, for a given epsilon.

    **Privacy.** Either way :class:`~privml.learners.PrivateParityLearner` is epsilon-DP under replace-one:
    the learner with rate p is ``ln((1 + p) / (1 - p))``-DP if its abort probability is at least
    ``(1 - p) / (3 - p)``, which is below 1/3.
    **Source.** DR11-rem-parity; Kasiviswanathan et al. (2011), whose learner is "source".

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive; for "source" at most 3.83, the root of tanh(e / 2) = e / 4.
    variant : {"sharp", "source"}
        "sharp": rate ``p = tanh(epsilon / 2)`` and abort ``(1 - p) / (3 - p)``, the extremes that the
        proof allows.  "source": ``epsilon / 4`` and 1/2.  Rates are rounded down and aborts up to a multiple
        of 2^-53, so that uniform floats follow them exactly and no epsilon turns a rate into 1.

    Returns
    -------
    ParityPlan

    Examples
    --------
    >>> [round(number, 4) for number in parity_plan(1.0)]
    [0.4621, 0.2119]
    >>> parity_plan(1.0, variant="source")
    ParityPlan(sampling_rate=0.25, abort=0.5)
    """
    check.one_of(VARIANTS, variant=variant)
    check.positive(epsilon=epsilon)
    rate = tanh(epsilon / 2)
    if variant == "source":
        if epsilon / 4 > rate:
            raise ValueError(f"epsilon must be at most 3.83 for the source's sampling rate, got {epsilon!r}")
        return ParityPlan(min(floor(epsilon / 4 / GRID), _steps_below(rate)) * GRID, 0.5)
    rate = _steps_below(rate) * GRID
    return ParityPlan(rate, (ceil((1 - rate) / (3 - rate) / GRID) + 1) * GRID)


def _steps_below(rate: float) -> int:
    """Number of grid steps that is at most rate / GRID although tanh may be off by one of them."""
    return max(0, floor(rate / GRID) - 2)


def private_parity_failure(
    n_features: int, n_samples: int, epsilon: float, alpha: float, *, variant: str = "sharp"
) -> float:
    """Probability that the private parity learner, if it does not give up, errs by more than alpha.

    **Returns.** ``(2^d - 1) (1 - p alpha)^m``, at most 1.
    **Source.** DR11-rem-parity; Kasiviswanathan et al. (2011).

    Parameters
    ----------
    n_samples : int
        Number of records m, at least 1, from a population that some parity labels without error.
    variant : {"sharp", "source"}
        As in :func:`parity_plan`.

    Examples
    --------
    >>> round(private_parity_failure(10, 250, 1.0, 0.1), 4)
    0.0075
    """
    check.positive_integer(n_features=n_features, n_samples=n_samples)
    check.probability_open(alpha=alpha)
    rate = parity_plan(epsilon, variant=variant).sampling_rate
    log_wrong = n_features * log(2) + log(-expm1(-n_features * log(2)))
    return exp(min(0.0, log_wrong + n_samples * log1p(-rate * alpha)))


def private_parity_sample_size(
    n_features: int, epsilon: float, alpha: float, beta: float, *, variant: str = "sharp"
) -> int:
    """Smallest number of records at which :func:`private_parity_failure` is at most beta.

    **Returns.** At most ``(d ln 2 + ln(1 / beta)) / (p alpha)``, rounded up: polynomial in everything.
    **Source.** DR11-rem-parity, inverted.

    Parameters
    ----------
    variant : {"sharp", "source"}
        As in :func:`parity_plan`.

    Examples
    --------
    >>> private_parity_sample_size(30, 1.0, 0.1, 0.05)
    503
    """
    check.probability_open(beta=beta)
    return smallest_integer(
        lambda n: private_parity_failure(n_features, n, epsilon, alpha, variant=variant) <= beta
    )
