"""A Markov chain for log-concave laws on balls and boxes, and symptoms of chains that have not mixed.

*Metropolis-adjusted Langevin* (MALA): a step along the gradient plus noise, accepted to keep the law.  It
moves in the coordinates of the chart of the body, which has no boundary, and in a basis in which the law is
about round at its mode; one pass over the records a step.

The basis is made from the data; it changes the speed and not the law.  Split R-hat and the effective sample
size can show that a chain failed, not that it did not: keep them to yourself.
"""

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learners.penalised_erm.domains import Body
from privml.learners.penalised_erm.laws import ExponentialERM

LARGEST_R_HAT, SMALLEST_EFFECTIVE_SIZE = 1.05, 100.0
LARGEST_RUN = 10**8
FLAT = 1e-9
MALA_ACCEPTANCE, MODE_STEPS, LEAST_CURVATURE, COLUMNS = 0.65, 100, 0.5, 32
DIFFERENCE = 0.2
"""Wide, in units of a standard Gaussian: over less, a loss with kinks shows few of them or a crowd."""
TIMID_SHARE, TIMID_STEP = 0.2, 0.2
"""Some steps are shorter, at random, so that a chain leaves places where long ones are refused."""


class MixingWarning(UserWarning):
    """The planned chains are too short, by public parameters alone: the chains would tell of the records."""


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

    **Source.** Geyer (1992), over several chains; evidence for WLF16-prop-26.

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


@dataclass(frozen=True, eq=False)
class Run:
    """Draws of several chains after warm-up, of shape (n_chains, n_draws, dimension), and their diagnostics.

    >>> Run(np.zeros((1, 2, 3)), Diagnostics(1.0, 200.0)).last.tolist()
    [0.0, 0.0, 0.0]
    """

    draws: NDArray[np.float64]
    diagnostics: Diagnostics

    @property
    def last(self) -> NDArray[np.float64]:
        """The last state of the first chain: what is released."""
        return self.draws[0, -1]


def _checked(law: ExponentialERM, n_draws: int, n_chains: int) -> None:
    """Refuse bad parameters, and laws that are not log-concave on a ball or box by their parts."""
    check.instance(ExponentialERM, law=law)
    check.positive_integer(n_draws=n_draws, n_chains=n_chains)
    if n_draws < 4:
        raise ValueError(f"n_draws must be at least 4, got {n_draws!r}")
    if n_draws * n_chains > LARGEST_RUN:
        raise ValueError(f"n_draws * n_chains must be at most {LARGEST_RUN}, got {n_draws!r}")
    if not law.log_concave:
        loss, domain = type(law.risk.loss).__name__, type(law.domain).__name__
        raise ValueError(f"the law must be log-concave, got {loss} on {domain}: a chain may miss modes")
    check.instance(Body, domain=law.domain)


def _finished(kept: NDArray) -> Run:
    """The run whose states and log-densities (the last column) were kept; a flat density is not monitored."""
    flat = np.ptp(kept[:, :, -1]) < FLAT
    return Run(kept[:, :, :-1], diagnose(kept[:, :, :-1] if flat else kept))


class Langevin:
    """States of several MALA chains, in the coordinates of the chart of the body."""

    def __init__(self, law: ExponentialERM, n_chains: int, rng: np.random.Generator) -> None:
        self.law, self.rng = law, rng
        mode = self._mode()
        self.root = self._root(mode)
        self.W = mode + 2.0 * rng.normal(size=(n_chains, mode.size)) @ self.root.T
        self.logs, self.drift = self._evaluated(self.W)
        self.step = 1.65 / mode.size ** (1 / 6)

    def _raw(self, W: NDArray) -> tuple[NDArray, NDArray]:
        """Log-density and its gradient in the chart, a bounded number of points at a time."""
        domain, risk, scale = self.law.domain, self.law.risk, self.law.scale
        pieces = [domain._point(W[i : i + COLUMNS]) for i in range(0, len(W), COLUMNS)]
        parts = [risk._total_and_gradient(piece) for piece in pieces]
        totals, gradients = (np.concatenate(column) for column in zip(*parts, strict=True))
        return -scale * totals - (W * W).sum(axis=1) / 2, domain._pulled(W, -scale * gradients) - W

    def _mode(self) -> NDArray[np.float64]:
        from scipy.optimize import minimize

        def uphill(w: NDArray) -> tuple[float, NDArray]:
            value, gradient = self._raw(w[None])
            return -float(value[0]), -gradient[0]

        start = np.zeros(self.law.domain.dimension)
        return minimize(uphill, start, jac=True, method="L-BFGS-B", options={"maxiter": MODE_STEPS}).x

    def _root(self, mode: NDArray) -> NDArray[np.float64]:
        """The symmetric root of the inverse curvature at the mode: the signs of eigenvectors cancel."""
        shifts = DIFFERENCE * np.eye(mode.size)
        bends = (self._raw(mode - shifts)[1] - self._raw(mode + shifts)[1]) / (2 * DIFFERENCE)
        values, vectors = np.linalg.eigh((bends + bends.T) / 2)
        return vectors / np.sqrt(np.maximum(values, LEAST_CURVATURE)) @ vectors.T

    def _evaluated(self, W: NDArray) -> tuple[NDArray, NDArray]:
        """Log-density and drift; the drift is cut off, so that steep places do not throw a chain out."""
        logs, gradients = self._raw(W)
        drift = gradients @ self.root
        lengths, longest = np.linalg.norm(drift, axis=1, keepdims=True), sqrt(drift.shape[1]) + 1
        return logs, drift * np.minimum(1.0, longest / np.maximum(lengths, 1e-300))

    def advance(self) -> NDArray[np.float64]:
        """One step of every chain; returns the probabilities of acceptance."""
        noise = self.rng.normal(size=self.W.shape)
        timid = self.rng.random((len(noise), 1)) < TIMID_SHARE
        step = np.where(timid, TIMID_STEP, 1.0) * self.step
        move = 0.5 * step**2 * self.drift + step * noise
        proposal = self.W + move @ self.root.T
        logs, drift = self._evaluated(proposal)
        back = (-move - 0.5 * step**2 * drift) / step
        ratio = logs - self.logs + 0.5 * (noise**2).sum(axis=1) - 0.5 * (back**2).sum(axis=1)
        taken = np.log(self.rng.random(len(ratio))) < ratio
        self.W = np.where(taken[:, None], proposal, self.W)
        self.logs = np.where(taken, logs, self.logs)
        self.drift = np.where(taken[:, None], drift, self.drift)
        return np.exp(np.minimum(ratio, 0.0))


def mala(
    law: ExponentialERM, n_draws: int, *, n_chains: int = 4, rng: np.random.Generator | int | None = None
) -> Run:
    """Draw by the Metropolis-adjusted Langevin algorithm.

    Of each chain `n_draws` are kept, at least 4; as many come before as warm-up, which sets the step.
    **Privacy.** That of the law, plus what
    :func:`~privml.learners.penalised_erm.early_stopping_guarantee` says for its distance to it.
    **Source.** WLF16-prop-26, with another chain.

    >>> from privml.learners.penalised_erm import Ball, LogisticLoss, PenalisedRisk
    >>> risk = PenalisedRisk([[0.5, 0.5]] * 100, [1.0] * 100, LogisticLoss(), Ball(2, 2.0), penalty=0.2)
    >>> run = mala(ExponentialERM(risk, 2.0), 500, rng=0)
    >>> run.draws.shape, run.diagnostics.mixed
    ((4, 500, 2), True)
    """
    _checked(law, n_draws, n_chains)
    chains = Langevin(law, n_chains, np.random.default_rng(rng))
    for step in range(n_draws):
        rate = chains.advance().mean() - MALA_ACCEPTANCE
        chains.step *= float(np.exp(rate / sqrt(1 + step / 10)))
    kept = np.empty((n_chains, n_draws, law.domain.dimension + 1))
    for step in range(n_draws):
        chains.advance()
        kept[:, step] = np.column_stack([law.domain._point(chains.W), chains.logs])
    return _finished(kept)
