r"""Excess risk of penalised private empirical risk minimisation, from the sublevel-set condition.

The learner draws h with density proportional to ``exp(-epsilon F(h) / (2 Delta))`` with respect to a base
measure, where F is the empirical risk plus a regulariser and ``Delta = s / n`` its sensitivity: s is 1 for
losses in [0, 1], and 2 in the source, which wastes half of epsilon.  Write ``c = epsilon n / (2 s)`` and let
``r(u) = mu(H) / mu(S_u)`` be the measure ratio.  Three steps lead to the excess risk:

1. *Utility.*  The law of the learner minimises ``E F + KL(law, mu) / c`` over all laws (Gibbs), mu being
   normalised.  Compared with mu restricted to ``S_u``, whose divergence is ``ln r(u)``, it gives an expected
   distance from ``F*`` of at most ``u + ln r(u) / c``, for every u; and the expectation of a logarithm is at
   most the logarithm of the expectation.
2. *From F to the empirical risk.*  Leaving out the regulariser costs at most its width, ``sup g - inf g``.
3. *Privacy is stability.*  The expected risk exceeds the expected empirical risk by at most
   ``tanh(epsilon / 4)``, since the exponential mechanism has bounded range epsilon.

All statements are in expectation over the sample and the draw.  The source goes by way of
the tail, equation (18), at one height of order ``ln n / (n epsilon)``; its form ends in ``wlf16``.
"""

from math import log, tanh

from privml import _check as check
from privml.bounds.sublevel import SublevelCondition


def _checked(
    n_samples: int, epsilon: float, condition: SublevelCondition, width: float, factor: float
) -> None:
    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon, sensitivity_factor=factor)
    check.instance(SublevelCondition, condition=condition)
    check.non_negative(regulariser_width=width)


def penalised_erm_utility_gap(
    n_samples: int,
    epsilon: float,
    condition: SublevelCondition,
    *,
    regulariser_width: float = 0.0,
    sensitivity_factor: float = 1.0,
) -> float:
    """Bound on the expected distance of the penalised empirical risk from its infimum.

    **Returns.** ``u + (ln K - rho ln u) / c`` at its least: at ``u = rho / c``, moved into the range of the
    condition; never more than ``1 + regulariser_width``.
    **Accuracy.** In expectation over the sample and the draw.
    **Source.** WLF16-lem-36 with a better proof: see the module's first step.

    Parameters
    ----------
    condition : SublevelCondition
        Constants of the sublevel-set condition at this n.
    regulariser_width : float, default 0
        ``sup g - inf g`` over the hypotheses.
    sensitivity_factor : float, default 1
        n times the sensitivity used by the mechanism: 1 for losses in [0, 1], 2 in the source.

    Examples
    --------
    >>> from privml.bounds.sublevel import finite_class_condition
    >>> round(penalised_erm_utility_gap(1000, 1.0, finite_class_condition(16)), 6)
    0.005545
    """
    _checked(n_samples, epsilon, condition, regulariser_width, sensitivity_factor)
    rate = epsilon * n_samples / (2 * sensitivity_factor)
    height = min(max(condition.rho / rate, condition.t_min), condition.t_max)
    log_ratio = condition.log_constant - (condition.rho * log(height) if condition.rho else 0.0)
    return min(1 + regulariser_width, height + max(log_ratio, 0.0) / rate)


def penalised_erm_utility_gap_wlf16(
    n_samples: int, epsilon: float, condition: SublevelCondition, *, sensitivity_factor: float = 2.0
) -> float:
    """The source's closed form of the expected distance from the infimum, with its missing hypothesis.

    **Returns.** ``(4 s + 1) ((rho + 2) ln n + ln K) / (n epsilon)``: the constant is 9 in the source, 5 for s
    = 1.
    **Accuracy.** In expectation, for regularisers whose width is at most 2 n - 1.
    **Source.** WLF16-lem-36.

    Parameters
    ----------
    condition : SublevelCondition
        Constants of the sublevel-set condition at this n.
    sensitivity_factor : float, default 2
        n times the sensitivity s; the leading constant is ``4 s + 1``.

    Examples
    --------
    >>> from privml.bounds.sublevel import finite_class_condition
    >>> round(penalised_erm_utility_gap_wlf16(1000, 1.0, finite_class_condition(16)), 6)
    0.149293
    """
    _checked(n_samples, epsilon, condition, 0.0, sensitivity_factor)
    if not epsilon < log(n_samples):
        raise ValueError(f"epsilon must be below ln n_samples ({log(n_samples):.6g}), got {epsilon!r}")
    bracket = (condition.rho + 2) * log(n_samples) + max(
        condition.log_constant, -condition.rho * log(n_samples)
    )
    height = 2 * sensitivity_factor * bracket / (epsilon * n_samples)
    if not condition.t_min <= height < condition.t_max:
        limits = f"[{condition.t_min!r}, {condition.t_max!r})"
        raise ValueError(f"t = {height:.6g} must lie in {limits}, where the condition is known")
    return (4 * sensitivity_factor + 1) * bracket / (n_samples * epsilon)


def penalised_erm_empirical_gap(
    n_samples: int,
    epsilon: float,
    condition: SublevelCondition,
    *,
    regulariser_width: float = 0.0,
    sensitivity_factor: float = 1.0,
) -> float:
    """Bound on the expected excess empirical risk: the utility gap plus the width of the regulariser.

    **Accuracy.** In expectation over the sample and the draw, hence a rate of universal AERM.
    **Source.** WLF16-lem-37, which states ``sup |g|`` once where its proof needs it twice.

    Parameters
    ----------
    condition : SublevelCondition
        Constants of the sublevel-set condition at this n.
    regulariser_width : float, default 0
        ``sup g - inf g``: at most ``sup g`` for a non-negative regulariser, at most ``2 sup |g|`` always.
    sensitivity_factor : float, default 1
        n times the sensitivity.

    Examples
    --------
    >>> from privml.bounds.sublevel import finite_class_condition
    >>> round(penalised_erm_empirical_gap(1000, 1.0, finite_class_condition(16), regulariser_width=0.1), 6)
    0.105545
    """
    gap = penalised_erm_utility_gap(
        n_samples,
        epsilon,
        condition,
        regulariser_width=regulariser_width,
        sensitivity_factor=sensitivity_factor,
    )
    return gap + regulariser_width


def penalised_erm_excess_risk(
    n_samples: int,
    epsilon: float,
    condition: SublevelCondition,
    *,
    regulariser_width: float = 0.0,
    sensitivity_factor: float = 1.0,
) -> float:
    """Bound on the expected excess risk of penalised private empirical risk minimisation.

    **Returns.** The bound on the empirical gap plus ``tanh(epsilon / 4)``.
    **Accuracy.** In expectation over the sample and the draw, for losses in [0, 1].
    **Source.** WLF16-thm-19; our constants, from the tight stability of an exponential mechanism.

    Parameters
    ----------
    condition : SublevelCondition
        Constants of the sublevel-set condition at this n.
    regulariser_width : float, default 0
        ``sup g - inf g`` over the hypotheses.
    sensitivity_factor : float, default 1
        n times the sensitivity.

    Examples
    --------
    >>> from privml.bounds.sublevel import finite_class_condition
    >>> round(penalised_erm_excess_risk(10**5, 0.02, finite_class_condition(16)), 6)
    0.007773
    """
    gap = penalised_erm_empirical_gap(
        n_samples,
        epsilon,
        condition,
        regulariser_width=regulariser_width,
        sensitivity_factor=sensitivity_factor,
    )
    return gap + tanh(epsilon / 4)
