"""Composition of concentrated and of bounded-range privacy: rho adds up, whatever is chosen adaptively."""

from privml import _check as check
from privml._search import last_crossing
from privml.composition.base import checked_steps, common_relation
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee
from privml.guarantee.conversions import bounded_range_rho, concentrated_rho, pure_rho

_RHO = {"pure": pure_rho, "bounded range": bounded_range_rho}


def concentrated_composition(*guarantees: ConcentratedGuarantee) -> ConcentratedGuarantee:
    """Guarantee of releasing all of several answers about the same data: the rho add up.

    **Privacy.** Also for adaptive choices: given the earlier answers, each further Renyi divergence is at
    most ``rho order``, and moments of sums of losses multiply.
    **Source.** LZCW21-def-50 composes additively; Bun and Steinke (2016), Lemma 2.3.

    Parameters
    ----------
    *guarantees : ConcentratedGuarantee
        At least one, all under one relation; they may differ.

    Examples
    --------
    >>> print(concentrated_composition(ConcentratedGuarantee(0.1), ConcentratedGuarantee(0.3)))
    0.4-concentrated differential privacy (replace-one)
    """
    adjacency, group_size = common_relation(ConcentratedGuarantee, guarantees)
    return ConcentratedGuarantee(sum(guarantee.rho for guarantee in guarantees), adjacency, group_size)


def bounded_range_composition(*guarantees: BoundedRangeGuarantee) -> ConcentratedGuarantee:
    """Guarantee of several bounded-range answers, chosen adaptively, as concentrated privacy.

    The sum of the tight rho, each at most ``epsilon^2 / 8``.

    **Privacy.** Also for adaptive choices; queries fixed in advance compose better still
    (:func:`~privml.composition.bounded_range.nonadaptive_range_epsilon`).
    **Source.** Cesar and Rogers (2021); Dong, Durfee and Rogers (2020); with the constant of Harrison and
    Manurangsi (2026).  For mechanisms of S16-thm-0.1.

    Parameters
    ----------
    *guarantees : BoundedRangeGuarantee
        At least one, all under one relation; they may differ.

    Examples
    --------
    >>> total = bounded_range_composition(*[BoundedRangeGuarantee(0.05)] * 1000)
    >>> print(total.approximate(1e-5))
    (3.6169, 1e-05)-differential privacy (replace-one)
    """
    common_relation(BoundedRangeGuarantee, guarantees)
    return concentrated_composition(*(guarantee.concentrated() for guarantee in guarantees))


def concentrated_step_epsilon(epsilon: float, k: int, delta: float, *, step: str = "pure") -> float:
    """Largest epsilon of each of k steps for which concentrated privacy gives (epsilon, delta).

    By the tight conversions both ways; the k-fold rho has been evaluated and is within the budget.

    **Source.** Inverse of the tight forms of LZCW21-lem-52 and LZCW21-lem-51.

    >>> round(concentrated_step_epsilon(1.0, 1000, 1e-5), 6)
    0.007818
    >>> round(concentrated_step_epsilon(1.0, 1000, 1e-5, step="bounded range"), 6)
    0.015635
    """
    check.one_of(_RHO, step=step)
    checked_steps(k)
    budget = concentrated_rho(epsilon, delta) / k
    # Both rho are at most epsilon^2 / 2, so this start is within the budget.
    return last_crossing(lambda size: _RHO[step](size) - budget, lower=budget**0.5)
