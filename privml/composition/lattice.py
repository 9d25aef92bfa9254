"""The loss of one step on a lattice, twice: never too small, and never too large.

What is done and why it is true stands in :mod:`privml.composition.bracket`.
"""

from collections.abc import Sequence
from math import exp, inf, log
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from privml import _check as check

Floats = NDArray[np.float64]

UNIT = 2.0**-53
_ON = 2.0**-46  # relative distance at which a loss stands on the lattice
_ATOM_ERROR = (
    2.0**-43
)  # relative, of the masses of atoms: that of e^x for x down to -745
_TAIL_ERROR = 2.0**-40  # relative, of what lies beyond the cells
_ROUNDS = 5  # of the balance between neighbouring cells


class Cells(NamedTuple):
    """P- and Q-masses of the cells from ``first`` on, with bounds on their errors; and what is in no cell.

    Cell i holds the losses from i to i + 1 widths above the `shift`.
    """

    first: int
    p: Floats
    q: Floats
    p_error: Floats
    q_error: Floats
    below: tuple[float, float] = (0.0, 0.0)
    above: tuple[float, float] = (0.0, 0.0)
    losses: Floats = np.empty(0)
    atoms: Floats = np.empty(0)
    infinite: tuple[float, float] = (0.0, 0.0)
    shift: float = 0.0

    def swapped(self) -> "Cells":
        """The same with P and Q exchanged."""
        first, atoms = (
            -self.first - self.p.size,
            (self.atoms * np.exp(-self.losses))[::-1],
        )
        errors = self.q_error[::-1], self.p_error[::-1]
        return Cells(
            first, self.q[::-1], self.p[::-1], *errors, self.above[::-1], self.below[::-1],
            -self.losses[::-1], atoms, self.infinite[::-1], -self.shift,
        )  # fmt: skip


class Law(NamedTuple):
    """P-masses at the multiples of a width above a shift, from ``first`` on, and that of an infinite loss.

    Moments are those of the loss without the shift; `moved` bounds how far rounding has moved a loss.
    """

    first: int
    mass: Floats
    infinite: float
    shift: float
    moved: float

    def log_moment(self, order: float, width: float) -> float:
        """Log of ``sum mass e^(order x)``, rounded up."""
        exponent = order * width * (self.first + np.arange(self.mass.size))
        top = float(max(exponent[0], exponent[-1]))
        sum_ = float(self.mass @ np.exp(exponent - top)) + 1e-300
        return top + log(sum_) + UNIT * (self.mass.size + 16 * (20 + abs(top)))

    def second(self, width: float) -> float:
        """Sum of the squares of the losses."""
        return float(
            self.mass @ (width * (self.first + np.arange(self.mass.size))) ** 2
        )


Steps = Sequence[tuple[Law, int]]


class Step(Protocol):
    """A step whose pair of laws can be put in cells."""

    @property
    def largest(self) -> float:
        """The largest loss."""

    @property
    def symmetric(self) -> bool:
        """Whether both directions have the same curve."""

    def other(self) -> "Step":
        """The opposite direction."""

    def cells(self, width: float, shift: float, tail: float) -> Cells:
        """Masses in cells of a width; what is outside of them has little more than a tail's probability."""

    def reach(self, tail: float) -> tuple[float, float]:
        """Least and largest loss, but for a tail."""

    def aligned(self, width: float) -> tuple[float, float]:
        """A width, no larger, and a shift for which the heaviest parts stand on the lattice."""


def _placed(losses: Floats, width: float) -> tuple[NDArray, Floats]:
    """The cells of atoms, and how far beyond its left end each stands; 0 for what is on the lattice."""
    exact = losses / width
    place = np.rint(exact)
    on = abs(exact - place) <= _ON * (1 + abs(exact))
    place = np.where(on, place, np.floor(exact))
    return place.astype(int), np.where(on, 0.0, (exact - place) * width)


def _laws(cells: Cells, width: float) -> tuple[Law, Law]:
    """A law with every delta at most as large, and one with none smaller."""
    place, beyond = _placed(cells.losses - cells.shift, width)
    first = min(cells.first, int(place.min(initial=cells.first)))
    start, end = cells.first - first, cells.first - first + cells.p.size
    n = max(end, int(place.max(initial=first)) - first + 1)
    at, off, ratio = place - first, beyond > 0, exp(width)
    x = width * (first + np.arange(n + 1)) + cells.shift
    p, q, error, q_error = np.zeros((4, n + 1))
    t = np.exp(x[start:end])
    p[start:end], q[start:end] = cells.p, t * cells.q
    error[start:end], q_error[start:end] = cells.p_error, t * cells.q_error
    upper = _from_above(
        p, q, error + ratio * q_error + 8 * UNIT * (p + (2 + abs(x)) * q), width
    )
    right, heavy = (
        -np.expm1(-beyond) / -np.expm1(-width),
        cells.atoms * (1 + _ATOM_ERROR),
    )
    np.add.at(upper, at, heavy * (1 - right))
    np.add.at(upper, at + 1, heavy * right)
    upper[start] += cells.below[0]
    above, tail = cells.above[0], float(np.exp(x[end])) * cells.above[1]
    upper[end] += min(tail, above)
    light = cells.atoms[off] * (1 - _ATOM_ERROR)
    np.add.at(p, at[off], light)
    np.add.at(q, at[off], light * np.exp(-beyond[off]))
    q_error += 8 * UNIT * (2 + abs(x)) * q
    lower = _from_below(
        p, q, error + ratio * q_error + 8 * UNIT * p, q_error, ratio, (end, above, tail)
    )
    np.add.at(lower, at[~off], cells.atoms[~off] * (1 - _ATOM_ERROR))
    moved = (
        _ON * (width + float(abs(cells.losses).max(initial=0.0)))
        if cells.losses.size
        else 0.0
    )
    rest = max(0.0, above - tail) + _TAIL_ERROR * above
    least, most = (
        cells.infinite[0] * (1 - _ATOM_ERROR),
        cells.infinite[0] * (1 + _ATOM_ERROR) + rest,
    )
    below = Law(first, np.maximum(lower, 0.0), least, cells.shift, moved)
    return below, Law(first, upper * (1 + 16 * UNIT), most, cells.shift, moved)


def _from_above(p: Floats, q: Floats, error: Floats, width: float) -> Floats:
    """Masses at the ends of the cells that keep both masses of each; q comes times the left end's ratio."""
    left = np.maximum(exp(width) * q - p, 0.0) + error
    right = np.maximum(p - q, 0.0) + error
    mass = left / np.expm1(width)
    mass[1:] += right[:-1] / -np.expm1(-width)
    return mass


def _from_below(
    p: Floats,
    q: Floats,
    error: Floats,
    q_error: Floats,
    ratio: float,
    above: tuple[int, float, float],
) -> Floats:
    """Masses at the ends of the cells, those of Q times the ratio there, where P is at least as much."""
    gain, debt = (
        p - q - error,
        ratio * q - p + error,
    )  # of a cell at its left, and at its right end
    end, whole, tail = above
    q = q.copy()
    if whole > tail:  # what lies above the cells may stand at their end
        gain[end] += whole - tail - _TAIL_ERROR * (whole + tail)
        q[end] += tail * (1 - _TAIL_ERROR)
    gain, debt = np.maximum(gain, 0.0), np.maximum(debt, 1e-290)
    share = np.full(p.size, 0.5)  # of a cell that goes to its left end
    share[end:] = 1.0
    after = gain[1:] / debt[:-1]
    before = np.minimum(debt[:-1] / np.maximum(gain[1:], 1e-290), 1e290)
    for _ in range(_ROUNDS):
        new = 2 * share
        new[1:] += np.minimum((1 - share[:-1]) * before, 1.0)
        new[:-1] += np.maximum(1 - share[1:] * after, 0.0)
        share[:end] = new[:end] / 4
    share[:-1] = np.maximum(share[:-1], 1 - share[1:] * after * (1 - 8 * UNIT))
    mass = share * q - q_error
    mass[1:] += ((1 - share[:-1]) * q[:-1] - q_error[:-1]) * ratio
    return mass


class Curve(NamedTuple):
    """A bound on delta at the places x and between them: whole - e^(epsilon - x) falling + slack.

    `never` is the chance of an infinite loss, which the slack holds.  An epsilon is a place plus `moved`: all
    shifts, and a bound on how far rounding has moved the losses.
    """

    x: Floats
    whole: Floats
    falling: Floats
    slack: Floats
    never: float
    moved: float
    above: bool

    def delta(self, epsilon: float) -> float:
        """The bound at an epsilon from the first place on."""
        epsilon -= self.moved
        j = max(0, int(np.searchsorted(self.x, epsilon, side="right")) - 1)
        return float(
            self.whole[j]
            + self.slack[j]
            - exp(min(epsilon - self.x[j], 700.0)) * self.falling[j]
        )

    def epsilon(self, delta: float) -> float:
        """Where the bound is delta for the last time; the first place if it is lower everywhere."""
        above = np.flatnonzero(self.whole + self.slack - self.falling > delta)
        if not above.size:
            return float(self.x[0]) + self.moved
        j = int(above[-1])
        if j == self.x.size - 1:
            return inf if self.above else float(self.x[j]) + self.moved
        ratio = (self.whole[j] + self.slack[j] - delta) / max(self.falling[j], 1e-300)
        return float(min(self.x[j] + log(max(ratio, 1.0)), self.x[j + 1])) + self.moved


check.doors(__name__)
