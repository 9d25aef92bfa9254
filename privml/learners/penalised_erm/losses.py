"""Losses of linear scores, with what privacy and rates need to know about them.

Labels y lie in [-1, 1].  ``oscillation(R)`` is the largest change of one record's loss over all scores in
[-R, R].  A constant that is added to the loss of a record leaves the law of the learner as it is, so this,
and not the largest loss, is what one record can do.
"""

import numpy as np
from numpy.typing import NDArray

from privml.learners.penalised_erm.base import ScoreLoss

FACTORS = 512


def _sigmoid(values: NDArray) -> NDArray[np.float64]:
    return 0.5 * (1 + np.tanh(0.5 * values))


class LogisticLoss(ScoreLoss):
    """``ln(1 + exp(-y s))``; its oscillation on [-R, R] is exactly R.

    >>> LogisticLoss().oscillation(3.0)
    3.0
    """

    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        margins = y * scores
        return np.log1p(np.exp(-abs(margins))) + np.maximum(-margins, 0.0)

    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return -y * _sigmoid(-y * scores)

    def _both(self, scores: NDArray, y: NDArray) -> tuple[NDArray, NDArray]:
        """One exponential for each score, and a logarithm for each product of many factors in [1, 2]."""
        margins = y * scores
        small = np.exp(-abs(margins))
        one_more = 1 + small
        starts = np.arange(0, len(margins), FACTORS)
        logs = np.log(np.multiply.reduceat(one_more, starts, axis=0)).sum(axis=0)
        share = np.where(margins > 0, small, 1.0) / one_more
        return logs - np.minimum(margins, 0.0).sum(axis=0), -y * share

    def _curvature(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        p = _sigmoid(scores)
        return p * (1 - p) * y**2

    def _oscillation(self, radius: float) -> float:
        return float(radius)

    def _supremum(self, radius: float) -> float:
        return float(np.logaddexp(0.0, radius))

    def _lipschitz(self, radius: float) -> float:
        return float(_sigmoid(np.float64(radius)))


class HingeLoss(ScoreLoss):
    """``max(0, 1 - y s)``; its oscillation is 2R up to R = 1, then 1 + R.

    >>> HingeLoss().oscillation(0.5), HingeLoss().oscillation(3.0)
    (1.0, 4.0)
    """

    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.maximum(1 - y * scores, 0.0)

    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.where(y * scores < 1, -y, 0.0)

    def _curvature(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.exp(-((1 - y * scores) ** 2)) / 2

    def _oscillation(self, radius: float) -> float:
        return float(radius + min(radius, 1.0))

    def _supremum(self, radius: float) -> float:
        return float(1 + radius)

    def _lipschitz(self, radius: float) -> float:
        return 1.0


class SquaredLoss(ScoreLoss):
    """``(s - y)^2``; its oscillation is 4R up to R = 1, then (1 + R)^2.

    >>> SquaredLoss().oscillation(0.5), SquaredLoss().oscillation(2.0)
    (2.0, 9.0)
    """

    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return (scores - y) ** 2

    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return 2 * (scores - y)

    def _curvature(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.full(np.broadcast_shapes(scores.shape, y.shape), 2.0)

    def _oscillation(self, radius: float) -> float:
        return float(4 * radius if radius <= 1 else (1 + radius) * (1 + radius))

    def _supremum(self, radius: float) -> float:
        return float((1 + radius) * (1 + radius))

    def _lipschitz(self, radius: float) -> float:
        return float(2 * (1 + radius))


class RampLoss(ScoreLoss):
    """``(1 - y s) / 2`` moved into [0, 1]: bounded on all of the line, and not convex.

    >>> RampLoss().oscillation(np.inf), RampLoss().convex
    (1.0, False)
    """

    convex = False

    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.clip((1 - y * scores) / 2, 0.0, 1.0)

    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.where(abs(y * scores) < 1, -y / 2, 0.0)

    def _curvature(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.exp(-((y * scores) ** 2)) / 4

    def _oscillation(self, radius: float) -> float:
        return float(min(radius, 1.0))

    def _supremum(self, radius: float) -> float:
        return float(min((1 + radius) / 2, 1.0))

    def _lipschitz(self, radius: float) -> float:
        return 0.5
