"""Hit-and-run: a random direction, then a draw on the chord by slicing.

The scores of the records move along a line, so one matrix product serves all evaluations of a step.  The
matrix that shapes the directions is made from the data; it changes the speed and not the law.
"""

import numpy as np
from numpy.typing import NDArray

from privml.learners.penalised_erm.laws import ExponentialERM
from privml.learners.penalised_erm.sampling.base import Run, checked, finished, starts

REFRESH = 64
SHRINKS = 200


def _slice(law: ExponentialERM, H: NDArray, V: NDArray, scores: NDArray, rng: np.random.Generator):
    """Positions t on the chords ``H + t V`` drawn by slicing, from t = 0, and the moves of the scores."""
    risk = law.risk
    along = risk._scores(V)
    low, high = law.domain._chord(H, V)
    hh, hv, vv = (H * H).sum(axis=1), (H * V).sum(axis=1), (V * V).sum(axis=1)

    def log_density(active: NDArray, t: NDArray) -> NDArray:
        norms = hh[active] + 2 * t * hv[active] + t * t * vv[active]
        return -law.scale * risk._total(scores[:, active] + along[:, active] * t, norms)

    active, t = np.arange(len(H)), np.zeros(len(H))
    level = log_density(active, t) - rng.exponential(size=len(H))
    for _ in range(SHRINKS):
        proposal = rng.uniform(low[active], high[active])
        taken = log_density(active, proposal) >= level[active]
        t[active[taken]] = proposal[taken]
        missed, proposal = active[~taken], proposal[~taken]
        low[missed] = np.where(proposal < 0, proposal, low[missed])
        high[missed] = np.where(proposal < 0, high[missed], proposal)
        active = missed
        if active.size == 0:
            break
    return t, along


def hit_and_run(
    law: ExponentialERM,
    n_draws: int,
    *,
    n_chains: int = 4,
    thin: int = 1,
    rng: np.random.Generator | int | None = None,
) -> Run:
    """Draw by hit-and-run: random chords, and on each chord a draw by slicing.

    **Privacy.** That of the law, plus what
    :func:`~privml.learners.penalised_erm.early_stopping_guarantee` says for its distance to it.
    **Source.** WLF16-prop-26, with another chain.

    Parameters
    ----------
    n_draws : int
        Draws of each chain that are kept, at least 4; as many come before as warm-up.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball, LogisticLoss, PenalisedRisk
    >>> risk = PenalisedRisk([[0.5, 0.5]] * 100, [1.0] * 100, LogisticLoss(), Ball(2, 2.0))
    >>> run = hit_and_run(ExponentialERM(risk, 1.0), 500, rng=0)
    >>> run.draws.shape, run.diagnostics.mixed
    ((4, 500, 2), True)
    """
    checked(law, n_draws, n_chains, thin)
    if not np.isfinite(law.domain.radius):
        raise ValueError(f"hit-and-run needs a bounded domain, got {law.domain!r}")
    rng = np.random.default_rng(rng)
    H, root = starts(law, n_chains, rng)
    scores = law.risk._scores(H)
    kept = np.empty((n_chains, n_draws, H.shape[1] + 1))
    for step in range(2 * n_draws * thin):
        V = rng.normal(size=H.shape) @ root.T
        t, along = _slice(law, H, V, scores, rng)
        H = H + t[:, None] * V
        scores = law.risk._scores(H) if step % REFRESH == 0 else scores + along * t
        place, offset = divmod(step + 1 - n_draws * thin, thin)
        if place >= 1 and offset == 0:
            totals = law.risk._total(scores, (H * H).sum(axis=1))
            kept[:, place - 1] = np.column_stack([H, -law.scale * totals])
    return finished(kept, 1.0)
