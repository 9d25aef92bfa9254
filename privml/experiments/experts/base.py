"""What several tables need: the neighbouring loss sequences that are easiest to tell apart."""

import numpy as np


def opposite_losses(n_rounds: int, n_experts: int = 2, favoured: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours that differ in the first round: the first experts lose nothing and the others all, or not.

    Parameters
    ----------
    n_rounds, n_experts : int
        At least 1.
    favoured : int
        How many experts lose nothing in the first sequence.

    Returns
    -------
    tuple of ndarray of shape (n_rounds, n_experts)
        After the first round all losses are 0.

    Examples
    --------
    >>> [losses.tolist() for losses in opposite_losses(2)]
    [[[False, True], [False, False]], [[True, False], [False, False]]]
    """
    first, second = np.zeros((2, n_rounds, n_experts), dtype=bool)
    first[0, favoured:], second[0, :favoured] = True, True
    return first, second
