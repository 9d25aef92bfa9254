r"""The penalised empirical risk of linear scores, and what one record can do to it.

.. math:: F(h) = \frac1n \sum_i \ell(\langle h, x_i\rangle, y_i) + \frac\lambda2 |h|^2
"""

from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import numbers
from privml.learners.penalised_erm.base import Domain, ScoreLoss, points, unit_rows

BLOCK = 1 << 21
ROWS = 2048
SENSITIVITIES = ("tight", "WLF16")


class PenalisedRisk:
    """Mean loss of n records plus a penalty that does not look at them.

    **Source.** WLF16-eq-8; WLF16-cond-A1 up to the scale of the loss.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Records; rows longer than 1 are scaled to length 1, and NaN counts as 0.
    y : array_like of shape (n_samples,)
        Labels; moved into [-1, 1], NaN counts as 0.
    penalty : float, default 0
        Factor lambda of ``|h|^2 / 2``.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball, SquaredLoss
    >>> risk = PenalisedRisk([[1.0], [1.0]], [1.0, 0.0], SquaredLoss(), Ball(1), penalty=2.0)
    >>> risk.value([[0.0], [0.5]]).tolist(), risk.sensitivity(), risk.sensitivity("WLF16")
    ([0.5, 0.5], 2.0, 4.0)
    """

    def __init__(
        self, X: ArrayLike, y: ArrayLike, loss: ScoreLoss, domain: Domain, *, penalty: float = 0.0
    ) -> None:
        check.instance(ScoreLoss, loss=loss)
        check.instance(Domain, domain=domain)
        check.non_negative(penalty=penalty)
        self.X = unit_rows(X)
        labels = numbers("y", y).astype(float)
        if labels.shape != self.X.shape[:1]:
            raise ValueError(f"y must be of shape {self.X.shape[:1]}, got shape {labels.shape}")
        if self.X.shape[1] != domain.dimension:
            raise ValueError(f"the domain must have dimension {self.X.shape[1]}, got {domain.dimension}")
        self.y = np.clip(np.nan_to_num(labels, nan=0.0), -1.0, 1.0)
        self.loss, self.domain, self.penalty = loss, domain, float(penalty)

    @property
    def n_samples(self) -> int:
        """Number of records n."""
        return len(self.X)

    def _scores(self, H: NDArray) -> NDArray[np.float64]:
        """Score of every record (rows) for every hypothesis (columns)."""
        return self.X @ H.T

    def _total(self, scores: NDArray, squared_norms: NDArray) -> NDArray[np.float64]:
        """``n F`` from the scores, shape (n_samples, n_points), and the squared norms of hypotheses."""
        losses = self.loss._value(scores, self.y[:, None]).sum(axis=0)
        return losses + 0.5 * self.n_samples * self.penalty * squared_norms

    def value(self, H: ArrayLike) -> NDArray[np.float64]:
        """F of every row of `H`, in blocks of bounded memory."""
        rows = points(H, self.domain.dimension)
        size = max(1, BLOCK // self.n_samples)
        parts = [rows[i : i + size] for i in range(0, len(rows), size)]
        totals = [self._total(self._scores(part), (part * part).sum(axis=1)) for part in parts]
        return np.concatenate(totals) / self.n_samples

    def _total_and_gradient(self, H: NDArray) -> tuple[NDArray, NDArray]:
        """``n F`` and its gradient at every row of `H`, in one pass over the records."""
        totals = 0.5 * self.n_samples * self.penalty * (H * H).sum(axis=1)
        gradients = self.n_samples * self.penalty * H
        for start in range(0, self.n_samples, ROWS):
            X, y = self.X[start : start + ROWS], self.y[start : start + ROWS, None]
            losses, slopes = self.loss._both(X @ H.T, y)
            totals += losses
            gradients += slopes.T @ X
        return totals, gradients

    def _total_curvature(self, h: NDArray) -> NDArray[np.float64]:
        """Stand-in for the matrix of second derivatives of ``n F`` at one point; steers samplers."""
        weights = self.loss._curvature(self.X @ h, self.y)
        ridge = self.n_samples * self.penalty * np.eye(len(h))
        return self.X.T @ (weights[:, None] * self.X) + ridge

    def sensitivity(self, rule: str = "tight") -> float:
        """Change of F when one record is replaced, up to a constant.

        Parameters
        ----------
        rule : {"tight", "WLF16"}
            The largest oscillation of the loss of one record over scores in [-R, R], over n, R being the
            radius of the domain: sharp for balls, an upper bound for other sets; or the source's
            ``2 sup|loss| / n``.
        """
        check.one_of(SENSITIVITIES, rule=rule)
        radius = self.domain.radius
        change = self.loss.oscillation(radius) if rule == "tight" else 2 * self.loss.supremum(radius)
        if not isfinite(change):
            name = type(self.loss).__name__
            raise ValueError(f"{name} is unbounded on this domain: one record can change it by any amount")
        return change / self.n_samples
