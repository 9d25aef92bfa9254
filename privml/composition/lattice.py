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
_ON_LATTICE = 2.0**-46  # relative distance at which a loss stands on the lattice
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


class LatticeDistribution(NamedTuple):
    """P-masses at the multiples of a width above a shift, from ``first`` on, and that of an infinite loss.

    Moments are those of the loss without the shift; `offset` bounds how far rounding has moved a loss.
    """

    first: int
    mass: Floats
    infinite: float
    shift: float
    offset: float

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


Steps = Sequence[tuple[LatticeDistribution, int]]


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
    on = abs(exact - place) <= _ON_LATTICE * (1 + abs(exact))
    place = np.where(on, place, np.floor(exact))
    return place.astype(int), np.where(on, 0.0, (exact - place) * width)


def _bounding_distributions(
    cells: Cells, width: float
) -> tuple[LatticeDistribution, LatticeDistribution]:
    """A law with every delta at most as large, and one with none smaller."""
    place, distance = _placed(cells.losses - cells.shift, width)
    first = min(cells.first, int(place.min(initial=cells.first)))
    start, end = cells.first - first, cells.first - first + cells.p.size
    n = max(end, int(place.max(initial=first)) - first + 1)
    at, off, ratio = place - first, distance > 0, exp(width)
    x = width * (first + np.arange(n + 1)) + cells.shift
    p, q, error, q_error = np.zeros((4, n + 1))
    t = np.exp(x[start:end])
    p[start:end], q[start:end] = cells.p, t * cells.q
    error[start:end], q_error[start:end] = cells.p_error, t * cells.q_error
    upper = _upper_masses(
        p, q, error + ratio * q_error + 8 * UNIT * (p + (2 + abs(x)) * q), width
    )
    right_fraction, heavy = (
        -np.expm1(-distance) / -np.expm1(-width),
        cells.atoms * (1 + _ATOM_ERROR),
    )
    np.add.at(upper, at, heavy * (1 - right_fraction))
    np.add.at(upper, at + 1, heavy * right_fraction)
    upper[start] += cells.below[0]
    above, tail = cells.above[0], float(np.exp(x[end])) * cells.above[1]
    upper[end] += min(tail, above)
    light = cells.atoms[off] * (1 - _ATOM_ERROR)
    np.add.at(p, at[off], light)
    np.add.at(q, at[off], light * np.exp(-distance[off]))
    q_error += 8 * UNIT * (2 + abs(x)) * q
    lower = _lower_masses(
        p, q, error + ratio * q_error + 8 * UNIT * p, q_error, ratio, (end, above, tail)
    )
    np.add.at(lower, at[~off], cells.atoms[~off] * (1 - _ATOM_ERROR))
    offset = (
        _ON_LATTICE * (width + float(abs(cells.losses).max(initial=0.0)))
        if cells.losses.size
        else 0.0
    )
    infinite_rest = max(0.0, above - tail) + _TAIL_ERROR * above
    least, most = (
        cells.infinite[0] * (1 - _ATOM_ERROR),
        cells.infinite[0] * (1 + _ATOM_ERROR) + infinite_rest,
    )
    below = LatticeDistribution(
        first, np.maximum(lower, 0.0), least, cells.shift, offset
    )
    return below, LatticeDistribution(
        first, upper * (1 + 16 * UNIT), most, cells.shift, offset
    )


def _upper_masses(p: Floats, q: Floats, error: Floats, width: float) -> Floats:
    """Masses at the ends of the cells that keep both masses of each; q comes times the left end's ratio."""
    left = np.maximum(exp(width) * q - p, 0.0) + error
    right = np.maximum(p - q, 0.0) + error
    mass = left / np.expm1(width)
    mass[1:] += right[:-1] / -np.expm1(-width)
    return mass


def _lower_masses(
    p: Floats,
    q: Floats,
    error: Floats,
    q_error: Floats,
    ratio: float,
    above: tuple[int, float, float],
) -> Floats:
    """Masses at the ends of the cells, those of Q times the ratio there, where P is at least as much."""
    surplus, deficit = (
        p - q - error,
        ratio * q - p + error,
    )  # of a cell at its left, and at its right end
    end, p_above, q_above = above
    q = q.copy()
    if p_above > q_above:  # what lies above the cells may stand at their end
        surplus[end] += p_above - q_above - _TAIL_ERROR * (p_above + q_above)
        q[end] += q_above * (1 - _TAIL_ERROR)
    surplus, deficit = np.maximum(surplus, 0.0), np.maximum(deficit, 1e-290)
    left_fraction = np.full(p.size, 0.5)  # of a cell that goes to its left end
    left_fraction[end:] = 1.0
    surplus_per_deficit = surplus[1:] / deficit[:-1]
    deficit_per_surplus = np.minimum(
        deficit[:-1] / np.maximum(surplus[1:], 1e-290), 1e290
    )
    for _ in range(_ROUNDS):
        total = 2 * left_fraction
        total[1:] += np.minimum((1 - left_fraction[:-1]) * deficit_per_surplus, 1.0)
        total[:-1] += np.maximum(1 - left_fraction[1:] * surplus_per_deficit, 0.0)
        left_fraction[:end] = total[:end] / 4
    left_fraction[:-1] = np.maximum(
        left_fraction[:-1], 1 - left_fraction[1:] * surplus_per_deficit * (1 - 8 * UNIT)
    )
    mass = left_fraction * q - q_error
    mass[1:] += ((1 - left_fraction[:-1]) * q[:-1] - q_error[:-1]) * ratio
    return mass


class Curve(NamedTuple):
    """A bound on delta at the places x and between them: tail_mass - e^(epsilon - x) discounted_tail + slack.

    `infinite_mass` is the chance of an infinite loss, which the slack holds.  An epsilon is a place plus `offset`: all
    shifts, and a bound on how far rounding has moved the losses.
    """

    x: Floats
    tail_mass: Floats
    discounted_tail: Floats
    slack: Floats
    infinite_mass: float
    offset: float
    above: bool

    def delta(self, epsilon: float) -> float:
        """The bound at an epsilon from the first place on."""
        epsilon -= self.offset
        j = max(0, int(np.searchsorted(self.x, epsilon, side="right")) - 1)
        return float(
            self.tail_mass[j]
            + self.slack[j]
            - exp(min(epsilon - self.x[j], 700.0)) * self.discounted_tail[j]
        )

    def epsilon(self, delta: float) -> float:
        """Where the bound is delta for the last time; the first place if it is lower everywhere."""
        above = np.flatnonzero(
            self.tail_mass + self.slack - self.discounted_tail > delta
        )
        if not above.size:
            return float(self.x[0]) + self.offset
        j = int(above[-1])
        if j == self.x.size - 1:
            return inf if self.above else float(self.x[j]) + self.offset
        ratio = (self.tail_mass[j] + self.slack[j] - delta) / max(
            self.discounted_tail[j], 1e-300
        )
        return float(min(self.x[j] + log(max(ratio, 1.0)), self.x[j + 1])) + self.offset


check.wrap_module(__name__)
