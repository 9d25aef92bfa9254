r"""How far the noise distributions of neighbours are apart, for the exact audit.

**NoiseOutput of one scale.**  Only the move of the answer matters, and a longer move of any coordinate is never more
private, so that of all pairs the moves that are not shorter than another in each coordinate are enough.  A
number, and a vector with Gaussian noise, has a closed curve.  For Laplace noise on a vector the losses of the
coordinates add up, which :mod:`privml.composition.bracket` brackets; where all answers lie beyond the centre,
away from the other one, the loss is largest, which is a second bound from below.

**Noise whose scale depends on the data.**  For a number the loss of two distributions, Laplace or Gaussian, is a
polynomial of degree two between their centres and beyond them.  So the set where it exceeds epsilon is a
union of intervals that its roots give, and delta is what both distributions give to this set.

**Rounding.**  Any event gives a lower bound on delta.  What convicts is a bound that holds although locations,
scales and probabilities may be off by rounding, which is counted against the conviction.
"""

from dataclasses import replace
from itertools import pairwise
from math import exp, expm1, hypot, inf, isfinite, log, log1p
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.composition import NumericalLoss, finite_loss, laplace_loss
from privml.composition.numerical import LARGEST_LOSS, _together
from privml.distributions import (
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    Product,
    SymmetricDistribution,
)
from privml.divergences import (
    discrete_gaussian_log_delta,
    discrete_laplace_delta,
    gaussian_log_delta,
    laplace_delta,
)
from privml.divergences.integers import LARGEST_INTEGER_EPSILON

NOISE = Laplace, Gaussian, DiscreteLaplace, DiscreteGaussian
SCALES: dict[type, str] = {
    Laplace: "scale",
    Gaussian: "sigma",
    DiscreteLaplace: "scale",
    DiscreteGaussian: "variance",
}
_UNIT = 2.0**-52
RELATIVE = (
    2.0**-40
)  # error of a scale, a curve or a probability that rounding may explain
MOST_MOVES = 1000  # moves of a vector that are compared
MOST_VALUES = 1 << 20  # integers that are added up where scales differ
_LARGEST_EXPONENT = 700.0  # whose exponential is a float
LONGEST_LATTICE = 1000  # steps of discrete Laplace noise that are put on a lattice


class NoiseOutput(NamedTuple):
    """A noise distribution as its kind, the answer in the middle as a vector, and whether it was a number."""

    distribution: SymmetricDistribution
    location: NDArray
    is_number: bool

    @property
    def scale(self) -> Any:
        """The size of the noise as the distribution holds it."""
        return getattr(self.distribution, SCALES[type(self.distribution)])


def noise_of(output: object) -> NoiseOutput | None:
    """A noise distribution of the package, or None."""
    if isinstance(output, Product):
        output = output.marginals
    if type(output) not in NOISE:
        return None
    distribution: Any = output
    location = np.asarray(distribution.location)
    return NoiseOutput(distribution, location.ravel(), location.ndim == 0)


def same_noise(first: NoiseOutput, second: NoiseOutput, tolerance: float) -> bool:
    """Whether two noise distributions are equal, but for moves of some share of the scale."""
    if type(first.distribution) is not type(second.distribution):
        return False
    size, other = float(first.scale), float(second.scale)
    if (
        first.location.shape != second.location.shape
        or abs(size - other) > tolerance * size
    ):
        return False
    moves = np.abs(np.subtract(first.location, second.location, dtype=float))
    rounding = _UNIT * np.abs(first.location.astype(float)).max(initial=0.0)
    return bool((moves <= tolerance * size + 2**6 * rounding).all())


def _checked(outputs: list[NoiseOutput]) -> None:
    """Raise unless all outputs are answers of one form."""
    forms = {
        (output.is_number, output.location.size, bool(output.distribution._step))
        for output in outputs
    }
    if len(forms) > 1:
        raise ValueError(
            "mechanism must return noise of one form on all data sets, for numbers or for vectors of one length, and "
            f"either on integers or on the reals, but got {len(forms)} different forms."
        )


class NoisePairs:
    """The pairs of neighbouring noise distributions.

    Parameters
    ----------
    first, second : list of NoiseOutput
        Laws on the data sets of each side.
    pairs : ndarray
        Integers of shape (n_pairs, 2): which of them are neighbours.
    n_samples : int
        Number of records, from which an answer may have been added up.
    """

    def __init__(
        self,
        first: list[NoiseOutput],
        second: list[NoiseOutput],
        pairs: NDArray,
        n_samples: int,
    ) -> None:
        _checked([*first, *second])
        self.first, self.second, self.pairs = first, second, pairs
        kinds = {
            (type(output.distribution), output.scale)
            for side in (first, second)
            for output in side
        }
        self.common = first[0].distribution if len(kinds) == 1 else None
        self.is_number = first[0].is_number
        if self.common is None and not self.is_number:
            raise ValueError(
                "mechanism must have noise of one kind and scale if its answers are vectors, but got "
                f"{len(kinds)} different ones. The scale may depend on the data only if each answer is a number."
            )
        largest = max(
            float(np.abs(output.location.astype(float)).max(initial=0.0))
            for side in (first, second)
            for output in side
        )
        step = first[0].distribution._step
        self.slack = 0.0 if step else (n_samples + 4) * _UNIT * largest
        self.moves: NDArray = np.empty(0)
        if self.common is not None:
            self.moves = self._moves()
            self.longest = _longest(self.moves)
        else:
            self.different = self._different()

    def _moves(self) -> NDArray:
        """How far the answers of each pair are apart, of shape (n_pairs, n_coordinates)."""
        first = np.array([output.location for output in self.first])
        second = np.array([output.location for output in self.second])
        if first.dtype.kind in "iu":  # exact, also where a difference has 65 bits
            large = max(
                abs(int(x))
                for side in (first, second)
                for x in (side.min(initial=0), side.max(initial=0))
            )
            kind = object if large > 2**61 else np.int64
            first, second = first.astype(kind), second.astype(kind)
        return np.abs(first[self.pairs[:, 0]] - second[self.pairs[:, 1]])

    def _different(self) -> dict[tuple, tuple[Any, Any]]:
        """The pairs of distributions whose scales may differ, each once: of numbers, the first one moved to 0."""
        found = {}
        for i, j in self.pairs.tolist():
            p, q = self.first[i], self.second[j]
            move = abs(q.location[0] - p.location[0]).item()
            key = move, type(p.distribution), p.scale, type(q.distribution), q.scale
            if key not in found:
                found[key] = _moved(p, q, move), _moved(q, p, move)
        return found

    def worst(self) -> tuple[float, int, bool, Any]:
        """Largest loss, the pair that attains it, whether its sides are swapped, and the answer where."""
        if self.common is not None:
            sizes = _sizes(self.common, self.moves)
            row = int(np.argmax(sizes))
            p, q = self.first[self.pairs[row, 0]], self.second[self.pairs[row, 1]]
            epsilon, where = float(sizes[row]), p.location.astype(float)
            if isinstance(self.common, Gaussian | DiscreteGaussian) and epsilon > 0:
                away = np.sign(p.location - q.location)
                where, epsilon = np.where(away == 0, where, away * inf), inf
            return epsilon, row, False, where[0].item() if self.is_number else where
        best = (-inf, 0, False, 0.0)
        for row, (i, j) in enumerate(self.pairs.tolist()):
            for swapped, p, q in (
                (False, self.first[i], self.second[j]),
                (True, self.second[j], self.first[i]),
            ):
                start, move = p.location[0], (q.location[0] - p.location[0]).item()
                loss, where = _largest_loss(*_moved(p, q, move))
                if loss > best[0]:
                    best = loss, row, swapped, float(start + where)
        return best

    def delta(self, epsilon: float) -> float:
        """Smallest delta for all pairs, exact but for rounding, or an upper bound."""
        if self.common is not None:
            return max(_delta(self.common, move, epsilon) for move in self.longest)
        return max(
            max(0.0, _difference(p, q, epsilon, 0.0, 0.0))
            for pair in self.different.values()
            for p, q in pair
        )

    def refutes(self, epsilon: float, delta: float) -> bool:
        """Whether some pair has a larger delta, whatever rounding did."""
        if self.common is not None:
            return any(
                _least_delta(self.common, move, epsilon, self.slack) > delta
                for move in self.longest
            )
        return any(
            _difference(p, q, epsilon, self.slack, RELATIVE) > delta
            for pair in self.different.values()
            for p, q in pair
        )


def _longest(moves: NDArray) -> list[tuple]:
    """The moves that are shorter than no other in every coordinate, whatever their order."""
    found = np.unique(np.sort(moves, axis=1)[:, ::-1], axis=0)[::-1]
    kept: list[Any] = []
    for move in found:
        if not any((move <= other).all() for other in kept):
            kept.append(move)
        if len(kept) > MOST_MOVES:
            raise ValueError(
                f"mechanism must have at most {MOST_MOVES} differences to compare between the vectors of neighbours, "
                "but got more. Use a smaller universe."
            )
    return [tuple(move.tolist()) for move in kept]


def _sizes(noise: Any, moves: NDArray) -> NDArray[np.float64]:
    """The lengths of moves that decide how far two distributions are apart."""
    scale = float(getattr(noise, SCALES[type(noise)]))
    moves = moves.astype(float)
    if isinstance(noise, Laplace | DiscreteLaplace):
        return moves.sum(axis=1) / scale
    return np.sqrt((moves**2).sum(axis=1))


def _delta(noise: Any, move: tuple, epsilon: float) -> float:
    """The curve of one move, or an upper bound."""
    parts = [part for part in move if part]
    if not parts:
        return 0.0
    if isinstance(noise, Gaussian):
        return exp(gaussian_log_delta(epsilon, mu=hypot(*parts) / noise.sigma))
    if isinstance(noise, DiscreteGaussian):
        epsilon = min(epsilon, LARGEST_INTEGER_EPSILON)
        return exp(discrete_gaussian_log_delta(epsilon, tuple(parts), noise.variance))
    if isinstance(noise, Laplace):
        closed: Any = laplace_delta(epsilon, shift=sum(parts), scale=noise.scale)
    else:
        closed = discrete_laplace_delta(epsilon, shift=sum(parts), scale=noise.scale)
    loss = _sum_of_losses(noise, parts)
    if len(parts) == 1 or loss is None or closed == 0:
        return float(closed)
    return min(float(closed), loss.delta_bounds(epsilon).upper)


def _least_delta(noise: Any, move: tuple, epsilon: float, slack: float) -> float:
    """A lower bound on the curve of one move, if answers may be off by some slack."""
    parts = [(part - slack) if noise._step == 0 else part for part in move]
    parts = [part for part in parts if part > 0]
    if not parts:
        return 0.0
    if isinstance(noise, Gaussian):
        mu = hypot(*parts) / noise.sigma * (1 - RELATIVE)
        log_delta = gaussian_log_delta(epsilon, mu=mu)
        a, b = min(epsilon / mu - mu / 2, 1e150), epsilon / mu + mu / 2
        error = 2.0**-49 * (1 + a * a + abs(a) * b - max(log_delta, -1e9))
        return exp(log_delta - error)
    if isinstance(noise, DiscreteGaussian):
        if epsilon > LARGEST_INTEGER_EPSILON:
            return 0.0
        log_delta = discrete_gaussian_log_delta(epsilon, tuple(parts), noise.variance)
        return exp(log_delta) * (1 - 1e-9)
    scale = float(noise.scale) * (1 + RELATIVE)
    size = sum(parts) / scale
    beyond = 0.5 if noise._step == 0 else exp(replace(noise, location=0).logcdf(0))
    found = beyond ** len(parts) * -expm1(min(0.0, epsilon - size)) * (1 - RELATIVE)
    if len(parts) == 1:
        curve: Any = (
            laplace_delta(epsilon, shift=parts[0], scale=scale)
            if noise._step == 0
            else discrete_laplace_delta(epsilon, shift=parts[0], scale=noise.scale)
        )
        return max(found, float(curve) * (1 - 1e-9))
    loss = _sum_of_losses(
        replace(noise, scale=scale) if noise._step == 0 else noise, parts
    )
    return max(found, loss.delta_bounds(epsilon).lower if loss else 0.0)


def _sum_of_losses(noise: Any, parts: list) -> NumericalLoss | None:
    """The losses of Laplace noise on each coordinate together, if they can be put on a lattice."""
    scale = float(noise.scale)
    if max(parts) / scale > LARGEST_LOSS or (
        noise._step and max(parts) > LONGEST_LATTICE
    ):
        return None
    if noise._step == 0:
        return _together([laplace_loss(part / scale) for part in parts])
    return _together([_loss_on_integers(noise, part) for part in parts])


def _loss_on_integers(noise: Any, move: int) -> NumericalLoss:
    """Of discrete Laplace noise: up to its centre, each integer up to the other one, and from there on."""
    centred = replace(noise, location=0)
    between = centred.logpmf(np.arange(1, move))
    log_p = np.concatenate([[centred.logcdf(0)], between, [centred.logsf(move - 1)]])
    return finite_loss(log_p, log_p[::-1], logs=True)


def _moved(p: NoiseOutput, q: NoiseOutput, move: float) -> tuple[Any, Any]:
    """The two distributions of numbers with the first one around 0."""
    origin = 0 if p.distribution._step else 0.0
    first: Any = replace(p.distribution, location=origin)  # type: ignore[type-var]  # all of them are dataclasses
    second: Any = replace(q.distribution, location=move)  # type: ignore[type-var]
    return first, second


def _log_density(noise: Any, right: bool) -> NDArray[np.float64]:
    """Coefficients 1, x, x^2 of the log-density of a distribution on the right of its centre, or on the left."""
    centre = float(noise.location)
    log_density = noise.logpmf if noise._step else noise.logpdf
    peak = float(log_density(noise.location))
    if isinstance(noise, Laplace | DiscreteLaplace):
        slope = (-1 if right else 1) / float(noise.scale)
        return np.array([peak - slope * centre, slope, 0.0])
    variance = float(noise.sigma**2 if isinstance(noise, Gaussian) else noise.variance)
    bend = -1 / (2 * variance)
    return np.array([peak + bend * centre**2, centre / variance, bend])


def _pieces(p: Any, q: Any) -> list[tuple[float, float, NDArray[np.float64]]]:
    """The loss of p against q as a polynomial of degree two between the centres and beyond them."""
    ends = [-inf, *sorted({float(p.location), float(q.location)}), inf]
    found = []
    for low, high in pairwise(ends):
        polynomial = _log_density(p, low >= p.location) - _log_density(
            q, low >= q.location
        )
        found.append((low, high, polynomial))
    return found


def _value(polynomial: NDArray, x: float) -> float:
    """The polynomial at a place, which may be infinite."""
    constant, slope, bend = polynomial.tolist()
    if isfinite(x):
        return constant + x * (slope + x * bend)
    leading = bend if bend else slope * (1 if x > 0 else -1)
    return constant if leading == 0 else inf if leading > 0 else -inf


def _largest_loss(p: Any, q: Any) -> tuple[float, float]:
    """The largest loss of p against q, and where."""
    best = -inf, 0.0
    for low, high, polynomial in _pieces(p, q):
        places = [low, high]
        vertex = -polynomial[1] / (2 * polynomial[2]) if polynomial[2] else inf
        if low < vertex < high:
            places.append(float(vertex))
        if p._step:
            places = [
                x
                for place in places
                for x in (
                    (np.floor(place), np.ceil(place)) if isfinite(place) else (place,)
                )
            ]
            places = [float(x) for x in places if low <= x <= high]
        best = max(
            [best, *((_value(polynomial, x), x) for x in places)],
            key=lambda found: found[0],
        )
    return best


def _intervals(p: Any, q: Any, epsilon: float) -> list[tuple[float, float]]:
    """Where the loss of p against q exceeds epsilon."""
    found = []
    for low, high, polynomial in _pieces(p, q):
        constant, slope, bend = polynomial.tolist()
        roots = np.roots(
            [bend, slope, constant - epsilon] if bend else [slope, constant - epsilon]
        )
        inside = sorted(
            float(root.real)
            for root in roots
            if root.imag == 0 and low < root.real < high
        )
        for start, end in pairwise([low, *inside, high]):
            middle = (
                (start + end) / 2
                if isfinite(start) and isfinite(end)
                else end - 1 - abs(end)
                if isfinite(end)
                else start + 1 + abs(start)
                if isfinite(start)
                else 0.0
            )
            if _value(polynomial, middle) > epsilon:
                found.append((start, end))
    return found


def _mass(
    noise: Any, low: float, high: float, slack: float, relative: float, sign: int
) -> float:
    """Probability of an interval, of one that is wider (sign 1) or narrower (-1) by what rounding may explain."""
    centre = float(noise.location)
    if slack or relative:
        low = (
            low - sign * (slack + relative * abs(low - centre))
            if isfinite(low)
            else low
        )
        high = (
            high + sign * (slack + relative * abs(high - centre))
            if isfinite(high)
            else high
        )
    if not high > low:
        return 0.0
    upper = low + high > 2 * centre if isfinite(low + high) else isfinite(low)
    first, second = (
        (noise.sf(low), noise.sf(high)) if upper else (noise.cdf(high), noise.cdf(low))
    )
    mass = float(first) - float(second)
    return max(
        0.0,
        mass
        + sign * (relative * mass + (2.0**-49 if relative else 0.0) * float(first)),
    )


def _difference(p: Any, q: Any, epsilon: float, slack: float, relative: float) -> float:
    """P(E) - e^epsilon Q(E) of the event E that the loss exceeds epsilon; with a slack a lower bound."""
    if p._step:
        return _difference_on_integers(p, q, epsilon, relative)
    total = 0.0
    for low, high in _intervals(p, q, epsilon):
        weight = _mass(q, low, high, slack, relative, 1)
        scaled = exp(min(epsilon + log(weight), _LARGEST_EXPONENT)) if weight else 0.0
        total += max(0.0, _mass(p, low, high, slack, relative, -1) - scaled)
    return total


def _difference_on_integers(p: Any, q: Any, epsilon: float, relative: float) -> float:
    """The same by adding up all integers that have a probability in floats."""
    ends = []
    for noise in (p, q):
        reach = 1
        while noise.logsf(int(noise.location) + reach) > -_LARGEST_EXPONENT:
            reach *= 2
        ends += [int(noise.location) - reach, int(noise.location) + reach]
    if max(ends) - min(ends) > MOST_VALUES:
        raise ValueError(
            f"mechanism must have noise on at most {MOST_VALUES} integers if its scale depends on the data, but got "
            f"{max(ends) - min(ends)}. Use a smaller scale or a narrower range of answers."
        )
    values = np.arange(min(ends), max(ends) + 1)
    log_p, log_q = p.logpmf(values), q.logpmf(values)
    log_p, log_q = log_p + log1p(-relative), log_q + log1p(relative)
    with np.errstate(under="ignore", over="ignore"):
        excess = np.exp(log_p) * -np.expm1(np.minimum(epsilon - (log_p - log_q), 0.0))
    return float(excess.sum()) * (1 - 2.0**-30 if relative else 1)


check.wrap_module(__name__)
