"""What all of linear learning does to a record: move it into the cube."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check


def clipped(X: ArrayLike) -> NDArray[np.float64]:
    """Entries moved into [-1, 1], each by itself; NaN counts as 0."""
    known = isinstance(X, np.ndarray) and X.dtype.kind in "fiub"  # no copy of a large table
    values = np.asarray(np.clip(np.asarray(X if known else check.numbers(X=X), dtype=float), -1.0, 1.0))
    if np.isnan(values.sum()):
        values[np.isnan(values)] = 0.0
    return values
