r"""Many privacy losses added up on a lattice, between two bounds that are proved.

For laws P and Q let p be the P-mass of the loss ln(P / Q).  If all losses are multiples of a width,
``delta(epsilon) = sum_x p^{*k}(x) (1 - e^(epsilon - x))_+``, plus the chance of an infinite loss.  This grows
with every mass p(x), so a bound on each mass is one on delta.

**From above** the P- and Q-mass of a cell of losses move to its two ends so that both keep their totals: the
step before is a post-processing of the one after.  **From below** a cell goes to its left end with some
chance, else to its right end: what meets there is one outcome, a post-processing.  Where its ratio is at
least that of the place, P is lowered to it, which lowers every delta; the chances are chosen so that little
is lost and no ratio is smaller.  Both are second order in the width, but for atoms below.

**The sum.**  With ``p e^(lambda x)`` the Fourier transform of N points gives ``p^{*k}`` modulo N.  By Markov,
a sum above the window, at w, is at most ``M(r)^k e^(-r w)`` likely; moved back into the window it counts at
most ``M(r)^k e^(-(r - lambda) w - lambda epsilon)``; and a sum below it, at v, at most
``M(-s)^k e^(s v - lambda N width)``.

**Rounding.**  Each transform errs by at most ``16 u log2(N)`` in the Euclidean norm, relatively, hence each
value of a k-fold product by k times that, for sums of moduli at most 1, and the Euclidean norm of all errors
is at most k times that norm; masses come with bounds on their errors; and a loss that rounding moved onto its
place by a share e of the width moves the whole by k e.

**The search.**  Both ends hold on every lattice, which gets finer until they meet the tolerance, or cannot.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import exp, inf, isfinite, log, log1p, log2, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.composition.lattice import (
    UNIT,
    Curve,
    Floats,
    LatticeDistribution,
    Step,
    Steps,
    _bounding_distributions,
)

MOST_POINTS = 2**20  # of a lattice
TOLERANCE = 1e-3  # how far apart the ends may be, as a share of the upper one
_ORDERS = 48  # of moments that are tried
_NEAR_ORDERS = 13  # the same, near an order that is known to be good
_FIRST_CELLS = 768  # cells of the first pass
_MOST_PASSES = 14  # after which a bracket is done
_NEAR = 500.0  # of losses from the first place on, whose exponentials are numbers
_MOVES = 60  # of the first place towards an epsilon beyond these
_LEAST = 1e-40  # delta that is not told from 0
_WINDOW_SHARE = 0.05  # share of the tolerance for all that is not the lattice
_DIRECT = 4096  # most places of laws that are added up without transforms
_PLANNING_CELLS = 3000  # cells of a law on which the window is planned


class Window(NamedTuple):
    """How a sum is formed: tilt, orders of two tail bounds, first place and number of points."""

    tilt: float
    above: float
    below: float
    first: int
    n_points: int


def _error(n_points: float, k: float, norm: float = 1.0, mean: float = 1.0) -> float:
    """Bound on the error of each value of a k-fold product of transforms.

    `norm` bounds Euclidean norms before the transforms, `mean` the mean modulus of products of all but one.
    """
    eta = 16 * UNIT * log2(max(n_points, 2))
    transform_error = eta * sqrt(n_points) * norm + 4 * UNIT
    return (k * transform_error * mean + eta) * exp(min(3 * k * transform_error, 700.0))


def _error_norm(n_points: float, k: float, norm: float = 1.0) -> float:
    """Bound on the Euclidean norm of the errors of all values of a k-fold product of transforms.

    The errors of one transform have together at most a share of its norm, and a product of k - 1 others, of
    moduli at most 1, enlarges none of them.  So no root of the number of points is lost.
    """
    eta = 16 * UNIT * log2(max(n_points, 2))
    growth = 3 * k * (eta * sqrt(n_points) * norm + 4 * UNIT)
    return (k * (eta * norm + 4 * UNIT) + eta) * exp(min(growth, 700.0))


def _orders_of(
    steps: Steps, width: float, near: float | None = None
) -> tuple[Floats, Floats, Floats]:
    """Orders worth trying, and the log of the moment of the sum at each and at its negative.

    Of a long lattice only a few are tried, near one that is known to be good.
    """
    reach = width * max(
        max(abs(distribution.first), abs(distribution.first + distribution.mass.size))
        for distribution, _ in steps
    )
    spread = (
        sqrt(sum(times * distribution.second(width) for distribution, times in steps))
        + 1e-300
    )
    orders = np.geomspace(1e-2 / max(spread, reach), 200 / min(spread, reach), _ORDERS)
    if near is not None:
        orders = near * np.geomspace(1 / 8, 8, _NEAR_ORDERS)
    up = np.array(
        [
            sum(
                times * distribution.log_moment(order, width)
                for distribution, times in steps
            )
            for order in orders
        ]
    )
    down = np.array(
        [
            sum(
                times * distribution.log_moment(-order, width)
                for distribution, times in steps
            )
            for order in orders
        ]
    )
    return orders, up, down


def _window(
    moments: tuple[Floats, Floats, Floats],
    k: int,
    width: float,
    delta: float,
    least: float,
    spill: float,
) -> Window | None:
    """The window of fewest points for which each error is at most a share `spill` of delta, or None."""
    from scipy.fft import next_fast_len

    orders, up, down = moments
    target = log(delta) + log(spill)
    with np.errstate(divide="ignore", invalid="ignore"):
        tops = (up - orders[:, None] * least - target) / (orders - orders[:, None])
    tops = np.where(orders > orders[:, None], tops, inf)
    above = tops.argmin(axis=1)
    top = np.maximum(tops.min(axis=1), least) + 4 * width
    bottoms = (target + (orders * top)[:, None] - down) / (orders + orders[:, None])
    below = bottoms.argmax(axis=1)
    bottom = np.minimum(bottoms.max(axis=1), least) - 4 * width
    size = np.minimum((top - bottom) / width, 1e12)
    count = np.minimum(size, 1 + 1 / (orders * width))
    count_of_squares = np.minimum(size, 1 + 1 / (2 * orders * width))
    noise = (
        np.minimum(
            np.log([_error(n, k, 0.3, 0.3) for n in size]) + np.log(count),
            np.log([_error_norm(n, k, 0.3) for n in size])
            + np.log(count_of_squares) / 2,
        )
        + up
        - orders * least
    )
    small_enough = size <= MOST_POINTS
    if not small_enough.any():
        return None
    accurate = small_enough & (noise <= target)
    best = int(
        np.where(accurate, size, inf).argmin()
        if accurate.any()
        else np.where(small_enough, noise, inf).argmin()
    )
    first = int(np.floor(bottom[best] / width))
    n_points = next_fast_len(int(size[best]) + 2, real=True)
    tails = float(orders[above[best]]), float(orders[below[best]])
    return Window(float(orders[best]), *tails, first, n_points)


def _power(base: NDArray, k: int) -> NDArray:
    """A power by repeated squaring."""
    result: NDArray | None = None
    while k:
        if k & 1:
            result = base if result is None else result * base
        k >>= 1
        base = base * base if k else base
    return base if result is None else result


def _curve(
    steps: Steps, width: float, form: Window, least: float, *, above: bool
) -> Curve:
    """The curve of the sum from a place at or below `least` on, never too small if `above`, or too large."""
    from scipy.fft import irfft, rfft

    n, k = form.n_points, sum(times for _, times in steps)
    product, norm, rounding = np.ones(1), 0.0, 0.0
    log_moment = sum(
        times * distribution.log_moment(form.tilt, width)
        for distribution, times in steps
    )
    for distribution, times in steps:
        place = distribution.first + np.arange(distribution.mass.size)
        tilted, moment = (
            form.tilt * width * place,
            distribution.log_moment(form.tilt, width),
        )
        rounding += times * (
            4 + float(max(abs(tilted[0]), abs(tilted[-1]))) + abs(moment)
        )
        folded = np.bincount(
            place % n, distribution.mass * np.exp(tilted - moment), minlength=n
        )
        product = product * _power(rfft(folded), times)
        norm = max(norm, float(np.linalg.norm(folded)))
    mean = min(
        1.0,
        2 * float(abs(product).mean()) + 2.0 ** (1 - min(times for _, times in steps)),
    )
    values = np.maximum(np.roll(irfft(product, n), -(form.first % n)), 0.0)
    least = max(
        least, (log_moment - 600) / form.tilt
    )  # where the weights are still numbers
    start = int(min(max(0, np.floor(least / width) - form.first - 1), n - 2))
    x = width * (form.first + np.arange(start, n))
    weights = np.exp(np.minimum(log_moment - form.tilt * x, 690.0))
    values = values[start:] * weights
    tail_mass = np.append(np.cumsum(values[:0:-1])[::-1], 0.0)
    discounts = np.exp(-np.minimum(x - x[0], 600.0))
    discounted_tail = (
        np.append(np.cumsum((values * discounts)[:0:-1])[::-1], 0.0) / discounts
    )
    norm *= 1 + 1e-12
    one_by_one = _error(n, k, norm, mean) * min(n, 1 - 1 / np.expm1(-form.tilt * width))
    together = _error_norm(n, k, norm) * sqrt(
        min(n, 1 - 1 / np.expm1(-2 * form.tilt * width))
    )
    noise = min(one_by_one, together) * weights
    rounding += (
        2 * n + 1000 + abs(log_moment) + form.tilt * float(max(abs(x[0]), abs(x[-1])))
    )
    slack, top = 4 * UNIT * rounding * tail_mass + noise, width * (form.first + n)
    log_mass_above = (
        sum(
            times * distribution.log_moment(form.above, width)
            for distribution, times in steps
        )
        - form.above * top
    )
    infinite_mass = -np.expm1(
        sum(
            times * log1p(-min(distribution.infinite, 1 - 1e-16))
            for distribution, times in steps
        )
    )
    if above:
        slack = slack + exp(min(log_mass_above, 0.0)) + infinite_mass * (1 + 1e-12)
    else:
        log_mass_below = sum(
            times * distribution.log_moment(-form.below, width)
            for distribution, times in steps
        )
        log_mass_below += form.below * width * form.first - form.tilt * n * width
        alias = np.exp(np.minimum(log_mass_above + form.tilt * (top - x), 690.0)) + exp(
            min(log_mass_below, 700.0)
        )
        slack = infinite_mass * (1 - 1e-12) - slack - alias
    kept = x <= x[0] + _NEAR
    offset = sum(
        times * (distribution.shift + distribution.offset * (1 if above else -1))
        for distribution, times in steps
    )
    return Curve(
        x[kept],
        tail_mass[kept],
        discounted_tail[kept],
        slack[kept],
        float(infinite_mass),
        offset,
        above,
    )


class TwoSidedBound(NamedTuple):
    """A lower and an upper bound on a number.

    Parameters
    ----------
    lower, upper : float
        Largest number known to be at most the exact one; least number known to be at least the exact one.
    """

    lower: float
    upper: float


class _Direction(ABC):
    """Passes over one order of the two laws, each on a finer lattice than before."""

    def __init__(
        self, parts: Sequence[tuple[Step, int]], delta: float, tolerance: float
    ) -> None:
        self.parts, self.delta, self.tolerance = parts, delta, tolerance
        self.k = sum(times for _, times in parts)
        self.lower, self.upper, self.gap, self.passes, self.done = (
            0.0,
            inf,
            inf,
            0,
            False,
        )
        ends = [step.reach(self.tail) for step, _ in parts]
        self.reach = max(
            max(high for _, high in ends) - min(low for low, _ in ends), 1e-290
        )
        self.width, self.fixed, self.guess_margin = (
            self.reach / _FIRST_CELLS,
            False,
            1.0,
        )
        self.moments: tuple[Floats, Floats, Floats] | None = None
        self.best_order: float | None = None

    @property
    def tail(self) -> float:
        """What may lie outside of the cells of a step."""
        return max(self.delta * self.tolerance * 1e-3 / self.k, 1e-290)

    def curves(self, least: float | None) -> tuple[Curve, Curve] | None:
        """The curves below and above on the present lattice, from a place at or below `least` on."""
        if len(self.parts) == 1 and not self.fixed:
            self.width = self.parts[0][0].aligned(self.width)[0]
        below, above = self.sides()
        shift = sum(times * distribution.shift for distribution, times in above)
        n_cells = sum(distribution.mass.size for distribution, _ in above)
        near = self.best_order if n_cells >= _PLANNING_CELLS else None
        if self.moments is None or near is None or self.lower == 0:
            orders, up, down = _orders_of(above, self.width, near)
            self.moments = orders, up + orders * shift, down - orders * shift
            self.use_moments(above)
        orders, up, down = self.moments
        if least is None:
            least = max(0.0, self.guess(orders, up))
        least, self.passes = least - shift, self.passes + 1
        moments = orders, up - orders * shift, down + orders * shift
        form = _window(
            moments,
            self.k,
            self.width,
            self.delta,
            least,
            _WINDOW_SHARE * self.tolerance,
        )
        if form is None:
            self.width, self.done = (
                8 * self.width,
                isfinite(self.upper) or self.passes > 8 or self.fixed,
            )
            return None
        high = _curve(above, self.width, form, least, above=True)
        return _curve(
            below, self.width, form, least, above=False
        ) if below else high, high

    def sides(
        self,
    ) -> tuple[
        list[tuple[LatticeDistribution, int]], list[tuple[LatticeDistribution, int]]
    ]:
        """The laws below and above on the present lattice, and how often each is added."""
        pairs = [
            (self.bounding_distributions(step), times) for step, times in self.parts
        ]
        below, above = ([(pair[i], times) for pair, times in pairs] for i in (0, 1))
        return below, above

    def use_moments(self, above: Steps) -> None:
        """Keep the order of the best bound by moments."""
        orders, up, _ = self.moments  # type: ignore[misc]  # made just before
        self.best_order = float(orders[int(((up - log(self.delta)) / orders).argmin())])

    @abstractmethod
    def refine(self) -> None:
        """One pass."""

    def bounding_distributions(
        self, step: Step
    ) -> tuple[LatticeDistribution, LatticeDistribution]:
        """Of one step on the present lattice."""
        return _bounding_distributions(
            step.cells(self.width, step.aligned(self.width)[1], self.tail), self.width
        )

    def guess(self, orders: Floats, up: Floats) -> float:
        """Somewhat less than epsilon: Markov's bound less what it usually gives away."""
        bounds = (up - log(self.delta)) / orders
        best = int(bounds.argmin())
        return float(
            bounds[best]
            - self.guess_margin * (6 + 2 * log(1 + orders[best])) / orders[best]
        )

    def refine_width(self, gap: float, missed: bool) -> None:
        """The width of the next pass, from the distance of the ends as a share of the upper one."""
        share = 0.6 * self.tolerance / gap if gap > 0 else 1.0
        stuck = gap > 0.9 * self.gap and not missed
        if not self.fixed:
            self.width *= 0.4 if missed else min(max(sqrt(share), 1 / 6), 0.6)
        too_fine = self.reach > self.width * MOST_POINTS
        self.done = (
            stuck or too_fine or self.passes >= (4 if self.fixed else _MOST_PASSES)
        )
        self.gap = inf if missed else gap


class EpsilonSearch(_Direction):
    """Bounds on epsilon at delta."""

    def __init__(
        self, parts: Sequence[tuple[Step, int]], delta: float, tolerance: float
    ) -> None:
        super().__init__(parts, delta, tolerance)
        self.least: float | None = None
        self.moves = 0
        self.upper = sum(times * step.largest for step, times in parts) * (1 + 2.0**-50)

    def use_moments(self, above: Steps) -> None:
        """Renyi accounting on the lattice: what it proves, the convolution need not reach."""
        super().use_moments(above)
        orders, up, _ = self.moments  # type: ignore[misc]  # made just before
        infinite = sum(
            -times * log1p(-min(distribution.infinite, 0.5))
            for distribution, times in above
        )
        rest = self.delta - infinite * (1 + 1e-12)
        if not rest > 0:
            return
        moved = sum(times * distribution.offset for distribution, times in above)
        terms = np.array(
            [
                up / orders,
                np.full(orders.shape, -log(rest)) / orders,
                np.log(orders),
                -(1 + 1 / orders) * np.log1p(orders),
            ]
        )
        bounds = terms.sum(axis=0) + 8 * UNIT * abs(terms).sum(axis=0)
        self.upper = min(self.upper, max(float(bounds.min()), 0.0) + moved)

    def exceeds_largest(self, above: Curve) -> float | None:
        """Where to begin next if epsilon lies beyond the places of the curve; None if it does not."""
        first, last = (float(x) + above.offset for x in (above.x[0], above.x[-1]))
        high, low = above.delta(first), above.delta(last)
        if (
            low <= self.delta
            or last >= self.upper  # then noise hides that it is low
            or above.infinite_mass >= self.delta
            or self.moves >= _MOVES
        ):
            return None
        fall = log(high / low) if high > low else 0.0
        ahead = (
            log(low / self.delta) / fall if fall > 0 else 8.0
        )  # in lengths of the curve
        return last + (0.8 * min(ahead, 8.0) - 0.1) * (last - first)

    def refine(self) -> None:
        """One pass."""
        curves = self.curves(self.least)
        if curves is None:
            return
        below, above = curves
        self.upper = min(self.upper, max(above.epsilon(self.delta), 0.0))
        missed = not below.delta(float(below.x[0]) + below.offset) > self.delta
        if not missed:
            self.lower = min(max(self.lower, below.epsilon(self.delta)), self.upper)
        if (further := self.exceeds_largest(above)) is not None:
            self.least, self.moves, self.passes = further, self.moves + 1, 1
            return
        if self.lower > 0:
            self.least = max(0.98 * self.lower, self.lower - _NEAR / 5)
        elif (
            self.upper <= float(above.x[1]) + above.offset
            and self.upper > 0
            and self.guess_margin < 1e3
        ):
            self.guess_margin *= 4  # the least was too large
            if self.least is None and self.fixed:
                # Close to the largest loss, Markov's bound guesses too much, and no finer lattice will follow.
                self.least = max(0.0, self.upper * (1 - 0.005 * self.guess_margin))
            elif self.least is not None:
                self.least = max(0.0, self.least - self.guess_margin * _NEAR / 5)
            return
        if missed and self.lower == 0:  # noise is smaller nearer to epsilon
            self.guess_margin = max(1.0, self.guess_margin / 2)
        self.refine_width(
            (self.upper - self.lower) / self.upper if 0 < self.upper < inf else 1.0,
            missed,
        )
        self.done = self.done or above.infinite_mass >= self.delta


def _added(one: LatticeDistribution, other: LatticeDistribution) -> LatticeDistribution:
    """Law of the sum of two losses, rounded up: all terms are positive, so that errors stay relative."""
    mass = np.convolve(one.mass, other.mass)
    mass *= 1 + 2 * UNIT * (min(one.mass.size, other.mass.size) + 4)
    mass += 1e-300  # what underflows
    shift = one.shift + other.shift
    moved = one.offset + other.offset + 4 * UNIT * (abs(one.shift) + abs(other.shift))
    infinite = (one.infinite + other.infinite) * (1 + 4 * UNIT)
    return LatticeDistribution(
        one.first + other.first, mass, min(infinite, 1.0), shift, moved
    )


def _added_up(steps: Steps) -> list[tuple[LatticeDistribution, int]]:
    """The same sum of fewer laws: small ones are added up directly, in pairs, and pairs of pairs."""
    found, small = [], []
    for distribution, times in steps:
        if times * distribution.mass.size > _DIRECT:
            found.append((distribution, times))
            continue
        power: LatticeDistribution | None = None
        while times:
            if times & 1:
                power = distribution if power is None else _added(power, distribution)
            times >>= 1
            distribution = _added(distribution, distribution) if times else distribution
        if power is not None:
            small.append(power)
    while small:
        pairs, small = (
            zip(small[::2], small[1::2], strict=False),
            small[len(small) & ~1 :],
        )
        for one, other in pairs:
            if one.mass.size + other.mass.size <= _DIRECT:
                small.append(_added(one, other))
            else:
                found += [(one, 1), (other, 1)]
        if len(small) == 1:
            return [*found, (small[0], 1)]
    return found


class UpperSearch(EpsilonSearch):
    """A bound on epsilon from above alone, for many different steps."""

    def __init__(
        self, parts: Sequence[tuple[Step, int]], delta: float, tolerance: float
    ) -> None:
        super().__init__(parts, delta, tolerance)
        squares = [
            times * (high - low) ** 2
            for (step, times) in parts
            for low, high in [step.reach(self.tail)]
        ]
        self.width = max(0.06 * sqrt(sum(squares) / self.k) / 2, 1e-290)
        self.last = inf

    def sides(
        self,
    ) -> tuple[
        list[tuple[LatticeDistribution, int]], list[tuple[LatticeDistribution, int]]
    ]:
        """No law below, and few above."""
        above = _added_up(
            [
                (self.bounding_distributions(step)[1], times)
                for step, times in self.parts
            ]
        )
        return [], above

    def refine(self) -> None:
        """One pass."""
        if (found := self.curves(self.least)) is None:
            return
        above = found[1]
        found_epsilon = max(above.epsilon(self.delta), 0.0)
        self.upper = min(self.upper, found_epsilon)
        if (further := self.exceeds_largest(above)) is not None:
            self.least, self.moves, self.passes = further, self.moves + 1, 1
            return
        first = float(above.x[1]) + above.offset
        if 0 < found_epsilon <= first and self.guess_margin < 1e3:
            self.guess_margin *= 4  # the least was too large
            if self.least is None and self.fixed:
                # Close to the largest loss, Markov's bound guesses too much, and no finer lattice will follow.
                self.least = max(0.0, self.upper * (1 - 0.005 * self.guess_margin))
            elif self.least is not None:
                self.least = max(0.0, self.least - self.guess_margin * _NEAR / 5)
            return
        self.least = max(0.0, 0.98 * self.upper, self.upper - _NEAR / 5)
        near = self.last - self.upper <= self.tolerance * self.upper / 4
        self.done = near or self.passes > 6 or above.infinite_mass >= self.delta
        self.last, self.width = self.upper, self.width / 2


class DeltaSearch(_Direction):
    """Bounds on delta at epsilon."""

    def __init__(
        self, parts: Sequence[tuple[Step, int]], epsilon: float, tolerance: float
    ) -> None:
        super().__init__(parts, 1e-12, tolerance)
        most = sum(times * max(step.reach(self.tail)[1], 0.0) for step, times in parts)
        most = 2 * most + 1e3 * self.reach
        self.epsilon, self.exceeds_largest = min(epsilon, most), epsilon > most

    def refine(self) -> None:
        """One pass, in which errors are kept small beside the delta found before."""
        curves = self.curves(self.epsilon)
        if curves is None:
            return
        below, above = curves
        self.upper = min(self.upper, max(above.delta(self.epsilon), 0.0), 1.0)
        lower = (
            below.infinite_mass if self.exceeds_largest else below.delta(self.epsilon)
        )
        self.lower = min(max(self.lower, lower * (1 - 1e-12)), self.upper)
        rough = not self.delta / 30 < self.upper < self.delta * 30 and self.passes < 6
        self.delta = max(self.lower, self.upper * 1e-9, 1e-280)
        if not rough:
            self.refine_width(
                (self.upper - self.lower) / self.upper if self.upper > 0 else 0.0, False
            )
        self.done = self.done or self.upper < _LEAST


def _refine_until_close(
    directions: Sequence[EpsilonSearch] | Sequence[DeltaSearch], tolerance: float
) -> TwoSidedBound:
    """The larger of all directions, each refined only while it may be the larger one."""
    while True:
        worst = max(directions, key=lambda direction: direction.upper)
        lower = max(direction.lower for direction in directions)
        close = isfinite(worst.upper) and worst.upper - lower <= tolerance * worst.upper
        if worst.done or worst.passes and close:
            return TwoSidedBound(lower, worst.upper)
        worst.refine()


check.wrap_module(__name__)
