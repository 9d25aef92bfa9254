"""What all of linear learning does to a record: move it into the cube."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def clipped(X: ArrayLike) -> NDArray[np.float64]:
    """Entries moved into [-1, 1], each by itself; NaN counts as 0."""
    values = np.clip(np.asarray(X, dtype=float), -1.0, 1.0)
    if np.isnan(values.sum()):
        np.nan_to_num(values, copy=False)
    return values
