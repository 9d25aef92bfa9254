"""What the composition theorems share: promises to be composed must be about the same neighbours."""

from collections.abc import Sequence
from math import exp, expm1, log, log1p
from typing import TypeVar

from privml import _check as check
from privml.adjacency import Adjacency
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee, Guarantee

Promise = TypeVar("Promise", Guarantee, ConcentratedGuarantee, BoundedRangeGuarantee)


def common_relation(kind: type[Promise], guarantees: Sequence[Promise]) -> tuple[Adjacency, int]:
    """The relation and the group size that all of at least one guarantee of a kind are about, or raise."""
    if not guarantees:
        raise ValueError("guarantees must be at least one, got none")
    for guarantee in guarantees:
        check.instance(kind, guarantee=guarantee)
    relations = {(guarantee.adjacency, guarantee.group_size) for guarantee in guarantees}
    if len(relations) > 1:
        found = " and ".join(sorted(f"{adjacency}, groups of {size}" for adjacency, size in relations))
        raise ValueError(f"guarantees must be about the same neighbours, got {found}: convert them first")
    return relations.pop()


def approximate(guarantee: Guarantee | BoundedRangeGuarantee, epsilon: float, delta: float) -> Guarantee:
    """An approximate guarantee about the same neighbours; delta is capped at 1."""
    return Guarantee(epsilon, min(1.0, delta), guarantee.adjacency, guarantee.group_size)


LARGEST_STEPS = 10**12
"""Most steps that are composed."""


def checked_steps(k: int) -> None:
    """Raise unless a number of steps is in [1, LARGEST_STEPS]."""
    check.positive_integer(k=k)
    if k > LARGEST_STEPS:
        raise ValueError(f"k must be at most {LARGEST_STEPS}, got {k!r}")


def checked_rate(sampling_rate: float) -> None:
    """Raise unless a sampling rate is in (0, 1]."""
    check.positive(sampling_rate=sampling_rate)
    if sampling_rate > 1:
        raise ValueError(f"sampling_rate must be at most 1, got {sampling_rate!r}")


def log_of_mixture(exponent: float, rate: float) -> float:
    """ln(1 + rate (e^exponent - 1)), also where e^exponent overflows."""
    if exponent > 700:
        return exponent + log(rate + (1 - rate) * exp(-exponent))
    mixed = log1p(rate * expm1(exponent))
    return max(mixed, 5e-324) if exponent > 0 else mixed  # a positive promise does not underflow to none


def checked_share(n_samples: int, subsample_size: int) -> float:
    """The share of the records in a subsample without repeats; raises unless it is in (0, 1]."""
    check.positive_integer(n_samples=n_samples, subsample_size=subsample_size)
    if subsample_size > n_samples:
        raise ValueError(f"subsample_size must be at most n_samples = {n_samples}, got {subsample_size!r}")
    return subsample_size / n_samples


def log_target(delta: float) -> float:
    """Logarithm of a delta to stay below, lower by a bound on the rounding of what is compared with it."""
    return log(delta) - 1e-13 * (1 - log(delta))
