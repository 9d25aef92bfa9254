"""Rounding to the safe side: what a promise stores is never below what its theorem says.

Floats are exact fractions.  Sums and products of them are formed exactly and rounded once, upwards, so that
what a float can hold stays as it is; a formula with other functions is moved up by a few units.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import fsum, inf, isfinite, nextafter

LEAST_FLOAT = 5e-324  # the smallest positive float
_UNIT = 2.0**-52  # distance of 1 from the next float


def float_at_least(value: Fraction) -> float:
    """The least float that is not smaller; infinite where none is."""
    try:
        nearest = float(value)
    except OverflowError:
        return inf if value > 0 else -float_at_most(-value)
    return nearest if Fraction(nearest) >= value else nextafter(nearest, inf)


def float_at_most(value: Fraction) -> float:
    """The largest float that is not larger."""
    try:
        nearest = float(value)
    except OverflowError:
        return nextafter(inf, 0.0) if value > 0 else -inf
    return nearest if Fraction(nearest) <= value else nextafter(nearest, -inf)


def product(*factors: float) -> float:
    """The least float that is not below the product of some numbers; infinite where none is."""
    found = Fraction(1)
    for factor in factors:
        if factor == inf:
            return inf
        found *= Fraction(factor)
    return float_at_least(found)


def total(terms: Iterable[tuple[int, float]]) -> float:
    """The least float that is not below the sum of (how often, number); infinite where none is."""
    parts: list[float] = []
    for times, number in terms:
        high = times * number
        if not isfinite(high):
            return inf
        parts.append(high)
        if times & (times - 1):  # else the product is exact
            rest = Fraction(times) * Fraction(number) - Fraction(high)
            parts.append(float_at_least(rest) if rest else 0.0)
    try:
        found = fsum(parts)
        return nextafter(found, inf) if fsum([*parts, -found]) > 0 else found
    except OverflowError:
        return inf


def part(whole: float, n_parts: int) -> float:
    """The largest float of which so many are together not above the whole."""
    return float_at_most(Fraction(whole) / n_parts)


def above(value: float, units: int = 4) -> float:
    """A non-negative number moved up by a few units of rounding; 0 stays 0."""
    return nextafter(value * (1 + units * _UNIT), inf) if value > 0 else value


def below(value: float, units: int = 4) -> float:
    """A non-negative number moved down by a few units of rounding."""
    return nextafter(value * (1 - units * _UNIT), 0.0) if value > 0 else value
