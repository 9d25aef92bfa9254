"""Inverting monotone functions on the safe side.

A theorem's inverse must never promise more than the theorem: the searches here return a point at which
the required inequality has been evaluated and found true.
"""

from collections.abc import Callable
from functools import cache
from math import ceil, inf, sqrt

LARGEST_INTEGER = 2**62  # half of what a signed integer of 64 bits holds


def ceiling(value: float) -> int:
    """Least integer that is not below a float, which may have overflowed."""
    if not value <= LARGEST_INTEGER:
        raise ValueError(
            f"target must be reachable, but no integer up to {LARGEST_INTEGER} reaches {value!r}."
        )
    return ceil(value)


def power(base: float, exponent: float) -> float:
    """A power of a non-negative number, refused where a float cannot hold it."""
    try:
        return base**exponent
    except OverflowError:
        expression = f"{base!r} to the power {exponent!r}"
        raise ValueError(
            f"{expression} must be at most the largest float, but it overflows."
        ) from None


def smallest_integer(
    holds: Callable[[int], bool], *, lower: int = 1, upper: int = LARGEST_INTEGER
) -> int:
    """Smallest integer in [lower, upper] at which a monotone predicate (false, then true) holds."""
    if holds(lower):
        return lower
    step = 1
    below, above = lower, lower + 1
    while not holds(above):
        if above >= upper:
            raise ValueError(
                f"target must be reachable, but no integer up to {upper} reaches it."
            )
        step *= 2
        below, above = above, min(above + step, upper)
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if holds(middle) else (middle, above)
    return above


def smallest_float(
    holds: Callable[[float], bool], *, lower: float, upper: float
) -> float:
    """Smallest float in (lower, upper] at which a monotone predicate (false, then true) holds.

    Bisection runs until neighbouring floats meet, so the predicate is true at the value returned and
    false one unit in the last place below it.
    """
    if not holds(upper):
        raise ValueError(
            f"target must be reachable, but no value up to {upper!r} reaches it."
        )
    while True:
        middle = lower + (upper - lower) / 2
        if not lower < middle < upper:
            return upper
        lower, upper = (lower, middle) if holds(middle) else (middle, upper)


def crossing(excess: Callable[[float], float], *, lower: float, upper: float) -> float:
    """Where a decreasing function reaches zero in [lower, upper], on the side where it is at most zero.

    Brent's method finds the root, and the answer is then moved up, a few units in the last place, until the
    function evaluated there is at most zero.  Much faster than :func:`smallest_float` for smooth functions.
    """
    from scipy.optimize import brentq

    excess = cache(excess)
    if excess(lower) <= 0:
        return lower
    if not excess(upper) <= 0:
        raise ValueError(
            f"target must be reachable, but no value up to {upper!r} reaches it."
        )
    point = float(
        brentq(
            lambda x: min(max(excess(x), -1e9), 1e9),
            lower,
            upper,
            xtol=1e-300,
            rtol=1e-15,
            maxiter=4000,
        )
    )
    step = max(abs(point) * 2.0**-52, 5e-324)
    while not excess(point) <= 0:
        point, step = min(point + step, upper), 2 * step
    return point


def last_crossing(excess: Callable[[float], float], *, lower: float) -> float:
    """Largest point where an increasing function is at most zero, searched upwards from a positive `lower`.

    The function evaluated at the point returned is at most zero, as in :func:`crossing`.
    """
    if not lower > 2.0**-1000:
        raise ValueError(
            f"target must be within the range of normal floats, but the search begins at {lower!r}."
        )
    upper, factor = 2 * lower, 2.0
    while excess(upper) <= 0:
        factor = min(factor * factor, 1e100)
        lower, upper = upper, upper * factor
        if not upper < inf:
            raise ValueError(
                f"target must be out of reach somewhere, but every value up to {lower!r} reaches it."
            )
    while (
        upper > 4 * lower
    ):  # halve the bracket in the exponent before the search by differences
        middle = sqrt(lower) * sqrt(upper)
        lower, upper = (middle, upper) if excess(middle) <= 0 else (lower, middle)
    return 1 / crossing(
        lambda inverse: excess(1 / inverse),
        lower=1 / upper,
        upper=1 / lower * (1 + 1e-15),
    )
