r"""Losses of linear scores, and the penalised empirical risk with what one record can do to it.

.. math:: F(h) = \frac1n \sum_i \ell(\langle h, x_i\rangle, y_i) + \frac\lambda2 |h|^2

Labels lie in [-1, 1].  A constant that is added to the loss of a record leaves the law of the learner as it
is, so what one record can do is its *oscillation*, the largest change of its loss over all scores in [-R, R],
and not the largest loss.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import numeric
from privml.learners.penalised_erm.domains import Domain
from privml.learners.preprocessing import unit_rows

SCORES_BLOCK = 1 << 21  # scores that are held at once: 16 MiB
RECORDS_BLOCK = 2048  # records at a time, which fast memory holds
LARGEST_SCORE = 40.0  # up to it a product of 16 factors 1 + exp(score) is a float
SENSITIVITIES = ("tight", "WLF16")


def _checked(radius: float) -> float:
    if radius != inf:
        check.positive(radius=radius)
    return float(radius)


class ScoreLoss(ABC):
    """A loss of a score ``s = <h, x>``, maybe convex in it, and a label y in [-1, 1]."""

    convex: bool = True
    smoothness: float = inf
    jump: float = inf
    """Largest second derivative in the score, and how much the first one can change."""

    def value(self, scores: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Loss of `scores` at labels `y` in [-1, 1], element by element."""
        return self._value(check.numbers(scores=scores), check.numbers(y=y))

    def oscillation(self, radius: float) -> float:
        """How much the loss of one record can vary over scores in [-radius, radius]: the worst record."""
        return float(self._oscillation(_checked(radius)))

    def supremum(self, radius: float) -> float:
        """Largest loss of any record at any score in [-radius, radius]."""
        with np.errstate(over="ignore"):
            return float(self._value(np.array(-_checked(radius)), np.array(1.0)))

    def lipschitz(self, radius: float) -> float:
        """Lipschitz constant in the score, on [-radius, radius]."""
        return float(abs(self._derivative(np.array(-_checked(radius)), np.array(1.0))))

    @abstractmethod
    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """The loss of arrays."""

    @abstractmethod
    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """A derivative (where there is a kink, a subgradient) with respect to the score."""

    def _sum(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """Sum of the losses of every column; the scores are overwritten."""
        return self._value(scores, y).sum(axis=0)

    def _touch(
        self, scores: NDArray, y: NDArray, width: float
    ) -> tuple[float, NDArray[np.float64]]:
        """Sum and derivatives, for a column of scores, of what stands below the loss by at most width / 2.

        It is convex, with second derivatives of at most 1 / width; a smooth loss itself, or if width is 0.
        The scores are overwritten.
        """
        derivatives = self._derivative(scores, y)[:, 0]
        return float(self._sum(scores, y)[0]), derivatives

    def _gap(self, length: float) -> float:
        """How far a convex loss can be above its tangent, so far in the score from where they touch."""
        return min(self.smoothness / 2 * length**2, self.jump * length)

    @abstractmethod
    def _oscillation(self, radius: float) -> float: ...


class LogisticLoss(ScoreLoss):
    """``ln(1 + exp(-y s))``; its oscillation on [-R, R] is exactly R.

    Examples
    --------
    >>> LogisticLoss().oscillation(3.0)
    3.0
    """

    smoothness, jump = 0.25, 1.0

    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        margins = y * scores
        return np.log1p(np.exp(-abs(margins))) + np.maximum(-margins, 0.0)

    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return -y * (0.5 * (1 + np.tanh(-0.5 * y * scores)))

    def _sum(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        """One exponential for each score, and a logarithm for each product of 16 factors."""
        if scores.size == 0 or max(scores.max(), -scores.min()) > LARGEST_SCORE:
            return super()._sum(scores, y)
        scores *= -y
        np.exp(scores, out=scores)
        scores += 1
        rest = np.zeros(scores.shape[1])
        for _ in range(4):
            half = len(scores) // 2
            rest += np.log(scores[2 * half :]).sum(axis=0)
            scores = scores[:half] * scores[half : 2 * half]
        return rest + np.log(scores).sum(axis=0)

    def _oscillation(self, radius: float) -> float:
        return radius


class HingeLoss(ScoreLoss):
    """``max(0, 1 - y s)``; its oscillation is 2R up to R = 1, then 1 + R.

    Examples
    --------
    >>> HingeLoss().oscillation(0.5), HingeLoss().oscillation(3.0)
    (1.0, 4.0)
    """

    jump = 1.0

    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.maximum(1 - y * scores, 0.0)

    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.where(y * scores < 1, -y, 0.0)

    def _touch(
        self, scores: NDArray, y: NDArray, width: float
    ) -> tuple[float, NDArray[np.float64]]:
        """With a parabola of the given width in place of the kink."""
        if not width:
            return super()._touch(scores, y, width)
        short = 1 - y * scores
        rise = np.clip(short / width, 0.0, 1.0)
        return float((rise * (short - width * rise / 2)).sum()), -(y * rise)[:, 0]

    def _oscillation(self, radius: float) -> float:
        return radius + min(radius, 1.0)


class SquaredLoss(ScoreLoss):
    """``(s - y)^2``; its oscillation is 4R up to R = 1, then (1 + R)^2.

    Examples
    --------
    >>> SquaredLoss().oscillation(0.5), SquaredLoss().oscillation(2.0)
    (2.0, 9.0)
    """

    smoothness = 2.0

    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return (scores - y) ** 2

    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return 2 * (scores - y)

    def _oscillation(self, radius: float) -> float:
        return 4 * radius if radius <= 1 else (1 + radius) * (1 + radius)


class RampLoss(ScoreLoss):
    """``(1 - y s) / 2`` moved into [0, 1]: bounded on all of the line, and not convex.

    Examples
    --------
    >>> RampLoss().oscillation(np.inf), RampLoss().convex
    (1.0, False)
    """

    convex = False

    def _value(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.clip((1 - y * scores) / 2, 0.0, 1.0)

    def _derivative(self, scores: NDArray, y: NDArray) -> NDArray[np.float64]:
        return np.where(abs(y * scores) < 1, -y / 2, 0.0)

    def _oscillation(self, radius: float) -> float:
        return min(radius, 1.0)

    def lipschitz(self, radius: float) -> float:
        """One half on any [-radius, radius]: the ramp is steepest in the middle."""
        _checked(radius)
        return 0.5


class PenalisedRisk:
    """Mean loss of n records plus a penalty that does not look at them.

    Parameters
    ----------
    X : array_like
        Records of shape (n_samples, n_features); rows longer than 1 are scaled to length 1, NaN counts as 0.
    y : array_like
        Labels of shape (n_samples,), moved into [-1, 1]; NaN counts as 0.
    loss : ScoreLoss
        Loss of a score and a label.
    domain : Domain
        Where hypotheses lie, of dimension n_features.
    penalty : float
        Factor lambda of ``|h|^2 / 2``, non-negative.

    Raises
    ------
    ValueError
        If shapes do not fit.

    References
    ----------
    WLF16-eq-8; WLF16-cond-A1 up to the scale of the loss.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball
    >>> risk = PenalisedRisk([[1.0], [1.0]], [1.0, 0.0], SquaredLoss(), Ball(1), penalty=2.0)
    >>> risk.value([[0.0], [0.5]]).tolist(), risk.sensitivity(), risk.sensitivity("WLF16")
    ([0.5, 0.5], 2.0, 4.0)
    """

    def __init__(
        self,
        X: ArrayLike,
        y: ArrayLike,
        loss: ScoreLoss,
        domain: Domain,
        *,
        penalty: float = 0.0,
    ) -> None:
        check.instance(ScoreLoss, loss=loss)
        check.instance(Domain, domain=domain)
        check.non_negative(penalty=penalty)
        self.X, labels = unit_rows(X), numeric("y", y).astype(float)
        if labels.shape != self.X.shape[:1]:
            raise ValueError(
                f"y must be of shape {self.X.shape[:1]}, but got shape {labels.shape}."
            )
        if self.X.shape[1] != domain.dimension:
            raise ValueError(
                f"domain must have dimension {self.X.shape[1]}, but got {domain.dimension}."
            )
        self.y = np.clip(np.nan_to_num(labels, nan=0.0), -1.0, 1.0)
        self.loss, self.domain, self.penalty = loss, domain, float(penalty)

    @property
    def n_samples(self) -> int:
        """Number of records n."""
        return len(self.X)

    def value(self, H: ArrayLike) -> NDArray[np.float64]:
        """F of every row of `H`, in blocks of bounded memory."""
        rows, size = self.domain._rows(H), max(1, SCORES_BLOCK // self.n_samples)
        parts, y = (
            [rows[i : i + size] for i in range(0, len(rows), size)],
            self.y[:, None],
        )
        losses = np.concatenate(
            [self.loss._value(self.X @ part.T, y).sum(axis=0) for part in parts]
        )
        return (
            losses + 0.5 * self.n_samples * self.penalty * (rows * rows).sum(axis=1)
        ) / self.n_samples

    def _blocks(self) -> Iterator[tuple[NDArray, NDArray]]:
        """Rows and labels, so many at a time as fast memory holds."""
        for start in range(0, self.n_samples, RECORDS_BLOCK):
            yield (
                self.X[start : start + RECORDS_BLOCK],
                self.y[start : start + RECORDS_BLOCK, None],
            )

    def _tangents(
        self, h: NDArray, width: float = 0.0
    ) -> Iterator[tuple[float, NDArray]]:
        """Sum of the losses of each block at h, and its gradient; the penalty is left out.

        With a width, of convex functions below the losses that are smooth to that width.
        """
        for X, y in self._blocks():
            total, derivatives = self.loss._touch((X @ h)[:, None], y, width)
            yield total, derivatives @ X

    def sensitivity(self, rule: str = "tight") -> float:
        """Change of F when one record is replaced, up to a constant.

        Parameters
        ----------
        rule : {"tight", "WLF16"}
            The oscillation of the loss over scores in [-R, R], over n, R being the radius of the domain:
            sharp for balls, an upper bound for other sets; or the source's ``2 sup|loss| / n``.
        """
        check.one_of(SENSITIVITIES, rule=rule)
        radius = self.domain.radius
        change = (
            self.loss.oscillation(radius)
            if rule == "tight"
            else 2 * self.loss.supremum(radius)
        )
        if not isfinite(change):
            raise ValueError(
                "loss must be bounded on the domain, since otherwise one record can change the risk by any amount, "
                f"but got {type(self.loss).__name__} on {type(self.domain).__name__}."
            )
        return change / self.n_samples


check.wrap_module(__name__)
