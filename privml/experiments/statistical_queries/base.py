"""What several tables of the chapter need."""

import numpy as np
from numpy.typing import NDArray


def fair_coins(n: int) -> NDArray[np.float64]:
    """Probabilities of 0, 1, ..., n heads among n fair coins.

    Examples
    --------
    >>> fair_coins(2).round(6).tolist()
    [0.25, 0.5, 0.25]
    """
    from scipy.stats import binom

    return binom.pmf(np.arange(n + 1), n, 0.5)
