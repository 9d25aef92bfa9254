"""The Metropolis-adjusted Langevin algorithm: a step along the gradient plus noise, accepted to keep the law.

The chain moves in the coordinates of a chart, where the body has no boundary and its uniform law is Gaussian,
and in a basis in which the law is about round at its mode.  Chart and basis change the speed and not the
law.  One pass over the records a step: far better than hit-and-run in many dimensions.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from privml.learners.penalised_erm.laws import ExponentialERM
from privml.learners.penalised_erm.sampling.base import Run, checked, finished
from privml.learners.penalised_erm.sampling.charts import Chart

MALA_ACCEPTANCE = 0.65
MODE_STEPS = 100
DIFFERENCE = 0.2
"""Wide, in units of a standard Gaussian: over less, a loss with kinks shows few of them or a crowd."""
LEAST_CURVATURE = 0.5
COLUMNS = 32
TIMID_SHARE, TIMID_STEP = 0.2, 0.2
"""Some steps are shorter, at random, so that a chain leaves places where long ones are refused."""


class _Langevin:
    """States of several MALA chains, in the coordinates of a chart."""

    def __init__(self, law: ExponentialERM, n_chains: int, rng: np.random.Generator) -> None:
        self.law, self.rng, self.chart = law, rng, Chart.of(law.domain)
        mode = self._mode()
        self.root = self._root(mode)
        self.W = mode + 2.0 * rng.normal(size=(n_chains, mode.size)) @ self.root.T
        self.logs, self.drift = self._evaluated(self.W)
        self.step = 1.65 / mode.size ** (1 / 6)

    def _raw(self, W: NDArray) -> tuple[NDArray, NDArray]:
        """Log-density and its gradient in the chart, a bounded number of points at a time."""
        pieces = [self.chart.point(W[i : i + COLUMNS]) for i in range(0, len(W), COLUMNS)]
        parts = [self.law.risk._total_and_gradient(piece) for piece in pieces]
        totals, gradients = (np.concatenate(column) for column in zip(*parts, strict=True))
        logs = -self.law.scale * totals - (W * W).sum(axis=1) / 2
        return logs, self.chart.pulled(W, -self.law.scale * gradients) - W

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
        longest = sqrt(drift.shape[1]) + 1
        return logs, drift * np.minimum(1.0, longest / np.maximum(np.linalg.norm(drift, axis=1), 1e-300))[
            :, None
        ]

    @property
    def H(self) -> NDArray[np.float64]:
        """The states as points of the body."""
        return self.chart.point(self.W)

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
    law: ExponentialERM,
    n_draws: int,
    *,
    n_chains: int = 4,
    thin: int = 1,
    rng: np.random.Generator | int | None = None,
) -> Run:
    """Draw by the Metropolis-adjusted Langevin algorithm.

    **Privacy.** That of the law, plus what
    :func:`~privml.learners.penalised_erm.early_stopping_guarantee` says for its distance to it.
    **Source.** WLF16-prop-26, with another chain.

    Parameters
    ----------
    n_draws : int
        Draws of each chain that are kept, at least 4; as many come before as warm-up, which sets the step.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball, LogisticLoss, PenalisedRisk
    >>> risk = PenalisedRisk([[0.5, 0.5]] * 100, [1.0] * 100, LogisticLoss(), Ball(2, 2.0), penalty=0.2)
    >>> run = mala(ExponentialERM(risk, 2.0), 500, rng=0)
    >>> run.draws.shape, run.diagnostics.mixed
    ((4, 500, 2), True)
    """
    checked(law, n_draws, n_chains, thin)
    chains = _Langevin(law, n_chains, np.random.default_rng(rng))
    warm_up = n_draws * thin
    for step in range(warm_up):
        rate = chains.advance().mean() - MALA_ACCEPTANCE
        chains.step *= float(np.exp(rate / sqrt(1 + step / 10)))
    kept, accepted = np.empty((n_chains, n_draws, chains.H.shape[1] + 1)), 0.0
    for step in range(n_draws * thin):
        accepted += chains.advance().mean()
        if (step + 1) % thin == 0:
            kept[:, step // thin] = np.column_stack([chains.H, chains.logs])
    return finished(kept, accepted / (n_draws * thin))
