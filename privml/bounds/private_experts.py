r"""Expected regret of private randomised weighted majority: Theorem 11.3.

The rate is that of Theorem 11.2, ``eta = epsilon / sqrt(32 T ln(1 / delta))``, put into the regret bound of
Theorem 11.1.  At that rate the second term, ``ln(k) / (eta T)``, does not depend on the constant of the
first; so the closed form is twice the second term and holds while the first is no larger, which is a
condition on epsilon that the source does not state.
"""

from math import log, sqrt

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.experts import VARIANCES, private_eta_dr11, regret_bound

FORMS = ("sum", "closed")


def most_epsilon_closed(delta: float, n_experts: int, *, constant: str = "dr11") -> float:
    """Largest epsilon at which the closed form of the private regret bound follows from the sum.

    **Returns.** ``sqrt(32 ln(1 / delta) ln(k))``, or with 256 in place of 32.
    **Source.** The condition that DR11-thm-11.3 and DR11-thm-11.4 leave out.

    Parameters
    ----------
    constant : {"dr11", "hoeffding"}
        Of the regret bound that goes in.

    Examples
    --------
    >>> round(most_epsilon_closed(0.5, 2), 3), round(most_epsilon_closed(0.5, 2, constant="hoeffding"), 3)
    (3.921, 11.09)
    """
    check.probability_open(delta=delta)
    check.positive_integer(n_experts=n_experts)
    check.one_of(VARIANCES, constant=constant)
    return sqrt(-32 * log(delta) * log(n_experts) / VARIANCES[constant])


def private_regret_bound(
    epsilon: float,
    delta: float,
    n_rounds: int,
    n_experts: int,
    *,
    form: str = "sum",
    constant: str = "dr11",
) -> float:
    r"""Bound on the expected regret at the rate of Theorem 11.2, for losses in [0, 1].

    **Source.** DR11-thm-11.3, Theorem 11.3, which states no condition on epsilon.

    Parameters
    ----------
    form : {"sum", "closed"}
        ``c eta + ln(k) / (eta T)``, or twice its second term, ``sqrt(128 ln(1 / delta)) ln(k) / (epsilon
        sqrt(T))``.
    constant : {"dr11", "hoeffding"}
        c = 1 or 1 / 8.

    Examples
    --------
    >>> round(private_regret_bound(1.0, 1e-5, 10_000, 10), 4)
    0.4425
    >>> round(private_regret_bound(1.0, 1e-5, 10_000, 10, form="closed"), 4)
    0.8839
    """
    check.one_of(FORMS, form=form)
    eta = private_eta_dr11(epsilon, delta, n_rounds)
    bound = regret_bound(eta, n_experts, n_rounds, constant=constant)
    if form == "sum":
        return bound
    most = most_epsilon_closed(delta, n_experts, constant=constant)
    if epsilon > most:
        rule = "sqrt(32 ln(1 / delta) ln(k) / c)"
        raise ValueError(f"epsilon must be at most {rule} = {most:g} for the closed form, got {epsilon!r}")
    return 2 * log(n_experts) / (eta * n_rounds)


def private_regret_rounds(
    epsilon: float,
    delta: float,
    n_experts: int,
    alpha: float,
    *,
    form: str = "sum",
    constant: str = "dr11",
) -> int:
    """Smallest number of rounds at which :func:`private_regret_bound` is at most alpha.

    **Source.** DR11-thm-11.3, inverted.

    Parameters
    ----------
    form : {"sum", "closed"}
        As for the bound.
    constant : {"dr11", "hoeffding"}
        As for the bound.

    Examples
    --------
    >>> private_regret_rounds(1.0, 1e-5, 10, 0.1), private_regret_rounds(1.0, 1e-5, 10, 0.1, form="closed")
    (195790, 781317)
    """
    check.positive(alpha=alpha)

    def bound(rounds: int) -> float:
        return private_regret_bound(epsilon, delta, rounds, n_experts, form=form, constant=constant)

    return smallest_integer(lambda rounds: bound(rounds) <= alpha)
