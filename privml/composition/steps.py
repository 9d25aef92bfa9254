"""The pairs of laws of one release with Gaussian or Laplace noise, on a random part of the records or on all.

With l the loss of the release itself and q the share of records used,

* "coins" (add or remove one): the record is used or not, so ``(1 - q) Q + q P`` against Q and back, of loss
  ``+-ln(1 - q + q e^l)`` (Zhu, Dong and Wang 2022, Theorem 11);
* "subset" of fixed size (replace one): deltas from epsilon 0 on are those of the same pair, and the curve is
  its own mirror image, which fixes it below (Zhu, Dong and Wang 2022, Proposition 30).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from math import ceil, erf, exp, expm1, inf, log, log1p, sqrt
from typing import Any

import numpy as np

from privml import _check as check
from privml.composition.lattice import UNIT, Cells, Floats

SAMPLING_SCHEMES = ("coins", "subset")


@dataclass(frozen=True)
class NoiseStep(ABC):
    """One release of a size (mu or epsilon); `swapped` exchanges P and Q."""

    size: float
    rate: float = 1.0
    scheme: str = "coins"
    swapped: bool = False

    @abstractmethod
    def furthest(self, tail: float) -> float:
        """Largest loss of the release itself, but for a tail of both laws."""

    @abstractmethod
    def between(self, edges: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """P- and Q-masses of the release itself between losses, without atoms, and bounds on their errors."""

    @abstractmethod
    def masses_beyond(self, loss: float) -> tuple[float, float]:
        """Both masses above a loss, for cells that end there."""

    @abstractmethod
    def atoms(self) -> tuple[list[float], list[tuple[float, float]]]:
        """Losses that have masses of their own, and these."""

    @abstractmethod
    def variation(self) -> float:
        """Total variation between both laws of the release itself."""

    @property
    def symmetric(self) -> bool:
        """Whether both directions have the same curve."""
        return self.rate == 1 or self.scheme == "subset"

    def other(self) -> "NoiseStep":
        """The opposite direction."""
        return replace(self, swapped=not self.swapped)

    def mixed(self, loss: float) -> float:
        """ln(1 - q + q e^loss)."""
        return loss if self.rate == 1 else log1p(self.rate * expm1(loss))

    def reach(self, tail: float) -> tuple[float, float]:
        """Least and largest loss, but for a tail."""
        most = self.furthest(tail)
        low, high = self.mixed(-most), self.mixed(most)
        low = -high if self.scheme == "subset" and self.rate < 1 else low
        return (-high, -low) if self.swapped else (low, high)

    def cells(self, width: float, shift: float, tail: float) -> Cells:
        """Masses in cells of a width; what is outside of them has little more than a tail's probability."""
        most, shift = self.furthest(tail), -shift if self.swapped else shift
        first = int(np.floor((self.mixed(-most) - shift) / width))
        last = max(first, ceil((self.mixed(most) - shift) / width)) + 1
        mirrored = self.scheme == "subset" and self.rate < 1
        edges = (
            width * np.arange(0 if mirrored else first, last + 1, dtype=float) + shift
        )
        if self.rate < 1:
            with np.errstate(divide="ignore", invalid="ignore"):
                inner: Floats = np.log1p(np.expm1(edges) / self.rate)
            edges = np.nan_to_num(inner, nan=-np.inf, neginf=-np.inf)
        p, q, p_error, q_error = self.between(edges)
        p, p_error = (
            self._mix(p, q),
            self._mix(p_error, q_error) + 4 * UNIT * self._mix(p, q),
        )
        above, below = (
            self.masses_beyond(edges[-1]),
            self.masses_beyond(-edges[0])[::-1],
        )
        above, below = (self._mix(*above), above[1]), (self._mix(*below), below[1])
        losses, atoms = self.atoms()
        losses = np.array([self.mixed(loss) for loss in losses])
        atoms = np.array([self._mix(*pair) for pair in atoms])
        result = Cells(
            first, p, q, p_error, q_error, below, above, losses, atoms, shift=shift
        )
        result = (
            _mirrored(result, (1 - self.rate) * self.variation())
            if mirrored
            else result
        )
        return result.swapped() if self.swapped else result

    def _mix(self, p: Any, q: Any) -> Any:
        return p if self.rate == 1 else self.rate * p + (1 - self.rate) * q


class GaussianStep(NoiseStep):
    """Noise of standard deviation 1 on a value that moves by mu: a loss N(mu^2 / 2, mu^2)."""

    largest = inf

    def furthest(self, tail: float) -> float:
        return self.size * (self.size / 2 + sqrt(-2 * log(tail)))

    def aligned(self, width: float) -> tuple[float, float]:
        """The same width, and the mean place of the losses below it: of nearly all, if few are used."""
        if self.symmetric:
            return width, 0.0
        rest = self.masses_beyond(log1p(expm1(width) / self.rate))
        shift = log1p(self.rate * (rest[1] - rest[0]) / max(1 - rest[1], 0.1))
        return width, -shift if self.swapped else shift

    def atoms(self) -> tuple[list[float], list[tuple[float, float]]]:
        return [], []

    def variation(self) -> float:
        return erf(self.size / sqrt(8))

    def masses_beyond(self, loss: float) -> tuple[float, float]:
        from scipy.special import ndtr

        z = loss / self.size
        return float(ndtr(self.size / 2 - z)), float(ndtr(-self.size / 2 - z))

    def between(self, edges: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        masses = [
            _normal_cells(edges / self.size + shift)
            for shift in (-self.size / 2, self.size / 2)
        ]
        return masses[0][0], masses[1][0], masses[0][1], masses[1][1]


def _normal_cells(z: Floats) -> tuple[Floats, Floats]:
    """Masses of a standard normal variable between places, and bounds on their errors."""
    from scipy.special import ndtr

    z = np.maximum(z, -40.0)
    tail = ndtr(-abs(z))
    low, high = tail[:-1], tail[1:]
    mass = np.where(
        z[:-1] >= 0, low - high, np.where(z[1:] <= 0, high - low, 1 - low - high)
    )
    tail = (4 + z * z) * np.maximum(tail, 1e-300)
    error = (
        2
        * UNIT
        * np.where((z[:-1] < 0) & (z[1:] > 0), 4.0, np.maximum(tail[:-1], tail[1:]))
    )
    return np.maximum(mass, 0.0), error


class LaplaceStep(NoiseStep):
    """Noise of scale 1 / epsilon on a number that moves by 1: atoms at both ends of [-epsilon, epsilon]."""

    @property
    def largest(self) -> float:
        """The largest loss."""
        return self.reach(0.0)[1]

    def furthest(self, tail: float) -> float:
        return self.size

    def aligned(self, width: float) -> tuple[float, float]:
        """A width and a shift that put both atoms on the lattice."""
        low, high = self.reach(0.0)
        if not high > low:  # both atoms are at 0, up to rounding
            return width, low
        if self.symmetric:
            return high / ceil(high / width), 0.0
        return (high - low) / ceil((high - low) / width), low

    def atoms(self) -> tuple[list[float], list[tuple[float, float]]]:
        small = exp(-self.size) / 2
        return [-self.size, self.size], [(small, 0.5), (0.5, small)]

    def variation(self) -> float:
        return -expm1(-self.size / 2)

    def masses_beyond(self, loss: float) -> tuple[float, float]:
        return 0.0, 0.0

    def between(self, edges: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        edges = np.clip(edges, -self.size, self.size)
        growth = np.expm1(np.diff(edges) / 2) / 2
        p = np.exp((edges[:-1] - self.size) / 2) * growth
        q = np.exp(-(edges[1:] + self.size) / 2) * growth
        error = 4 * UNIT * (1 + self.size)
        p_error = error * np.exp((edges[1:] - self.size) / 2)
        return p, q, p_error, error * np.exp(-(edges[:-1] + self.size) / 2)


def _mirrored(cells: Cells, rest: float) -> Cells:
    """The law with these masses above 0, the rest at 0, and a curve that is its own mirror image."""
    half = cells._replace(
        first=0, below=(0.0, 0.0), losses=cells.losses[1:], atoms=cells.atoms[1:]
    )
    back = half.swapped()
    joined = [np.concatenate(pair) for pair in zip(back[1:5], half[1:5], strict=True)]
    losses, atoms = (
        np.concatenate([a, b]) for a, b in zip(back[7:9], half[7:9], strict=True)
    )
    losses, atoms = np.append(losses, 0.0), np.append(atoms, rest)
    p, q, p_error, q_error = joined
    return Cells(
        back.first, p, q, p_error, q_error, half.above[::-1], half.above, losses, atoms
    )


@dataclass(frozen=True, eq=False)
class FiniteStep:
    """A step whose pair of laws is finite: its losses, their P-masses, and those of infinite loss."""

    losses: Floats
    atoms: Floats
    infinite: tuple[float, float]

    @property
    def symmetric(self) -> bool:
        """Whether both directions have the same curve: losses and masses that mirror each other."""
        back = self.other()
        forth, order = np.argsort(self.losses), np.argsort(back.losses)
        return (
            self.infinite == back.infinite
            and np.array_equal(self.losses[forth], back.losses[order])
            and np.allclose(self.atoms[forth], back.atoms[order], rtol=1e-13, atol=0)
        )

    def other(self) -> "FiniteStep":
        """The opposite direction."""
        swapped = self.cells(1.0, 0.0, 0.0).swapped()
        return FiniteStep(swapped.losses, swapped.atoms, swapped.infinite)

    @property
    def largest(self) -> float:
        """The largest loss."""
        return inf if self.infinite[0] > 0 else max(0.0, self.reach(0.0)[1])

    def reach(self, tail: float) -> tuple[float, float]:
        """Least and largest loss."""
        return float(self.losses.min(initial=0.0)), float(self.losses.max(initial=0.0))

    def aligned(self, width: float) -> tuple[float, float]:
        """A width and a shift that put the least and the largest loss on the lattice."""
        low, high = self.reach(0.0)
        return ((high - low) / ceil((high - low) / width) if high > low else width), low

    def cells(self, width: float, shift: float, tail: float) -> Cells:
        """The outcomes, as atoms."""
        first = int(np.floor((self.losses.min(initial=shift) - shift) / width))
        none = np.empty(0)
        empty = Cells(first, none, none, none, none, shift=shift)
        return empty._replace(
            losses=self.losses, atoms=self.atoms, infinite=self.infinite
        )


check.wrap_module(__name__)
