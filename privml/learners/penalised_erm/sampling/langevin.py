"""The Metropolis-adjusted Langevin algorithm: a step along the gradient plus noise, accepted to keep the law.

Two matrix products a step; far better than hit-and-run in many dimensions.  A proposal outside the domain is
refused, so it is slow where the law leans on the boundary.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from privml.learners.penalised_erm.domains import Simplex
from privml.learners.penalised_erm.laws import ExponentialERM
from privml.learners.penalised_erm.sampling.base import Run, checked, finished, starts

MALA_ACCEPTANCE = 0.574


class _Langevin:
    """States of several MALA chains, in coordinates where the law is about round."""

    def __init__(self, law: ExponentialERM, n_chains: int, rng: np.random.Generator) -> None:
        self.law, self.rng = law, rng
        self.H, self.root = starts(law, n_chains, rng)
        self.logs, self.drift = self._evaluated(self.H)
        self.step = 1.65 / self.H.shape[1] ** (1 / 6)

    def _evaluated(self, H: NDArray) -> tuple[NDArray, NDArray]:
        totals, gradients = self.law.risk.total_and_gradient(H)
        return -self.law.scale * totals, -self.law.scale * gradients @ self.root

    def advance(self) -> NDArray[np.float64]:
        """One step of every chain; returns the probabilities of acceptance."""
        noise = self.rng.normal(size=self.H.shape)
        move = 0.5 * self.step**2 * self.drift + self.step * noise
        proposal = self.H + move @ self.root.T
        logs, drift = self._evaluated(proposal)
        back = (-move - 0.5 * self.step**2 * drift) / self.step
        ratio = logs - self.logs + 0.5 * (noise**2).sum(axis=1) - 0.5 * (back**2).sum(axis=1)
        ratio[~self.law.domain.contains(proposal)] = -np.inf
        taken = np.log(self.rng.random(len(ratio))) < ratio
        self.H = np.where(taken[:, None], proposal, self.H)
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

    Parameters
    ----------
    law : ExponentialERM
        A log-concave law on a ball, a box or the whole space.
    n_draws : int
        Draws of each chain that are kept, at least 4; as many come before as warm-up, which sets the step.
    n_chains : int, default 4
        Chains, started far apart.
    thin : int, default 1
        Steps between two draws.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or a seed for one.

    Returns
    -------
    Run

    Raises
    ------
    ValueError
        If a parameter is out of range, the law is not log-concave by its parts, or the domain is a simplex.

    Notes
    -----
    **Privacy.** That of the law, plus what :func:`early_stopping_guarantee` says for its distance to it.
    **Source.** WLF16-prop-26, with another chain.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball, LogisticLoss, PenalisedRisk
    >>> risk = PenalisedRisk([[0.5, 0.5]] * 100, [1.0] * 100, LogisticLoss(), Ball(2, 2.0), penalty=0.2)
    >>> run = mala(ExponentialERM(risk, 2.0), 500, rng=0)
    >>> run.draws.shape, run.diagnostics.mixed
    ((4, 500, 2), True)
    """
    checked(law, n_draws, n_chains, thin)
    if isinstance(law.domain, Simplex):
        raise ValueError(f"domain must have inner points, got {law.domain!r}: use hit_and_run")
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
