"""Numbers that are proved: intervals with directed rounding, and sums of many outcomes.

Nothing here knows an accountant.  A float is the rational number that it is; everything else is an interval
of `mpmath` (``iv``: exponential, logarithm and root rounded outwards), at a precision that grows until the
interval is narrow.  The normal tail is a series of positive terms in whole numbers, with a bound on its rest.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from mpmath.ctx_iv import MPIntervalContext
from mpmath.libmp import round_ceiling, round_floor, to_int

Interval = Any  # of `mpmath`, which has no types
START, MOST = 160, 10_000  # bits
NARROW = 2.0**-64  # width of a proved number, relative
NOTHING = 2.0**-80  # what is below it need not be narrow
IV = MPIntervalContext()


class TooWide(ArithmeticError):
    """The interval is not narrow enough at this precision."""


def exact(number: float | int | Fraction) -> Interval:
    """The interval of one number: a float is meant as the rational number that it is."""
    if isinstance(number, Fraction):
        return IV.mpf(number.numerator) / IV.mpf(number.denominator)
    return IV.mpf(number)


def low(x: Interval) -> Any:
    """The lower end, as an interval of one point."""
    return IV.mpf(x.a)


def high(x: Interval) -> Any:
    """The upper end, as an interval of one point."""
    return IV.mpf(x.b)


def whole(x: Interval) -> tuple[int, int]:
    """The lower end rounded down and the upper end rounded up, to whole numbers."""
    lower, upper = x._mpi_
    return to_int(lower, round_floor), to_int(upper, round_ceiling)


def hull(lower: Interval, upper: Interval) -> Interval:
    """From the lower end of one to the upper end of the other."""
    return IV.mpf([lower.a, upper.b])


def positive(x: Interval) -> Interval:
    """max(0, x)."""
    if x.a >= 0:
        return x
    return hull(IV.mpf(0), high(x)) if x.b > 0 else IV.mpf(0)


def largest(values: Iterable[Interval]) -> Interval:
    """The largest of some intervals: its lower end is the largest lower end, its upper the largest upper."""
    values = list(values)
    return IV.mpf([max(v.a for v in values), max(v.b for v in values)])


def floats(x: Interval) -> tuple[float, float]:
    """Floats below and above an interval."""
    lower, upper = (float(IV.mpf(end).mid) for end in (x.a, x.b))
    while lower != -inf and not (IV.mpf(lower).b <= x.a):
        lower = nextafter(lower, -inf)
    while upper != inf and not (IV.mpf(upper).a >= x.b):
        upper = nextafter(upper, inf)
    return lower, upper


def raised(x: int, shift: int) -> int:
    """The quotient of x and 2^shift, rounded up."""
    return -(-x >> shift)


def series(x: int, bits: int, up: bool) -> int:
    """The sum x + x^3 / 3 + x^5 / (3 5) + ... for x >= 0, in units of 2^-bits, each step rounded down or up.

    All terms are positive; once ``r = x^2 / (2 n + 3) <= 1/2``, what follows the n-th is at most that term.
    """
    square = raised(x * x, bits) if up else x * x >> bits
    term, total, n = x, x, 0
    while term > 1 or (2 * n + 3) << bits < 2 * square:
        n += 1
        divisor = 2 * n + 1
        term = (
            -(-raised(term * square, bits) // divisor)
            if up
            else (term * square >> bits) // divisor
        )
        total += term
    return total + 2 * term if up else total


def normal_tail(x: Interval) -> Interval:
    """1 - Phi(x), which is one half less the density times a series of positive terms."""
    if x.a < 0 and x.b <= 0:
        return 1 - normal_tail(-x)
    if x.a < 0:
        return hull(normal_tail(high(x)), normal_tail(low(x)))
    kept = IV.prec
    bits = kept + 40
    try:
        IV.prec = bits + 20
        unit = IV.mpf(2) ** bits
        below, above = whole(x * unit)
        ends = []
        for place, up in ((below, False), (above, True)):
            density = IV.exp(-((place / unit) ** 2) / 2) / IV.sqrt(2 * IV.pi)
            ends.append(
                exact(Fraction(1, 2)) - density * series(place, bits, up) / unit
            )
            if below == above:
                ends.append(
                    exact(Fraction(1, 2)) - density * series(place, bits, not up) / unit
                )
        found = IV.mpf([min(e.a for e in ends), max(e.b for e in ends)])
    finally:
        IV.prec = kept
    return positive(found)


def narrowed(
    value: Callable[[], Interval], start: int = START, narrow: float = NARROW
) -> Interval:
    """A value, computed at growing precision until its interval is narrow (or all but 0)."""
    bits = start
    while True:
        IV.prec = bits
        found = value()
        if found.b <= NOTHING:
            return hull(IV.mpf(0), found) if found.a < 0 else found
        if found.a > 0 and found.b - found.a <= found.a * narrow:
            return found
        bits *= 2
        if bits > MOST:
            raise TooWide(f"{floats(found)} at {bits} bits")


def excess(pairs: Iterable[tuple[Interval, Interval]], epsilon: Interval) -> Interval:
    """The sum of max(0, p - e^epsilon q) over outcomes of these two probabilities."""
    factor, total = IV.exp(epsilon), IV.mpf(0)
    for p, q in pairs:
        total += positive(p - factor * q)
    return total
