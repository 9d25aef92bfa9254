"""What the samplers share: checks, first states, and the shape of the law near its mode."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learners.penalised_erm.base import Domain
from privml.learners.penalised_erm.diagnostics import Diagnostics, diagnose
from privml.learners.penalised_erm.domains import Ball
from privml.learners.penalised_erm.laws import ExponentialERM

NEWTON_STEPS = 20
FLAT = 1e-9
LARGEST_RUN = 10**8


@dataclass(frozen=True, eq=False)
class Run:
    """Draws of several chains after warm-up.

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws, dimension)
        The states.
    diagnostics : Diagnostics
        Signs of trouble, over all coordinates and the log-density.

    Examples
    --------
    >>> Run(np.zeros((1, 2, 3)), Diagnostics(1.0, 200.0, 0.6, 2)).last.tolist()
    [0.0, 0.0, 0.0]
    """

    draws: NDArray[np.float64]
    diagnostics: Diagnostics

    @property
    def last(self) -> NDArray[np.float64]:
        """The last state of the first chain: what is released."""
        return self.draws[0, -1]


def checked(law: ExponentialERM, n_draws: int, n_chains: int, thin: int) -> None:
    """Refuse bad parameters, and laws that are not log-concave by their parts."""
    check.instance(ExponentialERM, law=law)
    check.positive_integer(n_draws=n_draws, n_chains=n_chains, thin=thin)
    if n_draws * n_chains * thin > LARGEST_RUN:
        raise ValueError(f"n_draws * n_chains * thin must be at most {LARGEST_RUN}, got {n_draws!r}")
    if n_draws < 4:
        raise ValueError(f"n_draws must be at least 4, got {n_draws!r}")
    if not law.log_concave:
        loss, domain = type(law.risk.loss).__name__, type(law.domain).__name__
        raise ValueError(f"the law must be log-concave, got {loss} on {domain}: a chain may miss modes")


def _inside(domain: Domain, h: NDArray) -> NDArray:
    """A point pulled towards 0 (balls) or the middle of the set, until it lies well inside."""
    if isinstance(domain, Ball):
        return h * min(1.0, 0.9 * domain.radius / max(float(np.linalg.norm(h)), 1e-300))
    if hasattr(domain, "lower"):
        margin = 0.05 * (domain.upper - domain.lower)
        return np.clip(h, domain.lower + margin, domain.upper - margin)
    return h


def shape_of(law: ExponentialERM) -> tuple[NDArray, NDArray]:
    """Point near the mode, and a square root of the covariance there, for chains to start and step with.

    **Returns.** (mode, root) : ndarray of shape (dimension,), ndarray of shape (dimension, dimension): ``root
    @ root.T`` is about the covariance; both depend on the data and are not private.
    **Source.** None: it changes the speed of a chain and not its law.

    >>> from privml.learners.penalised_erm import Ball, PenalisedRisk, SquaredLoss
    >>> risk = PenalisedRisk([[1.0]] * 1000, [0.5] * 1000, SquaredLoss(), Ball(1))
    >>> mode, root = shape_of(ExponentialERM(risk, 1.0))
    >>> mode.round(3).tolist(), root.round(3).tolist()
    ([0.5], [[0.063]])
    """
    risk, domain = law.risk, law.domain
    d = domain.dimension
    size = domain.radius if np.isfinite(domain.radius) else 1e6
    room = (d + 2) / size**2
    h, damping = _inside(domain, np.zeros(d)), 1.0
    best = risk._total(risk._scores(h[None]), np.array([h @ h]))[0]
    for _ in range(NEWTON_STEPS):
        precision = law.scale * risk._total_curvature(h) + room * np.eye(d)
        gradient = law.scale * risk._total_and_gradient(h[None])[1][0]
        candidate = _inside(domain, h - damping * np.linalg.solve(precision, gradient))
        value = risk._total(risk._scores(candidate[None]), np.array([candidate @ candidate]))[0]
        gain = law.scale * (best - value)
        h, best, damping = (candidate, value, min(1.0, 2 * damping)) if gain > 0 else (h, best, damping / 4)
        if 0 < gain < 1e-3 or damping < 1e-4:
            break
    precision = law.scale * risk._total_curvature(h) + room * np.eye(d)
    return h, np.linalg.inv(np.linalg.cholesky(precision)).T


def starts(law: ExponentialERM, n_chains: int, rng: np.random.Generator) -> tuple[NDArray, NDArray]:
    """Overdispersed first states, and the shape of the proposals."""
    domain = law.domain
    mode, root = shape_of(law)
    spread = mode + 2.0 * rng.normal(size=(n_chains, domain.dimension)) @ root.T
    return np.stack([_inside(domain, row) for row in spread]), root


def finished(kept: NDArray, acceptance: float) -> Run:
    """The run whose states and log-densities (the last column) were kept; a flat density is not monitored."""
    flat = np.ptp(kept[:, :, -1]) < FLAT
    return Run(kept[:, :, :-1], diagnose(kept[:, :, :-1] if flat else kept, acceptance))
