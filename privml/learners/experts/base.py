"""What runs over experts share: checks, the weights of all rounds in blocks, and draws."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import numeric

ROUNDS_BLOCK = (
    1 << 17
)  # numbers held at once, in the cache, however many rounds there are
LARGEST_LOG_WEIGHT = 600.0  # weights of one block lie in e^-600 to e^600, for the best expert of each round
GROUP = 32  # experts that a draw passes over at once


def checked_losses(
    losses: ArrayLike, *, lower: float = 0.0, upper: float = 1.0, cut: bool = True
) -> NDArray:
    """Losses as an array of shape (n_rounds, n_experts), its type kept where all of them are in the interval.

    The interval is public and a loss private: one outside counts as the end, what is no number as `lower`.
    """
    array = numeric("losses", losses)
    if array.ndim != 2 or array.size == 0:
        rule = "of shape (n_rounds, n_experts) with at least one of each"
        raise ValueError(f"losses must be {rule}, but got shape {array.shape}.")
    check.finite(lower=lower, upper=upper)
    if not lower < upper:
        raise ValueError(f"upper must be above lower = {lower!r}, but got {upper!r}.")
    check.positive(**{"upper - lower": float(upper) - float(lower)})
    if not cut or (array.min() >= lower and array.max() <= upper):  # NaN fails as well
        return array
    return np.fmin(np.fmax(array.astype(float), lower), upper)


def checked_eta(eta: ArrayLike, n_rounds: int) -> NDArray[np.float64]:
    """Learning rate of each round, from one number or one per round."""
    if np.ndim(eta) == 0:
        check.positive(eta=eta)
        return np.broadcast_to(np.asarray(eta, dtype=float), (n_rounds,))
    rates = check.finite_vector(eta=eta)
    if rates.size != n_rounds:
        raise ValueError(
            f"eta must be one number or one per round ({n_rounds}), but got {rates.size}."
        )
    if not (rates > 0).all():
        raise ValueError(
            f"eta must be positive in every round, but got {rates.min()!r}."
        )
    return rates


class LossRows(Protocol):
    """Losses of shape (n_rounds, n_experts), of which a block of rounds is read at a time."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def __getitem__(self, rows: Any, /) -> NDArray: ...


def past_blocks(
    losses: LossRows, rows: int
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
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


def block_rows(losses: LossRows, eta: float, magnitude: float) -> int:
    """Rounds of a block for a rate of at most `eta` and losses of absolute value at most `magnitude`."""
    most = min(
        ROUNDS_BLOCK // losses.shape[1],
        LARGEST_LOG_WEIGHT / (eta * magnitude),
        losses.shape[0],
    )
    return int(max(1, most))


def weight_blocks(
    losses: LossRows, eta: NDArray[np.float64], magnitude: float
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Weights exp(-eta_t sum_{j<t} losses_j), up to a factor per block, in one buffer used again."""
    for block, cumulative in past_blocks(
        losses, block_rows(losses, float(eta.max()), magnitude)
    ):
        np.multiply(cumulative, -eta[block, None], out=cumulative)
        yield block, np.exp(cumulative, out=cumulative)


def drawn(
    weights: NDArray[np.float64], uniforms: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Index drawn from each row of weights by inversion: first its group of experts, then the expert.

    Only the sums of groups are made for all experts, so a draw costs little more than reading the weights.
    `weights` are of shape (n_rounds, n_experts), `uniforms` and the indices of shape (n_rounds, n_runs).
    """
    n_rounds, n_experts = weights.shape
    sums = np.cumsum(
        np.add.reduceat(weights, np.arange(0, n_experts, GROUP), axis=1), axis=1
    )
    before = np.concatenate([np.zeros((n_rounds, 1)), sums[:, :-1]], axis=1)
    rows, within = np.arange(n_rounds), np.arange(min(GROUP, n_experts))
    chosen = np.empty(uniforms.shape, dtype=np.intp)
    for run, uniform in enumerate(uniforms.T):
        target = uniform * sums[:, -1]
        group = (sums[:, :-1] <= target[:, None]).sum(axis=1)
        columns = np.minimum(group[:, None] * GROUP + within, n_experts - 1)
        inside = np.cumsum(weights[rows[:, None], columns], axis=1)
        place = (inside <= (target - before[rows, group])[:, None]).sum(axis=1)
        chosen[:, run] = columns[rows, np.minimum(place, within.size - 1)]
    return chosen


check.wrap_module(__name__)
