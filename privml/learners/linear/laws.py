"""Exact laws of what LinearLearner releases: the draws one by one, or their average.

The examples fix the law of every round, and the rounds are independent.  So the law of the sequence is a
product, and the law of the counts, which say the same as the average, is a convolution.
"""

import numpy as np
from numpy.typing import ArrayLike

from privml.distributions import Categorical
from privml.learners.experts import action_probabilities

LARGEST_LAW = 1 << 22
"""Most outcomes that are enumerated."""


def _refuse_large(n_outcomes: int) -> None:
    if n_outcomes > LARGEST_LAW:
        advice = "take fewer rounds or coordinates"
        raise ValueError(f"the law must have at most {LARGEST_LAW} outcomes, got {n_outcomes}: {advice}")


def sequence_law(X: ArrayLike, eta: float) -> Categorical:
    """Law of the sequence of draws (a_1, ..., a_T).

    **Returns.** Categorical: over ``n_features ** n_samples`` sequences in lexicographic order.
    **Source.** DR11-alg-17 before it takes the average.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Examples in [-1, 1]^d, in the order of the rounds.

    Raises
    ------
    ValueError
        If an example lies outside of [-1, 1], eta is not positive, or there are too many sequences.

    Examples
    --------
    >>> sequence_law([[1.0, -1.0], [0.0, 0.0]], np.log(2)).pmf().round(4).tolist()
    [0.1, 0.4, 0.1, 0.4]
    """
    rounds = action_probabilities(X, eta, lower=-1.0, upper=1.0)
    _refuse_large(rounds.shape[1] ** len(rounds))
    log_law = np.zeros(1)
    with np.errstate(divide="ignore"):
        for law in np.log(rounds):
            log_law = (log_law[:, None] + law).ravel()
    return Categorical(log_law)


def average_law(X: ArrayLike, eta: float) -> Categorical:
    """Law of theta, the average of the draws, as a law of counts.

    **Returns.** Categorical: over the cells of an array of shape ``(n_samples + 1,) * (n_features - 1)``: how
    often each coordinate but the last was drawn, in C order; cells whose sum exceeds `n_samples` have
    probability 0.
    **Source.** The output of DR11-alg-17.

    Parameters
    ----------
    X : array_like of shape (n_samples, n_features)
        Examples in [-1, 1]^d, in the order of the rounds.

    Raises
    ------
    ValueError
        If an example lies outside of [-1, 1], eta is not positive, or there are too many cells.

    Examples
    --------
    >>> average_law([[1.0, -1.0], [0.0, 0.0]], np.log(2)).pmf().round(4).tolist()
    [0.4, 0.5, 0.1]
    """
    rounds = action_probabilities(X, eta, lower=-1.0, upper=1.0)
    n_rounds, n_features = rounds.shape
    shape = (n_rounds + 1,) * (n_features - 1)
    _refuse_large((n_rounds + 1) ** (n_features - 1))
    law = np.zeros(shape)
    law[(0,) * len(shape)] = 1.0
    for probabilities in rounds:
        after = probabilities[-1] * law
        for axis, probability in enumerate(probabilities[:-1]):
            later = (slice(None),) * axis + (slice(1, None),)
            earlier = (slice(None),) * axis + (slice(None, -1),)
            after[later] += probability * law[earlier]
        law = after
    with np.errstate(divide="ignore"):
        return Categorical(np.log(law.ravel()))
