"""What the first chapter proves, by brute force over all lists of a few patients."""

from itertools import product

import numpy as np


def farthest(m: int, error: float) -> int:
    """Most wrong bits of a list of m bits that fits all answers within an error, as the true list does.

    Only the difference between a list and the true one matters.  Answers that agree with both lists up
    to the error exist if and only if the two counts differ by at most twice the error for each question.
    """
    questions = np.array(list(product([0, 1], repeat=m)))
    differences = np.array(list(product([-1, 0, 1], repeat=m)))
    told_apart = np.abs(differences @ questions.T).max(axis=1)
    return int(np.abs(differences[told_apart <= 2 * error]).sum(axis=1).max())
