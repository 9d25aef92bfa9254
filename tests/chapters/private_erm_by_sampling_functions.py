"""Exact audits of private penalised ERM, for the constants in *private-erm-by-sampling*."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import audit
from privml.learners.penalised_erm import (
    Ball,
    ExponentialERM,
    Finite,
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    RampLoss,
    SquaredLoss,
)
from privml.learners.penalised_erm.risks import ScoreLoss

LOSSES = {
    "logistic": LogisticLoss(),
    "hinge": HingeLoss(),
    "ramp": RampLoss(),
    "squared": SquaredLoss(),
}


def spent(
    loss: ScoreLoss, m: int, epsilon: float, radius: float, rule: str = "tight"
) -> float:
    """Largest privacy loss on nine weights of a line, over all neighbours of m records of four kinds."""
    grid = Finite(np.linspace(-radius, radius, 9)[:, None])
    near = min(1.0, 1 / radius)
    records = np.array([[-1.0], [-near], [near], [1.0]])

    def law(data):
        risk = PenalisedRisk(*data, loss, grid)
        return ExponentialERM(risk, epsilon, sensitivity=rule).finite_distribution()

    return audit.exact(law, (records, np.ones(4)), m).epsilon


def sharp_pair(radius: float) -> NDArray[np.float64]:
    """Features of the three records in the proof: the replaced one, its replacement, all others; on a disc."""
    return np.array([[1.0, 0.0], [-1.0, 0.0], [-1 / max(1.0, radius), 0.0]])


def pair_loss(
    loss: ScoreLoss, m: int, epsilon: float, radius: float, nodes: int = 80
) -> float:
    """Privacy loss of the pair in the proof, at the point h_0."""
    first, second, other = sharp_pair(radius)
    logs = []
    for record in (first, second):
        X = np.vstack([record, np.tile(other, (m - 1, 1))])
        risk = PenalisedRisk(X, np.ones(m), loss, Ball(2, radius))
        law = ExponentialERM(risk, epsilon)
        at = law.log_density(radius * first[None])[0]
        logs.append(at - law.quadrature(nodes).log_normaliser)
    return logs[0] - logs[1]


def exact_delta(laws: list[ArrayLike], epsilon: float) -> float:
    """Largest hockey-stick divergence of distributions next to each other in a list, both ways."""
    p = np.array(laws)
    both = (p[:-1], p[1:]), (p[1:], p[:-1])
    return max(
        np.maximum(0, a - np.exp(epsilon) * b).sum(axis=1).max() for a, b in both
    )
