"""Rates of penalised private empirical risk minimisation: the source's form, the best epsilon, sample sizes.

Utility wants a large epsilon, stability a small one: the gap falls like ``1 / (n epsilon)`` and the stability
grows like epsilon, so that the best epsilon is of order ``sqrt((ln K + rho ln n) / n)``, and so is the rate.
A learner that may spend more can always spend less: sample sizes here take the best epsilon up to a limit.
"""

from math import log
from typing import NamedTuple

import numpy as np

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.penalised_erm import penalised_erm_excess_risk, penalised_erm_utility_gap_wlf16
from privml.bounds.sublevel import SublevelCondition

_SMALLEST_EPSILON = 1e-9


class BestEpsilon(NamedTuple):
    """The epsilon of the least bound, and that bound on the expected excess risk."""

    epsilon: float
    excess_risk: float


def penalised_erm_excess_risk_wlf16(
    n_samples: int,
    epsilon: float,
    condition: SublevelCondition,
    *,
    regulariser_width: float = 0.0,
    sensitivity_factor: float = 2.0,
) -> float:
    """The source's rate: ``9 ((rho + 2) ln n + ln K) / (n epsilon) + 2 epsilon``, and the width.

    **Source.** WLF16-thm-19, equation (11), with the regulariser and the range of t corrected.

    Parameters
    ----------
    condition : SublevelCondition
        Constants of the sublevel-set condition at this n.
    regulariser_width : float, default 0
        ``sup g - inf g``.  The source adds ``sup |g|``, which is enough for non-negative regularisers only.
    sensitivity_factor : float, default 2
        n times the sensitivity: the constant 9 becomes 5 for 1.

    Raises
    ------
    ValueError
        As for :func:`~privml.bounds.penalised_erm.penalised_erm_utility_gap_wlf16`.

    Examples
    --------
    >>> from privml.bounds.sublevel import finite_class_condition
    >>> round(penalised_erm_excess_risk_wlf16(10**6, 0.01, finite_class_condition(16)), 6)
    0.047363
    """
    check.non_negative(regulariser_width=regulariser_width)
    gap = penalised_erm_utility_gap_wlf16(
        n_samples, epsilon, condition, sensitivity_factor=sensitivity_factor
    )
    return gap + 2 * epsilon + regulariser_width


def penalised_erm_best_epsilon(
    n_samples: int,
    condition: SublevelCondition,
    *,
    largest_epsilon: float = 2.0,
    regulariser_width: float = 0.0,
) -> BestEpsilon:
    """The epsilon up to a limit with the least bound on the expected excess risk.

    **Returns.** BestEpsilon: the bound is evaluated at the epsilon returned, which is best up to the accuracy
    of a search.
    **Source.** WLF16-ex-20 and WLF16-ex-21, which set epsilon to ``sqrt((ln K + rho ln n) / n)`` without
    constants.

    Parameters
    ----------
    condition : SublevelCondition
        Constants of the sublevel-set condition at this n.
    largest_epsilon : float, default 2
        The budget, positive.
    regulariser_width : float, default 0
        ``sup g - inf g``.

    Examples
    --------
    >>> from privml.bounds.sublevel import finite_class_condition
    >>> best = penalised_erm_best_epsilon(10**5, finite_class_condition(16))
    >>> round(best.epsilon, 4), round(best.excess_risk, 4)
    (0.0149, 0.0074)
    """
    check.positive(largest_epsilon=largest_epsilon)

    def bound(epsilon: float) -> float:
        return penalised_erm_excess_risk(n_samples, epsilon, condition, regulariser_width=regulariser_width)

    low = min(_SMALLEST_EPSILON, largest_epsilon / 2)
    for _ in range(4):
        grid = np.geomspace(low, largest_epsilon, 33)
        values = [bound(float(epsilon)) for epsilon in grid]
        place = int(np.argmin(values))
        best = BestEpsilon(float(grid[place]), values[place])
        low, largest_epsilon = grid[max(place - 1, 0)], grid[min(place + 1, len(grid) - 1)]
    return best


def penalised_erm_sample_size(
    alpha: float, epsilon: float, condition: SublevelCondition, *, regulariser_width: float = 0.0
) -> int:
    """Smallest n for which a budget of epsilon brings the bound on the expected excess risk down to alpha.

    **Source.** WLF16-thm-19 solved for n.

    Parameters
    ----------
    epsilon : float
        Privacy budget in nats, positive: the best epsilon up to it is used.
    condition : SublevelCondition
        Constants of the sublevel-set condition, the same at all n.
    regulariser_width : float, default 0
        ``sup g - inf g``.

    Examples
    --------
    >>> from privml.bounds.sublevel import finite_class_condition
    >>> penalised_erm_sample_size(0.1, 1.0, finite_class_condition(16))
    555
    """
    check.probability_open(alpha=alpha)
    check.positive(epsilon=epsilon)

    def reached(n_samples: int) -> bool:
        best = penalised_erm_best_epsilon(
            n_samples, condition, largest_epsilon=epsilon, regulariser_width=regulariser_width
        )
        return best.excess_risk <= alpha

    return smallest_integer(reached, upper=2**50)


def finite_class_rate(n_hypotheses: int, n_samples: int, *, sensitivity_factor: float = 2.0) -> float:
    """The source's rate for a finite class, at the epsilon that it chooses.

    **Returns.** The bound of :func:`penalised_erm_excess_risk_wlf16` at ``epsilon = sqrt((M + ln n) / n)``;
    it is of the order of that epsilon itself, where the source prints ``(M + ln n) / sqrt(n)``.
    **Source.** WLF16-ex-20.

    Parameters
    ----------
    sensitivity_factor : float, default 2
        n times the sensitivity.

    Examples
    --------
    >>> round(finite_class_rate(2**100, 10**6), 4)
    0.1031
    """
    check.positive_integer(n_hypotheses=n_hypotheses, n_samples=n_samples)
    condition = SublevelCondition(log_constant=log(n_hypotheses), rho=0.0)
    epsilon = ((log(n_hypotheses) / log(2) + log(n_samples)) / n_samples) ** 0.5
    return penalised_erm_excess_risk_wlf16(
        n_samples, epsilon, condition, sensitivity_factor=sensitivity_factor
    )
