r"""Sublevel sets on convex bodies: shrinking towards the minimiser needs no volumes and no regularity.

Let H be a convex body of dimension d and ``h*`` a minimiser of F.  The image of H under
``h -> h* + s (h - h*)``, ``0 < s <= 1``, lies in H and has the share ``s^d`` of its volume.  If F is convex,
it is at most ``F* + s (sup F - inf F)`` there; if F is Lipschitz, at most ``F* + s L diam(H)``.  With b for
either factor,

.. math:: \frac{\mu(H)}{\mu(S_t)} \le \Big(\frac{b}{t}\Big)^d \qquad (0 < t \le b).

For convex F the same map, applied to the integral of ``exp(-c F)``, gives more: the mean of F under the law
of the exponential mechanism exceeds its infimum by at most ``d / c``, without a logarithm.
"""

from math import log

from privml import _check as check
from privml.bounds.sublevel import SublevelCondition


def shrinking_condition(dimension: int, oscillation: float = 1.0) -> SublevelCondition:
    """The sublevel condition of a convex, or a Lipschitz, objective on a convex body.

    It holds for every data set, not only on average.
    **Returns.** SublevelCondition: with ``K = oscillation^d`` and ``rho = d``, for every t.
    **Source.** WLF16-ex-21, with another proof: there K is ``mu(H) L^d / (beta v)``, v the volume of the unit
    ball and beta a regularity constant, as in :func:`~privml.bounds.sublevel.lipschitz_condition`.

    Parameters
    ----------
    oscillation : float, default 1
        At least ``sup F - inf F`` if F is convex (1 for losses in [0, 1] without a regulariser); in general
        at least the Lipschitz constant times the diameter of the body, in the same norm.

    Examples
    --------
    >>> shrinking_condition(3).log_ratio(0.1) == 3 * -log(0.1)
    True
    """
    check.positive_integer(dimension=dimension)
    check.positive(oscillation=oscillation)
    return SublevelCondition(log_constant=dimension * log(oscillation), rho=float(dimension))


def convex_utility_gap(
    n_samples: int,
    epsilon: float,
    dimension: int,
    *,
    oscillation: float = 1.0,
    sensitivity_factor: float = 1.0,
) -> float:
    """Bound on the expected distance of a convex penalised empirical risk from its infimum.

    **Returns.** ``d / c = 2 s d / (epsilon n)``, or the oscillation if that is smaller.
    **Accuracy.** In expectation over the draw, for every data set.
    **Source.** WLF16-lem-36 and WLF16-ex-21 for convex objectives, without the logarithm; after Kalai and
    Vempala (2006), who have it for linear functions.

    Parameters
    ----------
    oscillation : float, default 1
        At least ``sup F - inf F``; the bound is never above it.
    sensitivity_factor : float, default 1
        n times the sensitivity used by the mechanism.

    Examples
    --------
    >>> convex_utility_gap(1000, 1.0, 5)
    0.01
    """
    check.positive_integer(n_samples=n_samples, dimension=dimension)
    check.positive(epsilon=epsilon, oscillation=oscillation, sensitivity_factor=sensitivity_factor)
    return min(oscillation, 2 * sensitivity_factor * dimension / (epsilon * n_samples))
