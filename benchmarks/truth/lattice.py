"""Sums of many steps on a lattice of losses, in whole numbers: an end from below and an end from above.

A probability is a whole number of 2^-bits, rounded down for the lower end and up for the upper one; two
sequences are convolved by one product of two long integers, exactly, and rounded once.  There is no Fourier
transform and no float whose error had to be estimated.  A loss beyond the top is infinite above and left out
below; one under the bottom is moved up to it, or left out.
"""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import ceil, erfc, exp, expm1, floor, log, log1p, sqrt
from typing import NamedTuple

from benchmarks.truth import intervals as I
from benchmarks.truth.intervals import IV, Interval

BITS, FINE = (
    140,
    160,
)  # of probabilities, and of the numbers that they are multiplied by


def _packed(numbers: list[int], width: int) -> int:
    return int.from_bytes(
        b"".join(x.to_bytes(width, "little") for x in numbers), "little"
    )


def convolved(a: list[int], b: list[int], bits: int, up: bool) -> list[int]:
    """The product of two sequences of whole numbers of 2^-bits, rounded once."""
    largest = max(a, default=0).bit_length() + max(b, default=0).bit_length()
    width = (largest + min(len(a), len(b)).bit_length()) // 8 + 1
    size = len(a) + len(b) - 1
    raw = (_packed(a, width) * _packed(b, width)).to_bytes(width * (size + 1), "little")
    numbers = (
        int.from_bytes(raw[i * width : (i + 1) * width], "little") for i in range(size)
    )
    return [I.raised(x, bits) if up else x >> bits for x in numbers]


def power(
    masses: list[int], lost: int, times: int, bits: int, *, up: bool
) -> tuple[list[int], int]:
    """The law of a sum of independent equal steps, and the mass that is lost to an infinite one."""
    whole = Sums(0, masses, lost)
    found = _power(whole, times, bits, up, None)
    return found.masses, found.lost


class Sums(NamedTuple):
    """Masses at the places first, first + 1, ... of a lattice, and the mass of an infinite loss."""

    first: int
    masses: list[int]
    lost: int

    def cut(self, ends: tuple[int, int] | None, up: bool) -> "Sums":
        """Without what is beyond these places."""
        if ends is None:
            return self
        first, masses, lost = self.first, self.masses, self.lost
        if (beyond := first + len(masses) - 1 - ends[1]) > 0:
            lost += sum(masses[-beyond:]) if up else 0
            masses = masses[:-beyond]
        if (under := ends[0] - first) > 0:
            moved = sum(masses[:under]) if up else 0
            masses, first = masses[under:] or [0], ends[0]
            masses = [masses[0] + moved, *masses[1:]]
        return Sums(first, masses, lost)


def _both(a: Sums, b: Sums, bits: int, up: bool, ends: tuple[int, int] | None) -> Sums:
    masses = convolved(a.masses, b.masses, bits, up)
    lost = a.lost * (sum(b.masses) + b.lost) + b.lost * sum(a.masses)
    return Sums(a.first + b.first, masses, I.raised(lost, bits) if up else 0).cut(
        ends, up
    )


def _power(
    step: Sums, times: int, bits: int, up: bool, ends: tuple[int, int] | None
) -> Sums:
    found, square = None, step.cut(ends, up)
    while True:
        if times & 1:
            found = square if found is None else _both(found, square, bits, up, ends)
        times >>= 1
        if not times:
            return found
        square = _both(square, square, bits, up, ends)


Tails = Callable[[Interval], tuple[Interval, Interval]]
GIVEN = 2.0  # of a squared width: what a cell may be off below and stay at its place


def normal_tails(mu: Interval) -> Tails:
    """Chances of a loss above l under N(mu, 1) and under N(0, 1): l = mu x - mu^2 / 2."""
    return lambda l: (I.normal_tail(l / mu - mu / 2), I.normal_tail(l / mu + mu / 2))


def laplace_tails(size: Interval) -> Tails:
    """Chances of a loss above l under Laplace noise that moved and under that which did not.

    The masses at the ends, -size and size, are in a cell that begins or ends there, in either.
    """

    def tails(l: Interval) -> tuple[Interval, Interval]:
        if l.a >= size.b:
            return IV.mpf(0), IV.mpf(0)
        if l.b <= -size.a:
            return IV.mpf(1), IV.mpf(1)
        return 1 - IV.exp((l - size) / 2) / 2, IV.exp(-(l + size) / 2) / 2

    return tails


def float_tails(kind: str, size: float) -> Callable[[float], tuple[float, float]]:
    """The same in floats, to choose cells by; nothing that is proved rests on them."""
    if kind == "gaussian":
        return lambda l: tuple(
            erfc((l / size + side * size / 2) / sqrt(2)) / 2 for side in (-1, 1)
        )

    def inner(l):
        return (1 - exp((l - size) / 2) / 2, exp(-(l + size) / 2) / 2)

    return lambda l: (0.0, 0.0) if l >= size else (1.0, 1.0) if l < -size else inner(l)


class Cells(NamedTuple):
    """One step of (1 - r) Q + r P against Q, in cells of the loss, with both probabilities of each.

    The cells of `even` are between places first, first + 1, ... of the lattice, and the last one has no end;
    those of `centred` have an ln(p / q) that is at a place, nearly.
    """

    width: Interval
    first: int
    even: list[tuple[Interval, Interval]]
    centred: list[tuple[Interval, Interval]]


@cache
def cells(
    kind: str, shift: float, scale: float, rate: float, width: float, furthest: float
) -> Cells:
    """Both partitions of the losses of one step, up to the furthest that matters."""
    IV.prec = 170
    h, r, noise = I.exact(width), I.exact(rate), I.exact(shift) / I.exact(scale)
    tails = (normal_tails if kind == "gaussian" else laplace_tails)(noise)

    def above(loss: Interval) -> tuple[Interval, Interval]:
        """Chances of a loss of the sampled step above this one."""
        inner = (IV.exp(loss) - 1 + r) / r
        if inner.a <= 0 < inner.b:
            raise I.TooWide("the smallest loss is on the lattice")
        p, q = (
            tails(IV.log(inner)) if inner.b > 0 else (IV.mpf(1), IV.mpf(1))
        )  # no loss is so small
        return (1 - r) * q + r * p, q

    def between(edges: list[Interval]) -> list[tuple[Interval, Interval]]:
        ends = [(IV.mpf(1), IV.mpf(1)), *map(above, edges), (IV.mpf(0), IV.mpf(0))]
        return [(p - a, q - b) for (p, q), (a, b) in pairwise(ends)]

    least, most = reach(kind, shift / scale, rate)
    most = min(most, furthest)
    first, last = floor(least / width), ceil(most / width)
    even = between([i * h for i in range(first + 1, last + 1)])
    edges = centring(float_tails(kind, shift / scale), rate, width, (least, most))
    return Cells(h, first, even, between([I.exact(edge) for edge in edges]))


def reach(kind: str, size: float, rate: float) -> tuple[float, float]:
    """The least loss of one step, and the largest but for a small tail."""
    if kind == "gaussian":
        return log1p(-rate), log(1 - rate + rate * exp(9.5 * size + size * size / 2))
    return log1p(-rate + rate * exp(-size)), log(1 - rate + rate * exp(size))


def centring(
    tails: Callable, rate: float, width: float, ends: tuple[float, float]
) -> list[float]:
    """Edges of cells whose ln(p / q) is nearly at places of the lattice.

    From the left: each cell ends where its own ln(p / q) comes to be the next place beyond its start, found
    by halving.  Far out, where floats know p and q no longer, cells end half way between places.
    """

    def above(loss: float) -> tuple[float, float]:
        inner = (expm1(loss) + rate) / rate
        p, q = tails(log(inner)) if inner > 0 else (1.0, 1.0)
        return (1 - rate) * q + rate * p, q

    def end(
        start: tuple[float, float], left: float, right: float, goal: float
    ) -> float:
        """Where the cell from `start` has this ln(p / q), which grows with its end."""
        for _ in range(60):
            middle = (left + right) / 2
            p, q = (a - b for a, b in zip(start, above(middle), strict=True))
            early = p <= 1e-13 or q <= 1e-13 or log(p / q) < goal
            left, right = (middle, right) if early else (left, middle)
        return right

    place = floor(ends[0] / width) + 1
    edges = [end((1.0, 1.0), ends[0], ends[0] + 50 * width, place * width)]
    while edges[-1] < ends[1]:
        place = floor(edges[-1] / width) + 1
        known = above(edges[-1])
        if min(known) < 1e-9:
            edges += [(i + 0.5) * width for i in range(place, ceil(ends[1] / width))]
            break
        edges.append(end(known, edges[-1], (place + 2) * width, place * width))
    return edges


class Bracket(NamedTuple):
    """Both ends of one direction: laws of the sum, the width of the lattice, and what is given up below."""

    below: Sums
    above: Sums
    width: Interval
    given: Interval

    def delta(self, epsilon: Interval) -> Interval:
        """From below to above: the sum of masses times 1 - e^(epsilon - loss), in whole numbers."""
        one, ends = 1 << FINE, []
        for up, sums, shift in (
            (False, self.below, self.given),
            (True, self.above, IV.mpf(0)),
        ):
            start = max(sums.first, I.whole((epsilon + shift) / self.width)[0])
            fine = IV.mpf(2) ** FINE
            ratio = I.whole(IV.exp(-self.width) * fine)[not up]
            factor = I.whole(IV.exp(epsilon + shift - start * self.width) * fine)[
                not up
            ]
            total = sums.lost << FINE
            for mass in sums.masses[start - sums.first :]:
                total += mass * max(0, one - factor)
                factor = (
                    factor * ratio >> FINE if up else I.raised(factor * ratio, FINE)
                )
            ends.append(total)
        return I.hull(*(IV.mpf(total) / IV.mpf(2) ** (BITS + FINE) for total in ends))


def units(x: Interval) -> tuple[int, int]:
    """A probability in units, rounded down and up."""
    lower, upper = I.whole(x * IV.mpf(2) ** BITS)
    return max(0, lower), max(0, upper)


def spread(made: Cells, backward: bool) -> Sums:
    """A law that is no better than the step's: the mass of a cell goes to both its ends, so that both laws
    keep theirs (of the pair (p, q), a + b = p and a e^-x + b e^-y = q); every convex function only grows."""
    h, first = made.width, made.first
    pairs = made.even[:-1]
    places = [IV.mpf(0)] * (len(pairs) + 1)
    p, q = made.even[-1]  # of losses beyond the last place
    lost = IV.mpf(0) if backward else p
    if backward:
        places[-1] += q  # a loss below the first place is moved up to it
    fall = 1 / (1 - IV.exp(-h))
    for n, (p, q) in enumerate(pairs):
        lower, upper = (first + n) * h, (first + n + 1) * h
        if backward:
            far = I.positive((q - p * IV.exp(-upper)) * fall)
            places[n] += far
            places[n + 1] += I.positive(q - far)
        else:
            far = I.positive((p - q * IV.exp(lower)) * fall)
            places[n + 1] += far
            places[n] += I.positive(p - far)
    masses = [units(x)[1] for x in places]
    return (
        Sums(-first - len(pairs), masses[::-1], units(lost)[1])
        if backward
        else Sums(first, masses, units(lost)[1])
    )


def merged(made: Cells, backward: bool) -> tuple[Sums, Interval]:
    """A law that is no worse than the step's: each cell is one outcome, which is post-processing, at a place
    whose loss is at most ln(p / q) plus what is given up, the same for all."""
    masses: dict[int, int] = {}
    given, width = IV.mpf(0), float(made.width.mid)
    for p, q in made.centred:
        p, q = (q, p) if backward else (p, q)
        if not (p.a > 0 and q.a > 0) or (mass := units(p)[0]) < 2**40:
            continue  # left out: its loss is not known well
        loss = IV.log(p / q)
        place = floor(float(loss.mid) / width + GIVEN * width)
        given = I.largest([given, place * made.width - loss])
        masses[place] = masses.get(place, 0) + mass
    first, last = min(masses), max(masses)
    return Sums(first, [masses.get(i, 0) for i in range(first, last + 1)], 0), I.high(
        given
    )


@cache
def bracket(step: tuple, times: int, most: float, backward: bool) -> Bracket:
    """One direction of Poisson-sampled noise, many steps; `most` is the largest loss of a sum to keep."""
    made = cells(*step)
    ends = -round(most / step[4]), round(most / step[4])
    down, given = merged(made, backward)
    below = _power(down, times, BITS, False, ends)
    above = _power(spread(made, backward), times, BITS, True, ends)
    return Bracket(below, above, made.width, times * given)


def sampled_noise(
    steps: list[dict], width: float, most: float
) -> list[Callable[[Interval], Interval]]:
    """Poisson-sampled Gaussian or Laplace noise, many steps, both directions."""
    [step] = steps
    scale = step["sigma"] if step["mechanism"] == "gaussian" else step["scale"]
    one = (
        step["mechanism"],
        step["sensitivity"],
        scale,
        step["sampling_rate"],
        width,
        most,
    )
    return [bracket(one, step["times"], most, side).delta for side in (False, True)]
