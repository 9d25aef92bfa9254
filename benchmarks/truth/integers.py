"""Many releases of discrete Gaussian noise, in whole numbers."""

from functools import cache
from math import sqrt

from benchmarks.truth import intervals as I
from benchmarks.truth.derivations import Curve, Steps
from benchmarks.truth.intervals import IV, Interval


@cache
def discrete_masses(
    sigma: float, times: int, bits: int
) -> tuple[int, list[int], list[int]]:
    """Sum of `times` discrete Gaussians: reach, and masses in units of 2^-bits, rounded down and up.

    Masses so far out that they are no unit are left out below; above they are an infinite loss.
    """
    from benchmarks.truth.lattice import power

    reach, square = int(sigma * sqrt(1.4 * bits)) + 1, 2 * I.exact(sigma) ** 2
    weights = [IV.exp(-IV.mpf(x * x) / square) for x in range(reach + 1)]
    near = weights[0] + 2 * sum(weights[1:], IV.mpf(0))
    first = IV.exp(
        -IV.mpf((reach + 1) ** 2) / square
    )  # each further one e^(-(2 reach + 3) / square) times
    tail = 2 * first / (1 - IV.exp(-IV.mpf(2 * reach + 3) / square))
    whole = I.hull(near, near + tail)
    down, up = zip(*(scaled(w / whole, bits) for w in weights), strict=True)
    lost = scaled(tail / whole, bits)[1]
    below, _ = power([*down[:0:-1], *down], 0, times, bits, up=False)
    above, rest = power([*up[:0:-1], *up], lost, times, bits, up=True)
    return rest, below, above


def scaled(x: Interval, bits: int) -> tuple[int, int]:
    """An interval as whole numbers of 2^-bits, rounded down and up."""
    return I.whole(x * IV.mpf(2) ** bits)


def discrete_gaussian(steps: Steps) -> list[Curve]:
    """The likelihood ratio of all releases depends on the sum of the noise: exact convolution on a lattice.

    With the sum S, the loss is ``(2 s S + k s^2) / (2 sigma^2)`` for S the noise under P, so delta is
    ``Pr[S > t] - e^epsilon Pr[S > t + k s]`` with ``t = epsilon sigma^2 / s - k s / 2``.
    """
    [step] = steps
    sigma, k, s, bits = step["sigma"], step["times"], step["sensitivity"], IV.prec + 96

    def curve(epsilon: Interval) -> Interval:
        rest, below, above = discrete_masses(sigma, k, bits)
        unit = IV.mpf(2) ** -bits
        t = epsilon * I.exact(sigma) ** 2 / s - IV.mpf(k * s) / 2
        reach = (len(below) - 1) // 2

        def tail(place: int) -> Interval:
            place = max(0, place + reach + 1)
            return I.hull(sum(below[place:]) * unit, (sum(above[place:]) + rest) * unit)

        # any cut gives a lower end; the best one is at t or, where that is not decided, at one of two places
        cuts = {I.whole(t)[0], I.whole(t)[1] - 1}
        return I.positive(
            I.largest([tail(cut) - IV.exp(epsilon) * tail(cut + k * s) for cut in cuts])
        )

    return [curve]
