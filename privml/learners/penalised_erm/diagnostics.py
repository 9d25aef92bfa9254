"""Symptoms of chains that have not mixed: split R-hat and the effective sample size.

They can show that a sampler failed, not that it did not, and they are made from the private data: keep them
to yourself.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

LARGEST_R_HAT = 1.05
SMALLEST_EFFECTIVE_SIZE = 100.0


class MixingWarning(UserWarning):
    """The planned chains are too short to reach their law.

    It depends on public parameters alone: a warning that looked at the chains would tell of the records.
    """


class Diagnostics(NamedTuple):
    """Largest split R-hat and least effective size of a run, 0 and infinity for an exact draw; not private.

    >>> Diagnostics(1.2, 40.0).mixed
    False
    """

    r_hat: float
    effective_size: float

    @property
    def mixed(self) -> bool:
        """Whether no sign of trouble is seen."""
        return self.r_hat <= LARGEST_R_HAT and self.effective_size >= SMALLEST_EFFECTIVE_SIZE


def _halves(draws: ArrayLike) -> NDArray[np.float64]:
    draws = check.numbers(draws=draws)
    if draws.ndim < 2 or draws.shape[1] < 4:
        raise ValueError(f"draws must be of shape (n_chains, n_draws >= 4, ...), got {draws.shape}")
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def split_r_hat(draws: ArrayLike) -> NDArray[np.float64]:
    """How much wider all half-chains together are than each, a coordinate; NaN for one that never moves.

    **Source.** Gelman and Rubin (1992), with halves; evidence for WLF16-prop-26, no proof.

    >>> float(split_r_hat(np.random.default_rng(0).normal(size=(4, 1000))).round(2))
    1.0
    """
    halves = _halves(draws)
    n = halves.shape[1]
    within = halves.var(axis=1, ddof=1).mean(axis=0)
    between = n * halves.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(((n - 1) / n * within + between / n) / within)


def effective_sample_size(draws: ArrayLike) -> NDArray[np.float64]:
    """Number of independent draws whose mean would be as precise, by Geyer's initial monotone sequence.

    **Source.** Geyer (1992), over several chains as in common practice; evidence for WLF16-prop-26.

    >>> float(effective_sample_size(np.random.default_rng(0).normal(size=(4, 1000)))) > 3000
    True
    """
    halves = _halves(draws)
    m, n = halves.shape[:2]
    transform = np.fft.rfft(halves - halves.mean(axis=1, keepdims=True), n=2 * n, axis=1)
    covariance = (np.fft.irfft(abs(transform) ** 2, n=2 * n, axis=1)[:, :n] / n).mean(axis=0)
    within = covariance[0] * n / (n - 1)
    moves, total = within > 0, covariance[0] + halves.mean(axis=1).var(axis=0, ddof=1)
    rho = 1 - (within - covariance) / np.where(moves, total, 1.0)
    rho[0] = 1.0
    even = rho[: n - n % 2]
    pairs = even[0::2] + even[1::2]
    positive = np.logical_and.accumulate(pairs > 0, axis=0)
    pairs = np.where(positive, np.minimum.accumulate(pairs, axis=0), 0.0)
    time = np.maximum(2 * pairs.sum(axis=0) - 1, 1 / np.log10(m * n))
    return np.where(moves, m * n / time, np.nan)


def diagnose(draws: ArrayLike) -> Diagnostics:
    """Worst split R-hat and effective size; a quantity that never moves counts as infinity and 0.

    **Source.** Evidence for WLF16-prop-26.

    >>> diagnose(np.zeros((2, 8, 1))).mixed
    False
    """
    r_hat, size = split_r_hat(draws), effective_sample_size(draws)
    r_hat, size = np.where(np.isfinite(r_hat), r_hat, np.inf), np.where(np.isfinite(size), size, 0.0)
    return Diagnostics(float(np.max(r_hat)), float(np.min(size)))
