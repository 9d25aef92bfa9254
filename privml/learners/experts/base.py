"""What runs over experts share: checks of public parameters, and the weights of all rounds in blocks."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

BLOCK = 1 << 17
"""Numbers held at once: a block of rounds stays in the cache, and memory does not grow with the rounds."""

LARGEST_EXPONENT = 600.0
"""Weights of one block are kept between e^-600 and e^600, for the best expert of each round."""


def checked_range(lower: float, upper: float) -> float:
    """Length of the public interval that all losses lie in; raises unless it is positive and finite."""
    check.finite(lower=lower, upper=upper)
    if not lower < upper:
        raise ValueError(f"upper must be above lower = {lower!r}, got {upper!r}")
    check.positive(**{"upper - lower": float(upper) - float(lower)})
    return float(upper) - float(lower)


def checked_losses(losses: ArrayLike, *, lower: float = 0.0, upper: float = 1.0) -> NDArray:
    """Losses as an array of shape (n_rounds, n_experts), its type kept where all of them are in the interval.

    The interval is public, the noise is made for it, and a loss is private: one outside counts as the end,
    and one that is not a number as `lower`.
    """
    checked_range(lower, upper)
    array = np.asarray(losses)
    if array.ndim != 2 or array.size == 0:
        rule = "of shape (n_rounds, n_experts) with at least one of each"
        raise ValueError(f"losses must be {rule}, got shape {array.shape}")
    if array.dtype.kind not in "biuf":
        raise ValueError(f"losses must be numbers, got an array of {array.dtype}")
    if array.min() >= lower and array.max() <= upper:  # NaN fails as well
        return array
    return np.fmin(np.fmax(array.astype(float), lower), upper)


def checked_eta(eta: ArrayLike, n_rounds: int) -> NDArray[np.float64]:
    """Learning rate of each round, of shape (n_rounds,), from one number or one per round; or raise."""
    if np.ndim(eta) == 0:
        check.positive(eta=eta)
        return np.broadcast_to(np.float64(eta), (n_rounds,))
    rates = check.finite_vector(eta=eta)
    if rates.size != n_rounds:
        raise ValueError(f"eta must be one number or one per round ({n_rounds}), got {rates.size}")
    if not (rates > 0).all():
        raise ValueError(f"eta must be positive in every round, got {rates.min()!r}")
    return rates


def _rows_of_a_block(shape: tuple[int, int], largest_eta: float, magnitude: float) -> int:
    by_range = LARGEST_EXPONENT / (largest_eta * magnitude)
    return int(max(1, min(BLOCK // shape[1], by_range, shape[0])))


def past_blocks(losses: NDArray, rows: int) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Cumulative losses before each round, less a common number for each block, in one buffer used again.

    In the first round of a block the smallest entry is 0; from there it moves by at most one loss a round.
    """
    n_rounds, n_experts = losses.shape
    buffer, past = np.empty((rows, n_experts)), np.zeros(n_experts)
    for start in range(0, n_rounds, rows):
        block = slice(start, min(start + rows, n_rounds))
        cumulative = buffer[: block.stop - start]
        cumulative[0] = past
        cumulative[1:] = losses[start : block.stop - 1]
        np.cumsum(cumulative, axis=0, out=cumulative)
        past = cumulative[-1] + losses[block.stop - 1]
        past -= past.min()
        yield block, cumulative


def weight_blocks(
    losses: NDArray, eta: NDArray[np.float64], magnitude: float
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Weights exp(-eta_t sum_{j<t} losses_j), up to a factor per block, in one buffer used again.

    `magnitude` is the largest absolute value of a loss.
    """
    rows = _rows_of_a_block(losses.shape, float(eta.max()), magnitude)
    for block, cumulative in past_blocks(losses, rows):
        np.multiply(cumulative, -eta[block, None], out=cumulative)
        yield block, np.exp(cumulative, out=cumulative)


SEPARATE = 64
"""Number of laws from which on sums are made one pair at a time, without what has become too small."""

SMALLEST_MASS = 1e-150
"""Probabilities below this are dropped from laws of sums: their products would lose their digits."""


class SumLaw(NamedTuple):
    """Law of a sum of whole numbers: smallest value, probabilities from there on, and what was lost."""

    start: int
    masses: NDArray[np.float64]
    lost: float


def _trimmed(law: SumLaw) -> SumLaw:
    tiny = law.masses < SMALLEST_MASS
    kept = np.flatnonzero(~tiny)
    inside = np.where(tiny, 0.0, law.masses)[kept[0] : kept[-1] + 1]
    lost = law.lost + SMALLEST_MASS * np.count_nonzero(law.masses[tiny])
    return SumLaw(law.start + int(kept[0]), inside, lost)


def _paired(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Laws of the sums of two neighbouring rows, all at once; an odd last row is kept."""
    if len(table) % 2:
        table = np.vstack([table, np.eye(1, table.shape[1])])
    first, second = table[::2], table[1::2]
    width = table.shape[1]
    sums = np.zeros((len(first), 2 * width - 1))
    for place in range(width):
        sums[:, place : place + width] += first * second[:, place, None]
    return sums


def convolved(rows: NDArray[np.float64]) -> SumLaw:
    """Law of a sum of independent variables on 0, 1, ..., each given as a row of probabilities.

    Sums of positive products in pairs, pairs of pairs and so on: no Fourier transform, so that tails of
    1e-140 keep their digits.  What was lost is an upper bound.
    """
    while len(rows) > SEPARATE:
        rows = _paired(rows)
    laws = [_trimmed(SumLaw(0, row, 0.0)) for row in rows]
    while len(laws) > 1:
        pairs = []
        for a, b in zip(laws[::2], laws[1::2], strict=False):
            masses = np.convolve(a.masses, b.masses)
            pairs.append(_trimmed(SumLaw(a.start + b.start, masses, a.lost + b.lost)))
        laws = pairs + laws[2 * len(pairs) :]
    return laws[0]
