r"""How much room there is near the best hypothesis: the sublevel-set condition.

The exponential mechanism over a set H with base measure mu finds a good hypothesis if good ones are not too
rare.  With F the penalised empirical risk, ``F* = inf F`` and the sublevel set
``S_t = {h : F(h) <= F* + t}``, what matters is the *measure ratio* ``mu(H) / mu(S_t)``.  The sublevel
condition asks that its expectation over the sample grows at most polynomially as t falls:

.. math:: \mathbb E\,\frac{\mu(H)}{\mu(S_t)} \le K t^{-\rho} \qquad (0 < t < t_{\max}).

A finite class has ``K`` equal to its size and ``rho = 0``; a Lipschitz objective on a body of dimension d has
``rho = d``.
"""

from dataclasses import dataclass
from math import exp, inf, lgamma, log

from privml import _check as check


@dataclass(frozen=True, kw_only=True)
class SublevelCondition:
    """Constants of the sublevel-set condition, ``E mu(H) / mu(S_t) <= K t^(-rho)``, and for which t.

    **Source.** WLF16-cond-A2 (its n_0 is the caller's business: take constants that hold at the given n).

    Parameters
    ----------
    log_constant : float
        Natural logarithm of K.
    t_min : float, default 0
        The condition is known from this t on.
    t_max : float, default infinity
        The condition is known for t below this only.

    Raises
    ------
    ValueError
        If a constant is NaN or out of range.

    Examples
    --------
    >>> SublevelCondition(log_constant=0.0, rho=2.0).log_ratio(0.1)
    4.605170185988091
    """

    log_constant: float
    rho: float
    t_min: float = 0.0
    t_max: float = inf

    def __post_init__(self) -> None:
        check.finite(log_constant=self.log_constant)
        check.non_negative(rho=self.rho, t_min=self.t_min)
        if self.t_max != inf:
            check.finite(t_max=self.t_max)
        if not self.t_max > self.t_min:
            raise ValueError(f"t_max must be above t_min and 0, got {self.t_max!r}")

    def log_ratio(self, t: float) -> float:
        """Logarithm of the bound on the expected measure ratio at t, never below 0."""
        check.positive(t=t)
        if not self.t_min <= t < self.t_max:
            limits = f"t_min ({self.t_min!r}) to below t_max ({self.t_max!r})"
            raise ValueError(f"t must be from {limits}, got {t!r}")
        return max(self.log_constant - self.rho * log(t), 0.0)


def finite_class_condition(n_hypotheses: int) -> SublevelCondition:
    """The sublevel condition of a finite class under the counting measure: K = n_hypotheses, rho = 0.

    **Source.** WLF16-ex-20, where the size is ``2^M``.

    Returns
    -------
    SublevelCondition

    Raises
    ------
    ValueError
        If `n_hypotheses` is not a positive integer.

    Examples
    --------
    >>> finite_class_condition(1024).rho
    0.0
    """
    check.positive_integer(n_hypotheses=n_hypotheses)
    return SublevelCondition(log_constant=log(n_hypotheses), rho=0.0)


def log_ball_volume(dimension: int, radius: float = 1.0, *, order: float = 2.0) -> float:
    r"""Logarithm of the volume of a ball in the norm of the given order.

    **Returns.** ``d ln(2 Gamma(1 + 1/p) radius) - ln Gamma(1 + d/p)``.
    **Source.** WLF16-ex-21, where this volume is missing.

    Parameters
    ----------
    radius : float, default 1
        Radius, positive.

    Examples
    --------
    >>> round(exp(log_ball_volume(3)), 6), round(exp(log_ball_volume(3, order=float("inf"))), 6)
    (4.18879, 8.0)
    """
    check.positive_integer(dimension=dimension)
    check.positive(radius=radius)
    if order != inf:
        check.positive(order=order)
    if order < 1:
        raise ValueError(f"order must be at least 1, got {order!r}")
    return dimension * (log(2 * radius) + lgamma(1 + 1 / order)) - lgamma(1 + dimension / order)


def lipschitz_condition(
    lipschitz: float,
    dimension: int,
    *,
    log_volume: float,
    regularity: float,
    order: float = 2.0,
    t_max: float,
) -> SublevelCondition:
    r"""The sublevel condition of a Lipschitz objective on a compact set of finite dimension.

    Around a minimiser the objective stays below ``F* + t`` within distance ``t / L``, so the sublevel set
    holds the part of a ball of that radius that lies in H.

    **Returns.** SublevelCondition: with ``K = mu(H) L^d / (beta v)``, v the volume of the unit ball, and
    ``rho = d``.
    **Source.** WLF16-ex-21.  The source leaves out v, which makes its inequality false where v is below
    `regularity`: for Euclidean balls from dimension 15 on.

    Parameters
    ----------
    lipschitz : float
        Lipschitz constant L of the objective in the norm of the given order, positive.
    log_volume : float
        Natural logarithm of the volume of H.
    regularity : float
        Share beta in (0, 1] of every small ball centred in H that lies in H.  Required: it belongs to the
        set, ``2^-d`` for a box in the maximum norm.
    t_max : float
        ``L`` times the largest radius for which `regularity` holds.  Required, for the same reason.

    Examples
    --------
    >>> condition = lipschitz_condition(1.0, 2, log_volume=log(4.0), regularity=0.25, t_max=1.0)
    >>> round(exp(condition.log_constant), 4), condition.rho
    (5.093, 2.0)
    """
    check.positive(lipschitz=lipschitz)
    check.finite(log_volume=log_volume)
    unit = log_ball_volume(dimension, order=order)
    check.positive(regularity=regularity)
    if regularity > 1:
        raise ValueError(f"regularity must be in the interval (0, 1], got {regularity!r}")
    constant = log_volume + dimension * log(lipschitz) - log(regularity) - unit
    return SublevelCondition(log_constant=constant, rho=float(dimension), t_max=t_max)


def measure_ratio_tail(log_ratio: float, t: float, epsilon: float, *, sensitivity: float) -> float:
    """Bound on the probability that the exponential mechanism misses the least value by more than 2 t.

    Outside of the sublevel set of height 2 t the density is at most ``exp(-epsilon t / (2 sensitivity))``
    times what it is everywhere in ``S_t``.
    **Returns.** ``mu(H) / mu(S_t) exp(-epsilon t / (2 sensitivity))``, at most 1.
    **Source.** WLF16-eq-18.

    Parameters
    ----------
    log_ratio : float
        Logarithm of ``mu(H) / mu(S_t)``, non-negative.
    t : float
        Half the distance, in units of the objective, non-negative.

    Examples
    --------
    >>> round(measure_ratio_tail(log(8.0), 0.5, 1.0, sensitivity=0.05), 6)
    0.053904
    """
    check.non_negative(log_ratio=log_ratio, t=t)
    check.positive(epsilon=epsilon, sensitivity=sensitivity)
    return exp(min(0.0, log_ratio - epsilon * t / (2 * sensitivity)))
