r"""Regret of randomised weighted majority, with and without privacy: the theorems of DR11, section 11.2.

All bounds are about average regret over T rounds with k experts and losses in an interval of length B, 1 if
nothing is said.  The rate eta multiplies losses in their own units.

Two constants compete.  The source bounds the expected regret by ``eta + ln(k) / (eta T)``; Hoeffding's lemma
gives ``eta / 8 + ln(k) / (eta T)`` with the same proof.  Both are here, by name.
"""

from math import log, sqrt

from privml import _check as check
from privml._search import smallest_integer

VARIANCES = {"dr11": 1.0, "hoeffding": 1 / 8}
"""What multiplies eta in the bound on the regret, for losses in an interval of length 1."""

MOST_EPSILON = 48.0
"""The rate of Theorem 11.2 is proved private for epsilon up to this number times ln(1 / delta)."""


def _checked(n_experts: int, n_rounds: int, constant: str, loss_range: float = 1.0) -> None:
    check.positive_integer(n_experts=n_experts, n_rounds=n_rounds)
    check.one_of(VARIANCES, constant=constant)
    check.positive(loss_range=loss_range)


def regret_bound(
    eta: float, n_experts: int, n_rounds: int, *, constant: str = "hoeffding", loss_range: float = 1.0
) -> float:
    r"""Bound on the expected regret of randomised weighted majority.

    **Returns.** ``c eta B^2 + ln(k) / (eta T)`` with c = 1 / 8 or 1.
    **Accuracy.** For losses fixed in advance, and for losses chosen in the light of earlier actions.
    **Source.** DR11-thm-11.1, Theorem 11.1, whose constant is eight times larger; Cesa-Bianchi and Lugosi
    (2006), Theorem 2.2.

    Parameters
    ----------
    constant : {"hoeffding", "dr11"}
        ``eta / 8`` or the source's ``eta``.
    loss_range : float, default 1
        Length B of the interval that losses lie in.

    Examples
    --------
    >>> round(regret_bound(0.5, 2, 5), 4), round(regret_bound(0.5, 2, 5, constant="dr11"), 4)
    (0.3398, 0.7773)
    """
    _checked(n_experts, n_rounds, constant, loss_range)
    check.positive(eta=eta)
    return VARIANCES[constant] * eta * loss_range * loss_range + log(n_experts) / (eta * n_rounds)


def best_eta(n_experts: int, n_rounds: int, *, constant: str = "hoeffding", loss_range: float = 1.0) -> float:
    """Learning rate at which :func:`regret_bound` is smallest.

    **Source.** DR11-thm-11.1, Theorem 11.1.

    Parameters
    ----------
    constant : {"hoeffding", "dr11"}
        ``sqrt(8 ln(k) / T)`` or the source's ``sqrt(ln(k) / T)``.
    loss_range : float, default 1
        Length B of the interval that losses lie in; divides the rate.

    Examples
    --------
    >>> round(best_eta(10, 1000), 5), round(best_eta(10, 1000, constant="dr11"), 5)
    (0.13572, 0.04799)
    """
    _checked(n_experts, n_rounds, constant, loss_range)
    if n_experts < 2:
        raise ValueError(f"n_experts must be at least 2 for there to be a choice, got {n_experts!r}")
    return sqrt(log(n_experts) / (VARIANCES[constant] * n_rounds)) / loss_range


def best_regret_bound(
    n_experts: int, n_rounds: int, *, constant: str = "hoeffding", loss_range: float = 1.0
) -> float:
    """Bound on the expected regret at the best learning rate.

    **Source.** DR11-thm-11.1, Theorem 11.1.

    Parameters
    ----------
    constant : {"hoeffding", "dr11"}
        ``sqrt(ln(k) / (2 T))`` or the source's ``2 sqrt(ln(k) / T)``.
    loss_range : float, default 1
        Length B of the interval that losses lie in; a factor.

    Examples
    --------
    >>> round(best_regret_bound(10, 1000), 5), round(best_regret_bound(10, 1000, constant="dr11"), 5)
    (0.03393, 0.09597)
    """
    _checked(n_experts, n_rounds, constant, loss_range)
    return 2 * loss_range * sqrt(VARIANCES[constant] * log(n_experts) / n_rounds)


def regret_rounds(
    n_experts: int, alpha: float, *, constant: str = "hoeffding", loss_range: float = 1.0
) -> int:
    """Smallest number of rounds at which :func:`best_regret_bound` is at most alpha.

    **Source.** DR11-rem-rounds.

    Parameters
    ----------
    constant : {"hoeffding", "dr11"}
        ``ln(k) / (2 alpha^2)`` or the source's ``4 ln(k) / alpha^2``, rounded up.
    loss_range : float, default 1
        Length B of the interval that losses lie in.

    Examples
    --------
    >>> regret_rounds(10, 0.1), regret_rounds(10, 0.1, constant="dr11")
    (116, 922)
    """
    check.positive(alpha=alpha)
    return smallest_integer(
        lambda rounds: best_regret_bound(n_experts, rounds, constant=constant, loss_range=loss_range) <= alpha
    )


def private_eta_dr11(epsilon: float, delta: float, n_rounds: int, *, loss_range: float = 1.0) -> float:
    """Learning rate at which the source proves a run private: epsilon / sqrt(32 T ln(1 / delta)).

    **Privacy.** At this rate the run is rho-concentrated with ``rho = T eta^2 / 2``, which is
    ``epsilon^2 / (64 ln(1 / delta))``; and ``rho + 2 sqrt(rho ln(1 / delta))`` is at most epsilon under the
    condition.  For loss sequences that differ in one round.  About four times smaller than it need be:
    :func:`privml.learners.experts.private_eta`.
    **Source.** DR11-thm-11.2, Theorem 11.2, which states no limit on epsilon.

    Parameters
    ----------
    loss_range : float, default 1
        Length B of the interval that losses lie in; divides the rate.  The source's losses have length 1
        here and length 2 in its section 11.3.

    Examples
    --------
    >>> round(private_eta_dr11(1.0, 1e-5, 1000), 7)
    0.0016475
    """
    check.positive(epsilon=epsilon, loss_range=loss_range)
    check.probability_open(delta=delta)
    check.positive_integer(n_rounds=n_rounds)
    most = -MOST_EPSILON * log(delta)
    if epsilon > most:
        raise ValueError(f"epsilon must be at most 48 ln(1 / delta) = {most:g}, got {epsilon!r}")
    return epsilon / sqrt(-32 * n_rounds * log(delta)) / loss_range
