"""The sublevel-set condition: how much room there is near the best hypothesis, and what learners gain by it.

The exponential mechanism draws h with density proportional to ``exp(-c F(h))``, ``c = epsilon n / (2 s)``,
with respect to a base measure mu on H; the sensitivity factor s is 1 for losses in [0, 1], in the source 2.
With ``S_t = {h : F(h) <= inf F + t}`` the condition is about the *measure ratio* ``mu(H) / mu(S_t)``.
"""

from dataclasses import dataclass
from math import exp, inf, lgamma, log, tanh

from privml import _check as check


@dataclass(frozen=True, kw_only=True)
class SublevelCondition:
    """Constants of the sublevel-set condition, ``E mu(H) / mu(S_t) <= K t^(-rho)``, and for which t.

    Parameters
    ----------
    log_constant : float
        Logarithm of the constant K, a finite number.
    rho : float
        Here the exponent of the condition, non-negative.
    t_min : float
        Least height for which it holds, non-negative.
    t_max : float
        Largest height for which it holds, above t_min and 0, may be infinite.

    References
    ----------
    WLF16-cond-A2 (its n_0 is the caller's business: take constants that hold at the given n).

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
            raise ValueError(
                f"t_max must be above t_min and 0, but got {self.t_max!r}."
            )

    def log_ratio(self, t: float) -> float:
        """Logarithm of the bound on the expected measure ratio at t, never below 0."""
        check.positive(t=t)
        if not self.t_min <= t < self.t_max:
            limits = f"t_min ({self.t_min!r}) to below t_max ({self.t_max!r})"
            raise ValueError(f"t must be from {limits}, but got {t!r}.")
        return max(self.log_constant - self.rho * log(t), 0.0)


def finite_class_condition(n_hypotheses: int) -> SublevelCondition:
    """The sublevel condition of a finite class under the counting measure: K = n_hypotheses, rho = 0.

    Parameters
    ----------
    n_hypotheses : int
        Number of hypotheses, a positive integer.

    Returns
    -------
    SublevelCondition
        With ``K = n_hypotheses`` and ``rho = 0``.

    References
    ----------
    WLF16-ex-20, where the size is ``2^M``.

    Examples
    --------
    >>> finite_class_condition(1024).rho
    0.0
    """
    check.positive_integer(n_hypotheses=n_hypotheses)
    return SublevelCondition(log_constant=log(n_hypotheses), rho=0.0)


def log_ball_volume(
    dimension: int, radius: float = 1.0, *, order: float = 2.0
) -> float:
    r"""Logarithm of the volume of a ball in the norm of the given order.

    Parameters
    ----------
    dimension : int
        Dimension, a positive integer.
    radius : float
        Here the radius of the ball, positive.
    order : float
        Order p of the norm, at least 1, may be infinite.

    Returns
    -------
    float
        ``d ln(2 Gamma(1 + 1/p) radius) - ln Gamma(1 + d/p)``.

    References
    ----------
    WLF16-ex-21, where this volume is missing.

    Examples
    --------
    >>> round(exp(log_ball_volume(3)), 6), round(exp(log_ball_volume(3, order=float("inf"))), 6)
    (4.18879, 8.0)
    """
    check.standard_ranges(dimension=dimension, radius=radius)
    if order != inf:
        check.positive(order=order)
    if order < 1:
        raise ValueError(f"order must be at least 1, but got {order!r}.")
    return dimension * (log(2 * radius) + lgamma(1 + 1 / order)) - lgamma(
        1 + dimension / order
    )


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

    Within distance ``t / L`` of a minimiser the objective stays below ``F* + t``, so the sublevel set holds
    the part of a ball of that radius that lies in H.

    Parameters
    ----------
    lipschitz : float
        Lipschitz constant L of the objective, positive.
    dimension : int
        Dimension, a positive integer.
    log_volume : float
        Logarithm of the volume mu(H) of the set, a finite number.
    regularity : float
        Least share, in (0, 1], of a small ball centred in H that lies in H: ``2^-d`` for a box, order inf.
    order : float
        Order of the norm, at least 1, may be infinite.
    t_max : float
        L times the largest radius for which the share holds, positive, may be infinite.

    Returns
    -------
    SublevelCondition
        ``K = mu(H) L^d / (beta v)``, v the unit ball's volume, beta the regularity; ``rho = d``.

    References
    ----------
    WLF16-ex-21, which leaves out v: its inequality is false where v is below beta.

    Examples
    --------
    >>> condition = lipschitz_condition(1.0, 2, log_volume=log(4.0), regularity=0.25, t_max=1.0)
    >>> round(exp(condition.log_constant), 4), condition.rho
    (5.093, 2.0)
    """
    check.positive(lipschitz=lipschitz)
    check.finite(log_volume=log_volume)
    unit = log_ball_volume(dimension, order=order)
    check.share(regularity=regularity)
    constant = log_volume + dimension * log(lipschitz) - log(regularity) - unit
    return SublevelCondition(log_constant=constant, rho=float(dimension), t_max=t_max)


def measure_ratio_tail(
    log_ratio: float, t: float, epsilon: float, *, sensitivity: float
) -> float:
    """Bound on the probability that the exponential mechanism misses the least value by more than 2 t.

    There the density is at most ``exp(-epsilon t / (2 sensitivity))`` times what it is everywhere in ``S_t``.

    Parameters
    ----------
    log_ratio : float
        Logarithm of the measure ratio ``mu(H) / mu(S_t)``, non-negative.
    t : float
        Height above the least value, non-negative.
    epsilon : float
        Privacy parameter in nats, positive.
    sensitivity : float
        Largest change between neighbours of the objective, positive.

    Returns
    -------
    float
        ``mu(H) / mu(S_t) exp(-epsilon t / (2 sensitivity))``, at most 1.

    References
    ----------
    WLF16-eq-18.

    Examples
    --------
    >>> round(measure_ratio_tail(log(8.0), 0.5, 1.0, sensitivity=0.05), 6)
    0.053904
    """
    check.non_negative(log_ratio=log_ratio, t=t)
    check.positive(epsilon=epsilon, sensitivity=sensitivity)
    return exp(min(0.0, log_ratio - epsilon * t / (2 * sensitivity)))


def penalised_erm_utility_gap(
    n_samples: int,
    epsilon: float,
    condition: SublevelCondition,
    *,
    regulariser_width: float = 0.0,
    sensitivity_factor: float = 1.0,
) -> float:
    """Bound on the expected distance of the penalised empirical risk from its infimum.

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    condition : SublevelCondition
        Sublevel condition of the penalised risk.
    regulariser_width : float
        Supremum less infimum of the regulariser, non-negative.
    sensitivity_factor : float
        Records times the sensitivity of the objective, positive.

    Returns
    -------
    float
        ``u + (ln K - rho ln u) / c`` at ``u = rho / c``, moved into the range of the condition; at most ``1
        + regulariser_width``.

    Notes
    -----
    *Accuracy.* In expectation over the sample and the draw.

    References
    ----------
    WLF16-lem-36 with a better proof, by Gibbs' principle.

    Examples
    --------
    >>> round(penalised_erm_utility_gap(1000, 1.0, finite_class_condition(16)), 8)
    0.00554518
    """
    check.standard_ranges(
        n_samples=n_samples, epsilon=epsilon, sensitivity_factor=sensitivity_factor
    )
    check.instance(SublevelCondition, condition=condition)
    check.non_negative(regulariser_width=regulariser_width)
    rate = epsilon * n_samples / (2 * sensitivity_factor)
    height = min(max(condition.rho / rate, condition.t_min), condition.t_max)
    log_ratio = condition.log_constant - (
        condition.rho * log(height) if condition.rho else 0.0
    )
    return min(1 + regulariser_width, height + max(log_ratio, 0.0) / rate)


def penalised_erm_excess_risk(
    n_samples: int,
    epsilon: float,
    condition: SublevelCondition,
    *,
    regulariser_width: float = 0.0,
    sensitivity_factor: float = 1.0,
) -> float:
    """Bound on the expected excess risk of penalised private empirical risk minimisation.

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    condition : SublevelCondition
        Sublevel condition of the penalised risk.
    regulariser_width : float
        Supremum less infimum of the regulariser, non-negative.
    sensitivity_factor : float
        Records times the sensitivity of the objective, positive.

    Returns
    -------
    float
        The utility gap, plus the width (WLF16-lem-37): with these two a rate of universal AERM; plus
        ``tanh(epsilon / 4)``.

    Notes
    -----
    *Accuracy.* In expectation over the sample and the draw, for losses in [0, 1].

    References
    ----------
    WLF16-thm-19; our constants, from the tight stability of an exponential mechanism.

    Examples
    --------
    >>> round(penalised_erm_excess_risk(10**5, 0.02, finite_class_condition(16)), 6)
    0.007773
    """
    options = {
        "regulariser_width": regulariser_width,
        "sensitivity_factor": sensitivity_factor,
    }
    gap = penalised_erm_utility_gap(n_samples, epsilon, condition, **options)
    return gap + regulariser_width + tanh(epsilon / 4)


check.wrap_module(__name__)
