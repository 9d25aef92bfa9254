"""Exact draws for the squared loss, whose law is a Gaussian cut off at the domain."""

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learners.penalised_erm.laws import ExponentialERM
from privml.learners.penalised_erm.losses import SquaredLoss


def ridge_draw(
    law: ExponentialERM, *, max_tries: int = 100_000, rng: np.random.Generator | int | None = None
) -> NDArray[np.float64] | None:
    """Exact draw for the squared loss: a Gaussian, drawn again until it falls into the domain.

    **Returns.** ndarray of shape (dimension,) or None: none if no draw fell into the domain.
    **Privacy.** That of the law; only the number of tries depends on the data otherwise.
    **Source.** WLF16-alg-1 without a chain.

    Parameters
    ----------
    max_tries : int, default 100000
        Give up after that many Gaussian draws.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball, PenalisedRisk, SquaredLoss
    >>> risk = PenalisedRisk([[1.0]] * 1000, [0.5] * 1000, SquaredLoss(), Ball(1))
    >>> bool(abs(ridge_draw(ExponentialERM(risk, 1.0), rng=0)[0] - 0.5) < 0.3)
    True
    """
    check.instance(ExponentialERM, law=law)
    check.instance(SquaredLoss, loss=law.risk.loss)
    check.positive_integer(max_tries=max_tries)
    if not law.domain.convex:
        raise ValueError(f"domain must have inner points, got {law.domain!r}")
    rng, risk, d = np.random.default_rng(rng), law.risk, law.domain.dimension
    precision = law.scale * risk._total_curvature(np.zeros(d))
    values = np.linalg.eigvalsh(precision)
    if not values.min() > 1e-12 * max(values.max(), 1.0):
        return None
    mean = np.linalg.solve(precision, 2 * law.scale * risk.X.T @ risk.y)
    root = np.linalg.inv(np.linalg.cholesky(precision))  # unique, where eigenvectors have arbitrary signs
    for _ in range(-(-max_tries // 1000)):
        noise = rng.normal(size=(min(1000, max_tries), d))
        H = mean + noise @ root
        inside = np.flatnonzero(law.domain.contains(H))
        if inside.size:
            return H[inside[0]]
    return None
