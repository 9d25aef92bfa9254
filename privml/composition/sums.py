"""Composition by adding up: epsilons and deltas, rho, or the losses of disjoint parts and of many steps.

All hold for mechanisms that are chosen one after the other in the light of the earlier answers.
"""

from collections.abc import Sequence
from math import expm1, inf, log, sqrt
from typing import Any, TypeVar

from privml import _check as check
from privml._rounding import above, part, total
from privml._search import last_crossing
from privml.adjacency import Adjacency
from privml.guarantee import (
    BoundedRangeGuarantee,
    ConcentratedGuarantee,
    GaussianGuarantee,
    Guarantee,
)
from privml.guarantee.conversions import bounded_range_rho, concentrated_rho, pure_rho
from privml.guarantee.promises import require_guarantee, require_one_relation

KINDS = Guarantee, ConcentratedGuarantee, GaussianGuarantee, BoundedRangeGuarantee
Promise = TypeVar(
    "Promise",
    Guarantee,
    ConcentratedGuarantee,
    GaussianGuarantee,
    BoundedRangeGuarantee,
)

LARGEST_STEPS = 10**12  # most steps that are composed
PARTITIONS = {
    "record": "A replaced record can change two parts.",
    "index": "An added record shifts the others.",
}
_RHO = {"pure": pure_rho, "bounded range": bounded_range_rho}


def _common_relation(
    kind: type[Promise], guarantees: Sequence[Promise]
) -> tuple[Adjacency, int]:
    """The relation and the group size that all of at least one guarantee of a kind are about, or raise."""
    if not guarantees:
        raise ValueError(
            "guarantees must contain at least one guarantee, but got none."
        )
    for guarantee in guarantees:
        check.instance(kind, guarantee=guarantee)
    return require_one_relation(
        "guarantees",
        {(guarantee.adjacency, guarantee.group_size) for guarantee in guarantees},
    )


def _approximate(
    guarantee: Guarantee | BoundedRangeGuarantee, epsilon: float, delta: float
) -> Guarantee:
    """An approximate guarantee about the same neighbours; delta is capped at 1."""
    return Guarantee(
        epsilon, min(1.0, delta), guarantee.adjacency, guarantee.group_size
    )


def _log_target(delta: float) -> float:
    """Logarithm of a delta to stay below, lower by a bound on the rounding of what is compared with it."""
    return log(delta) - 1e-13 * (1 - log(delta))


def basic_composition(*guarantees: Guarantee) -> Guarantee:
    """Guarantee of releasing all of several answers about the same data: epsilons and deltas add up.

    Parameters
    ----------
    *guarantees : Guarantee
        Promises, at least one, all about one relation.

    Raises
    ------
    ValueError
        If they are about different relations or groups.

    Notes
    -----
    *Privacy.* The guarantee also holds if later mechanisms are chosen adaptively.  For pure guarantees and delta = 0 this is
    the best possible.

    References
    ----------
    Dwork and Roth (2014), Theorem 3.16; the other side of DR11-thm-3.20.

    Examples
    --------
    >>> print(basic_composition(Guarantee(0.5), Guarantee(0.25, 1e-6), Guarantee(0.25, 1e-6)))
    (1, 2e-06)-differential privacy (replace-one)
    """
    _common_relation(Guarantee, guarantees)
    epsilon, delta = (
        total((1, getattr(each, name)) for each in guarantees)
        for name in ("epsilon", "delta")
    )
    return _approximate(guarantees[0], epsilon, delta)


def parallel_composition(*guarantees: Any, partition: str) -> Any:
    """Guarantee of answers about disjoint parts of the data, each part asked once: the worst of them.

    A partition by "record" is decided by the record itself and coins of its own, one by "index" by its place.

    Parameters
    ----------
    *guarantees : guarantee, or mechanism, composition or fitted learner that has one
        Promises, at least one, all of one kind and about one relation.
    partition : str
        What decides the part of a record: "record" or "index".

    Returns
    -------
    Any
        A guarantee of the kind of those given, as :func:`privml.compose` takes it.

    Raises
    ------
    ValueError
        If the partition does not fit the relation, or promises are about groups.

    Notes
    -----
    *Privacy.* A partition by "record" needs ``ADD_OR_REMOVE_ONE``, and one by "index" ``REPLACE_ONE``; the others are
    refused. Where the record decides, a replaced one changes two parts: compose, then convert.

    References
    ----------
    McSherry (2009), Theorem 4; for WLF16-alg-boost (positions).

    Examples
    --------
    >>> print(parallel_composition(Guarantee(0.5), Guarantee(0.2), partition="index"))
    0.5-differential privacy (replace-one)
    """
    check.one_of(PARTITIONS, partition=partition)
    held: list[Any] = [
        each if isinstance(each, KINDS) else require_guarantee(f"guarantees[{i}]", each)
        for i, each in enumerate(guarantees)
    ]
    kind = type(held[0]) if held else Guarantee
    adjacency, group_size = _common_relation(kind, held)
    if group_size > 1:
        raise ValueError(
            f"guarantees must be about groups of 1, but got groups of {group_size}. Compose first, and call "
            "for_group afterwards."
        )
    if (partition == "index") != (adjacency is Adjacency.REPLACE_ONE):
        raise ValueError(
            f"partition must fit {adjacency}, but got {partition!r}. {PARTITIONS[partition]}"
        )
    numbers = [each._numbers() for each in held]
    worst = {name: max(each[name] for each in numbers) for name in numbers[0]}
    return kind(**worst, adjacency=adjacency)


def advanced_epsilon(step_epsilon: float, k: int, delta: float) -> float:
    """Total epsilon of k adaptive epsilon-DP steps by advanced composition.

    Parameters
    ----------
    step_epsilon : float
        Privacy parameter in nats of a step, non-negative.
    k : int
        Number of steps, a positive integer up to 10^12.
    delta : float
        Additive slack, in (0, 1).

    Returns
    -------
    float
        ``sqrt(2 k ln(1 / delta)) step_epsilon + k step_epsilon (e^step_epsilon - 1)``; may be infinite, and
        may exceed the sum ``k step_epsilon``.

    References
    ----------
    DR11-thm-3.20, Theorem 3.20; Dwork, Rothblum and Vadhan (2010).

    Examples
    --------
    >>> round(advanced_epsilon(0.05, 1000, 1e-5), 4)
    10.1507
    """
    check.non_negative(step_epsilon=step_epsilon)
    check.positive_integer(k=k)
    check.at_most(LARGEST_STEPS, k=k)
    check.probability_open(delta=delta)
    growth = expm1(step_epsilon) if step_epsilon < 700 else inf
    if growth == inf:
        return inf
    return above(
        sqrt(-2 * k * log(delta)) * step_epsilon + k * step_epsilon * growth, 16
    )


def advanced_composition(step: Guarantee, k: int, slack: float) -> Guarantee:
    """Guarantee of k adaptive steps: :func:`advanced_epsilon`, and delta ``k step.delta + slack``.

    Parameters
    ----------
    step : Guarantee
        Promise of each step.
    k : int
        Number of steps, a positive integer up to 10^12.
    slack : float
        Delta to spend on the sum of the losses, in (0, 1).

    References
    ----------
    DR11-thm-3.20, Theorem 3.20.

    Examples
    --------
    >>> print(advanced_composition(Guarantee(0.05), 1000, 1e-5))
    (10.1507, 1e-05)-differential privacy (replace-one)
    """
    check.instance(Guarantee, step=step)
    return _approximate(
        step,
        advanced_epsilon(step.epsilon, k, slack),
        total([(k, step.delta), (1, slack)]),
    )


def concentrated_composition(
    *guarantees: ConcentratedGuarantee,
) -> ConcentratedGuarantee:
    """Guarantee of releasing all of several answers about the same data: the rho add up.

    Parameters
    ----------
    *guarantees : ConcentratedGuarantee
        Promises, at least one, all about one relation.

    Raises
    ------
    ValueError
        If they are about different relations or groups.

    Notes
    -----
    *Privacy.* The guarantee also holds for adaptive choices: given the earlier answers, each further Renyi divergence is at
    most ``rho order``, and moments of sums of losses multiply.

    References
    ----------
    LZCW21-def-50 composes additively; Bun and Steinke (2016), Lemma 2.3.

    Examples
    --------
    >>> print(concentrated_composition(ConcentratedGuarantee(0.1), ConcentratedGuarantee(0.3)))
    0.4-concentrated differential privacy (replace-one)
    """
    relation = _common_relation(ConcentratedGuarantee, guarantees)
    return ConcentratedGuarantee(
        total((1, guarantee.rho) for guarantee in guarantees), *relation
    )


def bounded_range_composition(
    *guarantees: BoundedRangeGuarantee,
) -> ConcentratedGuarantee:
    """Guarantee of several bounded-range answers, chosen adaptively: the sum of their tight rho.

    Parameters
    ----------
    *guarantees : BoundedRangeGuarantee
        Promises, at least one, all about one relation.

    Raises
    ------
    ValueError
        If they are about different relations or groups.

    Notes
    -----
    *Privacy.* The guarantee also holds for adaptive choices; see :func:`~privml.composition.nonadaptive_range_epsilon`.

    References
    ----------
    Cesar and Rogers (2021); Dong, Durfee and Rogers (2020); with the constant of Harrison and Manurangsi
    (2026). For mechanisms of S16-thm-0.1.

    Examples
    --------
    >>> print(bounded_range_composition(*[BoundedRangeGuarantee(0.05)] * 1000).as_approximate(1e-5))
    (3.6169, 1e-05)-differential privacy (replace-one)
    """
    _common_relation(BoundedRangeGuarantee, guarantees)
    return concentrated_composition(
        *(guarantee.as_concentrated() for guarantee in guarantees)
    )


def concentrated_step_epsilon(
    epsilon: float, k: int, delta: float, *, step: str = "pure"
) -> float:
    """Largest epsilon of each of k steps for which concentrated privacy gives (epsilon, delta).

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    k : int
        Number of steps, a positive integer up to 10^12.
    delta : float
        Additive slack, in (0, 1).
    step : str
        Here the kind of each step, "pure" or "bounded range".

    Returns
    -------
    float
        By the tight conversions both ways.

    References
    ----------
    Inverse of the tight forms of LZCW21-lem-52 and LZCW21-lem-51.

    Examples
    --------
    >>> round(concentrated_step_epsilon(1.0, 1000, 1e-5, step="bounded range"), 6)
    0.015635
    """
    check.one_of(_RHO, step=step)
    check.positive_integer(k=k)
    check.at_most(LARGEST_STEPS, k=k)
    budget = part(concentrated_rho(epsilon, delta), k)
    # Both rho are at most epsilon^2 / 2, so this start is within the budget.
    return last_crossing(lambda size: _RHO[step](size) - budget, lower=budget**0.5)


check.wrap_module(__name__)
