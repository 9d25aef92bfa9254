r"""The logistic loss of a margin, continued by a straight line where it gets steep.

The margin of weights w on a record x with label y = 1 or -1 is :math:`m = y \langle w, x \rangle`.  With
slope 1 the loss is the logistic one.  With a smaller slope L it is the logistic loss to the right of the
margin at which that has the derivative -L, and a line of slope -L to the left: still convex, still smooth,
and one record of length 1 can pull on w with a force of at most L.  At L = 1/2, where w = 0 lies on the
border, every record pulls with its full force at w = 0.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check


def _numbers(margins: ArrayLike) -> NDArray[np.float64]:
    margins = check.numbers(margins=margins)
    if margins.ndim == 0:
        check.finite(margins=float(margins))
    return margins


@dataclass(frozen=True)
class CutLogisticLoss:
    """Logistic loss ``ln(1 + exp(-m))`` of a margin m, with derivatives cut off at ``-slope``.

    >>> loss = CutLogisticLoss(0.5)
    >>> loss.value(np.array([-2.0, 0.0, 2.0])).round(4).tolist(), loss.pull(np.array([-2.0])).tolist()
    ([1.6931, 0.6931, 0.1269], [0.5])
    """

    slope: float = 0.5

    def __post_init__(self) -> None:
        check.positive(slope=self.slope)
        if self.slope > 1:
            raise ValueError(f"slope must be at most 1, got {self.slope!r}")

    @property
    def smoothness(self) -> float:
        """Largest second derivative: L (1 - L) up to L = 1/2, then 1/4."""
        level = min(self.slope, 0.5)
        return level * (1 - level)

    @property
    def border(self) -> float:
        """Margin at which the line begins; minus infinity for the logistic loss."""
        return float(np.log(1 / self.slope - 1)) if self.slope < 1 else -np.inf

    def value(self, margins: ArrayLike) -> NDArray[np.float64]:
        """Loss of each margin."""
        margins = _numbers(margins)
        curved = np.logaddexp(0.0, -np.maximum(margins, self.border))
        if self.slope == 1:
            return curved
        return curved + self.slope * np.maximum(self.border - margins, 0.0)

    def pull(self, margins: ArrayLike) -> NDArray[np.float64]:
        """Minus the derivative at each margin, in [0, L]."""
        return np.minimum(0.5 - 0.5 * np.tanh(0.5 * _numbers(margins)), self.slope)

    def bend(self, margins: ArrayLike) -> NDArray[np.float64]:
        """Second derivative at each margin; 0 on the line."""
        margins = _numbers(margins)
        p = 0.5 - 0.5 * np.tanh(0.5 * margins)
        return np.where(margins > self.border, p * (1 - p), 0.0)
